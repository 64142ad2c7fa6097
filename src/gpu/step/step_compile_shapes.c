// Shapes of geoms as steps on a GPU read them, and which pairs of them they have.
#include <string.h>

#include "collide/mesh/mesh.h"
#include "gpu/step/step_compile.h"

enum { MOST_CORNERS = 1024 }; // of a hull: one lane looks at all

/// Is a hull small enough?
static bool has_room(const TactHull *hull)
{
    return hull->vertex_count <= MOST_CORNERS && hull->edge_count < 32768 - hull->vertex_count;
}

int tact_step_find_shape_type(const TactShape *shape)
{
    switch (shape->type) {
    case TACT_SHAPE_PLANE: return TACT_STEP_PLANE;
    case TACT_SHAPE_SPHERE: return TACT_STEP_SPHERE;
    case TACT_SHAPE_CAPSULE: return TACT_STEP_CAPSULE;
    case TACT_SHAPE_BOX: return TACT_STEP_BOX;
    case TACT_SHAPE_ELLIPSOID: return TACT_STEP_ELLIPSOID;
    case TACT_SHAPE_CYLINDER: return TACT_STEP_CYLINDER;
    case TACT_SHAPE_MESH: return TACT_STEP_MESH;
    case TACT_SHAPE_HULL: return has_room(shape->hull) ? TACT_STEP_HULL : TACT_STEP_OTHER;
    default: return TACT_STEP_OTHER;
    }
}

int tact_step_find_type(const TactSim *sim, int geom)
{
    int k = sim->shapes.made.shape_of_geom[geom];
    return k >= 0 ? tact_step_find_shape_type(&sim->shapes.made.shapes[k]) : TACT_STEP_OTHER;
}

TactStepKind tact_step_find_kind(const TactSim *sim, int geom_a, int geom_b)
{
    int  a = tact_step_find_type(sim, geom_a), b = tact_step_find_type(sim, geom_b);
    int  low = a < b ? a : b, high = a < b ? b : a;
    bool round = high == TACT_STEP_SPHERE || high == TACT_STEP_CAPSULE;
    if (high == TACT_STEP_OTHER ||
        (high == TACT_STEP_MESH && (low == TACT_STEP_PLANE || low == TACT_STEP_MESH))) {
        return TACT_STEP_HANDED_OVER;
    }
    bool closed = high == TACT_STEP_ELLIPSOID && low != TACT_STEP_CYLINDER && low != high;
    bool plain = round || closed || (high == TACT_STEP_BOX && low <= TACT_STEP_SPHERE);
    return plain ? TACT_STEP_PLAIN : TACT_STEP_FURTHER;
}

// ---------------------------------------------------------------------------------------------
// Hulls

/// The hull of shape k, if it is the first with it; NULL otherwise.
static const TactHull *find_hull(const TactSim *sim, int k)
{
    const TactModelShapes *made = &sim->shapes.made;
    if (tact_step_find_type(sim, made->geom_of_shape[k]) != TACT_STEP_HULL) {
        return NULL;
    }
    for (int i = 0; i < k; i++) {
        if (made->shapes[i].type == TACT_SHAPE_HULL &&
            made->shapes[i].hull == made->shapes[k].hull) {
            return NULL;
        }
    }
    return made->shapes[k].hull;
}

TactStepHullSizes tact_step_count_hulls(const TactSim *sim)
{
    TactStepHullSizes sizes = {0, 0, 0, 0};
    for (int k = 0; k < sim->shapes.made.count; k++) {
        const TactHull *hull = find_hull(sim, k);
        sizes.hulls += hull != NULL;
        sizes.corners += hull ? hull->vertex_count : 0;
        sizes.edges += hull ? hull->edge_count : 0;
        sizes.sides += hull ? hull->face_count : 0;
    }
    return sizes;
}

/// One hull at the places that it begins at.
static void fill_hull(const TactHull *hull, const TactStepHull *at, const TactStepModel *m)
{
    TactVec3       *corners = (TactVec3 *)m->solids.hulls.corners + at->first_corner;
    unsigned short *starts = (unsigned short *)m->solids.hulls.starts + at->first_corner;
    TactStepEdge   *edges = (TactStepEdge *)m->solids.hulls.edges + at->first_edge;
    TactStepSide   *sides = (TactStepSide *)m->solids.hulls.sides + at->first_side;
    memcpy(corners, hull->vertices, (size_t)hull->vertex_count * sizeof *corners);
    for (int i = 0; i < hull->vertex_count; i++) {
        starts[i] = (unsigned short)hull->vertex_edge[i];
    }
    for (int i = 0; i < hull->edge_count; i++) {
        const TactHullEdge *from = &hull->edges[i];
        edges[i] = (TactStepEdge){(unsigned short)from->origin, (unsigned short)from->twin,
                                  (unsigned short)from->face};
    }
    for (int i = 0; i < hull->face_count; i++) {
        const TactHullFace *from = &hull->faces[i];
        sides[i] = (TactStepSide){from->normal, from->first, from->count};
    }
}

