// Meshes whose volume and inertia are known, and random ones: for tests of meshes and hulls.
#ifndef TESTS_MODEL_SHAPES_H
#define TESTS_MODEL_SHAPES_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/mesh.h>

/// Corners of a box with half sides a, b, c; bits of the index are x, y, z.
static inline void box_corners(double a, double b, double c, TactVec3 corner[8])
{
    for (int i = 0; i < 8; i++) {
        corner[i] = (TactVec3){i & 1 ? a : -a, i & 2 ? b : -b, i & 4 ? c : -c};
    }
}

/// Its twelve triangles, outwards.
static const TactTriangle box_triangles[12] = {
    {{0, 2, 3}}, {{0, 3, 1}}, {{4, 5, 7}}, {{4, 7, 6}}, {{0, 1, 5}}, {{0, 5, 4}},
    {{2, 6, 7}}, {{2, 7, 3}}, {{0, 4, 6}}, {{0, 6, 2}}, {{1, 3, 7}}, {{1, 7, 5}},
};

static inline TactMesh *make_mesh(const TactVec3 *vertices, int vertex_count,
                                  const TactTriangle *triangles, int triangle_count)
{
    TactMesh *mesh = NULL;
    if (tact_mesh_create(vertices, vertex_count, triangles, triangle_count, &mesh) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return mesh;
}

static inline TactMesh *make_box(double a, double b, double c)
{
    TactVec3 corner[8];
    box_corners(a, b, c, corner);
    return make_mesh(corner, 8, box_triangles, 12);
}

static inline TactMeshProperties properties_of(const TactMesh *mesh, TactMeshInertia kind,
                                               double density)
{
    TactMeshProperties properties = {0};
    if (tact_mesh_compute_properties(mesh, kind, density, &properties) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return properties;
}

static inline void assert_near(double x, double expected, double tolerance)
{
    if (!(fabs(x - expected) <= tolerance)) {
        fail_msg("%.17g is not %.17g to %g", x, expected, tolerance);
    }
}

static inline void assert_vec3_near(TactVec3 x, TactVec3 expected, double tolerance)
{
    assert_near(x.x, expected.x, tolerance);
    assert_near(x.y, expected.y, tolerance);
    assert_near(x.z, expected.z, tolerance);
}

static inline void assert_mat3_near(TactMat3 x, TactMat3 expected, double tolerance)
{
    for (int i = 0; i < 9; i++) {
        assert_near(x.m[i / 3][i % 3], expected.m[i / 3][i % 3], tolerance);
    }
}

/// Fails unless the last message has these words in it.
static inline void assert_said(const char *words)
{
    if (!strstr(tact_status_message(), words)) {
        fail_msg("the message is \"%s\", without \"%s\"", tact_status_message(), words);
    }
}

static inline TactVec3 random_point(TactRandom *random)
{
    TactVec3 x;
    x.x = tact_random_uniform(random, -1, 1);
    x.y = tact_random_uniform(random, -1, 1);
    x.z = tact_random_uniform(random, -1, 1);
    return x;
}

static inline TactTransform random_transform(TactRandom *random)
{
    TactQuat q;
    q.w = tact_random_normal(random);
    q.x = tact_random_normal(random);
    q.y = tact_random_normal(random);
    q.z = tact_random_normal(random);
    return (TactTransform){tact_quat_normalise(q), tact_vec3_scale(3, random_point(random))};
}

#endif
