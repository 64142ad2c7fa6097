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
