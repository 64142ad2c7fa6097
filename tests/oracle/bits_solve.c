#include "oracle/bits_solve.h"

#include <math.h>

void bits_solve(int n, int bits, mpf_t *a, mpf_t *b)
{
    mpf_t factor, x;
    mpf_init2(factor, (mp_bitcnt_t)bits);
    mpf_init2(x, (mp_bitcnt_t)bits);
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(mpf_get_d(a[i * n + k])) > fabs(mpf_get_d(a[best * n + k])) ? i : best;
        }
        for (int j = 0; j < n; j++) {
            mpf_swap(a[k * n + j], a[best * n + j]);
        }
        mpf_swap(b[k], b[best]);
        for (int i = 0; i < n; i++) {
            if (i == k) {
                continue;
            }
            mpf_div(factor, a[i * n + k], a[k * n + k]);
            for (int j = k; j < n; j++) {
                mpf_mul(x, factor, a[k * n + j]);
                mpf_sub(a[i * n + j], a[i * n + j], x);
            }
            mpf_mul(x, factor, b[k]);
            mpf_sub(b[i], b[i], x);
        }
    }
    for (int i = 0; i < n; i++) {
        mpf_div(b[i], b[i], a[i * n + i]);
    }
    mpf_clear(factor);
    mpf_clear(x);
}
