// Do equations that were dropped follow from those that were kept? In exact rationals: a row u_l is
// a combination of rows u_k that are 0 if there are c_k with
//
//     sum_k c_k u_k(x) = u_l(x)   for all x,
//
// one linear equation for every variable and one for the constants.
#include "base/status.h"
#include "prove/circle/circle.h"
#include "prove/law/law.h"
#include "prove/rational/rational.h"

#ifdef TACT_HAVE_GMP

#include "base/memory.h"

typedef struct Search {
    const TactCircle *circle;
    TactLaws          laws;
    bool             *near;  // variables of the row, and their neighbours             (variables)
    double           *guess; // (chosen)
    TactPiece         piece;
} Search;

static bool touches_only(const Search *search, const TactExactForm *form)
{
    for (int k = 0; k < form->count; k++) {
        if (search->circle->active[form->column[k]] && !search->near[form->column[k]]) {
            return false;
        }
    }
    return true;
}

/// The row itself, and those that move nothing else, or all.
static bool follows(Search *search, int source, bool all, TactStatus *status)
{
    const TactCircle    *circle = search->circle;
    const TactBounds    *bounds = &circle->bounds;
    TactExactSet        *set = &search->piece.equations;
    const TactExactForm *row = &search->laws.u.forms[source];
    mpq_t                minus;
    mpq_init(minus);
    tact_exact_set_empty(set);
    for (int k = 0; k <= bounds->variables; k++) {
        tact_exact_set_next(set, k, 0);
        search->near[k < bounds->variables ? k : 0] = all;
    }
    for (int k = 0; k < row->count; k++) {
        int column = row->column[k];
        for (int d = column - column % 6; d < column - column % 6 + 6; d++) {
            if (d < bounds->variables) {
                search->near[d] = true;
            }
        }
    }
    search->piece.n = 0;
    for (int e = -1; e < circle->chosen && !set->failed; e++) {
        bool own = e < 0;
        if (!own && circle->equations[circle->rows[e]].law != TACT_CIRCLE_U) {
            continue;
        }
        const TactExactForm *form =
            own ? row : &search->laws.u.forms[circle->equations[circle->rows[e]].index];
        if (!own && !touches_only(search, form)) {
            continue;
        }
        int column = own ? -1 : search->piece.n++;
        for (int k = 0; k < form->count; k++) {
            if (circle->active[form->column[k]]) {
                mpq_set(minus, form->value[k]);
                if (own) {
                    mpq_neg(minus, minus);
                }
                tact_exact_form_add(set, &set->forms[form->column[k]], column, minus);
            }
        }
        mpq_set(minus, form->constant);
        if (own) {
            mpq_neg(minus, minus);
        }
        tact_exact_form_add(set, &set->forms[bounds->variables], column, minus);
    }
    mpq_clear(minus);
    // Equations that say nothing.
    int kept = 0;
    for (int i = 0; i < set->count; i++) {
        TactExactForm form = set->forms[i];
        if (form.count > 0 || mpq_sgn(form.constant) != 0) {
            set->forms[i] = set->forms[kept];
            set->forms[kept++] = form;
        }
    }
    TactPieceSolution solution = {0};
    search->piece.guess = search->guess;
    search->piece.limit = circle->config.limit;
    TactPiece piece = search->piece;
    int       total = set->count;
    piece.equations.count = kept;
    *status = tact_piece_solve(&piece, &solution);
    set->count = total;
    bool found = *status == TACT_OK && solution.broken < 0;
    tact_piece_solution_destroy(&solution);
    return found;
}

TactStatus tact_circle_follow(const TactCircle *circle, int *broken)
{
    Search     search = {.circle = circle};
    void      *near = NULL, *guess = NULL;
    TactStatus status = tact_allocate((size_t)circle->bounds.variables + 1, sizeof(bool), &near);
    search.near = near;
    *broken = -1;
    if (status == TACT_OK) {
        status = tact_allocate((size_t)circle->chosen + 1, sizeof(double), &guess);
        search.guess = guess;
    }
    if (status == TACT_OK) {
        status = tact_laws_create(circle->problem, &search.laws);
    }
    int dropped = circle->dropped_count;
    for (int k = 0; k < dropped && status == TACT_OK && *broken < 0; k++) {
        int source = circle->dropped[k];
        if (!follows(&search, source, false, &status) && status == TACT_OK &&
            !follows(&search, source, true, &status)) {
            *broken = source;
        }
    }
    tact_laws_destroy(&search.laws);
    tact_exact_set_destroy(&search.piece.equations);
    tact_release(near);
    tact_release(guess);
    return status;
}

#else

TactStatus tact_circle_follow(const TactCircle *circle, int *broken)
{
    *broken = circle->dropped_count > 0 ? circle->dropped[0] : -1;
    return tact_fail(TACT_UNSUPPORTED,
                     "redundant contacts need exact rationals, and tact was built without GMP");
}

#endif
