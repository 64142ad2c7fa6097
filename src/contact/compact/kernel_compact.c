#include "contact/compact/kernel_compact.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "contact/compact/kernel_compact_active.h"
#include "contact/pivot/pivot.h"
#include "contact/pivot_rules.h"

double tact_compact_cover(int item)
{
    double part = (item + 1) * TACT_PIVOT_GOLDEN;
    return 1 + (TACT_PIVOT_COVER_NU_BODY - 1) * (part - floor(part));
}

enum { MAX_DIRECTIONS = 64 };

const double tact_compact_numbers[TACT_COMPACT_POSITIONS] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
    24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47};

void tact_compact_layout(TactCompact *compact, const TactContactCapacity *capacity,
                         TactArena *arena)
{
    size_t  contacts = ((size_t)capacity->contacts + 7) / 8 * 8;
    size_t  directions = TACT_COMPACT_ACTIVE * MAX_DIRECTIONS;
    size_t  rows = contacts + TACT_COMPACT_ACTIVE + directions;
    int    *active = tact_arena_take(arena, contacts, sizeof(int));
    double *cover = tact_arena_take(arena, contacts, sizeof(double));
    double *value = tact_arena_take(arena, rows, sizeof(double));
    double *rate = tact_arena_take(arena, rows, sizeof(double));
    double *nonbasic = tact_arena_take(arena, rows, sizeof(double));
    int    *position = tact_arena_take(arena, rows, sizeof(int));
    double *cosine = tact_arena_take(arena, directions, sizeof(double));
    double *sine = tact_arena_take(arena, directions, sizeof(double));
    double *used = tact_arena_take(arena, directions, sizeof(double));
    double *base = tact_arena_take(arena, 2 * MAX_DIRECTIONS, sizeof(double));
    if (!arena->block) {
        return;
    }
    // The rest of it, 48 kB, is 0 as the arena gives it, and need not be touched before it is used.
    compact->contacts.active = active;
    compact->contacts.cover = cover;
    compact->rows.value = value;
    compact->rows.rate = rate;
    compact->rows.nonbasic = nonbasic;
    compact->rows.position = position;
    compact->friction.cosine = cosine;
    compact->friction.sine = sine;
    compact->friction.used = used;
    compact->friction.base = base;
    compact->lanes = tact_has_eight_lanes() ? 8 : 4;
    for (int p = 0; p < TACT_COMPACT_POSITIONS; p++) {
        compact->basis.blocks[p] = p == 0 ? 0 : 1;
        compact->basis.ones[p] = 1;
    }
}

bool tact_compact_takes(const TactSystem *system)
{
    int most_rows = TACT_COMPACT_POSITIONS + TACT_COMPACT_ACTIVE * (1 + MAX_DIRECTIONS);
    if (system->group_count != 1 || system->groups[0].size != TACT_COMPACT_DOF ||
        system->groups[0].stride + most_rows > TACT_COMPACT_ROWS) {
        return false;
    }
    for (int i = 0; i < system->item_count; i++) {
        if (system->items[i].kind != TACT_ITEM_CONTACT || system->items[i].compliance != 0) {
            return false;
        }
    }
    return true;
}

/// c_nu: the same numbers for every system.
static void put_cover(TactCompact *compact, int items)
{
    if (compact->contacts.covered == items) {
        return;
    }
    for (int i = 0; i < compact->rows.gamma; i++) {
        compact->contacts.cover[i] = i < items ? tact_compact_cover(i) : 0;
    }
    compact->contacts.covered = items;
}

static void load_compact(TactCompact *compact, const TactSystem *system,
                         const TactCompactInput *input)
{
    int most = 8;
    compact->system = system;
    compact->rows.gamma = system->groups[0].stride;
    compact->rows.sigma = compact->rows.gamma + TACT_COMPACT_ACTIVE;
    for (int i = 0; i < system->item_count; i++) {
        most = system->items[i].directions > most ? system->items[i].directions : most;
        compact->contacts.active[i] = -1;
    }
    for (compact->rows.shift = 3; 1 << compact->rows.shift < most;) {
        compact->rows.shift++;
    }
    compact->contacts.normals = input->normals;
    compact->contacts.offset = input->offset;
    compact->contacts.offset_stride = input->offset_stride;
    compact->contacts.scale = input->scale;
    compact->contacts.columns = system->columns + system->column[0];
    int whole = (compact->basis.k + 7) / 8 * 8;
    for (int r = 0; r < whole; r++) { // what the last path left
        memset(compact->basis.inverse[r], 0, (size_t)whole * sizeof(double));
    }
    compact->friction.count = compact->basis.k = compact->pivots = 0;
    put_cover(compact, system->item_count);
    size_t rows = (size_t)compact->rows.sigma * sizeof(double);
    memset(compact->rows.nonbasic, 0, rows);
    memset(compact->rows.value, 0, rows);
    memset(compact->basis.z, 0, sizeof compact->basis.z);
    memset(compact->basis.y, 0, sizeof compact->basis.y);
}

