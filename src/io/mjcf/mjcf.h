// MJCF: the parts of its reader.
//
//     include   files are put into one tree                                  mjcf_include.c
//     check     every element and attribute goes through one table           mjcf_check.c
//     defaults  classes are complete descriptions, made of their parents'    mjcf_defaults.c
//     elements  attributes over a description                                mjcf_element.c, ...
//     sections  descriptions to the builder                                  mjcf_body.c, ...
//
// A description is what an element says and what its class says where it says nothing, as in
// MuJoCo: an element starts as a copy of its class, and its attributes are written over it.
#ifndef TACT_IO_MJCF_MJCF_H
#define TACT_IO_MJCF_MJCF_H

#include "io/attach/attach.h"
#include "io/model_reader.h"

typedef enum TactMjcfAlternative {
    TACT_MJCF_QUAT,
    TACT_MJCF_AXISANGLE,
    TACT_MJCF_XYAXES,
    TACT_MJCF_ZAXIS,
    TACT_MJCF_EULER,
} TactMjcfAlternative;

/// Where something stands, in the words of the file.
typedef struct TactMjcfPose {
    TactVec3            position;
    TactQuat            quat;
    TactMjcfAlternative alternative; // what says the rotation; its numbers in values
    double              values[6];
    bool                has_fromto;
    double              fromto[6];
} TactMjcfPose;

typedef enum TactMjcfLimited { TACT_MJCF_FALSE, TACT_MJCF_TRUE, TACT_MJCF_AUTO } TactMjcfLimited;

typedef enum TactMjcfShape { // in the order of the words in mjcf_element.c
    TACT_MJCF_PLANE,
    TACT_MJCF_HFIELD,
    TACT_MJCF_SPHERE,
    TACT_MJCF_CAPSULE,
    TACT_MJCF_ELLIPSOID,
    TACT_MJCF_CYLINDER,
    TACT_MJCF_BOX,
    TACT_MJCF_MESH,
    TACT_MJCF_SDF,
} TactMjcfShape;

typedef struct TactMjcfGeom {
    TactMjcfPose  pose;
    TactMjcfShape shape;
    double        size[3];
    int           contype, conaffinity, condim, group, priority;
    double        friction[3];
    double        margin, gap;
    double        mass, density; // mass < 0: not given
    bool          shell;
    const char   *mesh, *hfield, *material; // NULL: none
    double        fitscale;
    double        rgba[4];
    bool          has_rgba;
    double        surface_velocity[6];
    int           fluid_shape; // 1: ellipsoid
    double        fluid[5];
} TactMjcfGeom;

typedef struct TactMjcfSite {
    TactMjcfPose  pose;
    TactMjcfShape shape;
    double        size[3];
    int           group;
    const char   *material;
    double        rgba[4];
    bool          has_rgba;
} TactMjcfSite;

typedef struct TactMjcfCamera {
    TactMjcfPose pose;
    int          mode; // 0: fixed; else it follows something
} TactMjcfCamera;

typedef struct TactMjcfJoint {
    TactJointType   type;
    TactVec3        position, axis;
    TactMjcfLimited limited, force_limited;
    double          range[2], force_range[2]; // in the units of the file
    double          margin, reference, spring_reference;
    double          spring_more[2], damper_more[2];
    double          stiffness, damping, armature, friction;
    double          spring_damper[2];
    bool            carries_gravity;
    int             group;
} TactMjcfJoint;

typedef struct TactMjcfMesh {
    double          scale[3];
    TactMeshInertia inertia;
} TactMjcfMesh;

typedef struct TactMjcfPair {
    int    condim;
    double friction[5];
    double margin, gap;
} TactMjcfPair;

typedef struct TactMjcfTendon {
    TactMjcfLimited limited, force_limited;
    double          range[2], force_range[2];
    double          margin, stiffness, damping, friction, armature;
    double          spring_more[2], damper_more[2];
    double          spring_length[2];
} TactMjcfTendon;

enum { TACT_MJCF_PARAMETERS = 10 }; // of gain, bias and activation

typedef enum TactMjcfDynamics {
    TACT_MJCF_DYNAMICS_NONE,
    TACT_MJCF_DYNAMICS_INTEGRATOR,
    TACT_MJCF_DYNAMICS_FILTER,
    TACT_MJCF_DYNAMICS_FILTER_EXACT,
    TACT_MJCF_DYNAMICS_MUSCLE,
    TACT_MJCF_DYNAMICS_OTHER, // user, dcmotor, ...
} TactMjcfDynamics;

typedef enum TactMjcfLaw { // of gain and bias
    TACT_MJCF_LAW_CONSTANT,
    TACT_MJCF_LAW_AFFINE,
    TACT_MJCF_LAW_NONE,
    TACT_MJCF_LAW_MUSCLE,
    TACT_MJCF_LAW_OTHER, // user, dcmotor, ...
} TactMjcfLaw;

