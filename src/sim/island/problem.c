// The contact problem of an island: mass matrix, velocities and forces of its dofs, contacts, rows.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clones.h"
#include "base/lanes.h"
#include "base/larger.h"
#include "base/status.h"
#include "base/ticks.h"
#include "contact/pivot/pivot.h"
#include "contact/solver.h"
#include "dynamics/links.h"
#include "sim/sim.h"

static void layout_arrays(TactProblemArrays *a, TactProblemSize size, TactArena *arena)
{
    size_t n = size.n;
    a->M = tact_arena_take(arena, n * n, sizeof *a->M);
    a->factor = tact_arena_take(arena, n * n, sizeof *a->factor);
    a->parent = tact_arena_take(arena, n, sizeof *a->parent);
    a->dofs = tact_arena_take(arena, n, sizeof *a->dofs);
    a->v = tact_arena_take(arena, n, sizeof *a->v);
    a->tau = tact_arena_take(arena, n, sizeof *a->tau);
    a->bodies = tact_arena_take(arena, size.bodies, sizeof *a->bodies);
    a->velocity = tact_arena_take(arena, size.dof, sizeof *a->velocity);
    a->contacts = tact_arena_take(arena, size.contacts, sizeof *a->contacts);
    a->J = tact_arena_take(arena, size.sides * size.contacts * n, sizeof *a->J);
    a->rows = tact_arena_take(arena, size.rows, sizeof *a->rows);
    a->row_J = tact_arena_take(arena, size.rows * n, sizeof *a->row_J);
    a->impulse = tact_arena_take(arena, 3 * size.contacts, sizeof *a->impulse);
    a->u = tact_arena_take(arena, 3 * size.contacts, sizeof *a->u);
    a->moment = tact_arena_take(arena, 3 * size.contacts, sizeof *a->moment);
    a->spin = tact_arena_take(arena, 3 * size.contacts, sizeof *a->spin);
    a->row_impulse = tact_arena_take(arena, size.rows, sizeof *a->row_impulse);
    a->work = tact_arena_take(arena, size.work, sizeof *a->work);
}

TactStatus tact_sim_reserve_arrays(TactProblemArrays *a, TactProblemSize size)
{
    TactArena       larger = {0};
    TactProblemSize more = size;
    more.contacts += size.contacts / 2;
    more.rows += size.rows / 2;
    tact_arena_destroy(&a->arena);
    layout_arrays(a, more, &larger);
    a->size = larger.used;
    a->arena = larger;
    a->filled = (TactFilled){0};
    a->laid = (TactProblemSize){0};
    return tact_arena_create(&a->arena);
}

/// Rows of J of a contact of this island; free bodies have no J.
static size_t count_sides(const TactSim *sim, const TactSimIsland *island, bool free)
{
    for (int k = 0; k < island->contact_count && !free; k++) {
        const TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
        if (c->mu_spin > 0 || c->mu_roll > 0) {
            return 6;
        }
    }
    return 3;
}

/// Arrays for an island; a new block only if the old one is too small.
static TactStatus prepare_arrays(const TactSim *sim, TactProblemArrays *a,
                                 const TactSimIsland *island, bool free)
{
    TactArena       measured = {0};
    TactProblemSize size = {
        .dof = (size_t)island->dof_count,
        .n = free ? 0 : (size_t)island->dof_count,
        .bodies = free ? (size_t)island->tree_count : 0,
        .contacts = (size_t)island->contact_count,
        .rows = (size_t)island->row_count,
        .sides = count_sides(sim, island, free),
        .work = sim->bounce.any ? 2 * (size_t)sim->model->nv : 0,
    };
    size.work += sim->bounce.any ? 5 * size.contacts : 0;
    if (a->arena.block && memcmp(&size, &a->laid, sizeof size) == 0) {
        return TACT_OK; // as it was
    }
    a->laid = size;
    layout_arrays(a, size, &measured);
    if (!a->arena.block || measured.used > a->size) {
        TACT_TRY(tact_sim_reserve_arrays(a, size));
        a->laid = size;
    }
    a->arena.used = 0;
    layout_arrays(a, size, &a->arena);
    return TACT_OK;
}

