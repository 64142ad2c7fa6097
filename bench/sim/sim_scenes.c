// Scenes as files: a pile of boxes, and any scene of plain geoms without the words that only newer
// readers of MJCF know.
#include <stdlib.h>

#include "bench/sim/sim.h"

static TactStatus finish(FILE *file)
{
    bool bad = ferror(file) != 0;
    return fclose(file) != 0 || bad ? TACT_IO_ERROR : TACT_OK;
}

/// Readers that do not take memory as it is needed are told how much it will be.
static void write_room(FILE *file, int bodies)
{
    int contacts = 200 + 12 * bodies;
    fprintf(file, "<size njmax=\"%d\" nconmax=\"%d\" nstack=\"%d\"/>\n", 4 * contacts, contacts,
            1000000 + 250 * bodies * bodies);
}

TactStatus tact_sim_write_pile(int edge, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return TACT_IO_ERROR;
    }
    fprintf(file, "<mujoco model=\"pile\">\n");
    write_room(file, edge * edge * edge);
    fprintf(file, "<worldbody>\n<geom type=\"plane\" size=\"10 10 0.1\" friction=\"0.5\"/>\n");
    // Edges of 0.1 m, gaps of 0.01 m; every other layer is shifted so that most boxes of it lie on
    // four below.
    for (int i = 0; i < edge * edge * edge; i++) {
        int    x = i % edge, y = i / edge % edge, z = i / edge / edge;
        double shift = z % 2 ? 0.02 : 0;
        fprintf(file,
                "<body pos=\"%.17g %.17g %.17g\"><freejoint/><geom type=\"box\" "
                "size=\"0.05 0.05 0.05\" mass=\"1\" friction=\"0.5\"/></body>\n",
                0.11 * x + shift, 0.11 * y + shift, 0.05 + 0.1 * z);
    }
    fprintf(file, "</worldbody>\n</mujoco>\n");
    return finish(file);
}

// ---------------------------------------------------------------------------------------------
// Flat MJCF

static void write_pose(FILE *file, TactTransform pose)
{
    TactVec3 p = pose.position;
    TactQuat r = pose.rotation;
    fprintf(file, " pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", p.x, p.y, p.z, r.w,
            r.x, r.y, r.z);
}

static bool write_geom(FILE *file, const TactGeom *geom)
{
    static const char *const words[TACT_GEOM_TYPE_COUNT] = {
        [TACT_GEOM_PLANE] = "plane",     [TACT_GEOM_SPHERE] = "sphere",
        [TACT_GEOM_CAPSULE] = "capsule", [TACT_GEOM_CYLINDER] = "cylinder",
        [TACT_GEOM_BOX] = "box",         [TACT_GEOM_ELLIPSOID] = "ellipsoid",
    };
    if (!words[geom->type]) {
        return geom->visual;
    }
    fprintf(file, "<geom type=\"%s\" size=\"%.17g %.17g %.17g\" mass=\"0\" friction=\"%.17g\"",
            words[geom->type], geom->size[0], geom->size[1],
            geom->type == TACT_GEOM_PLANE ? 1 : geom->size[2], geom->mu);
    fprintf(file,
            " condim=\"%d\" priority=\"%d\" contype=\"%d\" conaffinity=\"%d\" margin=\"%.17g\"",
            geom->condim, geom->priority, geom->contact_type, geom->contact_affinity, geom->margin);
    write_pose(file, geom->pose);
    fprintf(file, "/>\n");
    return true;
}

