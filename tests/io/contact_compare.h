// Are two contact problems the same to the bit?
#ifndef TACT_TESTS_IO_CONTACT_COMPARE_H
#define TACT_TESTS_IO_CONTACT_COMPARE_H

#include <string.h>

#include "io/scratch.h"

static inline void same_reals(const double *x, const double *y, size_t count)
{
    assert_true((x == NULL) == (y == NULL));
    if (x && count > 0) {
        assert_memory_equal(x, y, count * sizeof(double));
    }
}

static inline void same_contacts(const TactContactProblem *x, const TactContactProblem *y)
{
    assert_int_equal(x->contact_count, y->contact_count);
    for (int i = 0; i < x->contact_count; i++) {
        TactContact one = x->contacts[i];
        TactContact two = y->contacts[i];
        if (x->M) {
            same_reals(one.J, two.J, 3 * (size_t)x->nv);
        }
        if (x->bodies) {
            assert_int_equal(one.a, two.a);
            assert_int_equal(one.b, two.b);
            same_reals(one.point, two.point, 3);
            same_reals(one.normal, two.normal, 3);
            same_reals(one.tangent, two.tangent, 3);
        }
        same_reals(&one.mu, &two.mu, 1);
        same_reals(&one.turn, &two.turn, 1);
        same_reals(&one.restitution, &two.restitution, 1);
        same_reals(&one.bias, &two.bias, 1);
        same_reals(one.surface, two.surface, 2);
        same_reals(&one.compliance, &two.compliance, 1);
        assert_int_equal(one.directions, two.directions);
        assert_true(one.id == two.id);
    }
}

static inline void same_rows(const TactContactProblem *x, const TactContactProblem *y)
{
    assert_int_equal(x->row_count, y->row_count);
    for (int i = 0; i < x->row_count; i++) {
        TactContactRow one = x->rows[i];
        TactContactRow two = y->rows[i];
        assert_int_equal(one.kind, two.kind);
        if (x->M) {
            same_reals(one.J, two.J, (size_t)x->nv);
        } else {
            assert_int_equal(one.a, two.a);
            assert_int_equal(one.b, two.b);
            same_reals(one.J_a, two.J_a, one.a >= 0 ? 6 : 0);
            same_reals(one.J_b, two.J_b, one.b >= 0 ? 6 : 0);
        }
        same_reals(&one.target, &two.target, 1);
        same_reals(&one.error, &two.error, 1);
        same_reals(&one.zeta, &two.zeta, 1);
        assert_true(one.id == two.id);
        if (one.kind == TACT_ROW_MOTOR) {
            same_reals(&one.force_max, &two.force_max, 1);
        }
    }
}

static inline void same_problem(const TactContactProblem *x, const TactContactProblem *y)
{
    size_t nv = (size_t)x->nv;
    size_t n = 3 * (size_t)x->contact_count;
    assert_int_equal(x->level, y->level);
    if (x->level == TACT_LEVEL_VELOCITY) {
        same_reals(&x->step, &y->step, 1);
    }
    assert_int_equal(x->body_count, y->body_count);
    assert_true((x->bodies == NULL) == (y->bodies == NULL));
    for (int i = 0; i < x->body_count; i++) {
        same_reals(&x->bodies[i].mass, &y->bodies[i].mass, sizeof *x->bodies / sizeof(double));
    }
    assert_int_equal(x->nv, y->nv);
    same_reals(x->M, y->M, nv * nv);
    same_reals(x->v, y->v, nv);
    same_reals(x->tau, y->tau, nv);
    assert_true((x->parent == NULL) == (y->parent == NULL));
    if (x->parent) {
        assert_memory_equal(x->parent, y->parent, nv * sizeof(int));
    }
    same_contacts(x, y);
    same_reals(x->W, y->W, n * n);
    same_reals(x->u_free, y->u_free, n);
    same_rows(x, y);
}

#endif
