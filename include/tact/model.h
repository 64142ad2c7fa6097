// Models: bodies in a tree, joints, geoms, actuators, constraints, as constant data; and the
// builder.
//
// A model is made by a builder, from C or by a reader of model files (load.h), with the same
// checks. Once compiled it never changes and may be shared by any number of threads and
// simulations.
//
//     bodies   depth first, parents before children; body 0 is the fixed world
//     frames   a pose is that of the child frame in its parent's coordinates: x' = R x + p
//     q        nq numbers: free 7 (position, quaternion), ball 4 (quaternion), hinge 1, slide 1
//     v        nv numbers: free 6 (linear in the world frame, angular in the body frame), ball 3
//              (angular in the child frame), hinge 1, slide 1
//
// The order of q and v is that of the joints, body by body, as in MuJoCo.
#ifndef TACT_MODEL_H
#define TACT_MODEL_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/math.h>
#include <tact/mesh.h> // TactMesh, TactHull, TactMeshInertia

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Parts of a model

/// File and line where something was defined, for messages. file NULL: made in code.
typedef struct TactSource {
    const char *file;
    int         line;
} TactSource;

typedef struct TactBody {
    const char   *name;    // "": none
    int           parent;  // body; -1 for the world
    TactTransform pose;    // in the parent, with all joints of this body at their reference
    TactInertia   inertia; // in the body's frame; about its centre of mass
    double        gravity_compensation; // share of its weight that is compensated; 0: none
    int           root;    // top body of its tree (child of the world); 0 for the world
    int           carrier; // nearest body towards the root, itself included, that has joints or is
                 //   the world: bodies with one carrier do not move relative to each other
    int    first_joint; // joints of this body, one after another, parent side first
    int    joint_count; // 0: fixed to its parent
    int    first_dof;   // of its joints; nv without joints
    int    dof_count;
    int    first_geom;
    int    geom_count;
    int    first_site;
    int    site_count;
    double subtree_mass; // of itself and all descendants, kg
    int    mocap;        // its number among the bodies that are moved from outside; -1: it is none.
               //   Such a body has a free joint, whose motion is given (TactSimState.mocap)
} TactBody;

typedef enum TactJointType {
    TACT_JOINT_FREE,  // 6 dof, only on children of the world, alone on its body
    TACT_JOINT_BALL,  // 3
    TACT_JOINT_HINGE, // 1
    TACT_JOINT_SLIDE, // 1
} TactJointType;

TACT_API const char               *tact_joint_type_name(TactJointType value);
TACT_API TACT_NODISCARD TactStatus tact_joint_type_find(const char *name, TactJointType *value);

typedef struct TactJoint {
    const char   *name;
    TactJointType type;
    int           body;      // the child body that it moves
    TactVec3      position;  // anchor in the body's frame (not of free joints)
    TactVec3      axis;      // unit, in the body's frame (hinge, slide)
    int           q;         // index of its first number in q
    int           dof;       // index of its first number in v
    double        reference; // value of q at which the body has its pose (hinge, slide), rad or m
    bool          limited;
    double        range[2];  // hinge: rad; slide: m; ball: largest angle in range[1]; free: none
    double        margin;    // it is held this far inside of its range, rad or m
    double        stiffness; // spring, N m/rad or N/m
    double        spring_reference; // value of q at which the spring is at rest (hinge, slide)
    double        damping;          // N m s/rad or N s/m
    double        armature;         // rotor inertia seen at the joint, kg m^2 or kg
    double        friction;         // dry friction: largest torque or force that it holds, N m or N
    bool          force_limited;    // sum of all actuators on it is clamped (hinge, slide)
    double        force_range[2];
    int           group;
    bool          carries_gravity;  // gravity compensation of bodies is a force of its actuators
    double        spring_damper[2]; // time constant (s) and damping ratio; both > 0: stiffness and
                                    //   damping follow from them when the model is compiled
    double spring_more[2]; // hinge, slide: the spring's force is -(stiffness x + a x^2 + b x^3);
                           //   ball, free: -(stiffness + a |x| + b |x|^2) x, x turn or translation
    double damper_more[2]; // the damper's is -(damping v + a v |v| + b v^3), of each dof
    double bend[3];     // ball alone on its body: with the rotation R = exp(w) of the child in its
                        //   parent, the moment -bend[i] (w - bend_rest)_i about axis i of the
                        //   parent's frame, on the child: a piece of a cable. N m/rad; 0: none
    TactVec3 bend_rest; // rotation vector w at which it is at rest, rad
} TactJoint;

typedef struct TactDof {
    int    joint;
    int    body;
    int    parent; // next dof on the path to the root; -1: none
    double damping;
    double armature;
    double friction;
} TactDof;

