// Conservative advancement: shapes a distance d apart along n stay apart for at least d / v, where
// v is the most by which points of a come nearer to points of b along n.
#include "collide/sweep.h"

enum { MOST_ROUNDS = 64 };

TactTransform tact_sweep_at(const TactSweep *s, double time)
{
    TactTransform at;
    TactQuat      turned = tact_quat_exp(tact_vec3_scale(time, s->turn));
    TactVec3 middle = tact_vec3_add_scaled(tact_transform_point(s->from, s->middle), time, s->move);
    at.rotation = tact_quat_multiply(turned, s->from.rotation);
    at.position = tact_vec3_subtract(middle, tact_quat_rotate(at.rotation, s->middle));
    return at;
}

bool tact_sweeps_meet(const TactSweep *a, const TactSweep *b, double margin, double *time)
{
    double   spin = a->radius * tact_vec3_norm(a->turn) + b->radius * tact_vec3_norm(b->turn);
    TactVec3 move = tact_vec3_subtract(a->move, b->move);
    double   tol = 1e-9 * (a->radius + b->radius);
    *time = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        TactTransform at_a = tact_sweep_at(a, *time), at_b = tact_sweep_at(b, *time);
        TactDistance  d;
        if (tact_shape_distance(a->shape, &at_a, b->shape, &at_b, &d) != TACT_OK ||
            !(d.distance > margin + tol)) {
            return true;
        }
        double nearing = tact_vec3_dot(d.normal, move) + spin;
        if (!(nearing * (1 - *time) > d.distance - margin)) {
            return false; // the plane between them keeps them apart to the end
        }
        *time += (d.distance - margin) / nearing;
    }
    return true;
}
