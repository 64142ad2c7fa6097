// Geoms as triangles with normals.
#include "picture/facets.h"

#include <math.h>
#include <string.h>
#include <tact/mesh.h>

#include "base/memory.h"

enum { AROUND = 40, ALONG = 12 };

static const double PI = 3.14159265358979323846;

/// What is being drawn: where it stands and what it looks like.
typedef struct Pen {
    TactFacets   *facets;
    TactTransform pose;
    double        rgba[4];
    bool          floor;
} Pen;

void tact_facets_add(TactFacets *facets, const TactFacet *facet)
{
    if (facets->count == facets->room) {
        int        room = facets->room ? 2 * facets->room : 4096;
        TactFacet *grown = NULL;
        if (tact_allocate((size_t)room, sizeof *grown, (void **)&grown) != TACT_OK) {
            facets->full = true;
            return;
        }
        if (facets->count > 0) {
            memcpy(grown, facets->facets, (size_t)facets->count * sizeof *grown);
        }
        tact_release(facets->facets);
        facets->facets = grown;
        facets->room = room;
    }
    facets->facets[facets->count++] = *facet;
}

static void add(Pen *pen, const TactVec3 corner[3], const TactVec3 normal[3])
{
    TactFacet facet = {.floor = pen->floor};
    for (int k = 0; k < 3; k++) {
        facet.corner[k] = tact_transform_point(pen->pose, corner[k]);
        facet.normal[k] = tact_quat_rotate(pen->pose.rotation, normal[k]);
    }
    for (int k = 0; k < 4; k++) {
        facet.rgba[k] = pen->rgba[k];
    }
    tact_facets_add(pen->facets, &facet);
}

static void add_flat(Pen *pen, TactVec3 a, TactVec3 b, TactVec3 c)
{
    TactVec3 normal = tact_vec3_cross(tact_vec3_subtract(b, a), tact_vec3_subtract(c, a));
    double   length = tact_vec3_norm(normal);
    if (length > 0) {
        normal = tact_vec3_scale(1 / length, normal);
        add(pen, (TactVec3[3]){a, b, c}, (TactVec3[3]){normal, normal, normal});
    }
}

// ---------------------------------------------------------------------------------------------
// Surfaces of revolution about z: a profile of radius and height, and its outward normal

typedef struct Profile {
    double r, z;   // m
    double nr, nz; // of length 1
} Profile;

static TactVec3 turned(double r, double z, double angle)
{
    return (TactVec3){r * cos(angle), r * sin(angle), z};
}

/// The band between two points of the profile, the lower one first.
static void add_band(Pen *pen, const Profile *low, const Profile *high)
{
    for (int i = 0; i < AROUND; i++) {
        double   a = 2 * PI * i / AROUND, b = 2 * PI * (i + 1) / AROUND;
        TactVec3 p[4] = {turned(low->r, low->z, a), turned(low->r, low->z, b),
                         turned(high->r, high->z, b), turned(high->r, high->z, a)};
        TactVec3 n[4] = {turned(low->nr, low->nz, a), turned(low->nr, low->nz, b),
                         turned(high->nr, high->nz, b), turned(high->nr, high->nz, a)};
        add(pen, (TactVec3[3]){p[0], p[1], p[2]}, (TactVec3[3]){n[0], n[1], n[2]});
        add(pen, (TactVec3[3]){p[0], p[2], p[3]}, (TactVec3[3]){n[0], n[2], n[3]});
    }
}

/// A sphere cut at its equator and drawn apart by 2 `half`.
static void add_capsule(Pen *pen, double radius, double half)
{
    Profile last = {0, -half - radius, 0, -1};
    for (int i = 1; i <= 2 * ALONG + 1; i++) {
        int     step = i <= ALONG ? i : i - 1; // the equator twice
        double  angle = PI * (step - ALONG) / (2 * ALONG), c = cos(angle), s = sin(angle);
        Profile next = {radius * c, radius * s + (i <= ALONG ? -half : half), c, s};
        if (i != ALONG + 1 || half > 0) {
            add_band(pen, &last, &next);
        }
        last = next;
    }
}

static void add_cylinder(Pen *pen, double radius, double half)
{
    add_band(pen, &(Profile){radius, -half, 1, 0}, &(Profile){radius, half, 1, 0});
    add_band(pen, &(Profile){0, -half, 0, -1}, &(Profile){radius, -half, 0, -1});
    add_band(pen, &(Profile){radius, half, 0, 1}, &(Profile){0, half, 0, 1});
}

/// A ball of radius 1, drawn out.
static void add_ellipsoid(Pen *pen, const double half[3])
{
    int first = pen->facets->count;
    Pen ball = *pen;
    ball.pose = tact_transform_identity();
    add_capsule(&ball, 1, 0);
    for (int i = first; i < pen->facets->count; i++) {
        TactFacet *facet = &pen->facets->facets[i];
        for (int k = 0; k < 3; k++) {
            TactVec3 p = facet->corner[k];
            TactVec3 n = {p.x / half[0], p.y / half[1], p.z / half[2]};
            p = (TactVec3){p.x * half[0], p.y * half[1], p.z * half[2]};
            facet->corner[k] = tact_transform_point(pen->pose, p);
            facet->normal[k] = tact_quat_rotate(pen->pose.rotation, tact_vec3_normalise(n));
        }
    }
}

