// A contact solver: a method, the system that it works on, and what is remembered of the last step.
#ifndef TACT_CONTACT_SOLVER_H
#define TACT_CONTACT_SOLVER_H

#include "contact/disc/disc.h"
#include "contact/method.h"

/// Marks a config that came from tact_contact_config_default().
#define TACT_CONTACT_COOKIE 0x7ac7c0a7u

struct TactContactSolver {
    TactContactConfig         config;
    TactContactCapacity       capacity;
    TactMethod                method;
    TactSystem                system;
    double                   *p;           // impulses of the items              (3 items)
    struct TactContactMemory *memory;      // what is remembered of the last step (memory.h)
    double                   *velocity;    // where the caller gave no arrays    (dof)
    double                   *row_impulse; //                                    (rows)
    TactCertifier             certifier;
    TactDefect                defect;  // of a W
    TactMethod                disc;    // what the method does with patches (disc.h)
    TactPatches               patches; // of the problem, expanded
    TactDiscLink              link;    // its system, linked
    struct TactKernel        *kernel;  // whose basis was remembered last; NULL: none
    TactThreads              *threads; // lent; NULL: none
    TactContactCapacity       need;    // of the problem in hand
    bool                      repeats; // the next problem has the rows and M of the last one
    bool                      drafts;  // the next answer need not hold
    bool                      resumes; // the next problem is the last one, left as a draft
    bool                      built;   // the system is that of the last problem
    TactArena                 arena;
};

/// A solver with what most problems need only. Where a problem needs more, the solve makes that,
/// and fails with TACT_NO_MEMORY if it cannot. The answer is the one of
/// tact_contact_solver_create()'s.
TactStatus tact_contact_solver_create_sparing(const TactContactCapacity *capacity,
                                              const TactContactConfig   *config,
                                              TactContactSolver        **solver);

/// tact_contact_get_capacity() of a problem whose most directions, and number of contacts that
/// resist spinning or rolling or have a mu2, are known: contacts are not gone through.
TactContactCapacity tact_contact_capacity_with(const TactContactProblem *problem, int directions,
                                               int patches);

/// Threads for the solves to come: local loops and factors of a large problem are shared out among
/// them. NULL: the caller alone. The answer has the same bits.
static inline void tact_contact_solver_lend(TactContactSolver *solver, TactThreads *threads)
{
    solver->threads = threads;
}

/// The next problem differs from the last one in velocities, forces, targets and biases alone: what
/// was made of its rows and of M stands.
static inline void tact_contact_solver_repeat(TactContactSolver *solver)
{
    solver->repeats = solver->built;
}

/// The answer of the next problem need not hold: its contacts are not all there yet. Where a heap
/// jams, it is left as it is (tact_contact_solver_has_draft()).
static inline void tact_contact_solver_draft(TactContactSolver *solver)
{
    solver->drafts = true;
}

/// The next problem is the last one, which was left as a draft: it is gone on with.
static inline void tact_contact_solver_resume(TactContactSolver *solver)
{
    solver->resumes = true;
}

/// Was the last answer left as a draft?
bool tact_contact_solver_has_draft(const TactContactSolver *solver);

/// tact_contact_check(), and tact_contact_solve() after it, of a mechanism whose M, factor, v and
/// tau the caller has just made and looked at: these are not gone through once more. need: what
/// tact_contact_get_capacity() says of it.
TactStatus tact_contact_check_made(const TactContactProblem *problem);
TactStatus tact_contact_solve_made(TactContactSolver *solver, const TactContactCapacity *need,
                                   const TactContactProblem *problem,
                                   const TactContactAnswer *answer, TactContactReport *report);

#endif
