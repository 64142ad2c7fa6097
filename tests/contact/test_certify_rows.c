// The certificate of joint rows, on random mechanisms made from their answers: dofs whose units and
// inertias lie decades apart, a row of every kind on dofs of their own, a contact that moves
// others.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include <tact/contact.h>
// clang-format on

enum { DOF = 7, ROWS = 5, SEEDS = 300 };

/// Rows: a motor that holds, one that is overcome, a bilateral one, a limit that pushes, and a
/// motor without load on a dof that nothing moves.
typedef struct Made {
    TactContactProblem problem;
    double             M[DOF * DOF], v[DOF], tau[DOF], J[3 * DOF], row_J[ROWS * DOF];
    TactContact        contact;
    TactContactRow     rows[ROWS];
    double             p[3], row_p[ROWS], after[DOF];
} Made;

static double uniform(TactRandom *random, double lo, double hi)
{
    return tact_random_uniform(random, lo, hi);
}

/// M = S (A A' + 1) S with S over `decades` powers of ten, the last dof on its own.
static void make_mass(TactRandom *random, double decades, double *S, Made *made)
{
    double A[DOF][DOF];
    for (int i = 0; i < DOF; i++) {
        S[i] = pow(10, uniform(random, -decades / 2, decades / 2));
        for (int j = 0; j < DOF; j++) {
            A[i][j] = uniform(random, -1, 1) * (i < DOF - 1 && j < DOF - 1);
        }
    }
    for (int i = 0; i < DOF; i++) {
        for (int j = 0; j < DOF; j++) {
            double sum = i == j;
            for (int k = 0; k < DOF; k++) {
                sum += A[i][k] * A[j][k];
            }
            made->M[i * DOF + j] = S[i] * S[j] * sum;
        }
    }
}

static void make_rows(TactRandom *random, const double *S, Made *made)
{
    const TactContactRowKind kinds[ROWS] = {TACT_ROW_MOTOR, TACT_ROW_MOTOR, TACT_ROW_BILATERAL,
                                            TACT_ROW_UNILATERAL, TACT_ROW_MOTOR};
    for (int i = 0; i < ROWS; i++) {
        int             dof = i < ROWS - 1 ? i : DOF - 1;
        TactContactRow *row = &made->rows[i];
        double          load = S[dof] * uniform(random, 0.1, 1) * 0.02; // N s
        *row = (TactContactRow){.kind = kinds[i], .J = made->row_J + i * DOF};
        made->row_J[i * DOF + dof] = 1;
        made->row_p[i] = load;
        made->after[dof] = 0;
        if (i == 0) {
            row->force_max = 2 * load / made->problem.step;
        } else if (i == 1) {
            row->force_max = load / made->problem.step;
            made->after[dof] = -uniform(random, 0.1, 1) / S[dof]; // driven back
        } else if (i == 4) {
            row->force_max = load / made->problem.step;
            made->row_p[i] = 0;
        }
    }
}

/// A contact that sticks: J v+ = 0 for the v+ that the rows leave.
static void make_contact(TactRandom *random, const double *S, Made *made)
{
    made->contact = (TactContact){.mu = 0.5, .J = made->J};
    for (int k = 0; k < 3; k++) {
        double *row = made->J + k * DOF, rest = 0;
        for (int i = 0; i < DOF - 1; i++) {
            row[i] = S[i] * uniform(random, -1, 1);
            rest += i < DOF - 2 ? row[i] * made->after[i] : 0;
        }
        row[DOF - 2] = -rest / made->after[DOF - 2];
    }
    made->p[0] = uniform(random, 0.002, 0.02);
    made->p[1] = 0.2 * made->p[0];
    made->p[2] = -0.3 * made->p[0];
}

static void multiply(const double *M, const double *x, double *out)
{
    for (int i = 0; i < DOF; i++) {
        long double sum = 0;
        for (int j = 0; j < DOF; j++) {
            sum += (long double)M[i * DOF + j] * (long double)x[j];
        }
        out[i] = (double)sum;
    }
}

/// The forces with which the answer is one.
static void make_forces(Made *made)
{
    double gain[DOF], momentum[DOF];
    for (int i = 0; i < DOF; i++) {
        gain[i] = made->after[i] - made->v[i];
    }
    multiply(made->M, gain, momentum);
    for (int i = 0; i < DOF; i++) {
        double pushed = 0;
        for (int k = 0; k < 3; k++) {
            pushed += made->J[k * DOF + i] * made->p[k];
        }
        for (int r = 0; r < ROWS; r++) {
            pushed += made->row_J[r * DOF + i] * made->row_p[r];
        }
        made->tau[i] = (momentum[i] - pushed) / made->problem.step;
    }
}

static void make(uint64_t seed, double decades, Made *made)
{
    TactRandom random = tact_random_seed(seed);
    double     S[DOF];
    memset(made, 0, sizeof *made);
    made->problem = (TactContactProblem){.step = 0.002,
                                         .nv = DOF,
                                         .M = made->M,
                                         .v = made->v,
                                         .tau = made->tau,
                                         .contact_count = 1,
                                         .contacts = &made->contact,
                                         .row_count = ROWS,
                                         .rows = made->rows};
    make_mass(&random, decades, S, made);
    for (int i = 0; i < DOF; i++) {
        made->after[i] = uniform(&random, 0.1, 1) / S[i];
    }
    make_rows(&random, S, made);
    make_contact(&random, S, made);
    for (int i = 0; i < DOF - 1; i++) {
        made->v[i] = made->after[i] + 0.01 * uniform(&random, -1, 1) / S[i];
    }
    make_forces(made);
}

