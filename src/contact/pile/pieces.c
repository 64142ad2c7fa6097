#include "contact/pile/pieces.h"

#include <math.h>
#include <string.h>

static double length2(double x, double y)
{
    return sqrt(x * x + y * y);
}

TactPileState tact_pile_state(double mu, const double z[3])
{
    return z[0] <= 0                          ? TACT_PILE_OPEN
           : length2(z[1], z[2]) <= mu * z[0] ? TACT_PILE_STICKS
                                              : TACT_PILE_SLIDES;
}

double tact_pile_beyond(double mu, TactPileState state, const double z[3])
{
    double slack = mu * z[0] - length2(z[1], z[2]);
    return state == TACT_PILE_OPEN     ? z[0]
           : state == TACT_PILE_STICKS ? fmax(-slack, -z[0])
                                       : fmax(slack, -z[0]);
}

void tact_pile_piece(double mu, TactPileState state, double k, const double z[3], double p[3],
                     double B[9])
{
    double length = length2(z[1], z[2]), stiffness = 1 / k;
    memset(B, 0, 9 * sizeof(double));
    p[0] = p[1] = p[2] = 0;
    if (state == TACT_PILE_OPEN) {
        return;
    }
    p[0] = z[0];
    B[0] = stiffness;
    if (state == TACT_PILE_STICKS) {
        p[1] = z[1];
        p[2] = z[2];
        B[4] = B[8] = stiffness;
    } else if (length > 0) {
        double h[2] = {z[1] / length, z[2] / length}, turn = mu * z[0] / length * stiffness;
        p[1] = mu * z[0] * h[0];
        p[2] = mu * z[0] * h[1];
        B[3] = mu * h[0] * stiffness;
        B[6] = mu * h[1] * stiffness;
        B[4] = turn * h[1] * h[1];
        B[5] = B[7] = -turn * h[0] * h[1];
        B[8] = turn * h[0] * h[0];
    }
}

/// The least t >= 0 at which a + 2 b t + c t^2 becomes more than 0; what is above already and falls
/// is on its way back.
static double rise(double a, double b, double c)
{
    if (a > 0) {
        return b > 0 ? 0 : HUGE_VAL;
    }
    double root = b * b - a * c;
    if (!(root >= 0)) {
        return HUGE_VAL;
    }
    root = sqrt(root);
    if (b > 0) {
        return -a / (b + root);
    }
    return c > 0 ? (root - b) / c : HUGE_VAL;
}

double tact_pile_end_of_piece(double mu, TactPileState state, const double z[3], const double d[3],
                              TactPileState *next)
{
    double a = z[1] * z[1] + z[2] * z[2] - mu * mu * z[0] * z[0];
    double b = z[1] * d[1] + z[2] * d[2] - mu * mu * z[0] * d[0];
    double c = d[1] * d[1] + d[2] * d[2] - mu * mu * d[0] * d[0];
    if (state == TACT_PILE_OPEN) {
        *next = TACT_PILE_SLIDES;
        return rise(z[0], 0.5 * d[0], 0);
    }
    double opens = rise(-z[0], -0.5 * d[0], 0);
    double other = state == TACT_PILE_STICKS ? rise(a, b, c) : rise(-a, -b, -c);
    *next = opens < other               ? TACT_PILE_OPEN
            : state == TACT_PILE_STICKS ? TACT_PILE_SLIDES
                                        : TACT_PILE_STICKS;
    return fmin(opens, other);
}

double tact_pile_end_of_turn(double mu, const double z[3], const double d[3], double error,
                             double least)
{
    double length = z[1] * z[1] + z[2] * z[2], radius = mu * fabs(z[0]);
    double rate = fabs(z[1] * d[2] - z[2] * d[1]);
    double angle = sqrt(2 * error / (radius + least));
    return rate > 0 ? angle * length / rate : HUGE_VAL;
}
