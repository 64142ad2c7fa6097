// A model as an MJCF file: what was understood, every default resolved, notes as comments.
//
// Angles are radians, inertias are stated, quaternions are w x y z; numbers have all their digits,
// so that what is read again is the same model. Meshes and height fields stand in the file itself.
#include <stdio.h>
#include <string.h>
#include <tact/load.h>

#include "base/status.h"
#include "io/mjcf/mjcf_write.h"
#include "io/output.h"
#include "model/bend.h"

// ---------------------------------------------------------------------------------------------
// Words and numbers

void tact_mjcf_put_text(const TactMjcfWriter *w, const char *name, const char *text)
{
    fprintf(w->stream, " %s=\"", name);
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '&': fputs("&amp;", w->stream); break;
        case '<': fputs("&lt;", w->stream); break;
        case '"': fputs("&quot;", w->stream); break;
        default: fputc(*c, w->stream);
        }
    }
    fputc('"', w->stream);
}

void tact_mjcf_put_terms(const TactMjcfWriter *w, const char *name, double first,
                         const double more[2])
{
    const double terms[3] = {first, more[0], more[1]};
    if (more[0] != 0 || more[1] != 0) {
        tact_mjcf_put_reals(w, name, terms, 3);
    } else {
        tact_mjcf_put_real(w, name, first, 0);
    }
}

void tact_mjcf_put_reals(const TactMjcfWriter *w, const char *name, const double *x, int count)
{
    fprintf(w->stream, " %s=\"", name);
    for (int i = 0; i < count; i++) {
        fprintf(w->stream, "%s%.17g", i > 0 ? " " : "", x[i]);
    }
    fputc('"', w->stream);
}

void tact_mjcf_put_real(const TactMjcfWriter *w, const char *name, double x, double unless)
{
    if (x != unless) {
        tact_mjcf_put_reals(w, name, &x, 1);
    }
}

void tact_mjcf_put_int(const TactMjcfWriter *w, const char *name, int x, int unless)
{
    if (x != unless) {
        fprintf(w->stream, " %s=\"%d\"", name, x);
    }
}

void tact_mjcf_put_range(const TactMjcfWriter *w, const char *word, const char *name, bool limited,
                         const double range[2])
{
    if (limited) {
        tact_mjcf_put_text(w, word, "true");
        tact_mjcf_put_reals(w, name, range, 2);
    }
}

static const char *own_name(const TactModel *model, TactObject type, int i)
{
    switch (type) {
    case TACT_OBJECT_BODY: return model->bodies[i].name;
    case TACT_OBJECT_JOINT: return model->joints[i].name;
    case TACT_OBJECT_GEOM: return model->geoms[i].name;
    case TACT_OBJECT_SITE: return model->sites[i].name;
    case TACT_OBJECT_MESH: return model->meshes[i].name;
    case TACT_OBJECT_HEIGHTFIELD: return model->heightfields[i].name;
    case TACT_OBJECT_TENDON: return model->tendons[i].name;
    case TACT_OBJECT_ACTUATOR: return model->actuators[i].name;
    case TACT_OBJECT_EQUALITY: return model->equalities[i].name;
    case TACT_OBJECT_KEYFRAME: return model->keyframes[i].name;
    default: return "";
    }
}

/// Its name, or TYPE_INDEX: names in lists have blanks between them.
static const char *find_name(const TactModel *model, TactObject type, int index,
                             char label[TACT_LABEL_SIZE])
{
    const char *own = own_name(model, type, index);
    if (own[0]) {
        return own;
    }
    snprintf(label, TACT_LABEL_SIZE, "%s_%d", tact_object_name(type), index);
    for (char *c = label; *c; c++) {
        *c = (char)(*c == ' ' ? '_' : *c);
    }
    return label;
}

void tact_mjcf_put_name(const TactMjcfWriter *w, const char *attribute, TactObject type, int index)
{
    char label[TACT_LABEL_SIZE];
    tact_mjcf_put_text(w, attribute, find_name(w->model, type, index, label));
}

static void put_pose(const TactMjcfWriter *w, TactTransform pose)
{
    const double p[3] = {pose.position.x, pose.position.y, pose.position.z};
    const double q[4] = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
    if (p[0] != 0 || p[1] != 0 || p[2] != 0) {
        tact_mjcf_put_reals(w, "pos", p, 3);
    }
    if (q[0] != 1 || q[1] != 0 || q[2] != 0 || q[3] != 0) {
        tact_mjcf_put_reals(w, "quat", q, 4);
    }
}