typedef struct TactMjcfDelay {
    double time;
    int    samples, interpolation;
} TactMjcfDelay;

typedef struct TactMjcfActuator {
    TactMjcfLimited  ctrl_limited, force_limited;
    double           ctrl_range[2], force_range[2];
    double           gear[6];
    TactMjcfDynamics dynamics;
    TactMjcfLaw      gain_law, bias_law;
    double           gain[TACT_MJCF_PARAMETERS], bias[TACT_MJCF_PARAMETERS];
    double           activation[TACT_MJCF_PARAMETERS];
    TactMjcfLimited  act_limited;
    double           act_range[2], length_range[2];
    bool             act_early;
    TactMjcfDelay    delay;
    double           crank_length;
    double           inherit_range;
    int              group;
    double           damping, armature; // of the rotor
    double           damper_more[2];
    bool             is_motor;
    TactMotor        motor;
    bool             is_turn;
    unsigned         inputs; // bits of TactMjcfInput; 0: one, that of the law
    double           vel_range[2], ff_range[2];
    double           damping_ratio; // of a pid; 0: none
} TactMjcfActuator;

/// What controls of an actuator may be, in the order in which they stand. An expmap has three
/// numbers, a quat four.
enum TactMjcfInput {
    TACT_MJCF_INPUT_POS = 1,
    TACT_MJCF_INPUT_VEL = 2,
    TACT_MJCF_INPUT_FF = 4,
    TACT_MJCF_INPUT_VOLTAGE = 8,
    TACT_MJCF_INPUT_EXPMAP = 16,
    TACT_MJCF_INPUT_QUAT = 32,
};

/// A class of defaults: the description of everything that says nothing.
typedef struct TactMjcfClass TactMjcfClass;
struct TactMjcfClass {
    const char      *name;
    TactMjcfClass   *next;
    TactMjcfGeom     geom;
    TactMjcfSite     site;
    TactMjcfCamera   camera;
    TactMjcfJoint    joint;
    TactMjcfMesh     mesh;
    double           material_rgba[4];
    TactMjcfPair     pair;
    bool             equality_active;
    double           equality_solref[2];
    TactMjcfTendon   tendon;
    TactMjcfActuator actuator;
};

/// A material or a mesh of the file.
typedef struct TactMjcfAsset TactMjcfAsset;
struct TactMjcfAsset {
    TactMjcfAsset  *next;
    const char     *name;
    double          rgba[4]; // material
    int             mesh;    // index in the builder
    TactMeshInertia inertia;
    bool            triangles; // not its hull but the mesh itself touches
    const TactMesh *shape;     // of the builder
};

enum { TACT_MJCF_MOST_REPEATED = 1000000 }; // elements that replicates may make

/// A round of a replicate: what it adds to names ("": none), and its number among all rounds.
typedef struct TactMjcfRound {
    const char *suffix;
    int         id;
} TactMjcfRound;

/// One of the things that a named element of a replicate stands for.
typedef struct TactMjcfReplica TactMjcfReplica;
struct TactMjcfReplica {
    TactMjcfReplica *next;
    TactMjcfRound    round;
};

/// A named element of a replicate, which stands for many things.
typedef struct TactMjcfReplicated TactMjcfReplicated;
struct TactMjcfReplicated {
    TactMjcfReplicated *next;
    TactObject          type;
    const char         *base;
    TactMjcfReplica    *first, *last;
    int                 count;
};

/// Where a site is, for equalities that tie sites.
typedef struct TactMjcfPlace {
    int           body;
    TactTransform pose; // in the body
} TactMjcfPlace;

/// A camera, which a sensor may name: it is a site then.
typedef struct TactMjcfEye TactMjcfEye;
struct TactMjcfEye {
    TactMjcfEye       *next;
    const char        *name;
    TactMjcfPlace      place;
    bool               follows; // something, and has no place in its body
    int                site;    // of the builder; -1: not yet
    TactXmlNode const *node;
};

/// Names of actuators that are not in the model, of tendons too, and whether they are (kept).
typedef struct TactMjcfKept TactMjcfKept;
struct TactMjcfKept {
    TactMjcfKept      *next;
    TactObject         type;
    const char        *name;
    bool               kept;
    const TactXmlNode *node;
};

/// What the compiler element of a file says of the file's own elements.
typedef struct TactMjcfCompiler {
    bool           degrees;
    char           euler[4];
    bool           auto_limits;
    bool           strip_path;
    bool           exact_meshes;
    bool           fit_boxes; // shapes are fitted to bounding boxes
    const char    *mesh_folder;
    const char    *asset_folder;
    TactMjcfClass *main; // its outermost class
} TactMjcfCompiler;

