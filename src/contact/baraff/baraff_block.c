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
    for (int k = 0; k < self->block.count; k++) {
        if (is_coupled(self, &self->block.places[k])) {
            return false;
        }
    }
    return true;
}

/// Row and column of a component after the last ones; the row is that of places[count].
static void append_vectors(TactBaraff *self, const TactBaraffPlace *place)
{
    size_t  at = (size_t)self->block.count * (size_t)self->block.length;
    double *row = self->block.rows + at, *column = self->block.columns + at;
    tact_baraff_row(self, place->item, place->component, row);
    if (is_coupled(self, place)) {
        tact_baraff_column(self, place->item, place->component, column);
    } else {
        memcpy(column, row, (size_t)self->block.length * sizeof(double));
    }
}

/// The block gains the component of the last vectors: x = -K^-1 g, s its pivot.
static void grow_block(TactBaraff *self, const TactBaraffPlace *place, bool symmetric, double s)
{
    int k = self->block.count;
    if (symmetric) {
        for (int j = 0; j < k; j++) {
            self->block.u[j] = -self->block.x[j];
        }
    } else {
        tact_exchange_row_product(k, self->block.T, self->block.ld, self->block.h, self->block.u);
    }
    tact_exchange_grow(k, self->block.T, self->block.ld, self->block.x, self->block.u, s);
    self->block.places[k] = *place;
    self->items[place->item].place[place->component] = k;
    self->block.count++;
}

bool tact_baraff_clamp(TactBaraff *self, int item, int component)
{
    int             k = self->block.count;
    TactBaraffPlace place = {item, component};
    if (k == self->block.capacity) {
        return false;
    }
    append_vectors(self, &place);
    const double *row = self->block.rows + (size_t)k * (size_t)self->block.length;
    const double *column = self->block.columns + (size_t)k * (size_t)self->block.length;
    const double *h = self->block.g;
    bool          symmetric = !is_coupled(self, &place) && is_symmetric(self);
    tact_baraff_products(self, self->block.rows, item, column, self->block.g);
    if (!symmetric) {
        tact_baraff_products(self, self->block.columns, item, row, self->block.h);
        h = self->block.h;
    }
    memset(self->block.x, 0, (size_t)k * sizeof(double));
    tact_exchange_solve(k, self->block.T, self->block.ld, self->block.g, self->block.x);
    double diagonal = tact_baraff_dot(self, item, row, column) + softness(self, &place, &place);
    double pivot = diagonal, summed = 1 + fabs(diagonal);
    for (int j = 0; j < k; j++) {
        pivot += h[j] * self->block.x[j];
        summed += fabs(h[j] * self->block.x[j]);
    }
    if (!(fabs(pivot) > DEPENDENT * summed)) {
        return false;
    }
    grow_block(self, &place, symmetric, pivot);
    return true;
}

bool tact_baraff_clamp_driven(TactBaraff *self, const TactBaraffPlace *place, double sign)
{
    int k = self->block.count;
    if (k == self->block.capacity) {
        return false;
    }
    double pivot = sign * tact_baraff_kept(self, place, self->da, self->dp);
    double summed = self->motion.change_of[tact_baraff_group(self, place->item)];
    if (!(fabs(pivot) > DEPENDENT * summed)) {
        return false;
    }
    bool symmetric = !is_coupled(self, place) && is_symmetric(self);
    append_vectors(self, place);
    if (!symmetric) {
        tact_baraff_products(self, self->block.columns, place->item,
                             self->block.rows + (size_t)k * (size_t)self->block.length,
                             self->block.h);
    }
    for (int j = 0; j < k; j++) {
        self->block.x[j] = sign * self->block.df[j];
    }
    grow_block(self, place, symmetric, pivot);
    return true;
}

void tact_baraff_list(TactBaraff *self, int item, int component)
{
    if (self->block.count < self->block.capacity) {
        self->items[item].place[component] = self->block.count;
        self->block.places[self->block.count++] = (TactBaraffPlace){item, component};
    }
}

