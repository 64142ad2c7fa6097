// Meshes made for the tests of collision: triangles are added, then made ready.
#ifndef TACT_TESTS_COLLIDE_MESHES_H
#define TACT_TESTS_COLLIDE_MESHES_H

#include "collide/poses.h"

enum { MAKER_ROOM = 16384 };

typedef struct Maker {
    int          vertex_count, triangle_count;
    TactVec3     vertices[MAKER_ROOM];
    TactTriangle triangles[MAKER_ROOM];
} Maker;

typedef struct Made {
    TactMesh     *mesh;
    TactMeshTree *tree;
    TactShape     shape;
} Made;

static inline Maker *the_maker(void)
{
    static Maker maker;
    return &maker;
}

static inline void begin(void)
{
    the_maker()->vertex_count = the_maker()->triangle_count = 0;
}

static inline void add_triangle(TactVec3 a, TactVec3 b, TactVec3 c)
{
    Maker *m = the_maker();
    int    first = m->vertex_count;
    assert_true(first + 3 <= MAKER_ROOM);
    m->vertices[first] = a;
    m->vertices[first + 1] = b;
    m->vertices[first + 2] = c;
    m->vertex_count += 3;
    m->triangles[m->triangle_count++] = (TactTriangle){{first, first + 1, first + 2}};
}

static inline void add_quad(TactVec3 a, TactVec3 b, TactVec3 c, TactVec3 d)
{
    add_triangle(a, b, c);
    add_triangle(a, c, d);
}

static inline Made make_ready(TactMesh *mesh)
{
    Made made = {.mesh = mesh};
    assert_int_equal(tact_mesh_tree_create(mesh, &made.tree), TACT_OK);
    made.shape = (TactShape){.type = TACT_SHAPE_MESH, .mesh = made.tree};
    return made;
}

static inline Made finish(void)
{
    Maker    *m = the_maker();
    TactMesh *mesh = NULL;
    assert_int_equal(
        tact_mesh_create(m->vertices, m->vertex_count, m->triangles, m->triangle_count, &mesh),
        TACT_OK);
    return make_ready(mesh);
}

static inline void drop(Made *made)
{
    tact_mesh_tree_destroy(made->tree);
    tact_mesh_destroy(made->mesh);
}

/// A box whose faces are cut into cuts x cuts squares of two triangles.
static inline Made make_box(const double half[3], int cuts)
{
    begin();
    for (int face = 0; face < 6; face++) {
        int    k = face / 2, u = (k + 1) % 3, v = (k + 2) % 3;
        double sign = face % 2 ? 1 : -1;
        for (int i = 0; i < cuts * cuts; i++) {
            TactVec3 corner[4];
            for (int c = 0; c < 4; c++) {
                int    column = i % cuts + (c == 1 || c == 2), row = i / cuts + (c >= 2);
                double x[3];
                x[k] = sign * half[k];
                x[u] = half[u] * (2.0 * column / cuts - 1);
                x[v] = half[v] * (2.0 * row / cuts - 1);
                corner[c] = (TactVec3){x[0], x[1], x[2]};
            }
            if (sign > 0) {
                add_quad(corner[0], corner[1], corner[2], corner[3]);
            } else {
                add_quad(corner[3], corner[2], corner[1], corner[0]);
            }
        }
    }
    return finish();
}

/// A prism of many sides along z: caps are fans around their middles, sides are cut in two.
static inline Made make_prism(double radius, double half, int sides)
{
    const double turn = 2 * 3.14159265358979323846 / sides;
    begin();
    for (int i = 0; i < sides; i++) {
        int      j = (i + 1) % sides;
        TactVec3 p = {radius * cos(turn * i), radius * sin(turn * i), -half}, q = p;
        TactVec3 r = {radius * cos(turn * j), radius * sin(turn * j), -half}, s = r;
        q.z = s.z = half;
        add_triangle((TactVec3){0, 0, half}, q, s);
        add_triangle((TactVec3){0, 0, -half}, r, p);
        add_quad(p, r, s, q);
    }
    return finish();
}

static inline Made make_torus(double large, double small, int around, int across)
{
    const double pi = 3.14159265358979323846;
    begin();
    for (int i = 0; i < around * across; i++) {
        TactVec3 v[4];
        for (int c = 0; c < 4; c++) {
            double u = 2 * pi * ((i % around + (c == 1 || c == 2)) % around) / around;
            double w = 2 * pi * ((i / around + (c >= 2)) % across) / across;
            v[c] = (TactVec3){(large + small * cos(w)) * cos(u), (large + small * cos(w)) * sin(u),
                              small * sin(w)};
        }
        add_quad(v[0], v[1], v[2], v[3]);
    }
    return finish();
}

/// The surface of a hull.
static inline Made make_of_hull(const TactHull *hull)
{
    TactMesh *mesh = NULL;
    assert_int_equal(tact_hull_to_mesh(hull, &mesh), TACT_OK);
    return make_ready(mesh);
}

#endif
