// The loops of the ratio test, four lanes at a time. Arrays have room up to a multiple of four.
#ifndef TACT_CONTACT_KERNEL_LOOPS_H
#define TACT_CONTACT_KERNEL_LOOPS_H

/// Values and rates of one row of each item, with z0, 0 where the mask is 0.
typedef struct TactNuLoop {
    const double *value, *rate;       // (n)
    const double *cover, *cover_more; // added
    const double *mask;
    double        z0, dz0;
} TactNuLoop;

void tact_loop_nu(int n, const TactNuLoop *loop, double *value, double *rate);

/// sigma_j = c_j t1 + s_j t2 + lambda + z0 cover_j of the directions of one item.
typedef struct TactSigmaLoop {
    const double *c, *s, *cover, *mask;
    double        t1, t2, lambda;    // values, cover included
    double        dt1, dt2, dlambda; // rates
    double        z0, dz0;
} TactSigmaLoop;

void tact_loop_sigma(int n, const TactSigmaLoop *loop, double *value, double *rate);

/// First pass: min over rate < -tol of (max(value, 0) + tie) / -rate; infinity if there is none.
double tact_loop_longest_step(int n, const double *value, const double *rate, double tol,
                              double tie);

/// Second pass: the entry with the largest -rate > tol among those with value <= limit * -rate, the
/// first of equals; -1: none.
int tact_loop_largest_pivot(int n, const double *value, const double *rate, double tol,
                            double limit);

#endif
