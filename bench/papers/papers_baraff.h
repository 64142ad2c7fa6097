// Inside of the report on Baraff's paper: its mechanisms.
#ifndef TACT_BENCH_PAPERS_PAPERS_BARAFF_H
#define TACT_BENCH_PAPERS_PAPERS_BARAFF_H

#include "bench/papers/papers.h"

enum { TACT_MECHANISM_METHODS = 3 };

/// Other methods on contact problems of a mechanism, from nothing: baraff, reduced, ladder.
typedef struct TactMechanismTimes {
    const char *name;
    int         problems, certified;
    double      seconds, longest; // s: sum and largest of single solves
} TactMechanismTimes;

/// A mechanism of the paper, stepped and watched.
typedef struct TactMechanism {
    TactPapers        *papers;
    const char        *scene;
    TactModel         *model;
    TactSim           *sim;
    TactSimState      *state;
    int                steps;
    long               contacts; // sum
    int                most_contacts;
    int                solves, certified;
    double             error;            // of certificates, largest
    double             loop_error;       // largest
    double             seconds, longest; // s of steps: sum, largest
    TactMechanismTimes methods[TACT_MECHANISM_METHODS];
} TactMechanism;

/// How a mechanism is run, other than its scene has it.
typedef struct TactMechanismWay {
    TactContactMethod method;
    double            step;     // s; 0: the scene's
    double            friction; // of all contacts, times this; 0: as it is
} TactMechanismWay;

/// At the first keyframe. Close in any event.
TactStatus tact_mechanism_open(TactPapers *papers, const char *scene, const TactMechanismWay *way,
                               TactMechanism *mechanism);
void       tact_mechanism_close(TactMechanism *mechanism);
TactStatus tact_mechanism_step(TactMechanism *mechanism);
/// Where a joint stands in q and in v: hinges and slides only.
int tact_mechanism_joint(const TactMechanism *mechanism, const char *name);
/// Has other methods solve the contact problems of the last step too.
TactStatus tact_mechanism_compare(TactMechanism *mechanism);

/// Rows of the tables of all mechanisms.
void tact_mechanism_row(const TactMechanism *mechanism);
void tact_mechanism_method_rows(const TactMechanism *mechanism);

/// The two of them: runs, pictures, plots, what is wanted. They are left open for their rows.
TactStatus tact_papers_blockfeeder(TactMechanism *mechanism);
TactStatus tact_papers_jack(TactMechanism *mechanism);
/// Both of them again, by the paper's own algorithm and with longer steps.
TactStatus tact_papers_mechanisms_again(TactPapers *papers);
/// How high the jack lifts its load with less and less friction.
TactStatus tact_papers_jack_friction(TactPapers *papers);

#endif