typedef enum TactGeomType {
    TACT_GEOM_PLANE,     // size: half-lengths x, y for drawing (0: infinite); normal +z
    TACT_GEOM_SPHERE,    // radius
    TACT_GEOM_CAPSULE,   // radius, half-length of the straight part along z
    TACT_GEOM_CYLINDER,  // radius, half-length along z
    TACT_GEOM_BOX,       // half-lengths
    TACT_GEOM_ELLIPSOID, // half-axes
    TACT_GEOM_CONVEX,    // convex hull of a mesh
    TACT_GEOM_MESH,      // triangle mesh as it is
    TACT_GEOM_HEIGHTFIELD,
    TACT_GEOM_TYPE_COUNT
} TactGeomType;

TACT_API const char               *tact_geom_type_name(TactGeomType value);
TACT_API TACT_NODISCARD TactStatus tact_geom_type_find(const char *name, TactGeomType *value);

typedef struct TactGeom {
    const char   *name;
    TactGeomType  type;
    int           body;
    TactTransform pose; // in the body's frame
    double        size[3];
    int           mesh;             // index of meshes or of height fields; -1: none
    int           contact_type;     // bits: two geoms may touch if
    int           contact_affinity; //   (a.type & b.affinity) || (b.type & a.affinity)
    int           condim; // 1: frictionless; 3: friction; 4: against spinning, too; 6: and rolling
    int           priority; // the geom of higher priority gives the friction; equal: the larger one
    double        mu;       // sliding friction
    double        torsional, rolling; // against spinning (condim 4, 6) and rolling (6), m
    double        margin; // geoms touch where they are the sum of their margins apart, m
    double        gap;    // beyond it, in which MuJoCo tells of contacts without force; no effect
    double        mass;   // contribution to its body when inertia comes from geoms, kg
    double        rgba[4];
    int           group;
    bool          visual;              // never collides: no bits set, and in no pair
    double        surface_velocity[6]; // of its surface against its body: linear m/s, angular rad/s
    bool          fluid_ellipsoid;     // the fluid acts on the ellipsoid of this geom
    double        fluid[5]; // its coefficients: blunt, slender, angular drag, Kutta, Magnus lift
} TactGeom;

typedef struct TactSite {
    const char   *name;
    int           body;
    TactTransform pose;
    TactGeomType  type; // for drawing
    double        size[3];
    double        rgba[4];
    int           group;
} TactSite;

/// Heights over a grid on the xy plane, row by row along y, columns along x.
typedef struct TactHeightField {
    const char   *name;
    int           rows, columns;
    double        half[2]; // half-lengths along x and y, m
    double        top;     // height of the value 1, m
    double        base;    // depth of the solid below height 0, m
    const double *height;  // 0 .. 1                                         (rows x columns)
} TactHeightField;

/// The solid as a mesh: surface, sides and base; only the surface if the base has no depth.
TACT_API TACT_NODISCARD TactStatus tact_heightfield_to_mesh(const TactHeightField *field,
                                                            TactMesh             **mesh);

/// A mesh of the model. The hull is computed once, if a convex geom that is not visual needs it.
typedef struct TactModelMesh {
    const char     *name;
    const TactMesh *mesh;
    const TactHull *hull; // NULL if no such geom exists
} TactModelMesh;

typedef enum TactTransmission {
    TACT_TRANSMISSION_JOINT, // gear[0] for hinge and slide, gear[0..2] ball, gear[0..5] free (child
                             // frame)
    TACT_TRANSMISSION_JOINT_IN_PARENT, // the same with ball and free axes of the parent
    TACT_TRANSMISSION_TENDON,
    TACT_TRANSMISSION_SITE,         // a wrench gear[0..5] in the frame of the site
    TACT_TRANSMISSION_BODY_FORCE,   // the same in the frame of a body
    TACT_TRANSMISSION_SITE_TO_SITE, // a site as another sees it: gear[0..5] times position and turn
    TACT_TRANSMISSION_SLIDER_CRANK, // a slider on the z axis of a site, a rod from it to another
    TACT_TRANSMISSION_ADHESION,     // what touches a body is pulled to it, an equal part at each
                                    //   contact, also across the gaps of geoms
    TACT_TRANSMISSION_INPUT,        // nothing: its control is one more of the actuator before it
                                    //   that has several (target), in the role of motor.input
} TactTransmission;

TACT_API const char               *tact_transmission_name(TactTransmission value);
TACT_API TACT_NODISCARD TactStatus tact_transmission_find(const char       *name,
                                                          TactTransmission *value);

/// How the activation of an actuator follows its control u, with parameters p:
typedef enum TactActivation {
    TACT_ACTIVATION_NONE,         // the control acts at once
    TACT_ACTIVATION_INTEGRATOR,   // a' = u
    TACT_ACTIVATION_FILTER,       // a' = (u - a) / p0
    TACT_ACTIVATION_FILTER_EXACT, // the same, without an error of the step
    TACT_ACTIVATION_MUSCLE,       // a' = (u - a) / T(u, a): p0 on the way up, p1 down, p2 smooths
} TactActivation;

