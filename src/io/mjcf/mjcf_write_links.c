// What joins bodies, joints and tendons of a model, as MJCF.
#include "io/mjcf/mjcf_write.h"
#include "model/motor.h"

static void put_contacts(const TactMjcfWriter *w)
{
    const TactModel *model = w->model;
    fputs("  <contact>\n", w->stream);
    for (int i = 0; i < model->exclude_count; i++) {
        fputs("    <exclude", w->stream);
        tact_mjcf_put_name(w, "body1", TACT_OBJECT_BODY, model->excludes[i].a);
        tact_mjcf_put_name(w, "body2", TACT_OBJECT_BODY, model->excludes[i].b);
        fputs("/>\n", w->stream);
    }
    for (int i = 0; i < model->pair_count; i++) {
        const TactPair *p = &model->pairs[i];
        fputs("    <pair", w->stream);
        tact_mjcf_put_name(w, "geom1", TACT_OBJECT_GEOM, p->a);
        tact_mjcf_put_name(w, "geom2", TACT_OBJECT_GEOM, p->b);
        tact_mjcf_put_int(w, "condim", p->condim, 3);
        tact_mjcf_put_reals(w, "friction", p->mu, 2);
        tact_mjcf_put_real(w, "margin", p->margin, 0);
        tact_mjcf_put_real(w, "gap", p->gap, 0);
        fputs("/>\n", w->stream);
    }
    fputs("  </contact>\n", w->stream);
}

/// connect: the anchor is in body1; weld: in body2, with the pose of body2 in body1.
static void put_loop(const TactMjcfWriter *w, const TactEquality *e)
{
    bool          weld = e->type == TACT_EQUALITY_WELD;
    TactVec3      at = weld ? e->anchor_b : e->anchor_a;
    TactTransform p = e->relative;
    const double  anchor[3] = {at.x, at.y, at.z};
    const double  pose[7] = {p.position.x, p.position.y, p.position.z, p.rotation.w,
                             p.rotation.x, p.rotation.y, p.rotation.z};
    tact_mjcf_put_name(w, "body1", TACT_OBJECT_BODY, e->a);
    tact_mjcf_put_name(w, "body2", TACT_OBJECT_BODY, e->b);
    tact_mjcf_put_reals(w, "anchor", anchor, 3);
    if (e->time_constant > 0) {
        tact_mjcf_put_reals(w, "solref", (double[2]){e->time_constant, 1}, 2);
    }
    if (weld) {
        tact_mjcf_put_reals(w, "relpose", pose, 7);
        tact_mjcf_put_real(w, "torquescale", e->torque_scale, 1);
    }
}

static void put_equalities(const TactMjcfWriter *w)
{
    static const char *const words[] = {[TACT_EQUALITY_CONNECT] = "connect",
                                        [TACT_EQUALITY_WELD] = "weld",
                                        [TACT_EQUALITY_JOINT] = "joint",
                                        [TACT_EQUALITY_TENDON] = "tendon"};
    fputs("  <equality>\n", w->stream);
    for (int i = 0; i < w->model->equality_count; i++) {
        const TactEquality *e = &w->model->equalities[i];
        fprintf(w->stream, "    <%s", words[e->type]);
        tact_mjcf_put_name(w, "name", TACT_OBJECT_EQUALITY, i);
        if (!e->active) {
            tact_mjcf_put_text(w, "active", "false");
        }
        if (e->type == TACT_EQUALITY_CONNECT || e->type == TACT_EQUALITY_WELD) {
            put_loop(w, e);
        } else {
            bool       joint = e->type == TACT_EQUALITY_JOINT;
            TactObject type = joint ? TACT_OBJECT_JOINT : TACT_OBJECT_TENDON;
            tact_mjcf_put_name(w, joint ? "joint1" : "tendon1", type, e->a);
            if (e->b >= 0) {
                tact_mjcf_put_name(w, joint ? "joint2" : "tendon2", type, e->b);
            }
            tact_mjcf_put_reals(w, "polycoef", e->polynomial, 5);
        }
        fputs("/>\n", w->stream);
    }
    for (int i = 0; i < w->model->joint_count; i++) {
        const TactJoint *j = &w->model->joints[i];
        const double     value[5] = {j->range[0] - j->reference};
        if (tact_mjcf_is_locked(j)) {
            fputs("    <joint", w->stream);
            tact_mjcf_put_name(w, "joint1", TACT_OBJECT_JOINT, i);
            tact_mjcf_put_reals(w, "polycoef", value, 5);
            fputs("/>\n", w->stream);
        }
    }
    fputs("  </equality>\n", w->stream);
}

