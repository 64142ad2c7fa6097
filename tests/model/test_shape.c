// Mass properties of shapes, against closed forms derived otherwise and against sampled integrals.
#include "model/made.h"
#include "model/principal.h"
#include "model/shape.h"

static const double pi = 3.14159265358979323846;

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fmax(1e-300, fabs(expected)))) {
        fail_msg("%.17g instead of %.17g: %.3g off", value, expected, value / expected - 1);
    }
}

static void assert_shape(TactShapeMass shape, double measure, double x, double y, double z)
{
    assert_near(shape.measure, measure, 1e-14);
    assert_near(shape.moments.x, x, 1e-14);
    assert_near(shape.moments.y, y, 1e-14);
    assert_near(shape.moments.z, z, 1e-14);
}

static void solids_have_the_moments_of_text_books(void **state)
{
    (void)state;
    const double size[3] = {0.3, 0.5, 0.7};
    double       a = size[0], b = size[1], c = size[2];
    assert_shape(tact_shape_solid(TACT_GEOM_SPHERE, size), 4 * pi * a * a * a / 3, 0.4 * a * a,
                 0.4 * a * a, 0.4 * a * a);
    assert_shape(tact_shape_solid(TACT_GEOM_BOX, size), 8 * a * b * c, (b * b + c * c) / 3,
                 (a * a + c * c) / 3, (a * a + b * b) / 3);
    assert_shape(tact_shape_solid(TACT_GEOM_CYLINDER, size), pi * a * a * 2 * b,
                 (3 * a * a + 4 * b * b) / 12, (3 * a * a + 4 * b * b) / 12, a * a / 2);
    assert_shape(tact_shape_solid(TACT_GEOM_ELLIPSOID, size), 4 * pi * a * b * c / 3,
                 (b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5);
}

/// Integrals of 1, r^2/2 (mean of x^2) and z^2 over slices of a body of revolution with the radius
/// r(z), by Simpson's rule.
static TactShapeMass revolve(double (*radius)(double, const double *), const double *size,
                             double end)
{
    enum { SLICES = 20000 };
    double volume = 0, xx = 0, zz = 0;
    for (int i = 0; i <= SLICES; i++) {
        double z = -end + 2 * end * i / SLICES;
        double r = radius(z, size), r2 = r * r;
        double weight = i == 0 || i == SLICES ? 1 : i % 2 == 1 ? 4 : 2;
        volume += weight * pi * r2;
        xx += weight * pi * r2 * r2 / 4;
        zz += weight * pi * r2 * z * z;
    }
    double step = 2 * end / SLICES / 3;
    return (TactShapeMass){volume * step,
                           {(xx + zz) / volume, (xx + zz) / volume, 2 * xx / volume}};
}

static double capsule_radius(double z, const double *size)
{
    double beyond = fmax(0, fabs(z) - size[1]);
    return sqrt(fmax(0, size[0] * size[0] - beyond * beyond));
}

static void a_capsule_has_the_moments_of_its_slices(void **state)
{
    (void)state;
    const double  size[3] = {0.3, 0.5, 0};
    TactShapeMass shape = tact_shape_solid(TACT_GEOM_CAPSULE, size);
    TactShapeMass sum = revolve(capsule_radius, size, size[0] + size[1]);
    // r^2 is smooth but for the joins at |z| = 0.5, which are nodes: 0.5 = 0.8 (1 - 2 i / 20000).
    assert_near(shape.measure, sum.measure, 1e-9);
    assert_near(shape.moments.x, sum.moments.x, 1e-9);
    assert_near(shape.moments.z, sum.moments.z, 1e-9);
}

static void a_capsule_without_length_is_a_sphere(void **state)
{
    (void)state;
    const double  size[3] = {0.3, 0, 0};
    TactShapeMass sphere = tact_shape_solid(TACT_GEOM_SPHERE, size);
    TactVec3      m = sphere.moments;
    assert_shape(tact_shape_solid(TACT_GEOM_CAPSULE, size), sphere.measure, m.x, m.y, m.z);
    sphere = tact_shape_shell(TACT_GEOM_SPHERE, size);
    m = sphere.moments;
    assert_shape(tact_shape_shell(TACT_GEOM_CAPSULE, size), sphere.measure, m.x, m.y, m.z);
}

// ---------------------------------------------------------------------------------------------
// Shells: the surface of a shape that grows by dr everywhere is the derivative of its solid.

typedef struct Moments {
    double volume, x, y, z; // moments of density 1
} Moments;

static Moments solid(TactGeomType type, double a, double b, double c)
{
    TactShapeMass shape = tact_shape_solid(type, (const double[]){a, b, c});
    return (Moments){shape.measure, shape.measure * shape.moments.x,
                     shape.measure * shape.moments.y, shape.measure * shape.moments.z};
}

/// Central difference, Richardson once: error of the order h^4.
static double derivative(const double f[4], double h)
{
    double wide = (f[3] - f[0]) / (4 * h), narrow = (f[2] - f[1]) / (2 * h);
    return (4 * narrow - wide) / 3;
}

static void shells_are_the_derivative_of_solids_that_grow(void **state)
{
    (void)state;
    // All sides of these move outwards by the same amount when their sizes grow; of a capsule it is
    // the radius alone.
    const TactGeomType types[] = {TACT_GEOM_SPHERE, TACT_GEOM_CAPSULE, TACT_GEOM_CYLINDER,
                                  TACT_GEOM_BOX};
    const double       size[3] = {0.3, 0.5, 0.7};
    const double       h = 1e-3;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        double volume[4], x[4], y[4], z[4];
        for (int i = 0; i < 4; i++) {
            double  d = (i - 1.5 > 0 ? 1 : -1) * (i == 0 || i == 3 ? 2 * h : h);
            double  along = types[t] == TACT_GEOM_CAPSULE ? 0 : d;
            Moments m = solid(types[t], size[0] + d, size[1] + along, size[2] + d);
            volume[i] = m.volume;
            x[i] = m.x;
            y[i] = m.y;
            z[i] = m.z;
        }
        TactShapeMass shell = tact_shape_shell(types[t], size);
        double        area = derivative(volume, h);
        assert_near(shell.measure, area, 1e-9);
        assert_near(shell.moments.x, derivative(x, h) / area, 1e-9);
        assert_near(shell.moments.y, derivative(y, h) / area, 1e-9);
        assert_near(shell.moments.z, derivative(z, h) / area, 1e-9);
    }
}

