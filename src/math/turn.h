// How a free body turns and moves over a step after all impulses, (1) and (2) of sim/free/flight.c:
// one source for the processor and for a GPU, which gives its own functions of quaternions before
// it includes this.
#ifndef TACT_MATH_TURN_H
#define TACT_MATH_TURN_H

#include <math.h>
#include <tact/math.h>

#ifndef TACT_TURN
#define TACT_TURN static inline
#define TACT_TURN_EXP tact_quat_exp
#define TACT_TURN_NORMALISE tact_quat_normalise
#endif

enum { TACT_TURN_ROUNDS = 20 };

#define TACT_TURN_MOST 0.2      // rad in one go
#define TACT_TURN_SETTLED 4e-16 // change of w+, of w

/// x with (I - [m]x s) x = b, by Cramer's rule.
TACT_TURN TactVec3 tact_turn_solve(const TactMat3 *I, TactVec3 m, double s, TactVec3 b)
{
    TactVec3 row[3] = {
        {I->m[0][0], I->m[0][1] + s * m.z, I->m[0][2] - s * m.y},
        {I->m[1][0] - s * m.z, I->m[1][1], I->m[1][2] + s * m.x},
        {I->m[2][0] + s * m.y, I->m[2][1] - s * m.x, I->m[2][2]},
    };
    TactVec3 c[3] = {tact_vec3_cross(row[1], row[2]), tact_vec3_cross(row[2], row[0]),
                     tact_vec3_cross(row[0], row[1])};
    double   inverse = 1 / tact_vec3_dot(row[0], c[0]);
    TactVec3 x = tact_vec3_scale(b.x, c[0]);
    x = tact_vec3_add_scaled(x, b.y, c[1]);
    x = tact_vec3_add_scaled(x, b.z, c[2]);
    return tact_vec3_scale(inverse, x);
}

/// One turn by (1): R and w become those after the time h.
TACT_TURN void tact_turn_body(const TactMat3 *I, double h, TactQuat *R, TactVec3 *w)
{
    TactVec3 m = tact_mat3_apply(*I, *w), next = *w, none = {0, 0, 0};
    TactQuat Q = {1, 0, 0, 0};
    double   size = tact_vec3_norm(*w), before = INFINITY;
    for (int round = 0; round < TACT_TURN_ROUNDS; round++) {
        Q = TACT_TURN_EXP(tact_vec3_scale(0.5 * h, tact_vec3_add(*w, next)));
        TactVec3 m_next = tact_quat_rotate_back(Q, m);
        TactVec3 off = tact_vec3_subtract(m_next, tact_mat3_apply(*I, next));
        TactVec3 step = tact_turn_solve(I, m_next, 0.5 * h, off);
        double   change = tact_vec3_norm(step);
        next = tact_vec3_add(next, step);
        if (!(change > TACT_TURN_SETTLED * size) || !(change < before)) {
            break;
        }
        before = change;
    }
    // w+ from the rotation that is made: momentum is kept whatever Newton's method left
    *w = tact_turn_solve(I, none, 0, tact_quat_rotate_back(Q, m));
    *R = TACT_TURN_NORMALISE(tact_quat_multiply(*R, Q));
}

/// A free body with its centre of mass at c and the inertia I: from q and the velocity v after all
/// impulses to where it is, and how fast, after the time h. q_end and v_end hold q + h v and v.
TACT_TURN void tact_turn_fly(TactVec3 c, const TactMat3 *I, double h, const double *q,
                             const double *v, double *q_end, double *v_end)
{
    TactVec3 w = {v[3], v[4], v[5]}, from = {q[0], q[1], q[2]}, moves = {v[0], v[1], v[2]};
    TactQuat now = {q[3], q[4], q[5], q[6]}, R = TACT_TURN_NORMALISE(now);
    double   angle = h * tact_vec3_norm(w);
    if (angle == 0) {
        return; // q + h v already
    }
    TactVec3 arm = tact_quat_rotate(R, c);
    TactVec3 speed = tact_vec3_add(moves, tact_quat_rotate(R, tact_vec3_cross(w, c)));
    TactVec3 centre = tact_vec3_add_scaled(tact_vec3_add(from, arm), h, speed);
    int      turns = 1 + (int)fmin(angle / TACT_TURN_MOST, 1e4);
    for (int k = 0; k < turns; k++) {
        tact_turn_body(I, h / turns, &R, &w);
    }
    q_end[3] = R.w;
    q_end[4] = R.x;
    q_end[5] = R.y;
    q_end[6] = R.z;
    v_end[3] = w.x;
    v_end[4] = w.y;
    v_end[5] = w.z;
    if (c.x != 0 || c.y != 0 || c.z != 0) { // else the origin is the centre, and moves by h v
        TactVec3 to = tact_vec3_subtract(centre, tact_quat_rotate(R, c));
        TactVec3 last = tact_vec3_subtract(speed, tact_quat_rotate(R, tact_vec3_cross(w, c)));
        q_end[0] = to.x;
        q_end[1] = to.y;
        q_end[2] = to.z;
        v_end[0] = last.x;
        v_end[1] = last.y;
        v_end[2] = last.z;
    }
}

#endif
