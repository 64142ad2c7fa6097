// From a simulation of the processor to the model that steps on a GPU read.
#ifndef TACT_GPU_STEP_COMPILE_H
#define TACT_GPU_STEP_COMPILE_H

#include "gpu/step_model.h"
#include "sim/sim.h"

typedef struct TactStepBlock {
    TactStepModel model; // points into the memory
    void         *memory;
    size_t        size;
} TactStepBlock;

/// TACT_UNSUPPORTED with the list of all that the model asks for and steps on a GPU do not have.
/// allowed: what was asked for.
enum {
    TACT_STEP_ONLY_SLIDE = 1,   // contacts that resist spinning and rolling do not
    TACT_STEP_OTHER_SHAPES = 2, // pairs of shapes that are not there are the processor's
    TACT_STEP_SENSORS = 4,      // sensors are read
};
TactStatus tact_step_check(const TactSim *sim, int allowed);

/// Which kernels find the points of two geoms (step_compile_shapes.c).
typedef enum TactStepKind {
    TACT_STEP_PLAIN,
    TACT_STEP_FURTHER,    // those with TACT_STEP_MORE
    TACT_STEP_HANDED_OVER // none: near each other, they are the processor's
} TactStepKind;
TactStepKind tact_step_find_kind(const TactSim *sim, int geom_a, int geom_b);

/// TACT_STEP_PLANE ... of a geom.
int tact_step_find_type(const TactSim *sim, int geom);

/// Hulls of geoms, each once.
typedef struct TactStepHullSizes {
    int hulls, corners, edges, sides;
} TactStepHullSizes;
TactStepHullSizes tact_step_count_hulls(const TactSim *sim);
void              tact_step_fill_hulls(const TactSim *sim, const TactStepModel *m);

/// Meshes and height fields, each once.
typedef struct TactStepMeshSizes {
    int meshes, vertices, triangles, nodes, ring;
} TactStepMeshSizes;
TactStepMeshSizes tact_step_count_meshes(const TactSim *sim);
void              tact_step_fill_meshes(const TactSim *sim, const TactStepModel *m);

/// Rows of dry friction, and loops with the number of their rows; the array NULL: only that
/// (step_compile_extra.c).
int tact_step_fill_motors(const TactModel *model, TactStepMotor *motors);
int tact_step_fill_loops(const TactSim *sim, TactStepLoop *loops, int *rows);

/// TACT_STEP_PLANE ... of a shape.
int tact_step_find_shape_type(const TactShape *shape);

/// Does the GPU read this sensor?
bool tact_step_has_sensor(const TactSim *sim, const TactSensor *sensor);

/// What rangefinders see, after all geoms are filled in; returns how many there are, 0 where there
/// are no such sensors. seen NULL: only that. *lacks: those that are not there, or NULL.
int tact_step_fill_seen(const TactSim *sim, const TactStepGeom *geoms, TactStepSeen *seen,
                        int *lacks);

/// Sensors, and masses of the bodies that they read; arrays NULL: only how many there are of these
/// (sense/compile_sensors.c).
int  tact_step_fill_sensors(const TactSim *sim, TactStepSensor *sensors, TactStepPart *parts);
void tact_step_fill_owners(const TactSim *sim, TactStepOwner *owners);

/// sim must have passed the check, with the same that is allowed.
TactStatus tact_step_compile(const TactSim *sim, int allowed, TactStepBlock *block);
void       tact_step_release(TactStepBlock *block);

/// The model with its arrays where the memory was copied to.
TactStepModel tact_step_move_model(const TactStepBlock *block, void *memory);

#endif
