// The ladder of methods: which problems it takes without columns.
#ifndef TACT_CONTACT_LADDER_H
#define TACT_CONTACT_LADDER_H

#include "contact/solver.h"

extern const TactContactMethodEntry tact_contact_ladder;

#endif