static void indent(const TactMjcfWriter *w, int depth)
{
    fprintf(w->stream, "%*s", 2 * depth, "");
}

// ---------------------------------------------------------------------------------------------
// Comments

/// Two minus signs end a comment.
static void put_comment(const TactMjcfWriter *w, const char *text)
{
    for (const char *c = text; *c; c++) {
        fputc(*c, w->stream);
        if (*c == '-' && c[1] == '-') {
            fputc(' ', w->stream);
        }
    }
}

static void put_notes(const TactMjcfWriter *w, const TactModelNotes *notes)
{
    int count = 0;
    for (int i = 0; notes && i < notes->count; i++) {
        const TactModelNote *note = &notes->items[i];
        if (note->verdict == TACT_VERDICT_HONOURED || !note->physics) {
            continue;
        }
        char line[900];
        snprintf(line, sizeof line, "    %.300s:%d: %s%s%s: %s: %.400s\n", note->file, note->line,
                 note->element, note->attribute[0] ? "." : "", note->attribute,
                 tact_verdict_name(note->verdict), note->text);
        fputs(count++ == 0 ? "<!-- of what this was made of, these did not mean the same:\n" : "",
              w->stream);
        put_comment(w, line);
    }
    fputs(count > 0 ? "-->\n" : "", w->stream);
}

// ---------------------------------------------------------------------------------------------
// Options and assets

static void put_options(const TactMjcfWriter *w)
{
    const TactModelOptions *o = &w->model->options;
    const double            g[3] = {o->gravity.x, o->gravity.y, o->gravity.z};
    const struct {
        const char *word;
        bool        off;
    } flags[] = {{"contact", o->contact_off},       {"gravity", o->gravity_off},
                 {"limit", o->limit_off},           {"equality", o->equality_off},
                 {"frictionloss", o->friction_off}, {"filterparent", o->parent_filter_off},
                 {"actuation", o->actuation_off},   {"clampctrl", o->clamp_off}};
    fputs(
        "  <compiler angle=\"radian\" autolimits=\"false\" inertiafromgeom=\"false\"/>\n  <option",
        w->stream);
    tact_mjcf_put_real(w, "timestep", o->timestep, 0.002);
    tact_mjcf_put_reals(w, "gravity", g, 3);
    tact_mjcf_put_real(w, "density", o->density, 0);
    tact_mjcf_put_real(w, "viscosity", o->viscosity, 0);
    tact_mjcf_put_reals(w, "wind", (double[3]){o->wind.x, o->wind.y, o->wind.z}, 3);
    tact_mjcf_put_reals(w, "magnetic", (double[3]){o->magnetic.x, o->magnetic.y, o->magnetic.z}, 3);
    if (o->contact_override) {
        tact_mjcf_put_real(w, "o_margin", o->override_margin, 0);
        tact_mjcf_put_reals(w, "o_friction", o->override_friction, 5);
    }
    if (o->integrator == TACT_INTEGRATOR_RK4) {
        tact_mjcf_put_text(w, "integrator", "RK4");
    }
    fputs(">\n    <flag", w->stream);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (flags[i].off) {
            tact_mjcf_put_text(w, flags[i].word, "disable");
        }
    }
    if (o->contact_override) {
        tact_mjcf_put_text(w, "override", "enable");
    }
    fputs("/>\n  </option>\n", w->stream);
}

/// A shell may be open and flat; inertias are stated, so it weighs nothing.
static void put_mesh(const TactMjcfWriter *w, int index)
{
    const TactMesh *mesh = w->model->meshes[index].mesh;
    fputs("    <mesh", w->stream);
    tact_mjcf_put_name(w, "name", TACT_OBJECT_MESH, index);
    fputs(" inertia=\"shell\" vertex=\"", w->stream);
    for (int i = 0; i < mesh->vertex_count; i++) {
        TactVec3 v = mesh->vertices[i];
        fprintf(w->stream, "%s%.17g %.17g %.17g", i > 0 ? "  " : "", v.x, v.y, v.z);
    }
    fputs("\" face=\"", w->stream);
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *v = mesh->triangles[i].vertex;
        fprintf(w->stream, "%s%d %d %d", i > 0 ? "  " : "", v[0], v[1], v[2]);
    }
    fputs("\"/>\n", w->stream);
}

