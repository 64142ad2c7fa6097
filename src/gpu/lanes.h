// Lanes that work on one problem, eight (a group) or thirty-two (a warp): on a processor fibres
// that take turns (tests/gpu/lanes_host.c), so that every kernel is tested where there is no GPU.
//
// A collective call is made by all lanes of a warp, at the same place; on a processor where kernels
// are those of groups a warp is one group of eight lanes. Code in C and C++ alike.
#ifndef TACT_GPU_LANES_H
#define TACT_GPU_LANES_H

enum { TACT_GROUP = 8, TACT_WARP = 32 };

#ifdef __CUDACC__

#define TACT_LANE __device__ __forceinline__ static
#define TACT_HD __host__ __device__ __forceinline__ static

TACT_LANE int tact_lane_number(void)
{
    return (int)(threadIdx.x % TACT_GROUP);
}

/// x of another lane of the group.
TACT_LANE double tact_lane_read(double x, int lane)
{
    return __shfl_sync(0xffffffffu, x, lane, TACT_GROUP);
}

TACT_LANE int tact_lane_read_int(int x, int lane)
{
    return __shfl_sync(0xffffffffu, x, lane, TACT_GROUP);
}

TACT_LANE int tact_warp_lane(void)
{
    return (int)(threadIdx.x % TACT_WARP);
}

/// x of another lane of the warp.
TACT_LANE double tact_warp_read(double x, int lane)
{
    return __shfl_sync(0xffffffffu, x, lane);
}

TACT_LANE int tact_warp_read_int(int x, int lane)
{
    return __shfl_sync(0xffffffffu, x, lane);
}

/// Is it so in any lane of the warp?
TACT_LANE int tact_lane_any(int x)
{
    return __any_sync(0xffffffffu, x);
}

/// The lanes of the warp in which it is so, a bit each.
TACT_LANE unsigned tact_warp_vote(int x)
{
    return __ballot_sync(0xffffffffu, x);
}

/// The largest of the warp.
TACT_LANE int tact_lane_most(int x)
{
    return __reduce_max_sync(0xffffffffu, x);
}

/// What lanes wrote to the room of their group is seen by the others.
TACT_LANE void tact_lane_meet(void)
{
    __syncwarp();
}

/// All warps of a block wait for each other, so that they fetch the same instructions.
TACT_LANE void tact_block_meet(void)
{
    __syncthreads();
}

/// Counts by one; returns the number before.
TACT_LANE int tact_lane_take(int *counter)
{
    return atomicAdd(counter, 1);
}

/// The bits of a float as a number that grows with it; x >= 0.
TACT_LANE int tact_lane_float_bits(float x)
{
    return __float_as_int(x);
}

TACT_LANE float tact_lane_float(int bits)
{
    return __int_as_float(bits);
}

TACT_LANE int tact_lane_count_bits(unsigned x)
{
    return __popc(x);
}

TACT_LANE int tact_lane_first_bit(unsigned x)
{
    return __ffs((int)x) - 1;
}

TACT_LANE double tact_lane_inverse_root(double x)
{
    return rsqrt(x);
}

TACT_LANE double tact_lane_inverse(double x)
{
    return __drcp_rn(x);
}

/// Cosine and sine of a part of a circle.
TACT_LANE void tact_lane_turn(double part, double *cosine, double *sine)
{
    sincospi(2 * part, sine, cosine);
}

/// The least of the warp; x >= 0.
TACT_LANE double tact_warp_least(double x)
{
    unsigned high = (unsigned)__double2hiint(x), least = __reduce_min_sync(0xffffffffu, high);
    unsigned low = high == least ? (unsigned)__double2loint(x) : 0xffffffffu;
    return __hiloint2double((int)least, (int)__reduce_min_sync(0xffffffffu, low));
}

