// Spatial algebra in the axes of the world, every body's vectors at its own centre of mass. Going
// from one body to the next is then a shift without a rotation, and never over more than the
// distance of the two, so that nothing cancels however far from the origin a mechanism stands.
//
//     shift of a motion to the point at r:   v' = v + w x r         w' = w
//     shift of a force from the point at r:  f' = f                 t' = t + r x f
#ifndef TACT_DYNAMICS_SPATIAL_H
#define TACT_DYNAMICS_SPATIAL_H

#include <tact/math.h>

/// Symmetric 3 x 3 matrix.
typedef struct TactSym3 {
    double xx, yy, zz, xy, xz, yz;
} TactSym3;

static inline TactSym3 tact_sym3_add(TactSym3 A, TactSym3 B)
{
    TactSym3 sum = {A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.xz + B.xz, A.yz + B.yz};
    return sum;
}

static inline TactVec3 tact_sym3_apply(TactSym3 A, TactVec3 v)
{
    TactVec3 product = {
        A.xx * v.x + A.xy * v.y + A.xz * v.z,
        A.xy * v.x + A.yy * v.y + A.yz * v.z,
        A.xz * v.x + A.yz * v.y + A.zz * v.z,
    };
    return product;
}

/// R I R' of a symmetric I
static inline TactSym3 tact_sym3_rotate(const TactMat3 *R, const TactMat3 *I)
{
    const double(*r)[3] = R->m;
    double a[3][3]; // R I
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[i][j] = r[i][0] * I->m[0][j] + r[i][1] * I->m[1][j] + r[i][2] * I->m[2][j];
        }
    }
    TactSym3 turned = {
        a[0][0] * r[0][0] + a[0][1] * r[0][1] + a[0][2] * r[0][2],
        a[1][0] * r[1][0] + a[1][1] * r[1][1] + a[1][2] * r[1][2],
        a[2][0] * r[2][0] + a[2][1] * r[2][1] + a[2][2] * r[2][2],
        a[0][0] * r[1][0] + a[0][1] * r[1][1] + a[0][2] * r[1][2],
        a[0][0] * r[2][0] + a[0][1] * r[2][1] + a[0][2] * r[2][2],
        a[1][0] * r[2][0] + a[1][1] * r[2][1] + a[1][2] * r[2][2],
    };
    return turned;
}

/// m (r'r 1 - r r'): inertia of a point mass at r
static inline TactSym3 tact_sym3_point_mass(double m, TactVec3 r)
{
    double   x = m * r.x, y = m * r.y, z = m * r.z;
    TactSym3 I = {
        y * r.y + z * r.z, x * r.x + z * r.z, x * r.x + y * r.y, -x * r.y, -x * r.z, -y * r.z,
    };
    return I;
}

/// Motion of the same body at the point r further on.
static inline TactTwist tact_twist_shift(TactTwist v, TactVec3 r)
{
    TactTwist moved = {tact_vec3_add(v.linear, tact_vec3_cross(v.angular, r)), v.angular};
    return moved;
}

/// The same force about the point that lies at -r.
static inline TactWrench tact_wrench_shift(TactWrench f, TactVec3 r)
{
    TactWrench moved = {f.force, tact_vec3_add(f.torque, tact_vec3_cross(r, f.force))};
    return moved;
}

static inline TactTwist tact_twist_add_scaled(TactTwist a, double s, TactTwist b)
{
    TactTwist sum = {
        tact_vec3_add_scaled(a.linear, s, b.linear),
        tact_vec3_add_scaled(a.angular, s, b.angular),
    };
    return sum;
}

static inline TactWrench tact_wrench_add_scaled(TactWrench a, double s, TactWrench b)
{
    TactWrench sum = {
        tact_vec3_add_scaled(a.force, s, b.force),
        tact_vec3_add_scaled(a.torque, s, b.torque),
    };
    return sum;
}

/// a x b of motions: how b changes that is fixed in a body moving with a
static inline TactTwist tact_twist_times(TactTwist a, TactTwist b)
{
    TactTwist c = {
        tact_vec3_add(tact_vec3_cross(a.angular, b.linear), tact_vec3_cross(a.linear, b.angular)),
        tact_vec3_cross(a.angular, b.angular),
    };
    return c;
}

