#include <string.h>
#include <tact/math.h>

#include "base/status.h"

static TactVec3 vector_part(TactQuat q)
{
    return (TactVec3){q.x, q.y, q.z};
}

static TactQuat quat_of(double w, TactVec3 v)
{
    return (TactQuat){w, v.x, v.y, v.z};
}

static double norm(TactQuat q)
{
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

TactQuat tact_quat_normalise(TactQuat q)
{
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) {
        return tact_quat_identity();
    }
    // Divided by its largest entry first, so that no square overflows or vanishes.
    double   largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    TactQuat p = {q.w / largest, q.x / largest, q.y / largest, q.z / largest};
    double   s = 1 / norm(p);
    return (TactQuat){s * p.w, s * p.x, s * p.y, s * p.z};
}

// ---------------------------------------------------------------------------------------------
// Axis and angle, exponential and logarithm

TactQuat tact_quat_from_axis_angle(TactVec3 axis, double angle)
{
    TactVec3 unit = tact_vec3_normalise(axis);
    if (unit.x == 0 && unit.y == 0 && unit.z == 0) {
        return tact_quat_identity();
    }
    return quat_of(cos(0.5 * angle), tact_vec3_scale(sin(0.5 * angle), unit));
}

void tact_quat_to_axis_angle(TactQuat q, TactVec3 *axis, double *angle)
{
    TactVec3 r = tact_quat_log(q);
    *angle = tact_vec3_norm(r);
    *axis = tact_vec3_normalise(r);
    if (*angle == 0) {
        *axis = (TactVec3){1, 0, 0};
    }
}

TactQuat tact_quat_exp(TactVec3 r)
{
    // Where |r| vanishes, or its square does, sin(|r|/2) / |r| is 1/2.
    double angle = tact_vec3_norm(r);
    double s = angle == 0 ? 0.5 : sin(0.5 * angle) / angle;
    return quat_of(cos(0.5 * angle), tact_vec3_scale(s, r));
}

TactVec3 tact_quat_log(TactQuat q)
{
    q = tact_quat_normalise(q);
    if (q.w < 0) {
        q = (TactQuat){-q.w, -q.x, -q.y, -q.z};
    }
    // Where the sine vanishes, or its square does, angle / sine is 2.
    double sine = tact_vec3_norm(vector_part(q));
    double s = sine == 0 ? 2 : 2 * atan2(sine, q.w) / sine;
    return tact_vec3_scale(s, vector_part(q));
}

TactQuat tact_quat_slerp(TactQuat a, TactQuat b, double t)
{
    if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0) {
        b = (TactQuat){-b.w, -b.x, -b.y, -b.z};
    }
    // The angle between them from both chords: accurate where they (nearly) coincide.
    TactQuat difference = {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
    TactQuat sum = {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
    double   angle = 2 * atan2(norm(difference), norm(sum));
    double   sine = sin(angle);
    double   s = 1 - t;
    if (sine > 1e-8) { // below, the weights are 1 - t and t to the last bit
        s = sin((1 - t) * angle) / sine;
        t = sin(t * angle) / sine;
    }
    return tact_quat_normalise(
        (TactQuat){s * a.w + t * b.w, s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z});
}

// ---------------------------------------------------------------------------------------------
// Matrices and Euler angles

TactMat3 tact_quat_to_mat3(TactQuat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (TactMat3){{
        {1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
        {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
        {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)},
    }};
}

TactQuat tact_quat_from_mat3(TactMat3 R)
{
    // 4 times the squares of w, x, y, z from the diagonal; the row of products with the largest of
    // them gives the quaternion up to its length and loses nothing [Shepperd 1978].
    double d0 = R.m[0][0], d1 = R.m[1][1], d2 = R.m[2][2];
    double ww = 1 + d0 + d1 + d2, xx = 1 + d0 - d1 - d2;
    double yy = 1 - d0 + d1 - d2, zz = 1 - d0 - d1 + d2;
    double wx = R.m[2][1] - R.m[1][2], wy = R.m[0][2] - R.m[2][0], wz = R.m[1][0] - R.m[0][1];
    double xy = R.m[1][0] + R.m[0][1], xz = R.m[2][0] + R.m[0][2], yz = R.m[2][1] + R.m[1][2];

    TactQuat q;
    if (ww >= xx && ww >= yy && ww >= zz) {
        q = (TactQuat){ww, wx, wy, wz};
    } else if (xx >= yy && xx >= zz) {
        q = (TactQuat){wx, xx, xy, xz};
    } else if (yy >= zz) {
        q = (TactQuat){wy, xy, yy, yz};
    } else {
        q = (TactQuat){wz, xz, yz, zz};
    }
    if (q.w < 0) {
        q = (TactQuat){-q.w, -q.x, -q.y, -q.z};
    }
    return tact_quat_normalise(q);
}

TactStatus tact_quat_from_euler(const char *sequence, TactVec3 angles, TactQuat *q)
{
    if (!sequence || !q || strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3) {
        return tact_fail(TACT_BAD_ARGUMENT, "'%s' is not three letters of x y z X Y Z",
                         sequence ? sequence : "(null)");
    }
    const double angle[3] = {angles.x, angles.y, angles.z};
    *q = tact_quat_identity();
    for (int i = 0; i < 3; i++) {
        char     c = sequence[i];
        TactVec3 axis = {c == 'x' || c == 'X', c == 'y' || c == 'Y', c == 'z' || c == 'Z'};
        TactQuat turn = tact_quat_from_axis_angle(axis, angle[i]);
        // An axis of the body acts before what came so far, one of space after it.
        *q = c >= 'x' ? tact_quat_multiply(*q, turn) : tact_quat_multiply(turn, *q);
    }
    return TACT_OK;
}
