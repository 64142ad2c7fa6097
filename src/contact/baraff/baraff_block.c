// Baraff: the clamped block, kept as an explicit inverse.
//
// Friction that follows a normal force makes the block unsymmetric. Where Baraff factors it anew at
// every step, its inverse here follows every change in O(k^2), and is computed anew only where it
// does not solve any more.
#include <math.h>
#include <string.h>

#include "contact/baraff/baraff.h"
#include "linalg/exchange.h"
#include "linalg/lu.h"

// A pivot not larger than this, relative to what it is summed from, is rounding: the row depends on
// those in the block [Baraff94, 4.4].
static const double DEPENDENT = 1e-12;

/// What compliance, and viscosity across the slip, add to an entry of the block.
static double softness(const TactBaraff *self, const TactBaraffPlace *row,
                       const TactBaraffPlace *column)
{
    const TactBaraffItem *at = &self->items[row->item];
    if (row->item != column->item || row->component != column->component) {
        return 0;
    }
    if (row->component == TACT_BARAFF_N) {
        return self->system->items[row->item].compliance * at->r * at->r;
    }
    return row->component == TACT_BARAFF_ACROSS && at->friction == TACT_BARAFF_SLIDE ? at->soft : 0;
}

/// Whether the column of a component is not its row: friction follows this normal force.
static bool is_coupled(const TactBaraff *self, const TactBaraffPlace *place)
{
    const TactBaraffItem *at = &self->items[place->item];
    return place->component == TACT_BARAFF_N && at->mu > 0 &&
           (at->friction == TACT_BARAFF_SLIDE || at->friction == TACT_BARAFF_FOLLOWS);
}

static bool is_symmetric(const TactBaraff *self)
{
    for (int k = 0; k < self->count; k++) {
        if (is_coupled(self, &self->places[k])) {
            return false;
        }
    }
    return true;
}

/// Row and column of a component after the last ones; the row is that of places[count].
static void append_vectors(TactBaraff *self, const TactBaraffPlace *place)
{
    size_t  at = (size_t)self->count * (size_t)self->length;
    double *row = self->rows + at, *column = self->columns + at;
    tact_baraff_row(self, place->item, place->component, row);
    if (is_coupled(self, place)) {
        tact_baraff_column(self, place->item, place->component, column);
    } else {
        memcpy(column, row, (size_t)self->length * sizeof(double));
    }
}

/// The block gains the component of the last vectors: x = -K^-1 g, s its pivot.
static void grow_block(TactBaraff *self, const TactBaraffPlace *place, bool symmetric, double s)
{
    int k = self->count;
    if (symmetric) {
        for (int j = 0; j < k; j++) {
            self->u[j] = -self->x[j];
        }
    } else {
        tact_exchange_row_product(k, self->T, self->ld, self->h, self->u);
    }
    tact_exchange_grow(k, self->T, self->ld, self->x, self->u, s);
    self->places[k] = *place;
    self->items[place->item].place[place->component] = k;
    self->count++;
}

bool tact_baraff_clamp(TactBaraff *self, int item, int component)
{
    int             k = self->count;
    TactBaraffPlace place = {item, component};
    if (k == self->capacity) {
        return false;
    }
    append_vectors(self, &place);
    const double *row = self->rows + (size_t)k * (size_t)self->length;
    const double *column = self->columns + (size_t)k * (size_t)self->length;
    const double *h = self->g;
    bool          symmetric = !is_coupled(self, &place) && is_symmetric(self);
    tact_baraff_products(self, self->rows, item, column, self->g);
    if (!symmetric) {
        tact_baraff_products(self, self->columns, item, row, self->h);
        h = self->h;
    }
    memset(self->x, 0, (size_t)k * sizeof(double));
    tact_exchange_solve(k, self->T, self->ld, self->g, self->x);
    double diagonal = tact_baraff_dot(self, item, row, column) + softness(self, &place, &place);
    double pivot = diagonal, summed = 1 + fabs(diagonal);
    for (int j = 0; j < k; j++) {
        pivot += h[j] * self->x[j];
        summed += fabs(h[j] * self->x[j]);
    }
    if (!(fabs(pivot) > DEPENDENT * summed)) {
        return false;
    }
    grow_block(self, &place, symmetric, pivot);
    return true;
}

bool tact_baraff_clamp_driven(TactBaraff *self, const TactBaraffPlace *place, double sign)
{
    int k = self->count;
    if (k == self->capacity) {
        return false;
    }
    double pivot = sign * tact_baraff_kept(self, place, self->da, self->dp);
    double summed = self->change_of[tact_baraff_group(self, place->item)];
    if (!(fabs(pivot) > DEPENDENT * summed)) {
        return false;
    }
    bool symmetric = !is_coupled(self, place) && is_symmetric(self);
    append_vectors(self, place);
    if (!symmetric) {
        tact_baraff_products(self, self->columns, place->item,
                             self->rows + (size_t)k * (size_t)self->length, self->h);
    }
    for (int j = 0; j < k; j++) {
        self->x[j] = sign * self->df[j];
    }
    grow_block(self, place, symmetric, pivot);
    return true;
}

