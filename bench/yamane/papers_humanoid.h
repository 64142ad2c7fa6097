// The humanoid's motions, frame by frame: what every method makes of the same contact problems.
#ifndef TACT_BENCH_YAMANE_PAPERS_HUMANOID_H
#define TACT_BENCH_YAMANE_PAPERS_HUMANOID_H

#include "bench/papers/papers.h"

/// The methods of Tables I and II. The threshold is that of lemke-lex.
typedef enum TactHumanoidMethod {
    TACT_HUMANOID_LEMKE,
    TACT_HUMANOID_LEX_0,  // threshold 0
    TACT_HUMANOID_LEX_8,  // 1e-8
    TACT_HUMANOID_LEX_6,  // 1e-6
    TACT_HUMANOID_LEX_4,  // 1e-4
    TACT_HUMANOID_LEX_10, // 1e-10: the paper's best one for the tap dance, and tact's own
    TACT_HUMANOID_SEARCH, // what the paper proposes
    TACT_HUMANOID_LADDER, // what tact does if not told otherwise
    TACT_HUMANOID_METHODS
} TactHumanoidMethod;

/// The paper's own implementation of Lemke's algorithm, rebuilt: papers_tableau.h.
typedef enum TactHumanoidTableau {
    TACT_HUMANOID_TABLEAU_LEAST, // least index, as the paper's Lemke
    TACT_HUMANOID_TABLEAU_EQUILIBRATED,
    TACT_HUMANOID_TABLEAU_RENEWED,   // the tableau anew from M after every pivot
    TACT_HUMANOID_TABLEAU_LEX_0,     // lexicographic, threshold 0
    TACT_HUMANOID_TABLEAU_LEX_8,     // 1e-8
    TACT_HUMANOID_TABLEAU_LEX_8_ANY, // the same, with pivots of any size
    TACT_HUMANOID_TABLEAU_LEX_6,     // 1e-6
    TACT_HUMANOID_TABLEAU_LEX_4,     // 1e-4
    TACT_HUMANOID_TABLEAUX
} TactHumanoidTableau;

/// What a method did over all frames with contact.
typedef struct TactHumanoidTally {
    int    frames;
    int    solved;      // certified
    int    no_solution; // it ended on a ray
    int    cycle;       // a basis came back
    int    error;       // it ended, but its answer has an error, or it could not go on
    int    close;       // of the failures: with an error that the paper still accepts, 1e-3
    double active;      // contacts with a force, sum over frames that are solved
    double time;        // s, sum
    double pivots;      // sum
    double worst;       // largest certified error of those that are solved
} TactHumanoidTally;

/// A picture is taken after so many frames.
typedef struct TactHumanoidShot {
    int         frame;
    const char *caption;
} TactHumanoidShot;

typedef struct TactHumanoidRun {
    const char             *scene;                  // "squat.xml"
    int                     frames;                 // to be made
    double                  share_begin, share_end; // of the experiment's progress
    const TactPapersCamera *camera;                 //
    int                     shot_count;             //
    const TactHumanoidShot *shots;                  //
    // what is found
    double            mass;                           // kg
    double            weight;                         // N
    double            contacts;                       // sum over frames
    double            rest_time;                      // s, of steps without solving, sum
    TactHumanoidTally tallies[TACT_HUMANOID_METHODS]; //
    TactHumanoidTally tableaux[TACT_HUMANOID_TABLEAUX];
    double           *time;   // of frames, s                   (frames)
    double           *force;  // vertical, of the floor, N      (frames)
    double           *height; // of the centre of mass, m       (frames + 1)
    double            first;  // pivots of the search without friction, sum: its first step
    double            tilt;   // largest of the torso, rad
} TactHumanoidRun;

const char *tact_humanoid_method_name(TactHumanoidMethod method);
const char *tact_humanoid_tableau_name(TactHumanoidTableau tableau);

/// Runs the scene, and solves the problem of every frame by all methods.
TactStatus tact_humanoid_run(TactPapers *papers, TactHumanoidRun *run);
void       tact_humanoid_run_free(TactHumanoidRun *run);

/// Upward force that moves the centre of mass as it was seen to move, m (g + d2z/dt2): from three
/// positions, by differences. Of a frame after the first.
double tact_humanoid_needed(const TactHumanoidRun *run, int frame);

/// Table I with a simulation of its own for every method, as in the paper.
TactStatus tact_humanoid_own_runs(TactPapers *papers);

#endif
