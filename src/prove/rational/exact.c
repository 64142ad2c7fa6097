#include <tact/base.h>

#include "prove/rational/exact.h"

#ifdef TACT_HAVE_GMP

#include <string.h>

#include "base/memory.h"

static void form_destroy(TactExactForm *form)
{
    for (int k = 0; k < form->count; k++) {
        mpq_clear(form->value[k]);
    }
    mpq_clear(form->constant);
    tact_release(form->column);
    tact_release(form->value);
}

/// A larger block with what is in the old one.
static bool grow(void **block, int count, int room, size_t size)
{
    void *larger = NULL;
    if (tact_allocate((size_t)room, size, &larger) != TACT_OK) {
        return false;
    }
    if (count > 0) {
        memcpy(larger, *block, (size_t)count * size);
    }
    tact_release(*block);
    *block = larger;
    return true;
}

TactExactForm *tact_exact_set_next(TactExactSet *set, int owner, int role)
{
    if (set->count == set->room) {
        int   room = 2 * set->room + 16;
        void *forms = set->forms;
        if (!grow(&forms, set->count, room, sizeof *set->forms)) {
            set->failed = true;
            return NULL;
        }
        set->forms = forms;
        set->room = room;
    }
    TactExactForm *form = &set->forms[set->count++];
    *form = (TactExactForm){.owner = owner, .role = role};
    mpq_init(form->constant);
    return form;
}

void tact_exact_set_empty(TactExactSet *set)
{
    for (int i = 0; i < set->count; i++) {
        form_destroy(&set->forms[i]);
    }
    set->count = 0;
}

void tact_exact_set_destroy(TactExactSet *set)
{
    tact_exact_set_empty(set);
    tact_release(set->forms);
    *set = (TactExactSet){0};
}

static bool make_room(TactExactSet *set, TactExactForm *form)
{
    if (form->count < form->room) {
        return true;
    }
    int   room = 2 * form->room + 8;
    void *column = form->column, *value = form->value;
    bool  done = grow(&column, form->count, room, sizeof *form->column);
    form->column = column;
    done = done && grow(&value, form->count, room, sizeof *form->value);
    form->value = value;
    form->room = done ? room : form->room;
    set->failed = set->failed || !done;
    return done;
}

void tact_exact_form_add(TactExactSet *set, TactExactForm *form, int column, const mpq_t factor)
{
    if (!form || mpq_sgn(factor) == 0) {
        return;
    }
    if (column < 0) {
        mpq_add(form->constant, form->constant, factor);
    } else if (make_room(set, form)) {
        form->column[form->count] = column;
        mpq_init(form->value[form->count]);
        mpq_set(form->value[form->count++], factor);
    }
}

void tact_exact_form_add_double(TactExactSet *set, TactExactForm *form, int column, double factor)
{
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, factor);
    tact_exact_form_add(set, form, column, exact);
    mpq_clear(exact);
}

void tact_exact_form_add_form(TactExactSet *set, TactExactForm *form, const mpq_t factor,
                              const TactExactForm *other)
{
    if (!form || !other || mpq_sgn(factor) == 0) {
        return;
    }
    mpq_t product;
    mpq_init(product);
    for (int k = 0; k < other->count; k++) {
        mpq_mul(product, factor, other->value[k]);
        tact_exact_form_add(set, form, other->column[k], product);
    }
    mpq_mul(product, factor, other->constant);
    tact_exact_form_add(set, form, -1, product);
    mpq_clear(product);
}

void tact_exact_form_clear_denominators(TactExactForm *form)
{
    mpz_t common;
    mpz_init_set(common, mpq_denref(form->constant));
    for (int k = 0; k < form->count; k++) {
        mpz_lcm(common, common, mpq_denref(form->value[k]));
    }
    mpq_t factor;
    mpq_init(factor);
    mpq_set_z(factor, common);
    mpq_mul(form->constant, form->constant, factor);
    for (int k = 0; k < form->count; k++) {
        mpq_mul(form->value[k], form->value[k], factor);
    }
    mpq_clear(factor);
    mpz_clear(common);
}

#endif