/// Whatever is not finite in M or its factor shows on the diagonal of the factor. Of a mass that is
/// right nothing is left where other joints make the same motion.
static TactStatus refuse_mass(const TactSim *sim, int dof, double M, double D)
{
    char        label[64];
    int         joint = sim->model->dofs[dof].joint;
    const char *name = tact_model_label(sim->model, TACT_OBJECT_JOINT, joint, label);
    if (isfinite(M) && M > 0) {
        return tact_fail(TACT_BAD_INPUT,
                         "step: %s: other joints make the same motion, nothing of its mass of %g "
                         "is left: armature, or fewer joints, would tell them apart",
                         name, M);
    }
    return tact_fail(TACT_BAD_INPUT,
                     "step: %s: its mass is %g, its pivot %g: they are not positive", name, M, D);
}

TactStatus tact_sim_check_mass(const TactSim *sim)
{
    for (int i = 0; i < sim->model->nv; i++) {
        TactMassRow   row = tact_dynamics_view_mass_row(sim->dynamics, i);
        TactFactorRow factor = tact_dynamics_view_factor_row(sim->dynamics, i);
        double        M = row.M[row.count - 1], D = 1 / factor.L[row.count - 1];
        if (isfinite(M) && !(D > 0 && isfinite(D))) {
            return refuse_mass(sim, i, M, D);
        }
    }
    return TACT_OK;
}

/// Mass matrix, velocities and forces of the island's dofs; local indices in the order of dofs.
static TactStatus fill_dofs(TactSim *sim, TactProblemArrays *a, const TactSimIsland *island,
                            TactSolveKind kind)
{
    const TactSimIslands *islands = &sim->islands;
    size_t                n = (size_t)island->dof_count;
    int                   local = 0;
    TactFilled filled = {islands->trees[island->first_tree], island->tree_count, island->dof_count};
    if (filled.trees > 1 || memcmp(&a->filled, &filled, sizeof filled) != 0) {
        memset(a->M, 0, n * n * sizeof *a->M);
        a->filled = filled;
    }
    for (int k = 0; k < island->tree_count; k++) {
        int tree = islands->trees[island->first_tree + k];
        int start = islands->first_dof[tree], shift = local - start;
        for (int i = start; i < islands->first_dof[tree + 1]; i++, local++) {
            TactMassRow   row = tact_dynamics_view_mass_row(sim->dynamics, i);
            TactFactorRow factor = tact_dynamics_view_factor_row(sim->dynamics, i);
            double       *own = a->factor + (size_t)local * n;
            int           run = factor.run;
            size_t        first = (size_t)(row.dofs[run] + shift); // from there on in order
            double       *own_M = a->M + (size_t)local * n;
            for (int p = 0; p < run; p++) {
                size_t j = (size_t)(row.dofs[p] + shift);
                own_M[j] = a->M[j * n + (size_t)local] = row.M[p];
                own[j] = factor.L[p];
            }
            for (int p = run; p < row.count; p++) {
                a->M[(first + (size_t)(p - run)) * n + (size_t)local] = row.M[p];
            }
            memcpy(own_M + first, row.M + run, (size_t)(row.count - run) * sizeof *own_M);
            memcpy(own + first, factor.L + run, (size_t)(row.count - run) * sizeof *own);
            own[local] = 1 / own[local]; // dynamics keeps 1 / D there
            if (!(own_M[local] > 0 && own[local] > 0 && isfinite(own_M[local] + own[local]))) {
                return refuse_mass(sim, i, own_M[local], own[local]);
            }
            int parent = sim->model->dofs[i].parent;
            a->parent[local] = parent < 0 ? -1 : parent + shift;
            a->dofs[local] = i;
            sim->islands.local[i] = local;
            a->v[local] = kind == TACT_SOLVE_MOTION ? sim->last.v[i] : 0;
            a->tau[local] = kind == TACT_SOLVE_MOTION ? sim->free.impulse[i] / sim->h : 0;
        }
    }
    return TACT_OK;
}

static void copy_row(const TactProblemArrays *a, int n, const double *from, double *to)
{
    int first = a->dofs[0]; // of the world, which most islands of one tree have in one piece
    if (a->dofs[n - 1] - first == n - 1) {
        memcpy(to, from + first, (size_t)n * sizeof *to);
        return;
    }
    for (int i = 0; i < n; i++) {
        to[i] = from[a->dofs[i]];
    }
}

