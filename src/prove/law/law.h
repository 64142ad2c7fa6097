// The law of a contact problem: its exact equations, and the states that an answer is read as.
#ifndef TACT_PROVE_LAW_LAW_H
#define TACT_PROVE_LAW_LAW_H

#include "prove/law/laws.h"
#include "prove/law/states.h"

#endif
