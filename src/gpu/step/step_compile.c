#include "gpu/step/step_compile.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "model/limit.h"

/// A part of the block, which comes after the ones before it.
static void *carve_part(char *memory, size_t *used, int count, size_t size)
{
    void *part = memory ? memory + *used : NULL;
    *used += ((size_t)count * size + 15) / 16 * 16;
    return part;
}

static int count_terms(const TactModel *model)
{
    int count = 0;
    for (int t = 0; t < model->tendon_count; t++) {
        count += model->tendons[t].count;
    }
    return count;
}

/// Dofs on the way to the root, of all dofs together.
static int count_above(const TactModel *model)
{
    int count = 0;
    for (int i = 0; i < model->nv; i++) {
        for (int k = model->dofs[i].parent; k >= 0; k = model->dofs[k].parent) {
            count++;
        }
    }
    return count;
}

/// Does an actuator act on a dof?
static bool drives_dof(const TactModel *model, int actuator, int dof)
{
    const TactActuator *from = &model->actuators[actuator];
    if (from->transmission != TACT_TRANSMISSION_TENDON) {
        return model->joints[from->target].dof == dof;
    }
    const TactTendon *tendon = &model->tendons[from->target];
    for (int k = 0; k < tendon->count; k++) {
        if (model->joints[tendon->joints[k]].dof == dof) {
            return true;
        }
    }
    return false;
}

/// Links that a link carries, from itself on; below NULL: only their number.
static int list_below(const TactDynamics *d, int link, short *below)
{
    int count = 0;
    for (int l = link; l < d->link_count; l++) {
        int at = l;
        while (at > link) {
            at = d->links[at].parent;
        }
        if (at == link && below) {
            below[count] = (short)l;
        }
        count += at == link;
    }
    return count;
}

/// Numbers of what does not have a count in the model.
typedef struct Sizes {
    int               terms, above, below, drives;
    int               parts, owners, seen; // of sensors
    TactStepHullSizes hulls;
    TactStepMeshSizes meshes;
} Sizes;

static Sizes count_all(const TactSim *sim, bool driven, bool senses)
{
    const TactModel *model = sim->model;
    Sizes            sizes = {.terms = count_terms(model),
                              .above = count_above(model),
                              .hulls = tact_step_count_hulls(sim),
                              .meshes = tact_step_count_meshes(sim)};
    if (senses) {
        sizes.parts = tact_step_fill_sensors(sim, NULL, NULL);
        sizes.owners = sim->shapes.made.count;
        sizes.seen = tact_step_fill_seen(sim, NULL, NULL, NULL);
    }
    for (int l = 0; l < sim->dynamics->link_count; l++) {
        sizes.below += list_below(sim->dynamics, l, NULL);
    }
    for (int k = 0; k < model->actuator_count && driven; k++) {
        for (int i = 0; i < model->nv; i++) {
            sizes.drives += drives_dof(model, k, i);
        }
    }
    return sizes;
}

