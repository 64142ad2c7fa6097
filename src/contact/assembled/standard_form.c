// The standard form of a contact problem: one LCP for any method [Lloyd04, 8; DART, 15]. All forms
// come from the LCP in impulses, A z + q with blocks nu, sigma, gamma (assemble.h), by scaling:
//
//     force    f = p / h: columns of theta and phi times h, rows gamma divided by h
//     scaled   besides lambda / h: columns of lambda and rows gamma times h. All of A times h
//     balanced A <- D A D by powers of two
//
// so that z = s y with one factor s for every unknown, and reading an answer is s y and what the
// impulses mean.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/assembled/assemble.h"
#include "contact/problem/problem.h"

enum { COOKIE = 0x7ac751f0 };

struct TactContactLcp {
    TactSystem                system;
    TactAssembleMap           map;
    const TactContactProblem *given;
    TactLcpProblem            problem;
    double                   *A; // (n x n)
    double                   *q; // (n)
    double                   *s; // impulse, or speed of a lambda, of a unit of an unknown      (n)
    double                   *z; // in impulses                                                 (n)
    double                   *p; // of the items                                       (3 items)
    TactArena                 arena;
};

TactContactLcpConfig tact_contact_lcp_config_default(void)
{
    return (TactContactLcpConfig){
        .form = TACT_FORM_IMPULSE, .cone = TACT_CONE_PYRAMID, .balanced = true, .cookie = COOKIE};
}

static TactStatus check_form(const TactContactProblem *problem, const TactContactLcpConfig *config)
{
    if (config->cookie != (uint32_t)COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "the config does not come from tact_contact_lcp_config_default()");
    }
    if ((unsigned)config->form > TACT_FORM_SCALED || !(config->cfm >= 0) ||
        !(config->cfm < INFINITY) || !(config->factor >= 0) || !(config->factor < INFINITY)) {
        return tact_fail(TACT_BAD_ARGUMENT, "standard form: form %d, cfm %g, factor %g",
                         (int)config->form, config->cfm, config->factor);
    }
    if (config->cone != TACT_CONE_PYRAMID && config->cone != TACT_CONE_BOX) {
        return tact_fail(TACT_UNSUPPORTED, "standard form: an LCP has the pyramid or the box as "
                                           "its cone");
    }
    TACT_TRY(tact_contact_check(problem));
    if (problem->level != TACT_LEVEL_VELOCITY) {
        return tact_fail(TACT_UNSUPPORTED, "standard form: the level is that of velocities");
    }
    if (tact_contact_get_capacity(problem).patches > 0) {
        return tact_fail(TACT_UNSUPPORTED, "standard form: it has no place for mu_spin, mu_roll, "
                                           "mu2 or the ellipsoid");
    }
    return TACT_OK;
}

static void form_layout(TactContactLcp *lcp, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t most = tact_assemble_most(capacity);
    tact_system_layout(&lcp->system, capacity, arena);
    lcp->map.places = tact_arena_take(arena, items, sizeof *lcp->map.places);
    lcp->A = tact_arena_take(arena, most, most * sizeof(double));
    lcp->q = tact_arena_take(arena, most, sizeof(double));
    lcp->s = tact_arena_take(arena, most, sizeof(double));
    lcp->z = tact_arena_take(arena, most, sizeof(double));
    lcp->p = tact_arena_take(arena, 3 * items, sizeof(double));
}

