// The loops of the kernel, four lanes at a time. Arrays have room up to a multiple of four.
#ifndef TACT_CONTACT_KERNEL_LOOPS_H
#define TACT_CONTACT_KERNEL_LOOPS_H

#include <stddef.h>

/// out_p = sum_s factor_s rows[index_s][p] over count rows, ld apart; index NULL: 0, 1, 2, ...  (n)
void tact_loop_combine(int n, const double *rows, size_t ld, int count, const int *index,
                       const double *factor, double *out);

/// out_s = sum_p rows[s][p] x_p for count rows, ld apart; x is 0 beyond n up to a multiple of four.
void tact_loop_dots(int count, const double *rows, size_t ld, int n, const double *x, double *out);

/// out_i = sum_s columns[s][i] y_s + factor * more_i + (base ? base_i : 0)                     (n)
void tact_loop_normals(int n, const double *columns, size_t ld, int count, const double *y,
                       double factor, const double *more, const double *base, double *out);

/// sigma_j = c_j t1 + s_j t2 + lambda + factor * direct_j                                      (n)
typedef struct TactSigmaLoop {
    const double *c, *s, *direct;
    double        t1, t2, lambda, factor;
} TactSigmaLoop;

void tact_loop_sigma(int n, const TactSigmaLoop *loop, double *out);

/// y += a x                                                                                    (n)
void tact_loop_step(int n, double a, const double *x, double *y);

/// A part of the list of basic variables.
typedef struct TactLoopPart {
    int           n;
    const double *value, *rate;
    const double *mask; // rates are multiplied by it; NULL: 1
} TactLoopPart;

/// First pass: min over rate < -tol of (max(value, 0) + tie) / -rate; infinity if there is none.
double tact_loop_longest_step(const TactLoopPart *parts, int count, double tol, double tie);

/// Second pass: the entry with the largest -rate > tol among those with value <= limit * -rate, the
/// first of equals, as part and place. false: none.
typedef struct TactLoopEntry {
    int part;
    int place;
} TactLoopEntry;

int tact_loop_largest_pivot(const TactLoopPart *parts, int count, double tol, double limit,
                            TactLoopEntry *entry);

/// The lowest value, 0 at most; -infinity if one is NaN.
double tact_loop_lowest(const TactLoopPart *parts, int count);

#endif
