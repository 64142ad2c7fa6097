// Sharing among contacts that resist spinning or rolling, or have two coefficients: the expanded
// problem, what the state of each disc allows, and the items of a patch together.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "contact/certificate/certificate.h"
#include "contact/share/share.h"

enum { PARTS = TACT_SHARE_PARTS, MOST = TACT_DISC_MOST };

// ---------------------------------------------------------------------------------------------
// The expanded problem

TactStatus tact_share_expand(TactShare *share, const TactContactProblem *problem)
{
    TactShareExpanded *expanded = &share->expanded;
    tact_patch_expand(&expanded->patches, problem);
    TACT_TRY(tact_system_build(&share->own, &expanded->patches.problem, false));
    tact_disc_link_build_bare(&expanded->link, &share->own, &expanded->patches);
    share->asked = problem;
    share->problem = &expanded->patches.problem;
    return TACT_OK;
}

void tact_share_take(TactShare *share, const TactContactAnswer *answer)
{
    TactShareExpanded *expanded = &share->expanded;
    TactContactAnswer  wide = tact_patch_answer(&expanded->patches, answer, NULL);
    tact_patch_take(&expanded->patches, answer, &wide);
    for (int i = 0; i < share->own.item_count; i++) {
        const TactItem *item = &share->own.items[i];
        double         *p = expanded->p + 3 * (size_t)i;
        p[0] = p[1] = p[2] = 0;
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(p, wide.impulse + 3 * (size_t)item->source, 3 * sizeof(double));
        } else {
            p[item->kind == TACT_ITEM_MOTOR ? 1 : 0] = wide.row_impulse[item->source];
        }
    }
    if (share->problem->W) {
        tact_defect_correct(&share->own, share->problem, expanded->p);
        tact_disc_link_offsets(&expanded->link, &share->own);
    }
    tact_disc_link_take(&expanded->link, expanded->p);
    memcpy(share->given.start, expanded->link.p,
           3 * (size_t)share->system->item_count * sizeof(double));
}

void tact_share_give(TactShare *share)
{
    TactShareExpanded *expanded = &share->expanded;
    TactContactAnswer  wide = {.impulse = share->found.impulse,
                               .row_impulse = share->found.row_impulse,
                               .velocity = share->found.velocity};
    TactContactAnswer  given = {.impulse = share->found.impulse, .moment = share->found.moment};
    memcpy(expanded->link.p, share->found.p,
           3 * (size_t)share->system->item_count * sizeof(double));
    tact_disc_link_give(&expanded->link, &share->own, expanded->p);
    tact_system_answer(&share->own, share->problem, expanded->p, &wide);
    tact_patch_give(&expanded->patches, &wide, &given);
}

// ---------------------------------------------------------------------------------------------
// What a state allows

bool tact_share_is_patch(const TactShare *share, int i)
{
    const TactItem *item = &share->system->items[i];
    if (share->problem == share->asked || item->kind != TACT_ITEM_CONTACT) {
        return false;
    }
    const int *disc_of = share->expanded.link.disc_of + item->source;
    return disc_of[0] < disc_of[1];
}

/// What is known of a disc: x = p / mu, y = mu u, and what y is rounded against.
typedef struct Known {
    double x[MOST], y[MOST], speed, motion;
} Known;

static Known know(const TactShare *share, const TactSharePatch *patch, int i, const TactDisc *disc,
                  const TactShareDisc *set)
{
    Known known = {.speed = 0};
    for (int k = 0; k < disc->dim; k++) {
        int    part = set->at[k];
        size_t at = 3 * (size_t)(i + patch->entry[part]) + (size_t)patch->component[part];
        double mu = disc->mu[k];
        known.x[k] = share->given.start[at] / mu;
        known.y[k] = mu * share->given.u[at];
        known.speed += known.y[k] * known.y[k];
        known.motion = tact_larger(known.motion, mu * share->given.motion[at]);
    }
    known.speed = sqrt(known.speed);
    return known;
}