static void the_shell_of_a_round_ellipsoid_is_that_of_a_sphere(void **state)
{
    (void)state;
    const double  size[3] = {0.3, 0.3, 0.3};
    TactShapeMass sphere = tact_shape_shell(TACT_GEOM_SPHERE, size);
    TactShapeMass shell = tact_shape_shell(TACT_GEOM_ELLIPSOID, size);
    assert_near(shell.measure, sphere.measure, 1e-12);
    assert_near(shell.moments.x, sphere.moments.x, 1e-12);
    assert_near(shell.moments.z, sphere.moments.z, 1e-12);
}

static void the_shell_of_a_spheroid_has_the_area_of_the_closed_form(void **state)
{
    (void)state;
    // Oblate, a = b > c:  2 pi a^2 + pi c^2 / e log((1 + e) / (1 - e)),  e^2 = 1 - c^2 / a^2.
    // Prolate, a = b < c: 2 pi a^2 + 2 pi a c / e asin(e),               e^2 = 1 - a^2 / c^2.
    const double ratios[] = {0.001, 0.01, 0.1, 0.5, 0.9, 1.1, 2, 10, 100, 1000};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        double a = 0.3, c = a * ratios[i], area = 2 * pi * a * a;
        if (c < a) {
            double e = sqrt((1 - c / a) * (1 + c / a));
            area += pi * c * c / e * log((1 + e) * (1 + e) * a * a / (c * c));
        } else {
            double e = sqrt((1 - a / c) * (1 + a / c));
            area += 2 * pi * a * c / e * asin(e);
        }
        const double orders[3][3] = {{a, a, c}, {a, c, a}, {c, a, a}};
        for (int k = 0; k < 3; k++) {
            assert_near(tact_shape_shell(TACT_GEOM_ELLIPSOID, orders[k]).measure, area, 1e-10);
        }
    }
}

/// Midpoints of a fine net of triangles, exact to the square of its width; extrapolated.
static TactShapeMass net(double a, double b, double c, int n)
{
    double area = 0, xx = 0, yy = 0, zz = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            // Parameters on an eighth; the area element is |dx/de x dx/dt|.
            double   e = pi / 2 * (i + 0.5) / n, t = pi / 2 * (j + 0.5) / n;
            TactVec3 x = {a * cos(e) * cos(t), b * cos(e) * sin(t), c * sin(e)};
            TactVec3 de = {-a * sin(e) * cos(t), -b * sin(e) * sin(t), c * cos(e)};
            TactVec3 dt = {-a * cos(e) * sin(t), b * cos(e) * cos(t), 0};
            double   weight = tact_vec3_norm(tact_vec3_cross(de, dt));
            area += weight;
            xx += weight * x.x * x.x;
            yy += weight * x.y * x.y;
            zz += weight * x.z * x.z;
        }
    }
    double step = pi / 2 / n;
    return (TactShapeMass){8 * area * step * step,
                           {(yy + zz) / area, (xx + zz) / area, (xx + yy) / area}};
}

