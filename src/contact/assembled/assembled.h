// Room "assembled": the problem assembled to an LCP or to a friction box, for any LCP method.
#ifndef TACT_CONTACT_ASSEMBLED_ASSEMBLED_H
#define TACT_CONTACT_ASSEMBLED_ASSEMBLED_H

#include "contact/assembled/assemble.h"

#endif