/// Pointers into memory; NULL: only the size.
static size_t place_model(TactStepModel *m, Sizes sizes, char *memory)
{
    size_t used = 0;
    m->links = carve_part(memory, &used, m->link_count, sizeof *m->links);
    m->joints = carve_part(memory, &used, m->joint_count, sizeof *m->joints);
    m->dofs = carve_part(memory, &used, m->nv, sizeof *m->dofs);
    m->actuators = carve_part(memory, &used, m->actuator_count, sizeof *m->actuators);
    m->tendons = carve_part(memory, &used, m->tendon_count, sizeof *m->tendons);
    m->terms = carve_part(memory, &used, sizes.terms, sizeof *m->terms);
    m->above = carve_part(memory, &used, sizes.above, sizeof *m->above);
    m->below = carve_part(memory, &used, sizes.below, sizeof *m->below);
    m->drives = carve_part(memory, &used, sizes.drives, sizeof *m->drives);
    m->geoms = carve_part(memory, &used, m->geom_count, sizeof *m->geoms);
    m->pairs = carve_part(memory, &used, m->pair_count, sizeof *m->pairs);
    m->motors = carve_part(memory, &used, m->motor_count, sizeof *m->motors);
    m->loops = carve_part(memory, &used, m->loop_count, sizeof *m->loops);
    m->sensing.sensors = carve_part(memory, &used, m->sensing.count, sizeof *m->sensing.sensors);
    m->sensing.parts = carve_part(memory, &used, sizes.parts, sizeof *m->sensing.parts);
    m->sensing.owners = carve_part(memory, &used, sizes.owners, sizeof *m->sensing.owners);
    m->sensing.seen = carve_part(memory, &used, sizes.seen, sizeof *m->sensing.seen);
    m->solids.hulls.hulls =
        carve_part(memory, &used, sizes.hulls.hulls, sizeof *m->solids.hulls.hulls);
    m->solids.hulls.corners =
        carve_part(memory, &used, sizes.hulls.corners, sizeof *m->solids.hulls.corners);
    m->solids.hulls.starts =
        carve_part(memory, &used, sizes.hulls.corners, sizeof *m->solids.hulls.starts);
    m->solids.hulls.edges =
        carve_part(memory, &used, sizes.hulls.edges, sizeof *m->solids.hulls.edges);
    m->solids.hulls.sides =
        carve_part(memory, &used, sizes.hulls.sides, sizeof *m->solids.hulls.sides);
    TactStepMeshes *meshes = &m->solids.meshes;
    int             vertices = sizes.meshes.vertices, count = sizes.meshes.meshes;
    meshes->meshes = carve_part(memory, &used, count, sizeof *meshes->meshes);
    meshes->vertices = carve_part(memory, &used, vertices, sizeof *meshes->vertices);
    meshes->corners = carve_part(memory, &used, vertices, sizeof *meshes->corners);
    meshes->triangles =
        carve_part(memory, &used, sizes.meshes.triangles, sizeof *meshes->triangles);
    meshes->nodes = carve_part(memory, &used, sizes.meshes.nodes, sizeof *meshes->nodes);
    meshes->ring_first = carve_part(memory, &used, vertices + count, sizeof *meshes->ring_first);
    meshes->ring = carve_part(memory, &used, sizes.meshes.ring, sizeof *meshes->ring);
    return used;
}

/// Returns the deepest level.
static int fill_links(const TactSim *sim, TactStepLink *links, short *below)
{
    const TactDynamics *d = sim->dynamics;
    int                 levels = 0, used = 0;
    for (int l = 0; l < d->link_count; l++) {
        const TactLink *from = &d->links[l];
        int             tree = l > 0 ? sim->islands.tree_of_body[from->body] : -1;
        links[l] = (TactStepLink){
            .parent = from->parent,
            .first_joint = from->first_joint,
            .joint_count = from->joint_count,
            .first_dof = from->first_dof,
            .dof_count = from->dof_count,
            .flies = tree >= 0 && sim->flight.flies[tree],
            .fixed = from->fixed,
            .mass = from->inertia.mass,
            .com = from->inertia.com,
            .rotary = from->inertia.rotary,
            .first_below = used,
        };
        links[l].below_count = list_below(d, l, below + used);
        used += links[l].below_count;
        if (l > 0) {
            links[l].level = links[from->parent].level + 1;
            links[l].moved_by = links[from->parent].moved_by;
        }
        for (int i = from->first_dof; i < from->first_dof + from->dof_count; i++) {
            links[l].moved_by |= 1ull << i;
        }
        levels = links[l].level > levels ? links[l].level : levels;
    }
    return levels;
}

