// What `tact info` prints for people: 80 columns wide as long as names are short.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/info/info.h"

enum { DEEPEST_INDENT = 32, TEXT = 160 };

static const char *label(const TactModel *model, TactObject type, int index, char text[64])
{
    return index < 0 ? "" : tact_model_label(model, type, index, text);
}

/// "lo .. hi", or "" if there is no such limit.
static const char *format_range(bool limited, const double range[2], char text[TEXT])
{
    text[0] = '\0';
    if (limited) {
        snprintf(text, TEXT, "%.4g .. %.4g", range[0], range[1]);
    }
    return text;
}

/// A cell that is empty unless the number says something.
static void add_number(TactInfoTable *table, double number, bool says)
{
    if (says) {
        tact_info_cell(table, "%.4g", number);
    } else {
        tact_info_cell(table, "%s", "");
    }
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

// ---------------------------------------------------------------------------------------------
// Summary

static void print_count(const char **separator, int count, const char *one, const char *many)
{
    if (count > 0) {
        printf("%s%d %s", *separator, count, count == 1 ? one : many);
        *separator = ", ";
    }
}

static int count_looks(const TactModel *model)
{
    int count = 0;
    for (int i = 0; i < model->geom_count; i++) {
        count += model->geoms[i].visual;
    }
    return count;
}

static void print_summary(const TactInfo *info)
{
    const TactModel *model = info->model;
    TactVec3         g = model->options.gravity;
    int              bodies = model->body_count - 1;
    const char      *separator = "  ";

    printf("%s%s%s", tact_cli_colour(stdout, TACT_BOLD), info->path,
           tact_cli_colour(stdout, TACT_PLAIN));
    printf(model->name[0] ? ": %s\n" : "%s\n", model->name);
    printf("  %d bod%s, %.6g kg; %d joint%s, %d degree%s of freedom, %d coordinate%s\n", bodies,
           bodies == 1 ? "y" : "ies", model->mass, model->joint_count, plural(model->joint_count),
           model->nv, plural(model->nv), model->nq, plural(model->nq));
    print_count(&separator, model->geom_count, "geom", "geoms");
    if (count_looks(model) > 0) {
        printf(" (%d only for looks)", count_looks(model));
    }
    print_count(&separator, model->site_count, "site", "sites");
    print_count(&separator, model->actuator_count, "actuator", "actuators");
    print_count(&separator, model->equality_count, "equality", "equalities");
    print_count(&separator, model->tendon_count, "tendon", "tendons");
    print_count(&separator, model->sensor_count, "sensor", "sensors");
    print_count(&separator, model->keyframe_count, "keyframe", "keyframes");
    printf(separator[0] == ',' ? "\n" : "");
    printf("  gravity %.4g %.4g %.4g m/s^2%s, step %.4g s\n", g.x, g.y, g.z,
           model->options.gravity_off ? " (off)" : "", model->options.timestep);
}

// ---------------------------------------------------------------------------------------------
// Bodies

static int depth_of(const TactModel *model, int body)
{
    int depth = 0;
    for (; model->bodies[body].parent >= 0; body = model->bodies[body].parent) {
        depth++;
    }
    return depth;
}

/// "NAME, NAME" of a body's joints.
static void format_joints(const TactModel *model, const TactBody *body, char text[TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int j = 0; j < body->joint_count && used < TEXT; j++) {
        char name[64];
        used += (size_t)snprintf(text + used, TEXT - used, "%s%s", j > 0 ? ", " : "",
                                 label(model, TACT_OBJECT_JOINT, body->first_joint + j, name));
    }
}

/// Does anything that weighs hang on it?
static bool carries(const TactBody *body)
{
    return body->subtree_mass - body->inertia.mass > 1e-9 * body->subtree_mass;
}

static void print_bodies(const TactModel *model)
{
    static const TactInfoColumn columns[] = {
        {"body", false, false},
        {"mass [kg]", true, false},
        {"subtree [kg]", true, true},
        {"joints", false, false},
    };
    TactInfoTable table = tact_info_table(columns, 4);
    for (int i = 0; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        char            name[64];
        char            joints[TEXT];
        int             indent = 2 * depth_of(model, i);
        indent = indent < DEEPEST_INDENT ? indent : DEEPEST_INDENT;
        format_joints(model, body, joints);
        tact_info_cell(&table, "%*s%s", indent, "", label(model, TACT_OBJECT_XBODY, i, name));
        add_number(&table, body->inertia.mass, i > 0);
        add_number(&table, body->subtree_mass, i > 0 && carries(body));
        tact_info_cell(&table, "%s", i > 0 && body->joint_count == 0 ? "fixed" : joints);
    }
    tact_info_table_print(&table);
}

static void print_poses(const TactInfo *info)
{
    static const TactInfoColumn columns[] = {
        {"pose", false, false}, {"x [m]", true, false}, {"y", true, false},  {"z", true, false},
        {"qw", true, false},    {"qx", true, false},    {"qy", true, false}, {"qz", true, false},
    };
    if (!info->asked) {
        return;
    }
    TactInfoTable table = tact_info_table(columns, 8);
    for (int i = 1; i < info->model->body_count; i++) {
        char     name[64];
        TactVec3 p = info->poses[i].position;
        TactQuat r = info->poses[i].rotation;
        double   numbers[7] = {p.x, p.y, p.z, r.w, r.x, r.y, r.z};
        tact_info_cell(&table, "%s", label(info->model, TACT_OBJECT_XBODY, i, name));
        for (int k = 0; k < 7; k++) {
            tact_info_cell(&table, "%.4f", numbers[k] == 0 ? 0 : numbers[k]);
        }
    }
    printf("\nat %s:", info->state);
    tact_info_table_print(&table);
}

// ---------------------------------------------------------------------------------------------
// Joints and geoms

static void print_joints(const TactModel *model)
{
    static const TactInfoColumn columns[] = {
        {"joint", false, false},     {"type", false, false},         {"q", true, false},
        {"v", true, false},          {"range [rad, m]", true, true}, {"damping", true, true},
        {"friction", true, true},    {"armature", true, true},       {"stiffness", true, true},
        {"force range", true, true},
    };
    TactInfoTable table = tact_info_table(columns, 10);
    for (int i = 0; i < model->joint_count; i++) {
        const TactJoint *joint = &model->joints[i];
        char             name[64];
        char             range[TEXT];
        tact_info_cell(&table, "%s", label(model, TACT_OBJECT_JOINT, i, name));
        tact_info_cell(&table, "%s", tact_joint_type_name(joint->type));
        tact_info_cell(&table, "%d", joint->q);
        tact_info_cell(&table, "%d", joint->dof);
        tact_info_cell(&table, "%s", format_range(joint->limited, joint->range, range));
        tact_info_cell(&table, "%.4g", joint->damping);
        tact_info_cell(&table, "%.4g", joint->friction);
        tact_info_cell(&table, "%.4g", joint->armature);
        tact_info_cell(&table, "%.4g", joint->stiffness);
        tact_info_cell(&table, "%s", format_range(joint->force_limited, joint->force_range, range));
    }
    tact_info_table_print(&table);
}

static const int size_counts[TACT_GEOM_TYPE_COUNT] = {
    [TACT_GEOM_SPHERE] = 1, [TACT_GEOM_CAPSULE] = 2,   [TACT_GEOM_CYLINDER] = 2,
    [TACT_GEOM_BOX] = 3,    [TACT_GEOM_ELLIPSOID] = 3,
};

static void format_shape(const TactModel *model, const TactGeom *geom, char text[TEXT])
{
    char        name[64];
    const char *type = tact_geom_type_name(geom->type);
    if (geom->type == TACT_GEOM_CONVEX || geom->type == TACT_GEOM_MESH) {
        snprintf(text, TEXT, "%s %s", type, label(model, TACT_OBJECT_MESH, geom->mesh, name));
        return;
    }
    size_t used = (size_t)snprintf(text, TEXT, "%s", type);
    for (int k = 0; k < size_counts[geom->type] && used < TEXT; k++) {
        used += (size_t)snprintf(text + used, TEXT - used, " %.4g", geom->size[k]);
    }
}

static void print_geoms(const TactModel *model)
{
    static const TactInfoColumn columns[] = {
        {"geom that touches", false, false},
        {"body", false, false},
        {"shape (half-lengths [m])", false, false},
        {"friction", true, false},
    };
    TactInfoTable table = tact_info_table(columns, 4);
    for (int i = 0; i < model->geom_count; i++) {
        const TactGeom *geom = &model->geoms[i];
        char            name[64];
        char            shape[TEXT];
        if (geom->visual) {
            continue;
        }
        format_shape(model, geom, shape);
        tact_info_cell(&table, "%s", label(model, TACT_OBJECT_GEOM, i, name));
        tact_info_cell(&table, "%s", label(model, TACT_OBJECT_XBODY, geom->body, name));
        tact_info_cell(&table, "%s", shape);
        tact_info_cell(&table, geom->condim == 1 ? "none" : "%.4g", geom->mu);
    }
    tact_info_table_print(&table);
}

// ---------------------------------------------------------------------------------------------
// Actuators, tendons, equalities, keyframes

/// " + 2.5 word" or " - 2.5 word"; nothing for 0.
static size_t add_term(char *text, size_t used, double factor, const char *word)
{
    if (factor == 0 || used >= TEXT) {
        return used;
    }
    const char *sign = factor < 0 ? (used ? " - " : "-") : (used ? " + " : "");
    size_t      space = TEXT - used;
    int length = fabs(factor) == 1 && word[0] ? snprintf(text + used, space, "%s%s", sign, word)
                                              : snprintf(text + used, space, "%s%.4g%s%s", sign,
                                                         fabs(factor), word[0] ? " " : "", word);
    return used + (size_t)length;
}

/// Force as a sum of terms in the control u, the length x and the velocity v.
static void format_force(const TactActuator *actuator, char text[TEXT])
{
    static const char *const gain_words[] = {"u", "x u", "v u"};
    static const char *const bias_words[] = {"", "x", "v"};
    size_t                   used = 0;
    snprintf(text, TEXT, "0");
    for (int k = 0; k < 3; k++) {
        used = add_term(text, used, actuator->gain[k], gain_words[k]);
    }
    for (int k = 0; k < 3; k++) {
        used = add_term(text, used, actuator->bias[k], bias_words[k]);
    }
}

static TactObject target_kind(TactTransmission transmission)
{
    return transmission == TACT_TRANSMISSION_TENDON ? TACT_OBJECT_TENDON
           : transmission == TACT_TRANSMISSION_SITE ||
                   transmission == TACT_TRANSMISSION_SITE_TO_SITE ||
                   transmission == TACT_TRANSMISSION_SLIDER_CRANK
               ? TACT_OBJECT_SITE
           : transmission == TACT_TRANSMISSION_ADHESION ||
                   transmission == TACT_TRANSMISSION_BODY_FORCE
               ? TACT_OBJECT_BODY
           : transmission == TACT_TRANSMISSION_INPUT ? TACT_OBJECT_ACTUATOR
                                                     : TACT_OBJECT_JOINT;
}

static void print_actuators(const TactModel *model)
{
    static const TactInfoColumn columns[] = {
        {"actuator", false, false}, {"drives", false, false},  {"force", false, false},
        {"gear", true, true},       {"control u", true, true}, {"force range", true, true},
    };
    TactInfoTable table = tact_info_table(columns, 6);
    for (int i = 0; i < model->actuator_count; i++) {
        const TactActuator *actuator = &model->actuators[i];
        char                name[64];
        char                text[TEXT];
        tact_info_cell(&table, "%s", label(model, TACT_OBJECT_ACTUATOR, i, name));
        tact_info_cell(&table, "%s",
                       label(model, target_kind(actuator->transmission), actuator->target, name));
        format_force(actuator, text);
        tact_info_cell(&table, "%s", text);
        add_number(&table, actuator->gear[0], actuator->gear[0] != 1);
        tact_info_cell(&table, "%s",
                       format_range(actuator->ctrl_limited, actuator->ctrl_range, text));
        tact_info_cell(&table, "%s",
                       format_range(actuator->force_limited, actuator->force_range, text));
    }
    tact_info_table_print(&table);
}

static void print_tendons(const TactModel *model)
{
    static const TactInfoColumn columns[] = {
        {"tendon", false, false}, {"length", false, false}, {"range", true, true}};
    TactInfoTable table = tact_info_table(columns, 3);
    for (int i = 0; i < model->tendon_count; i++) {
        const TactTendon *tendon = &model->tendons[i];
        char              name[64];
        char              text[TEXT] = "0";
        size_t            used = 0;
        tact_info_cell(&table, "%s", label(model, TACT_OBJECT_TENDON, i, name));
        for (int k = 0; k < tendon->count; k++) {
            used = add_term(text, used, tendon->coefficients[k],
                            label(model, TACT_OBJECT_JOINT, tendon->joints[k], name));
        }
        tact_info_cell(&table, "%s", text);
        tact_info_cell(&table, "%s", format_range(tendon->limited, tendon->range, text));
    }
    tact_info_table_print(&table);
}

static void format_equality(const TactModel *model, const TactEquality *equality, char text[TEXT])
{
    char a[64];
    char b[64];
    bool bodies = equality->type == TACT_EQUALITY_CONNECT || equality->type == TACT_EQUALITY_WELD;
    TactObject  kind = bodies                                   ? TACT_OBJECT_XBODY
                       : equality->type == TACT_EQUALITY_TENDON ? TACT_OBJECT_TENDON
                                                                : TACT_OBJECT_JOINT;
    const char *first = label(model, kind, equality->a, a);
    const char *second = label(model, kind, equality->b, b);
    if (bodies) {
        snprintf(text, TEXT, "%s %s %s", first,
                 equality->type == TACT_EQUALITY_WELD ? "is welded to" : "is pinned to", second);
        return;
    }
    char   sum[TEXT] = "0";
    size_t used = add_term(sum, 0, equality->polynomial[0], "");
    for (int k = 1; k < 5 && equality->b >= 0; k++) {
        char power[80];
        snprintf(power, sizeof power, k == 1 ? "%s" : "%s^%d", second, k);
        used = add_term(sum, used, equality->polynomial[k], power);
    }
    snprintf(text, TEXT, "%.60s = %.90s", first, sum);
}

static void print_equalities(const TactModel *model)
{
    static const TactInfoColumn columns[] = {
        {"equality", false, false}, {"says", false, false}, {"", false, true}};
    TactInfoTable table = tact_info_table(columns, 3);
    for (int i = 0; i < model->equality_count; i++) {
        char name[64];
        char text[TEXT];
        format_equality(model, &model->equalities[i], text);
        tact_info_cell(&table, "%s", label(model, TACT_OBJECT_EQUALITY, i, name));
        tact_info_cell(&table, "%s", text);
        tact_info_cell(&table, "%s", model->equalities[i].active ? "" : "off");
    }
    tact_info_table_print(&table);
}

static void print_keyframes(const TactModel *model)
{
    for (int i = 0; i < model->keyframe_count; i++) {
        char name[64];
        printf("%s%s", i == 0 ? "\nkeyframes: " : ", ",
               label(model, TACT_OBJECT_KEYFRAME, i, name));
    }
    printf(model->keyframe_count > 0 ? "\n" : "");
}

void tact_info_print(const TactInfo *info)
{
    print_summary(info);
    print_bodies(info->model);
    print_joints(info->model);
    print_geoms(info->model);
    print_actuators(info->model);
    print_tendons(info->model);
    print_equalities(info->model);
    print_keyframes(info->model);
    print_poses(info);
}