/// A part of a way through space.
static void put_part(const TactMjcfWriter *w, const TactTendonPart *part)
{
    if (part->type == TACT_TENDON_PART_PULLEY) {
        fputs("      <pulley", w->stream);
        tact_mjcf_put_reals(w, "divisor", &part->divisor, 1);
    } else if (part->type == TACT_TENDON_PART_SITE) {
        fputs("      <site", w->stream);
        tact_mjcf_put_name(w, "site", TACT_OBJECT_SITE, part->object);
    } else {
        fputs("      <geom", w->stream);
        tact_mjcf_put_name(w, "geom", TACT_OBJECT_GEOM, part->object);
        if (part->side >= 0) {
            tact_mjcf_put_name(w, "sidesite", TACT_OBJECT_SITE, part->side);
        }
    }
    fputs("/>\n", w->stream);
}

static void put_tendons(const TactMjcfWriter *w)
{
    fputs("  <tendon>\n", w->stream);
    for (int i = 0; i < w->model->tendon_count; i++) {
        const TactTendon *t = &w->model->tendons[i];
        const char       *word = t->part_count > 0 ? "spatial" : "fixed";
        fprintf(w->stream, "    <%s", word);
        tact_mjcf_put_name(w, "name", TACT_OBJECT_TENDON, i);
        tact_mjcf_put_range(w, "limited", "range", t->limited, t->range);
        tact_mjcf_put_range(w, "actuatorfrclimited", "actuatorfrcrange", t->force_limited,
                            t->force_range);
        tact_mjcf_put_real(w, "margin", t->margin, 0);
        tact_mjcf_put_terms(w, "stiffness", t->stiffness, t->spring_more);
        tact_mjcf_put_terms(w, "damping", t->damping, t->damper_more);
        tact_mjcf_put_real(w, "frictionloss", t->friction, 0);
        tact_mjcf_put_real(w, "armature", t->armature, 0);
        tact_mjcf_put_reals(w, "springlength", t->spring_range, 2);
        fputs(">\n", w->stream);
        for (int k = 0; k < t->count; k++) {
            fputs("      <joint", w->stream);
            tact_mjcf_put_name(w, "joint", TACT_OBJECT_JOINT, t->joints[k]);
            tact_mjcf_put_reals(w, "coef", &t->coefficients[k], 1);
            fputs("/>\n", w->stream);
        }
        for (int k = 0; k < t->part_count; k++) {
            put_part(w, &t->parts[k]);
        }
        fprintf(w->stream, "    </%s>\n", word);
    }
    fputs("  </tendon>\n", w->stream);
}

/// What its controls are.
static void put_inputs(const TactMjcfWriter *w, const TactActuator *a)
{
    fputs(" input=\"", w->stream);
    for (int k = 0; k < a->inputs; k++) {
        fprintf(w->stream, "%s%s", k > 0 ? " " : "", tact_motor_input_name(a[k].motor.input));
    }
    fputs("\"", w->stream);
}

