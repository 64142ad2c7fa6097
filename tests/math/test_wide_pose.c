// Rotations and poses in lanes: the bits of math.h.
#include "math/wide_pose.h"

#include "base/clones.h"
#include "reference.h"

/// Compared as numbers: a zero may have another sign.
static void assert_same(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++) {
        assert_true(a[i] == b[i]);
    }
}

TACT_CLONES static void compose(const TactTransform *a, const TactTransform *b, TactTransform *out)
{
    TactWidePose wide = TACT_WIDE_POSE(a), product;
    tact_wide_compose(&wide.rotation, &wide.position, b, &product);
    tact_wide_write(&product, out);
}

TACT_CLONES static void turn(const TactQuat *q, const TactVec3 *v, TactVec3 *rotated,
                             TactVec3 *crossed, double *norm, TactMat3 *R)
{
    TactLanes rotation = TACT_LANES_AT(&q->w), vector = TACT_WIDE_VEC3(*v), out, columns[3];
    tact_wide_rotate(&rotation, &vector, &out);
    *rotated = (TactVec3){out[1], out[2], out[3]};
    *norm = tact_wide_norm(&vector);
    tact_wide_cross(&rotation, &vector, &out);
    *crossed = (TactVec3){out[1], out[2], out[3]};
    tact_wide_columns(&rotation, columns);
    for (int i = 0; i < 9; i++) {
        R->m[i / 3][i % 3] = columns[i % 3][1 + i / 3];
    }
}

static void products_of_poses_are_those_of_plain_code(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        TactTransform a = random_transform(&random), b = random_transform(&random), wide;
        TactTransform plain = tact_transform_multiply(a, b);
        compose(&a, &b, &wide);
        assert_same(&wide.rotation.w, &plain.rotation.w, 4);
        assert_same(&wide.position.x, &plain.position.x, 3);
    }
}

static void rotations_are_those_of_plain_code(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    for (int round = 0; round < ROUNDS; round++) {
        TactQuat q = random_quat(&random);
        TactVec3 v = random_vec3(&random), axis = {q.x, q.y, q.z}, rotated, crossed;
        TactVec3 plain = tact_quat_rotate(q, v), cross = tact_vec3_cross(axis, v);
        TactMat3 R, matrix = tact_quat_to_mat3(q);
        double   norm, length = tact_vec3_norm(v);
        turn(&q, &v, &rotated, &crossed, &norm, &R);
        assert_same(&rotated.x, &plain.x, 3);
        assert_same(&crossed.x, &cross.x, 3);
        assert_same(&norm, &length, 1);
        assert_same(&R.m[0][0], &matrix.m[0][0], 9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_poses_are_those_of_plain_code),
        cmocka_unit_test(rotations_are_those_of_plain_code),
    };
    return cmocka_run_group_tests_name("math/wide_pose", tests, NULL, NULL);
}
