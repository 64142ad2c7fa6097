// Room "pivot": pivoting on the reduced system: the kernel, the methods reduced and structural,
// rotated directions.
#ifndef TACT_CONTACT_PIVOT_PIVOT_H
#define TACT_CONTACT_PIVOT_PIVOT_H

#include "contact/pivot/elimination.h"
#include "contact/pivot/kernel.h"
#include "contact/pivot/memory.h"
#include "contact/pivot/reduced.h"
#include "contact/pivot/turning.h"

#endif