/// J += sign * (n, t1, t2)' (velocity of the body's point), for the dofs that move it. The three
/// rows are lanes: the products of tact_vec3_dot(), in its order.
TACT_CLONES static void add_body_rows(const TactSim *sim, const TactSimContact *c, int body,
                                      double sign, size_t n, double *J)
{
    const TactDynamics *d = sim->dynamics;
    const TactVec3      a = c->normal, b = c->tangent[0], e = c->tangent[1];
    TactLanes           x = {sign * a.x, sign * b.x, sign * e.x, 0};
    TactLanes           y = {sign * a.y, sign * b.y, sign * e.y, 0};
    TactLanes           z = {sign * a.z, sign * b.z, sign * e.z, 0};
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(c->point, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            TactVec3  moved = tact_twist_shift(d->axis[i], r).linear;
            TactLanes entry = x * moved.x + y * moved.y + z * moved.z;
            double   *column = J + sim->islands.local[i];
            column[0] += entry[0];
            column[n] += entry[1];
            column[2 * n] += entry[2];
        }
    }
}

/// The same of the angular velocity of the body, about normal and tangents.
static void add_body_turns(const TactSim *sim, const TactSimContact *c, int body, double sign,
                           size_t n, double *J)
{
    const TactDynamics *d = sim->dynamics;
    const TactVec3      axes[3] = {tact_vec3_scale(sign, c->normal),
                                   tact_vec3_scale(sign, c->tangent[0]),
                                   tact_vec3_scale(sign, c->tangent[1])};
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            for (int r = 0; r < 3; r++) {
                J[(size_t)r * n + (size_t)sim->islands.local[i]] +=
                    tact_vec3_dot(axes[r], d->axis[i].angular);
            }
        }
    }
}

// A normal row beside those of the tangents that is rounding, as normals of contacts are known to
// some 1e-8, and what is too large for that.
static const double ROUNDING = 1e-7, NO_ROUNDING = 1e-6;

static double largest_of(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = tact_larger(most, fabs(x[i]));
    }
    return most;
}

/// Is an entry as large as that? The first ones mostly are.
static bool has_entry(const double *x, size_t n, double size)
{
    for (size_t i = 0; i < n; i++) {
        if (fabs(x[i]) >= size) {
            return true;
        }
    }
    return false;
}

/// Where nothing moves a contact along its normal, rounding does not either: scaled to 1, it would
/// hide what all others ask for.
static void clear_rounding(size_t n, double *J)
{
    if (has_entry(J, n, NO_ROUNDING)) {
        return;
    }
    double normal = largest_of(J, n);
    if (normal > 0 && normal <= ROUNDING * largest_of(J + n, 2 * n)) {
        memset(J, 0, n * sizeof *J);
    }
}

/// Where a contact is: between two bodies, or as rows of the island's dofs.
static void place_contact(const TactSim *sim, const TactSimContact *c, bool free, size_t n,
                          double *J, TactContact *contact)
{
    if (free) {
        const int *tree = sim->islands.tree_of_body;
        contact->a = tree[c->body[0]] < 0 ? -1 : sim->islands.body_place[tree[c->body[0]]];
        contact->b = tree[c->body[1]] < 0 ? -1 : sim->islands.body_place[tree[c->body[1]]];
        memcpy(contact->point, &c->point, sizeof contact->point);
        memcpy(contact->normal, &c->normal, sizeof contact->normal);
        memcpy(contact->tangent, &c->tangent[0], sizeof contact->tangent);
    } else {
        memset(J, 0, 3 * n * sizeof *J);
        add_body_rows(sim, c, c->body[1], 1, n, J);
        add_body_rows(sim, c, c->body[0], -1, n, J);
        clear_rounding(n, J);
        if (tact_contact_has_moments(contact)) {
            memset(J + 3 * n, 0, 3 * n * sizeof *J);
            add_body_turns(sim, c, c->body[1], 1, n, J + 3 * n);
            add_body_turns(sim, c, c->body[0], -1, n, J + 3 * n);
        }
        contact->J = J;
    }
}

