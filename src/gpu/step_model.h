// A model as steps on a GPU read it: constant arrays, the same for all worlds, in one block of
// memory that is copied to the device as it is. C and C++ alike.
#ifndef TACT_GPU_STEP_MODEL_H
#define TACT_GPU_STEP_MODEL_H

#include "gpu/step_math.h"
// after it: the vectors of a model are those of the GPU
#include <tact/model.h>

#ifndef TACT_STEP_MAX_LINKS    // kernels have a smaller size as well
#define TACT_STEP_MAX_LINKS 48 // with the world
#define TACT_STEP_MAX_DOF 64   //
#define TACT_STEP_MAX_GEOMS 96 // that touch anything
#endif

#ifndef TACT_STEP_MORE   // kernels have dry friction, loops and the pairs of touch_shapes.h
#define TACT_STEP_MORE 0 //
#endif

enum {
    TACT_STEP_MAX_CONTACTS = 32, // contacts and limits of a world in one step
    TACT_STEP_MOST_NEAR = 128,   // pairs of a world whose balls touch
    TACT_STEP_MOST_MOMENTS = 32, // rows of spinning and rolling
    TACT_STEP_NAMES = 65536,     // of points of a pair
};

/// Joint types, in the order of TactJointType.
enum { TACT_STEP_FREE, TACT_STEP_BALL, TACT_STEP_HINGE, TACT_STEP_SLIDE };

/// A body that moves, with all that is fixed to it; 0 is the world (dynamics/links.h).
typedef struct TactStepLink {
    int parent;
    int first_joint, joint_count;
    int first_dof, dof_count;
    int flies;                    // a free body by itself: its spin follows flight.c
    int level;                    // links on the way to the world
    int first_below, below_count; // of the list of links that it carries, from itself on
    unsigned long long moved_by;  // dofs on the way to the root, a bit each
    TactTransform      fixed;
    double             mass;
    TactVec3           com;
    TactMat3           rotary;
} TactStepLink;

typedef struct TactStepJoint {
    int      type, q, dof;
    int      limited, force_limited;
    TactVec3 position, axis;
    double   reference;
    double   limit[2];       // where its limits hold (hinge, slide)
    double   force_range[2]; // of all its actuators together
} TactStepJoint;

typedef struct TactStepDof {
    int    first, above; // of the list of dofs on the way to the root, from the next one on
    int    q;            // coordinate of a hinge or slide; -1: of neither
    int    link, joint;
    int    first_drive, drive_count; // of the list of actuators that act on it
    double armature, damping;
    double stiffness, rest;
} TactStepDof;

/// Motors and servos on hinges, slides and fixed tendons.
typedef struct TactStepActuator {
    int    dof;    // -1: a tendon
    int    tendon; // -1: a joint
    int    ctrl_limited, force_limited;
    double gear, gain[3], bias[3];
    double ctrl_range[2], force_range[2];
} TactStepActuator;

/// A fixed tendon: length = sum of coefficients times q.
typedef struct TactStepTendon {
    int    first, count; // of terms
    int    limited;
    double limit[2], spring[2];
    double stiffness, damping;
} TactStepTendon;

typedef struct TactStepTerm {
    int    dof, q;
    double coefficient;
} TactStepTerm;

/// Geom types that collide here, in the order of TactShapeType, and all others.
enum {
    TACT_STEP_PLANE,
    TACT_STEP_SPHERE,
    TACT_STEP_CAPSULE,
    TACT_STEP_CYLINDER,
    TACT_STEP_BOX,
    TACT_STEP_ELLIPSOID,
    TACT_STEP_HULL,
    TACT_STEP_MESH, // and height fields
    TACT_STEP_OTHER,
    TACT_STEP_TRIANGLE, // of a mesh
};

typedef struct TactStepGeom {
    int           type, link;
    int           hull; // of a hull; of a mesh which
    TactTransform pose; // in its link
    TactVec3      middle;
    double        size[3];
    double        half[3]; // of the box about the middle that holds it
    double        radius;  // of points about the middle; infinite of a plane
} TactStepGeom;

