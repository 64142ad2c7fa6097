// Films of `tact bench truth`: one scene by several engines, side by side in one recording.
#ifndef TACT_BENCH_TRUTH_TRUTH_FILM_H
#define TACT_BENCH_TRUTH_TRUTH_FILM_H

#include "bench/truth/truth.h"

enum { TACT_FILM_COPIES = TACT_TRUTH_ENGINES + 1, TACT_FILM_LABEL = 64 };

/// What an engine did: a state for every frame. Lies in memory that processes share, because an
/// engine runs in a process of its own.
typedef struct TactFilmTrack {
    int           bodies, room; // frames there is room for
    int           stride;       // steps from frame to frame
    int           frames;       // so far
    TactTransform poses[];      // world frame       (room x bodies), behind them as many TactTwist
} TactFilmTrack;

TactTransform *tact_film_poses(TactFilmTrack *track, int frame);
/// World frame; linear: of the centre of mass.
TactTwist *tact_film_twists(TactFilmTrack *track, int frame);

/// One engine in the picture.
typedef struct TactFilmCopy {
    char           label[TACT_FILM_LABEL]; // "tact 5 ms"
    double         rgb[3];
    TactVec3       offset; // where its scene stands, m
    TactFilmTrack *track;
    TactTruthRun   run;
} TactFilmCopy;

typedef struct TactFilm {
    const char      *name;  // of the recording's model, for the viewer
    const TactModel *model; // of the scene
    double           step;  // s
    double           every; // from frame to frame, s
    int              frames;
    double           front; // y of the plates with the names, m
    int              copies;
    TactFilmCopy     copy[TACT_FILM_COPIES];
} TactFilm;

/// Places the copies side by side along x, far enough apart for what their bodies do, and the
/// plates in front of them.
void tact_film_place(TactFilm *film);
/// A model that is only to be looked at: the scene once for each copy. Every body that moves is a
/// free body of its own, named "LABEL/NAME"; a plate in front of each copy is named "LABEL".
TactStatus tact_film_model(const TactFilm *film, TactModel **model);
/// Writes the recording.
TactStatus tact_film_record(TactFilm *film, const char *scene, const char *path);

/// The scene of a task by all engines, tact the first of them, at the step of the task, and by tact
/// at 0.1 ms: FOLDER/NAME-STEPms.tact, and a page of it where the program can write one. Prints
/// what each copy did; engines that cannot take the scene are left out, and named.
TactStatus tact_film_make(const TactTruthBench *bench, const TactTruthTask *task, const char *name,
                          const char *folder);

#endif
