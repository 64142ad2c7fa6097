#include "base/budget.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <tact/base.h>

static _Thread_local TactBudget *current;

static atomic_bool    interrupted;
static _Atomic double told_work, told_error = INFINITY; // for who looks from outside

void tact_interrupt_raise(void)
{
    atomic_store(&interrupted, true);
}

void tact_interrupt_clear(void)
{
    atomic_store(&interrupted, false);
}

bool tact_interrupt_is_raised(void)
{
    return atomic_load(&interrupted);
}

TactWork tact_work_get(void)
{
    return (TactWork){atomic_load_explicit(&told_work, memory_order_relaxed),
                      atomic_load_explicit(&told_error, memory_order_relaxed)};
}

void tact_budget_tell_error(double error)
{
    for (TactBudget *budget = current; budget; budget = budget->apart ? NULL : budget->outer) {
        budget->error = error < budget->error ? error : budget->error;
        if (budget == current) {
            atomic_store_explicit(&told_error, budget->error, memory_order_relaxed);
        }
    }
}

void tact_budget_begin(TactBudget *budget, double max_work, double max_time)
{
    *budget = (TactBudget){
        .outer = current,
        .max_work = max_work,
        .deadline = max_time > 0 ? tact_time_now() + max_time : 0,
        .error = INFINITY,
    };
    current = budget;
}

TactBudgetLeft tact_budget_left(void)
{
    TactBudgetLeft left = {INFINITY, 0};
    for (const TactBudget *budget = current; budget;
         budget = budget->apart ? NULL : budget->outer) {
        if (budget->max_work > 0) {
            left.work = fmin(left.work, fmax(budget->max_work - budget->work, 0));
        }
        if (budget->deadline > 0 && (left.deadline == 0 || budget->deadline < left.deadline)) {
            left.deadline = budget->deadline;
        }
    }
    return left;
}

void tact_budget_begin_apart(TactBudget *budget, TactBudgetLeft left)
{
    // one operation where there is none left: 0 would be any number
    tact_budget_begin(budget, isfinite(left.work) ? fmax(left.work, 1) : 0, 0);
    budget->deadline = left.deadline;
    budget->apart = true;
}

void tact_budget_end(const TactBudget *budget)
{
    current = budget->outer;
}

static void look(TactBudget *budget)
{
    if (budget->over) {
        return;
    }
    if (budget->max_work > 0 && budget->work > budget->max_work) {
        budget->over = true;
    } else if (atomic_load_explicit(&interrupted, memory_order_relaxed) ||
               (budget->deadline > 0 && tact_time_now() > budget->deadline)) {
        budget->over = budget->by_clock = true;
    }
}

bool tact_budget_spend(double work)
{
    bool over = false;
    for (TactBudget *budget = current; budget; budget = budget->apart ? NULL : budget->outer) {
        budget->work += work;
        look(budget);
        over = over || budget->over;
        if (!budget->outer && !budget->apart && work > 0) {
            atomic_store_explicit(&told_work, budget->work, memory_order_relaxed);
            atomic_store_explicit(&told_error, budget->error, memory_order_relaxed);
        }
    }
    return over;
}

bool tact_budget_is_over(void)
{
    return tact_budget_spend(0);
}
