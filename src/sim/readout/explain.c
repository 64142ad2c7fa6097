// Where the load of a contact comes from: the answer of the contact problem to one load at a time.
//
// With the contacts and rows that are active, J their rows, the impulses of a step are linear in
// what acts on the mechanism:
//
//     W x = J v+ - J (v + M^-1 sum_s g_s),     W = J M^-1 J',                            (1)
//
// g_s the impulse of load s over the step: gravity, actuators, ... Friction that slides is given by
// the answer, and so one more load; J v+ is what the active rows were asked for. Solving (1) for
// each load gives shares that add up to the answer. W is singular where contacts are redundant; a
// basic solution will do for whatever of it is unique, and what is unique is found from the null
// vectors: the net force of a patch is, if none of them has one.
//
// Where a patch slides, its friction is mu times its normal force whatever the load. The question
// is then what it would take to hold, which is (1) with all contacts that press held, without the
// share of the motion.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "linalg/cholesky.h"
#include "sim/readout/readout.h"

enum { MOST_ROWS = 900 }; // of an island that is explained

static const double RANK_TOL = 1e-9;    // of a pivot of W
static const double SAME_NORMAL = 1e-9; // 1 - cos
static const double AT_LIMIT = 1e-9;    // relative: a motor that gives all it can
static const double NET_TOL = 1e-6;     // of the net force of a null vector

/// One row of (1).
typedef struct Row {
    int contact; // -1: a row of the mechanism
    int axis;    // of the contact: 0 normal, 1, 2
} Row;

/// The linear problem of an island.
typedef struct Response {
    TactSim *sim;
    bool     held;
    int      n;    // dofs of the island
    int      most; // rows at most
    int      count;
    int     *dofs;   //                                                                (n)
    Row     *rows;   //                                                                (most)
    double  *J, *Y;  // Y' = M^-1 J'                                                   (most x n)
    double  *W;      // its factor above the diagonal, itself below                    (most x most)
    double  *target; //                                                                (most)
    double  *soft;   // compliance                                                     (most)
    double  *x;      //                                                                (most)
    double  *loads; // impulses of all dofs                               (TACT_SIM_LOAD_COUNT x nv)
    double  *vector; //                                                                (nv)
    TactVec3 *net;   // of patches, along the world's axes                             (patches)
    TactVec3 *parts; // shares, over the step            (patches x TACT_SIM_LOAD_COUNT)
} Response;

static void layout_response(Response *r, int patches, TactArena *arena)
{
    size_t n = (size_t)r->n, most = (size_t)r->most, nv = (size_t)r->sim->model->nv;
    r->dofs = tact_arena_take(arena, n, sizeof *r->dofs);
    r->rows = tact_arena_take(arena, most, sizeof *r->rows);
    r->J = tact_arena_take(arena, most * n, sizeof(double));
    r->Y = tact_arena_take(arena, most * n, sizeof(double));
    r->W = tact_arena_take(arena, most * most, sizeof(double));
    r->target = tact_arena_take(arena, most, sizeof(double));
    r->soft = tact_arena_take(arena, most, sizeof(double));
    r->x = tact_arena_take(arena, most, sizeof(double));
    r->loads = tact_arena_take(arena, TACT_SIM_LOAD_COUNT * nv, sizeof(double));
    r->vector = tact_arena_take(arena, nv, sizeof(double));
    r->net = tact_arena_take(arena, (size_t)patches, sizeof *r->net);
    r->parts = tact_arena_take(arena, (size_t)patches * TACT_SIM_LOAD_COUNT, sizeof *r->parts);
}

// ---------------------------------------------------------------------------------------------
// Loads