static bool write_joint(FILE *file, const TactJoint *joint, int index)
{
    static const char *const words[] = {"free", "ball", "hinge", "slide"};
    if (joint->limited || joint->stiffness != 0 || joint->friction != 0) {
        return false; // no scene has it
    }
    fprintf(file, "<joint name=\"j%d\" type=\"%s\"", index, words[joint->type]);
    if (joint->type != TACT_JOINT_FREE) {
        TactVec3 p = joint->position, a = joint->axis;
        fprintf(file, " pos=\"%.17g %.17g %.17g\"", p.x, p.y, p.z);
        if (joint->type != TACT_JOINT_BALL) {
            fprintf(file, " axis=\"%.17g %.17g %.17g\" ref=\"%.17g\"", a.x, a.y, a.z,
                    joint->reference);
        }
    }
    fprintf(file, " damping=\"%.17g\" armature=\"%.17g\"/>\n", joint->damping, joint->armature);
    return true;
}

/// The body with all that it carries; the world's own geoms only.
static bool write_body(FILE *file, const TactModel *model, int index)
{
    const TactBody *body = &model->bodies[index];
    bool            good = true;
    if (index > 0) {
        TactMat3 I = body->inertia.rotary;
        TactVec3 c = body->inertia.com;
        fprintf(file, "<body");
        write_pose(file, body->pose);
        fprintf(file, ">\n");
        if (body->inertia.mass > 0) {
            fprintf(file,
                    "<inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\" fullinertia=\"%.17g %.17g "
                    "%.17g %.17g %.17g %.17g\"/>\n",
                    c.x, c.y, c.z, body->inertia.mass, I.m[0][0], I.m[1][1], I.m[2][2], I.m[0][1],
                    I.m[0][2], I.m[1][2]);
        }
    }
    for (int j = 0; j < body->joint_count; j++) {
        int joint = body->first_joint + j;
        good = write_joint(file, &model->joints[joint], joint) && good;
    }
    for (int g = 0; g < body->geom_count; g++) {
        good = write_geom(file, &model->geoms[body->first_geom + g]) && good;
    }
    return good;
}

static bool write_actuators(FILE *file, const TactModel *model)
{
    bool good = true;
    fprintf(file, "<actuator>\n");
    for (int i = 0; i < model->actuator_count; i++) {
        const TactActuator *a = &model->actuators[i];
        good = good && a->transmission == TACT_TRANSMISSION_JOINT && !a->ctrl_limited &&
               !a->force_limited;
        fprintf(file,
                "<general joint=\"j%d\" gear=\"%.17g\" gaintype=\"affine\" biastype=\"affine\" "
                "gainprm=\"%.17g %.17g %.17g\" biasprm=\"%.17g %.17g %.17g\"/>\n",
                a->target, a->gear[0], a->gain[0], a->gain[1], a->gain[2], a->bias[0], a->bias[1],
                a->bias[2]);
    }
    fprintf(file, "</actuator>\n");
    return good;
}

TactStatus tact_sim_write_flat(const TactModel *model, const char *path)
{
    if (model->tendon_count + model->equality_count + model->exclude_count + model->pair_count >
        0) {
        return TACT_UNSUPPORTED;
    }
    FILE *file = fopen(path, "w");
    if (!file) {
        return TACT_IO_ERROR;
    }
    TactVec3 g = model->options.gravity;
    fprintf(file,
            "<mujoco>\n<compiler angle=\"radian\" autolimits=\"true\"/>\n"
            "<option gravity=\"%.17g %.17g %.17g\"/>\n",
            g.x, g.y, g.z);
    write_room(file, model->body_count);
    fprintf(file, "<worldbody>\n");
    bool good = write_body(file, model, 0);
    for (int b = 1; b < model->body_count; b++) {
        good = write_body(file, model, b) && good;
        // Depth first: what is open and does not carry the next body ends here.
        int next = b + 1 < model->body_count ? model->bodies[b + 1].parent : 0;
        for (int open = b; open != next; open = model->bodies[open].parent) {
            fprintf(file, "</body>\n");
        }
    }
    fprintf(file, "</worldbody>\n");
    good = write_actuators(file, model) && good;
    fprintf(file, "</mujoco>\n");
    TactStatus status = finish(file);
    return status == TACT_OK && !good ? TACT_UNSUPPORTED : status;
}