static void fill_joints(const TactModel *model, TactStepJoint *joints, TactStepDof *dofs,
                        short *above, short *drives)
{
    int used = 0, driving = 0;
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *from = &model->joints[j];
        bool             single = from->type == TACT_JOINT_HINGE || from->type == TACT_JOINT_SLIDE;
        joints[j] = (TactStepJoint){
            .type = (int)from->type,
            .q = from->q,
            .dof = from->dof,
            .limited = from->limited && single && !model->options.limit_off,
            .force_limited = from->force_limited && single,
            .position = from->position,
            .axis = from->axis,
            .reference = from->reference,
            .limit = {tact_limit_at(from->range, from->margin, 0),
                      tact_limit_at(from->range, from->margin, 1)},
            .force_range = {from->force_range[0], from->force_range[1]},
        };
    }
    for (int i = 0; i < model->nv; i++) {
        const TactDof   *from = &model->dofs[i];
        const TactJoint *joint = &model->joints[from->joint];
        bool single = joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE;
        dofs[i] = (TactStepDof){
            .first = used,
            .q = single ? joint->q : -1,
            .armature = from->armature,
            .damping = from->damping,
            .stiffness = single ? joint->stiffness : 0,
            .rest = single ? model->q_spring[joint->q] : 0,
        };
        for (int k = from->parent; k >= 0; k = model->dofs[k].parent) {
            above[used++] = (short)k;
        }
        dofs[i].above = used - dofs[i].first;
        dofs[i].joint = from->joint;
        dofs[i].first_drive = driving;
        for (int k = 0; k < model->actuator_count && drives; k++) {
            if (drives_dof(model, k, i)) {
                drives[driving++] = (short)k;
            }
        }
        dofs[i].drive_count = driving - dofs[i].first_drive;
    }
}

static void put_links_of_dofs(const TactStepModel *m, TactStepDof *dofs)
{
    for (int l = 0; l < m->link_count; l++) {
        for (int k = 0; k < m->links[l].dof_count; k++) {
            dofs[m->links[l].first_dof + k].link = l;
        }
    }
}

static void fill_drives(const TactModel *model, TactStepActuator *actuators,
                        TactStepTendon *tendons, TactStepTerm *terms)
{
    int used = 0;
    for (int k = 0; k < model->actuator_count; k++) {
        const TactActuator *from = &model->actuators[k];
        bool                tendon = from->transmission == TACT_TRANSMISSION_TENDON;
        actuators[k] = (TactStepActuator){
            .dof = tendon ? -1 : model->joints[from->target].dof,
            .tendon = tendon ? from->target : -1,
            .ctrl_limited = from->ctrl_limited && !model->options.clamp_off,
            .force_limited = from->force_limited,
            .gear = from->gear[0],
            .ctrl_range = {from->ctrl_range[0], from->ctrl_range[1]},
            .force_range = {from->force_range[0], from->force_range[1]},
        };
        memcpy(actuators[k].gain, from->gain, sizeof from->gain);
        memcpy(actuators[k].bias, from->bias, sizeof from->bias);
    }
    for (int t = 0; t < model->tendon_count; t++) {
        const TactTendon *from = &model->tendons[t];
        tendons[t] = (TactStepTendon){
            .first = used,
            .count = from->count,
            .limited = from->limited && !model->options.limit_off,
            .limit = {tact_limit_at(from->range, from->margin, 0),
                      tact_limit_at(from->range, from->margin, 1)},
            .spring = {from->spring_range[0], from->spring_range[1]},
            .stiffness = from->stiffness,
            .damping = from->damping,
        };
        for (int k = 0; k < from->count; k++, used++) {
            const TactJoint *joint = &model->joints[from->joints[k]];
            terms[used] = (TactStepTerm){joint->dof, joint->q, from->coefficients[k]};
        }
    }
}

/// Geoms that may touch something, by their shapes in the simulation.
static void fill_geoms(const TactSim *sim, TactStepGeom *geoms)
{
    const TactDynamics *d = sim->dynamics;
    for (int k = 0; k < sim->shapes.made.count; k++) {
        const TactGeom *from = &sim->model->geoms[sim->shapes.made.geom_of_shape[k]];
        bool            plane = from->type == TACT_GEOM_PLANE;
        geoms[k] = (TactStepGeom){
            .type = tact_step_find_type(sim, sim->shapes.made.geom_of_shape[k]),
            .link = d->link_of[from->body],
            .pose = tact_transform_multiply(d->in_link[from->body], from->pose),
            .middle = plane ? (TactVec3){0, 0, 0} : sim->shapes.middle[k],
            .radius = plane ? (double)INFINITY : sim->shapes.radius[k],
        };
        memcpy(geoms[k].size, from->size, sizeof from->size);
        if (!plane) {
            TactTransform here = tact_transform_identity();
            TactVec3      lower, upper;
            tact_shape_compute_bounds(&sim->shapes.made.shapes[k], &here, &lower, &upper);
            geoms[k].half[0] = 0.5 * (upper.x - lower.x);
            geoms[k].half[1] = 0.5 * (upper.y - lower.y);
            geoms[k].half[2] = 0.5 * (upper.z - lower.z);
        }
    }
}