/// The first row of the text is the one of largest y.
static void put_field(const TactMjcfWriter *w, int index)
{
    const TactHeightField *f = &w->model->heightfields[index];
    const double           size[4] = {f->half[0], f->half[1], f->top, f->base};
    fputs("    <hfield", w->stream);
    tact_mjcf_put_name(w, "name", TACT_OBJECT_HEIGHTFIELD, index);
    tact_mjcf_put_int(w, "nrow", f->rows, 0);
    tact_mjcf_put_int(w, "ncol", f->columns, 0);
    tact_mjcf_put_reals(w, "size", size, 4);
    fputs(" elevation=\"", w->stream);
    for (int i = f->rows - 1; i >= 0; i--) {
        for (int j = 0; j < f->columns; j++) {
            fprintf(w->stream, "%.17g ", f->height[(size_t)i * (size_t)f->columns + (size_t)j]);
        }
    }
    fputs("\"/>\n", w->stream);
}

static void put_assets(const TactMjcfWriter *w)
{
    if (w->model->mesh_count + w->model->heightfield_count == 0) {
        return;
    }
    fputs("  <asset>\n", w->stream);
    for (int i = 0; i < w->model->mesh_count; i++) {
        put_mesh(w, i);
    }
    for (int i = 0; i < w->model->heightfield_count; i++) {
        put_field(w, i);
    }
    fputs("  </asset>\n", w->stream);
}

/// Meshes that touch as they are, and the free words of the model.
static void put_customs(const TactMjcfWriter *w)
{
    const TactModel *model = w->model;
    fputs("  <custom>\n", w->stream);
    for (int k = 0; k < model->custom_count; k++) {
        const TactCustom *custom = &model->customs[k];
        if (strcmp(custom->name, "tact_mesh") == 0) {
            continue; // written anew
        }
        fputs(custom->count > 0 ? "    <numeric" : "    <text", w->stream);
        tact_mjcf_put_text(w, "name", custom->name);
        if (custom->count > 0) {
            tact_mjcf_put_reals(w, "data", custom->data, custom->count);
        } else {
            tact_mjcf_put_text(w, "data", custom->path[0] ? custom->path : custom->text);
        }
        fputs("/>\n", w->stream);
    }
    bool any = false;
    for (int i = 0; i < model->mesh_count; i++) {
        bool exact = false;
        for (int g = 0; g < model->geom_count; g++) {
            const TactGeom *geom = &model->geoms[g];
            exact = exact || (geom->type == TACT_GEOM_MESH && geom->mesh == i && !geom->visual);
        }
        char label[TACT_LABEL_SIZE];
        if (exact) {
            fputs(any ? " " : "    <text name=\"tact_mesh\" data=\"", w->stream);
            fputs(find_name(model, TACT_OBJECT_MESH, i, label), w->stream);
            any = true;
        }
    }
    fputs(any ? "\"/>\n" : "", w->stream);
    fputs("  </custom>\n", w->stream);
}

// ---------------------------------------------------------------------------------------------
// Bodies

/// MuJoCo refuses a fullinertia with a moment below 1e-14, which fixed links may have, and takes it
/// as diaginertia.
static bool is_flat_diagonal(const double full[6])
{
    return full[3] == 0 && full[4] == 0 && full[5] == 0 &&
           fmin(full[0], fmin(full[1], full[2])) < 1e-13;
}

static void put_inertia(const TactMjcfWriter *w, const TactBody *body, int depth)
{
    const TactInertia *I = &body->inertia;
    const double       com[3] = {I->com.x, I->com.y, I->com.z};
    const double       full[6] = {I->rotary.m[0][0], I->rotary.m[1][1], I->rotary.m[2][2],
                                  I->rotary.m[0][1], I->rotary.m[0][2], I->rotary.m[1][2]};
    if (I->mass > 0) {
        indent(w, depth);
        fputs("<inertial", w->stream);
        tact_mjcf_put_reals(w, "pos", com, 3);
        tact_mjcf_put_reals(w, "mass", &I->mass, 1);
        bool flat = is_flat_diagonal(full);
        tact_mjcf_put_reals(w, flat ? "diaginertia" : "fullinertia", full, flat ? 3 : 6);
        fputs("/>\n", w->stream);
    }
}

