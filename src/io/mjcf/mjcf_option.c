// The compiler's settings and the options.
#include <string.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"

static const char *const enable_words[] = {"disable", "enable", NULL};

// ---------------------------------------------------------------------------------------------
// Compiler

static TactStatus read_euler(const TactXmlNode *node, TactMjcfCompiler *compiler)
{
    const char *text = tact_xml_get(node, "eulerseq");
    TactQuat    q;
    if (!text) {
        return TACT_OK;
    }
    if (strlen(text) != 3 || tact_quat_from_euler(text, (TactVec3){0, 0, 0}, &q) != TACT_OK) {
        return tact_xml_fail(node, "eulerseq", TACT_BAD_INPUT,
                             "'%.20s' is not three of the letters xyzXYZ", text);
    }
    memcpy(compiler->euler, text, 4);
    return TACT_OK;
}

static TactStatus read_inertia_rules(TactMjcf *mjcf, const TactXmlNode *node)
{
    static const char *const     words[] = {"false", "true", "auto", NULL};
    static const TactInertiaRule rules[] = {TACT_INERTIA_RULE_AS_STATED,
                                            TACT_INERTIA_RULE_FROM_GEOMS, TACT_INERTIA_RULE_AUTO};

    TactModelConfig *config = &mjcf->config;
    double           groups[2] = {config->inertia_groups[0], config->inertia_groups[1]};
    int              rule = -1;
    TACT_TRY(tact_xml_choice(node, "inertiafromgeom", words, &rule));
    if (rule >= 0) {
        config->inertia_rule = rules[rule];
    }
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "inertiagrouprange", 2, 2, groups, NULL));
    for (int i = 0; i < 2; i++) {
        if (!(groups[i] >= 0 && groups[i] < 1000)) {
            return tact_xml_fail(node, "inertiagrouprange", TACT_BAD_INPUT, "%g is no group",
                                 groups[i]);
        }
        config->inertia_groups[i] = (int)groups[i];
    }
    TACT_TRY(tact_xml_real(mjcf->xml, node, "boundmass", &config->mass_min));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "boundinertia", &config->inertia_min));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "settotalmass", &config->total_mass));
    return tact_xml_bool(node, "balanceinertia", &config->balance_inertia);
}

/// What holds for the elements of its file.
static TactStatus read_compiler(const TactXmlNode *node, TactMjcfCompiler *compiler)
{
    static const char *const angles[] = {"radian", "degree", NULL};
    static const char *const coordinates[] = {"local", "global", NULL};

    int degrees = compiler->degrees;
    int coordinate = 0;
    TACT_TRY(tact_xml_choice(node, "angle", angles, &degrees));
    compiler->degrees = degrees == 1;
    TACT_TRY(tact_xml_choice(node, "coordinate", coordinates, &coordinate));
    if (coordinate == 1) {
        return tact_xml_fail(node, "coordinate", TACT_BAD_INPUT,
                             "global coordinates are no longer part of MJCF");
    }
    TACT_TRY(read_euler(node, compiler));
    TACT_TRY(tact_xml_bool(node, "autolimits", &compiler->auto_limits));
    TACT_TRY(tact_xml_bool(node, "strippath", &compiler->strip_path));
    TACT_TRY(tact_xml_bool(node, "fitaabb", &compiler->fit_boxes));
    TACT_TRY(tact_xml_bool(node, "exactmeshinertia", &compiler->exact_meshes));
    const char *folder = tact_xml_get(node, "assetdir");
    if (folder) {
        compiler->asset_folder = folder;
    }
    folder = tact_xml_get(node, "meshdir");
    if (folder) {
        compiler->mesh_folder = folder;
    }
    return TACT_OK;
}

