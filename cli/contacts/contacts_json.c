// `tact contacts --json`.
#include <math.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/contacts/contacts.h"
#include "cli/json/json.h"

static json_t *wrench(TactWrench w)
{
    return tact_json_pack("{s:o, s:o}", "force", tact_json_value_vec3(w.force), "torque",
                          tact_json_value_vec3(w.torque));
}

static json_t *names(const TactModel *model, TactObject type, const int index[2])
{
    char a[64], b[64];
    return tact_json_pack("[s, s]", tact_model_label(model, type, index[0], a),
                          tact_model_label(model, type, index[1], b));
}

static json_t *describe_contact(const TactContactsResult *r, int k)
{
    const TactSimContact       *c = &r->contacts[k];
    const TactContactDiagnosis *d = &r->diagnosis[k];
    TactVec3                    f = tact_sim_contact_get_force(c);
    char                        id[17];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)c->id);
    json_t *object = tact_json_pack(
        "{s:o, s:o, s:s, s:o, s:o, s:[o, o], s:o, s:o}", "geoms",
        names(r->model, TACT_OBJECT_GEOM, c->geom), "bodies",
        names(r->model, TACT_OBJECT_BODY, c->body), "id", id, "point",
        tact_json_value_vec3(c->point), "normal", tact_json_value_vec3(c->normal), "tangents",
        tact_json_value_vec3(c->tangent[0]), tact_json_value_vec3(c->tangent[1]), "depth",
        tact_json_value_real(c->depth), "mu", tact_json_value_real(c->mu));
    json_t *rest = tact_json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:i}", "state",
        tact_contact_state_name(d->state), "force", tact_json_value_vector(c->force, 3),
        "force_on_b", tact_json_value_vec3(f), "force_on_a",
        tact_json_value_vec3(tact_vec3_negate(f)), "velocity",
        tact_json_value_vector(c->velocity, 3), "friction_used",
        tact_json_value_real(d->friction_used), "slip", tact_json_value_real(d->slip), "unique",
        d->unique, "group", d->group < 0 ? json_null() : json_integer(d->group), "patch",
        r->patches.of_contact[k]);
    tact_json_merge(object, rest);
    if (c->mu2 != c->mu) {
        tact_json_set(object, "mu2", tact_json_value_real(c->mu2));
    }
    if (c->mu_spin > 0 || c->mu_roll > 0) {
        tact_json_merge(object,
                        tact_json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "mu_spin",
                                       tact_json_value_real(c->mu_spin), "mu_roll",
                                       tact_json_value_real(c->mu_roll), "moment",
                                       tact_json_value_vector(c->moment, 3), "spin",
                                       tact_json_value_vector(c->spin, 3), "spin_used",
                                       tact_json_value_real(c->spin_used), "roll_used",
                                       tact_json_value_real(c->roll_used), "spins",
                                       tact_contacts_spins(c), "rolls", tact_contacts_rolls(c)));
    }
    if (r->range) {
        tact_json_set(object, "range",
                      tact_json_pack("{s:o, s:o, s:b}", "least",
                                     tact_json_value_real(r->range[k].least), "most",
                                     tact_json_value_real(r->range[k].most), "exact",
                                     r->range[k].exact));
    }
    return object;
}

static json_t *describe_shares(const double *shares)
{
    json_t *object = json_object();
    for (int k = 0; k < TACT_SIM_LOAD_COUNT; k++) {
        tact_json_set(object, tact_sim_load_name((TactSimLoad)k), tact_json_value_real(shares[k]));
    }
    return object;
}

static json_t *describe_patch(const TactModel *model, const TactSimPatch *p)
{
    char words[TACT_CONTACTS_WORDS];
    tact_contacts_explain(model, p, words);
    json_t *object = tact_json_pack(
        "{s:o, s:o, s:i, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "geoms",
        names(model, TACT_OBJECT_GEOM, p->geom), "bodies", names(model, TACT_OBJECT_BODY, p->body),
        "contacts", p->contact_count, "normal", tact_json_value_vec3(p->normal), "mu",
        tact_json_value_real(p->mu), "state", tact_contact_state_name(p->state), "normal_force",
        tact_json_value_real(p->normal_force), "friction", tact_json_value_vec3(p->friction),
        "friction_used", tact_json_value_real(p->friction_used), "slip",
        tact_json_value_real(p->slip));
    json_t *rest = tact_json_pack(
        "{s:o, s:b, s:b, s:o, s:o, s:o, s:s}", "worst", tact_json_value_real(p->worst), "unique",
        p->unique, "net_unique", p->net_unique, "needed",
        p->explained && p->net_unique ? tact_json_value_real(p->needed) : json_null(),
        "needed_from",
        p->explained && p->net_unique ? describe_shares(p->needed_shares) : json_null(),
        "normal_from",
        p->explained && p->normal_unique ? describe_shares(p->normal_shares) : json_null(), "says",
        words);
    tact_json_merge(object, rest);
    return object;
}

static json_t *describe_pairs(const TactContactsResult *r)
{
    json_t *array = json_array();
    for (int k = 0; k < r->pairs.count; k++) {
        const TactSimPair *pair = &r->pairs.pairs[k];
        tact_json_append(array, tact_json_pack("{s:o, s:i, s:o, s:o}", "bodies",
                                               names(r->model, TACT_OBJECT_BODY, pair->body),
                                               "contacts", pair->contact_count, "on_a",
                                               wrench(pair->on_a), "on_b", wrench(pair->on_b)));
    }
    return array;
}

