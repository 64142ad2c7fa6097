// Friction problems of Siconos.
//
// FrictionContact:        dimension  nc  MATRIX(W)  q[d nc]  mu[nc]
// GlobalFrictionContact:  dimension  nc  MATRIX(M)  MATRIX(H)  f[nv]  w[d nc]  mu[nc]
//
// with the equations of io/contact_matrix.h. Five dimensions are three with two moments that resist
// rolling; mu is then followed by their coefficients, mu_r[nc].
//
// Nothing but what follows the first matrix tells the
// two apart: the head of another one (storage, nv, d nc), or the numbers of q.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/problem/problem.h"
#include "io/siconos/siconos.h"

static TactStatus read_text_vector(TactText *text, const char *what, int count, double **vector)
{
    void *block;
    TACT_TRY(tact_text_holds(text, (size_t)count, what));
    TACT_TRY(tact_allocate((size_t)count, sizeof(double), &block));
    *vector = block;
    return tact_text_reals(text, what, (size_t)count, 1, *vector);
}

/// Does a number stand here that is written as this integer?
static bool next_is(TactText *look, int expected)
{
    TactWord word;
    char     digits[16];
    snprintf(digits, sizeof digits, "%d", expected);
    return tact_text_word(look, "", &word) && tact_word_is(word, digits);
}

/// A matrix of nv rows and d nc columns after the first one?
static bool is_global(const TactText *text, int nv, int components)
{
    for (int storage = 0; storage <= 2; storage++) {
        TactText look = *text;
        if (next_is(&look, storage) && next_is(&look, nv) && next_is(&look, components)) {
            return true;
        }
    }
    return false;
}

static TactStatus read_coefficients(TactText *text, TactFrictionMatrices *friction, int contacts)
{
    TACT_TRY(read_text_vector(text, "mu", contacts, &friction->mu));
    return friction->dimension == 5 ? read_text_vector(text, "mu_r", contacts, &friction->mu_roll)
                                    : TACT_OK;
}

static TactStatus read_local(TactText *text, TactFrictionMatrices *friction, int contacts,
                             TactContactParts *parts)
{
    TACT_TRY(read_text_vector(text, "q", friction->W.rows, &friction->q));
    TACT_TRY(read_coefficients(text, friction, contacts));
    return tact_friction_local(friction, parts);
}

static TactStatus read_global(TactText *text, TactFrictionMatrices *friction, int contacts,
                              TactContactParts *parts)
{
    int storage;
    friction->M = friction->W;
    friction->W = (TactMatrix){0};
    TACT_TRY(tact_siconos_matrix(text, &friction->H, &storage));
    TACT_TRY(read_text_vector(text, "q", friction->M.rows, &friction->f));
    TACT_TRY(read_text_vector(text, "b", friction->H.columns, &friction->w));
    TACT_TRY(read_coefficients(text, friction, contacts));
    return tact_friction_global(friction, parts);
}

static TactStatus read_problem(TactText *text, TactFrictionMatrices *friction,
                               TactContactParts *parts)
{
    static const char *const local[] = {"Siconos friction, dense", "Siconos friction, sparse block",
                                        "Siconos friction, sparse"};
    static const char *const rolling[] = {"Siconos rolling friction, dense",
                                          "Siconos rolling friction, sparse block",
                                          "Siconos rolling friction, sparse"};
    static const char *const global[] = {"Siconos global friction, dense",
                                         "Siconos global friction, sparse block",
                                         "Siconos global friction, sparse"};

    int contacts, storage, again;
    TACT_TRY(tact_text_int(text, "the dimension", 2, 5, &friction->dimension));
    if (friction->dimension == 4) {
        return tact_text_fail(text, TACT_BAD_INPUT, "the dimension is 4, not 2, 3 or 5");
    }
    int most = INT_MAX / (friction->dimension > 3 ? 5 : 3);
    TACT_TRY(tact_text_int(text, "the number of contacts", 0, most, &contacts));
    int components = friction->dimension * contacts;
    TACT_TRY(tact_friction_count(friction, components, &again));
    TACT_TRY(tact_siconos_matrix(text, &friction->W, &storage));
    if (friction->W.rows != friction->W.columns) {
        return tact_text_fail(text, TACT_BAD_INPUT, "the matrix is %d x %d, not square",
                              friction->W.rows, friction->W.columns);
    }
    bool whole = is_global(text, friction->W.rows, components);
    if (!whole && friction->W.rows != components) {
        return tact_text_fail(text, TACT_BAD_INPUT,
                              "the matrix has %d rows, but %d contacts in %d dimensions have %d, "
                              "and no matrix H of %d rows and %d columns follows it",
                              friction->W.rows, contacts, friction->dimension, components,
                              friction->W.rows, components);
    }
    parts->format = (whole ? global : friction->dimension == 5 ? rolling : local)[storage];
    return whole ? read_global(text, friction, contacts, parts)
                 : read_local(text, friction, contacts, parts);
}

/// Whether there was an initial guess, says a 0 or a 1 behind the problem. Nothing follows it.
static void skip_flags(TactText *text)
{
    TactText look = *text;
    TactWord word;
    while (tact_text_word(&look, "", &word) && (tact_word_is(word, "0") || //
                                                tact_word_is(word, "1"))) {
        *text = look;
    }
}

TactStatus tact_siconos_friction(TactText *text, TactContactParts *parts)
{
    TactFrictionMatrices friction = {.name = text->name};
    TactStatus           status = read_problem(text, &friction, parts);
    tact_friction_destroy(&friction);
    if (status == TACT_OK) {
        skip_flags(text);
        tact_siconos_tell_the_rest(text);
    }
    return status;
}
