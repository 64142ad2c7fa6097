// What a contact is asked for in a step: its gap, bounce and compliance.
//
// Rigid without bounce, a gap may be closed in the step and not more: u+ >= -gap / h. In a heap a
// gap of less than a hundredth of the slop counts as closed (docs/design/0024).
//
// A contact that bounces does so in the step in which its gap would be closed by the free motion,
// there and then. By Newton's law it comes apart with u+ >= e |u|, u its speed before the step; by
// Poisson's with the speed that e times the normal impulses p of compression give it, which is
// found first,
//
//     compression: the problem with u+ >= 0,     u+ >= e N M^-1 N' p + e N (v_free - v) .
//
// By sequential impacts (impact_sequence.c) with the speed that it has when the pairs that touch
// were hit one after the other.
//
// The place of a bounce is off by a part of h u, the energy is not: over a bounce with e = 1 what
// semi-implicit Euler keeps of a ball, v^2 / 2 + g z - h g v / 2, is kept too. With friction both
// laws can ask for energy that is not there [Kane]; then all that is asked for is halved, and at
// last forgotten: no impact leaves more energy than there was.
//
// With a stiffness k and a damping c, force and depth d are those of the end of the step,
//
//     p = h (k (d - h u) - c u)   <=>   u + p / (h (c + h k)) = k d / (c + h k)
//
// where it overlaps; across a gap there is no force before it is closed.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/solver.h"
#include "dynamics/links.h"
#include "model/surface.h"
#include "sim/sim.h"

/// Gap that counts as closed in a heap, over the slop; and what is a heap: more contacts and
/// degrees of freedom in an island.
static const double CLOSED = 0.01;
enum { HEAP_CONTACTS = 30, HEAP_DOF = 60 };

/// Of the sum of magnitudes: work that is no rounding.
static const double GAIN = 1e-12;

/// Velocity of a body's point along an axis with velocities v.
double tact_sim_point_rate(const TactSim *sim, int body, TactVec3 point, TactVec3 axis,
                           const double *v)
{
    const TactDynamics *d = sim->dynamics;
    double              rate = 0;
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(point, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            rate += v[i] * tact_vec3_dot(tact_twist_shift(d->axis[i], r).linear, axis);
        }
    }
    return rate;
}

double tact_sim_contact_rate(const TactSim *sim, const TactSimContact *c, TactVec3 axis,
                             const double *v)
{
    return tact_sim_point_rate(sim, c->body[1], c->point, axis, v) -
           tact_sim_point_rate(sim, c->body[0], c->point, axis, v);
}

/// Does a contact that can bounce do so in this step?
static bool is_hit(const TactSim *sim, const TactSimContact *c)
{
    if (!(tact_sim_contact_rate(sim, c, c->normal, sim->last.v) < 0)) {
        return false;
    }
    return c->depth >= 0 ||
           sim->h * tact_sim_contact_rate(sim, c, c->normal, sim->free.v) < c->depth;
}

static TactSimContact *contact_of(const TactSim *sim, const TactSimIsland *island, int k)
{
    return &sim->contacts[sim->islands.contacts[island->first_contact + k]];
}

void tact_sim_choose_bounces(TactSim *sim)
{
    for (int i = 0; i < sim->islands.count && sim->bounce.any && sim->config.stiffness == 0; i++) {
        const TactSimIsland *island = &sim->islands.islands[i];
        for (int k = 0; k < island->contact_count && !island->keep; k++) {
            TactSimContact *c = contact_of(sim, island, k);
            bool            hit = c->restitution > 0 && is_hit(sim, c);
            double          rate = hit ? tact_sim_contact_rate(sim, c, c->normal, sim->last.v) : 0;
            c->bounce = -c->restitution * rate;
        }
    }
}

/// Surfaces that move in their bodies, like a belt.
static void set_surface(const TactSim *sim, const TactSimContact *c, TactContact *contact)
{
    TactVec3 v[2];
    for (int k = 0; k < 2; k++) {
        const TactGeom *geom = &sim->model->geoms[c->geom[k]];
        v[k] = tact_surface_velocity(
            geom, tact_transform_multiply(sim->dynamics->pose[geom->body], geom->pose), c->point);
    }
    for (int k = 0; k < 2; k++) {
        contact->surface[k] = tact_vec3_dot(c->tangent[k], tact_vec3_subtract(v[1], v[0]));
    }
}