/// Impulses of the smooth loads; what is left of the whole is that of the motion.
static TactStatus fill_loads(Response *r)
{
    TactSim           *sim = r->sim;
    const TactSimLast *last = &sim->last;
    size_t             nv = (size_t)sim->model->nv;
    double            *gravity = r->loads + TACT_SIM_LOAD_GRAVITY * nv;
    double            *actuators = r->loads + TACT_SIM_LOAD_ACTUATORS * nv;
    double            *springs = r->loads + TACT_SIM_LOAD_SPRINGS * nv;
    double            *applied = r->loads + TACT_SIM_LOAD_APPLIED * nv;
    double            *motion = r->loads + TACT_SIM_LOAD_MOTION * nv;
    memset(r->vector, 0, nv * sizeof *r->vector);
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, r->vector));
    tact_dynamics_compute_inverse(sim->dynamics, NULL, NULL, gravity);
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, last->v));
    memcpy(applied, last->applied, nv * sizeof *applied);
    for (int b = 1; b < sim->model->body_count; b++) {
        tact_sim_add_wrench(sim, b, tact_sim_body_com(sim, b), last->external[b], applied);
    }
    for (size_t i = 0; i < nv; i++) {
        gravity[i] *= -sim->h;
        actuators[i] = sim->h * last->actuation[i];
        springs[i] = sim->h * last->passive[i];
        if (tact_sim_has_fluid(sim) && sim->free.fluid.lifts) {
            springs[i] += sim->h * sim->free.fluid.lift[i];
        }
        applied[i] *= sim->h;
        motion[i] = sim->free.impulse[i] - gravity[i] - actuators[i] - springs[i] - applied[i];
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Rows of (1)

static TactVec3 axis_of(const TactSimContact *c, int axis)
{
    return axis == 0 ? c->normal : c->tangent[axis - 1];
}

/// Row of a contact's velocity along one of its axes, in the dofs of the island.
static void fill_contact_row(Response *r, const TactSimContact *c, int axis, double *J)
{
    TactSim   *sim = r->sim;
    TactWrench unit = {axis_of(c, axis), {0, 0, 0}};
    memset(r->vector, 0, (size_t)sim->model->nv * sizeof *r->vector);
    tact_sim_add_wrench(sim, c->body[1], c->point, unit, r->vector);
    tact_sim_add_wrench(sim, c->body[0], c->point, tact_wrench_scale(-1, unit), r->vector);
    for (int i = 0; i < r->n; i++) {
        J[i] = r->vector[r->dofs[i]];
    }
}

/// load += J' p of a row that is not solved for.
static void add_given(Response *r, const double *J, double p)
{
    double *load = r->loads + (size_t)TACT_SIM_LOAD_FRICTION * (size_t)r->sim->model->nv;
    for (int i = 0; i < r->n; i++) {
        load[r->dofs[i]] += J[i] * p;
    }
}

/// Takes the row that stands behind the last one: Y = M^-1 J', and what it was asked for: J v+, and
/// where it is soft what its impulse p gives way.
static void keep_row(Response *r, Row row, double soft, double p)
{
    const double *J = r->J + (size_t)r->count * (size_t)r->n;
    double       *Y = r->Y + (size_t)r->count * (size_t)r->n, asked = 0;
    bool          moves = false;
    memset(r->vector, 0, (size_t)r->sim->model->nv * sizeof *r->vector);
    for (int i = 0; i < r->n; i++) {
        r->vector[r->dofs[i]] = J[i];
        asked += J[i] * r->sim->answer.v[r->dofs[i]];
        moves = moves || J[i] != 0;
    }
    if (!moves) {
        return; // a force that moves nothing is none
    }
    tact_dynamics_solve_mass(r->sim->dynamics, r->vector);
    for (int i = 0; i < r->n; i++) {
        Y[i] = r->vector[r->dofs[i]];
    }
    r->rows[r->count] = row;
    r->target[r->count] = r->held && row.axis > 0 ? 0 : asked + soft * p;
    r->soft[r->count++] = soft;
}

static void add_contact(Response *r, int index, const TactContactDiagnosis *diagnosis)
{
    const TactSim        *sim = r->sim;
    const TactSimContact *c = &sim->contacts[index];
    TactContact           law = {0};
    if (diagnosis->state == TACT_STATE_OPEN && diagnosis->unique) {
        return; // one that touches and may share the load is not unique
    }
    tact_sim_set_contact_law(sim, c, &law);
    double  soft = law.compliance;
    double *J = r->J + (size_t)r->count * (size_t)r->n;
    fill_contact_row(r, c, 0, J);
    keep_row(r, (Row){index, 0}, soft, c->force[0] * sim->h);
    for (int axis = 1; axis <= 2 && c->mu > 0; axis++) {
        J = r->J + (size_t)r->count * (size_t)r->n;
        fill_contact_row(r, c, axis, J);
        if (r->held || diagnosis->state != TACT_STATE_SLIDE) {
            keep_row(r, (Row){index, axis}, 0, 0);
        } else {
            add_given(r, J, c->force[axis] * sim->h);
        }
    }
}

/// Bilateral rows, limits that press, dry friction that holds; that at its bound is a load.
static void add_row_response(Response *r, int index)
{
    const TactSim        *sim = r->sim;
    const TactContactRow *row = &sim->rows.rows[index];
    double                p = sim->last.row_impulse[index];
    double               *J = r->J + (size_t)r->count * (size_t)r->n;
    if (row->kind == TACT_ROW_UNILATERAL && !(p > 0)) {
        return;
    }
    for (int i = 0; i < r->n; i++) {
        J[i] = row->J[r->dofs[i]];
    }
    if (row->kind == TACT_ROW_MOTOR && fabs(p) >= sim->h * row->force_max * (1 - AT_LIMIT)) {
        add_given(r, J, p);
        return;
    }
    keep_row(r, (Row){-1, 0}, 0, 0);
}

static void fill_rows(Response *r, const TactSimIsland *island,
                      const TactContactDiagnosis *diagnosis)
{
    TactSim *sim = r->sim;
    size_t   nv = (size_t)sim->model->nv;
    r->count = 0;
    memset(r->loads + TACT_SIM_LOAD_FRICTION * nv, 0, nv * sizeof(double));
    for (int k = 0; k < island->contact_count; k++) {
        int index = sim->islands.contacts[island->first_contact + k];
        add_contact(r, index, &diagnosis[index]);
    }
    for (int k = 0; k < island->row_count; k++) {
        add_row_response(r, sim->islands.rows[island->first_row + k]);
    }
}

static double dot_row(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// W of (1), factored; its own diagonal is left in x.
static void factor_response(Response *r)
{
    size_t n = (size_t)r->n, m = (size_t)r->count;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= i; j++) {
            r->W[i * m + j] = r->W[j * m + i] = dot_row(r->J + i * n, r->Y + j * n, r->n);
        }
        r->W[i * m + i] += r->soft[i];
    }
    tact_cholesky_factor(r->count, r->W, r->count, RANK_TOL, r->x);
}

