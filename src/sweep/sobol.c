// Sobol's sequence [Sobol67], scrambled as Owen does it [Owen95].
//
// Dimension 0 is van der Corput's sequence. Dimension d > 0 has a primitive polynomial over GF(2),
//
//     P = x^s + a_1 x^(s-1) + ... + a_(s-1) x + 1,
//
// of which there are enough of degree 8 and less, and direction numbers v_k = m_k / 2^k with
//
//     m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s)
//
// from odd m_1 .. m_s < 2^k. Any such start gives each dimension, and any two that follow each
// other in degree, its equidistribution; the scramble makes what is left of patterns random. The
// polynomials are found here, by the order of x, and not taken from a table.
#include <pthread.h>
#include <stdbool.h>

#include "sweep/sweep.h"

enum { BITS = 32, MOST_DEGREE = 8 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t       directions[TACT_SWEEP_MOST_VARIED][BITS]; // v_k times 2^32

/// Is x of the order 2^s - 1 modulo the polynomial, whose bits are its coefficients?
static bool is_primitive(unsigned polynomial, int degree)
{
    unsigned power = 1, order = (1u << degree) - 1;
    for (unsigned i = 1; i <= order; i++) {
        power <<= 1;
        power ^= power >> degree & 1 ? polynomial : 0;
        if (power == 1) {
            return i == order;
        }
    }
    return false;
}

static void make_directions(uint32_t v[BITS], unsigned polynomial, int degree, int dimension)
{
    uint32_t m[BITS + 1];
    for (int k = 1; k <= BITS; k++) {
        if (k <= degree) {
            uint64_t bits = tact_sweep_hash(0, (uint64_t)dimension, (uint64_t)k);
            m[k] = (uint32_t)(bits >> 32) % (1u << (k - 1)) * 2 + 1;
        } else {
            m[k] = m[k - degree] ^ m[k - degree] << degree;
            for (int i = 1; i < degree; i++) {
                m[k] ^= polynomial >> (degree - i) & 1 ? m[k - i] << i : 0;
            }
        }
        v[k - 1] = m[k] << (BITS - k);
    }
}

static void make_all(void)
{
    int dimension = 1;
    for (int k = 0; k < BITS; k++) {
        directions[0][k] = (uint32_t)1 << (BITS - 1 - k);
    }
    for (int degree = 1; degree <= MOST_DEGREE; degree++) {
        unsigned first = (1u << degree) + 1, end = 2u << degree;
        for (unsigned p = first; p < end && dimension < TACT_SWEEP_MOST_VARIED; p += 2) {
            if (is_primitive(p, degree)) {
                make_directions(directions[dimension], p, degree, dimension);
                dimension++;
            }
        }
    }
}

uint32_t tact_sobol_bits(int dimension, uint32_t index)
{
    pthread_once(&once, make_all);
    uint32_t bits = 0;
    for (int k = 0; index >> k; k++) {
        bits ^= index >> k & 1 ? directions[dimension][k] : 0;
        if (k == BITS - 1) {
            break;
        }
    }
    return bits;
}

/// Nested: whether a bit is flipped is drawn anew for every prefix of bits above it.
static uint64_t scramble(uint64_t bits, uint64_t key)
{
    enum { WANTED = 53 };
    uint64_t scrambled = 0;
    for (int i = 0; i < WANTED; i++) {
        uint64_t prefix = i > 0 ? bits >> (64 - i) : 0;
        uint64_t flip = tact_sweep_hash(key, (uint64_t)i, prefix) >> 63;
        scrambled |= ((bits >> (63 - i) & 1) ^ flip) << (63 - i);
    }
    return scrambled;
}

double tact_sobol_point(int dimension, uint32_t index, uint64_t key)
{
    uint64_t bits = scramble((uint64_t)tact_sobol_bits(dimension, index) << 32, key);
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}