/// Contacts: in a correction without friction, and to come apart by the share of their depth.
static void fill_contacts(const TactSim *sim, TactProblemArrays *a, const TactSimIsland *island,
                          TactSolveKind kind, bool free)
{
    size_t n = (size_t)island->dof_count, sides = a->laid.sides;
    double closed = kind == TACT_SOLVE_MOTION ? tact_sim_closed_gap(sim, island) : 0;
    a->patches = 0;
    for (int k = 0; k < island->contact_count; k++) {
        int             index = sim->islands.contacts[island->first_contact + k];
        TactSimContact *c = &sim->contacts[index];
        TactContact    *contact = &a->contacts[k];
        *contact = (TactContact){.mu = c->mu, .directions = sim->config.directions, .id = c->id};
        if (kind == TACT_SOLVE_MOTION) {
            contact->mu2 = c->mu2 != c->mu ? c->mu2 : 0;
            contact->mu_spin = c->mu_spin;
            contact->mu_roll = c->mu_roll;
            a->patches += tact_contact_is_patch(contact);
        }
        place_contact(sim, c, free, n, a->J + sides * (size_t)k * n, contact);
        if (kind == TACT_SOLVE_MOTION) {
            tact_sim_set_contact_law(sim, c, contact);
            contact->bias = contact->bias > 0 && contact->bias <= closed ? 0 : contact->bias;
        } else {
            double excess = c->depth - sim->h * c->velocity[0] - sim->config.slop;
            contact->mu = 0;
            double share =
                sim->config.stiffness > 0 || !sim->positions.sunk ? 0 : sim->config.correction;
            contact->bias = excess > 0 ? -share * excess : -excess;
            if (contact->bias < 0 && !free && !c->stuck) {
                c->stuck = !tact_sim_can_part((int)n, contact->J, -contact->bias);
            }
            contact->bias = c->stuck ? fabs(excess) : contact->bias;
        }
    }
}

static void fill_rows(const TactSim *sim, TactProblemArrays *a, const TactSimIsland *island)
{
    size_t n = (size_t)island->dof_count;
    for (int k = 0; k < island->row_count; k++) {
        const TactContactRow *row = &sim->rows.rows[sim->islands.rows[island->first_row + k]];
        double               *J = a->row_J + (size_t)k * n;
        copy_row(a, (int)n, row->J, J);
        a->rows[k] = *row;
        a->rows[k].J = J;
    }
}

// Contacts of the smallest solver; contacts and rows of that of a mechanism: joints come to their
// limits one after the other, and what grows every time costs more than what is large at once.
enum { LEAST = 8, LEAST_OF_MECHANISM = 16 };

// Degrees of freedom of a heap beyond which its solver has room for half as many again: bodies
// join it one by one, and all of its memory would be new every time. The rungs of a solver for so
// many do not depend on their number (ladder_memory.c).
enum { HEAP_DOF = 1200 };

// Operations after which a shift of positions is taken for one that does not exist.
static const double LIFT_WORK = 1e8;
// Of a mechanism, whose shift is found within a twentieth of that (5436 shifts of disturbed
// grippers and robots: 4.3e4 at most) or not at all: without the last rungs, which took 35 ms in
// every round of a robot whose limits and overlaps do not let its loops close.
static const double LIFT_WORK_OF_MECHANISM = 1e6;

static int count_dof_room(const TactSim *sim, const TactContactCapacity *need)
{
    int more = need->dof + need->dof / 2, most = tact_larger_int(need->dof, sim->model->nv);
    return need->dense || need->dof <= HEAP_DOF ? need->dof : more < most ? more : most;
}