/// Is x, over the load, within a part of it of the segment from a to b, or of the point a?
static bool is_near(int dim, const double *x, double load, const double *a, const double *b,
                    double part)
{
    double length = 0, along = 0, miss = 0;
    for (int k = 0; k < dim && b; k++) {
        length += (b[k] - a[k]) * (b[k] - a[k]);
        along += (b[k] - a[k]) * (x[k] - load * a[k]);
    }
    double where = b ? fmax(0, fmin(load, along / length)) : 0;
    for (int k = 0; k < dim; k++) {
        double off = x[k] - load * a[k] - (b ? where * (b[k] - a[k]) : 0);
        miss += off * off;
    }
    return miss <= part * part * load * load;
}

static void corner_of(const TactShareDisc *set, int j, double c[2])
{
    double angle = set->turn + 2 * 3.14159265358979323846 * j / set->directions;
    c[0] = cos(angle);
    c[1] = sin(angle);
}

/// The corner that takes most out of the motion, or an edge that lies across it; of a disc of one
/// dimension the side against it. a, b in the coordinates x.
static void move_on_corners(const Known *known, double rounding, TactShareDisc *set)
{
    double most = -INFINITY, second = -INFINITY, c[2];
    int    best = 0;
    if (set->dim == 1) {
        set->a[0] = known->y[0] < 0 ? 1 : -1;
        return;
    }
    for (int j = 0; j < set->directions; j++) {
        corner_of(set, j, c);
        double work = -(c[0] * known->y[0] + c[1] * known->y[1]);
        best = work > most ? j : best;
        most = fmax(most, work);
    }
    corner_of(set, best, set->a);
    for (int side = -1; side <= 1; side += 2) {
        corner_of(set, best + side, c);
        double work = -(c[0] * known->y[0] + c[1] * known->y[1]);
        if (work > second) {
            second = work;
            memcpy(set->b, c, sizeof c);
        }
    }
    set->kind = most - second <= rounding ? TACT_SHARE_DISC_SEGMENT : TACT_SHARE_DISC_POINT;
}

/// The set of a disc that moves. false: the impulse is nowhere near.
static bool move_disc(const Known *known, double rounding, double load, bool loaded, bool pyramid,
                      TactShareDisc *set)
{
    set->kind = TACT_SHARE_DISC_POINT;
    if (pyramid) {
        move_on_corners(known, rounding, set);
    } else {
        for (int k = 0; k < set->dim; k++) {
            set->a[k] = -known->y[k] / known->speed;
        }
    }
    if (!loaded) {
        return true;
    }
    bool edge = set->kind == TACT_SHARE_DISC_SEGMENT;
    if (pyramid && set->dim == 2 && !edge &&
        !is_near(2, known->x, load, set->a, NULL, TACT_SHARE_EXACT)) {
        edge = true; // the edge beside it that is nearer to being across
        set->kind = TACT_SHARE_DISC_SEGMENT;
    }
    if (!is_near(set->dim, known->x, load, set->a, edge ? set->b : NULL, TACT_SHARE_NEAR)) {
        return false;
    }
    for (int k = 0; k < set->dim && !edge; k++) { // the impulse says it more exactly
        set->a[k] = known->x[k] / load;
    }
    return true;
}

/// From x over the load to the units of the norm.
static void scale_disc(TactShareDisc *set)
{
    for (int k = 0; k < set->dim; k++) {
        set->a[k] *= set->axis[k];
        set->b[k] *= set->axis[k];
    }
}

/// The set of a disc; false: its friction is what it is, though it may not.
static bool allow_disc(const TactShare *share, TactSharePatch *patch, int i, const TactDisc *disc,
                       bool loaded)
{
    int            place = 0;
    TactShareDisc *set = &patch->discs[patch->disc_count++];
    bool           pyramid = share->cone != TACT_CONE_CIRCLE && disc->dim <= 2;
    double         moves = share->strict ? TACT_SHARE_STRICTLY : TACT_SHARE_MOVES;
    const int     *moment = share->expanded.patches.moment[disc->contact];
    *set = (TactShareDisc){.dim = disc->dim, .directions = disc->directions, .turn = disc->turn};
    for (int k = 0; k < disc->dim; k++) {
        place = disc->place[k];
        bool slides = place / 3 == disc->contact;
        set->at[k] = slides ? place % 3 : place == moment[0] ? 3 : place == moment[1] ? 4 : 5;
        set->axis[k] = slides ? disc->mu[k] : 1;
    }
    Known  known = know(share, patch, i, disc, set);
    double load = share->given.start[3 * (size_t)i];
    set->kind = pyramid && disc->dim == 2 ? TACT_SHARE_DISC_CORNERS : TACT_SHARE_DISC_ROUND;
    if (!(known.speed > moves * known.motion)) {
        return true;
    }
    TactShareDisc holds = *set;
    if (!move_disc(&known, moves * known.motion, load, loaded, pyramid, set)) {
        // Friction within its bound at a contact that creeps: it holds but for the tolerance.
        *set = holds;
        return !share->strict && known.speed <= TACT_SHARE_CREEPS * known.motion;
    }
    scale_disc(set);
    return true;
}