TACT_API const char               *tact_activation_name(TactActivation value);
TACT_API TACT_NODISCARD TactStatus tact_activation_find(const char *name, TactActivation *value);

/// What the kept controls of an actuator with a delay say of the time between two of them.
typedef enum TactDelayInterpolation {
    TACT_DELAY_INTERPOLATION_HOLD,   // the earlier one
    TACT_DELAY_INTERPOLATION_LINEAR, // a line
    TACT_DELAY_INTERPOLATION_CUBIC,  // a cubic, with slopes by central differences
} TactDelayInterpolation;

TACT_API const char               *tact_delay_interpolation_name(TactDelayInterpolation value);
TACT_API TACT_NODISCARD TactStatus tact_delay_interpolation_find(const char             *name,
                                                                 TactDelayInterpolation *value);

/// What a muscle is made of: MuJoCo's curves of force over length and velocity.
typedef struct TactMuscle {
    double range[2];   // lengths of the transmission's range, in units of the optimal length
    double force;      // at rest and full activation, N; < 0: scale / what one N accelerates
    double scale;      //
    double lmin, lmax; // within these lengths it pulls
    double vmax;       // fastest shortening, optimal lengths a second
    double fpmax;      // passive force at lmax, of force
    double fvmax;      // active force when lengthened fast, of force
} TactMuscle;

/// What the control of a motor with brushes is.
typedef enum TactMotorInput {
    TACT_MOTOR_INPUT_VOLTAGE,
    TACT_MOTOR_INPUT_POSITION, // of a controller
    TACT_MOTOR_INPUT_VELOCITY, // the same
    TACT_MOTOR_INPUT_FORCE,    // the same
} TactMotorInput;

TACT_API const char               *tact_motor_input_name(TactMotorInput value);
TACT_API TACT_NODISCARD TactStatus tact_motor_input_find(const char *name, TactMotorInput *value);

/// A motor with brushes: MuJoCo's. What it keeps from step to step are activations, those of them
/// that it has: command, integral, temperature, bristle, current. Without constant and resistance
/// it is a controller alone, whose torque acts as it is.
typedef struct TactMotor {
    double constant;     // K: torque a current, and voltage a speed, N m/A
    double resistance;   // R, ohm
    double time;         // L / R of the current, s; 0: the current follows at once
    double current_rate; // largest change of the current, A/s; 0: any
    double cogging[3];   // torque, times a turn by 2 pi, phase: N m, -, rad
    double heat[5];      // thermal resistance (0: none) K/W, capacity J/K; of the resistance:
                         //   change 1/K, temperature at which it is R; temperature around, C
    double bristle[5];   // LuGre friction: stiffness (0: none), damping; sliding and static
                         //   friction, Stribeck's velocity
    TactMotorInput input;
    double         controller[6]; // gains of position, integral and velocity; largest change of the
                                  //   command a second, of the integral, largest voltage; 0: none
    bool ahead; // controller alone: the integral is that after the step, and the first command is
                //   taken as it is (MuJoCo's plugin mujoco.pid); its activations are then integral,
                //   command, and 1 once there was a command
} TactMotor;

/// Force = gain * ctrl + bias, with gain = g0 + g1 length + g2 velocity and the same for bias b;
/// length and velocity are those of the transmission (gear included). With an activation it stands
/// in place of ctrl; a muscle has gain and bias by its curves.
typedef struct TactActuator {
    const char      *name;
    TactTransmission transmission;
    int              target; // joint, tendon, site or body
    double           gear[6];
    double           gain[3];
    double           bias[3];
    bool             ctrl_limited;
    double           ctrl_range[2];
    bool             force_limited;
    double           force_range[2];
    int              group;
    int    reference;    // site to site: the other site; slider-crank: that of the slider; else -1
    double crank_length; // of the rod, m
    TactActivation activation;
    double         activation_parameters[3];
    int            act; // where its first activation stands in TactSimState.act; -1: it has none
    bool           act_limited;
    double         act_range[2];
    bool           act_early; // the force is that of the activation after the step
    bool           is_muscle; // gain and bias by its curves
    TactMuscle     muscle;
    double         length_range[2]; // of the transmission; equal: found when it is simulated
    bool           is_motor;        // gain and bias by what the motor is made of
    TactMotor      motor;
    int            act_size; // how many activations it has; 0: none
    int            inputs;   // controls: its own, and those of actuators right after it
    bool is_turn; // a servo for the whole turn of a ball, or of a site as another sees it:
                  //   torque gain[0] log(R' exp(u)) + bias[2] rate, in the child's axes,
                  //   not longer than force_range[1]; u three inputs, or a quaternion
    double                 delay;   // its control reaches it so much later, s; 0: at once
    int                    samples; // controls of past steps that it keeps; with a delay >= 1
    TactDelayInterpolation delay_interpolation;
} TactActuator;