static void the_shell_of_an_ellipsoid_has_the_moments_of_its_surface(void **state)
{
    (void)state;
    const double  size[3] = {0.3, 0.5, 0.7};
    TactShapeMass shell = tact_shape_shell(TACT_GEOM_ELLIPSOID, size);
    TactShapeMass coarse = net(size[0], size[1], size[2], 500);
    TactShapeMass fine = net(size[0], size[1], size[2], 1000);
    assert_near(shell.measure, (4 * fine.measure - coarse.measure) / 3, 1e-10);
    assert_near(shell.moments.x, (4 * fine.moments.x - coarse.moments.x) / 3, 1e-10);
    assert_near(shell.moments.y, (4 * fine.moments.y - coarse.moments.y) / 3, 1e-10);
    assert_near(shell.moments.z, (4 * fine.moments.z - coarse.moments.z) / 3, 1e-10);
}

static void planes_meshes_and_height_fields_have_no_mass_of_a_shape(void **state)
{
    (void)state;
    const double       size[3] = {1, 1, 1};
    const TactGeomType types[] = {TACT_GEOM_PLANE, TACT_GEOM_CONVEX, TACT_GEOM_MESH,
                                  TACT_GEOM_HEIGHTFIELD};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        assert_true(tact_shape_solid(types[i], size).measure == 0);
        assert_true(tact_shape_shell(types[i], size).measure == 0);
    }
}

// ---------------------------------------------------------------------------------------------
// Principal axes

static void principal_axes_rebuild_the_matrix(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int trial = 0; trial < 1000; trial++) {
        TactQuat q = {tact_random_normal(&random), tact_random_normal(&random),
                      tact_random_normal(&random), tact_random_normal(&random)};
        TactMat3 turn = tact_quat_to_mat3(tact_quat_normalise(q));
        double   given[3], found[3];
        for (int i = 0; i < 3; i++) {
            given[i] = exp(tact_random_uniform(&random, -10, 10));
        }
        TactMat3 A = tact_principal_compose(given, turn), axes;
        tact_principal_axes(A, found, &axes);
        TactMat3 back = tact_principal_compose(found, axes);
        double   scale = fmax(given[0], fmax(given[1], given[2]));
        double   trace = 0, product = 1;
        for (int i = 0; i < 3; i++) {
            trace += found[i] - given[i];
            product *= found[i] / given[i];
            for (int j = 0; j < 3; j++) {
                assert_true(fabs(A.m[i][j] - back.m[i][j]) <= 1e-14 * scale);
            }
        }
        assert_true(fabs(trace) <= 1e-14 * scale);
        assert_true(fabs(tact_mat3_determinant(axes) - 1) <= 1e-14);
        if (fmin(given[0], fmin(given[1], given[2])) > 1e-3 * scale) {
            assert_true(fabs(product - 1) <= 1e-11);
        }
    }
}

static void a_diagonal_matrix_keeps_its_very_numbers(void **state)
{
    (void)state;
    double   moments[3];
    TactMat3 axes;
    tact_principal_axes(tact_mat3_diagonal((TactVec3){0.1, 0.2, 0.3}), moments, &axes);
    assert_true(moments[0] == 0.1 && moments[1] == 0.2 && moments[2] == 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_have_the_moments_of_text_books),
        cmocka_unit_test(a_capsule_has_the_moments_of_its_slices),
        cmocka_unit_test(a_capsule_without_length_is_a_sphere),
        cmocka_unit_test(shells_are_the_derivative_of_solids_that_grow),
        cmocka_unit_test(the_shell_of_a_round_ellipsoid_is_that_of_a_sphere),
        cmocka_unit_test(the_shell_of_a_spheroid_has_the_area_of_the_closed_form),
        cmocka_unit_test(the_shell_of_an_ellipsoid_has_the_moments_of_its_surface),
        cmocka_unit_test(planes_meshes_and_height_fields_have_no_mass_of_a_shape),
        cmocka_unit_test(principal_axes_rebuild_the_matrix),
        cmocka_unit_test(a_diagonal_matrix_keeps_its_very_numbers),
    };
    return cmocka_run_group_tests_name("model/shape", tests, NULL, NULL);
}
