// Loops over the groups of a problem, one after the other or on threads, with the same bits.
#include <string.h>

#include "contact/proximal/proximal_internal.h"

/// A loop in hand.
typedef struct Visit {
    const TactProximal *proximal;
    const double       *y;
    TactProximalGroup  *work;
    void               *context;
} Visit;

/// One group: y is gathered, and what it pushes begins at 0.
static void visit_group(const Visit *visit, int g, double *own, double *pushed)
{
    const TactSystem    *system = visit->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    tact_proximal_gather(visit->y, system->support + group->support, group->size, own);
    memset(pushed, 0, (size_t)group->size * sizeof(double));
    visit->work(visit->context, g, own, pushed);
}

/// Some groups of many; what they push is kept.
static void visit_some(void *context, int first, int end, int thread)
{
    const Visit *visit = context;
    double       own[TACT_MANY_SUPPORT];
    (void)thread;
    for (int g = first; g < end; g++) {
        visit_group(visit, g, own, visit->proximal->many->pushed + (size_t)g * TACT_MANY_SUPPORT);
    }
}

void tact_proximal_visit(const TactProximal *proximal, const double *y, TactProximalGroup *work,
                         void *context, double *out)
{
    const TactSystem *system = proximal->coupling->system;
    Visit             visit = {proximal, y, work, context};
    if (proximal->is_many && proximal->many->threads) {
        tact_many_share(proximal->many, system->group_count, visit_some, &visit);
        if (out) {
            tact_many_subtract(proximal->many, out);
        }
        return;
    }
    // One after the other: what a group pushes is subtracted while it is at hand, in the same
    // order.
    double *own = proximal->f, *pushed = own + proximal->support;
    for (int g = 0; g < system->group_count; g++) {
        const int *support = system->support + system->groups[g].support;
        visit_group(&visit, g, own, pushed);
        for (int s = 0; out && s < system->groups[g].size; s++) {
            out[support[s]] -= pushed[s];
        }
    }
}