typedef enum TactEqualityType {
    TACT_EQUALITY_CONNECT, // a point of body a stays on a point of body b
    TACT_EQUALITY_WELD,    // b keeps its pose in a
    TACT_EQUALITY_JOINT,   // q_a - ref_a = polynomial in q_b - ref_b (b = -1: a constant)
    TACT_EQUALITY_TENDON,  // the same with tendon lengths
} TactEqualityType;

TACT_API const char               *tact_equality_type_name(TactEqualityType value);
TACT_API TACT_NODISCARD TactStatus tact_equality_type_find(const char       *name,
                                                           TactEqualityType *value);

typedef struct TactEquality {
    const char      *name;
    TactEqualityType type;
    int              a, b;         // bodies, joints or tendons
    bool             active;       // from the start
    TactVec3         anchor_a;     // connect, weld: the point in the frame of a
    TactVec3         anchor_b;     //   and in that of b
    TactTransform    relative;     // weld: pose of b in a
    double           torque_scale; // weld: weight of the rotational part, m (1: equal); 0 makes
                                   //   it a connect at the anchor
    double polynomial[5];
    double time_constant; // connect and weld to a mocap body: s in which a gap closes. Others are
                          //   rigid
    int via;              // weld: b keeps the pose in a that this body has in the world, which
                          //   joints of its own move (dynamics.h: maximal coordinates); 0: none
} TactEquality;

/// A part of the way of a tendon through space.
typedef enum TactTendonPartType {
    TACT_TENDON_PART_SITE,     // it goes through a site
    TACT_TENDON_PART_SPHERE,   // between two sites: around a sphere
    TACT_TENDON_PART_CYLINDER, // around a cylinder without ends
    TACT_TENDON_PART_PULLEY,   // a new way begins, whose length is divided by the divisor
} TactTendonPartType;

TACT_API const char               *tact_tendon_part_type_name(TactTendonPartType value);
TACT_API TACT_NODISCARD TactStatus tact_tendon_part_type_find(const char         *name,
                                                              TactTendonPartType *value);

typedef struct TactTendonPart {
    TactTendonPartType type;
    int                object;  // site or geom; -1: none
    int                side;    // site on the side on which it goes around a geom; -1: the shorter
    double             divisor; // of a pulley
} TactTendonPart;

/// A fixed tendon: length = sum of coefficient * q over joints; or one through space: the length of
/// its way through sites and around geoms.
typedef struct TactTendon {
    const char   *name;
    int           count;
    const int    *joints;       // hinges and slides                               (count)
    const double *coefficients; //                                                 (count)
    bool          limited;
    double        range[2];
    double        margin;
    double        stiffness, damping, friction;
    double        spring_range[2]; // no spring force between these lengths; given to the builder
                                   //   as -1 -1: the length with all joints' springs at rest
    bool                  force_limited;
    double                force_range[2];
    int                   part_count; // of a way through space; 0: it is a fixed one
    const TactTendonPart *parts;      //                                       (part_count)
    double armature; // inertia against changes of its length, kg; none of a way around geoms
    double spring_more[2], damper_more[2]; // as of joints
} TactTendon;

/// Two bodies whose geoms never touch.
typedef struct TactExclude {
    int a, b;
} TactExclude;

/// Two geoms that may touch whatever their bits are, with parameters of the pair.
typedef struct TactPair {
    const char *name;
    int         a, b;
    int         condim;
    double      mu[2];              // along the two tangents
    double      torsional, rolling; // against spinning (condim 4, 6) and rolling (6), m
    double      margin, gap;
} TactPair;

typedef enum TactObject {
    TACT_OBJECT_NONE,
    TACT_OBJECT_BODY,  // centre of mass frame
    TACT_OBJECT_XBODY, // body frame
    TACT_OBJECT_JOINT,
    TACT_OBJECT_GEOM,
    TACT_OBJECT_SITE,
    TACT_OBJECT_MESH,
    TACT_OBJECT_HEIGHTFIELD,
    TACT_OBJECT_TENDON,
    TACT_OBJECT_ACTUATOR,
    TACT_OBJECT_EQUALITY,
    TACT_OBJECT_SENSOR,
    TACT_OBJECT_PAIR,
    TACT_OBJECT_KEYFRAME,
    TACT_OBJECT_COUNT
} TactObject;

TACT_API const char               *tact_object_name(TactObject value);
TACT_API TACT_NODISCARD TactStatus tact_object_find(const char *name, TactObject *value);

