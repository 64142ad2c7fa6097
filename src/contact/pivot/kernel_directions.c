#include <math.h>

#include "contact/pivot/kernel.h"

static void base_direction(int j, int d, double *c, double *s)
{
    double angle = 6.283185307179586 * j / d;
    *c = cos(angle);
    *s = sin(angle);
    if (8 * j % d == 0) { // on a diagonal cos and sin are the same
        *c = copysign(0.70710678118654752440, *c);
        *s = copysign(0.70710678118654752440, *s);
    }
    if (4 * j % d == 0) {
        int quarter = 4 * j / d;
        *c = quarter == 0 ? 1 : quarter == 2 ? -1 : 0;
        *s = quarter == 1 ? 1 : quarter == 3 ? -1 : 0;
    }
}

void tact_directions_base(int d, double *c, double *s)
{
    for (int j = 0; j < d; j++) {
        base_direction(j, d, &c[j], &s[j]);
    }
}

void tact_directions_turn(int d, double turn, double *c, double *s)
{
    double tc = cos(turn);
    double ts = sin(turn);
    for (int j = 0; j < d; j++) {
        double x = c[j] * tc - s[j] * ts;
        s[j] = s[j] * tc + c[j] * ts;
        c[j] = x;
    }
}
