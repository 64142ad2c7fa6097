// Block Gauss-Seidel on the circular cone: docs/theory/nsgs.md.
#ifndef TACT_CONTACT_NEWTON_NSGS_H
#define TACT_CONTACT_NEWTON_NSGS_H

#include "contact/method.h"

extern const TactContactMethodEntry tact_contact_nsgs;

#endif