// ---------------------------------------------------------------------------------------------

static void add_box(Pen *pen, const double half[3])
{
    for (int face = 0; face < 6; face++) {
        int    axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double side = face % 2 ? 1 : -1;
        double c[4][3];
        for (int k = 0; k < 4; k++) {
            c[k][axis] = side * half[axis];
            c[k][u] = (k == 1 || k == 2 ? side : -side) * half[u];
            c[k][v] = (k >= 2 ? 1 : -1) * half[v];
        }
        TactVec3 p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = (TactVec3){c[k][0], c[k][1], c[k][2]};
        }
        add_flat(pen, p[0], p[1], p[2]);
        add_flat(pen, p[0], p[2], p[3]);
    }
}

static void add_plane(Pen *pen, double x, double y)
{
    enum { CELLS = 8 }; // small enough to be clipped well
    pen->floor = true;
    for (int i = 0; i < CELLS; i++) {
        for (int j = 0; j < CELLS; j++) {
            double   x0 = x * (2.0 * i / CELLS - 1), x1 = x * (2.0 * (i + 1) / CELLS - 1);
            double   y0 = y * (2.0 * j / CELLS - 1), y1 = y * (2.0 * (j + 1) / CELLS - 1);
            TactVec3 a = {x0, y0, 0}, b = {x1, y0, 0}, c = {x1, y1, 0}, d = {x0, y1, 0};
            add_flat(pen, a, b, c);
            add_flat(pen, a, c, d);
        }
    }
}

static void add_mesh_facets(Pen *pen, const TactMesh *mesh)
{
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *vertex = mesh->triangles[t].vertex;
        add_flat(pen, mesh->vertices[vertex[0]], mesh->vertices[vertex[1]],
                 mesh->vertices[vertex[2]]);
    }
}

/// A mesh made for the picture alone.
static void add_made(Pen *pen, TactStatus status, TactMesh *mesh)
{
    if (status == TACT_OK) {
        add_mesh_facets(pen, mesh);
        tact_mesh_destroy(mesh);
    } else {
        pen->facets->full = true;
    }
}

static void add_geom(Pen *pen, const TactModel *model, const TactGeom *geom, double reach)
{
    const double *size = geom->size;
    TactMesh     *made = NULL;
    TactStatus    status = TACT_OK;
    switch (geom->type) {
    case TACT_GEOM_PLANE:
        add_plane(pen, size[0] > 0 ? size[0] : reach, size[1] > 0 ? size[1] : reach);
        break;
    case TACT_GEOM_SPHERE: add_capsule(pen, size[0], 0); break;
    case TACT_GEOM_CAPSULE: add_capsule(pen, size[0], size[1]); break;
    case TACT_GEOM_CYLINDER: add_cylinder(pen, size[0], size[1]); break;
    case TACT_GEOM_BOX: add_box(pen, size); break;
    case TACT_GEOM_ELLIPSOID: add_ellipsoid(pen, size); break;
    case TACT_GEOM_CONVEX:
    case TACT_GEOM_MESH:
        if (geom->type == TACT_GEOM_CONVEX && model->meshes[geom->mesh].hull) {
            status = tact_hull_to_mesh(model->meshes[geom->mesh].hull, &made);
            add_made(pen, status, made);
        } else {
            add_mesh_facets(pen, model->meshes[geom->mesh].mesh);
        }
        break;
    case TACT_GEOM_HEIGHTFIELD:
        status = tact_heightfield_to_mesh(&model->heightfields[geom->mesh], &made);
        add_made(pen, status, made);
        break;
    case TACT_GEOM_TYPE_COUNT: break;
    }
}

/// Bodies of which the model says no colour are told apart by one of ours.
static void choose_colour(const TactGeom *geom, double rgba[4])
{
    static const double ours[][3] = {{.83, .52, .30}, {.36, .55, .76}, {.45, .68, .47},
                                     {.76, .45, .52}, {.80, .70, .38}, {.55, .50, .70}};
    bool                grey = geom->rgba[0] == 0.5 && geom->rgba[1] == 0.5 && geom->rgba[2] == 0.5;
    for (int k = 0; k < 4; k++) {
        rgba[k] = grey && k < 3 && geom->body > 0 ? ours[geom->body % 6][k] : geom->rgba[k];
    }
}

void tact_facets_of_model(const TactModel *model, const double *q, double reach, TactFacets *facets)
{
    enum { SEEN_GROUPS = 3 };
    *facets = (TactFacets){0};
    TactTransform *poses = NULL;
    if (tact_allocate((size_t)model->body_count, sizeof *poses, (void **)&poses) != TACT_OK) {
        facets->full = true;
        return;
    }
    tact_model_compute_poses(model, q, poses);
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        Pen             pen = {.facets = facets,
                               .pose = tact_transform_multiply(poses[geom->body], geom->pose)};
        choose_colour(geom, pen.rgba);
        if (geom->group < SEEN_GROUPS && pen.rgba[3] > 0) {
            add_geom(&pen, model, geom, reach);
        }
    }
    tact_release(poses);
}