void tact_sim_set_contact_law(const TactSim *sim, const TactSimContact *c, TactContact *contact)
{
    double h = sim->h, k = sim->config.stiffness, stiff = sim->config.damping + h * k;
    contact->bias = c->depth < 0 ? -c->depth / h : -c->lift;
    if (sim->shapes.surfaces_move) {
        set_surface(sim, c, contact);
    }
    if (k > 0) {
        contact->compliance = 1 / (h * stiff);
        contact->bias = c->depth < 0 ? contact->bias : -k * c->depth / stiff;
    } else if (c->bounce > 0) {
        contact->bias = -c->bounce;
    }
}

double tact_sim_closed_gap(const TactSim *sim, const TactSimIsland *island)
{
    bool heap = island->contact_count > HEAP_CONTACTS && island->dof_count > HEAP_DOF;
    return heap && sim->config.stiffness == 0 ? CLOSED * sim->config.slop / sim->h : 0;
}

bool tact_sim_island_bounces(const TactSim *sim, const TactSimIsland *island)
{
    for (int k = 0; k < island->contact_count && sim->bounce.any; k++) {
        if (contact_of(sim, island, k)->bounce > 0) {
            return true;
        }
    }
    return false;
}

/// Writes what the contacts that are hit are asked for, times share, into the problem.
static void ask_bounces(const TactSim *sim, TactProblemArrays *a, const TactSimIsland *island,
                        double share)
{
    for (int k = 0; k < island->contact_count; k++) {
        TactSimContact *c = contact_of(sim, island, k);
        if (c->bounce > 0) {
            a->contacts[k].bias = -share * c->bounce;
        }
    }
}

/// After the compression: the speeds of Poisson's law, of all contacts that were pressed.
static void expand(const TactSim *sim, TactProblemArrays *a, const TactSimIsland *island)
{
    memset(a->work, 0, (size_t)sim->model->nv * sizeof *a->work);
    for (int k = 0; k < island->contact_count; k++) {
        const TactSimContact *c = contact_of(sim, island, k);
        double                p = c->restitution * fmax(a->impulse[3 * k], 0);
        TactWrench            push = {tact_vec3_scale(p, c->normal), {0, 0, 0}};
        tact_sim_add_wrench(sim, c->body[1], c->point, push, a->work);
        tact_sim_add_wrench(sim, c->body[0], c->point, tact_wrench_scale(-1, push), a->work);
    }
    tact_dynamics_solve_mass(sim->dynamics, a->work);
    for (int k = 0; k < island->contact_count; k++) {
        TactSimContact *c = contact_of(sim, island, k);
        if (c->restitution > 0 && a->impulse[3 * k] > 0) {
            // what forces add within the step is no part of the impact
            double before = tact_sim_contact_rate(sim, c, c->normal, sim->last.v);
            double added = tact_sim_contact_rate(sim, c, c->normal, sim->free.v) - before;
            double speed = a->u[3 * k] + tact_sim_contact_rate(sim, c, c->normal, a->work);
            c->bounce = fmax(speed + c->restitution * added, 0);
        }
    }
}

/// Trees that impulses join: a group, named by one of them. Islands have contacts without impulse,
/// too, over which no energy goes.
static int group_of(const TactSim *sim, int tree)
{
    while (sim->islands.joined[tree] != tree) {
        tree = sim->islands.joined[tree];
    }
    return tree;
}

static void join_groups(const TactSim *sim, int a, int b)
{
    if (a >= 0 && b >= 0) {
        sim->islands.joined[group_of(sim, a)] = group_of(sim, b);
    }
}

/// The first tree that a row of the island moves; joins all of them.
static int join_row(const TactSim *sim, const TactSimIsland *island, int k)
{
    const TactSimIslands *islands = &sim->islands;
    int                   first = -1;
    for (int i = 0; i < island->tree_count; i++) {
        int tree = islands->trees[island->first_tree + i];
        for (int dof = islands->first_dof[tree]; dof < islands->first_dof[tree + 1]; dof++) {
            if (sim->rows.rows[islands->rows[island->first_row + k]].J[dof] != 0) {
                join_groups(sim, first, tree);
                first = first < 0 ? tree : first;
                break;
            }
        }
    }
    return first;
}

/// A tree that a contact moves.
static int tree_of(const TactSim *sim, const TactSimContact *c)
{
    int a = sim->islands.tree_of_body[c->body[0]];
    return a >= 0 ? a : sim->islands.tree_of_body[c->body[1]];
}

