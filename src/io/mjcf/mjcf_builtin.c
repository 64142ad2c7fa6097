// Meshes that MJCF makes from parameters, of size 1 about the origin:
//
//     sphere N            an icosahedron, its edges halved N times, on the sphere
//     hemisphere N        an octahedron's upper half, its edges cut into N + 1, on the sphere,
//                         closed
//     cone N R            a ring of N at z = -1 with radius 1, one at z = 1 with radius R (0: a
//                         point)
//     supersphere N E S   longitudes and latitudes in N, x = c(phi, S) c(theta, E), z = s(phi, S)
//     supertorus N R S T  a ring of radius R, |cos|^S across and |cos|^T along, N each
//     plate NX NY         points of a grid at z = -1, in the middle of cells of [-1, 1]^2
//     wedge NX NY A B G   points of the sphere about -z, in the middle of cells of [-A, A] x [-B,
//     B]
//                         degrees, finer in the middle the larger G in [0, 1] is; its hull
//
// with c(w, m) = sign(cos w) |cos w|^m, s alike. Made to have the vertices of MuJoCo 3.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"

static const double PI = 3.14159265358979323846;

enum { MOST_VERTICES = 1 << 20 };

typedef struct Maker {
    TactMjcf          *mjcf;
    const TactXmlNode *node;
    TactMjcfSolid     *shape;
    double             params[5];
} Maker;

static TactStatus take(Maker *m, size_t vertices, size_t triangles)
{
    if (vertices > MOST_VERTICES || triangles > 2 * (size_t)MOST_VERTICES) {
        return tact_xml_fail(m->node, "params", TACT_BAD_INPUT, "a mesh of %zu vertices", vertices);
    }
    m->shape->vertices =
        tact_xml_pool_take(&m->mjcf->xml->pool, vertices, sizeof *m->shape->vertices);
    m->shape->triangles =
        tact_xml_pool_take(&m->mjcf->xml->pool, triangles, sizeof *m->shape->triangles);
    return m->shape->vertices && m->shape->triangles ? TACT_OK : TACT_NO_MEMORY;
}

static int add_vertex(Maker *m, double x, double y, double z)
{
    m->shape->vertices[m->shape->vertex_count] = (TactVec3){x, y, z};
    return m->shape->vertex_count++;
}

static void add_triangle(Maker *m, int a, int b, int c)
{
    m->shape->triangles[m->shape->triangle_count++] = (TactTriangle){{a, b, c}};
}

static void add_quad(Maker *m, int a, int b, int c, int d)
{
    add_triangle(m, a, b, c);
    add_triangle(m, a, c, d);
}

/// A whole number of at least `least` among the parameters.
static TactStatus whole(const Maker *m, int place, int least, int *value)
{
    double given = m->params[place];
    if (!(given >= least && given <= 10000 && given == floor(given))) {
        return tact_xml_fail(m->node, "params", TACT_BAD_INPUT,
                             "number %d is %g, not a whole one from %d on", place + 1, given,
                             least);
    }
    *value = (int)given;
    return TACT_OK;
}

static double power(double x, double exponent)
{
    return copysign(pow(fabs(x), exponent), x);
}

/// Which quarter of the whole turn a part is; -1: none.
static int quarter(int part, int whole)
{
    return whole > 0 && 4 * part % whole == 0 ? 4 * part / whole % 4 : -1;
}

/// cos and sin of a part of the whole turn; of quarters exactly.
static double turn_cos(int part, int whole)
{
    static const double exact[4] = {1, 0, -1, 0};
    int                 at = quarter(part, whole);
    return at >= 0 ? exact[at] : cos(2 * PI * part / whole);
}

static double turn_sin(int part, int whole)
{
    static const double exact[4] = {0, 1, 0, -1};
    int                 at = quarter(part, whole);
    return at >= 0 ? exact[at] : sin(2 * PI * part / whole);
}

// ---------------------------------------------------------------------------------------------

