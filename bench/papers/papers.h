// Inside of `tact bench papers`: the experiments of the five papers, and one report of them all.
//
// An experiment runs scenes and adds what it finds in the order in which a reader meets it:
// sections, text, tables with the paper's figures beside ours, plots, pictures, and what was
// wanted. The report writes itself as HTML and as Markdown.
#ifndef TACT_BENCH_PAPERS_PAPERS_H
#define TACT_BENCH_PAPERS_PAPERS_H

#include <stdbool.h>
#include <stddef.h>
#include <tact/sim.h>

#include "bench/svg.h"

typedef struct TactPapers TactPapers;

/// True: a smoke run, as few frames as show that it works.
bool tact_papers_quick(const TactPapers *papers);
/// The model of a file of scenes/, such as "grasp.xml"; to be destroyed.
TactStatus tact_papers_load_scene(const TactPapers *papers, const char *name, TactModel **model);
/// How much of the present experiment is done, 0 .. 1: moves the bar on a terminal.
void tact_papers_progress(TactPapers *papers, double share);

// ---------------------------------------------------------------------------------------------
// What is found. Formats are printf's; memory that runs out is told at the end.

#define TACT_PAPERS_FORMAT __attribute__((format(printf, 2, 3)))

/// A heading below the paper's.
void tact_papers_section(TactPapers *papers, const char *title);
/// A paragraph.
void tact_papers_text(TactPapers *papers, const char *format, ...) TACT_PAPERS_FORMAT;
/// Begins a table: heads with | between them, "method | paper, us | ours, us | ratio".
void tact_papers_table(TactPapers *papers, const char *caption, const char *heads);
/// A row of the table begun last: as many cells, with | between them.
void tact_papers_row(TactPapers *papers, const char *format, ...) TACT_PAPERS_FORMAT;
/// What the report promises, and whether it holds: shown where it stands, counted at the end.
void tact_papers_wanted(TactPapers *papers, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// A plot; what it points to is read at once.
void tact_papers_plot(TactPapers *papers, const TactSvgPlot *plot);

/// From where a picture is taken.
typedef struct TactPapersCamera {
    TactVec3 target;
    double   azimuth, elevation; // deg; azimuth 0 looks along +x, 90 along +y
    double   distance;           // m
    double   cone;   // height of the friction cones of contacts, m; 0: they are not shown
    double   force;  // length of an arrow for a force, m/N
    bool     inward; // cones and arrows go from the contact into the body that they act on: where
                     //   the other one, a floor or a rod, would hide them
} TactPapersCamera;

/// A number beside a place in the next picture.
void tact_papers_label(TactPapers *papers, TactVec3 place, int number);

/// Pictures until the end of a strip become one, side by side and numbered.
void tact_papers_begin_strip(TactPapers *papers);
void tact_papers_end_strip(TactPapers *papers);

/// The geoms of a simulation as they are now, with friction cones and forces of its last step if
/// the camera asks for them.
void tact_papers_picture(TactPapers *papers, TactSim *sim, const TactModel *model,
                         const TactPapersCamera *camera, const char *caption);

// ---------------------------------------------------------------------------------------------
// Experiments, each in its own papers_NAME.c. A status other than TACT_OK ends the experiment, is
// told in the report, and the others go on.

typedef TactStatus TactPapersExperiment(TactPapers *papers);

TactPapersExperiment tact_papers_lloyd;    // peg in hole, single bodies, stacks, from collision
TactPapersExperiment tact_papers_grasp;    // Arechavaleta: hand and glass, hand and ball
TactPapersExperiment tact_papers_humanoid; // Yamane and Nakamura: squat, tap dance
TactPapersExperiment tact_papers_chains;   // Yamane and Nakamura: hoist, ring, net
TactPapersExperiment tact_papers_baraff;   // block feeder, jack, time against elimination
TactPapersExperiment tact_papers_dart;     // the standard form, with and without stabilisation

/// The last part of a whole report: lines that asked for something else before.
void tact_papers_tell_changes(TactPapers *papers);

#endif