typedef enum TactSensorType {
    TACT_SENSOR_JOINT_POSITION,
    TACT_SENSOR_JOINT_VELOCITY,
    TACT_SENSOR_BALL_ORIENTATION, // quaternion
    TACT_SENSOR_BALL_VELOCITY,
    TACT_SENSOR_TENDON_POSITION,
    TACT_SENSOR_TENDON_VELOCITY,
    TACT_SENSOR_ACTUATOR_POSITION,
    TACT_SENSOR_ACTUATOR_VELOCITY,
    TACT_SENSOR_ACTUATOR_FORCE,
    TACT_SENSOR_JOINT_ACTUATOR_FORCE,
    TACT_SENSOR_FRAME_POSITION,
    TACT_SENSOR_FRAME_ORIENTATION, // quaternion
    TACT_SENSOR_FRAME_X_AXIS,
    TACT_SENSOR_FRAME_Y_AXIS,
    TACT_SENSOR_FRAME_Z_AXIS,
    TACT_SENSOR_FRAME_VELOCITY,
    TACT_SENSOR_FRAME_ANGULAR_VELOCITY,
    TACT_SENSOR_FRAME_ACCELERATION,
    TACT_SENSOR_FRAME_ANGULAR_ACCELERATION,
    TACT_SENSOR_SUBTREE_COM,
    TACT_SENSOR_SUBTREE_VELOCITY,
    TACT_SENSOR_SUBTREE_ANGULAR_MOMENTUM,
    TACT_SENSOR_ACCELEROMETER,
    TACT_SENSOR_VELOCIMETER,
    TACT_SENSOR_GYRO,
    TACT_SENSOR_FORCE,
    TACT_SENSOR_TORQUE,
    TACT_SENSOR_TOUCH,
    TACT_SENSOR_MAGNETOMETER,
    TACT_SENSOR_RANGEFINDER,
    TACT_SENSOR_CONTACT,
    TACT_SENSOR_CLOCK,
    TACT_SENSOR_POTENTIAL_ENERGY, // of gravity and springs
    TACT_SENSOR_KINETIC_ENERGY,
    TACT_SENSOR_DISTANCE, // of two geoms, or of all of two bodies; no more than the cutoff
    TACT_SENSOR_NORMAL,   // along it, from object to reference
    TACT_SENSOR_FROM_TO,  // the two points that are nearest
    TACT_SENSOR_JOINT_LIMIT_POSITION, // distance to a limit less its margin; 0: no limit is active
    TACT_SENSOR_JOINT_LIMIT_VELOCITY, // its rate
    TACT_SENSOR_JOINT_LIMIT_FORCE,    // by which it pushes, N or N m
    TACT_SENSOR_TENDON_LIMIT_POSITION,
    TACT_SENSOR_TENDON_LIMIT_VELOCITY,
    TACT_SENSOR_TENDON_LIMIT_FORCE,
    TACT_SENSOR_TENDON_ACTUATOR_FORCE,
    TACT_SENSOR_INSIDE_SITE,    // 1: the object is inside of the volume of the site, its reference
    TACT_SENSOR_CONTACT_POINTS, // what is asked for of contacts of one thing with another
    TACT_SENSOR_USER,           // numbers that the caller fills in; 0 from here
    TACT_SENSOR_TYPE_COUNT
} TactSensorType;

TACT_API const char               *tact_sensor_type_name(TactSensorType value);
TACT_API TACT_NODISCARD TactStatus tact_sensor_type_find(const char *name, TactSensorType *value);

/// What is read of each contact, bits in the order of the numbers.
enum {
    TACT_CONTACT_DATA_FOUND = 1,    // 1: how many contacts there are, or 0
    TACT_CONTACT_DATA_FORCE = 2,    // 3: in the contact's frame, normal first
    TACT_CONTACT_DATA_TORQUE = 4,   // 3: moment, in the same frame
    TACT_CONTACT_DATA_DISTANCE = 8, // 1: < 0 where they overlap
    TACT_CONTACT_DATA_POSITION = 16,
    TACT_CONTACT_DATA_NORMAL = 32, // from the first thing to the second
    TACT_CONTACT_DATA_TANGENT = 64,
    TACT_CONTACT_DATA_ALL = 127,
};

/// Which contacts come first where there are more than places.
typedef enum TactContactReduce {
    TACT_REDUCE_NONE,      // the order of the geoms
    TACT_REDUCE_NEAREST,   // smallest distance
    TACT_REDUCE_LARGEST,   // largest force
    TACT_REDUCE_NET_FORCE, // one: the sum of all, in the world's axes
} TactContactReduce;

TACT_API const char               *tact_contact_reduce_name(TactContactReduce value);
TACT_API TACT_NODISCARD TactStatus tact_contact_reduce_find(const char        *name,
                                                            TactContactReduce *value);