void tact_baraff_list(TactBaraff *self, int item, int component)
{
    if (self->count < self->capacity) {
        self->items[item].place[component] = self->count;
        self->places[self->count++] = (TactBaraffPlace){item, component};
    }
}

void tact_baraff_unlist(TactBaraff *self, int item, int component)
{
    int    k = self->items[item].place[component];
    int    last = self->count - 1;
    size_t n = (size_t)self->length;
    memmove(self->rows + (size_t)k * n, self->rows + (size_t)last * n, n * sizeof(double));
    memmove(self->columns + (size_t)k * n, self->columns + (size_t)last * n, n * sizeof(double));
    self->places[k] = self->places[last];
    self->items[self->places[k].item].place[self->places[k].component] = k;
    self->items[item].place[component] = -1;
    self->count--;
}

void tact_baraff_refresh(TactBaraff *self)
{
    for (int k = 0; k < self->count; k++) {
        const TactBaraffPlace *place = &self->places[k];
        size_t                 at = (size_t)k * (size_t)self->length;
        tact_baraff_row(self, place->item, place->component, self->rows + at);
        tact_baraff_column(self, place->item, place->component, self->columns + at);
    }
}

bool tact_baraff_release(TactBaraff *self, int item, int component)
{
    int k = self->items[item].place[component];
    // X_kk is the ratio of the determinants after and before.
    double pivot = self->T[(size_t)k * (self->ld + 1)];
    double largest = 0;
    for (int c = 0; c < self->count; c++) {
        largest = fmax(largest, fabs(self->T[(size_t)k * self->ld + (size_t)c]));
    }
    bool good = fabs(pivot) > DEPENDENT * largest;
    if (good) {
        tact_exchange_shrink(self->count, self->T, self->ld, k, k);
    }
    tact_baraff_unlist(self, item, component);
    return good || tact_baraff_rebuild(self);
}

bool tact_baraff_recouple(TactBaraff *self, int item)
{
    int k = self->items[item].place[TACT_BARAFF_N];
    if (k < 0) {
        return true;
    }
    double *column = self->columns + (size_t)k * (size_t)self->length;
    tact_baraff_column(self, item, TACT_BARAFF_N, column);
    tact_baraff_products(self, self->rows, item, column, self->g);
    self->g[k] += softness(self, &self->places[k], &self->places[k]);
    memset(self->x, 0, (size_t)self->count * sizeof(double));
    tact_exchange_solve(self->count, self->T, self->ld, self->g, self->x);
    double largest = 0;
    for (int c = 0; c < self->count; c++) {
        largest = fmax(largest, fabs(self->x[c]));
    }
    if (!(fabs(self->x[k]) > DEPENDENT * largest)) {
        return tact_baraff_rebuild(self);
    }
    tact_exchange_column(self->count, self->T, self->ld, self->x, k);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Anew

/// K', so that its inverse is T.
static void assemble_block(TactBaraff *self)
{
    for (int j = 0; j < self->count; j++) {
        const TactBaraffPlace *place = &self->places[j];
        double                *out = self->K + (size_t)j * self->ld;
        tact_baraff_products(self, self->rows, place->item,
                             self->columns + (size_t)j * (size_t)self->length, out);
        for (int i = 0; i < self->count; i++) {
            out[i] += softness(self, &self->places[i], place);
        }
    }
}

/// One component after the other; those that depend on earlier ones are left out.
static bool grow_anew(TactBaraff *self)
{
    int  count = self->count;
    bool all = true;
    for (int k = 0; k < count; k++) {
        self->items[self->places[k].item].place[self->places[k].component] = -1;
    }
    self->count = 0;
    for (int k = 0; k < count; k++) {
        TactBaraffPlace place = self->places[k];
        if (!tact_baraff_clamp(self, place.item, place.component)) {
            all = false;
            if (place.component == TACT_BARAFF_N) {
                self->items[place.item].normal = TACT_BARAFF_IGNORED;
                self->given_up++;
            }
        }
    }
    return all;
}

bool tact_baraff_rebuild(TactBaraff *self)
{
    int n = self->count, ld = (int)self->ld;
    self->report->refactors++;
    assemble_block(self);
    if (tact_lu_factor(n, self->K, ld, self->perm, DEPENDENT) >= 0) {
        return grow_anew(self);
    }
    tact_lu_invert(n, self->K, ld, self->perm, self->T, ld);
    return true;
}