/// By body: what contacts do to it (about its centre of mass), and what its parent does to it
/// through its joints (about its origin).
static json_t *describe_bodies(const TactContactsResult *r, const TactSimForces *forces)
{
    json_t *object = json_object();
    for (int b = 1; b < r->model->body_count; b++) {
        char       label[64];
        TactWrench net = {{0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k < r->pairs.count; k++) {
            const TactSimPair *pair = &r->pairs.pairs[k];
            net = pair->body[0] == b   ? tact_wrench_add(net, pair->on_a)
                  : pair->body[1] == b ? tact_wrench_add(net, pair->on_b)
                                       : net;
        }
        tact_json_set(object, tact_model_label(r->model, TACT_OBJECT_BODY, b, label),
                      tact_json_pack("{s:o, s:o}", "contacts", wrench(net), "joints",
                                     wrench(forces->joint[b])));
    }
    return object;
}

static json_t *describe_joints(const TactModel *model, const TactSimForces *f)
{
    static const int sizes[] = {6, 3, 1, 1};

    json_t *object = json_object();
    for (int j = 0; j < model->joint_count; j++) {
        char label[64];
        int  at = model->joints[j].dof, n = sizes[model->joints[j].type];
        tact_json_set(object, tact_model_label(model, TACT_OBJECT_JOINT, j, label),
                      tact_json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "acceleration",
                                     tact_json_value_vector(f->acceleration + at, n), "actuators",
                                     tact_json_value_vector(f->actuators + at, n), "passive",
                                     tact_json_value_vector(f->passive + at, n), "applied",
                                     tact_json_value_vector(f->applied + at, n), "contacts",
                                     tact_json_value_vector(f->contacts + at, n), "loops",
                                     tact_json_value_vector(f->loops + at, n), "limits",
                                     tact_json_value_vector(f->limits + at, n), "friction",
                                     tact_json_value_vector(f->friction + at, n)));
    }
    return object;
}

static json_t *describe_actuators(const TactModel *model, const TactSimForces *f)
{
    json_t *object = json_object();
    for (int k = 0; k < model->actuator_count; k++) {
        char label[64];
        tact_json_set(object, tact_model_label(model, TACT_OBJECT_ACTUATOR, k, label),
                      tact_json_value_real(f->actuator_force[k]));
    }
    return object;
}

/// Loops, limits and dry friction, one entry a row.
static json_t *describe_rows(const TactContactsResult *r)
{
    TactSimRows all = {0};
    json_t     *array = json_array();
    if (tact_sim_compute_rows(r->sim, &all) != TACT_OK) {
        return array;
    }
    static const char *const parts[] = {"lower limit", "upper limit", "dry friction", "prescribed"};
    const TactSimRow        *rows = all.rows;
    for (int k = 0; k < all.count; k++) {
        char        label[64];
        const char *kind = rows[k].type == TACT_OBJECT_EQUALITY ? "equality" : parts[rows[k].part];
        tact_json_append(
            array,
            tact_json_pack("{s:s, s:s, s:i, s:o}", "kind", kind, "name",
                           tact_model_label(r->model, rows[k].type, rows[k].index, label), "part",
                           rows[k].part, "force", tact_json_value_real(rows[k].force)));
    }
    return array;
}

static json_t *describe_contacts(const TactContactsResult *r, const TactSimForces *forces,
                                 TactSimEnergy energy)
{
    json_t *contacts = json_array(), *patches = json_array();
    for (int k = 0; k < r->count; k++) {
        tact_json_append(contacts, describe_contact(r, k));
    }
    for (int k = 0; k < r->patches.count; k++) {
        tact_json_append(patches, describe_patch(r->model, &r->patches.patches[k]));
    }
    json_t *object = tact_json_pack(
        "{s:o, s:o, s:o, s:{s:i, s:i, s:i}, s:b, s:o, s:o, s:o, s:o}", "scene",
        tact_json_value_text(r->run.options->file), "time", tact_json_value_real(r->time), "dt",
        tact_json_value_real(r->run.dt), "solves", "total", r->report.islands, "certified",
        r->report.certified, "out_of_budget", r->report.out_of_budget, "reproducible",
        r->report.out_of_time == 0, "residual_max", tact_json_value_real(r->report.error),
        "contacts", contacts, "patches", patches, "pairs", describe_pairs(r));
    json_t *rest = tact_json_pack(
        "{s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "bodies", describe_bodies(r, forces), "joints",
        describe_joints(r->model, forces), "actuators", describe_actuators(r->model, forces),
        "rows", describe_rows(r), "energy", "kinetic", tact_json_value_real(energy.kinetic),
        "potential", tact_json_value_real(energy.potential));
    tact_json_merge(object, rest);
    tact_json_set(object, "sharing",
                  tact_json_pack("{s:i, s:i, s:i, s:o}", "unique", r->sharing.unique, "least",
                                 r->sharing.shared, "kept", r->sharing.kept, "error",
                                 tact_json_value_real(r->sharing.error)));
    return object;
}

int tact_contacts_print_json(const TactContactsResult *r)
{
    TactSimForces forces;
    TactSimEnergy energy;
    if (tact_sim_compute_forces(r->sim, &forces) != TACT_OK ||
        tact_sim_compute_energy(r->sim, &energy) != TACT_OK) {
        return tact_cli_bad("%s: %s", r->run.options->file, tact_status_message());
    }
    json_t     *object = describe_contacts(r, &forces, energy);
    const char *why = tact_json_print(object, JSON_REAL_PRECISION(17));
    return why ? tact_cli_bad("%s", why) : 0;
}
