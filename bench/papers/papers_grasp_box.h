// Arechavaleta's friction-box LCP to the letter [Arechavaleta, 15-17]: G + CFM and its bounds from
// the normal forces of the step before, solved once by PGS and by PGS-SM, and how many sweeps each
// took; from the public interface alone.
#ifndef TACT_BENCH_PAPERS_PAPERS_GRASP_BOX_H
#define TACT_BENCH_PAPERS_PAPERS_GRASP_BOX_H

#include <tact/contact.h>

/// How a box is solved.
typedef enum TactGraspBoxWay {
    TACT_GRASP_BOX_PGS,         // until the residual is 1e-8, from 0
    TACT_GRASP_BOX_PGS_SM,      //
    TACT_GRASP_BOX_PGS_WARM,    // from the answer of the step before
    TACT_GRASP_BOX_PGS_SM_WARM, //
    TACT_GRASP_BOX_PGS_50,      // 50 sweeps at most, warm: what tact's one box does
    TACT_GRASP_BOX_WAYS
} TactGraspBoxWay;

typedef struct TactGraspBoxTally {
    int    problems;
    double unknowns;                     // sum
    int    solved[TACT_GRASP_BOX_WAYS];  //
    int    capped[TACT_GRASP_BOX_WAYS];  // ended by the number of sweeps
    double seconds[TACT_GRASP_BOX_WAYS]; // sum
    double sweeps[TACT_GRASP_BOX_WAYS];  // sum
    int    slow[2];                      // problems in which PGS from 0, or warm, takes more than
                                         //   the 6 sweeps that PGS-SM is given at first
} TactGraspBoxTally;

typedef struct TactGraspBox TactGraspBox;

/// cfm: added to the diagonal, (m/s) / (N s); the paper's is 1e-11.
TactStatus tact_grasp_box_create(double cfm, TactGraspBox **box);
void       tact_grasp_box_destroy(TactGraspBox *box);
void       tact_grasp_box_forget(TactGraspBox *box);

/// Solves the box of a problem in generalized coordinates; bounds and warm starts come from the
/// problem before, by the ids of contacts.
TactStatus tact_grasp_box_solve(TactGraspBox *box, const TactContactProblem *problem);

const TactGraspBoxTally *tact_grasp_box_tally(const TactGraspBox *box);
const char              *tact_grasp_box_name(TactGraspBoxWay way);

#endif