/// Begins to copy a number from the device's memory to the room, while the lane goes on: until
/// tact_lane_fetched() nobody reads or writes it there.
TACT_LANE void tact_lane_fetch(double *to, const double *from)
{
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(__cvta_generic_to_global(from))
        : "memory");
}

/// What the lanes of a warp began to copy is there.
TACT_LANE void tact_lane_fetched(void)
{
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
}

/// Two numbers at an even place of the room.
TACT_LANE void tact_lane_two(const double *from, double out[2])
{
    double2 two = *(const double2 *)from;
    out[0] = two.x;
    out[1] = two.y;
}

TACT_LANE void tact_lane_put_two(double *to, double first, double second)
{
    *(double2 *)to = make_double2(first, second);
}

/// c += a b, where c is 8 x 8, a 8 x 4 and b 4 x 8. Lane 4 i + j has a_ij, b_ji, c_i,2j and
/// c_i,2j+1. Collective.
TACT_LANE void tact_warp_product(double a, double b, double c[2])
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a), "d"(b));
}

#define TACT_ALIGNED __align__(16)

/// A function of lanes that is not copied to where it is called: what is fetched stays small.
#define TACT_LANE_CALL __device__ __noinline__ static

#define TACT_UNROLL _Pragma("unroll")
#define TACT_UNROLL_EIGHT _Pragma("unroll 8")
#define TACT_UNROLL_FOUR _Pragma("unroll 4")
#define TACT_ROLLED _Pragma("unroll 1")

#else

#include <math.h>
#include <string.h>

#define TACT_LANE static inline
#define TACT_LANE_CALL static
#define TACT_HD static inline
#define TACT_UNROLL
#define TACT_UNROLL_FOUR
#define TACT_UNROLL_EIGHT
#define TACT_ROLLED
#define TACT_ALIGNED _Alignas(16)

int      tact_lane_number(void);
double   tact_lane_read(double x, int lane);
int      tact_lane_read_int(int x, int lane);
int      tact_lane_any(int x);
int      tact_lane_most(int x);
unsigned tact_warp_vote(int x);
double   tact_warp_least(double x);
void     tact_lane_meet(void);
void     tact_warp_product(double a, double b, double c[2]);

/// Runs a body of code once in each of eight lanes. A lane that makes a collective call where
/// others make another one, or none, is an error of the kernel, and aborts.
void tact_lanes_run(void (*body)(void *argument), void *argument);

/// The same in each of thirty-two.
void tact_warp_run(void (*body)(void *argument), void *argument);

static inline int tact_warp_lane(void)
{
    return tact_lane_number();
}

static inline double tact_warp_read(double x, int lane)
{
    return tact_lane_read(x, lane);
}

static inline int tact_warp_read_int(int x, int lane)
{
    return tact_lane_read_int(x, lane);
}

static inline void tact_block_meet(void)
{
}

static inline void tact_lane_fetch(double *to, const double *from)
{
    *to = *from;
}

static inline void tact_lane_fetched(void)
{
    tact_lane_meet();
}

static inline void tact_lane_two(const double *from, double out[2])
{
    out[0] = from[0];
    out[1] = from[1];
}

static inline void tact_lane_put_two(double *to, double first, double second)
{
    to[0] = first;
    to[1] = second;
}

static inline int tact_lane_take(int *counter)
{
    return (*counter)++;
}

static inline double tact_lane_inverse(double x)
{
    return 1 / x;
}

static inline double tact_lane_inverse_root(double x)
{
    return 1 / sqrt(x);
}

static inline void tact_lane_turn(double part, double *cosine, double *sine)
{
    *cosine = cos(6.283185307179586 * part);
    *sine = sin(6.283185307179586 * part);
}

static inline int tact_lane_float_bits(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float tact_lane_float(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int tact_lane_count_bits(unsigned x)
{
    return __builtin_popcount(x);
}

static inline int tact_lane_first_bit(unsigned x)
{
    return __builtin_ffs((int)x) - 1;
}

#endif
#endif
