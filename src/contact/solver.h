// What a contact method sees of the solver, and the table of methods.
#ifndef TACT_CONTACT_SOLVER_H
#define TACT_CONTACT_SOLVER_H

#include "contact/certificate/certificate.h"
#include "contact/system/system.h"

/// Marks a config that came from tact_contact_config_default().
#define TACT_CONTACT_COOKIE 0x7ac7c0a7u

/// A method: one file (or a few), one line in the table of methods.c, one theory page.
typedef struct TactContactMethodEntry {
    TactContactMethodInfo info;
    bool                  is_dense; // has matrices of all contacts
    bool reads_W; // works on problem->W itself: the system of a W problem then has no columns

    bool refines; // is run again, from its answer and with a finer tolerance, where the certificate
                  //   asks for more than the method's own error

    bool corrects; // gives up the symmetric part of W by itself (defect.h); others are run again

    /// Does the system of this problem need columns? NULL: unless reads_W.
    bool (*wants_columns)(const TactContactProblem *problem);

    /// Lends the method's arrays out of the arena; runs twice (base/memory.h). The method's own
    /// struct goes to solver->work; while the arena measures, nothing may be written.
    void (*layout)(TactContactSolver *solver, TactArena *arena);

    /// What a method needs beside the arena, e.g. a solver of lcp.h; runs after the layout. NULL:
    /// nothing. destroy also runs if create failed.
    TactStatus (*create)(TactContactSolver *solver);
    /// What was left out for a sparing solver. NULL: nothing ever is.
    TactStatus (*complete)(TactContactSolver *solver);
    void (*destroy)(TactContactSolver *solver);

    /// Solves solver->system into p (p_n, p_1, p_2 of every item, in the order of the items;
    /// arrives zeroed, or with the last step's impulses if solver->warm) for solver->config.cone.
    /// Counts into report. TACT_OUTCOME_SOLVED here only means that the method came to its end:
    /// solve.c certifies.                                                    p: (3 item_count)
    TactContactOutcome (*run)(TactContactSolver *solver, const TactContactProblem *problem,
                              double *p, TactContactReport *report);
} TactContactMethodEntry;

struct TactContactSolver {
    TactContactConfig             config;
    TactContactCapacity           capacity;
    const TactContactMethodEntry *method;
    TactSystem                    system;
    double                       *p;           // impulses of the items              (3 items)
    bool                          warm;        // p holds last step's impulses where ids match
    void                         *work;        // the method's own struct
    struct TactContactMemory     *memory;      // what is remembered of the last step (memory.h)
    struct TactKernel            *kernel;      // set by a method: whose basis to remember
    double                       *velocity;    // where the caller gave no arrays    (dof)
    double                       *row_impulse; //                                    (rows)
    TactCertifier                 certifier;
    TactDefect                    defect;     // of a W
    TactPatches                   patches;    // of the problem, expanded
    void                         *disc;       // what solves problems with patches (disc.h)
    TactContactAnswer             answer;     // where the answer goes, complete
    bool                          judged;     // report holds the certificate of p
    bool                          sparing;    // made with what most problems need only
    bool                          wants_more; // and the last one needed more
    TactArena                     arena;
};

/// A solver with what most problems need only. Where a problem needs more, wants_more is set after
/// the solve, which is then as if it had not been made: complete the solver and solve the same
/// problem again. The answer is the one of tact_contact_solver_create()'s.
TactStatus tact_contact_solver_create_sparing(const TactContactCapacity *capacity,
                                              const TactContactConfig   *config,
                                              TactContactSolver        **solver);
TactStatus tact_contact_solver_complete(TactContactSolver *solver);

const TactContactMethodEntry *tact_contact_method_entry(TactContactMethod method);

/// tact_contact_check(), and tact_contact_solve() after it, of a mechanism whose M, factor, v and
/// tau the caller has just made and looked at: these are not gone through once more.
TactStatus tact_contact_check_made(const TactContactProblem *problem);
TactStatus tact_contact_solve_made(TactContactSolver *solver, const TactContactProblem *problem,
                                   const TactContactAnswer *answer, TactContactReport *report);

/// Is a problem with patches being solved?
static inline bool tact_contact_solver_has_patches(const TactContactSolver *solver)
{
    return solver->certifier.patches != NULL;
}

/// Writes the answer of p and certifies it: certificate and outcome of the report. For methods that
/// try several ways; p must then stay as it is.                              p: (3 item_count)
void tact_contact_judge(TactContactSolver *solver, const TactContactProblem *problem,
                        const double *p, TactContactOutcome ended, TactContactReport *report);
/// The same of an answer that stands in solver->answer.
void tact_contact_judge_answer(TactContactSolver *solver, const TactContactProblem *problem,
                               TactContactOutcome ended, TactContactReport *report);

#endif