/// How many there are with friction, or without; pairs NULL: only that. more: further kinds.
static int fill_pairs(const TactSim *sim, int allowed, bool rough, TactStepPair *pairs, int *more)
{
    const TactModel *model = sim->model;
    const int       *geom = sim->shapes.made.geom_of_shape;
    int              count = 0, index;
    for (int a = 0; a < sim->shapes.made.count && !model->options.contact_off; a++) {
        for (int b = a + 1; b < sim->shapes.made.count; b++) {
            bool planes = model->geoms[geom[a]].type == TACT_GEOM_PLANE &&
                          model->geoms[geom[b]].type == TACT_GEOM_PLANE;
            if (planes || !tact_model_may_touch(model, geom[a], geom[b], &index)) {
                continue;
            }
            TactGeomFriction f = tact_model_compute_friction(model, geom[a], geom[b], index);
            double           scale = sim->config.friction_scale, mu = scale * f.mu;
            double           turns = allowed & TACT_STEP_ONLY_SLIDE ? 0 : scale;
            if ((mu > 0 || turns * f.mu_spin > 0 || turns * f.mu_roll > 0) != rough) {
                continue;
            }
            if (pairs) {
                TactStepKind kind = tact_step_find_kind(sim, geom[a], geom[b]);
                *more += kind == TACT_STEP_FURTHER;
                pairs[count] = (TactStepPair){
                    .a = a,
                    .b = b,
                    .rough = rough,
                    .other = kind == TACT_STEP_HANDED_OVER,
                    .mu = mu,
                    .spin = turns * f.mu_spin,
                    .roll = turns * f.mu_roll,
                    .skin = tact_model_compute_standoff(model, geom[a], geom[b], index)};
            }
            count++;
        }
    }
    return count;
}

TactStatus tact_step_compile(const TactSim *sim, int allowed, TactStepBlock *block)
{
    const TactModel *model = sim->model;
    bool             senses = (allowed & TACT_STEP_SENSORS) != 0;
    bool             weightless = model->options.gravity_off;
    TactStepModel    m = {
           .nq = model->nq,
           .nv = model->nv,
           .link_count = sim->dynamics->link_count,
           .joint_count = model->joint_count,
           .actuator_count = model->options.actuation_off ? 0 : model->actuator_count,
           .tendon_count = model->tendon_count,
           .geom_count = sim->shapes.made.count,
           .pair_count = fill_pairs(sim, allowed, true, NULL, NULL) +
                         fill_pairs(sim, allowed, false, NULL, NULL),
           .h = sim->config.timestep,
           .gravity = weightless ? (TactVec3){0, 0, 0} : model->options.gravity,
           .rules = {sim->config.slop, tact_sim_overlap_made(sim), sim->energy.fast,
                     sim->config.loop_tol},
           .motor_count = tact_step_fill_motors(model, NULL),
           .sensing = {.count = senses ? model->sensor_count : 0,
                       .size = senses ? model->sensor_size : 0,
                       .magnetic = model->options.magnetic},
    };
    m.loop_count = tact_step_fill_loops(sim, NULL, &m.loop_rows);
    bool  driven = m.actuator_count > 0;
    Sizes sizes = count_all(sim, driven, senses);
    block->size = place_model(&m, sizes, NULL);
    TACT_TRY(tact_allocate(block->size, 1, &block->memory));
    place_model(&m, sizes, block->memory);
    m.traits.levels = fill_links(sim, (TactStepLink *)m.links, (short *)m.below);
    fill_joints(model, (TactStepJoint *)m.joints, (TactStepDof *)m.dofs, (short *)m.above,
                driven ? (short *)m.drives : NULL);
    put_links_of_dofs(&m, (TactStepDof *)m.dofs);
    fill_drives(model, (TactStepActuator *)m.actuators, (TactStepTendon *)m.tendons,
                (TactStepTerm *)m.terms);
    fill_geoms(sim, (TactStepGeom *)m.geoms);
    TactStepPair *pairs = (TactStepPair *)m.pairs;
    tact_step_fill_hulls(sim, &m);
    tact_step_fill_meshes(sim, &m);
    int first = fill_pairs(sim, allowed, true, pairs, &m.traits.more_pairs);
    fill_pairs(sim, allowed, false, pairs + first, &m.traits.more_pairs);
    for (int k = 0; k < m.pair_count; k++) {
        m.traits.turns = m.traits.turns || pairs[k].spin > 0 || pairs[k].roll > 0;
    }
    tact_step_fill_motors(model, (TactStepMotor *)m.motors);
    tact_step_fill_loops(sim, (TactStepLoop *)m.loops, &m.loop_rows);
    if (senses) {
        tact_step_fill_sensors(sim, (TactStepSensor *)m.sensing.sensors,
                               (TactStepPart *)m.sensing.parts);
        tact_step_fill_owners(sim, (TactStepOwner *)m.sensing.owners);
        m.sensing.seen_count =
            tact_step_fill_seen(sim, m.geoms, (TactStepSeen *)m.sensing.seen, NULL);
    }
    block->model = m;
    return TACT_OK;
}