/// The vertex between two, once: pairs that were met are kept with it.
static int middle(Maker *m, int (*met)[3], int *count, int a, int b)
{
    int lo = a < b ? a : b, hi = a < b ? b : a;
    for (int i = 0; i < *count; i++) {
        if (met[i][0] == lo && met[i][1] == hi) {
            return met[i][2];
        }
    }
    TactVec3 v = tact_vec3_normalise(tact_vec3_add(m->shape->vertices[a], m->shape->vertices[b]));
    int      made = add_vertex(m, v.x, v.y, v.z);
    met[*count][0] = lo;
    met[*count][1] = hi;
    met[(*count)++][2] = made;
    return made;
}

static TactStatus make_sphere(Maker *m)
{
    static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    int              times = 0;
    double           g = (1 + sqrt(5)) / 2, s = 1 / sqrt(1 + g * g), l = g * s;
    TACT_TRY(whole(m, 0, 0, &times));
    if (times > 4) {
        return tact_xml_fail(m->node, "params", TACT_BAD_INPUT, "edges are halved 4 times at most");
    }
    size_t most = (size_t)20 << (2 * times);
    TACT_TRY(take(m, most / 2 + 2, most));
    const double corner[12][3] = {{-s, l, 0}, {s, l, 0}, {-s, -l, 0}, {s, -l, 0},
                                  {0, -s, l}, {0, s, l}, {0, -s, -l}, {0, s, -l},
                                  {l, 0, -s}, {l, 0, s}, {-l, 0, -s}, {-l, 0, s}};
    for (int i = 0; i < 12; i++) {
        add_vertex(m, corner[i][0], corner[i][1], corner[i][2]);
    }
    for (int i = 0; i < 20; i++) {
        add_triangle(m, faces[i][0], faces[i][1], faces[i][2]);
    }
    int(*met)[3] = tact_xml_pool_take(&m->mjcf->xml->pool, 3 * most / 2, sizeof *met);
    TactTriangle *old = tact_xml_pool_take(&m->mjcf->xml->pool, most, sizeof *old);
    if (!met || !old) {
        return TACT_NO_MEMORY;
    }
    for (int k = 0; k < times; k++) {
        int count = m->shape->triangle_count, edges = 0;
        memcpy(old, m->shape->triangles, (size_t)count * sizeof *old);
        m->shape->triangle_count = 0;
        for (int i = 0; i < count; i++) {
            const int *v = old[i].vertex;
            int        a = middle(m, met, &edges, v[0], v[1]);
            int        b = middle(m, met, &edges, v[1], v[2]);
            int        c = middle(m, met, &edges, v[2], v[0]);
            add_triangle(m, v[0], a, c);
            add_triangle(m, v[1], b, a);
            add_triangle(m, v[2], c, b);
            add_triangle(m, a, b, c);
        }
    }
    return TACT_OK;
}

/// Ring i has 4 i vertices; its first is vertex 1 + 2 i (i - 1).
static int ring_vertex(int ring, int place)
{
    return ring == 0 ? 0 : 1 + 2 * ring * (ring - 1) + place % (4 * ring);
}

static TactStatus make_hemisphere(Maker *m)
{
    int n = 0;
    TACT_TRY(whole(m, 0, 0, &n));
    n++;
    TACT_TRY(
        take(m, 2 + 2 * (size_t)n * ((size_t)n + 1), 4 * (size_t)n * (size_t)n + 4 * (size_t)n));
    add_vertex(m, 0, 0, 1);
    for (int i = 1; i <= n; i++) {
        for (int k = 0; k < 4 * i; k++) {
            double   along = k % i, rest = i - along; // on the side of the square, from its corner
            double   x[4] = {rest, -along, -rest, along}, y[4] = {along, rest, -along, -rest};
            TactVec3 v = tact_vec3_normalise((TactVec3){x[k / i], y[k / i], n - i});
            add_vertex(m, v.x, v.y, v.z);
        }
    }
    for (int i = 1; i <= n; i++) {
        for (int side = 0; side < 4; side++) {
            for (int k = 0; k < i; k++) {
                int outer = side * i + k, inner = side * (i - 1) + k;
                add_triangle(m, ring_vertex(i, outer), ring_vertex(i, outer + 1),
                             ring_vertex(i - 1, inner));
                if (k + 1 < i) {
                    add_triangle(m, ring_vertex(i - 1, inner), ring_vertex(i, outer + 1),
                                 ring_vertex(i - 1, inner + 1));
                }
            }
        }
    }
    int base = add_vertex(m, 0, 0, 0);
    for (int k = 0; k < 4 * n; k++) {
        add_triangle(m, ring_vertex(n, k + 1), ring_vertex(n, k), base);
    }
    return TACT_OK;
}

