// Room "problem": the contact problem as given: checks, frames, rows, islands, impulses.
#ifndef TACT_CONTACT_PROBLEM_PROBLEM_H
#define TACT_CONTACT_PROBLEM_PROBLEM_H

#include "contact/problem/frame.h"
#include "contact/problem/impulse.h"
#include "contact/problem/islands.h"
#include "contact/problem/rows.h"
#include "contact/problem/wide.h"

#endif