/// Contacts of a geom, a body (TACT_OBJECT_BODY), a body with all that it carries
/// (TACT_OBJECT_XBODY), or whose points lie in a site, with a second such thing or anything.
typedef struct TactContactAsk {
    unsigned          data; // TACT_CONTACT_DATA_...
    TactContactReduce reduce;
    int               places; // contacts that are told of; the others are zeros
} TactContactAsk;

typedef struct TactSensor {
    const char    *name;
    TactSensorType type;
    TactObject     object_type;
    int            object;
    TactObject     reference_type; // frame it is measured in; TACT_OBJECT_NONE: the world
    int            reference;
    double         cutoff;  // values are clamped to +-cutoff; 0: not
    int            address; // index of its first number among all sensor values
    int            size;    // follows from the type; contact sensors and user: as given
    TactContactAsk contact; // TACT_SENSOR_CONTACT_POINTS
} TactSensor;

typedef struct TactKeyframe {
    const char   *name;
    double        time;
    const double *q;    //                                                            (nq)
    const double *v;    //                                                            (nv)
    const double *ctrl; //                                                            (actuators)
    const double *act;  //                                                            (act_count)
} TactKeyframe;

/// A custom field of a file, e.g. tact_method: "reduced".
typedef struct TactCustom {
    const char *name;
    const char *text;    // "" for a numeric one
    const char *path;    // of the file that the text of tact_motion names, as the reader found it;
                         //   "": the text itself
    int           count; // 0 for a text
    const double *data;  //                                                           (count)
} TactCustom;

typedef enum TactIntegrator { TACT_INTEGRATOR_EULER, TACT_INTEGRATOR_RK4 } TactIntegrator;

TACT_API const char               *tact_integrator_name(TactIntegrator value);
TACT_API TACT_NODISCARD TactStatus tact_integrator_find(const char *name, TactIntegrator *value);

typedef struct TactModelOptions {
    double         timestep; // s
    TactVec3       gravity;  // m/s^2
    TactIntegrator integrator;
    bool           contact_off; // no contacts at all
    bool           gravity_off;
    bool           limit_off;
    bool           equality_off;
    bool           friction_off;      // dry friction of joints and tendons
    bool           parent_filter_off; // geoms of parent and child bodies may touch
    bool           actuation_off;
    bool           clamp_off;            // controls are not clamped to their ranges
    TactVec3       wind;                 // of the fluid around, m/s
    double         density;              // of it, kg/m^3; 0: none
    double         viscosity;            // of it, Pa s
    TactVec3       magnetic;             // field that magnetometers see
    bool           contact_override;     // all contacts have this margin and this friction:
    double         override_margin;      // m
    double         override_friction[5]; // two sliding, spinning, two rolling; m
} TactModelOptions;

typedef struct TactModel {
    const char      *name;
    TactModelOptions options;
    int              nq, nv;
    int              act_count;   // activations of actuators
    int              mocap_count; // bodies that are moved from outside
    double           mass;        // of all bodies, kg

    int                    body_count;
    const TactBody        *bodies;
    int                    joint_count;
    const TactJoint       *joints;
    const TactDof         *dofs;        //                                             (nv)
    const double          *q_reference; // every joint at its reference                (nq)
    const double          *q_spring;    // every spring at rest                        (nq)
    int                    geom_count;
    const TactGeom        *geoms;
    int                    site_count;
    const TactSite        *sites;
    int                    mesh_count;
    const TactModelMesh   *meshes;
    int                    heightfield_count;
    const TactHeightField *heightfields;
    int                    tendon_count;
    const TactTendon      *tendons;
    int                    actuator_count;
    const TactActuator    *actuators;
    int                    equality_count;
    const TactEquality    *equalities;
    int                    exclude_count;
    const TactExclude     *excludes;
    int                    pair_count;
    const TactPair        *pairs;
    int                    sensor_count;
    const TactSensor      *sensors;
    int                    sensor_size; // numbers of all sensors together
    int                    keyframe_count;
    const TactKeyframe    *keyframes;
    int                    custom_count;
    const TactCustom      *customs;
    uint64_t               hash; // of everything above except paths: equal models have equal hashes
} TactModel;

TACT_API void tact_model_destroy(TactModel *model);

/// Index of an object by name, or by the label of one that has none (tact_model_label()); -1: not
/// found.
TACT_API int tact_model_find(const TactModel *model, TactObject type, const char *name);

/// Size of a label in bytes, including the terminating 0.
#define TACT_LABEL_SIZE 64

/// Writes the name of an object, or "TYPE INDEX" without one, to text; for messages and tables.
TACT_API const char *tact_model_label(const TactModel *model, TactObject type, int index,
                                      char text[TACT_LABEL_SIZE]);

/// May these two geoms touch? Never if they have the same carrier; always if a pair names them;
/// otherwise by bits, excludes and the parent-child filter, as in MuJoCo: bodies count as parent
/// and child together with everything fixed to them, but nothing is a child of a body fixed to the
/// world. The pair that names them is written to pair, -1: none; pair may be NULL. Among the
/// options only parent_filter_off is used.
TACT_API bool tact_model_may_touch(const TactModel *model, int geom_a, int geom_b, int *pair);