void tact_step_release(TactStepBlock *block)
{
    tact_release(block->memory);
    block->memory = NULL;
}

/// An array of one block at its place in another.
static const void *carry(const TactStepBlock *block, const void *array, void *memory)
{
    return (char *)memory + ((const char *)array - (const char *)block->memory);
}

TactStepModel tact_step_move_model(const TactStepBlock *block, void *memory)
{
    TactStepModel moved = block->model;
    moved.links = carry(block, moved.links, memory);
    moved.joints = carry(block, moved.joints, memory);
    moved.dofs = carry(block, moved.dofs, memory);
    moved.actuators = carry(block, moved.actuators, memory);
    moved.tendons = carry(block, moved.tendons, memory);
    moved.terms = carry(block, moved.terms, memory);
    moved.above = carry(block, moved.above, memory);
    moved.below = carry(block, moved.below, memory);
    moved.drives = carry(block, moved.drives, memory);
    moved.geoms = carry(block, moved.geoms, memory);
    moved.pairs = carry(block, moved.pairs, memory);
    moved.motors = carry(block, moved.motors, memory);
    moved.loops = carry(block, moved.loops, memory);
    moved.sensing.sensors = carry(block, moved.sensing.sensors, memory);
    moved.sensing.parts = carry(block, moved.sensing.parts, memory);
    moved.sensing.owners = carry(block, moved.sensing.owners, memory);
    moved.sensing.seen = carry(block, moved.sensing.seen, memory);
    moved.solids.hulls.hulls = carry(block, moved.solids.hulls.hulls, memory);
    moved.solids.hulls.corners = carry(block, moved.solids.hulls.corners, memory);
    moved.solids.hulls.starts = carry(block, moved.solids.hulls.starts, memory);
    moved.solids.hulls.edges = carry(block, moved.solids.hulls.edges, memory);
    moved.solids.hulls.sides = carry(block, moved.solids.hulls.sides, memory);
    moved.solids.meshes.meshes = carry(block, moved.solids.meshes.meshes, memory);
    moved.solids.meshes.vertices = carry(block, moved.solids.meshes.vertices, memory);
    moved.solids.meshes.corners = carry(block, moved.solids.meshes.corners, memory);
    moved.solids.meshes.triangles = carry(block, moved.solids.meshes.triangles, memory);
    moved.solids.meshes.nodes = carry(block, moved.solids.meshes.nodes, memory);
    moved.solids.meshes.ring_first = carry(block, moved.solids.meshes.ring_first, memory);
    moved.solids.meshes.ring = carry(block, moved.solids.meshes.ring, memory);
    return moved;
}
