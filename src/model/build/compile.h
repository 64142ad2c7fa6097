// From a builder to a model: what the steps of compiling share.
#ifndef TACT_MODEL_BUILD_COMPILE_H
#define TACT_MODEL_BUILD_COMPILE_H

#include "model/build/builder.h"
#include "model/build/store.h"

/// Sizes of everything, known before there is any memory.
typedef struct TactCompileSizes {
    size_t bodies, joints, nq, nv, geoms, sites, meshes, heightfields, heights, tendons;
    size_t tendon_joints, actuators, equalities, excludes, pairs, sensors, keyframes, customs;
    size_t custom_numbers, text, names, tendon_parts;
} TactCompileSizes;

/// The arrays of the model, while they are written.
typedef struct TactCompileArrays {
    TactBody        *bodies;
    TactJoint       *joints;
    TactDof         *dofs;
    double          *q_reference, *q_spring;
    TactGeom        *geoms;
    TactSite        *sites;
    TactModelMesh   *meshes;
    TactHeightField *heightfields;
    TactTendon      *tendons;
    TactActuator    *actuators;
    TactEquality    *equalities;
    TactExclude     *excludes;
    TactPair        *pairs;
    TactSensor      *sensors;
    TactKeyframe    *keyframes;
    TactCustom      *customs;

    double         *heights, *coefficients, *key_numbers, *custom_numbers; // what these point into
    int            *tendon_joints;
    TactTendonPart *tendon_parts;
    char           *text;
    size_t          text_used;
} TactCompileArrays;

typedef struct TactCompile {
    const TactModelBuilder *builder;
    TactModelStore         *store;
    TactCompileSizes        sizes;
    TactArena               scratch;

    // From the builder's order to the model's, and back.
    int *body_index, *body_item;   //                                              (bodies)
    int *joint_index, *joint_item; //                                              (joints)
    int *geom_index, *geom_item;   //                                              (geoms)
    int *site_index, *site_item;   //                                              (sites)
    int *fill;                     // workspace of sorting by body                 (bodies + 1)

    // At the reference.
    TactTransform *world;     // poses of bodies in the world                      (bodies)
    TactInertia   *composite; // what a body carries, in its frame                 (bodies)
    double        *M;         // diagonal of the mass matrix                       (nv)
    double        *moment;    // of an actuator's transmission                     (nv)
    double        *key_room;  // numbers of a keyframe                             (nq)

    TactCompileArrays arrays;
} TactCompile;

/// Copies a text into the model.
const char *tact_compile_text(TactCompile *compile, const char *text);

// The steps, in their order.

/// Bodies depth first; joints, geoms and sites by their bodies.
void       tact_compile_order(TactCompile *compile);
TactStatus tact_compile_tree(TactCompile *compile);

/// Masses and inertias, stated or of geoms; repaired and checked as the config says.
TactStatus tact_compile_mass(TactCompile *compile);

/// All that refers to the tree, renumbered.
TactStatus tact_compile_links(TactCompile *compile);

/// What is known only at the reference: anchors, relative poses, rest lengths, damping ratios.
TactStatus tact_compile_reference(TactCompile *compile);
/// Row i of the mass matrix at the reference: dofs that carry dof i, and those of its body. (nv)
void tact_compile_mass_row(const TactCompile *compile, int i, double *row);
/// Stiffness and damping of joints that say a time constant and a damping ratio.
TactStatus tact_compile_springs(TactCompile *compile);

#endif