static void solve_load(Response *r, TactSimLoad load)
{
    const TactSim *sim = r->sim;
    const double  *g = r->loads + (size_t)load * (size_t)sim->model->nv;
    for (int i = 0; i < r->count; i++) {
        const double *J = r->J + (size_t)i * (size_t)r->n, *Y = r->Y + (size_t)i * (size_t)r->n;
        double        sum = 0;
        for (int k = 0; k < r->n; k++) {
            int dof = r->dofs[k];
            sum += load == TACT_SIM_LOAD_TARGETS ? 0 : Y[k] * g[dof];
            sum += load == TACT_SIM_LOAD_MOTION ? J[k] * sim->last.v[dof] : 0;
        }
        r->x[i] = load == TACT_SIM_LOAD_TARGETS ? r->target[i] : -sum;
    }
    tact_cholesky_solve(r->count, r->W, r->count, r->x, r->x);
}

// ---------------------------------------------------------------------------------------------
// Patches

/// Net force of the patches for impulses x, over the step.
static void sum_up(Response *r)
{
    TactSim              *sim = r->sim;
    const TactSimReadout *readout = sim->readout;
    for (int i = 0; i < r->count; i++) {
        if (r->rows[i].contact >= 0) {
            r->net[readout->of_contact[r->rows[i].contact]] = (TactVec3){0, 0, 0};
        }
    }
    for (int i = 0; i < r->count; i++) {
        if (r->rows[i].contact >= 0) {
            TactVec3 *net = &r->net[readout->of_contact[r->rows[i].contact]];
            *net = tact_vec3_add_scaled(
                *net, r->x[i], axis_of(&sim->contacts[r->rows[i].contact], r->rows[i].axis));
        }
    }
}

/// The first contact of each patch stands for it.
static bool is_first(const Response *r, const TactSimIsland *island, int k, int *patch)
{
    const TactSimReadout *readout = r->sim->readout;
    int                   contact = r->sim->islands.contacts[island->first_contact + k];
    *patch = readout->of_contact[contact];
    return readout->first_contact[*patch] == contact;
}

