// Adhesion: contacts of a body that pull.
//
// Of n contacts of the body, each with the normal row J_k of its relative velocity, a force f gives
//
//     tau = -f / n sum_k J_k'
//
// as in MuJoCo. Contacts are those of the beginning of the step, margins included, and those within
// the gaps of the geoms, which do not push.
#include <math.h>

#include "dynamics/links.h"
#include "sim/sim.h"

/// How near geoms have to be to stick, beyond their margins.
static double find_gap(const TactModel *model, int geom_a, int geom_b)
{
    int pair;
    tact_model_may_touch(model, geom_a, geom_b, &pair);
    return pair >= 0 ? model->pairs[pair].gap : model->geoms[geom_a].gap + model->geoms[geom_b].gap;
}

TactStatus tact_sim_find_adhesion(TactSim *sim)
{
    for (int i = 0; i < sim->model->actuator_count; i++) {
        if (sim->model->actuators[i].transmission == TACT_TRANSMISSION_ADHESION) {
            TactWorldTouches found;
            double           far = 0;
            for (int g = 0; g < sim->model->geom_count; g++) {
                far = fmax(far, sim->model->geoms[g].gap);
            }
            tact_sim_place_shapes(sim, sim->shapes.query_pose, sim->shapes.end_reach);
            for (int s = 0; s < sim->shapes.made.count; s++) {
                sim->shapes.end_reach[s] = far + sim->config.slop;
            }
            sim->shapes.collided.same = false; // the reach is another
            TactStatus status =
                tact_sim_collide(sim, sim->shapes.query_pose, sim->shapes.end_reach, &found);
            sim->shapes.collided.placed = 0; // nor is it that of the step's own question
            return status;
        }
    }
    return TACT_OK;
}

/// The normal row of a touch, times a factor.
static void add_row(const TactSim *sim, const int body[2], const TactTouch *touch, double factor,
                    double *J)
{
    tact_dynamics_add_point(sim->dynamics, body[1], touch->point, touch->normal, factor, J);
    tact_dynamics_add_point(sim->dynamics, body[0], touch->point, touch->normal, -factor, J);
}

void tact_sim_add_adhesion(const TactSim *sim, int body, double force, double *J)
{
    const TactWorldTouches *found = &sim->shapes.collided.found;
    int                     count = 0;
    for (int pass = 0; pass < 2; pass++) { // how many, then their rows
        for (int p = 0; p < found->pair_count; p++) {
            const TactWorldPair *pair = &found->pairs[p];
            int                  geom[2] = {sim->shapes.made.geom_of_shape[pair->a],
                                            sim->shapes.made.geom_of_shape[pair->b]};
            int    bodies[2] = {sim->model->geoms[geom[0]].body, sim->model->geoms[geom[1]].body};
            double gap = find_gap(sim->model, geom[0], geom[1]) + sim->config.slop;
            for (int k = 0; k < pair->count && (bodies[0] == body || bodies[1] == body); k++) {
                const TactTouch *touch = &found->touches->touches[pair->first + k];
                if (touch->depth < -gap) {
                    continue;
                }
                if (pass == 1) {
                    add_row(sim, bodies, touch, -force / count, J);
                }
                count += pass == 0;
            }
        }
    }
}
