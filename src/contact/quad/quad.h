// Room "quad": the circular cone in quadruple precision, for problems that doubles do not resolve.
#ifndef TACT_CONTACT_QUAD_QUAD_H
#define TACT_CONTACT_QUAD_QUAD_H

#include "base/quad.h"
#include "contact/quad/quad_newton.h"
#include "contact/quad/quad_system.h"
#include "contact/quad/quad_turning.h"

#endif