/// Plain sliding of a contact with moments, as a disc.
static TactDisc sliding_of(const TactContact *contact, const TactItem *item)
{
    return (TactDisc){.part = TACT_DISC_SLIDE,
                      .contact = item->source,
                      .dim = 2,
                      .place = {3 * item->source + 1, 3 * item->source + 2},
                      .mu = {item->mu, item->mu},
                      .directions = contact->directions > 0 ? contact->directions : 8,
                      .turn = contact->turn};
}

static void number_parts(const TactShare *share, int i, TactSharePatch *patch)
{
    const TactItem *item = &share->system->items[i];
    for (int k = 0; k < PARTS; k++) {
        patch->unit[k] = 1;
        patch->entry[k] = k < 3 ? 0 : -1;
        patch->component[k] = k;
    }
    for (int m = 1; m <= item->moments; m++) {
        const TactContact *contact = &share->problem->contacts[item->source];
        bool               spin = m == 1 && contact->mu_spin > 0;
        for (int k = spin ? 3 : 4; k < (spin ? 4 : 6); k++) {
            patch->entry[k] = m;
            patch->component[k] = spin ? 1 : k - 3;
            patch->unit[k] = item[m].mu;
        }
    }
}

void tact_share_list_patch(TactShare *share, int i, double largest)
{
    TactShareExpanded *expanded = &share->expanded;
    const TactItem    *item = &share->system->items[i];
    const TactContact *contact = &share->problem->contacts[item->source];
    TactSharePatch    *patch = &expanded->sets[expanded->count];
    double             load = share->given.start[3 * (size_t)i];
    bool               loaded = load / item->scale > TACT_SHARE_LOADED * largest, allowed = true;
    double             moves = share->strict ? TACT_SHARE_STRICTLY : TACT_SHARE_MOVES;
    *patch = (TactSharePatch){.soft = item->compliance > 0, .normal = load};
    if (share->given.u[3 * (size_t)i] > moves * share->given.motion[3 * (size_t)i] ||
        (patch->soft && !loaded)) {
        return;
    }
    number_parts(share, i, patch);
    if (!expanded->patches.own[item->source] && item->mu > 0) {
        TactDisc sliding = sliding_of(contact, item);
        allowed = allow_disc(share, patch, i, &sliding, loaded);
    }
    for (int d = expanded->link.disc_of[item->source];
         d < expanded->link.disc_of[item->source + 1] && allowed; d++) {
        allowed = allow_disc(share, patch, i, &expanded->patches.discs[d], loaded);
    }
    if (!allowed) {
        return;
    }
    for (int m = 0; m <= item->moments; m++) {
        share->active[share->count++] = (TactShareItem){.item = i + m,
                                                        .patch = m == 0 ? expanded->count : -1,
                                                        .moments = m == 0 ? item->moments : 0};
    }
    expanded->count++;
}

// ---------------------------------------------------------------------------------------------
// The items of a patch together

