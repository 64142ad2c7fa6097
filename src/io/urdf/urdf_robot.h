// A URDF file while it is being read: what its parts share.
#ifndef TACT_IO_URDF_URDF_ROBOT_H
#define TACT_IO_URDF_URDF_ROBOT_H

#include <stdbool.h>
#include <tact/load.h>
#include <tact/mesh.h>

#include "io/model_reader.h"

typedef enum TactUrdfType {
    TACT_URDF_FIXED,
    TACT_URDF_REVOLUTE,
    TACT_URDF_CONTINUOUS,
    TACT_URDF_PRISMATIC,
    TACT_URDF_FLOATING,
    TACT_URDF_PLANAR,
    TACT_URDF_SPHERICAL,
} TactUrdfType;

typedef struct TactUrdfLink {
    const TactXmlNode *node;
    const char        *name;
    int                joint;       // that it hangs on; -1: a root
    int                first_child; // joint; -1: none
    int                last_child;
    int                next_root;        // of a root: link; -1: none
    int                body;             // in the builder
    bool               moves;            // its own joint does, or it is a root that floats
    bool               still;            // nothing between it and the world moves
    TactInertia        composite;        // of it and all links fixed to it, in its frame
    double             mu;               // of <gazebo>; < 0: not given
    double             mu_spin, mu_roll; // m, of <gazebo> and <contact>; < 0: not given
    bool               no_gravity;
} TactUrdfLink;

typedef struct TactUrdfJoint {
    const TactXmlNode *node;
    const char        *name;
    TactUrdfType       type;
    int                parent; // link
    int                child;  // link
    int                next;   // joint of the same parent, in the order of the file; -1: none
    int                joint; // in the builder, of revolute, continuous and prismatic ones; else -1
} TactUrdfJoint;

typedef struct TactUrdfName {
    const char *name;
    int         index;
} TactUrdfName;

/// A mesh file at one scale, read once.
typedef struct TactUrdfMesh TactUrdfMesh;
struct TactUrdfMesh {
    const char     *path;
    TactVec3        scale;
    int             index;     // in the builder; -1: it cannot be read by this build
    bool            judged;    // the next three are known: it is the mesh of a <collision>
    bool            convex;    // every vertex lies behind every triangle
    bool            hull;      // it has one: it is not flat
    double          swollen;   // volume of the hull over its own; 0: it encloses none
    const TactMesh *triangles; // the builder's
    TactUrdfMesh   *next;
};

typedef struct TactUrdfMaterial TactUrdfMaterial;
struct TactUrdfMaterial {
    const char        *name;
    const TactXmlNode *node; // it has a colour
    TactUrdfMaterial  *next;
};

/// A note that depends on values, kept until all notes are made.
typedef struct TactUrdfNote TactUrdfNote;
struct TactUrdfNote {
    const TactXmlNode *node;
    const char        *attribute; // "": the element
    TactVerdict        verdict;
    bool               physics;
    const char        *text;
    TactUrdfNote      *next;
};

typedef struct TactUrdf {
    TactModelReader           *reader;
    TactXml                   *xml; // of the reader
    const TactXmlNode         *robot;
    const TactModelLoadConfig *config;
    TactModelBuilder          *builder;
    int                        link_count;
    bool                       has_moments; // a link resists spinning or rolling
    TactUrdfLink              *links;       // in the order of the file              (link_count)
    TactUrdfName              *link_names;  // sorted                           (link_count)
    int                        joint_count;
    TactUrdfJoint             *joints;      // in the order of the file        (joint_count)
    TactUrdfName              *joint_names; // sorted                          (joint_count)
    int                        root;        // link, the first of them
    TactUrdfMesh              *meshes;
    TactUrdfMaterial          *materials; // in the order of the file
    TactUrdfMaterial          *last_material;
    int                        special_count;
    TactUrdfNote              *specials; // the last one first
} TactUrdf;

/// Reads links and joints and joins them to one tree. urdf_tree.c
TactStatus tact_urdf_find_tree(TactUrdf *urdf);
/// The link after this one, parents before children; -1: this was the last.
int tact_urdf_next_link(const TactUrdf *urdf, int link);
/// Index by name; -1: there is none.
int tact_urdf_find_link(const TactUrdf *urdf, const char *name);
int tact_urdf_find_joint(const TactUrdf *urdf, const char *name);

/// Is the rotation of an <origin> its quat_xyzw? In version 1.0 that is not known. urdf_values.c
bool tact_urdf_has_quat(const TactUrdf *urdf, const TactXmlNode *origin);
/// <origin xyz rpy> or <origin xyz quat_xyzw> of a node; the identity if it has none.
TactStatus tact_urdf_origin(const TactUrdf *urdf, const TactXmlNode *node, TactTransform *pose);
/// A number that must be there, as an attribute or as the text of an element.
TactStatus tact_urdf_need_real(const TactUrdf *urdf, const TactXmlNode *node, const char *name,
                               double *value);
TactStatus tact_urdf_text_real(const TactUrdf *urdf, const TactXmlNode *node, double *value);

/// <inertial>, in the frame of the link; has says whether there is one. urdf_inertia.c
TactStatus tact_urdf_inertial(const TactUrdf *urdf, const TactUrdfLink *link, TactInertia *inertia,
                              bool *has);
/// Decides which links move, and what they weigh with all that is fixed to them.
TactStatus tact_urdf_weigh(TactUrdf *urdf);
/// The inertia that a body gets.
TactStatus tact_urdf_body_inertia(TactUrdf *urdf, const TactUrdfLink *link, TactInertia *inertia,
                                  bool *has);

/// Lists the colours of the file. urdf_geom.c
TactStatus tact_urdf_find_materials(TactUrdf *urdf);
/// Adds collision and visual geoms of a link.
TactStatus tact_urdf_add_geoms(TactUrdf *urdf, const TactUrdfLink *link);
/// Mesh of a <mesh> element. urdf_mesh.c
TactStatus tact_urdf_mesh(TactUrdf *urdf, const TactXmlNode *node, const TactUrdfMesh **mesh);

bool tact_urdf_is_file(const char *path);
/// The file in the meshdir, or assetdir, that <mujoco><compiler> names, with the folders of its
/// name or without; NULL: it is not there.
TactStatus tact_urdf_find_in_meshdir(const TactUrdf *urdf, const char *name, const char **path);
/// The file NAME/REST of a package, or an error that says where it was looked for. urdf_package.c
TactStatus tact_urdf_find_in_packages(const TactUrdf *urdf, const TactXmlNode *node,
                                      const char *name, const char **path);

/// Excludes the pairs of links that the SRDF file names, if there is one. urdf_srdf.c
TactStatus tact_urdf_disable_collisions(TactUrdf *urdf);

/// Adds what moves a link, and the mimics once all joints are there. urdf_joint.c
TactStatus tact_urdf_add_joint(TactUrdf *urdf, TactUrdfJoint *joint);
TactStatus tact_urdf_add_mimics(TactUrdf *urdf);

/// Reads what simulators add to URDF: friction and gravity of links. urdf_gazebo.c
TactStatus tact_urdf_extensions(TactUrdf *urdf);

/// Notes one attribute, or an element (attribute ""), instead of what is said of it in general. The
/// text is not copied. urdf_notes.c
TactStatus tact_urdf_note(TactUrdf *urdf, const TactXmlNode *node, const char *attribute,
                          TactVerdict verdict, bool physics, const char *text);
/// Notes every element and attribute of the file, in its order.
TactStatus tact_urdf_note_all(const TactUrdf *urdf);

#endif
