// The hash of a state: the same bits have the same hash.
#include <string.h>

#include "sim/sim.h"

uint64_t tact_sim_hash_numbers(uint64_t hash, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32; // the upper bits of a number count in the lower ones of the hash
    }
    return hash;
}

uint64_t tact_sim_get_hash(const TactSim *sim)
{
    uint64_t hash = tact_sim_hash_numbers(TACT_SIM_HASH, sim->state.q, sim->model->nq);
    return tact_sim_hash_numbers(hash, sim->state.v, sim->model->nv);
}