static TactContactCertificate certify(const Made *made)
{
    TactContactCertificate c;
    assert_int_equal(tact_contact_certify(&made->problem, TACT_CONE_CIRCLE, made->p, made->row_p,
                                          made->after, &c),
                     TACT_OK);
    return c;
}

/// x = M^-1 b by elimination, in long double.
static void solve(const double *M, const double *b, double *x)
{
    long double A[DOF][DOF + 1];
    for (int i = 0; i < DOF; i++) {
        for (int j = 0; j < DOF; j++) {
            A[i][j] = (long double)M[i * DOF + j];
        }
        A[i][DOF] = (long double)b[i];
    }
    for (int k = 0; k < DOF; k++) {
        for (int i = 0; i < DOF; i++) {
            long double f = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j <= DOF; j++) {
                A[i][j] -= f * A[k][j];
            }
        }
    }
    for (int i = 0; i < DOF; i++) {
        x[i] = (double)(A[i][DOF] / A[i][i]);
    }
}

static void an_exact_answer_rounded_to_double_has_an_error_of_at_most_1e_11(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Made made;
        make(seed, (double)(seed % 7), &made);
        TactContactCertificate c = certify(&made);
        worst = fmax(worst, c.error);
        if (!(c.error <= 1e-11)) {
            fail_msg("seed %d: error %g at %d", (int)seed, c.error, c.worst);
        }
    }
    print_message("largest error of an exact answer: %.1e\n", worst);
}

static void a_millionth_wrong_at_one_loaded_row_is_an_error_above_1e_8(void **state)
{
    (void)state;
    // Longer and shorter by 1e-6 of the row's impulse; v+ as it was, and v+ moved with it.
    double least[2] = {INFINITY, INFINITY};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Made right;
        make(seed, (double)(seed % 7), &right);
        for (int i = 0; i < 2 * (ROWS - 1); i++) {
            Made   made;
            double moved[DOF], change = (i % 2 ? 1e-6 : -1e-6) * right.row_p[i / 2];
            make(seed, (double)(seed % 7), &made);
            made.row_p[i / 2] += change;
            double still = certify(&made).error;
            double push[DOF] = {0};
            push[i / 2] = change;
            solve(made.M, push, moved);
            for (int k = 0; k < DOF; k++) {
                made.after[k] += moved[k];
            }
            double followed = certify(&made).error;
            least[0] = fmin(least[0], still);
            least[1] = fmin(least[1], followed);
            if (!(still > 1e-8 && followed > 1e-8)) {
                fail_msg("seed %d row %d: errors %g, %g", (int)seed, i / 2, still, followed);
            }
        }
    }
    print_message("least error of a wrong one: %.1e, with v+ moved %.1e\n", least[0], least[1]);
}

/// Moves the joint that nothing moves, by `part` of what the energy of the whole would give it.
static double error_of_creep(uint64_t seed, double decades, double part)
{
    Made   made;
    double momentum[DOF], energy = 0;
    make(seed, decades, &made);
    multiply(made.M, made.v, momentum);
    for (int i = 0; i < DOF; i++) {
        energy += momentum[i] * made.v[i];
    }
    made.after[DOF - 1] = part * sqrt(energy / made.M[DOF * DOF - 1]);
    return certify(&made).error;
}

static void a_joint_at_rest_is_asked_for_no_more_than_the_rounding_of_those_that_move(void **state)
{
    (void)state;
    // A motor without load leaves what the rounding of the others is to it, and no more: 1e-14 of
    // them is none, 1e-10 is a creep.
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double decades = (double)(seed % 7);
        assert_true(error_of_creep(seed, decades, 1e-14) <= 1e-8);
        assert_true(error_of_creep(seed, decades, 1e-10) > 1e-8);
    }
}

static void the_error_does_not_depend_on_the_units_of_the_dofs(void **state)
{
    (void)state;
    // dof k in units 2^k as large: exact in binary, so the same error to the last bits.
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Made made;
        make(seed, 2, &made);
        made.row_p[seed % ROWS] += 1e-3 * made.row_p[0];
        double error = certify(&made).error;
        for (int i = 0; i < DOF; i++) {
            double unit = ldexp(1, 3 * (i % 4));
            made.v[i] /= unit;
            made.after[i] /= unit;
            made.tau[i] *= unit;
            for (int j = 0; j < DOF; j++) {
                made.M[i * DOF + j] *= unit;
                made.M[j * DOF + i] *= unit;
            }
            for (int k = 0; k < 3; k++) {
                made.J[k * DOF + i] *= unit;
            }
            for (int r = 0; r < ROWS; r++) {
                made.row_J[r * DOF + i] *= unit;
            }
        }
        assert_true(fabs(certify(&made).error - error) <= 1e-9 * error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_answer_rounded_to_double_has_an_error_of_at_most_1e_11),
        cmocka_unit_test(a_millionth_wrong_at_one_loaded_row_is_an_error_above_1e_8),
        cmocka_unit_test(a_joint_at_rest_is_asked_for_no_more_than_the_rounding_of_those_that_move),
        cmocka_unit_test(the_error_does_not_depend_on_the_units_of_the_dofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
