// Linear forms in exact rationals, read from doubles without rounding: what a rational proof is
// made of. Only with GMP.
//
//     form(x) = constant + sum_k value_k x_(column_k)
#ifndef TACT_PROVE_RATIONAL_EXACT_H
#define TACT_PROVE_RATIONAL_EXACT_H

#ifdef TACT_HAVE_GMP

#include <gmp.h>
#include <stdbool.h>
#include <tact/base.h>

/// A column may stand in a form more than once: its values add up.
typedef struct TactExactForm {
    int    count, room;
    int   *column; // (count)
    mpq_t *value;  // (count)
    mpq_t  constant;
    int    owner; // contact, contact_count + row, or row of an LCP that it is about
    int    role;  // what it says about it: for whoever made the form
} TactExactForm;

typedef struct TactExactSet {
    int            count, room;
    TactExactForm *forms;  // (count)
    bool           failed; // there was no memory: the forms are not complete
} TactExactSet;

/// The next form of a set, 0 so far; NULL without memory.
TactExactForm *tact_exact_set_next(TactExactSet *set, int owner, int role);
/// Takes all forms out; the memory stays with the set.
void tact_exact_set_empty(TactExactSet *set);
void tact_exact_set_destroy(TactExactSet *set);

/// form += factor x_column; column -1: form += factor. A form that is NULL takes nothing.
void tact_exact_form_add(TactExactSet *set, TactExactForm *form, int column, const mpq_t factor);
void tact_exact_form_add_double(TactExactSet *set, TactExactForm *form, int column, double factor);
/// form += factor other
void tact_exact_form_add_form(TactExactSet *set, TactExactForm *form, const mpq_t factor,
                              const TactExactForm *other);

/// Multiplies a form by the least common denominator: the sign of its value stays, and numerators
/// are all there is.
void tact_exact_form_clear_denominators(TactExactForm *form);

#endif
#endif
