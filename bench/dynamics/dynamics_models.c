// The models of `tact bench dynamics`, as files that every engine reads.
#include <stdio.h>

#include "bench/dynamics/dynamics.h"

// ---------------------------------------------------------------------------------------------
// Chains: URDF is flat, so that no parser of nested elements ends at some depth.

static const double length = 0.1, mass = 0.2; // m, kg, of a link

static void write_link(FILE *file, int branch, int k, double at)
{
    double thin = mass * length * length / 360, thick = 30 * thin;
    fprintf(file,
            "  <link name=\"link_%d_%d\"><inertial><origin xyz=\"0 0 %.17g\"/>"
            "<mass value=\"%.17g\"/><inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\" "
            "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n",
            branch, k, -length / 2, mass, thick, thick, thin);
    fprintf(file, "  <joint name=\"joint_%d_%d\" type=\"continuous\">", branch, k);
    if (k == 0) {
        fprintf(file, "<parent link=\"base\"/><origin xyz=\"%.17g 0 0\"/>", at);
    } else {
        fprintf(file, "<parent link=\"link_%d_%d\"/><origin xyz=\"0 0 %.17g\"/>", branch, k - 1,
                -length);
    }
    fprintf(file, "<child link=\"link_%d_%d\"/><axis xyz=\"%d %d 0\"/></joint>\n", branch, k, k % 2,
            1 - k % 2);
}

static void write_chains(FILE *file, const TactDynamicsShape *shape)
{
    fprintf(file, "<robot name=\"%s\">\n  <link name=\"base\"/>\n", shape->name);
    for (int branch = 0; branch < shape->branches; branch++) {
        for (int k = 0; k < shape->links / shape->branches; k++) {
            write_link(file, branch, k, 0.2 * branch);
        }
    }
    fprintf(file, "</robot>\n");
}

// ---------------------------------------------------------------------------------------------
// The humanoid

typedef struct Limb {
    const char *name;
    int         parent; // limb; -1: the world
    double      at[3];  // in the parent, m
    double      mass;   // kg
    double      size;   // m, downwards
    const char *axes;   // of its hinges, each named by a letter
} Limb;

static const Limb limbs[] = {
    {"torso", -1, {0, 0, 1.3}, 20, -0.4, ""},
    {"waist", 0, {0, 0, -0.1}, 6, 0.15, "zy"},
    {"pelvis", 1, {0, 0, -0.15}, 8, 0.15, "x"},
    {"right_thigh", 2, {0, -0.1, -0.1}, 7, 0.4, "xzy"},
    {"right_shin", 3, {0, 0, -0.4}, 3, 0.4, "y"},
    {"right_foot", 4, {0, 0, -0.4}, 1, 0.08, "yx"},
    {"left_thigh", 2, {0, 0.1, -0.1}, 7, 0.4, "xzy"},
    {"left_shin", 6, {0, 0, -0.4}, 3, 0.4, "y"},
    {"left_foot", 7, {0, 0, -0.4}, 1, 0.08, "yx"},
    {"right_arm", 0, {0, -0.2, 0.1}, 2, 0.3, "yx"},
    {"right_hand", 9, {0, 0, -0.3}, 1.2, 0.3, "y"},
    {"left_arm", 0, {0, 0.2, 0.1}, 2, 0.3, "yx"},
    {"left_hand", 11, {0, 0, -0.3}, 1.2, 0.3, "y"},
};

enum { LIMBS = sizeof limbs / sizeof limbs[0] };

static void write_limb(FILE *file, int k)
{
    const Limb *limb = &limbs[k];
    double      thick = limb->mass * limb->size * limb->size / 12 + 1e-3, thin = thick / 4 + 1e-3;
    fprintf(file, "<body name=\"%s\" pos=\"%g %g %g\">", limb->name, limb->at[0], limb->at[1],
            limb->at[2]);
    fprintf(file, limb->parent < 0 ? "<freejoint/>" : "");
    for (const char *axis = limb->axes; *axis; axis++) {
        fprintf(file, "<joint type=\"hinge\" axis=\"%d %d %d\" armature=\"0.01\"/>", *axis == 'x',
                *axis == 'y', *axis == 'z');
    }
    fprintf(file, "<inertial pos=\"0 0 %.17g\" mass=\"%g\" diaginertia=\"%.17g %.17g %.17g\"/>\n",
            -limb->size / 2, limb->mass, thick, thick, thin);
    for (int child = k + 1; child < LIMBS; child++) {
        if (limbs[child].parent == k) {
            write_limb(file, child);
        }
    }
    fprintf(file, "</body>\n");
}

TactStatus tact_dynamics_write_model(const TactDynamicsShape *shape, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return TACT_IO_ERROR;
    }
    if (shape->branches > 0) {
        write_chains(file, shape);
    } else {
        fprintf(file, "<mujoco><worldbody>\n");
        write_limb(file, 0);
        fprintf(file, "</worldbody></mujoco>\n");
    }
    return fclose(file) == 0 ? TACT_OK : TACT_IO_ERROR;
}
