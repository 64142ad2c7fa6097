// Volume, centre and inertia of meshes.
//
// A solid is the sum of the pyramids from a point o to its triangles (d, e, f), counted negative
// where a triangle is seen from behind. Of one, with D = d - o and so on:
//
//     V = det(D, E, F) / 6
//     centre = o + (D + E + F) / 4
//     integral of x x' over it, x from o:  V / 20 ((D+E+F)(D+E+F)' + DD' + EE' + FF')
//
// A triangle as a shell has the area A instead of V, (D + E + F) / 3, and A / 12.
//
// MuJoCo's 'legacy' takes |V| instead of V, with o the centre of the surface for the centre of
// mass, and then with o the centre of mass for mass and inertia: its figures depend on o, so that
// both steps are done here as they are there, and for a mesh with holes too. The others do not
// depend on it, but profit from an o in the middle.
#include <tact/mesh.h>

#include "base/status.h"
#include "model/mesh/mesh_hull.h"

// A solid whose volume is below this, relative to area * diagonal, is flat.
static const double flat_tol = 1e-12;

/// Sums over triangles: amount (volume or area), first and second moments from o.
typedef struct Moments {
    double   amount;
    TactVec3 first;  // integral of x
    TactMat3 second; // integral of x x'
} Moments;

static double triangle_area(TactVec3 D, TactVec3 E, TactVec3 F)
{
    TactVec3 normal = tact_vec3_cross(tact_vec3_subtract(E, D), tact_vec3_subtract(F, D));
    return 0.5 * tact_vec3_norm(normal);
}

static double amount_of(TactMeshInertia kind, TactVec3 D, TactVec3 E, TactVec3 F)
{
    if (kind == TACT_MESH_INERTIA_SHELL) {
        return triangle_area(D, E, F);
    }
    // From the edges at D, so that a thin triangle far from o loses no digits.
    TactVec3 normal = tact_vec3_cross(tact_vec3_subtract(E, D), tact_vec3_subtract(F, D));
    double   volume = tact_vec3_dot(D, normal) / 6;
    return kind == TACT_MESH_INERTIA_LEGACY ? fabs(volume) : volume;
}

static void add_square(double weight, TactVec3 a, TactMat3 *sum)
{
    double x[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            sum->m[i][k] += weight * x[i] * x[k];
        }
    }
}

static Moments integrate(const TactMesh *mesh, TactMeshInertia kind, TactVec3 o)
{
    Moments sum = {0};
    double  corners = kind == TACT_MESH_INERTIA_SHELL ? 3 : 4;
    double  share = kind == TACT_MESH_INERTIA_SHELL ? 12 : 20;
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *vertex = mesh->triangles[i].vertex;
        TactVec3   D = tact_vec3_subtract(mesh->vertices[vertex[0]], o);
        TactVec3   E = tact_vec3_subtract(mesh->vertices[vertex[1]], o);
        TactVec3   F = tact_vec3_subtract(mesh->vertices[vertex[2]], o);
        TactVec3   all = tact_vec3_add(D, tact_vec3_add(E, F));
        double     amount = amount_of(kind, D, E, F);
        sum.amount += amount;
        sum.first = tact_vec3_add_scaled(sum.first, amount / corners, all);
        add_square(amount / share, all, &sum.second);
        add_square(amount / share, D, &sum.second);
        add_square(amount / share, E, &sum.second);
        add_square(amount / share, F, &sum.second);
    }
    return sum;
}

/// tr(S) 1 - S
static TactMat3 rotary_of(TactMat3 S)
{
    double trace = S.m[0][0] + S.m[1][1] + S.m[2][2];
    return tact_mat3_add(tact_mat3_diagonal((TactVec3){trace, trace, trace}),
                         tact_mat3_scale(-1, S));
}

static double diagonal_of(const TactMesh *mesh)
{
    TactVec3 lo = mesh->vertices[0];
    TactVec3 hi = mesh->vertices[0];
    for (int i = 1; i < mesh->vertex_count; i++) {
        TactVec3 v = mesh->vertices[i];
        lo = (TactVec3){fmin(lo.x, v.x), fmin(lo.y, v.y), fmin(lo.z, v.z)};
        hi = (TactVec3){fmax(hi.x, v.x), fmax(hi.y, v.y), fmax(hi.z, v.z)};
    }
    return tact_vec3_norm(tact_vec3_subtract(hi, lo));
}