/// A convex polyhedron, as TactHull; numbers in it count from its own first ones.
typedef struct TactStepHull {
    int first_corner, corners;
    int first_edge, first_side, sides;
} TactStepHull;

/// A side of an edge, with its face to the left; edges of a face follow each other.
typedef struct TactStepEdge {
    unsigned short origin, twin, side;
} TactStepEdge;

typedef struct TactStepSide {
    TactVec3 normal;
    int      first, count; // of edges
} TactStepSide;

/// All hulls, one after the other.
typedef struct TactStepHulls {
    const TactStepHull   *hulls;
    const TactVec3       *corners;
    const unsigned short *starts; // an edge that starts at a corner
    const TactStepEdge   *edges;
    const TactStepSide   *sides;
} TactStepHulls;

/// Triangles as they are, as TactMeshTree; numbers in one count from its own first ones.
typedef struct TactStepMesh {
    int    first_vertex, first_triangle, first_node, first_ring, first_ring_of;
    double size;
} TactStepMesh;

typedef struct TactStepTriangle {
    int      vertex[3];
    int      across[3];    // beyond each edge: the vertex that is not on it
    int      side[3];      // numbers of edges
    int      joined, flat; // bits of edges: with one triangle beyond, which lies in the same plane
    int      group, index;
    TactVec3 normal;
} TactStepTriangle;

/// Triangles first ... first + count - 1 of a leaf; others have two parts there.
typedef struct TactStepNode {
    TactVec3 lower, upper;
    int      first, count;
} TactStepNode;

/// All meshes, one after the other.
typedef struct TactStepMeshes {
    const TactStepMesh     *meshes;
    const TactVec3         *vertices;
    const unsigned char    *corners; // is a vertex one of the solid?
    const TactStepTriangle *triangles;
    const TactStepNode     *nodes;
    const int              *ring_first; // of a vertex in the ring, and of the next
    const int              *ring;       // vertices that share a triangle with it
} TactStepMeshes;

/// What geoms are made of that is more than a size.
typedef struct TactStepSolids {
    TactStepHulls  hulls;
    TactStepMeshes meshes;
} TactStepSolids;

/// Two geoms that may touch, in the order of TactWorld, a < b; normals are from a to b.
typedef struct TactStepPair {
    int    a, b;
    int    rough; // with friction: these come first
    int    other; // closed forms do not have it: near each other, they are the processor's
    double mu;
    double spin, roll; // coefficients against spinning and rolling, m
    double skin;       // they touch where their surfaces are so far apart, m
} TactStepPair;

/// Dry friction of a dof or of a fixed tendon: a row with two bounds.
typedef struct TactStepMotor {
    int    dof;      // -1: a tendon
    int    tendon;   // -1: a dof
    double friction; // N or N m
} TactStepMotor;

/// Kinds of loops: of two bodies, then of two joints or tendons.
enum { TACT_STEP_CONNECT, TACT_STEP_WELD, TACT_STEP_JOINTS, TACT_STEP_TENDONS };

typedef struct TactStepLoop {
    int           type;
    int           of[2];     // links of a and b; joints or tendons y and x, -1: none
    int           body[2];   // a and b
    unsigned      parts;     // that are rows, a bit each: others may be implied
    int           first_row; // among rows of loops
    TactTransform place[2];  // of the bodies in their links
    TactVec3      anchor[2];
    TactQuat      turn; // weld: rotation of b in a
    double        polynomial[5], reference[2];
} TactStepLoop;

/// A contact or limit of a world.
typedef struct TactStepHeld {
    TactVec3 point, normal; // of a contact
    double   depth;         // at the beginning of the step
    double   lift;          // speed by which it has to come apart
    int      name;          // pair * TACT_STEP_NAMES + feature + 1; limits below 0
    int      pad;
} TactStepHeld;
/// At which motion a sensor is read: that of the forces of the last step, that which bodies felt in
/// it, or the present state.
enum { TACT_SENSE_FORCES, TACT_SENSE_FELT, TACT_SENSE_STATE, TACT_SENSE_PASSES };