void tact_baraff_unlist(TactBaraff *self, int item, int component)
{
    int    k = self->items[item].place[component];
    int    last = self->block.count - 1;
    size_t n = (size_t)self->block.length;
    memmove(self->block.rows + (size_t)k * n, self->block.rows + (size_t)last * n,
            n * sizeof(double));
    memmove(self->block.columns + (size_t)k * n, self->block.columns + (size_t)last * n,
            n * sizeof(double));
    self->block.places[k] = self->block.places[last];
    self->items[self->block.places[k].item].place[self->block.places[k].component] = k;
    self->items[item].place[component] = -1;
    self->block.count--;
}

void tact_baraff_refresh(TactBaraff *self)
{
    for (int k = 0; k < self->block.count; k++) {
        const TactBaraffPlace *place = &self->block.places[k];
        size_t                 at = (size_t)k * (size_t)self->block.length;
        tact_baraff_row(self, place->item, place->component, self->block.rows + at);
        tact_baraff_column(self, place->item, place->component, self->block.columns + at);
    }
}

bool tact_baraff_release(TactBaraff *self, int item, int component)
{
    int k = self->items[item].place[component];
    // X_kk is the ratio of the determinants after and before.
    double pivot = self->block.T[(size_t)k * (self->block.ld + 1)];
    double largest = 0;
    for (int c = 0; c < self->block.count; c++) {
        largest = fmax(largest, fabs(self->block.T[(size_t)k * self->block.ld + (size_t)c]));
    }
    bool good = fabs(pivot) > DEPENDENT * largest;
    if (good) {
        tact_exchange_shrink(self->block.count, self->block.T, self->block.ld, k, k);
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
    double *column = self->block.columns + (size_t)k * (size_t)self->block.length;
    tact_baraff_column(self, item, TACT_BARAFF_N, column);
    tact_baraff_products(self, self->block.rows, item, column, self->block.g);
    self->block.g[k] += softness(self, &self->block.places[k], &self->block.places[k]);
    memset(self->block.x, 0, (size_t)self->block.count * sizeof(double));
    tact_exchange_solve(self->block.count, self->block.T, self->block.ld, self->block.g,
                        self->block.x);
    double largest = 0;
    for (int c = 0; c < self->block.count; c++) {
        largest = fmax(largest, fabs(self->block.x[c]));
    }
    if (!(fabs(self->block.x[k]) > DEPENDENT * largest)) {
        return tact_baraff_rebuild(self);
    }
    tact_exchange_column(self->block.count, self->block.T, self->block.ld, self->block.x, k);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Anew

/// K', so that its inverse is T.
static void assemble_block(TactBaraff *self)
{
    for (int j = 0; j < self->block.count; j++) {
        const TactBaraffPlace *place = &self->block.places[j];
        double                *out = self->block.K + (size_t)j * self->block.ld;
        tact_baraff_products(self, self->block.rows, place->item,
                             self->block.columns + (size_t)j * (size_t)self->block.length, out);
        for (int i = 0; i < self->block.count; i++) {
            out[i] += softness(self, &self->block.places[i], place);
        }
    }
}

/// One component after the other; those that depend on earlier ones are left out.
static bool grow_anew(TactBaraff *self)
{
    int  count = self->block.count;
    bool all = true;
    for (int k = 0; k < count; k++) {
        self->items[self->block.places[k].item].place[self->block.places[k].component] = -1;
    }
    self->block.count = 0;
    for (int k = 0; k < count; k++) {
        TactBaraffPlace place = self->block.places[k];
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
    int n = self->block.count, ld = (int)self->block.ld;
    self->report->refactors++;
    assemble_block(self);
    if (tact_lu_factor(n, self->block.K, ld, self->block.perm, DEPENDENT) >= 0) {
        return grow_anew(self);
    }
    tact_lu_invert(n, self->block.K, ld, self->block.perm, self->block.T, ld);
    return true;
}
