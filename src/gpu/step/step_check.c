// What a model asks for that steps on a GPU do not have: all of it in one message, with numbers.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tact/contact_batch.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "gpu/step/step_batch.h"
#include "gpu/step/step_compile.h"
#include "model/surface.h"

enum { TEXT = 1500 };

typedef struct List {
    char text[TEXT];
} List;

__attribute__((format(printf, 3, 4))) static void lack(List *list, int count, const char *format,
                                                       ...)
{
    size_t  used = strlen(list->text);
    va_list arguments;
    if (count == 0 || used + 80 > TEXT) {
        return;
    }
    used += (size_t)snprintf(list->text + used, TEXT - used, "%s", used > 0 ? "; " : "");
    va_start(arguments, format);
    used += (size_t)vsnprintf(list->text + used, TEXT - used, format, arguments);
    va_end(arguments);
    if (count > 1 && used < TEXT) {
        snprintf(list->text + used, TEXT - used, " (%d)", count);
    }
}

/// Has a spring or damper terms beyond the first?
static bool has_more(const double terms[2])
{
    return terms[0] != 0 || terms[1] != 0;
}

static bool is_single(const TactModel *model, int joint)
{
    TactJointType type = model->joints[joint].type;
    return type == TACT_JOINT_HINGE || type == TACT_JOINT_SLIDE;
}

static void check_joints(const TactSim *sim, List *list)
{
    const TactModel *model = sim->model;
    int              balls = 0, springs = 0, carried = 0;
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        balls += joint->type == TACT_JOINT_BALL && joint->limited && !model->options.limit_off;
        springs += (!is_single(model, j) && joint->stiffness != 0) ||
                   has_more(joint->spring_more) || has_more(joint->damper_more) ||
                   tact_joint_bends(joint);
        carried += joint->carries_gravity;
    }
    for (int b = 1; b < model->body_count; b++) {
        carried += model->bodies[b].gravity_compensation != 0;
    }
    lack(list, balls, "limits of ball joints");
    lack(list, springs, "springs of ball and free joints, springs and dampers of higher terms");
    lack(list, carried, "gravity compensation");
    lack(list, model->mocap_count, "mocap bodies");
    lack(list, sim->motion ? 1 : 0, "prescribed motion");
    lack(list, sim->energy.has_passive ? 1 : 0,
         "mechanisms that nothing drives, whose energy the simulation watches");
}

static void check_drives(const TactSim *sim, List *list)
{
    const TactModel *model = sim->model;
    int              spatial = 0, limited = 0, inertia = 0, others = 0, activations = 0, delays = 0;
    for (int t = 0; t < model->tendon_count; t++) {
        spatial += model->tendons[t].part_count > 0;
        limited += model->tendons[t].force_limited;
        inertia += model->tendons[t].armature > 0 || has_more(model->tendons[t].spring_more) ||
                   has_more(model->tendons[t].damper_more);
    }
    for (int k = 0; k < model->actuator_count && !model->options.actuation_off; k++) {
        const TactActuator *a = &model->actuators[k];
        bool joint = a->transmission == TACT_TRANSMISSION_JOINT && is_single(model, a->target);
        bool tendon = a->transmission == TACT_TRANSMISSION_TENDON;
        others += !joint && !tendon;
        activations += a->act >= 0 || a->is_muscle || a->is_motor || a->is_turn;
        delays += a->samples > 0;
    }
    lack(list, spatial, "tendons through space");
    lack(list, limited, "force limits of tendons");
    lack(list, inertia, "armature of tendons, and their springs and dampers of higher terms");
    lack(list, others, "actuators on other than hinges, slides and fixed tendons");
    lack(list, activations, "actuators with activations, and muscles");
    lack(list, delays, "controls with a delay");
}

static void check_rows(const TactSim *sim, List *list)
{
    const TactModel *model = sim->model;
    int              drawn = 0, through = 0, loops = 0, most = TACT_STEP_MOST_EXTRA;
    int              motors = tact_step_fill_motors(model, NULL);
    bool             has = tact_step_fill_loops(sim, NULL, &loops) > 0;
    for (int i = 0; i < model->equality_count && !model->options.equality_off; i++) {
        const TactEquality *e = &model->equalities[i];
        bool bodies = e->type == TACT_EQUALITY_CONNECT || e->type == TACT_EQUALITY_WELD;
        drawn += e->active && bodies &&
                 (model->bodies[model->bodies[e->a].carrier].mocap >= 0 ||
                  model->bodies[model->bodies[e->b].carrier].mocap >= 0);
        through += e->active && e->via != 0;
    }
    lack(list, drawn, "ties to mocap bodies");
    lack(list, through, "welds of maximal coordinates");
    lack(list, has && sim->config.zeta >= 0 ? 1 : 0, "drift correction of loops");
    lack(list, motors + loops > most ? 1 : 0, "%d rows of dry friction and loops (up to %d)",
         motors + loops, most);
}