TactStatus tact_sim_grow_solver(const TactSim *sim, TactSolveKind kind,
                                const TactContactCapacity *need, TactSimSolver *slot)
{
    TactContactCapacity *have = &slot->capacity;
    if (slot->solver && need->contacts <= have->contacts && need->rows <= have->rows &&
        need->dof <= have->dof && need->support <= have->support && need->dense <= have->dense &&
        need->directions <= have->directions && need->patches <= have->patches) {
        return TACT_OK;
    }
    TactContactMethod method = kind == TACT_SOLVE_MOTION ? sim->config.method : TACT_METHOD_LADDER;
    TactContactConfig config = tact_contact_config_default(method);
    config.cone = kind == TACT_SOLVE_MOTION ? sim->config.cone : TACT_CONE_PYRAMID;
    if (kind == TACT_SOLVE_MOTION) {
        config.lcp_method = method == TACT_METHOD_LCP ? sim->config.lcp_method : config.lcp_method;
        config.lex_tol = sim->config.lex_tol;
        config.start = sim->config.start;
        config.fallback = sim->config.fallback;
        config.cfm = sim->config.cfm;
    }
    config.tol = sim->config.tol;
    config.max_work = sim->config.max_work;
    double most = need->dense ? LIFT_WORK_OF_MECHANISM : LIFT_WORK;
    most = sim->solve.lift_work > 0 ? sim->solve.lift_work : most;
    if (kind == TACT_SOLVE_CORRECTION && !(config.max_work > 0 && config.max_work < most)) {
        config.max_work = most;
    }
    config.max_time = sim->config.max_time;
    int all = sim->rows.capacity + 3 * (need->patches + need->patches / 2);
    int more = need->rows + need->rows / 2;
    int least = all < LEAST_OF_MECHANISM ? all : LEAST_OF_MECHANISM;
    int rows = tact_larger_int(need->dense ? least : 0,
                               tact_larger_int(need->rows, more < all ? more : all));
    int                 contacts = need->dense ? LEAST_OF_MECHANISM : LEAST;
    TactContactCapacity room = {
        .contacts = tact_larger_int(have->contacts,
                                    tact_larger_int(contacts, need->contacts + need->contacts / 2)),
        .rows = tact_larger_int(have->rows, rows),
        .dof = tact_larger_int(have->dof, count_dof_room(sim, need)),
        .support = tact_larger_int(have->support, need->support),
        .dense = have->dense || need->dense,
        .directions = tact_larger_int(have->directions, need->directions),
        .patches = tact_larger_int(have->patches, need->patches + need->patches / 2),
    };
    TactContactSolver *grown = NULL;
    TACT_TRY(tact_contact_solver_create_sparing(&room, &config, &grown));
    if (slot->solver) {
        tact_memory_copy(grown->memory, slot->solver->memory);
    }
    tact_contact_solver_destroy(slot->solver);
    slot->solver = grown;
    *have = room;
    return TACT_OK;
}

// Velocities below this part of what a step adds to them are rounding.
static const double AT_REST = 1e-11;
static const double LEAST_SPEED = 1e-150; // m/s or rad/s
/// m/s: a slower contact sticks.
static const double SLIDES = 1e-9;

/// An island whose answer is rest but for rounding is at rest: what is left would only grow, and
/// with it come other active contacts in every step. The certificate allows a hundred times that.
/// So is one whose velocities have no squares any more: wheels that dampers stop come down to the
/// last denormal number.
static void stop_rounding(const TactSim *sim, const TactSimIsland *island, double *v)
{
    const TactSimIslands *islands = &sim->islands;
    double                most = 0, added = 0;
    for (int k = 0; k < island->tree_count; k++) {
        int tree = islands->trees[island->first_tree + k];
        for (int i = islands->first_dof[tree]; i < islands->first_dof[tree + 1]; i++) {
            most = tact_larger(most, fabs(v[i]));
            added = tact_larger(added, fabs(sim->free.v[i] - sim->state.v[i]));
        }
    }
    double rest = tact_larger(AT_REST * added, LEAST_SPEED);
    for (int k = 0; k < island->tree_count && most <= rest; k++) {
        int tree = islands->trees[island->first_tree + k];
        for (int i = islands->first_dof[tree]; i < islands->first_dof[tree + 1]; i++) {
            v[i] = 0;
        }
    }
}

void tact_sim_tell_contact(const TactSim *sim, const double p[3], const double u[3], double largest,
                           TactSimContact *c)
{
    for (int r = 0; r < 3; r++) {
        c->force[r] = p[r] / sim->h;
        c->velocity[r] = u[r];
    }
    double most = fmax(c->mu, c->mu2) * p[0];
    double pull = c->mu == c->mu2
                      ? hypot(p[1], p[2])
                      : hypot(c->mu > 0 ? p[1] / c->mu : 0, c->mu2 > 0 ? p[2] / c->mu2 : 0) *
                            fmax(c->mu, c->mu2);
    // Of a contact that carries next to nothing, what is beyond the cone is the tolerance.
    bool within = pull - most <= sim->config.tol * largest;
    c->friction_used = most > 0 ? (within ? fmin(pull / most, 1) : pull / most) : 0;
    c->state = !(p[0] > 0)                  ? TACT_STATE_OPEN
               : hypot(u[1], u[2]) > SLIDES ? TACT_STATE_SLIDE
                                            : TACT_STATE_STICK;
}