static void put_joint(const TactMjcfWriter *w, int index, int depth)
{
    static const char *const types[] = {[TACT_JOINT_FREE] = "free",
                                        [TACT_JOINT_BALL] = "ball",
                                        [TACT_JOINT_HINGE] = "hinge",
                                        [TACT_JOINT_SLIDE] = "slide"};

    const TactJoint *j = &w->model->joints[index];
    const double     at[3] = {j->position.x, j->position.y, j->position.z};
    const double     axis[3] = {j->axis.x, j->axis.y, j->axis.z};
    bool             single = j->type == TACT_JOINT_HINGE || j->type == TACT_JOINT_SLIDE;
    indent(w, depth);
    fputs("<joint", w->stream);
    tact_mjcf_put_name(w, "name", TACT_OBJECT_JOINT, index);
    tact_mjcf_put_text(w, "type", types[j->type]);
    if (j->type != TACT_JOINT_FREE) {
        tact_mjcf_put_reals(w, "pos", at, 3);
        tact_mjcf_put_range(w, "limited", "range", j->limited && !tact_mjcf_is_locked(j), j->range);
        tact_mjcf_put_real(w, "margin", j->margin, 0);
    }
    if (single) {
        tact_mjcf_put_reals(w, "axis", axis, 3);
        tact_mjcf_put_real(w, "ref", j->reference, 0);
        tact_mjcf_put_real(w, "springref", j->spring_reference, 0);
        tact_mjcf_put_range(w, "actuatorfrclimited", "actuatorfrcrange", j->force_limited,
                            j->force_range);
    }
    if (j->carries_gravity) {
        tact_mjcf_put_text(w, "actuatorgravcomp", "true");
    }
    tact_mjcf_put_terms(w, "stiffness", j->stiffness, j->spring_more);
    tact_mjcf_put_terms(w, "damping", j->damping, j->damper_more);
    tact_mjcf_put_real(w, "armature", j->armature, 0);
    tact_mjcf_put_real(w, "frictionloss", j->friction, 0);
    tact_mjcf_put_int(w, "group", j->group, 0);
    fputs("/>\n", w->stream);
    if (tact_joint_bends(j)) {
        indent(w, depth);
        fprintf(w->stream, "<!-- that it bends with %g %g %g N m/rad has no word in MJCF -->\n",
                j->bend[0], j->bend[1], j->bend[2]);
    }
}

static void put_geom(const TactMjcfWriter *w, int index, int depth)
{
    static const char *const types[] = {
        [TACT_GEOM_PLANE] = "plane",       [TACT_GEOM_SPHERE] = "sphere",
        [TACT_GEOM_CAPSULE] = "capsule",   [TACT_GEOM_ELLIPSOID] = "ellipsoid",
        [TACT_GEOM_CYLINDER] = "cylinder", [TACT_GEOM_BOX] = "box",
        [TACT_GEOM_CONVEX] = "mesh",       [TACT_GEOM_MESH] = "mesh",
        [TACT_GEOM_HEIGHTFIELD] = "hfield"};

    const TactGeom *g = &w->model->geoms[index];
    const double    friction[3] = {g->mu, g->torsional, g->rolling};
    indent(w, depth);
    fputs("<geom", w->stream);
    tact_mjcf_put_name(w, "name", TACT_OBJECT_GEOM, index);
    tact_mjcf_put_text(w, "type", types[g->type]);
    put_pose(w, g->pose);
    if (g->type == TACT_GEOM_CONVEX || g->type == TACT_GEOM_MESH) {
        tact_mjcf_put_name(w, "mesh", TACT_OBJECT_MESH, g->mesh);
    } else if (g->type == TACT_GEOM_HEIGHTFIELD) {
        tact_mjcf_put_name(w, "hfield", TACT_OBJECT_HEIGHTFIELD, g->mesh);
    } else {
        const double size[3] = {g->size[0], g->size[1],
                                g->type == TACT_GEOM_PLANE && g->size[2] == 0 ? 0.01 : g->size[2]};
        tact_mjcf_put_reals(w, "size", size, 3);
    }
    tact_mjcf_put_int(w, "contype", g->contact_type, 1);
    tact_mjcf_put_int(w, "conaffinity", g->contact_affinity, 1);
    tact_mjcf_put_int(w, "condim", g->condim, 3);
    tact_mjcf_put_int(w, "priority", g->priority, 0);
    tact_mjcf_put_reals(w, "friction", friction, 3);
    tact_mjcf_put_real(w, "margin", g->margin, 0);
    tact_mjcf_put_real(w, "gap", g->gap, 0);
    tact_mjcf_put_int(w, "group", g->group, 0);
    tact_mjcf_put_reals(w, "rgba", g->rgba, 4);
    for (int i = 0; i < 6; i++) {
        if (g->surface_velocity[i] != 0) {
            tact_mjcf_put_reals(w, "surfacevel", g->surface_velocity, 6);
            break;
        }
    }
    if (g->fluid_ellipsoid) {
        tact_mjcf_put_text(w, "fluidshape", "ellipsoid");
        tact_mjcf_put_reals(w, "fluidcoef", g->fluid, 5);
    }
    fputs("/>\n", w->stream);
}