static void group_trees(const TactSim *sim, const TactProblemArrays *a, const TactSimIsland *island)
{
    const TactSimIslands *islands = &sim->islands;
    for (int k = 0; k < island->tree_count; k++) {
        int tree = islands->trees[island->first_tree + k];
        islands->joined[tree] = tree; // of this island alone
    }
    for (int k = 0; k < island->contact_count; k++) {
        const TactSimContact *c = contact_of(sim, island, k);
        const double         *p = a->impulse + 3 * (size_t)k;
        if (p[0] != 0 || p[1] != 0 || p[2] != 0) {
            join_groups(sim, islands->tree_of_body[c->body[0]], islands->tree_of_body[c->body[1]]);
        }
    }
    for (int k = 0; k < island->row_count; k++) {
        if (a->row_impulse[k] != 0) {
            join_row(sim, island, k);
        }
    }
}

/// What the free motion adds to the kinetic energy of a group.
static double free_work(const TactSim *sim, const TactSimIsland *island, int group)
{
    double work = 0;
    for (int k = 0; k < island->tree_count; k++) {
        int tree = sim->islands.trees[island->first_tree + k];
        for (int i = sim->islands.first_dof[tree];
             i < sim->islands.first_dof[tree + 1] && group_of(sim, tree) == group; i++) {
            work += 0.5 * sim->free.impulse[i] * (sim->free.v[i] + sim->last.v[i]);
        }
    }
    return work;
}

/// Work of the contacts and rows of a group, p (u_free + u) / 2; and its size.
static double find_work(const TactSim *sim, const TactProblemArrays *a, const TactSimIsland *island,
                        int group, double *size)
{
    double work = 0;
    *size = 0;
    for (int k = 0; k < island->contact_count; k++) {
        const TactSimContact *c = contact_of(sim, island, k);
        const TactVec3        axes[3] = {c->normal, c->tangent[0], c->tangent[1]};
        for (int r = 0; r < 3 && group_of(sim, tree_of(sim, c)) == group; r++) {
            double free = tact_sim_contact_rate(sim, c, axes[r], sim->free.v);
            double p = a->impulse[3 * k + r], u = a->u[3 * k + r];
            work += 0.5 * p * (free + u);
            *size += 0.5 * fabs(p) * (fabs(free) + fabs(u));
        }
    }
    for (int k = 0; k < island->row_count; k++) {
        const TactContactRow *row = &sim->rows.rows[sim->islands.rows[island->first_row + k]];
        double                free = 0, u = 0;
        int                   tree = a->row_impulse[k] != 0 ? join_row(sim, island, k) : -1;
        if (tree < 0 || group_of(sim, tree) != group) {
            continue;
        }
        for (int i = 0; i < island->dof_count; i++) {
            free += a->rows[k].J[i] * sim->free.v[a->dofs[i]];
            u += a->rows[k].J[i] * a->velocity[i];
        }
        bool asked = row->target != 0; // a motion that is prescribed may do work
        work += asked ? 0 : 0.5 * a->row_impulse[k] * (free + u);
        *size += 0.5 * fabs(a->row_impulse[k]) * (fabs(free) + fabs(u));
    }
    return work;
}

/// Is there more kinetic energy in a group after the contacts than in the free motion, and than
/// before the step? What is rounding counts as none.
static bool makes_energy(const TactSim *sim, const TactProblemArrays *a,
                         const TactSimIsland *island)
{
    group_trees(sim, a, island);
    for (int k = 0; k < island->tree_count; k++) {
        int    tree = sim->islands.trees[island->first_tree + k];
        double size = 0;
        if (group_of(sim, tree) == tree) {
            double work = find_work(sim, a, island, tree, &size);
            double smooth = free_work(sim, island, tree);
            if (work > GAIN * size && work + smooth > GAIN * (size + fabs(smooth))) {
                return true;
            }
        }
    }
    return false;
}

TactStatus tact_sim_solve_bounces(TactSim *sim, TactProblemArrays *a, const TactSimIsland *island,
                                  TactContactSolver *solver, const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactReport *report)
{
    static const double shares[] = {1, 0.5, 0.25, 0};

    if (sim->config.restitution_law == TACT_RESTITUTION_LAW_POISSON) {
        ask_bounces(sim, a, island, 0);
        TACT_TRY(tact_sim_solve_problem(solver, a, problem, answer, report));
        expand(sim, a, island);
    }
    if (sim->config.restitution_law == TACT_RESTITUTION_LAW_SEQUENTIAL) {
        tact_sim_sequence_impacts(sim, a, island);
    }
    for (int k = 0; k < 4; k++) {
        ask_bounces(sim, a, island, shares[k]);
        TACT_TRY(tact_sim_solve_problem(solver, a, problem, answer, report));
        if (!makes_energy(sim, a, island) || k == 3) {
            for (int i = 0; i < island->contact_count; i++) {
                contact_of(sim, island, i)->bounce *= shares[k];
            }
            break;
        }
    }
    return TACT_OK;
}