void tact_sim_tell_turns(const TactSim *sim, const double m[3], const double w[3], double push,
                         TactSimContact *c)
{
    for (int r = 0; r < 3; r++) {
        c->moment[r] = m[r] / sim->h;
        c->spin[r] = w[r];
    }
    double spin = c->mu_spin * push, roll = c->mu_roll * push;
    c->spin_used = spin > 0 ? fmin(fabs(m[0]) / spin, 1) : 0;
    c->roll_used = roll > 0 ? fmin(hypot(m[1], m[2]) / roll, 1) : 0;
}

/// What the contacts of an island did.
static void tell_contacts(TactSim *sim, const TactProblemArrays *a, TactSimIsland *island)
{
    double largest = 0, push = 0, depth = -INFINITY; // impulse, force and end of the island
    for (int k = 0; k < 3 * island->contact_count; k++) {
        largest = tact_larger(largest, fabs(a->impulse[k]));
    }
    for (int k = 0; k < island->contact_count; k++) {
        TactSimContact *c = &sim->contacts[sim->islands.contacts[island->first_contact + k]];
        tact_sim_tell_contact(sim, a->impulse + 3 * (size_t)k, a->u + 3 * (size_t)k, largest, c);
        if (a->patches > 0 && tact_contact_has_moments(&a->contacts[k])) {
            tact_sim_tell_turns(sim, a->moment + 3 * (size_t)k, a->spin + 3 * (size_t)k,
                                a->impulse[3 * k], c);
        }
        push = tact_larger(push, c->force[0]);
        depth = fmax(depth, c->depth - sim->h * c->velocity[0]);
    }
    island->solved.push = push;
    island->solved.depth = depth;
    island->solved.told = true;
}

void tact_sim_add_rung(TactSimReport *report, const char *name, int count)
{
    int i = 0;
    while (i < report->rung_count && strcmp(report->rungs[i].name, name) != 0) {
        i++;
    }
    if (i == report->rung_count && i < TACT_CONTACT_MAX_RUNGS) {
        report->rungs[report->rung_count++] = (TactSimRung){.name = name};
    }
    if (i < TACT_CONTACT_MAX_RUNGS) {
        report->rungs[i].count += count;
    }
}

static void keep_solved(TactSimSolved *solved, const TactContactReport *report)
{
    solved->rung = report->rung_count > 0 ? report->rungs[report->rung_count - 1].name : NULL;
    solved->certified = report->outcome == TACT_OUTCOME_SOLVED;
    solved->error = report->certificate.error;
    solved->redundant_rows = report->redundant_rows;
    solved->pivots += report->pivots;
    solved->out_of_budget += report->out_of_budget;
    solved->out_of_time += !report->reproducible;
}

void tact_sim_tell_islands(const TactSim *sim, TactSolveKind kind, TactSimReport *report)
{
    for (int i = 0; i < sim->islands.count; i++) {
        const TactSimSolved *solved = &sim->islands.islands[i].solved;
        report->solve_time += solved->ticks; // seconds at the end of the step (step.c)
        report->out_of_budget += solved->out_of_budget;
        report->out_of_time += solved->out_of_time;
        if (kind == TACT_SOLVE_CORRECTION) {
            report->correct_time += solved->ticks;
            continue;
        }
        report->solves += solved->solves;
        if (solved->rung) {
            tact_sim_add_rung(report, solved->rung, 1);
        }
        report->islands++;
        report->certified += solved->certified;
        report->error = tact_larger(report->error, solved->error);
        report->redundant_rows += solved->redundant_rows;
        report->pivots += solved->pivots;
    }
}

/// What the rows of an island did.
static void tell_rows(TactSim *sim, const TactProblemArrays *a, const TactSimIsland *island)
{
    for (int k = 0; k < island->row_count; k++) {
        int row = sim->islands.rows[island->first_row + k];
        sim->last.row_impulse[row] = a->row_impulse[k];
    }
}

