// Numbers of some 210 bits as the sum of four doubles, each below half an ulp of the one before.
#ifndef TACT_PROVE_SEARCH_FOUR_H
#define TACT_PROVE_SEARCH_FOUR_H

#include "prove/search/two.h"

typedef struct TactFour {
    double x[4];
} TactFour;

/// The sum of n terms, the larger ones first, about. Terms are destroyed. Two passes leave each
/// term below an ulp of the one before, but for what cancels.
static inline TactFour tact_four_sum(double *t, int n)
{
    for (int pass = 0; pass < 3; pass++) {
        for (int i = n - 2; i >= pass; i--) {
            t[i] = tact_two_sum(t[i], t[i + 1], &t[i + 1]);
        }
    }
    double rest = n > 4 ? t[3] + t[4] : t[3];
    return (TactFour){{t[0], t[1], t[2], rest}};
}

static inline TactFour tact_four_of(double x)
{
    return (TactFour){{x, 0, 0, 0}};
}

static inline TactFour tact_four_minus(TactFour a)
{
    return (TactFour){{-a.x[0], -a.x[1], -a.x[2], -a.x[3]}};
}

static inline TactFour tact_four_add(TactFour a, TactFour b)
{
    double t[8];
    for (int i = 0; i < 4; i++) {
        t[2 * i] = tact_two_sum(a.x[i], b.x[i], &t[2 * i + 1]);
    }
    return tact_four_sum(t, 8);
}

static inline TactFour tact_four_multiply(TactFour a, TactFour b)
{
    // Products x_i y_j by size, i + j = 0, 1, 2, 3; the rests of an order go with the next one.
    double t[12], rest[6];
    t[0] = tact_two_product(a.x[0], b.x[0], &rest[0]);
    t[1] = tact_two_product(a.x[0], b.x[1], &rest[1]);
    t[2] = tact_two_product(a.x[1], b.x[0], &rest[2]);
    t[3] = rest[0];
    t[4] = tact_two_product(a.x[0], b.x[2], &rest[3]);
    t[5] = tact_two_product(a.x[1], b.x[1], &rest[4]);
    t[6] = tact_two_product(a.x[2], b.x[0], &rest[5]);
    t[7] = rest[1];
    t[8] = rest[2];
    t[9] = a.x[0] * b.x[3] + a.x[1] * b.x[2];
    t[10] = a.x[2] * b.x[1] + a.x[3] * b.x[0];
    t[11] = rest[3] + rest[4] + rest[5];
    return tact_four_sum(t, 12);
}

static inline TactFour tact_four_divide(TactFour a, TactFour b)
{
    double   digits[5];
    TactFour left = a;
    for (int i = 0; i < 5; i++) {
        digits[i] = left.x[0] / b.x[0];
        left = tact_four_add(left, tact_four_minus(tact_four_multiply(b, tact_four_of(digits[i]))));
    }
    return tact_four_sum(digits, 5);
}

static inline int tact_four_sign(TactFour a)
{
    for (int i = 0; i < 4; i++) {
        if (a.x[i] != 0) {
            return a.x[i] > 0 ? 1 : -1;
        }
    }
    return 0;
}

#endif