/// A controller alone.
static void put_controller(const TactMjcfWriter *w, const TactActuator *a)
{
    const double *c = a->motor.controller;
    const char   *words[] = {[TACT_MOTOR_INPUT_POSITION] = "posrange",
                             [TACT_MOTOR_INPUT_VELOCITY] = "velrange",
                             [TACT_MOTOR_INPUT_FORCE] = "ffrange"};
    tact_mjcf_put_reals(w, "kp", &c[0], 1);
    tact_mjcf_put_real(w, "ki", c[1], 0);
    tact_mjcf_put_reals(w, "kv", &c[2], 1);
    tact_mjcf_put_real(w, "slewmax", c[3], 0);
    tact_mjcf_put_real(w, "imax", c[4], 0);
    put_inputs(w, a);
    bool limited = false;
    for (int k = 0; k < a->inputs; k++) {
        if (a[k].ctrl_limited) {
            limited = true;
            tact_mjcf_put_reals(w, words[a[k].motor.input], a[k].ctrl_range, 2);
        }
    }
    if (limited) {
        tact_mjcf_put_text(w, "ctrllimited", "true");
    }
}

/// A servo for a whole turn.
static void put_turn(const TactMjcfWriter *w, const TactActuator *a)
{
    tact_mjcf_put_text(w, "gaintype", "so3");
    tact_mjcf_put_reals(w, "gainprm", &a->gain[0], 1);
    tact_mjcf_put_text(w, "biastype", "so3");
    tact_mjcf_put_reals(w, "biasprm", a->bias, 3);
    tact_mjcf_put_text(w, "input", a->inputs == 4 ? "quat" : "expmap");
    tact_mjcf_put_range(w, "ctrllimited", "ctrlrange", a->ctrl_limited, a->ctrl_range);
    if (a->reference >= 0) {
        tact_mjcf_put_name(w, "refsite", TACT_OBJECT_SITE, a->reference);
    }
}

/// What a motor with brushes is made of.
static void put_motor(const TactMjcfWriter *w, const TactActuator *a)
{
    const TactMotor *m = &a->motor;
    const double     coil[2] = {0, m->time};
    const double     most[3] = {a->force_limited ? a->force_range[1] : 0, 0, m->current_rate};
    const double     heat[6] = {m->heat[0], m->heat[1], 0, m->heat[2], m->heat[3], m->heat[4]};
    tact_mjcf_put_reals(w, "motorconst", &m->constant, 1);
    tact_mjcf_put_reals(w, "resistance", &m->resistance, 1);
    tact_mjcf_put_reals(w, "saturation", most, 3);
    tact_mjcf_put_reals(w, "inductance", coil, 2);
    tact_mjcf_put_reals(w, "cogging", m->cogging, 3);
    if (m->heat[0] > 0) {
        tact_mjcf_put_reals(w, "thermal", heat, 6);
    }
    tact_mjcf_put_reals(w, "lugre", m->bristle, 5);
    put_inputs(w, a);
    if (m->input != TACT_MOTOR_INPUT_VOLTAGE) {
        tact_mjcf_put_reals(w, "controller", m->controller, 6);
    }
}

/// Gain and bias, activation, the second site.
static void put_law(const TactMjcfWriter *w, const TactActuator *a)
{
    const TactMuscle *m = &a->muscle;
    const double      curves[9] = {m->range[0], m->range[1], m->force, m->scale, m->lmin,
                                   m->lmax,     m->vmax,     m->fpmax, m->fvmax};
    const char       *word = a->is_muscle ? "muscle" : "affine";
    bool              fixed = !a->is_muscle && a->gain[1] == 0 && a->gain[2] == 0;
    tact_mjcf_put_text(w, "gaintype", fixed ? "fixed" : word);
    tact_mjcf_put_reals(w, "gainprm", a->is_muscle ? curves : a->gain, a->is_muscle ? 9 : 3);
    tact_mjcf_put_text(w, "biastype", word);
    tact_mjcf_put_reals(w, "biasprm", a->is_muscle ? curves : a->bias, a->is_muscle ? 9 : 3);
    if (a->length_range[0] < a->length_range[1]) {
        tact_mjcf_put_reals(w, "lengthrange", a->length_range, 2);
    }
    if (a->reference >= 0) {
        bool crank = a->transmission == TACT_TRANSMISSION_SLIDER_CRANK;
        tact_mjcf_put_name(w, crank ? "slidersite" : "refsite", TACT_OBJECT_SITE, a->reference);
        tact_mjcf_put_real(w, "cranklength", a->crank_length, 0);
    }
    if (a->act >= 0) {
        tact_mjcf_put_text(w, "dyntype", tact_activation_name(a->activation));
        tact_mjcf_put_reals(w, "dynprm", a->activation_parameters, 3);
        tact_mjcf_put_range(w, "actlimited", "actrange", a->act_limited, a->act_range);
        if (a->act_early) {
            tact_mjcf_put_text(w, "actearly", "true");
        }
    }
}

