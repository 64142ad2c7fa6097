// Collision: where shapes touch, as manifolds that persist from step to step.
//
// Everything is symmetric: exchanging the two shapes turns normals round and changes nothing else.
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

/// A mesh made ready for collision: a tree of bounds over its triangles, their neighbours, and
/// which of its edges are none because both sides lie in one plane.
typedef struct TactMeshTree TactMeshTree;

/// The mesh must outlive the tree.
TACT_API TACT_NODISCARD TactStatus tact_mesh_tree_create(const TactMesh *mesh, TactMeshTree **tree);
TACT_API void                      tact_mesh_tree_destroy(TactMeshTree *tree);

typedef struct TactShape {
    TactShapeType       type;
    double              size[3]; // m
    const TactHull     *hull;    // HULL
    const TactMeshTree *mesh;    // MESH
} TactShape;

/// Sizes positive and finite, pointers there. TACT_BAD_INPUT with what is wrong.
TACT_API TACT_NODISCARD TactStatus tact_shape_check(const TactShape *shape);

/// Axis-aligned box around a shape; of a plane infinite where it is.
TACT_API void tact_shape_compute_bounds(const TactShape *shape, const TactTransform *pose,
                                        TactVec3 *lower, TactVec3 *upper);

// ---------------------------------------------------------------------------------------------
// Two shapes

/// One point of contact.
typedef struct TactTouch {
    TactVec3 point;   // midway between the two surfaces, world frame
    TactVec3 normal;  // unit, from a to b
    double   depth;   // m
    uint64_t feature; // the same as long as the same features touch here; never 0
} TactTouch;

/// Grows as needed and is used again: a step allocates nothing once it has grown.
typedef struct TactTouchList {
    int        count;
    int        capacity;
    TactTouch *touches; //                                                         (capacity)
} TactTouchList;

TACT_API void tact_touch_list_clear(TactTouchList *list);   // keeps the memory
TACT_API void tact_touch_list_destroy(TactTouchList *list); // frees it

/// Adds the points where two shapes are closer than margin >= 0 (or overlap), at most what the
/// contact region needs: the corners of the region where faces meet, one for a point.
TACT_API TACT_NODISCARD TactStatus tact_collide(const TactShape *a, const TactTransform *pose_a,
                                                const TactShape *b, const TactTransform *pose_b,
                                                double margin, TactTouchList *touches);

/// Of the points from index first on, removes those within distance of a deeper one of the same
/// normal, and those inside the polygon of the others of that normal, unless they are deeper than
/// its corners: the polygon that supports a body stays what it is [Yamane and Nakamura, IV-C].
TACT_API void tact_touch_list_reduce(TactTouchList *list, int first, double distance);

// ---------------------------------------------------------------------------------------------
// Queries

/// Distance of two shapes, and the nearest points of both; negative: the depth of their overlap,
/// b moved by it along the normal is free of a. Of meshes, too, a distance is exact. The depth of
/// an overlap with a mesh is that of the deepest point of contact; of a shape inside of a closed
/// mesh, how far it must move towards the nearest point of the surface to be beyond it.
typedef struct TactDistance {
    double   distance;   // m
    TactVec3 on_a, on_b; // world frame; on_b - on_a = distance * normal
    TactVec3 normal;     // of length 1, from a to b
} TactDistance;

/// TACT_UNSUPPORTED: of two planes.
TACT_API TACT_NODISCARD TactStatus tact_shape_compute_distance(const TactShape     *a,
                                                               const TactTransform *pose_a,
                                                               const TactShape     *b,
                                                               const TactTransform *pose_b,
                                                               TactDistance        *distance);

/// Do two shapes overlap? Those that only touch do not; nor do two planes.
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

/// A shape of a world, and how wide around it contacts are looked for.
typedef struct TactWorldShape {
    TactShape shape;
    double    margin; // m; a pair looks within the sum of both
    bool      fixed;  // never moves: two fixed ones are never a pair
} TactWorldShape;

/// May shapes i < j touch? Asked when two come near each other, not in every step: the answer must
/// not change.
typedef bool TactPairFilter(void *context, int i, int j);

typedef struct TactWorld TactWorld;

/// Copies the shapes, not what they point to. filter NULL: all pairs.
TACT_API TACT_NODISCARD TactStatus tact_world_create(const TactWorldShape *shapes, int count,
                                                     TactPairFilter *filter, void *context,
                                                     TactWorld **world);
TACT_API void                      tact_world_destroy(TactWorld *world);

/// Shapes that rest for now: pairs of two that rest or are fixed are left out of
/// tact_world_collide(). The array is lent, and may be written between calls. NULL: none. (count)
TACT_API void tact_world_set_resting(TactWorld *world, const bool *resting);

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
/// may move in the step ahead, m, and widens its margin: nothing that moves fast is overlooked. The
/// answer is lent until the next call.                                              (count) (count)
TACT_API TACT_NODISCARD TactStatus tact_world_collide(TactWorld *world, const TactTransform *poses,
                                                      const double     *reach,
                                                      TactWorldTouches *touches);

/// The pairs whose bounds, widened as above, overlap: what tact_world_collide() looks at.
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
    double           reach;     // m: how far it goes; 0: without end
    TactShapeFilter *filter;    // NULL: all shapes
    void            *context;   // of the filter
} TactRay;

/// What a ray hits first.
typedef struct TactWorldHit {
    int      shape;    // -1: nothing
    double   distance; // m, from the origin; INFINITY: nothing
    TactVec3 point;    //
    TactVec3 normal;   // of the surface, of length 1; as in TactRayHit
} TactWorldHit;

/// Of shapes hit at the same distance the one of least index. Asks those whose bounds the ray
/// meets, before the first hit; the tree of bounds moves to new poses, once. (count)
TACT_API TactWorldHit tact_world_cast_ray(TactWorld *world, const TactTransform *poses,
                                          const TactRay *ray);

#ifdef __cplusplus
}
#endif
#endif
