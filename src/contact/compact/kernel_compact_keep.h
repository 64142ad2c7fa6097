// A basis that is given: its values by one small factor, and a look at all rows.
//
// lambda_i is basic where gamma_i = 0, and with phi_ia the first basic phi of that contact
//
//     phi_ia = mu_i theta_i - sum_b phi_ib ,   lambda_i = -d_ia' v
//
// are known from the others. What is left are theta_i, along n_i + mu_i d_ia, with the row n_i' v,
// and phi_ib, along d_ib - d_ia, with the row (d_ib - d_ia)' v: motions of six degrees of freedom,
// so that more than six of them have no answer. Without lambda_i, d_ia is 0 in both.
#ifndef TACT_CONTACT_COMPACT_KERNEL_COMPACT_KEEP_H
#define TACT_CONTACT_COMPACT_KERNEL_COMPACT_KEEP_H

#include "contact/compact/kernel_compact_column.h"
#include "contact/pivot_rules.h"

// One that is this large is taken without a look at the others.
static const double LARGE_ENOUGH = 0.05;

/// What is left of a basis.
typedef struct Left {
    TactCompact *c;
    int          count;
    int          active[TACT_COMPACT_DOF];         // of an unknown
    int          phi[TACT_COMPACT_DOF];            // which of the contact's; -1: theta
    int          order[TACT_COMPACT_DOF];          // unknowns in the order of the pivots
    _Alignas(64) double push[TACT_COMPACT_DOF][8]; // motions of the unknowns
    _Alignas(64) double rows[TACT_COMPACT_DOF][8]; // motions of the rows: [dof][row]
    _Alignas(64) double offset[8];                 // of the rows
    _Alignas(64) double inverse[8][8];             // [row][position in order]
    _Alignas(64) double x[8];                      // values, in the order of the pivots
    _Alignas(64) double y[8];                      // their motion
    _Alignas(64) double miss[8];                   // values of the rows
    _Alignas(64) double tangents[2][TACT_COMPACT_DOF][TACT_KEPT_CONTACTS];
    _Alignas(64) double tangent_offset[2][TACT_KEPT_CONTACTS];
    _Alignas(64) double t[2][TACT_KEPT_CONTACTS]; // tangential velocities
} Left;

/// An unknown: its motion, and that of its row. false: there is no room.
VEC_LOOP bool add_unknown(Left *left, int active, int phi, const double push[6],
                          const double row[6], double offset)
{
    int u = left->count;
    if (u == TACT_COMPACT_DOF) {
        return false;
    }
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        left->push[u][s] = push[s];
        left->rows[s][u] = row[s];
    }
    left->push[u][6] = left->push[u][7] = 0;
    left->offset[u] = offset;
    left->active[u] = active;
    left->phi[u] = phi;
    left->order[u] = u;
    left->count++;
    return true;
}

/// The unknowns of a contact. false: a row has nothing in it, or there are too many.
VEC_LOOP bool add_active(Left *left, int active)
{
    const TactCompact *c = left->c;
    const TactKept    *kept = &c->kept;
    int                i = kept->item[active];
    double             scale = c->contacts.scale[i], mu = c->system->items[i].mu;
    const double      *n = c->contacts.columns + 3 * TACT_COMPACT_DOF * (size_t)i;
    const double      *t1 = n + TACT_COMPACT_DOF, *t2 = t1 + TACT_COMPACT_DOF;
    const double      *cosine = c->friction.cosine + (active << c->rows.shift),
                 *sine = c->friction.sine + (active << c->rows.shift);
    double row[TACT_COMPACT_DOF], push[TACT_COMPACT_DOF], a = 0, b = 0, o[3];
    if (kept->has_lambda[active]) {
        if (kept->phi_count[active] == 0) {
            return false;
        }
        a = cosine[kept->direction[active][0]];
        b = sine[kept->direction[active][0]];
    }
    for (int q = 0; q < 3; q++) {
        o[q] = c->contacts.offset[(size_t)q * c->contacts.offset_stride + (size_t)i];
    }
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        double along1 = scale * t1[s], along2 = scale * t2[s];
        left->tangents[0][s][active] = along1;
        left->tangents[1][s][active] = along2;
        row[s] = scale * n[s];
        push[s] = row[s] + mu * (a * along1 + b * along2);
    }
    left->tangent_offset[0][active] = o[1];
    left->tangent_offset[1][active] = o[2];
    if (kept->has_theta[active] && !add_unknown(left, active, -1, push, row, o[0])) {
        return false;
    }
    for (int k = kept->has_lambda[active] ? 1 : 0; k < kept->phi_count[active]; k++) {
        double da = cosine[kept->direction[active][k]] - a,
               db = sine[kept->direction[active][k]] - b;
        for (int s = 0; s < TACT_COMPACT_DOF; s++) {
            row[s] = scale * (da * t1[s] + db * t2[s]);
        }
        if (!add_unknown(left, active, k, row, row, da * o[1] + db * o[2])) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Factor

/// The unknown that row j is solved for: its own unless that is small. -1: all are.
VEC_LOOP int choose_unknown(const Left *left, int j)
{
    double most = fabs(left->inverse[j][j]);
    int    best = j;
    for (int u = j + 1; u < left->count && most < LARGE_ENOUGH; u++) {
        double size = fabs(left->inverse[u][j]);
        best = size > most ? u : best;
        most = size > most ? size : most;
    }
    return most > TACT_PIVOT_SINGULAR ? best : -1;
}

VEC_LOOP void exchange_unknowns(Left *left, int j, int best)
{
    int other = left->order[j];
    left->order[j] = left->order[best];
    left->order[best] = other;
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        TactVec row = VEC_AT(left->inverse[best] + p);
        VEC_PUT(left->inverse[best] + p) = VEC_AT(left->inverse[j] + p);
        VEC_PUT(left->inverse[j] + p) = row;
    }
}