/// Rules of masses are those of the whole model; those of what is attached have no effect.
static TactStatus note_inertia_rules(TactMjcf *mjcf, const TactXmlNode *node)
{
    static const char *const words[] = {"inertiafromgeom", "inertiagrouprange", "boundmass",
                                        "boundinertia",    "settotalmass",      "balanceinertia"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (tact_xml_get(node, words[i])) {
            TACT_TRY(tact_mjcf_note(mjcf, node, words[i], TACT_VERDICT_IGNORED,
                                    "of a model that is attached: masses follow the rules of the "
                                    "model that it is attached to"));
        }
    }
    return TACT_OK;
}

/// Compilers of the file and of all models that are attached.
static TactStatus read_compilers(TactMjcf *mjcf)
{
    int count = mjcf->attachments.count;
    mjcf->compilers = tact_xml_pool_take(&mjcf->xml->pool, (size_t)count, sizeof *mjcf->compilers);
    if (!mjcf->compilers) {
        return TACT_NO_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        TactMjcfCompiler *compiler = &mjcf->compilers[k];
        *compiler = (TactMjcfCompiler){.degrees = true, .auto_limits = true, .euler = "xyz"};
        for (TactXmlNode *node = tact_xml_child(mjcf->attachments.models[k].root, "compiler"); node;
             node = tact_xml_next(node, "compiler")) {
            TACT_TRY(read_compiler(node, compiler));
            TACT_TRY(k == 0 ? read_inertia_rules(mjcf, node) : note_inertia_rules(mjcf, node));
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Options

/// A flag that switches something off.
static TactStatus read_flag(const TactXmlNode *node, const char *name, bool *off)
{
    int word = !*off;
    TACT_TRY(tact_xml_choice(node, name, enable_words, &word));
    *off = word == 0;
    return TACT_OK;
}

static TactStatus read_flags(TactMjcf *mjcf, const TactXmlNode *node)
{
    TactModelOptions *options = &mjcf->config.options;
    bool              all_off = false;
    TACT_TRY(read_flag(node, "contact", &options->contact_off));
    TACT_TRY(read_flag(node, "gravity", &options->gravity_off));
    TACT_TRY(read_flag(node, "limit", &options->limit_off));
    TACT_TRY(read_flag(node, "equality", &options->equality_off));
    TACT_TRY(read_flag(node, "frictionloss", &options->friction_off));
    TACT_TRY(read_flag(node, "filterparent", &options->parent_filter_off));
    TACT_TRY(read_flag(node, "actuation", &options->actuation_off));
    TACT_TRY(read_flag(node, "clampctrl", &options->clamp_off));
    TACT_TRY(read_flag(node, "spring", &mjcf->springs_off));
    TACT_TRY(read_flag(node, "damper", &mjcf->dampers_off));
    bool own_contacts = !options->contact_override;
    TACT_TRY(read_flag(node, "override", &own_contacts));
    options->contact_override = !own_contacts;
    bool passive_off = false;
    TACT_TRY(read_flag(node, "passive", &passive_off));
    mjcf->springs_off = mjcf->springs_off || passive_off;
    mjcf->dampers_off = mjcf->dampers_off || passive_off;
    TACT_TRY(read_flag(node, "constraint", &all_off));
    if (all_off) {
        options->contact_off = true;
        options->limit_off = true;
        options->equality_off = true;
        options->friction_off = true;
    }
    return TACT_OK;
}

static TactStatus read_disabled_groups(TactMjcf *mjcf, const TactXmlNode *node)
{
    enum { GROUPS = 31 };
    double groups[GROUPS];
    int    count;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "actuatorgroupdisable", 0, GROUPS, groups, &count));
    for (int i = 0; i < count; i++) {
        if (!(groups[i] >= 0 && groups[i] < GROUPS)) {
            return tact_xml_fail(node, "actuatorgroupdisable", TACT_BAD_INPUT,
                                 "%g is no group from 0 to 30", groups[i]);
        }
        mjcf->disabled_groups |= 1U << (unsigned)groups[i];
    }
    return TACT_OK;
}

/// Which contacts there are; MuJoCo had this option before its version 3.
static TactStatus read_collision(TactMjcf *mjcf, const TactXmlNode *node)
{
    static const char *const words[] = {"all", "predefined", "dynamic", NULL};

    int word = -1;
    TACT_TRY(tact_xml_choice(node, "collision", words, &word));
    if (word >= 0) {
        mjcf->only_pairs = word == 1;
        mjcf->no_pairs = word == 2;
    }
    return TACT_OK;
}

static TactStatus read_option(TactMjcf *mjcf, const TactXmlNode *node)
{
    static const char *const integrators[] = {"Euler",        "RK4",      "implicit",
                                              "implicitfast", "discrete", NULL};

    TactModelOptions *options = &mjcf->config.options;
    double            gravity[3] = {options->gravity.x, options->gravity.y, options->gravity.z};
    int               integrator = (int)options->integrator;
    TACT_TRY(tact_xml_real(mjcf->xml, node, "timestep", &options->timestep));
    if (!(options->timestep > 0)) {
        return tact_xml_fail(node, "timestep", TACT_BAD_INPUT, "is not positive");
    }
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "gravity", 3, 3, gravity, NULL));
    options->gravity = (TactVec3){gravity[0], gravity[1], gravity[2]};
    double wind[3] = {options->wind.x, options->wind.y, options->wind.z};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "wind", 3, 3, wind, NULL));
    options->wind = (TactVec3){wind[0], wind[1], wind[2]};
    TACT_TRY(tact_xml_real(mjcf->xml, node, "density", &options->density));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "viscosity", &options->viscosity));
    double field[3] = {options->magnetic.x, options->magnetic.y, options->magnetic.z};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "magnetic", 3, 3, field, NULL));
    options->magnetic = (TactVec3){field[0], field[1], field[2]};
    TACT_TRY(tact_xml_real(mjcf->xml, node, "o_margin", &options->override_margin));
    static const double usual[5] = {1, 1, 0.005, 0.0001, 0.0001};
    double              friction[5];
    memcpy(friction, usual, sizeof friction);
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "o_friction", 1, 5, friction, NULL));
    if (options->density < 0 || options->viscosity < 0) {
        return tact_xml_fail(node, options->density < 0 ? "density" : "viscosity", TACT_BAD_INPUT,
                             "is negative");
    }
    TACT_TRY(tact_xml_choice(node, "integrator", integrators, &integrator));
    options->integrator = integrator == 1 ? TACT_INTEGRATOR_RK4 : TACT_INTEGRATOR_EULER;
    TACT_TRY(read_disabled_groups(mjcf, node));
    TACT_TRY(read_collision(mjcf, node));
    for (TactXmlNode *flag = tact_xml_child(node, "flag"); flag;
         flag = tact_xml_next(flag, "flag")) {
        TACT_TRY(read_flags(mjcf, flag));
    }
    if (options->contact_override) { // what no flag switches on is not there
        memcpy(options->override_friction, friction, sizeof friction);
    } else {
        options->override_margin = 0;
    }
    return TACT_OK;
}

TactStatus tact_mjcf_options(TactMjcf *mjcf)
{
    mjcf->config = tact_model_config_default();
    const char *name = tact_xml_get(mjcf->root, "model");
    mjcf->config.name = name ? name : "MuJoCo Model";
    mjcf->config.options.timestep = 0.002;
    mjcf->config.options.gravity = (TactVec3){0, 0, -9.81};
    mjcf->config.inertia_rule = TACT_INERTIA_RULE_AUTO;
    mjcf->config.inertia_groups[0] = 0;
    mjcf->config.inertia_groups[1] = 5;
    TACT_TRY(read_compilers(mjcf));
    for (TactXmlNode *node = tact_xml_child(mjcf->root, "option"); node;
         node = tact_xml_next(node, "option")) {
        TACT_TRY(read_option(mjcf, node));
    }
    mjcf->config.springs_off = mjcf->springs_off;
    mjcf->config.dampers_off = mjcf->dampers_off;
    return tact_model_builder_set_config(mjcf->reader->builder, &mjcf->config);
}
