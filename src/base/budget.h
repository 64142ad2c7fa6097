// How much a solve may do: operations, which give the same answer on every machine, and time, which
// does not.
//
// The loops of all methods say what they do (tact_budget_spend) and end where it is too much. Whose
// budget that is, they need not know: it is this thread's, begun by the solve around them. A solve
// inside of another one has its own and spends of both.
#ifndef TACT_BASE_BUDGET_H
#define TACT_BASE_BUDGET_H

#include <stdbool.h>

typedef struct TactBudget {
    struct TactBudget *outer;    // of the solve around this one; NULL: none
    double             work;     // operations so far, about: additions and multiplications
    double             max_work; // 0: any
    double             deadline; // tact_time_now(), s; 0: none
    double             error;    // of the best answer so far, for who looks from outside
    bool               over;     // nothing more is to be begun
    bool               by_clock; // and it is the clock's doing, or somebody's from outside
    bool               apart;    // spends of nobody's around it
} TactBudget;

/// Begins this thread's budget: max_work operations (0: any), max_time seconds (0: any).
void tact_budget_begin(TactBudget *budget, double max_work, double max_time);
void tact_budget_end(const TactBudget *budget);

/// What is left of this thread's budget: operations (infinite: any), and the deadline (0: none).
typedef struct TactBudgetLeft {
    double work, deadline;
} TactBudgetLeft;
TactBudgetLeft tact_budget_left(void);

/// Begins a budget of what was left somewhere, of another thread perhaps, that spends of nobody's
/// around it: who shares work out counts what was spent (budget->work) in an order of its own.
void tact_budget_begin_apart(TactBudget *budget, TactBudgetLeft left);

/// So many operations are about to be made. True: they should not.
bool tact_budget_spend(double work);

/// Is it over? Spends nothing.
bool tact_budget_is_over(void);

/// A solve has an answer with this error: tact_work_get() tells the best.
void tact_budget_tell_error(double error);

#endif
