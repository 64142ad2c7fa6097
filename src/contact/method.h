// A contact method as an object: a table of functions, its config, and memory of its own. Whoever
// makes one runs it on a built system, and destroys it; methods know no solver and no other method
// but those that they have made.
//
//     TactMethod method = tact_method(&tact_contact_nsgs, &config, &capacity);
//     tact_method_layout(&method, &arena);      // twice, around tact_arena_create()
//     tact_method_create(&method);
//     outcome = tact_method_run(&method, &attempt);
//     tact_method_destroy(&method);
#ifndef TACT_CONTACT_METHOD_H
#define TACT_CONTACT_METHOD_H

#include "base/threads.h"
#include "contact/certificate/certificate.h"
#include "contact/system/system.h"

typedef struct TactMethod TactMethod;

/// One attempt at a problem: the system to be solved, what is known from the step before, where
/// the answer goes, and what it is certified with.
typedef struct TactAttempt {
    const TactContactProblem       *problem;
    TactSystem                     *system;    // of the problem, built
    const struct TactContactMemory *memory;    // of the last step (memory.h)
    bool                            warm;      // p arrives with its impulses, where ids match
    bool                            drafts;    // the answer need not hold (solver.h),
    bool                            resumes;   //   or p arrives as such an answer was left
    bool                            drafted;   // out: it is left so
    double                          settled;   // out: of the answer (memory.h); 0 if not known
    int                             missed;    // out: of the answer (memory.h)
    double                         *p;         // p_n, p_1, p_2 of every item       (3 item_count)
    TactContactReport              *report;    // counts go here
    TactCertifier                  *certifier; //
    TactDefect                     *defect;    // of a W
    TactContactAnswer               answer;    // where the answer goes, complete
    TactContactCone                 cone;      // for which it is certified,
    double                          tol;       //   and to which error
    struct TactKernel              *kernel;    // out: whose basis to remember; NULL: none,
    const struct TactSteady        *steady;    //   or that which memory holds, turned as this says
    struct TactDiscLink            *link;      // the system, linked (disc/link.h); NULL: it is not
    TactSystem                     *whole;     // system is the linked one of this; NULL: it is not
    double                         *whole_p;   //   and impulses of its items
    TactThreads                    *threads;   // that a large problem may use; NULL: none
    const TactContactCapacity      *need;      // of the problem; NULL: to be counted
    TactStatus                      status;    // out: TACT_NO_MEMORY if a method could not grow
} TactAttempt;

/// Writes the answer of p.
void tact_attempt_write(TactAttempt *attempt);
/// The same, and certifies it: certificate and outcome of the report.
void tact_attempt_judge(TactAttempt *attempt, TactContactOutcome ended);
/// The same of an answer that stands in attempt->answer.
void tact_attempt_judge_answer(TactAttempt *attempt, TactContactOutcome ended);

/// How a method ended whose last LCP ended so. An LCP that is not verified is an end like 'solved':
/// the contact's own certificate decides.
static inline TactContactOutcome tact_outcome_of_lcp(TactLcpOutcome outcome)
{
    switch (outcome) {
    case TACT_LCP_OUTCOME_RAY: return TACT_OUTCOME_RAY;
    case TACT_LCP_OUTCOME_LIMIT: return TACT_OUTCOME_LIMIT;
    case TACT_LCP_OUTCOME_CYCLE: return TACT_OUTCOME_CYCLE;
    case TACT_LCP_OUTCOME_SINGULAR: return TACT_OUTCOME_SINGULAR;
    case TACT_LCP_OUTCOME_SOLVED:
    case TACT_LCP_OUTCOME_UNVERIFIED: break;
    }
    return TACT_OUTCOME_SOLVED;
}

/// The functions of a method. CONTRIBUTING.md, "Adding a contact method", has all that belongs to
/// one. layout and run are needed, the others may be NULL.
typedef struct TactContactMethodEntry {
    TactContactMethodInfo info;
    bool                  is_dense; // has matrices of all contacts
    bool reads_W; // works on problem->W itself: the system of a W problem then has no columns

    bool refines; // is run again, from its answer and with a finer tolerance, where the certificate
                  //   asks for more than the method's own error

    bool corrects; // gives up the symmetric part of W by itself (defect.h); others are run again

    bool certifies; // tries several ways, and leaves a report that is certified

    /// Does the system of this problem need columns? NULL: unless reads_W.
    bool (*wants_columns)(const TactContactProblem *problem);

    /// Lends the method's arrays out of the arena; runs twice (base/memory.h). The method's own
    /// struct goes to method->work; while the arena measures, nothing may be written.
    void (*layout)(TactMethod *method, TactArena *arena);

    /// What a method needs beside the arena, e.g. a solver of lcp.h; runs after the layout. NULL:
    /// nothing. destroy also runs if create failed.
    TactStatus (*create)(TactMethod *method);
    void (*destroy)(TactMethod *method);

    /// Solves attempt->system into attempt->p for method->config.cone. p arrives zeroed, or with
    /// the last step's impulses if attempt->warm. TACT_OUTCOME_SOLVED here only means that the
    /// method came to its end: solve.c certifies.
    TactContactOutcome (*run)(TactMethod *method, TactAttempt *attempt);
} TactContactMethodEntry;

struct TactMethod {
    const TactContactMethodEntry *entry;
    TactContactConfig             config;
    TactContactCapacity           capacity;
    bool                          lazy; // makes what few problems need in the run that needs it
    bool  springs; // ladder: only its rungs on springs, for large problems with moments (disc.h)
    void *work;    // the method's own struct; NULL before its layout
};

const TactContactMethodEntry *tact_contact_method_entry(TactContactMethod method);

/// The names of all methods that take something (TACT_CONTACT_TAKES_), "ladder, nsgs"; returns
/// names.                                                                           names: (size)
const char *tact_contact_methods_taking(unsigned takes, char *names, size_t size);

static inline TactMethod tact_method(const TactContactMethodEntry *entry,
                                     const TactContactConfig      *config,
                                     const TactContactCapacity    *capacity)
{
    return (TactMethod){.entry = entry, .config = *config, .capacity = *capacity};
}

static inline void tact_method_layout(TactMethod *method, TactArena *arena)
{
    method->entry->layout(method, arena);
}

static inline TactStatus tact_method_create(TactMethod *method)
{
    return method->entry->create ? method->entry->create(method) : TACT_OK;
}

/// Of a method that has been laid out; else nothing is done.
static inline void tact_method_destroy(TactMethod *method)
{
    if (method->work && method->entry->destroy) {
        method->entry->destroy(method);
    }
}

static inline TactContactOutcome tact_method_run(TactMethod *method, TactAttempt *attempt)
{
    return method->entry->run(method, attempt);
}

#endif