/// Patches whose net force a null vector of W changes.
static void find_unique(Response *r, const TactSimIsland *island)
{
    size_t m = (size_t)r->count;
    for (size_t j = 0; j < m; j++) {
        if (r->W[j * m + j] != 0) {
            continue;
        }
        for (size_t i = 0; i < m; i++) { // column j of W; its own entry is not read by the solve
            r->x[i] = i > j ? r->W[i * m + j] : i < j ? r->W[j * m + i] : 0;
        }
        tact_cholesky_solve(r->count, r->W, r->count, r->x, r->x);
        for (size_t i = 0; i < m; i++) {
            r->x[i] = -r->x[i];
        }
        r->x[j] += 1;
        sum_up(r);
        for (int k = 0; k < island->contact_count; k++) {
            int patch = 0;
            if (!is_first(r, island, k, &patch)) {
                continue;
            }
            TactSimPatch *p = &r->sim->readout->patches[patch];
            bool          asked = !r->held || p->state == TACT_STATE_SLIDE;
            double        along = fabs(tact_vec3_dot(r->net[patch], p->normal));
            p->normal_unique = p->normal_unique && !(asked && along > NET_TOL);
            p->net_unique = p->net_unique && !(asked && tact_vec3_norm(r->net[patch]) > NET_TOL);
        }
    }
}

static TactVec3 across(TactVec3 f, TactVec3 normal)
{
    return tact_vec3_add_scaled(f, -tact_vec3_dot(f, normal), normal);
}

/// Shares of all loads: of normal forces if the answer is as it is, of what is needed by those
/// patches for which this is the question.
static void share(Response *r, const TactSimIsland *island)
{
    TactSim *sim = r->sim;
    int      patch = 0;
    for (int load = 0; load < TACT_SIM_LOAD_COUNT; load++) {
        solve_load(r, (TactSimLoad)load);
        sum_up(r);
        for (int k = 0; k < island->contact_count; k++) {
            if (is_first(r, island, k, &patch)) {
                r->parts[(size_t)patch * TACT_SIM_LOAD_COUNT + (size_t)load] =
                    tact_vec3_scale(1 / sim->h, r->net[patch]);
            }
        }
    }
    for (int k = 0; k < island->contact_count; k++) {
        if (!is_first(r, island, k, &patch)) {
            continue;
        }
        TactSimPatch   *p = &sim->readout->patches[patch];
        const TactVec3 *part = r->parts + (size_t)patch * TACT_SIM_LOAD_COUNT;
        TactVec3        needed = {0, 0, 0};
        for (int load = 0; load < TACT_SIM_LOAD_COUNT; load++) {
            if (!r->held && p->normal_unique) {
                p->normal_shares[load] = tact_vec3_dot(part[load], p->normal);
            }
            if (!r->held || load != TACT_SIM_LOAD_MOTION) {
                needed = tact_vec3_add(needed, across(part[load], p->normal));
            }
        }
        if (r->held != (p->state == TACT_STATE_SLIDE)) {
            continue;
        }
        p->explained = true;
        if (!p->net_unique) {
            p->needed = r->held ? 0 : tact_vec3_norm(p->friction);
            continue;
        }
        p->needed = tact_vec3_norm(needed);
        for (int load = 0; load < TACT_SIM_LOAD_COUNT && p->needed > 0; load++) {
            bool counts = !r->held || load != TACT_SIM_LOAD_MOTION;
            p->needed_shares[load] = counts ? tact_vec3_dot(part[load], needed) / p->needed : 0;
        }
    }
}