TactStatus tact_sim_make_problem(TactSim *sim, TactProblemArrays *a, int index, TactSolveKind kind,
                                 TactContactProblem *problem)
{
    const TactSimIsland *island = &sim->islands.islands[index];
    bool                 free = tact_sim_island_is_free(sim, island);
    TACT_TRY(prepare_arrays(sim, a, island, free));
    *problem = (TactContactProblem){
        .step = kind == TACT_SOLVE_MOTION ? sim->h : 1,
        .contact_count = island->contact_count,
        .contacts = a->contacts,
        .row_count = island->row_count,
        .rows = a->rows,
    };
    if (free) {
        a->filled = (TactFilled){0};
        tact_sim_fill_bodies(sim, island, kind, a);
        problem->body_count = island->tree_count;
        problem->bodies = a->bodies;
    } else {
        TACT_TRY(fill_dofs(sim, a, island, kind));
        problem->nv = island->dof_count;
        problem->M = a->M;
        problem->parent = a->parent;
        problem->factor = a->factor;
        problem->v = a->v;
        problem->tau = a->tau;
    }
    fill_contacts(sim, a, island, kind, free);
    fill_rows(sim, a, island);
    return TACT_OK;
}

TactStatus tact_sim_solve_problem(TactContactSolver *solver, const TactProblemArrays *arrays,
                                  const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactReport *report)
{
    return tact_contact_solve_made(solver, &arrays->need, problem, answer, report);
}

// Operations a contact of a step that has more contacts than its config wants.
static const double CROWDED_WORK = 1e4;
// Operations after which a mechanism is taken to be such as cannot do what it is asked for: loops
// that contacts do not let close at the end of the step are solved as at its beginning then
// (midpoint.c), and lifts that contradict each other are taken back (complete.c). A loop that was
// torn asks for tens of metres a second through whatever lies between, and all rungs took a second
// to find no answer.
static const double TRIAL_WORK = 1e7, TRIAL_WORK_OF_SIZE = 1e4; // times contacts and rows, and dofs

/// Is one of the contacts of an island asked to come apart, since its surfaces turn into each
/// other?
static bool has_lifts(const TactSim *sim, const TactSimIsland *island)
{
    bool any = false;
    for (int k = 0; k < island->contact_count; k++) {
        any = any || sim->contacts[sim->islands.contacts[island->first_contact + k]].lift > 0;
    }
    return any;
}

/// Operations that a solve of an island may take, of one that is tried and may be taken back; 0:
/// what its config says. Lifts of free bodies are always to be had.
static double trial_work(const TactSim *sim, const TactSimIsland *island, TactSolveKind kind,
                         bool free)
{
    double size = (double)(island->contact_count + island->row_count) * island->dof_count;
    bool   trial = kind == TACT_SOLVE_MOTION &&
                 (tact_sim_tries_loops(sim, island) || (!free && has_lifts(sim, island)));
    return trial ? TRIAL_WORK + TRIAL_WORK_OF_SIZE * size : 0;
}

/// What the solves of an island in a step may take together, over what one of them may: what is
/// solved once more after it has taken nearly all of that would take as much again (two of 400
/// steps of 1000 boxes, 5 s instead of 2.5).
static const double STEP_WORK = 1.5, LEAST_STEP_WORK = 1e-3;

/// Operations that are left to an island in this step; 0: as many as any solve may take.
static double step_work(const TactSim *sim, const TactSimIsland *island, TactSolveKind kind)
{
    double most = sim->config.max_work, left = STEP_WORK * most - island->solved.work;
    return kind == TACT_SOLVE_MOTION && left < most ? fmax(left, LEAST_STEP_WORK * most) : 0;
}

/// Operations that a solve may take beside what its config says; 0: any number.
typedef struct SolveLimit {
    double work;
    bool   counts; // the answer is told to be out of its budget where it ends there
} SolveLimit;

/// The least of what a trial, a crowd of contacts and the step leave.
static SolveLimit find_limit(const TactSim *sim, const TactSimIsland *island, TactSolveKind kind,
                             bool free)
{
    bool   crowded = sim->config.max_contacts > 0 && sim->contact_count > sim->config.max_contacts;
    double crowd = crowded ? CROWDED_WORK * (island->contact_count + 1) : 0;
    double trial = trial_work(sim, island, kind, free), most = step_work(sim, island, kind);
    most = crowd > 0 && !(most > 0 && most < crowd) ? crowd : most;
    bool counts = most > 0 && !(trial > 0 && trial < most);
    return (SolveLimit){counts ? most : trial, counts};
}