static void put_delay(const TactMjcfWriter *w, const TactActuator *a)
{
    if (a->samples > 0) {
        tact_mjcf_put_real(w, "delay", a->delay, 0);
        tact_mjcf_put_int(w, "nsample", a->samples, 0);
        tact_mjcf_put_text(w, "interp", tact_delay_interpolation_name(a->delay_interpolation));
    }
}

static void put_actuator(const TactMjcfWriter *w, int index)
{
    const TactActuator *a = &w->model->actuators[index];
    const struct {
        const char *word;
        TactObject  type;
    } targets[] = {[TACT_TRANSMISSION_JOINT] = {"joint", TACT_OBJECT_JOINT},
                   [TACT_TRANSMISSION_JOINT_IN_PARENT] = {"jointinparent", TACT_OBJECT_JOINT},
                   [TACT_TRANSMISSION_TENDON] = {"tendon", TACT_OBJECT_TENDON},
                   [TACT_TRANSMISSION_SITE] = {"site", TACT_OBJECT_SITE},
                   [TACT_TRANSMISSION_BODY_FORCE] = {NULL, TACT_OBJECT_BODY},
                   [TACT_TRANSMISSION_SITE_TO_SITE] = {"site", TACT_OBJECT_SITE},
                   [TACT_TRANSMISSION_SLIDER_CRANK] = {"cranksite", TACT_OBJECT_SITE},
                   [TACT_TRANSMISSION_ADHESION] = {"body", TACT_OBJECT_BODY}};
    if (a->transmission == TACT_TRANSMISSION_INPUT) {
        return; // stands with what it is an input of
    }
    if (!targets[a->transmission].word) {
        fputs("    <!-- an actuator that pushes a body has no word in MJCF -->\n", w->stream);
        return;
    }
    bool pid = a->is_motor && tact_motor_is_controller(&a->motor);
    if (pid && a->motor.ahead) {
        fputs("    <!-- the plugin mujoco.pid, as the actuator that is nearest to it -->\n",
              w->stream);
    }
    fprintf(w->stream, "    <%s", pid ? "pid" : a->is_motor ? "dcmotor" : "general");
    tact_mjcf_put_name(w, "name", TACT_OBJECT_ACTUATOR, index);
    tact_mjcf_put_name(w, targets[a->transmission].word, targets[a->transmission].type, a->target);
    if (!a->is_turn) {
        tact_mjcf_put_reals(w, "gear", a->gear, 6);
    }
    put_delay(w, a);
    if (pid || a->is_turn) {
        (pid ? put_controller : put_turn)(w, a);
        tact_mjcf_put_range(w, "forcelimited", "forcerange", a->force_limited, a->force_range);
        tact_mjcf_put_int(w, "group", a->group, 0);
        fputs("/>\n", w->stream);
        return;
    }
    tact_mjcf_put_range(w, "ctrllimited", "ctrlrange", a->ctrl_limited, a->ctrl_range);
    if (a->is_motor) {
        put_motor(w, a);
    } else {
        put_law(w, a);
        tact_mjcf_put_range(w, "forcelimited", "forcerange", a->force_limited, a->force_range);
    }
    tact_mjcf_put_int(w, "group", a->group, 0);
    fputs("/>\n", w->stream);
}