int tact_share_count_patch(const TactShare *share, const TactShareItem *item,
                           TactShareColumn *columns)
{
    const TactSharePatch *patch = &share->expanded.sets[item->patch];
    double                V[PARTS * PARTS], q[PARTS], basis[PARTS][PARTS];
    int                   count = 0;
    tact_share_hull_patch(patch, V, q);
    // V projects onto the hull: the columns of it that are independent.
    for (int k = 0; k < PARTS; k++) {
        double left[PARTS], square = 0;
        for (int r = 0; r < PARTS; r++) {
            left[r] = V[PARTS * r + k];
        }
        for (int b = 0; b < count; b++) {
            double along = 0;
            for (int r = 0; r < PARTS; r++) {
                along += basis[b][r] * left[r];
            }
            for (int r = 0; r < PARTS; r++) {
                left[r] -= along * basis[b][r];
            }
        }
        for (int r = 0; r < PARTS; r++) {
            square += left[r] * left[r];
        }
        if (square <= 1e-12) {
            continue;
        }
        columns[count] = (TactShareColumn){.item = item->item, .count = 1 + item->moments};
        for (int r = 0; r < PARTS; r++) {
            basis[count][r] = left[r] / sqrt(square);
            if (patch->entry[r] >= 0) {
                columns[count].along[3 * patch->entry[r] + patch->component[r]] =
                    basis[count][r] * patch->unit[r];
            }
        }
        count++;
    }
    return count;
}

/// Impulses of the items of a patch from q.
static void put_impulses(TactShareItem *a, const TactSharePatch *patch, const double *q)
{
    for (int m = 0; m <= a->moments; m++) {
        a[m].p[0] = a[m].p[1] = a[m].p[2] = 0;
    }
    for (int k = 0; k < PARTS; k++) {
        if (patch->entry[k] >= 0) {
            a[patch->entry[k]].p[patch->component[k]] = patch->unit[k] * q[k];
        }
    }
}

/// V of q to that of p.
static void put_slopes(TactSharePatch *patch, const double *V, bool *changed)
{
    for (int k = 0; k < PARTS * PARTS; k++) {
        double value = V[k] * patch->unit[k / PARTS] * patch->unit[k % PARTS];
        *changed = *changed || value != patch->V[k];
        patch->V[k] = value;
    }
}

void tact_share_move_patch(TactShare *share, int k, double (*z)[3], bool *changed)
{
    TactShareItem  *a = &share->active[k];
    TactSharePatch *patch = &share->expanded.sets[a->patch], set = *patch;
    double          at[PARTS] = {0}, q[PARTS], V[PARTS * PARTS];
    set.normal = share->dual.recedes ? 0 : patch->normal;
    for (int r = 0; r < PARTS; r++) {
        if (patch->entry[r] >= 0) {
            at[r] = z[patch->entry[r]][patch->component[r]] / patch->unit[r];
        }
    }
    tact_share_project_patch(&set, at, q, V);
    put_impulses(a, patch, q);
    put_slopes(patch, V, changed);
}

void tact_share_start_patch(TactShare *share, int k)
{
    TactShareItem  *a = &share->active[k];
    TactSharePatch *patch = &share->expanded.sets[a->patch], set = *patch;
    double          x[PARTS] = {0}, q[PARTS], V[PARTS * PARTS];
    bool            changed = false;
    set.normal = share->dual.recedes ? 0 : patch->normal;
    tact_share_hull_patch(&set, V, q);
    for (int r = 0; r < PARTS; r++) {
        if (patch->entry[r] >= 0) {
            x[r] = a[patch->entry[r]].centre[patch->component[r]] / patch->unit[r];
        }
    }
    for (int r = 0; r < PARTS * PARTS; r++) {
        q[r / PARTS] += V[r] * x[r % PARTS];
    }
    put_impulses(a, patch, q);
    put_slopes(patch, V, &changed);
}

void tact_share_assemble_patch(const TactShare *share, int k, int size, double *sum)
{
    const TactShareItem  *a = &share->active[k];
    const TactSharePatch *patch = &share->expanded.sets[a->patch];
    const TactSystem     *system = share->system;
    const double         *column[PARTS] = {NULL};
    for (int r = 0; r < PARTS; r++) {
        if (patch->entry[r] >= 0) {
            int item = a->item + patch->entry[r];
            column[r] =
                system->columns + system->column[item] + (size_t)patch->component[r] * (size_t)size;
        }
    }
    for (int r = 0; r < size; r++) {
        double f[PARTS] = {0}; // row r of C V
        for (int i = 0; i < PARTS; i++) {
            for (int j = 0; j < PARTS && column[i]; j++) {
                f[j] += column[i][r] * patch->V[PARTS * i + j];
            }
        }
        for (int j = 0; j < PARTS; j++) {
            for (int s = 0; s < size && column[j] && f[j] != 0; s++) {
                sum[r * size + s] += f[j] * column[j][s];
            }
        }
    }
}