void tact_step_fill_hulls(const TactSim *sim, const TactStepModel *m)
{
    TactStepHull next = {0};
    int          count = 0;
    for (int k = 0; k < sim->shapes.made.count; k++) {
        const TactHull *hull = find_hull(sim, k);
        if (!hull) {
            continue;
        }
        next.corners = hull->vertex_count;
        next.sides = hull->face_count;
        ((TactStepHull *)m->solids.hulls.hulls)[count] = next;
        fill_hull(hull, &next, m);
        for (int i = k; i < sim->shapes.made.count; i++) {
            const TactShape *shape = &sim->shapes.made.shapes[i];
            if (shape->type == TACT_SHAPE_HULL && shape->hull == hull) {
                ((TactStepGeom *)m->geoms)[i].hull = count;
            }
        }
        next.first_corner += hull->vertex_count;
        next.first_edge += hull->edge_count;
        next.first_side += hull->face_count;
        count++;
    }
}

// ---------------------------------------------------------------------------------------------
// Meshes

/// The tree of shape k, if it is the first with it; NULL otherwise.
static const TactMeshTree *find_mesh(const TactSim *sim, int k)
{
    const TactModelShapes *made = &sim->shapes.made;
    if (made->shapes[k].type != TACT_SHAPE_MESH) {
        return NULL;
    }
    for (int i = 0; i < k; i++) {
        if (made->shapes[i].type == TACT_SHAPE_MESH &&
            made->shapes[i].mesh == made->shapes[k].mesh) {
            return NULL;
        }
    }
    return made->shapes[k].mesh;
}

TactStepMeshSizes tact_step_count_meshes(const TactSim *sim)
{
    TactStepMeshSizes sizes = {0, 0, 0, 0, 0};
    for (int k = 0; k < sim->shapes.made.count; k++) {
        const TactMeshTree *tree = find_mesh(sim, k);
        if (tree) {
            sizes.meshes++;
            sizes.vertices += tree->mesh->vertex_count;
            sizes.triangles += tree->mesh->triangle_count;
            sizes.nodes += tree->node_count;
            sizes.ring += tree->ring_first[tree->mesh->vertex_count];
        }
    }
    return sizes;
}

static TactStepTriangle make_triangle(const TactMeshTree *tree, int index)
{
    TactStepTriangle t = {
        .group = tree->group[index], .index = index, .normal = tree->normals[index]};
    for (int k = 0; k < 3; k++) {
        const TactMeshSide *side = &tree->sides[3 * index + k];
        t.vertex[k] = tree->mesh->triangles[index].vertex[k];
        t.across[k] = side->across;
        t.side[k] = (int)(side->id & 0x7fffffffu);
        t.joined |= side->next >= 0 ? 1 << k : 0;
        t.flat |= side->flat ? 1 << k : 0;
    }
    return t;
}

/// One mesh at the places that it begins at.
static void fill_mesh(const TactMeshTree *tree, const TactStepMesh *at, const TactStepMeshes *to)
{
    const TactMesh *mesh = tree->mesh;
    size_t          vertices = (size_t)mesh->vertex_count;
    memcpy((TactVec3 *)to->vertices + at->first_vertex, mesh->vertices,
           vertices * sizeof(TactVec3));
    for (int i = 0; i < mesh->vertex_count; i++) {
        ((unsigned char *)to->corners)[at->first_vertex + i] = tree->corner[i];
    }
    memcpy((int *)to->ring_first + at->first_ring_of, tree->ring_first,
           (vertices + 1) * sizeof(int));
    memcpy((int *)to->ring + at->first_ring, tree->ring,
           (size_t)tree->ring_first[mesh->vertex_count] * sizeof(int));
    for (int i = 0; i < mesh->triangle_count; i++) {
        ((TactStepTriangle *)to->triangles)[at->first_triangle + i] =
            make_triangle(tree, tree->ordered[i].index);
    }
    for (int i = 0; i < tree->node_count; i++) {
        const TactMeshNode *from = &tree->nodes[i];
        ((TactStepNode *)to->nodes)[at->first_node + i] =
            (TactStepNode){from->lower, from->upper, from->first, from->count};
    }
}

void tact_step_fill_meshes(const TactSim *sim, const TactStepModel *m)
{
    TactStepMesh next = {0, 0, 0, 0, 0, 0};
    int          count = 0;
    for (int k = 0; k < sim->shapes.made.count; k++) {
        const TactMeshTree *tree = find_mesh(sim, k);
        if (!tree) {
            continue;
        }
        next.size = tree->size;
        ((TactStepMesh *)m->solids.meshes.meshes)[count] = next;
        fill_mesh(tree, &next, &m->solids.meshes);
        for (int i = k; i < sim->shapes.made.count; i++) {
            const TactShape *shape = &sim->shapes.made.shapes[i];
            if (shape->type == TACT_SHAPE_MESH && shape->mesh == tree) {
                ((TactStepGeom *)m->geoms)[i].hull = count;
            }
        }
        next.first_vertex += tree->mesh->vertex_count;
        next.first_triangle += tree->mesh->triangle_count;
        next.first_node += tree->node_count;
        next.first_ring += tree->ring_first[tree->mesh->vertex_count];
        next.first_ring_of += tree->mesh->vertex_count + 1;
        count++;
    }
}