static TactStatus explain_island(TactSim *sim, const TactSimIsland *island, int patches,
                                 const TactContactDiagnosis *diagnosis)
{
    TactArena arena = {0};
    Response  r = {
         .sim = sim, .n = island->dof_count, .most = 3 * island->contact_count + island->row_count};
    if (r.most > MOST_ROWS) {
        return TACT_OK;
    }
    layout_response(&r, patches, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout_response(&r, patches, &arena);
    for (int k = 0, i = 0; k < island->tree_count; k++) {
        int tree = sim->islands.trees[island->first_tree + k];
        for (int dof = sim->islands.first_dof[tree]; dof < sim->islands.first_dof[tree + 1];
             dof++) {
            r.dofs[i++] = dof;
        }
    }
    TactStatus status = fill_loads(&r);
    for (int held = 0; held < 2 && status == TACT_OK; held++) {
        r.held = held;
        fill_rows(&r, island, diagnosis);
        factor_response(&r);
        find_unique(&r, island);
        share(&r, island);
    }
    tact_arena_destroy(&arena);
    return status;
}

/// The patch of a contact: that of an earlier one of the same geoms and normal, or a new one.
static int find_patch(TactSimReadout *r, const TactSimContact *contacts, int index, int *count)
{
    const TactSimContact *c = &contacts[index];
    for (int k = *count - 1; k >= 0; k--) {
        const TactSimPatch *p = &r->patches[k];
        if (p->geom[0] != c->geom[0] || p->geom[1] != c->geom[1]) {
            break; // contacts come geom by geom
        }
        if (tact_vec3_dot(p->normal, c->normal) > 1 - SAME_NORMAL) {
            return k;
        }
    }
    r->first_contact[*count] = index;
    r->patches[*count] = (TactSimPatch){
        .geom = {c->geom[0], c->geom[1]},
        .body = {c->body[0], c->body[1]},
        .normal = c->normal,
        .mu = c->mu,
        .state = TACT_STATE_OPEN,
        .unique = true,
        .normal_unique = true,
        .net_unique = true,
    };
    return (*count)++;
}

static int make_patches(TactSim *sim, const TactContactDiagnosis *diagnosis)
{
    TactSimReadout *r = sim->readout;
    int             count = 0;
    for (int k = 0; k < sim->contact_count; k++) {
        const TactSimContact *c = &sim->contacts[k];
        r->of_contact[k] = find_patch(r, sim->contacts, k, &count);
        TactSimPatch *p = &r->patches[r->of_contact[k]];
        p->contact_count++;
        const TactContactDiagnosis *d = &diagnosis[k];
        p->state = d->state > p->state ? d->state : p->state; // open < stick < slide
        p->slip = fmax(p->slip, d->state == TACT_STATE_OPEN ? 0 : d->slip);
        p->worst = fmax(p->worst, d->friction_used);
        p->unique = p->unique && d->unique;
        p->normal_force += c->force[0];
        p->friction = tact_vec3_add(p->friction, across(tact_sim_contact_get_force(c), p->normal));
    }
    for (int k = 0; k < count; k++) {
        TactSimPatch *p = &r->patches[k];
        double        most = p->mu * p->normal_force;
        p->friction_used = most > 0 ? tact_vec3_norm(p->friction) / most : 0;
    }
    return count;
}

static TactStatus reserve_patches(TactSim *sim)
{
    TactSimReadout *r = sim->readout;
    int             count = tact_sim_earlier_contacts(sim) + sim->contact_count;
    if (count <= r->contact_capacity) {
        return TACT_OK;
    }
    size_t room = 2 * (size_t)count;
    tact_release(r->patches);
    tact_release(r->of_contact);
    tact_release(r->first_contact);
    r->patches = NULL;
    r->of_contact = r->first_contact = NULL;
    r->contact_capacity = 0;
    TACT_TRY(tact_allocate(room, sizeof *r->patches, (void **)&r->patches));
    TACT_TRY(tact_allocate(room, sizeof *r->of_contact, (void **)&r->of_contact));
    TACT_TRY(tact_allocate(room, sizeof *r->first_contact, (void **)&r->first_contact));
    r->contact_capacity = (int)room;
    return TACT_OK;
}

/// From contacts of the last part to those of the step: earlier ones belong to no patch.
static void place_contacts(TactSim *sim)
{
    int *of_contact = sim->readout->of_contact, earlier = tact_sim_earlier_contacts(sim);
    if (earlier > 0) {
        memmove(of_contact + earlier, of_contact, (size_t)sim->contact_count * sizeof *of_contact);
    }
    for (int k = 0; k < earlier; k++) {
        of_contact[k] = -1;
    }
}

TactStatus tact_sim_compute_patches(TactSim *sim, TactSimPatches *patches)
{
    TACT_NEED(sim && patches, "tact_sim_compute_patches");
    TACT_TRY(tact_sim_open_shared(sim));
    TACT_TRY(reserve_patches(sim));
    TactContactDiagnosis *diagnosis = NULL;
    TACT_TRY(tact_allocate((size_t)sim->contact_count, sizeof *diagnosis, (void **)&diagnosis));
    TactStatus status = tact_sim_diagnose_part(sim, diagnosis);
    int        count = status == TACT_OK ? make_patches(sim, diagnosis) : 0;
    for (int i = 0; i < sim->islands.count && status == TACT_OK; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        if (island->contact_count > 0) {
            status = explain_island(sim, island, count, diagnosis);
        }
    }
    tact_release(diagnosis);
    place_contacts(sim);
    *patches = (TactSimPatches){count, sim->readout->patches, sim->readout->of_contact};
    return status;
}