/// Shapes of the volume of a site.
enum {
    TACT_SENSE_BALL,
    TACT_SENSE_CAPSULE,
    TACT_SENSE_CYLINDER,
    TACT_SENSE_BOX,
    TACT_SENSE_ELLIPSOID
};

/// A frame in its link.
typedef struct TactStepPlace {
    int           link;
    TactTransform pose;
} TactStepPlace;

/// What contacts a sensor asks for: a geom, bodies first .. end - 1, points in a site, or anything.
typedef struct TactStepThing {
    TactObject type;
    int        first, end;
    int        volume;
    double     volume_size[3];
} TactStepThing;

typedef struct TactStepAsk {
    TactContactAsk contact;
    TactStepThing  of[2];
} TactStepAsk;

typedef struct TactStepSensor {
    TactSensorType type;
    int            pass;                   // TACT_SENSE_...
    int            address, size;          // among all values of a world
    int            object;                 // joint, tendon or actuator; geom; -1: any
    TactStepPlace  frame, seen_from;       // of the object and of the reference
    int            first_body, end_body;   // bodies that it reads: one, or one with all it carries
    int            first_part, part_count; // their masses
    int            volume;                 // of a site: TACT_SENSE_BALL, ...
    double         volume_size[3];
    double         cutoff; // 0: none
    TactStepAsk    ask;    // TACT_SENSOR_CONTACT_POINTS
} TactStepSensor;

/// Mass of bodies that are fixed to each other, in their link.
typedef struct TactStepPart {
    int         link;
    TactInertia inertia;
} TactStepPart;

/// The body of a geom that touches something, with its number in the model.
typedef struct TactStepOwner {
    int      body, geom;
    TactVec3 com; // of the body, in its link
} TactStepOwner;

/// What a ray may meet: geoms of a body, those that touch nothing too. Of these only type, link,
/// pose, size and hull are set.
typedef struct TactStepSeen {
    int          body;
    TactStepGeom geom;
} TactStepSeen;

/// All sensors of a model, where they are asked for.
typedef struct TactStepSensing {
    int                   count, size; // sensors, and their values
    TactVec3              magnetic;
    const TactStepSensor *sensors;
    const TactStepPart   *parts;
    const TactStepOwner  *owners; // of geoms                                      (geom_count)
    int                   seen_count;
    const TactStepSeen   *seen; // by rangefinders
} TactStepSensing;

/// What judges where a step ends (sim/touch/judge_pairs.c).
typedef struct TactStepRules {
    double slop;
    double overlap_made; // deeper is put right
    double fast;         // rad or m in a step: beyond, energy is watched
    double loop_tol;     // m or rad that loops may be open
} TactStepRules;

/// What a model is like.
typedef struct TactStepTraits {
    int levels;     // the deepest of a link
    int turns;      // some pair resists spinning or rolling
    int more_pairs; // that kernels with TACT_STEP_MORE have alone
} TactStepTraits;

typedef struct TactStepModel {
    int                     nq, nv;
    int                     link_count, joint_count, actuator_count, tendon_count;
    int                     geom_count, pair_count;
    int                     motor_count, loop_count, loop_rows;
    TactStepTraits          traits;
    double                  h;
    TactVec3                gravity;
    TactStepRules           rules;
    const TactStepLink     *links;
    const TactStepJoint    *joints;
    const TactStepDof      *dofs;   // (nv)
    const short            *above;  // dofs on the way to the root, of one dof after the other
    const short            *below;  // links that a link carries, of one after the other
    const short            *drives; // actuators of a dof, of one after the other
    const TactStepActuator *actuators;
    const TactStepTendon   *tendons;
    const TactStepTerm     *terms;
    const TactStepGeom     *geoms;
    const TactStepPair     *pairs;
    const TactStepMotor    *motors;
    const TactStepLoop     *loops;
    TactStepSolids          solids;
    TactStepSensing         sensing;
} TactStepModel;

#endif
