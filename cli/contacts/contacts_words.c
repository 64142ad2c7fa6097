// Names of contacts, and why something slips: as the library says it.
#include "cli/contacts/contacts.h"

const char *tact_contacts_geom(const TactModel *model, int geom, char text[64])
{
    if (model->geoms[geom].name[0] != '\0') {
        return tact_model_label(model, TACT_OBJECT_GEOM, geom, text);
    }
    return tact_model_label(model, TACT_OBJECT_BODY, model->geoms[geom].body, text);
}

void tact_contacts_explain(const TactModel *model, const TactSimPatch *patch,
                           char words[TACT_CONTACTS_WORDS])
{
    tact_sim_explain_patch(model, patch, words, TACT_CONTACTS_WORDS);
}

// Slower than this nothing is said to turn, rad/s.
static const double TURNS_FROM = 1e-9;

bool tact_contacts_spins(const TactSimContact *c)
{
    return c->force[0] > 0 && fabs(c->spin[0]) > TURNS_FROM;
}

bool tact_contacts_rolls(const TactSimContact *c)
{
    return c->force[0] > 0 && hypot(c->spin[1], c->spin[2]) > TURNS_FROM;
}

bool tact_contacts_explain_turn(const TactModel *model, const TactSimContact *c, char *words,
                                size_t size)
{
    bool   spins = tact_contacts_spins(c) && c->mu_spin > 0;
    bool   rolls = tact_contacts_rolls(c) && c->mu_roll > 0;
    char   a[64], b[64];
    size_t used = 0;
    if (!spins && !rolls) {
        return false;
    }
    used += (size_t)snprintf(words, size, "%s/%s", tact_contacts_geom(model, c->geom[0], a),
                             tact_contacts_geom(model, c->geom[1], b));
    if (spins && used < size) {
        used += (size_t)snprintf(words + used, size - used,
                                 " spins at %.3g rad/s: its friction gives all it can, %.3g N m at "
                                 "%.3g m for each of %.3g N",
                                 fabs(c->spin[0]), fabs(c->moment[0]), c->mu_spin, c->force[0]);
    }
    if (rolls && used < size) {
        used += (size_t)snprintf(words + used, size - used,
                                 "%s rolls at %.3g rad/s: its friction gives all it can, %.3g N m "
                                 "at %.3g m for each of %.3g N",
                                 spins ? "; it" : "", hypot(c->spin[1], c->spin[2]),
                                 hypot(c->moment[1], c->moment[2]), c->mu_roll, c->force[0]);
    }
    if (used + 1 < size) {
        snprintf(words + used, size - used, ".");
    }
    return true;
}