static TactStatus check_solid(const TactMesh *mesh, TactMeshInertia kind)
{
    const TactMeshFindings *found = &mesh->findings;
    if (!found->watertight && kind == TACT_MESH_INERTIA_EXACT) {
        return tact_fail(TACT_BAD_INPUT,
                         "the mesh is not watertight: %d of its %d edges are in one triangle only, "
                         "%d in more than two",
                         found->boundary_edges, found->edges, found->crowded_edges);
    }
    if (!found->oriented) {
        return tact_fail(TACT_BAD_INPUT,
                         "the triangles at %d of the %d edges have opposite orientations",
                         found->twisted_edges, found->edges);
    }
    return TACT_OK;
}

static TactStatus check_volume(const TactMesh *mesh, double area, double volume)
{
    double least = flat_tol * area * diagonal_of(mesh);
    if (volume < -least) {
        return tact_fail(TACT_BAD_INPUT, "the mesh is inside out: its volume is %g", volume);
    }
    if (!(volume > least)) {
        return tact_fail(TACT_BAD_INPUT,
                         "the mesh is flat: its volume is %g, its area %g; a shell has a mass",
                         volume, area);
    }
    return TACT_OK;
}

static TactStatus compute(const TactMesh *mesh, TactMeshInertia kind, double density,
                          TactMeshProperties *properties)
{
    // The centre of the surface, in two steps so that a mesh far from the origin loses no digits.
    TactVec3 o = mesh->vertices[mesh->triangles[0].vertex[0]];
    Moments  shell = integrate(mesh, TACT_MESH_INERTIA_SHELL, o);
    o = tact_vec3_add_scaled(o, 1 / shell.amount, shell.first);
    Moments rough = integrate(mesh, kind, o);
    if (kind != TACT_MESH_INERTIA_SHELL) {
        TACT_TRY(check_volume(mesh, shell.amount, rough.amount));
    }
    TactVec3 com = tact_vec3_add_scaled(o, 1 / rough.amount, rough.first);
    Moments  fine = integrate(mesh, kind, com);
    *properties = (TactMeshProperties){
        .volume = kind == TACT_MESH_INERTIA_SHELL ? 0 : fine.amount,
        .area = shell.amount,
        .inertia = {density * fine.amount, com, tact_mat3_scale(density, rotary_of(fine.second))},
    };
    return TACT_OK;
}

static TactStatus check_density(double density)
{
    if (!(density >= 0 && isfinite(density))) {
        return tact_fail(TACT_BAD_ARGUMENT, "the density is %g", density);
    }
    return TACT_OK;
}

TactStatus tact_hull_compute_properties(const TactHull *hull, double density,
                                        TactMeshProperties *properties)
{
    if (!hull || !properties) {
        return tact_fail(TACT_BAD_ARGUMENT, "a hull and a place for its properties are needed");
    }
    TACT_TRY(check_density(density));
    TactMesh *skin = NULL;
    TACT_TRY(tact_hull_to_mesh(hull, &skin));
    TactStatus status = compute(skin, TACT_MESH_INERTIA_EXACT, density, properties);
    tact_mesh_destroy(skin);
    return status;
}

static TactStatus compute_convex(const TactMesh *mesh, double density,
                                 TactMeshProperties *properties)
{
    TactHullConfig config = tact_hull_config_default();
    TactHull      *hull = NULL;
    config.merge_tol = 0;
    TACT_TRY(tact_hull_create(mesh->vertices, mesh->vertex_count, &config, &hull));
    TactStatus status = tact_hull_compute_properties(hull, density, properties);
    tact_hull_destroy(hull);
    return status;
}

TactStatus tact_mesh_compute_properties(const TactMesh *mesh, TactMeshInertia kind, double density,
                                        TactMeshProperties *properties)
{
    if (!mesh || !properties) {
        return tact_fail(TACT_BAD_ARGUMENT, "a mesh and a place for its properties are needed");
    }
    TACT_TRY(check_density(density));
    switch (kind) {
    case TACT_MESH_INERTIA_CONVEX: return compute_convex(mesh, density, properties);
    case TACT_MESH_INERTIA_EXACT:
    case TACT_MESH_INERTIA_CLOSED: TACT_TRY(check_solid(mesh, kind)); break;
    case TACT_MESH_INERTIA_LEGACY:
    case TACT_MESH_INERTIA_SHELL: break;
    default: return tact_fail(TACT_BAD_ARGUMENT, "there is no mesh inertia %d", (int)kind);
    }
    return compute(mesh, kind, density, properties);
}

void tact_mesh_properties_set_mass(TactMeshProperties *properties, double mass)
{
    TactInertia *inertia = &properties->inertia;
    double       factor = inertia->mass > 0 ? mass / inertia->mass : 0;
    inertia->rotary = tact_mat3_scale(factor, inertia->rotary);
    inertia->mass = mass;
}
