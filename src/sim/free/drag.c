// A spring from a point of a body to a place, at the end of the step:
//
//     f = -k (x + h J v+ - target) - c J v+
//       = [-k (x + h J v - target) - c J v] - (c + h k) J (v+ - v)
//
// The first part is a force; the second, over the step, is that of a mass h (c + h k) at the point,
// which keeps the pattern of M: its dofs are those on the way from the body to the root. With
// Runge-Kutta the stages do not see the spring; it acts on what they come to, in the same way.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

static bool is_finite(TactVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

TactStatus tact_sim_set_drag(TactSim *sim, const TactSimDrag *drag)
{
    TACT_NEED(sim, "tact_sim_set_drag");
    if (!drag) {
        if (sim->drag.on) {
            tact_sim_wake(sim, sim->islands.tree_of_body[sim->drag.asked.body]);
        }
        sim->last.stepped = sim->last.stepped && !sim->drag.on; // its forces had it
        sim->drag.on = false;
        return TACT_OK;
    }
    if (drag->body < 1 || drag->body >= sim->model->body_count ||
        sim->islands.tree_of_body[drag->body] < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "drag: body %d does not move", drag->body);
    }
    if (!is_finite(drag->point) || !is_finite(drag->target) ||
        !(drag->stiffness >= 0 && drag->stiffness < INFINITY) ||
        !(drag->damping >= 0 && drag->damping < INFINITY)) {
        return tact_fail(TACT_BAD_ARGUMENT, "drag: a number is negative or not finite");
    }
    bool same = sim->drag.on && drag->body == sim->drag.asked.body &&
                tact_vec3_norm(tact_vec3_subtract(drag->point, sim->drag.asked.point)) == 0;
    sim->last.stepped = sim->last.stepped && same; // forces of a step are asked with its drag
    sim->drag.asked = *drag;
    sim->drag.on = true;
    tact_sim_wake(sim, sim->islands.tree_of_body[drag->body]);
    return TACT_OK;
}

TactVec3 tact_sim_drag_point(const TactSim *sim)
{
    return tact_transform_point(sim->dynamics->pose[sim->drag.asked.body], sim->drag.asked.point);
}

void tact_sim_find_drag(TactSim *sim)
{
    const TactSimDrag *drag = &sim->drag.asked;
    double             h = sim->h;
    if (!sim->drag.on) {
        return;
    }
    TactVec3 x = tact_sim_drag_point(sim);
    TactVec3 v = tact_dynamics_compute_velocity(sim->dynamics, drag->body, x).linear;
    TactVec3 ahead = tact_vec3_subtract(tact_vec3_add_scaled(x, h, v), drag->target);
    sim->drag.force =
        tact_vec3_add_scaled(tact_vec3_scale(-drag->stiffness, ahead), -drag->damping, v);
    sim->drag.mass = h * (drag->damping + h * drag->stiffness);
}

static TactVec3 point_motion(const TactSim *sim, TactVec3 point, const double *v)
{
    TactVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return (TactVec3){tact_sim_point_rate(sim, sim->drag.asked.body, point, axes[0], v),
                      tact_sim_point_rate(sim, sim->drag.asked.body, point, axes[1], v),
                      tact_sim_point_rate(sim, sim->drag.asked.body, point, axes[2], v)};
}

void tact_sim_pause_drag(TactSim *sim)
{
    sim->drag.force = (TactVec3){0, 0, 0};
    sim->drag.mass = 0;
}

void tact_sim_drag_free_motion(TactSim *sim)
{
    int     nv = sim->model->nv;
    double *change = sim->scratch.a;
    if (!sim->drag.on) {
        return;
    }
    memset(change, 0, (size_t)nv * sizeof *change);
    tact_sim_add_drag(sim, change);
    tact_sim_add_drag_mass(sim);
    for (int i = 0; i < nv; i++) {
        sim->free.impulse[i] += sim->h * change[i];
        change[i] = sim->free.impulse[i];
    }
    tact_dynamics_solve_mass(sim->dynamics, change);
    for (int i = 0; i < nv; i++) { // from the free velocity there was to the one there is
        double v = sim->state.v[i] + change[i];
        change[i] = v - sim->free.v[i];
        sim->free.v[i] = v;
    }
    // the force acts all through the step: half of what it changes of the velocity
    tact_dynamics_integrate(sim->model, sim->answer.q_end, change, 0.5 * sim->h, sim->answer.q_end);
}

void tact_sim_add_drag(const TactSim *sim, double *tau)
{
    if (sim->drag.on) {
        TactWrench w = {sim->drag.force, {0, 0, 0}};
        tact_sim_add_wrench(sim, sim->drag.asked.body, tact_sim_drag_point(sim), w, tau);
    }
}

void tact_sim_add_drag_mass(TactSim *sim)
{
    if (sim->drag.on && sim->drag.mass > 0) {
        tact_dynamics_add_point_mass(sim->dynamics, sim->drag.asked.body, tact_sim_drag_point(sim),
                                     sim->drag.mass);
    }
}

TactVec3 tact_sim_last_drag(const TactSim *sim, const double *acceleration)
{
    TactVec3 a = point_motion(sim, tact_sim_drag_point(sim), acceleration);
    return tact_vec3_add_scaled(sim->drag.force, -sim->drag.mass, a);
}
