// The paper's Lemke, rebuilt: what it calls solved is, on a problem whose answer is known.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/yamane/papers_tableau.h"

static const double STEP = 0.01, GRAVITY = 9.81, MASS = 2;

enum { NV = 4, CONTACTS = 1 };

/// A particle of three degrees of freedom on the floor, and a fourth degree of freedom that a
/// joint moves at 0.5 m/s, coupled to the first by the mass matrix.
typedef struct Slider {
    double             M[NV * NV], v[NV], tau[NV];
    double             J[3 * NV], joint[NV];
    TactContact        contacts[CONTACTS];
    TactContactRow     row;
    TactContactProblem problem;
} Slider;

static void make_slider(Slider *slider, double push)
{
    *slider = (Slider){0};
    for (int i = 0; i < NV; i++) {
        slider->M[i * NV + i] = i < 3 ? MASS : 1;
    }
    slider->M[3] = slider->M[3 * NV] = 0.5; // the joint's motion pulls the particle along
    slider->tau[0] = push;
    slider->tau[2] = -MASS * GRAVITY;
    slider->J[2] = slider->J[NV] = slider->J[2 * NV + 1] = 1;
    slider->joint[3] = 1;
    for (int i = 0; i < CONTACTS; i++) {
        slider->contacts[i] = (TactContact){.J = slider->J, .mu = 0.5};
    }
    slider->row = (TactContactRow){.kind = TACT_ROW_BILATERAL, .J = slider->joint, .target = 0.5};
    slider->problem = (TactContactProblem){.step = STEP,
                                           .nv = NV,
                                           .M = slider->M,
                                           .v = slider->v,
                                           .tau = slider->tau,
                                           .contact_count = CONTACTS,
                                           .contacts = slider->contacts,
                                           .row_count = 1,
                                           .rows = &slider->row};
}

// Where entries that are 0 but for rounding may be pivots, even one contact can fail: eight
// directions span two dimensions.
static const TactTableauRule rules[] = {
    {.name = "least", .least_pivot = 1e-10, .z0_first = true},
    {.name = "cold", .least_pivot = 1e-10, .z0_first = true, .cold = true},
    {.name = "equilibrated", .least_pivot = 1e-10, .z0_first = true, .equilibrated = true},
    {.name = "renewed", .least_pivot = 1e-10, .z0_first = true, .renewed = true},
    {.name = "lex", .lexicographic = true, .threshold = 1e-8, .least_pivot = 1e-10},
};

static void forces_carry_the_weight_and_oppose_the_slip(void **state)
{
    (void)state;
    for (int pushed = 0; pushed < 2; pushed++) {
        for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++) {
            Slider             slider;
            TactFrameLcp       lcp;
            TactTableauOutcome outcome;
            bool               close;
            double             z[10 * CONTACTS], pivots = 0, normal = 0, friction = 0;
            make_slider(&slider, pushed ? 30 : 23);
            assert_int_equal(tact_frame_lcp_create(&slider.problem, &lcp), TACT_OK);
            assert_int_equal(lcp.n, 10 * CONTACTS);
            assert_int_equal(tact_tableau_solve(&lcp, &rules[k], z, &pivots, &close, &outcome),
                             TACT_OK);
            print_message("%s, %d: %d, %g pivots\n", rules[k].name, pushed, (int)outcome, pivots);
            assert_int_equal(outcome, TACT_TABLEAU_SOLVED);
            assert_true(close && pivots > 0);
            for (int i = 0; i < CONTACTS; i++) {
                normal += z[i];
                for (int d = 0; d < 8; d++) {
                    friction += z[CONTACTS + 8 * i + d] * cos(2 * 3.14159265358979 * d / 8);
                }
            }
            // M_03 times the joint's 0.5 m/s is 0.25 N s, 25 N over the step.
            double pushes = pushed ? 30 - 25 : 23 - 25;
            assert_true(fabs(normal - MASS * GRAVITY) < 1e-9);
            assert_true(fabs(friction + pushes) < 1e-9); // less than mu N = 9.81 N: it sticks
            tact_frame_lcp_destroy(&lcp);
        }
    }
}

static void other_rows_are_refused(void **state)
{
    (void)state;
    Slider       slider;
    TactFrameLcp lcp;
    make_slider(&slider, 0);
    slider.row.kind = TACT_ROW_UNILATERAL;
    assert_int_equal(tact_frame_lcp_create(&slider.problem, &lcp), TACT_UNSUPPORTED);
    tact_frame_lcp_destroy(&lcp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_carry_the_weight_and_oppose_the_slip),
        cmocka_unit_test(other_rows_are_refused),
    };
    return cmocka_run_group_tests_name("bench/papers tableau", tests, NULL, NULL);
}
