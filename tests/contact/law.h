// The law of Coulomb and Signorini on a dense W, for tests: knows no solver and no system.
#ifndef TESTS_CONTACT_LAW_H
#define TESTS_CONTACT_LAW_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/base.h>

/// Worst violation over all contacts of 0 <= p_n _|_ u_n >= 0, |p_t| <= mu p_n and p_t opposing
/// u_t, u = W p + b. Velocities over the largest |W_ij p_j| or |b_i|, impulses over the largest.
static inline double law_error(int contacts, const double *W, const double *b, const double *mu,
                               const double *p)
{
    int    n = 3 * contacts;
    double speed = 1e-300, impulse = 1e-300, error = 0;
    for (int i = 0; i < n; i++) {
        speed = fmax(speed, fabs(b[i]));
        impulse = fmax(impulse, fabs(p[i]));
        for (int j = 0; j < n; j++) {
            speed = fmax(speed, fabs(W[i * n + j] * p[j]));
        }
    }
    for (int c = 0; c < contacts; c++) {
        double u[3];
        for (int k = 0; k < 3; k++) {
            u[k] = b[3 * c + k];
            for (int j = 0; j < n; j++) {
                u[k] += W[(3 * c + k) * n + j] * p[j];
            }
        }
        const double *f = p + 3 * c;
        double        bound = mu[c] * f[0];
        double        u_t = hypot(u[1], u[2]) / speed;
        error = fmax(error, fmax(-u[0] / speed, -f[0] / impulse));
        error = fmax(error, fmin(fabs(u[0]) / speed, fabs(f[0]) / impulse));
        error = fmax(error, (hypot(f[1], f[2]) - bound) / impulse);
        for (int k = 1; k < 3; k++) { // p_t |u_t| = -mu p_n u_t
            error = fmax(error, fabs(f[k] / impulse * u_t + bound / impulse * u[k] / speed));
        }
    }
    return error;
}

/// W = C'C with a random C of the given rank, scaled contact by contact.      (3 contacts)^2
static inline void random_delassus(TactRandom *random, int contacts, int rank, double spread,
                                   double *W)
{
    int     n = 3 * contacts;
    double *C = calloc((size_t)(rank * n), sizeof *C);
    assert_non_null(C);
    for (int j = 0; j < n; j++) {
        double scale = j % 3 ? 0 : exp(tact_random_uniform(random, -spread, spread));
        for (int r = 0; r < rank && j % 3 == 0; r++) {
            for (int k = 0; k < 3; k++) {
                C[r * n + j + k] = scale * tact_random_normal(random);
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            W[i * n + j] = 0;
            for (int r = 0; r < rank; r++) {
                W[i * n + j] += C[r * n + i] * C[r * n + j];
            }
        }
    }
    free(C);
}

#endif