/// Friction coefficient between two geoms that no pair names: that of the geom with higher
/// priority, else the larger one; 0 if the geom that decides (or both) has condim 1.
TACT_API double tact_model_get_friction(const TactModel *model, int geom_a, int geom_b);

/// Coefficients of friction at a contact.
typedef struct TactGeomFriction {
    double mu, mu2;          // along the two tangents
    double mu_spin, mu_roll; // against spinning and rolling, m
} TactGeomFriction;

/// Coefficients of a pair of the model or, with pair -1, of two geoms that no pair names: those of
/// the geom with higher priority, else the larger ones, as far as the larger condim allows.
TACT_API TactGeomFriction tact_model_compute_friction(const TactModel *model, int geom_a,
                                                      int geom_b, int pair);

/// The distance at which two geoms touch, m: the margin of the pair of the model that names them
/// or, with pair -1, the sum of those of both geoms.
TACT_API double tact_model_compute_standoff(const TactModel *model, int geom_a, int geom_b,
                                            int pair);

/// Poses of all bodies in the world at q, whose quaternions may have any length.
///   q      (nq)
///   poses  out (body_count)
TACT_API void tact_model_compute_poses(const TactModel *model, const double *q,
                                       TactTransform *poses);

// ---------------------------------------------------------------------------------------------
// The builder. Its functions use the builder's own indices, in the order of adding (body 0, the
// world, exists from the start). In the compiled model bodies are depth first, joints, geoms and
// sites in the order of their bodies, and everything else in the order of adding. Children of one
// body keep the order in which they were added.

typedef struct TactModelBuilder TactModelBuilder;

TACT_API TACT_NODISCARD TactStatus tact_model_builder_create(TactModelBuilder **builder);
TACT_API void                      tact_model_builder_destroy(TactModelBuilder *builder);

/// Where the inertia of a body comes from (MJCF's inertiafromgeom).
typedef enum TactInertiaRule {
    TACT_INERTIA_RULE_AUTO,       // from geoms where the body states none
    TACT_INERTIA_RULE_FROM_GEOMS, // always from geoms
    TACT_INERTIA_RULE_AS_STATED,  // never from geoms
} TactInertiaRule;

TACT_API const char               *tact_inertia_rule_name(TactInertiaRule value);
TACT_API TACT_NODISCARD TactStatus tact_inertia_rule_find(const char *name, TactInertiaRule *value);

typedef struct TactModelConfig {
    const char      *name;
    TactModelOptions options;
    TactInertiaRule  inertia_rule;
    int              inertia_groups[2]; // geoms of these groups count (inertiagrouprange)
    double           mass_min;          // smaller masses and principal moments of bodies are
    double           inertia_min;       //   raised to these; 0: they are errors where a body moves
    double           total_mass;        // all masses are scaled to this sum; <= 0: not
    bool             balance_inertia;   // inertias that break the triangle inequality are averaged
    bool             springs_off;       // of what joints have by time constant and damping ratio,
    bool             dampers_off;       //   there is no spring, or no damper
    uint32_t         cookie;            // set by tact_model_config_default(); do not write
} TactModelConfig;

TACT_API TactModelConfig           tact_model_config_default(void);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_set_config(TactModelBuilder      *builder,
                                                                 const TactModelConfig *config);

/// A body as given to the builder.
typedef struct TactBodyDesc {
    const char   *name; // NULL or "": none. Names are unique among objects of one kind
    int           parent;
    TactTransform pose;
    bool          has_inertia;
    TactInertia inertia; // in the body's frame. Without has_inertia, of a body whose geoms have no
                         //   mass either: its com is where mass_min puts one
    double gravity_compensation;
    bool   mocap; // moved from outside: a child of the world, which gets a free joint
} TactBodyDesc;

/// A geom, with the data for inertia from geoms.
typedef struct TactGeomDesc {
    TactGeom        geom;         // geom.mass and geom.visual are not read
    double          density;      // kg/m^3
    double          mass;         // kg, instead of density; < 0: not given
    bool            shell;        // of its surface instead of its volume (density then kg/m^2)
    TactMeshInertia mesh_inertia; // how a mesh is integrated
} TactGeomDesc;

/// An actuator, with data that are resolved when the model is compiled.
typedef struct TactActuatorDesc {
    TactActuator actuator;
    double       damping_ratio; // > 0: bias[2] = -2 ratio sqrt(gain[0] m) with the inertia m seen
                                //   by the actuator at the reference
    double armature, damping;   // of its rotor: gear^2 times them go to the hinge, slide or tendon
    double damper_more[2];      //   that it drives; terms of the damper as of joints
} TactActuatorDesc;

