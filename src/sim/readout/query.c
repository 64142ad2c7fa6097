// Questions about the geoms where they are now: what a ray hits, how far apart two of them are.
#include <math.h>

#include "base/status.h"
#include "sim/sim.h"

/// Poses of the shapes at the present state, which the workspace of the last step does not have.
static void place_shapes(TactSim *sim)
{
    tact_model_compute_poses(sim->model, sim->state.q, sim->shapes.query_body_pose);
    for (int i = 0; i < sim->shapes.made.count; i++) {
        const TactGeom *geom = &sim->model->geoms[sim->shapes.made.geom_of_shape[i]];
        sim->shapes.query_pose[i] =
            tact_transform_multiply(sim->shapes.query_body_pose[geom->body], geom->pose);
    }
}

typedef struct GeomFilter {
    const TactSim *sim;
    const TactRay *ray;
} GeomFilter;

static bool may_hit(void *context, int shape)
{
    const GeomFilter *filter = context;
    int               geom = filter->sim->shapes.made.geom_of_shape[shape];
    return filter->ray->filter(filter->ray->context, geom);
}

TactStatus tact_sim_cast_ray(TactSim *sim, const TactRay *ray, TactSimHit *hit)
{
    TACT_NEED(sim && ray && hit, "tact_sim_cast_ray");
    if (!sim || !ray || !hit || !(tact_vec3_norm(ray->direction) > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "ray: simulation, ray or result is NULL, or the ray "
                                            "has no direction");
    }
    GeomFilter filter = {sim, ray};
    TactRay    cast = *ray;
    if (ray->filter) {
        cast.filter = may_hit;
        cast.context = &filter;
    }
    place_shapes(sim);
    TactWorldHit found = tact_world_cast_ray(sim->shapes.world, sim->shapes.query_pose, &cast);
    *hit = (TactSimHit){found.shape < 0 ? -1 : sim->shapes.made.geom_of_shape[found.shape],
                        found.distance, found.point, found.normal};
    return TACT_OK;
}

/// -1: a geom that is only seen, or contacts are off.
static int find_shape(const TactSim *sim, int geom)
{
    for (int i = 0; i < sim->shapes.made.count; i++) {
        if (sim->shapes.made.geom_of_shape[i] == geom) {
            return i;
        }
    }
    return -1;
}

TactStatus tact_sim_compute_distance(TactSim *sim, int geom_a, int geom_b, TactDistance *distance)
{
    TACT_NEED(sim && distance, "tact_sim_compute_distance");
    int shape[2], geom[2] = {geom_a, geom_b};
    if (!sim || !distance) {
        return tact_fail(TACT_BAD_ARGUMENT, "distance: simulation or result is NULL");
    }
    for (int k = 0; k < 2; k++) {
        shape[k] = find_shape(sim, geom[k]);
        if (shape[k] < 0) {
            return tact_fail(TACT_BAD_ARGUMENT, "distance: geom %d cannot touch anything", geom[k]);
        }
    }
    place_shapes(sim);
    TactShape a = tact_sim_make_shape(sim, &sim->model->geoms[geom_a]);
    TactShape b = tact_sim_make_shape(sim, &sim->model->geoms[geom_b]);
    return tact_shape_compute_distance(&a, &sim->shapes.query_pose[shape[0]], &b,
                                       &sim->shapes.query_pose[shape[1]], distance);
}
