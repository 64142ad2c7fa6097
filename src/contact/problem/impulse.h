// Impulses of contacts, of which most are 0.
#ifndef TACT_CONTACT_PROBLEM_IMPULSE_H
#define TACT_CONTACT_PROBLEM_IMPULSE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/// Is there an impulse? Both zeros are none.
static inline bool tact_contact_has_impulse(const double p[3])
{
    uint64_t n, t1, t2; // each on its own: an array would go through memory
    memcpy(&n, p, sizeof n);
    memcpy(&t1, p + 1, sizeof t1);
    memcpy(&t2, p + 2, sizeof t2);
    return (n | t1 | t2) << 1 != 0;
}

#endif