/// Default descriptions: those of MJCF.
TACT_API TactBodyDesc     tact_body_default(void);
TACT_API TactJoint        tact_joint_default(TactJointType type);
TACT_API TactGeomDesc     tact_geom_default(TactGeomType type);
TACT_API TactSite         tact_site_default(void);
TACT_API TactTendon       tact_tendon_default(void);
TACT_API TactActuatorDesc tact_actuator_default(void); // a motor: gear 1, gain 1, no bias
TACT_API TactEquality     tact_equality_default(TactEqualityType type);
TACT_API TactPair         tact_pair_default(void);

/// Each copies its arguments (strings and arrays too), checks what can be checked at this point and
/// writes the index of the new object (index may be NULL). The source is named in messages, also in
/// those of tact_model_builder_compile().
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_body(TactModelBuilder   *builder,
                                                               const TactBodyDesc *body,
                                                               TactSource source, int *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_joint(TactModelBuilder *builder,
                                                                const TactJoint  *joint,
                                                                TactSource source, int *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_geom(TactModelBuilder   *builder,
                                                               const TactGeomDesc *geom,
                                                               TactSource source, int *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_site(TactModelBuilder *builder,
                                                               const TactSite   *site,
                                                               TactSource source, int *index);
/// The builder, and later the model, owns the mesh, even if the call fails.
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_mesh(TactModelBuilder *builder,
                                                               const char *name, TactMesh *mesh,
                                                               TactSource source, int *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_heightfield(TactModelBuilder *builder,
                                                                      const TactHeightField *field,
                                                                      TactSource             source,
                                                                      int                   *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_tendon(TactModelBuilder *builder,
                                                                 const TactTendon *tendon,
                                                                 TactSource source, int *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_actuator(TactModelBuilder       *builder,
                                                                   const TactActuatorDesc *actuator,
                                                                   TactSource source, int *index);
/// Connect: anchor_a is read, and anchor_b is where it lies in b at the reference; both are read if
/// the quaternion of relative is not zero. Weld: anchor_b is read, relative is that of the
/// reference unless its quaternion is not zero, and anchor_a follows from them.
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_equality(TactModelBuilder   *builder,
                                                                   const TactEquality *equality,
                                                                   TactSource source, int *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_exclude(TactModelBuilder *builder,
                                                                  TactExclude       exclude,
                                                                  TactSource        source);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_pair(TactModelBuilder *builder,
                                                               const TactPair   *pair,
                                                               TactSource source, int *index);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_sensor(TactModelBuilder *builder,
                                                                 const TactSensor *sensor,
                                                                 TactSource source, int *index);
/// q, v, ctrl in the order of the compiled model, of the given lengths; NULL: the reference, zero.
/// q and v may leave out mocap bodies: they are at the reference then, or where they are set.
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_keyframe(TactModelBuilder   *builder,
                                                                   const TactKeyframe *key,
                                                                   const int           lengths[3],
                                                                   TactSource source, int *index);
/// Where mocap bodies are in a keyframe, in the order of the bodies of the compiled model.  (count)
TACT_API TACT_NODISCARD TactStatus tact_model_builder_set_mocap(TactModelBuilder    *builder,
                                                                int                  keyframe,
                                                                const TactTransform *poses,
                                                                int                  count);
/// Activations of a keyframe, in the order of the actuators that have one.             (count)
TACT_API TACT_NODISCARD TactStatus tact_model_builder_set_activations(TactModelBuilder *builder,
                                                                      int               keyframe,
                                                                      const double *act, int count);
TACT_API TACT_NODISCARD TactStatus tact_model_builder_add_custom(TactModelBuilder *builder,
                                                                 const TactCustom *custom,
                                                                 TactSource        source);

/// Index of an object that has been added; -1: no object of that kind has the name.
TACT_API int tact_model_builder_find(const TactModelBuilder *builder, TactObject type,
                                     const char *name);
TACT_API int tact_model_builder_count(const TactModelBuilder *builder, TactObject type);
TACT_API const TactJoint *tact_model_builder_view_joint(const TactModelBuilder *builder, int index);
TACT_API const TactGeom  *tact_model_builder_view_geom(const TactModelBuilder *builder, int index);
TACT_API const TactTendon *tact_model_builder_view_tendon(const TactModelBuilder *builder,
                                                          int                     index);

/// Orders, checks and completes everything. Destroy the builder afterwards, whatever the status.
/// TACT_BAD_INPUT with file:line and the name at fault: mass or inertia of a moving body missing,
/// negative, not finite or against the triangle inequality, a free joint below another body, ...
TACT_API TACT_NODISCARD TactStatus tact_model_builder_compile(TactModelBuilder *builder,
                                                              TactModel       **model);

#ifdef __cplusplus
}
#endif
#endif