/// The inverse of the matrix of what is left, transposed, in place by Gauss and Jordan. false: it
/// is singular.
VEC_LOOP bool invert_left(Left *left)
{
    TactVec one = VEC_ALL(1.0), none = VEC_ALL(0.0);
    for (int u = 0; u < left->count; u++) {
        for (int p = 0; p < 8; p += TACT_WIDTH) {
            VEC_PUT(left->inverse[u] + p) = VEC_MOTION(left->push[u], left->rows[0], 8, p);
        }
    }
    for (int j = 0; j < left->count; j++) {
        int best = choose_unknown(left, j);
        if (best < 0) {
            return false;
        }
        if (best != j) {
            exchange_unknowns(left, j, best);
        }
        double  by = 1 / left->inverse[j][j], factor[TACT_COMPACT_DOF];
        TactVec own = VEC_ALL((double)j);
        for (int u = 0; u < left->count; u++) {
            factor[u] = left->inverse[u][j];
        }
        for (int p = 0; p < 8; p += TACT_WIDTH) {
            TactMaskOf here = VEC_EQUAL(VEC_NUMBERS + p, own);
            TactVec    pivot = by * VEC_SELECT(here, one, VEC_AT(left->inverse[j] + p));
            for (int u = 0; u < left->count; u++) {
                double *row = left->inverse[u] + p;
                VEC_PUT(row) = VEC_SELECT(here, none, VEC_AT(row)) - factor[u] * pivot;
            }
            VEC_PUT(left->inverse[j] + p) = pivot;
        }
    }
    return true;
}

/// x -= K^-1 miss, and what the rows are then. Returns the largest of them.
VEC_LOOP double step_left(Left *left)
{
    TactVec off = VEC_ALL(0.0);
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        TactVec x = VEC_AT(left->x + p);
        for (int r = 0; r < left->count; r++) {
            x -= left->miss[r] * VEC_AT(left->inverse[r] + p);
        }
        VEC_PUT(left->x + p) = x;
    }
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        TactVec y = VEC_ALL(0.0);
        for (int u = 0; u < left->count; u++) {
            y += left->x[u] * VEC_AT(left->push[left->order[u]] + p);
        }
        VEC_PUT(left->y + p) = y;
    }
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        TactVec miss = VEC_AT(left->offset + p) + VEC_MOTION(left->y, left->rows[0], 8, p);
        TactVec size = VEC_ABS(miss);
        VEC_PUT(left->miss + p) = miss;
        off = VEC_MAX(size, off);
    }
    return VEC_LARGEST(off);
}

