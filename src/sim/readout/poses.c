// Where everything is, and how it moves, at the present state.
#include "base/status.h"
#include "sim/sim.h"

TactStatus tact_sim_compute_poses(TactSim *sim, TactTransform *poses)
{
    TACT_NEED(sim && poses, "tact_sim_compute_poses");
    tact_model_compute_poses(sim->model, sim->state.q, poses);
    return TACT_OK;
}

TactStatus tact_sim_compute_velocities(TactSim *sim, TactTwist *twists)
{
    TACT_NEED(sim && twists, "tact_sim_compute_velocities");
    TACT_TRY(tact_dynamics_set_position(sim->dynamics, sim->state.q));
    TACT_TRY(tact_dynamics_set_velocity(sim->dynamics, sim->state.v));
    const TactTransform *poses = tact_dynamics_view_poses(sim->dynamics);
    for (int b = 0; b < sim->model->body_count; b++) {
        twists[b] = tact_dynamics_compute_velocity(sim->dynamics, b, poses[b].position);
    }
    return TACT_OK;
}

TactStatus tact_sim_compute_geom_poses(TactSim *sim, TactTransform *poses)
{
    TACT_NEED(sim && poses, "tact_sim_compute_geom_poses");
    const TactModel *model = sim->model;
    TactTransform   *bodies = sim->shapes.query_body_pose;
    tact_model_compute_poses(model, sim->state.q, bodies);
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        poses[i] = tact_transform_multiply(bodies[geom->body], geom->pose);
    }
    return TACT_OK;
}

TactStatus tact_sim_compute_site_poses(TactSim *sim, TactTransform *poses)
{
    TACT_NEED(sim && poses, "tact_sim_compute_site_poses");
    const TactModel *model = sim->model;
    TactTransform   *bodies = sim->shapes.query_body_pose;
    tact_model_compute_poses(model, sim->state.q, bodies);
    for (int i = 0; i < model->site_count; i++) {
        const TactSite *site = &model->sites[i];
        poses[i] = tact_transform_multiply(bodies[site->body], site->pose);
    }
    return TACT_OK;
}