static TactStatus make_cone(Maker *m)
{
    int    n = 0;
    double radius = m->params[1];
    TACT_TRY(whole(m, 0, 3, &n));
    if (!(radius >= 0)) {
        return tact_xml_fail(m->node, "params", TACT_BAD_INPUT, "a radius is negative");
    }
    TACT_TRY(take(m, 2 * (size_t)n, 4 * (size_t)n));
    for (int level = 0; level < 2; level++) {
        for (int i = 0; i < (level == 1 && radius == 0 ? 1 : n); i++) {
            double r = level == 0 ? 1 : radius;
            add_vertex(m, r * turn_cos(i, n), r * turn_sin(i, n), level == 0 ? -1 : 1);
        }
    }
    for (int i = 1; i + 1 < n; i++) {
        add_triangle(m, 0, i + 1, i);
        if (radius > 0) {
            add_triangle(m, n, n + i, n + i + 1);
        }
    }
    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n;
        if (radius > 0) {
            add_quad(m, i, next, n + next, n + i);
        } else {
            add_triangle(m, i, next, n);
        }
    }
    return TACT_OK;
}

static TactStatus make_supersphere(Maker *m)
{
    int    n = 0;
    double e = m->params[1], s = m->params[2];
    TACT_TRY(whole(m, 0, 3, &n));
    if (!(e >= 0 && s >= 0)) {
        return tact_xml_fail(m->node, "params", TACT_BAD_INPUT, "an exponent is negative");
    }
    TACT_TRY(take(m, (size_t)n * (size_t)n + 2, 2 * (size_t)n * (size_t)n));
    add_vertex(m, 0, 0, -1);
    for (int i = 1; i < n; i++) {
        double across = power(2 * i == n ? 1 : sin(PI * i / n), s);
        double z = 2 * i == n ? 0 : power(-cos(PI * i / n), s);
        for (int k = 0; k < n; k++) { // from -pi on
            add_vertex(m, across * power(-turn_cos(k, n), e), across * power(-turn_sin(k, n), e),
                       z);
        }
    }
    int top = add_vertex(m, 0, 0, 1);
    for (int k = 0; k < n; k++) {
        int next = (k + 1) % n, last = 1 + (n - 2) * n;
        add_triangle(m, 0, 1 + next, 1 + k);
        for (int i = 0; i + 2 < n; i++) {
            int low = 1 + i * n, high = low + n;
            add_quad(m, low + k, low + next, high + next, high + k);
        }
        add_triangle(m, last + k, last + next, top);
    }
    return TACT_OK;
}

static TactStatus make_supertorus(Maker *m)
{
    int    n = 0;
    double radius = m->params[1], s = m->params[2], t = m->params[3];
    TACT_TRY(whole(m, 0, 3, &n));
    if (!(radius > 0 && radius <= 1 && s > 0 && t > 0)) {
        return tact_xml_fail(m->node, "params", TACT_BAD_INPUT,
                             "the radius is in (0, 1], exponents are positive");
    }
    TACT_TRY(take(m, (size_t)n * (size_t)n, 2 * (size_t)n * (size_t)n));
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double out = 1 + radius * power(turn_cos(k, n), s);
            add_vertex(m, out * power(turn_cos(i, n), t), out * power(turn_sin(i, n), t),
                       radius * power(turn_sin(k, n), s));
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            int next = (i + 1) % n * n, beside = (k + 1) % n;
            add_quad(m, i * n + k, next + k, next + beside, i * n + beside);
        }
    }
    return TACT_OK;
}