/// Row i times rows[i], column j times s[j].
static void scale_form(TactContactLcp *lcp, TactContactForm form)
{
    size_t n = (size_t)lcp->map.n, impulses = (size_t)(lcp->map.thetas + lcp->map.phis);
    double h = lcp->given->step;
    for (size_t i = 0; i < n; i++) {
        bool lambda = i >= impulses;
        lcp->s[i] = form == TACT_FORM_IMPULSE || (lambda && form == TACT_FORM_FORCE) ? 1 : h;
    }
    for (size_t i = 0; i < n; i++) {
        bool   gamma = i >= impulses;
        double row = gamma && form == TACT_FORM_FORCE ? 1 / h : 1;
        for (size_t j = 0; j < n; j++) {
            // mu and E of the printed form are themselves: h times 1/h need not be
            double both = gamma && j < impulses && form == TACT_FORM_FORCE ? 1 : row * lcp->s[j];
            lcp->A[i * n + j] *= both;
        }
        lcp->q[i] *= row;
    }
}

static void fill_form(TactContactLcp *lcp, const TactContactLcpConfig *config)
{
    size_t n;
    tact_assemble_number(&lcp->map, &lcp->system, lcp->given, config->cone);
    tact_assemble_lcp(&lcp->map, lcp->A, lcp->q);
    n = (size_t)lcp->map.n;
    tact_assemble_soften(&lcp->map, config->cfm, lcp->A);
    scale_form(lcp, config->form);
    for (size_t i = 0; i < n; i++) { // adds nothing to the zeros of lambda: D1
        lcp->A[i * n + i] *= 1 + config->factor;
    }
    if (config->balanced) {
        tact_assemble_equilibrate(&lcp->map, lcp->A, lcp->q, lcp->z);
        for (size_t i = 0; i < n; i++) {
            lcp->s[i] *= lcp->z[i];
        }
    }
    lcp->problem = (TactLcpProblem){.n = lcp->map.n, .M = lcp->A, .q = lcp->q};
}

TactStatus tact_contact_lcp_create(const TactContactProblem   *problem,
                                   const TactContactLcpConfig *config, TactContactLcp **lcp)
{
    TACT_NEED(problem && lcp, "tact_contact_lcp_create");
    TactContactLcpConfig asked = config ? *config : tact_contact_lcp_config_default();
    void                *block;
    *lcp = NULL;
    TACT_TRY(check_form(problem, &asked));
    if (problem->blocks && !problem->W) {
        return tact_fail(TACT_UNSUPPORTED, "the standard form needs W as a dense matrix, and only "
                                           "blocks are given");
    }
    TACT_TRY(tact_allocate(1, sizeof **lcp, &block));
    TactContactLcp     *made = block;
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    form_layout(made, &capacity, &made->arena);
    TactStatus status = tact_arena_create(&made->arena);
    if (status == TACT_OK) {
        form_layout(made, &capacity, &made->arena);
        made->given = problem;
        status = tact_system_build(&made->system, problem, problem->W != NULL);
    }
    if (status != TACT_OK) {
        tact_contact_lcp_destroy(made);
        return status;
    }
    fill_form(made, &asked);
    *lcp = made;
    return TACT_OK;
}

void tact_contact_lcp_destroy(TactContactLcp *lcp)
{
    if (lcp) {
        tact_arena_destroy(&lcp->arena);
        tact_release(lcp);
    }
}

const TactLcpProblem *tact_contact_lcp_view_problem(const TactContactLcp *lcp)
{
    return &lcp->problem;
}

TactStatus tact_contact_lcp_read(const TactContactLcp *lcp, const double *z,
                                 const TactContactAnswer *answer)
{
    TACT_NEED(lcp && z && answer && answer->impulse, "tact_contact_lcp_read");
    for (int i = 0; i < lcp->map.n; i++) {
        lcp->z[i] = lcp->s[i] * z[i];
    }
    tact_assemble_impulse(&lcp->map, lcp->z, lcp->p);
    tact_system_answer(&lcp->system, lcp->given, lcp->p, answer);
    size_t bytes = 3 * (size_t)lcp->given->contact_count * sizeof(double);
    if (answer->moment && bytes > 0) {
        memset(answer->moment, 0, bytes);
    }
    if (answer->spin && bytes > 0) {
        memset(answer->spin, 0, bytes);
    }
    return TACT_OK;
}