/// Solves the problem of an island within a limit.
static TactStatus solve_within(TactSim *sim, TactProblemArrays *a, TactSimIsland *island,
                               TactSimSolver *slot, SolveLimit limit, bool bounces,
                               const TactContactProblem *problem, const TactContactAnswer *answer,
                               TactContactReport *solved)
{
    TactBudget budget = {0};
    if (limit.work > 0) {
        tact_budget_begin(&budget, limit.work, 0);
    }
    TactStatus status =
        bounces ? tact_sim_solve_bounces(sim, a, island, slot->solver, problem, answer, solved)
                : tact_sim_solve_problem(slot->solver, a, problem, answer, solved);
    if (limit.work > 0) {
        tact_budget_end(&budget);
    }
    island->solved.work += solved->work;
    solved->out_of_budget = solved->out_of_budget || (limit.counts && budget.over);
    return status;
}

TactStatus tact_sim_solve_island(TactSim *sim, TactProblemArrays *a, int index, TactSolveKind kind,
                                 double *v)
{
    TactSimIsland     *island = &sim->islands.islands[index];
    TactContactProblem problem;
    TACT_TRY(tact_sim_make_problem(sim, a, index, kind, &problem));
    TactContactAnswer answer = {.impulse = a->impulse,
                                .row_impulse = a->row_impulse,
                                .velocity = a->velocity,
                                .u = a->u,
                                .moment = a->patches > 0 ? a->moment : NULL,
                                .spin = a->patches > 0 ? a->spin : NULL};
    TactContactReport solved;
    int               tree = sim->islands.trees[island->first_tree];
    TactSimSolver    *slot =
        kind == TACT_SOLVE_MOTION ? &sim->solve.solvers[tree] : &sim->solve.correctors[tree];
    bool bounces = kind == TACT_SOLVE_MOTION && tact_sim_island_bounces(sim, island);
    bool drafts = kind == TACT_SOLVE_MOTION && !bounces && sim->complete.drafts;
    for (int k = 0; k < island->contact_count && bounces; k++) {
        // An impact is a sequence of solves, whose moments nobody adds up: it has none.
        a->contacts[k].mu_spin = a->contacts[k].mu_roll = 0;
    }
    int directions = island->contact_count > 0 ? sim->config.directions : 0;
    a->need = bounces ? tact_contact_get_capacity(&problem)
                      : tact_contact_capacity_with(&problem, directions, a->patches);
    TACT_TRY(tact_sim_grow_solver(sim, kind, &a->need, slot));
    tact_contact_solver_lend(slot->solver, sim->solve.lent);
    if (island->repeats && !bounces) {
        tact_contact_solver_repeat(slot->solver);
    }
    island->repeats = kind == TACT_SOLVE_MOTION && !bounces;
    if (drafts) {
        tact_contact_solver_draft(slot->solver);
    } else if (sim->complete.resumes && island->solved.draft) {
        tact_contact_solver_resume(slot->solver);
    }
    uint64_t   start = tact_ticks_now();
    SolveLimit limit = find_limit(sim, island, kind, problem.bodies != NULL);
    TACT_TRY(solve_within(sim, a, island, slot, limit, bounces, &problem, &answer, &solved));
    island->solved.ticks += tact_ticks_since(start);
    island->solved.solves++;

    if (kind == TACT_SOLVE_CORRECTION && solved.outcome != TACT_OUTCOME_SOLVED) {
        tact_sim_judge_lift(sim, a, island);
        return TACT_OK; // where there is no way out, nothing is moved
    }
    if (problem.bodies) {
        tact_sim_read_bodies(sim, a, island, v);
    }
    for (int i = 0; i < island->dof_count && !problem.bodies; i++) {
        v[a->dofs[i]] = a->velocity[i];
    }
    if (kind == TACT_SOLVE_MOTION) {
        stop_rounding(sim, island, v);
        tell_contacts(sim, a, island);
        tell_rows(sim, a, island);
        keep_solved(&island->solved, &solved);
        island->solved.draft = drafts && tact_contact_solver_has_draft(slot->solver);
    }
    return TACT_OK;
}
