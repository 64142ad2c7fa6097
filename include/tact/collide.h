// Collision: where shapes touch, as manifolds that persist from step to step.
//
// Results are symmetric: exchanging the two shapes reverses the normals and changes nothing else.
// A normal points from a to b. Depth is positive where shapes overlap, negative across a gap.
#ifndef TACT_COLLIDE_H
#define TACT_COLLIDE_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/math.h>
#include <tact/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Shapes, each in its own frame

typedef enum TactShapeType {
    TACT_SHAPE_PLANE,     // the half space z <= 0
    TACT_SHAPE_SPHERE,    // size: radius
    TACT_SHAPE_CAPSULE,   // radius, half-length of the straight part along z
    TACT_SHAPE_CYLINDER,  // radius, half-length along z
    TACT_SHAPE_BOX,       // half-lengths
    TACT_SHAPE_ELLIPSOID, // half-axes
    TACT_SHAPE_HULL,      // convex polyhedron
    TACT_SHAPE_MESH,      // triangles as they are, closed or open, convex or not
    TACT_SHAPE_TYPE_COUNT
} TactShapeType;

TACT_API const char               *tact_shape_type_name(TactShapeType value);
TACT_API TACT_NODISCARD TactStatus tact_shape_type_find(const char *name, TactShapeType *value);

/// A mesh prepared for collision: a bounding-volume tree over its triangles, their neighbours, and
/// which edges are flat because both sides lie in one plane.
typedef struct TactMeshTree TactMeshTree;

/// The mesh must outlive the tree.
TACT_API TACT_NODISCARD TactStatus tact_mesh_tree_create(const TactMesh *mesh, TactMeshTree **tree);
TACT_API void                      tact_mesh_tree_destroy(TactMeshTree *tree);

typedef struct TactShape {
    TactShapeType       type;
    double              size[3]; // m
    const TactHull     *hull;    // HULL
    const TactMeshTree *mesh;    // MESH
    double skin; // m: surfaces touch when they are the sum of both skins apart, or overlap by it
                 //   where that is negative; rays do not see it
} TactShape;

/// Checks that sizes are positive and finite and pointers are set. TACT_BAD_INPUT with the fault.
TACT_API TACT_NODISCARD TactStatus tact_shape_check(const TactShape *shape);

/// Axis-aligned bounding box of a shape, without its skin; infinite where a plane is.
TACT_API void tact_shape_compute_bounds(const TactShape *shape, const TactTransform *pose,
                                        TactVec3 *lower, TactVec3 *upper);

// ---------------------------------------------------------------------------------------------
// Two shapes

/// One point of contact.
typedef struct TactTouch {
    TactVec3 point;   // midway between the two surfaces, world frame
    TactVec3 normal;  // unit, from a to b
    double   depth;   // m, of the skins, where there are some
    uint64_t feature; // identifies the features that touch here, from step to step; never 0
} TactTouch;

/// Grows as needed and is reused: once it is large enough, a step allocates nothing.
typedef struct TactTouchList {
    int        count;
    int        capacity;
    TactTouch *touches; //                                                         (capacity)
} TactTouchList;

TACT_API void tact_touch_list_clear(TactTouchList *list);   // keeps the memory
TACT_API void tact_touch_list_destroy(TactTouchList *list); // frees it

/// Adds the points where two shapes are closer than margin >= 0 (or overlap), no more than the
/// contact region needs: the corners of the region where faces meet, one for a point contact.
TACT_API TACT_NODISCARD TactStatus tact_collide(const TactShape *a, const TactTransform *pose_a,
                                                const TactShape *b, const TactTransform *pose_b,
                                                double margin, TactTouchList *touches);

/// Reduces the points from index first on. It removes points within distance of a deeper one with
/// the same normal, and points inside the polygon of the others with that normal unless they are
/// deeper than its corners: the support polygon is kept [Yamane and Nakamura, IV-C].
TACT_API void tact_touch_list_reduce(TactTouchList *list, int first, double distance);

// ---------------------------------------------------------------------------------------------
// Queries

/// Distance of two shapes, and their nearest points. Negative: the depth of their overlap; moving b
/// by that much along the normal frees it from a. Distances are exact for meshes too. The depth of
/// an overlap with a mesh is that of the deepest contact point or, for a shape inside a closed
/// mesh, how far it must move towards the nearest point of the surface to leave the mesh.
typedef struct TactDistance {
    double   distance;   // m
    TactVec3 on_a, on_b; // world frame; on_b - on_a = distance * normal
    TactVec3 normal;     // of length 1, from a to b
} TactDistance;

