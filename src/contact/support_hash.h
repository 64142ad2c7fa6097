// The order of the items of a system: by a hash of the degrees of freedom that they touch, so that
// those with the same stand together. Covering vectors go by that order, on the processor
// (contact/system/system_items.c) and on a GPU (gpu/mechanism/mechanism_cover.h): the two must
// agree on it to follow the same path. C and C++ (CUDA).
#ifndef TACT_CONTACT_SUPPORT_HASH_H
#define TACT_CONTACT_SUPPORT_HASH_H

#include <stdint.h>

#ifdef __CUDACC__
#define TACT_SUPPORT_HD __host__ __device__ static inline
#else
#define TACT_SUPPORT_HD static inline
#endif

/// Of nothing.
enum { TACT_SUPPORT_NONE = 1 };

/// With one more degree of freedom, in ascending order.
TACT_SUPPORT_HD uint64_t tact_support_add(uint64_t hash, int dof)
{
    return (hash ^ ((uint64_t)dof + 1)) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

#endif