/// A joint in the order of q.
typedef struct TactMjcfPlaced TactMjcfPlaced;
struct TactMjcfPlaced {
    TactMjcfPlaced    *next;
    const TactXmlNode *node;
    int                body; // of the builder
    TactJointType      type;
    double             q[7]; // at the reference
};

typedef struct TactMjcf {
    TactModelReader *reader;
    TactXml         *xml; // of the reader
    TactXmlNode     *root;
    TactModelConfig  config;

    TactAttachments   attachments;
    TactMjcfCompiler *compilers;                // of the models that are attached, by their number
    unsigned          disabled_groups;          // of actuators, a bit each
    bool              springs_off, dampers_off; // of joints and tendons
    bool              only_pairs, no_pairs;     // what touches, by the option collision
    TactMjcfPlaced   *placed, *last_placed;     // joints, in the order of their bodies

    TactMjcfClass      *classes; // the first is the main one
    TactMjcfClass      *last_class;
    TactMjcfClass      *plain; // the defaults of the format, for what composites are made of
    TactMjcfAsset      *materials;
    TactMjcfAsset      *meshes;
    TactMjcfPlace      *sites; // by the index of the builder                      (site_room)
    int                 site_room;
    TactMjcfEye        *eyes;
    TactMjcfReplicated *replicated;
    int                 rounds;   // of replicates, so far
    int                 repeated; // elements that replicates made
    TactMjcfKept       *kept, *last_kept;
    TactTransform      *mocaps;       // poses of mocap bodies                          (mocap_room)
    int                *mocap_bodies; // of the builder                          (mocap_room)
    int                 mocap_count, mocap_room;
} TactMjcf;

// ---------------------------------------------------------------------------------------------
// Reading, in this order

TactStatus tact_mjcf_include(TactMjcf *mjcf);
TactStatus tact_mjcf_check(TactMjcf *mjcf);
TactStatus tact_mjcf_options(TactMjcf *mjcf);
TactStatus tact_mjcf_defaults(TactMjcf *mjcf);
TactStatus tact_mjcf_assets(TactMjcf *mjcf);
TactStatus tact_mjcf_bodies(TactMjcf *mjcf);
TactStatus tact_mjcf_contacts(TactMjcf *mjcf);
TactStatus tact_mjcf_tendons(TactMjcf *mjcf);
TactStatus tact_mjcf_equalities(TactMjcf *mjcf);
TactStatus tact_mjcf_actuators(TactMjcf *mjcf);
TactStatus tact_mjcf_sensors(TactMjcf *mjcf);
TactStatus tact_mjcf_keyframes(TactMjcf *mjcf);
/// Keyframes of models that are attached: the others' joints at their reference. mjcf_keys.c
TactStatus tact_mjcf_attached_keys(TactMjcf *mjcf);
/// Numbers of a keyframe of the file itself (word: qpos or qvel) that are fewer than those of the
/// joints get zeros at their end, with a note.
TactStatus tact_mjcf_complete_key(TactMjcf *mjcf, const TactXmlNode *node, const char *word,
                                  double **numbers, int *count);
/// Remembers a joint, where it stands among those of all bodies.
TactStatus tact_mjcf_place_joint(TactMjcf *mjcf, const TactXmlNode *node, const TactJoint *joint,
                                 TactTransform pose);
TactStatus tact_mjcf_customs(TactMjcf *mjcf);

// ---------------------------------------------------------------------------------------------
// Classes and attributes

/// What holds in the file that a node is from.
static inline const TactMjcfCompiler *tact_mjcf_compiler(const TactMjcf    *mjcf,
                                                         const TactXmlNode *node)
{
    return &mjcf->compilers[node->model];
}

/// The class that the node names, else the one given; TACT_BAD_INPUT if there is none of that name.
TactStatus tact_mjcf_class(const TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                           const TactMjcfClass *otherwise, const TactMjcfClass **class);

TactStatus tact_mjcf_read_pose(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfPose *pose);
TactStatus tact_mjcf_read_geom(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfGeom *geom);
TactStatus tact_mjcf_read_site(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfSite *site);
TactStatus tact_mjcf_read_camera(const TactMjcf *mjcf, const TactXmlNode *node,
                                 TactMjcfCamera *camera);
TactStatus tact_mjcf_read_joint(const TactMjcf *mjcf, const TactXmlNode *node,
                                TactMjcfJoint *joint);
TactStatus tact_mjcf_read_mesh(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfMesh *mesh);
TactStatus tact_mjcf_read_pair(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfPair *pair);
TactStatus tact_mjcf_read_tendon(const TactMjcf *mjcf, const TactXmlNode *node,
                                 TactMjcfTendon *tendon);