static void put_site(const TactMjcfWriter *w, int index, int depth)
{
    static const char *const types[] = {[TACT_GEOM_SPHERE] = "sphere",
                                        [TACT_GEOM_CAPSULE] = "capsule",
                                        [TACT_GEOM_ELLIPSOID] = "ellipsoid",
                                        [TACT_GEOM_CYLINDER] = "cylinder",
                                        [TACT_GEOM_BOX] = "box"};

    const TactSite *s = &w->model->sites[index];
    indent(w, depth);
    fputs("<site", w->stream);
    tact_mjcf_put_name(w, "name", TACT_OBJECT_SITE, index);
    tact_mjcf_put_text(w, "type", types[s->type] ? types[s->type] : "sphere");
    put_pose(w, s->pose);
    tact_mjcf_put_reals(w, "size", s->size, 3);
    tact_mjcf_put_reals(w, "rgba", s->rgba, 4);
    tact_mjcf_put_int(w, "group", s->group, 0);
    fputs("/>\n", w->stream);
}

/// What stands in a body but other bodies.
static void put_inside(const TactMjcfWriter *w, int index, int depth)
{
    const TactBody *body = &w->model->bodies[index];
    if (index > 0) {
        put_inertia(w, body, depth);
    }
    for (int j = body->first_joint; j < body->first_joint + body->joint_count && body->mocap < 0;
         j++) {
        put_joint(w, j, depth);
    }
    for (int g = body->first_geom; g < body->first_geom + body->geom_count; g++) {
        put_geom(w, g, depth);
    }
    for (int s = body->first_site; s < body->first_site + body->site_count; s++) {
        put_site(w, s, depth);
    }
}

static int depth_of(const TactModel *model, int body)
{
    int depth = 0;
    for (; body > 0; body = model->bodies[body].parent) {
        depth++;
    }
    return depth;
}

/// Bodies stand depth first: a body ends when the next one is not below it.
static void put_bodies(const TactMjcfWriter *w)
{
    const TactModel *model = w->model;
    int              open = 0; // bodies
    fputs("  <worldbody>\n", w->stream);
    put_inside(w, 0, 2);
    for (int b = 1; b < model->body_count; b++) {
        int depth = depth_of(model, b);
        for (; open >= depth; open--) {
            indent(w, 1 + open);
            fputs("</body>\n", w->stream);
        }
        indent(w, 1 + depth);
        fputs("<body", w->stream);
        tact_mjcf_put_name(w, "name", TACT_OBJECT_BODY, b);
        put_pose(w, model->bodies[b].pose);
        tact_mjcf_put_real(w, "gravcomp", model->bodies[b].gravity_compensation, 0);
        if (model->bodies[b].mocap >= 0) {
            tact_mjcf_put_text(w, "mocap", "true");
        }
        fputs(">\n", w->stream);
        put_inside(w, b, 2 + depth);
        open = depth;
    }
    for (; open > 0; open--) {
        indent(w, 1 + open);
        fputs("</body>\n", w->stream);
    }
    fputs("  </worldbody>\n", w->stream);
}

// ---------------------------------------------------------------------------------------------

TactStatus tact_model_write(const TactModel *model, const TactModelNotes *notes, const char *path)
{
    if (!model || !path) {
        return tact_fail(TACT_BAD_ARGUMENT, "model or path is NULL");
    }
    TactOutput output;
    TACT_TRY(tact_output_open(&output, path));
    TactMjcfWriter w = {.model = model, .stream = output.stream};
    fputs("<mujoco", w.stream);
    tact_mjcf_put_text(&w, "model", model->name);
    fputs(">\n", w.stream);
    put_notes(&w, notes);
    put_options(&w);
    put_customs(&w);
    put_assets(&w);
    put_bodies(&w);
    tact_mjcf_write_links(&w);
    fputs("</mujoco>\n", w.stream);
    return tact_output_close(&output);
}
