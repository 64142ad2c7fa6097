#include <tact/math.h>

TactMat3 tact_mat3_identity(void)
{
    return (TactMat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

TactMat3 tact_mat3_diagonal(TactVec3 d)
{
    return (TactMat3){{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}};
}

TactMat3 tact_mat3_from_columns(TactVec3 a, TactVec3 b, TactVec3 c)
{
    return (TactMat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

TactMat3 tact_mat3_skew(TactVec3 a)
{
    return (TactMat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}

TactMat3 tact_mat3_outer(TactVec3 a, TactVec3 b)
{
    return (TactMat3){{
        {a.x * b.x, a.x * b.y, a.x * b.z},
        {a.y * b.x, a.y * b.y, a.y * b.z},
        {a.z * b.x, a.z * b.y, a.z * b.z},
    }};
}

TactMat3 tact_mat3_add(TactMat3 A, TactMat3 B)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A.m[i][j] += B.m[i][j];
        }
    }
    return A;
}

TactMat3 tact_mat3_scale(double s, TactMat3 A)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A.m[i][j] *= s;
        }
    }
    return A;
}

TactMat3 tact_mat3_transpose(TactMat3 A)
{
    TactMat3 T;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            T.m[i][j] = A.m[j][i];
        }
    }
    return T;
}

TactMat3 tact_mat3_multiply(TactMat3 A, TactMat3 B)
{
    TactMat3 C;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C.m[i][j] = A.m[i][0] * B.m[0][j] + A.m[i][1] * B.m[1][j] + A.m[i][2] * B.m[2][j];
        }
    }
    return C;
}

static TactVec3 row(TactMat3 A, int i)
{
    return (TactVec3){A.m[i][0], A.m[i][1], A.m[i][2]};
}

double tact_mat3_determinant(TactMat3 A)
{
    return tact_vec3_dot(row(A, 0), tact_vec3_cross(row(A, 1), row(A, 2)));
}

bool tact_mat3_invert(TactMat3 A, TactMat3 *inverse)
{
    // The columns of det(A) A^-1 are the cross products of the rows of A.
    TactVec3 a = row(A, 0), b = row(A, 1), c = row(A, 2);
    TactVec3 bc = tact_vec3_cross(b, c);
    double   determinant = tact_vec3_dot(a, bc);
    if (determinant == 0 || !isfinite(determinant)) {
        return false;
    }
    TactMat3 cofactors = tact_mat3_from_columns(bc, tact_vec3_cross(c, a), tact_vec3_cross(a, b));
    *inverse = tact_mat3_scale(1 / determinant, cofactors);
    return true;
}