/// TACT_UNSUPPORTED for two planes.
TACT_API TACT_NODISCARD TactStatus tact_shape_compute_distance(const TactShape     *a,
                                                               const TactTransform *pose_a,
                                                               const TactShape     *b,
                                                               const TactTransform *pose_b,
                                                               TactDistance        *distance);

/// Do two shapes overlap? Shapes that merely touch do not, nor do two planes.
TACT_API bool tact_shape_overlaps(const TactShape *a, const TactTransform *pose_a,
                                  const TactShape *b, const TactTransform *pose_b);

/// Where a ray from origin along direction (of any length) first enters a shape: origin + t
/// direction, t >= 0. From inside of a convex shape t = 0, and the normal is against the ray; a
/// mesh is entered from the front of its triangles only.
typedef struct TactRayHit {
    bool     hit;
    double   t;
    TactVec3 normal; // of the surface, outwards, of length 1
} TactRayHit;

TACT_API TactRayHit tact_shape_cast_ray(const TactShape *shape, const TactTransform *pose,
                                        TactVec3 origin, TactVec3 direction);

// ---------------------------------------------------------------------------------------------
// Many shapes

/// A shape of a world, with the margin within which contacts are found.
typedef struct TactWorldShape {
    TactShape shape;
    double    margin; // m; the margin of a pair is the sum of both
    bool      fixed;  // never moves: two fixed ones are never a pair
} TactWorldShape;

/// May shapes i < j touch? Called when two come near each other, not in every step: the answer must
/// not change over time.
typedef bool TactPairFilter(void *context, int i, int j);

/// The sum of the skins of shapes i < j, m, instead of that of their own.
typedef double TactPairSkin(void *context, int i, int j);

typedef struct TactWorld TactWorld;

/// Copies the shapes, not what they point to. filter NULL: all pairs.
TACT_API TACT_NODISCARD TactStatus tact_world_create(const TactWorldShape *shapes, int count,
                                                     TactPairFilter *filter, void *context,
                                                     TactWorld **world);
TACT_API void                      tact_world_destroy(TactWorld *world);

/// Marks shapes as resting: tact_world_collide() skips pairs of shapes that both rest or are fixed.
/// The array is lent, and may be written between calls. NULL: none.                    (count)
TACT_API void tact_world_set_resting(TactWorld *world, const bool *resting);

/// Skins that depend on the pair, asked for with the context of the filter. The margins of shapes
/// must make up for what a pair has more than they have themselves. NULL: the sum of both.
TACT_API void tact_world_set_skins(TactWorld *world, TactPairSkin *skin);

/// Points of a pair: those from first to first + count - 1 of the list.
typedef struct TactWorldPair {
    int a, b; // shapes, a < b
    int first, count;
} TactWorldPair;

typedef struct TactWorldTouches {
    int                  pair_count; // that touch
    const TactWorldPair *pairs;      // in the order of (a, b)
    const TactTouchList *touches;
} TactWorldTouches;

/// All points of all pairs at these poses. reach, if not NULL, is how far the surface of a shape
/// may move in the coming step, m, and widens its margin, so that no fast shape is missed. The
/// result is lent until the next call.                                              (count) (count)
TACT_API TACT_NODISCARD TactStatus tact_world_collide(TactWorld *world, const TactTransform *poses,
                                                      const double     *reach,
                                                      TactWorldTouches *touches);

/// The pairs whose bounds, widened as above, overlap: those that tact_world_collide() examines.
typedef struct TactWorldPairs {
    int                  count;
    const TactWorldPair *pairs; // in the order of (a, b); first and count are 0
} TactWorldPairs;

TACT_API TACT_NODISCARD TactStatus tact_world_find_pairs(TactWorld           *world,
                                                         const TactTransform *poses,
                                                         const double        *reach,
                                                         TactWorldPairs      *pairs);

/// May a ray hit this shape?
typedef bool TactShapeFilter(void *context, int shape);

typedef struct TactRay {
    TactVec3         origin;
    TactVec3         direction; // of any length but 0
    double           reach;     // m, largest distance; 0: unlimited
    TactShapeFilter *filter;    // NULL: all shapes
    void            *context;   // of the filter
} TactRay;

/// The first hit of a ray.
typedef struct TactWorldHit {
    int      shape;    // -1: nothing
    double   distance; // m, from the origin; INFINITY: nothing
    TactVec3 point;    //
    TactVec3 normal;   // of the surface, of length 1; as in TactRayHit
} TactWorldHit;

/// If several shapes are hit at the same distance, the one with the lowest index is reported. Tests
/// only shapes whose bounds the ray meets before the first hit. New poses update the tree of bounds
/// once.                                                                             (count)
TACT_API TactWorldHit tact_world_cast_ray(TactWorld *world, const TactTransform *poses,
                                          const TactRay *ray);

#ifdef __cplusplus
}
#endif
#endif