/// Numbers of q or v from one to before another, without those of mocap bodies.
static void put_numbers(const TactMjcfWriter *w, const char *word, const double *numbers, int per)
{
    const TactModel *model = w->model;
    bool             first = true;
    fprintf(w->stream, " %s=\"", word);
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        int              start = per == 7 ? joint->q : joint->dof;
        int              end = j + 1 == model->joint_count ? (per == 7 ? model->nq : model->nv)
                               : per == 7                  ? joint[1].q
                                                           : joint[1].dof;
        for (int i = start; i < end && model->bodies[joint->body].mocap < 0; i++) {
            fprintf(w->stream, first ? "%.17g" : " %.17g", numbers[i]);
            first = false;
        }
    }
    fputs("\"", w->stream);
}

/// The state of a keyframe: mocap bodies have words of their own.
static void put_state(const TactMjcfWriter *w, const TactKeyframe *key)
{
    const TactModel *model = w->model;
    if (model->mocap_count == 0) {
        tact_mjcf_put_reals(w, "qpos", key->q, model->nq);
        tact_mjcf_put_reals(w, "qvel", key->v, model->nv);
        return;
    }
    if (model->nv > 6 * model->mocap_count) {
        put_numbers(w, "qpos", key->q, 7);
        put_numbers(w, "qvel", key->v, 6);
    }
    for (int part = 0; part < 2; part++) {
        bool first = true;
        fputs(part == 0 ? " mpos=\"" : " mquat=\"", w->stream);
        for (int b = 1; b < model->body_count; b++) {
            const double *q = key->q;
            if (model->bodies[b].mocap < 0) {
                continue;
            }
            q += model->joints[model->bodies[b].first_joint].q;
            for (int i = part == 0 ? 0 : 3; i < (part == 0 ? 3 : 7); i++) {
                fprintf(w->stream, first ? "%.17g" : " %.17g", q[i]);
                first = false;
            }
        }
        fputs("\"", w->stream);
    }
}

static void put_keyframes(const TactMjcfWriter *w)
{
    const TactModel *model = w->model;
    fputs("  <keyframe>\n", w->stream);
    for (int i = 0; i < model->keyframe_count; i++) {
        const TactKeyframe *key = &model->keyframes[i];
        fputs("    <key", w->stream);
        tact_mjcf_put_name(w, "name", TACT_OBJECT_KEYFRAME, i);
        tact_mjcf_put_real(w, "time", key->time, 0);
        put_state(w, key);
        if (model->actuator_count > 0) {
            tact_mjcf_put_reals(w, "ctrl", key->ctrl, model->actuator_count);
        }
        bool acts = false; // those of motors without any confuse MuJoCo 3.14
        for (int k = 0; k < model->act_count; k++) {
            acts = acts || key->act[k] != 0;
        }
        if (acts) {
            tact_mjcf_put_reals(w, "act", key->act, model->act_count);
        }
        fputs("/>\n", w->stream);
    }
    fputs("  </keyframe>\n", w->stream);
}

void tact_mjcf_write_links(const TactMjcfWriter *w)
{
    const TactModel *model = w->model;
    if (model->exclude_count + model->pair_count > 0) {
        put_contacts(w);
    }
    if (model->tendon_count > 0) {
        put_tendons(w);
    }
    bool locked = false;
    for (int i = 0; i < model->joint_count; i++) {
        locked = locked || tact_mjcf_is_locked(&model->joints[i]);
    }
    if (model->equality_count > 0 || locked) {
        put_equalities(w);
    }
    if (model->actuator_count > 0) {
        fputs("  <actuator>\n", w->stream);
        for (int i = 0; i < model->actuator_count; i++) {
            put_actuator(w, i);
        }
        fputs("  </actuator>\n", w->stream);
    }
    if (model->sensor_count > 0) {
        fprintf(w->stream, "  <!-- %d sensors are left out -->\n", model->sensor_count);
    }
    if (model->keyframe_count > 0) {
        put_keyframes(w);
    }
}