// ---------------------------------------------------------------------------------------------
// Articulated-body inertia: force = I motion for a body that carries others through joints.
//
//     f = M v + H' w,    t = H v + J w        M, J symmetric

typedef struct TactArticulated {
    TactSym3 M;
    TactMat3 H;
    TactSym3 J;
} TactArticulated;

static inline TactWrench tact_articulated_apply(const TactArticulated *I, TactTwist v)
{
    TactWrench f = {
        tact_vec3_add(tact_sym3_apply(I->M, v.linear), tact_mat3_apply_transpose(I->H, v.angular)),
        tact_vec3_add(tact_mat3_apply(I->H, v.linear), tact_sym3_apply(I->J, v.angular)),
    };
    return f;
}

/// I -= s U U'
static inline void tact_articulated_remove(TactArticulated *I, double s, TactWrench U)
{
    const double f[3] = {U.force.x, U.force.y, U.force.z};
    const double t[3] = {U.torque.x, U.torque.y, U.torque.z};
    I->M.xx -= s * f[0] * f[0];
    I->M.yy -= s * f[1] * f[1];
    I->M.zz -= s * f[2] * f[2];
    I->M.xy -= s * f[0] * f[1];
    I->M.xz -= s * f[0] * f[2];
    I->M.yz -= s * f[1] * f[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            I->H.m[i][j] -= s * t[i] * f[j];
        }
    }
    I->J.xx -= s * t[0] * t[0];
    I->J.yy -= s * t[1] * t[1];
    I->J.zz -= s * t[2] * t[2];
    I->J.xy -= s * t[0] * t[1];
    I->J.xz -= s * t[0] * t[2];
    I->J.yz -= s * t[1] * t[2];
}

/// sum += I, seen from the point that lies at -r:
///     M' = M,  H' = H + [r] M,  J' = J - H [r] + [r] H''
static inline void tact_articulated_add_shifted(TactArticulated *sum, const TactArticulated *I,
                                                TactVec3 r)
{
    const TactSym3 *M = &I->M;
    const double(*h)[3] = I->H.m;
    // H' = H + [r] M, [r] = [[0,-z,y],[z,0,-x],[-y,x,0]]
    double n[3][3] = {
        {h[0][0] - r.z * M->xy + r.y * M->xz, h[0][1] - r.z * M->yy + r.y * M->yz,
         h[0][2] - r.z * M->yz + r.y * M->zz},
        {h[1][0] + r.z * M->xx - r.x * M->xz, h[1][1] + r.z * M->xy - r.x * M->yz,
         h[1][2] + r.z * M->xz - r.x * M->zz},
        {h[2][0] - r.y * M->xx + r.x * M->xy, h[2][1] - r.y * M->xy + r.x * M->yy,
         h[2][2] - r.y * M->xz + r.x * M->yz},
    };
    // (H [r])_ij: columns (h1 z - h2 y, -h0 z + h2 x, h0 y - h1 x); ([r] H'')_ij with rows of n
    sum->J.xx += I->J.xx - (h[0][1] * r.z - h[0][2] * r.y) + (-r.z * n[0][1] + r.y * n[0][2]);
    sum->J.yy += I->J.yy - (-h[1][0] * r.z + h[1][2] * r.x) + (r.z * n[1][0] - r.x * n[1][2]);
    sum->J.zz += I->J.zz - (h[2][0] * r.y - h[2][1] * r.x) + (-r.y * n[2][0] + r.x * n[2][1]);
    sum->J.xy += I->J.xy - (-h[0][0] * r.z + h[0][2] * r.x) + (-r.z * n[1][1] + r.y * n[1][2]);
    sum->J.xz += I->J.xz - (h[0][0] * r.y - h[0][1] * r.x) + (-r.z * n[2][1] + r.y * n[2][2]);
    sum->J.yz += I->J.yz - (h[1][0] * r.y - h[1][1] * r.x) + (r.z * n[2][0] - r.x * n[2][2]);
    sum->M = tact_sym3_add(sum->M, I->M);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum->H.m[i][j] += n[i][j];
        }
    }
}

#endif