static void check_contacts(const TactSim *sim, int allowed, List *list)
{
    const TactModel *model = sim->model;
    int              pairs = 0, turned = 0, bounces = 0, first_a = 0, first_b = 0, index;
    int              sunk = 0;
    for (int a = 0; a < model->geom_count && !model->options.contact_off; a++) {
        bounces += sim->bounce.restitution[a] > 0;
        for (int b = a + 1; b < model->geom_count; b++) {
            if (!tact_model_may_touch(model, a, b, &index) ||
                (model->geoms[a].type == TACT_GEOM_PLANE &&
                 model->geoms[b].type == TACT_GEOM_PLANE)) {
                continue;
            }
            TactGeomFriction friction = tact_model_compute_friction(model, a, b, index);
            bool             known = tact_step_find_kind(sim, a, b) <= TACT_STEP_FURTHER;
            first_a = !known && pairs == 0 ? a : first_a;
            first_b = !known && pairs == 0 ? b : first_b;
            pairs += !known;
            turned += friction.mu2 != friction.mu;
            sunk += tact_model_compute_standoff(model, a, b, index) < 0;
        }
    }
    lack(list, allowed & TACT_STEP_OTHER_SHAPES ? 0 : pairs,
         "contacts of %s with %s and the like (other_shapes leaves them to the processor)",
         tact_geom_type_name(model->geoms[first_a].type),
         tact_geom_type_name(model->geoms[first_b].type));
    lack(list, turned, "pairs with other friction along their second tangent");
    lack(list, sunk, "pairs with a margin below their surfaces");
    lack(list, bounces, "geoms with restitution");
    lack(list, tact_surfaces_move(model) ? 1 : 0, "surfaces that move");
}

/// Sensors that are asked for, by the name of the first one that is not there.
static void check_sensors(const TactSim *sim, int allowed, List *list)
{
    const TactModel *model = sim->model;
    int              count = 0, first = 0;
    for (int k = 0; k < model->sensor_count && allowed & TACT_STEP_SENSORS; k++) {
        bool has = tact_step_has_sensor(sim, &model->sensors[k]);
        first = !has && count == 0 ? k : first;
        count += !has;
    }
    lack(list, count, "sensors of the kind %s and the like",
         count > 0 ? tact_sensor_type_name(model->sensors[first].type) : "");
}

static void check_options(const TactSim *sim, List *list)
{
    const TactModelOptions *options = &sim->model->options;
    const TactSimConfig    *config = &sim->config;
    const TactDynamics     *d = sim->dynamics;
    bool                    rk4 = config->integrator == TACT_INTEGRATOR_RK4;
    lack(list, rk4 ? 1 : 0, "the integrator RK4");
    lack(list, config->cone == TACT_CONE_BOX ? 1 : 0, "the friction box");
    lack(list, config->directions > TACT_BODY_MAX_DIRECTIONS ? 1 : 0, "%d directions (up to %d)",
         config->directions, (int)TACT_BODY_MAX_DIRECTIONS);
    lack(list, config->stiffness > 0 ? 1 : 0, "soft contacts");
    lack(list, config->sleep_time > 0 ? 1 : 0, "sleeping");
    lack(list, options->density > 0 || options->viscosity > 0 ? 1 : 0, "the fluid around");
    lack(list, d->link_count > TACT_STEP_MAX_LINKS ? 1 : 0, "%d links (up to %d)",
         d->link_count - 1, TACT_STEP_MAX_LINKS - 1);
    lack(list, sim->model->nv > TACT_STEP_MAX_DOF ? 1 : 0, "%d degrees of freedom (up to %d)",
         sim->model->nv, TACT_STEP_MAX_DOF);
    lack(list, sim->shapes.made.count > TACT_STEP_MAX_GEOMS ? 1 : 0, "%d geoms (up to %d)",
         sim->shapes.made.count, TACT_STEP_MAX_GEOMS);
}

TactStatus tact_step_check(const TactSim *sim, int allowed)
{
    List list = {""};
    check_options(sim, &list);
    check_joints(sim, &list);
    check_drives(sim, &list);
    check_rows(sim, &list);
    check_contacts(sim, allowed, &list);
    check_sensors(sim, allowed, &list);
    if (list.text[0] != 0) {
        return tact_fail(TACT_UNSUPPORTED, "batch: on the GPU this model lacks: %s", list.text);
    }
    return TACT_OK;
}
