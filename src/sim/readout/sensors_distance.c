// Sensors of what lies between two geoms, or between the nearest geoms of two bodies.
#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "model/shape.h"
#include "sim/readout/readout.h"

/// The geoms of an object: one, or those of a body.
static void list_geoms(const TactModel *model, TactObject type, int object, int *first, int *count)
{
    *first = type == TACT_OBJECT_GEOM ? object : model->bodies[object].first_geom;
    *count = type == TACT_OBJECT_GEOM ? 1 : model->bodies[object].geom_count;
}

static TactTransform geom_pose(const TactSim *sim, const TactGeom *geom)
{
    return tact_transform_multiply(sim->dynamics->pose[geom->body], geom->pose);
}

/// Of two geoms; false: a shape that has none.
static bool find_distance(const TactSim *sim, int a, int b, TactDistance *found)
{
    const TactGeom *geoms[2] = {&sim->model->geoms[a], &sim->model->geoms[b]};
    TactTransform   pose[2] = {geom_pose(sim, geoms[0]), geom_pose(sim, geoms[1])};
    if (geoms[0]->visual || geoms[1]->visual) {
        return false; // shapes of what never touches are not made
    }
    TactShape one = tact_sim_make_shape(sim, geoms[0]), two = tact_sim_make_shape(sim, geoms[1]);
    return tact_shape_compute_distance(&one, &pose[0], &two, &pose[1], found) == TACT_OK;
}

void tact_sim_sense_distance(const TactSim *sim, const TactSensor *sensor, double *x)
{
    int first[2], count[2];
    list_geoms(sim->model, sensor->object_type, sensor->object, &first[0], &count[0]);
    list_geoms(sim->model, sensor->reference_type, sensor->reference, &first[1], &count[1]);
    TactDistance best = {.distance = sensor->cutoff};
    bool         is_found = false;
    for (int i = 0; i < count[0]; i++) {
        for (int j = 0; j < count[1]; j++) {
            TactDistance found;
            if (find_distance(sim, first[0] + i, first[1] + j, &found) &&
                found.distance < best.distance) {
                best = found;
                is_found = true;
            }
        }
    }
    TactVec3 way = tact_vec3_subtract(best.on_b, best.on_a);
    double   length = tact_vec3_norm(way);
    if (sensor->type == TACT_SENSOR_DISTANCE) {
        x[0] = best.distance;
    } else if (sensor->type == TACT_SENSOR_NORMAL && is_found && length > 0) {
        way = tact_vec3_scale(1 / length, way);
        memcpy(x, &way, sizeof way);
    } else if (sensor->type == TACT_SENSOR_FROM_TO && is_found) {
        memcpy(x, &best.on_a, sizeof best.on_a);
        memcpy(x + 3, &best.on_b, sizeof best.on_b);
    }
}