TactStatus tact_mjcf_read_actuator(const TactMjcf *mjcf, const TactXmlNode *node,
                                   TactMjcfActuator *actuator);
bool       tact_mjcf_is_actuator(const TactXmlNode *node);

/// true, false or auto
TactStatus tact_mjcf_read_limited(const TactXmlNode *node, const char *attribute,
                                  TactMjcfLimited *limited);
/// Is it limited, after MJCF's autolimits rule?
TactStatus tact_mjcf_is_limited(const TactMjcf *mjcf, const TactXmlNode *node,
                                const char *attribute, TactMjcfLimited limited,
                                const double range[2], bool *is);

// ---------------------------------------------------------------------------------------------
// Poses

TactMjcfPose tact_mjcf_pose_identity(void);
/// The rotation that the pose says, whatever its form.
TactStatus tact_mjcf_rotation(const TactMjcf *mjcf, const TactXmlNode *node,
                              const TactMjcfPose *pose, TactQuat *rotation);
/// Position and rotation; fromto is not looked at.
TactStatus tact_mjcf_transform(const TactMjcf *mjcf, const TactXmlNode *node,
                               const TactMjcfPose *pose, TactTransform *transform);
/// From fromto, if there is one, with the half-length put into the size of the shape.
TactStatus tact_mjcf_place(const TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfPose *pose,
                           TactMjcfShape shape, double size[3], TactTransform *transform);

// ---------------------------------------------------------------------------------------------
// Geoms and assets

TactStatus tact_mjcf_add_geom(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfClass *class,
                              TactTransform frame, int body, const char *name);
TactStatus tact_mjcf_add_site(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfClass *class,
                              TactTransform frame, int body, const char *name);
/// Remembers where a camera is.
TactStatus tact_mjcf_add_camera(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfClass *class,
                                TactTransform frame, int body, TactMjcfRound round);
/// The site that a camera is for sensors; -1: it follows something, and is none.
TactStatus tact_mjcf_find_camera(TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                                 TactMjcfRound round, int *site);
/// Size and place (in the frame of the mesh) of a shape that stands for a mesh.
/// bounds: by the box around it, not by that of its inertia.
TactStatus tact_mjcf_fit(const TactMjcfAsset *asset, const TactMjcfGeom *geom, bool bounds,
                         double size[3], TactTransform *offset);

// ---------------------------------------------------------------------------------------------
// Names

/// The index of the thing that an attribute names. TACT_BAD_INPUT if there is none.
TactStatus tact_mjcf_find(const TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                          TactObject type, TactMjcfRound round, int *index);

/// Elements that name things of a replicate are there once for each round of it.
typedef TactStatus TactMjcfElement(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round);
/// All children of all sections of that name: those that name nothing replicated first, then round
/// by round.
TactStatus tact_mjcf_each(TactMjcf *mjcf, const char *section, TactMjcfElement *run);

/// The name of an element in a round ("" if it has none), remembered for those who refer to it.
TactStatus tact_mjcf_name(TactMjcf *mjcf, const TactXmlNode *node, TactObject type,
                          TactMjcfRound round, const char **name);

/// name + suffix, in the pool; NULL: no memory.
const char *tact_mjcf_suffixed(const TactMjcf *mjcf, const char *name, const char *suffix);

/// Remembers that an actuator or tendon is in the model, or is not.
TactStatus tact_mjcf_keep(TactMjcf *mjcf, TactObject type, const TactXmlNode *node,
                          const char *name, bool kept);
/// Is there one of that name that was left out?
bool tact_mjcf_is_left_out(const TactMjcf *mjcf, TactObject type, const char *name,
                           TactMjcfRound round);

/// Vertices and triangles in the pool.
typedef struct TactMjcfSolid {
    int           vertex_count, triangle_count;
    TactVec3     *vertices;
    TactTriangle *triangles;
} TactMjcfSolid;

/// The mesh of builtin="..." params="...". mjcf_builtin.c
TactStatus tact_mjcf_make_builtin(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfSolid *shape);

/// Heights of a PNG picture. mjcf_png.c
TactStatus tact_mjcf_read_png(TactMjcf *mjcf, const TactXmlNode *node, const char *path,
                              TactHeightField *field);

/// A note that depends on more than the table knows.
TactStatus tact_mjcf_note(TactMjcf *mjcf, const TactXmlNode *node, const char *attribute,
                          TactVerdict verdict, const char *text);
/// Notes of a spring or damper that is negative.
TactStatus tact_mjcf_note_giving(TactMjcf *mjcf, const TactXmlNode *node, double stiffness,
                                 double damping);
/// A negative gap makes the margin less: no contact is looked for beyond the two together.
TactStatus tact_mjcf_fit_gap(TactMjcf *mjcf, const TactXmlNode *node, double *margin, double *gap);

#endif
