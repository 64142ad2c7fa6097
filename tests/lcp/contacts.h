// Contacts for the tests of dantzig: redundant rows, and a block with friction.
#ifndef TESTS_LCP_CONTACTS_H
#define TESTS_LCP_CONTACTS_H

#include "problems.h"

/// M = G G' with n rows in a space of few dimensions, and q = G u in the range of M: contacts of
/// rigid bodies. Some rows are repeated, some up to a factor.
static inline void fill_redundant(TactRandom *random, int rank, Owned *owned)
{
    enum { MAX = 64 };
    int    n = owned->problem.n;
    double G[MAX][6], u[6];
    fill_random(random, rank, u);
    for (int i = 0; i < n; i++) {
        int    copy = (int)(tact_random_next(random) % 4);
        double factor = copy == 1 ? tact_random_uniform(random, 0.01, 10) : 1;
        int    source = (int)(tact_random_next(random) % (uint64_t)(i + 1));
        for (int c = 0; c < rank; c++) {
            G[i][c] = copy < 2 && source < i ? factor * G[source][c] : tact_random_normal(random);
        }
    }
    for (int i = 0; i < n; i++) {
        owned->q[i] = 0;
        for (int c = 0; c < rank; c++) {
            owned->q[i] += G[i][c] * u[c];
        }
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int c = 0; c < rank; c++) {
                sum += G[i][c] * G[j][c];
            }
            owned->M[i * n + j] = owned->M[j * n + i] = sum;
        }
    }
}

/// A block of mass 1 and half sizes 1 on four corners: rows normal, x, y of each corner.
static inline void fill_block(double p_x, double p_z, Owned *owned, int *f_index)
{
    double J[12][6] = {{0}};
    for (int c = 0; c < 4; c++) {
        double x = c & 1 ? 1 : -1, y = c & 2 ? 1 : -1, z = -1;
        double row[3][6] = {// direction, and point x direction
                            {0, 0, 1, y, -x, 0},
                            {1, 0, 0, 0, z, -y},
                            {0, 1, 0, -z, 0, x}};
        memcpy(J[3 * c], row, sizeof row);
    }
    const double inverse[6] = {1, 1, 1, 1.5, 1.5, 1.5}; // of mass and inertia m (a^2 + b^2) / 3
    for (int i = 0; i < 12; i++) {
        owned->q[i] = J[i][0] * p_x + J[i][2] * p_z;
        for (int j = 0; j < 12; j++) {
            owned->M[i * 12 + j] = 0;
            for (int c = 0; c < 6; c++) {
                owned->M[i * 12 + j] += J[i][c] * inverse[c] * J[j][c];
            }
        }
        owned->hi[i] = i % 3 == 0 ? INF : 0.5;
        f_index[i] = i % 3 == 0 ? -1 : i - i % 3;
    }
    owned->problem.lo = owned->lo;
    owned->problem.hi = owned->hi;
    owned->problem.f_index = f_index;
}

#endif