static TactStatus make_plate(Maker *m)
{
    int nx = 0, ny = 0;
    TACT_TRY(whole(m, 0, 2, &nx));
    TACT_TRY(whole(m, 1, 2, &ny));
    TACT_TRY(take(m, (size_t)nx * (size_t)ny, 2 * (size_t)nx * (size_t)ny));
    for (int i = 0; i < nx; i++) {
        for (int k = 0; k < ny; k++) {
            add_vertex(m, (2 * i + 1.0) / nx - 1, (2 * k + 1.0) / ny - 1, -1);
        }
    }
    for (int i = 0; i + 1 < nx; i++) {
        for (int k = 0; k + 1 < ny; k++) {
            add_quad(m, i * ny + k, (i + 1) * ny + k, (i + 1) * ny + k + 1, i * ny + k + 1);
        }
    }
    return TACT_OK;
}

/// The middle of cell i of n of [-1, 1]; borders are those of equal cells, x -> G x^5 + (1 - G) x.
static double cell_middle(int i, int n, double G)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        double x = 2.0 * (i + side) / n - 1;
        sum += G * x * x * x * x * x + (1 - G) * x;
    }
    return 0.5 * sum;
}

static TactStatus make_wedge(Maker *m)
{
    int    nx = 0, ny = 0;
    double A = m->params[2], B = m->params[3], G = m->params[4];
    TACT_TRY(whole(m, 0, 1, &nx));
    TACT_TRY(whole(m, 1, 1, &ny));
    if (!(A > 0 && A <= 180 && B > 0 && B <= 90 && G >= 0 && G <= 1)) {
        return tact_xml_fail(m->node, "params", TACT_BAD_INPUT,
                             "angles are in (0, 180] and (0, 90], the last number in [0, 1]");
    }
    TACT_TRY(take(m, (size_t)nx * (size_t)ny, 1));
    for (int i = 0; i < nx; i++) {
        for (int k = 0; k < ny; k++) {
            double a = PI / 180 * A * cell_middle(i, nx, G),
                   b = PI / 180 * B * cell_middle(k, ny, G);
            add_vertex(m, cos(b) * sin(a), sin(b), -cos(b) * cos(a));
        }
    }
    return TACT_OK;
}

typedef struct Builtin {
    const char *name;
    int         count; // parameters
    TactStatus (*make)(Maker *maker);
} Builtin;

static const Builtin builtins[] = {
    {"sphere", 1, make_sphere},
    {"hemisphere", 1, make_hemisphere},
    {"cone", 2, make_cone},
    {"supersphere", 3, make_supersphere},
    {"supertorus", 4, make_supertorus},
    {"plate", 2, make_plate},
    {"wedge", 5, make_wedge},
};

TactStatus tact_mjcf_make_builtin(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfSolid *shape)
{
    const char *name = tact_xml_get(node, "builtin");
    Maker       maker = {.mjcf = mjcf, .node = node, .shape = shape};
    *shape = (TactMjcfSolid){0};
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(builtins[i].name, name) == 0) {
            int count = 0;
            TACT_TRY(tact_xml_reals(mjcf->xml, node, "params", builtins[i].count, builtins[i].count,
                                    maker.params, &count));
            if (count == 0) {
                return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "a %s needs %d params", name,
                                     builtins[i].count);
            }
            return builtins[i].make(&maker);
        }
    }
    return tact_xml_fail(node, "builtin", TACT_UNSUPPORTED,
                         "'%.40s' is none of: sphere, hemisphere, cone, supersphere, supertorus, "
                         "plate, wedge",
                         name);
}