/// Values of what is left. false: there are none.
VEC_LOOP bool solve_left(Left *left)
{
    TactKept *kept = &left->c->kept;
    if (!invert_left(left)) {
        return false;
    }
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        VEC_PUT(left->x + p) = VEC_ALL(0.0);
        VEC_PUT(left->miss + p) = VEC_AT(left->offset + p);
    }
    double off = step_left(left);
    for (int pass = 0; pass < 2 && !(off <= TACT_PIVOT_REFINED); pass++) {
        off = step_left(left);
    }
    for (int active = 0; active < kept->actives; active++) {
        kept->theta[active] = 0;
    }
    for (int p = 0; p < left->count; p++) {
        int u = left->order[p], active = left->active[u];
        if (left->phi[u] < 0) {
            kept->theta[active] = left->x[p];
        } else {
            kept->phi[active][left->phi[u]] = left->x[p];
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Look at all rows

/// What a look finds.
typedef struct Look {
    double off;   // largest |value| of a non-basic row
    double low;   // lowest value of what may not be negative, 0 at most
    double large; // largest |value| of an unknown
    double sum;   // NaN if there is one
} Look;

VEC_LOOP void see_unknown(Look *seen, double x)
{
    seen->low = x < seen->low ? x : seen->low;
    seen->large = fabs(x) > seen->large ? fabs(x) : seen->large;
    seen->sum += 0.0 * x;
}

VEC_LOOP void see_row(Look *seen, double value)
{
    seen->off = fabs(value) > seen->off ? fabs(value) : seen->off;
    seen->sum += 0.0 * value;
}

/// nu of all contacts.
VEC_LOOP void see_normals(const Left *left, Look *seen)
{
    TactCompact *c = left->c;
    TactVec      low = VEC_ALL(0.0), sum = low, none = low;
    for (int i = 0; i < c->rows.gamma; i += TACT_WIDTH) {
        TactVec value = VEC_AT(c->contacts.offset + i) +
                        VEC_MOTION(left->y, c->contacts.normals, (size_t)c->rows.gamma, i);
        VEC_PUT(c->rows.value + i) = value;
        low = VEC_MIN(value, low);
        sum += 0.0 * value;
    }
    sum = VEC_SELECT(VEC_SAME(sum, none), none, VEC_ALL(1.0));
    seen->low = VEC_LEAST(low);
    seen->sum = VEC_LARGEST(sum) > 0 ? NAN : 0;
}

/// The unknowns of a contact, its sigma and gamma. Those beyond its directions are lambda.
VEC_LOOP void see_active(const Left *left, int active, Look *seen)
{
    TactCompact  *c = left->c;
    TactKept     *kept = &c->kept;
    int           i = kept->item[active], d = c->system->items[i].directions;
    const double *cosine = c->friction.cosine + (active << c->rows.shift),
                 *sine = c->friction.sine + (active << c->rows.shift);
    double t1 = left->t[0][active], t2 = left->t[1][active];
    double gamma = c->system->items[i].mu * kept->theta[active], lambda = 0;
    see_unknown(seen, kept->theta[active]);
    if (kept->has_theta[active]) {
        see_row(seen, c->rows.value[i]);
    }
    for (int k = kept->has_lambda[active] ? 1 : 0; k < kept->phi_count[active]; k++) {
        gamma -= kept->phi[active][k];
    }
    if (kept->has_lambda[active]) {
        int j = kept->direction[active][0];
        kept->phi[active][0] = gamma;
        lambda = -(t1 * cosine[j] + t2 * sine[j]);
        see_unknown(seen, lambda);
    }
    see_unknown(seen, gamma);
    for (int k = 0; k < kept->phi_count[active]; k++) {
        int j = kept->direction[active][k];
        see_unknown(seen, kept->phi[active][k]);
        see_row(seen, (t1 * cosine[j] + t2 * sine[j]) + lambda);
    }
    TactVec low = VEC_ALL(0.0);
    for (int j = 0; j < d; j += TACT_WIDTH) {
        TactVec value = (t1 * VEC_AT(cosine + j) + t2 * VEC_AT(sine + j)) + lambda;
        low = VEC_MIN(value, low);
    }
    double lowest = VEC_LEAST(low);
    seen->low = lowest < seen->low ? lowest : seen->low;
}

/// Values of the basis, each unknown against its own row. Are they right?
VEC_LOOP bool keep_compact(TactCompact *c, double accurate)
{
    Left left;
    left.c = c;
    left.count = 0;
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        VEC_PUT(left.offset + p) = VEC_ALL(0.0);
        VEC_PUT(left.tangent_offset[0] + p) = VEC_ALL(0.0);
        VEC_PUT(left.tangent_offset[1] + p) = VEC_ALL(0.0);
        for (int s = 0; s < TACT_COMPACT_DOF; s++) {
            VEC_PUT(left.rows[s] + p) = VEC_ALL(0.0);
            VEC_PUT(left.tangents[0][s] + p) = VEC_ALL(0.0);
            VEC_PUT(left.tangents[1][s] + p) = VEC_ALL(0.0);
        }
    }
    for (int active = 0; active < c->kept.actives; active++) {
        if (!add_active(&left, active)) {
            return false;
        }
    }
    if (!solve_left(&left)) {
        return false;
    }
    for (int q = 0; q < 2; q++) {
        for (int p = 0; p < TACT_KEPT_CONTACTS; p += TACT_WIDTH) {
            VEC_PUT(left.t[q] + p) = VEC_AT(left.tangent_offset[q] + p) +
                                     VEC_MOTION(left.y, left.tangents[q][0], TACT_KEPT_CONTACTS, p);
        }
    }
    Look seen = {0};
    see_normals(&left, &seen);
    for (int active = 0; active < c->kept.actives; active++) {
        see_active(&left, active, &seen);
    }
    double share = TACT_PIVOT_ERROR_SHARE * seen.large;
    double scale = share > 1 ? share : 1; // as tact_kernel_error() has it
    double error = seen.off > -seen.low ? seen.off : -seen.low;
    return error <= accurate * scale && seen.sum == 0;
}

#endif