void tact_compact_put_directions(TactCompact *compact, int active, const TactItem *item)
{
    int     d = item->directions, width = 1 << compact->rows.shift;
    double *c = compact->friction.cosine + (active << compact->rows.shift);
    double *s = compact->friction.sine + (active << compact->rows.shift);
    double *used = compact->friction.used + (active << compact->rows.shift);
    double *base = compact->friction.base;
    if (compact->friction.base_count != d) {
        tact_directions_base(d, base, base + MAX_DIRECTIONS);
        for (int j = d; j < MAX_DIRECTIONS; j++) {
            base[j] = base[MAX_DIRECTIONS + j] = 0;
        }
        compact->friction.base_count = d;
    }
    for (int j = 0; j < width; j++) {
        c[j] = base[j];
        s[j] = base[MAX_DIRECTIONS + j];
        used[j] = j < d ? 1 : 0;
    }
    if (item->turn != 0) {
        tact_directions_turn(d, item->turn, c, s);
    }
}

bool tact_compact_activate(TactCompact *compact, int i)
{
    const TactItem *item = &compact->system->items[i];
    if (compact->contacts.active[i] >= 0 || item->directions == 0) {
        return true;
    }
    if (compact->friction.count == TACT_COMPACT_ACTIVE) {
        return false;
    }
    int           active = compact->friction.count++;
    double        scale = compact->contacts.scale[i], z0 = compact->basis.z[0], t[2];
    const double *columns = compact->contacts.columns + 3 * TACT_COMPACT_DOF * (size_t)i;
    if (active % 8 == 0) { // gammas of eight more contacts
        for (int c = 0; c < compact->basis.k; c++) {
            memset(compact->basis.effects[c] + 8 + active, 0, 8 * sizeof(double));
        }
    }
    compact->contacts.active[i] = active;
    compact->friction.item[active] = i;
    compact->friction.mu[active] = item->mu;
    compact->friction.lambda[active] = TACT_COMPACT_NONE;
    for (int q = 0; q < 2; q++) {
        double *motion = compact->friction.tangent[active][q];
        double  offset =
            compact->contacts.offset[(size_t)(q + 1) * compact->contacts.offset_stride + (size_t)i];
        columns += TACT_COMPACT_DOF;
        for (int s = 0; s < TACT_COMPACT_DOF; s++) {
            motion[s] = scale * columns[s];
            compact->friction.tangents[q][s][active] = motion[s];
        }
        const double *y = compact->basis.y;
        compact->friction.tangent_offset[q][active] = offset;
        t[q] = (((motion[0] * y[0] + motion[2] * y[2]) + motion[4] * y[4]) +
                ((motion[1] * y[1] + motion[3] * y[3]) + motion[5] * y[5])) +
               offset;
    }
    tact_compact_put_directions(compact, active, item);
    double needed = z0 > 0 ? 1.01 * sqrt(t[0] * t[0] + t[1] * t[1]) / z0 : 0;
    compact->friction.c_sigma[active] =
        needed > TACT_PIVOT_COVER_SIGMA_BODY ? needed : TACT_PIVOT_COVER_SIGMA_BODY;
    double base = z0 * compact->friction.c_sigma[active];
    int    end = (active + 1) << compact->rows.shift;
    for (int j = active << compact->rows.shift; j < end; j++) {
        compact->rows.value[compact->rows.sigma + j] =
            (t[0] * compact->friction.cosine[j] + t[1] * compact->friction.sine[j]) +
            base * compact->friction.used[j];
        compact->rows.nonbasic[compact->rows.sigma + j] = 0;
    }
    compact->rows.value[compact->rows.gamma + active] = z0 * TACT_PIVOT_COVER_GAMMA;
    compact->basis.effects[0][8 + active] = TACT_PIVOT_COVER_GAMMA;
    return true;
}

bool tact_compact_solve(TactCompact *compact, const TactSystem *system,
                        const TactCompactInput *input)
{
    load_compact(compact, system, input);
    return compact->lanes == 8 ? tact_compact_follow8(compact, input)
                               : tact_compact_follow4(compact, input);
}

TactVar tact_compact_unknown(const TactCompact *compact, int position)
{
    int at = compact->basis.col[position] >> 1;
    if (at < compact->rows.gamma) {
        return tact_var(TACT_VAR_THETA, at, 0);
    }
    if (at < compact->rows.sigma) {
        return tact_var(TACT_VAR_LAMBDA, compact->friction.item[at - compact->rows.gamma], 0);
    }
    int active = (at - compact->rows.sigma) >> compact->rows.shift;
    int j = (at - compact->rows.sigma) & ((1 << compact->rows.shift) - 1);
    return tact_var(TACT_VAR_PHI, compact->friction.item[active], j);
}

void tact_compact_impulses(const TactCompact *compact, double unit, double *p)
{
    memset(p, 0, 3 * (size_t)compact->system->item_count * sizeof(double));
    for (int c = 0; c < compact->basis.k; c++) {
        int at = compact->basis.col[c] >> 1, j = at - compact->rows.sigma;
        if (at < compact->rows.gamma) {
            p[3 * at] = unit * compact->basis.z[c] * compact->contacts.scale[at];
        } else if (j >= 0) {
            int    i = compact->friction.item[j >> compact->rows.shift];
            double amount = unit * compact->basis.z[c] * compact->contacts.scale[i];
            p[3 * i + 1] += amount * compact->friction.cosine[j];
            p[3 * i + 2] += amount * compact->friction.sine[j];
        }
    }
}
