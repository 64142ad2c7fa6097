// Names of cones and of states of contacts.
#include <tact/contact.h>

#include "base/words.h"

enum { CONES = 3, STATES = 3 };

static const char *const cones[CONES] = {
    [TACT_CONTACT_PYRAMID] = "pyramid",
    [TACT_CONTACT_CIRCLE] = "circle",
    [TACT_CONTACT_BOX_CONE] = "box",
};

static const char *const states[STATES] = {
    [TACT_CONTACT_OPEN] = "open",
    [TACT_CONTACT_STICK] = "stick",
    [TACT_CONTACT_SLIDE] = "slide",
};

const char *tact_contact_cone_name(TactContactCone cone)
{
    return tact_word_of(cones, CONES, (int)cone);
}

TactStatus tact_contact_cone_find(const char *name, TactContactCone *cone)
{
    int        found = 0;
    TactStatus status = tact_word_find(cones, CONES, "cone", name, &found);
    if (status == TACT_OK) {
        *cone = (TactContactCone)found;
    }
    return status;
}

const char *tact_contact_state_name(TactContactState state)
{
    return tact_word_of(states, STATES, (int)state);
}
