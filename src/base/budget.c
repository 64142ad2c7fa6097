#include "base/budget.h"

#include <stddef.h>
#include <tact/base.h>

static _Thread_local TactBudget *current;

void tact_budget_begin(TactBudget *budget, double max_work, double max_time)
{
    *budget = (TactBudget){
        .outer = current,
        .max_work = max_work,
        .deadline = max_time > 0 ? tact_time_now() + max_time : 0,
    };
    current = budget;
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
    } else if (budget->deadline > 0 && tact_time_now() > budget->deadline) {
        budget->over = budget->by_clock = true;
    }
}

bool tact_budget_spend(double work)
{
    bool over = false;
    for (TactBudget *budget = current; budget; budget = budget->outer) {
        budget->work += work;
        look(budget);
        over = over || budget->over;
    }
    return over;
}

bool tact_budget_is_over(void)
{
    return tact_budget_spend(0);
}
