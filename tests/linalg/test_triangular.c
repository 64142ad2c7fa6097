// Triangular solves against the plain loop in long double.
#include "linalg/triangular.h"

#include "matrices.h"

typedef void Solve(int n, const double *T, int ld, double *x);

typedef struct Kind {
    const char *name;
    Solve      *solve;
    int         lower;      // which triangle is read
    int         transposed; // as its transpose
    int         unit;
} Kind;

static const Kind kinds[] = {
    {"lower", tact_lower_solve, 1, 0, 0},
    {"upper", tact_upper_solve, 0, 0, 0},
    {"upper transposed", tact_upper_solve_transposed, 0, 1, 0},
    {"unit upper", tact_unit_upper_solve, 0, 0, 1},
    {"unit upper transposed", tact_unit_upper_solve_transposed, 0, 1, 1},
};

static void solves_reproduce_the_right_hand_side_and_read_one_triangle_only(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(21);
    for (int s = 0; s < TEST_SIZES; s++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const Kind *kind = kinds + k;
            int         n = test_sizes[s], ld = n + 3;
            double     *T = new_doubles(n * ld), *full = new_doubles(n * n);
            double     *x = new_doubles(n), *b = new_doubles(n);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < ld; j++) {
                    int inside = j < n && (kind->lower ? j < i : j > i);
                    // Small off-diagonal entries keep the solution of the size of b.
                    double value = inside                  ? tact_random_normal(&random) / (n + 1.0)
                                   : i == j && !kind->unit ? tact_random_uniform(&random, 0.5, 2)
                                                           : NAN;
                    T[i * ld + j] = value;
                    if (inside || i == j) {
                        full[kind->transposed ? j * n + i : i * n + j] =
                            i == j && kind->unit ? 1 : value;
                    }
                }
            }
            fill_random(&random, n, b);
            memcpy(x, b, (size_t)n * sizeof *x);
            kind->solve(n, T, ld, x);
            assert_true(residual(n, full, n, x, b) <= 1e-14 * (1 + max_abs(n, x)));
            free(T);
            free(full);
            free(x);
            free(b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_reproduce_the_right_hand_side_and_read_one_triangle_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
