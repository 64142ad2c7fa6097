// Impulses judged as the certificate will judge them, by all threads.
#include <string.h>

#include "base/clones.h"
#include "contact/proximal/proximal_internal.h"

/// A judgement in hand.
typedef struct Judgement {
    const TactProximal *proximal;
    const double       *p;
    double             *u, *scale, *residual;
} Judgement;

/// Less what the items of a group do to the motion.
TACT_CLONES static void push_group(void *context, int g, const double *own, double *pushed)
{
    const Judgement     *judgement = context;
    const TactSystem    *system = judgement->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)own;
    for (int i = group->first; i < group->first + group->count; i++) {
        const double *p = judgement->p + 3 * i;
        double        minus[3] = {-p[0], -p[1], -p[2]};
        if (p[0] != 0 || p[1] != 0 || p[2] != 0) {
            tact_proximal_push(system->columns + system->column[i], group->size, minus, pushed);
        }
    }
}

/// Less the magnitudes of that.
static void load_group(void *context, int g, const double *own, double *pushed)
{
    const Judgement     *judgement = context;
    const TactSystem    *system = judgement->proximal->coupling->system;
    const TactItemGroup *group = &system->groups[g];
    (void)own;
    tact_coupling_load_group(system, group, judgement->p, pushed);
    for (int s = 0; s < group->size; s++) {
        pushed[s] = -pushed[s];
    }
}

/// y0 + C p and |C| |p|, group by group, so that columns are gone through once: where they are not
/// shared out. The order of the sums is that of the groups either way.
static void add_pushes(const TactProximal *proximal, Judgement *judgement)
{
    TactCoupling     *coupling = proximal->coupling;
    const TactSystem *system = coupling->system;
    double           *pushed = proximal->f, *loaded = pushed + proximal->support;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        const int           *support = system->support + group->support;
        size_t               bytes = (size_t)group->size * sizeof(double);
        memset(pushed, 0, bytes);
        memset(loaded, 0, bytes);
        push_group(judgement, g, NULL, pushed);
        tact_coupling_load_group(system, group, judgement->p, loaded);
        for (int s = 0; s < group->size; s++) {
            coupling->y[support[s]] -= pushed[s];
            coupling->load[support[s]] += loaded[s];
        }
    }
}

/// u, scale and residual of the items of a group.
TACT_CLONES static void judge_group(void *context, int g, const double *y, double *pushed)
{
    const Judgement     *judgement = context;
    const TactCoupling  *coupling = judgement->proximal->coupling;
    const TactSystem    *system = coupling->system;
    const TactItemGroup *group = &system->groups[g];
    tact_proximal_gather(coupling->load, system->support + group->support, group->size, pushed);
    tact_coupling_feel_group(system, group, pushed, judgement->scale);
    for (int i = group->first; i < group->first + group->count; i++) {
        const double *p = judgement->p + 3 * i;
        double       *u = judgement->u + 3 * i;
        tact_proximal_pull(system->columns + system->column[i], group->size, y, u);
        for (int c = 0; c < 3; c++) {
            u[c] += system->e[3 * i + c];
        }
        u[0] += system->items[i].compliance * p[0];
        judgement->scale[i] = tact_coupling_scale(coupling, i, p, judgement->scale[i]);
        judgement->residual[i] = tact_coupling_residual(coupling, i, p, u);
    }
}

void tact_proximal_judge(const TactProximal *proximal, const double *p, double *u, double *scale,
                         double *residual)
{
    TactCoupling     *coupling = proximal->coupling;
    const TactSystem *system = coupling->system;
    if (!proximal->is_many) {
        tact_coupling_move(coupling, p, u);
        tact_coupling_scales(coupling, p, scale);
        for (int i = 0; i < system->item_count; i++) {
            residual[i] = tact_coupling_residual(coupling, i, p + 3 * i, u + 3 * i);
        }
        return;
    }
    Judgement judgement = {proximal, p, u, scale, residual};
    memcpy(coupling->y, system->y0, (size_t)system->dof * sizeof(double));
    memset(coupling->load, 0, (size_t)system->dof * sizeof(double));
    if (proximal->many->threads) {
        tact_proximal_visit(proximal, system->y0, push_group, &judgement, coupling->y);
        tact_proximal_visit(proximal, system->y0, load_group, &judgement, coupling->load);
    } else {
        add_pushes(proximal, &judgement);
    }
    tact_proximal_visit(proximal, coupling->y, judge_group, &judgement, NULL);
}

double tact_proximal_error(TactProximal *proximal, const double *p)
{
    double error = 0;
    tact_proximal_judge(proximal, p, proximal->u, proximal->scale, proximal->residual);
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        double residual = proximal->residual[i];
        double relative = residual == 0 ? 0 : residual / proximal->scale[i];
        error = relative <= error ? error : relative; // also NaN
    }
    return error;
}
