// Room "problems": LCPs and contact problems that experiments and tests are made of. Each is a
// function of its family and its seed alone.
#ifndef TACT_BENCH_PROBLEMS_PROBLEMS_H
#define TACT_BENCH_PROBLEMS_PROBLEMS_H

#include "bench/problems/condition.h"
#include "bench/problems/contact_families.h"
#include "bench/problems/contact_lcp.h"
#include "bench/problems/contact_scenes.h"
#include "bench/problems/families.h"
#include "bench/problems/scenes.h"

#endif
