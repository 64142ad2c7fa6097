// `baraff`: contact forces with static and dynamic friction [Baraff94, 4 to 6].
//
// docs/theory/baraff.md has the equations, and what is added to the paper.
#include "contact/baraff/baraff.h"

#include <math.h>
#include <string.h>

enum { ORDERS = 8 };

// Forces that differ by less than this part of their size are those of an earlier drive.
static const double RETURNED = 1e-10;

static void baraff_layout(TactMethod *method, TactArena *arena)
{
    const TactContactCapacity *capacity = &method->capacity;
    size_t                     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t                     dof = (size_t)capacity->dof;
    size_t                     stride = items + 16;
    // Independent rows, and those that compliance and viscosity make so.
    size_t      most = 2 * dof + items < 3 * items ? 2 * dof + items : 3 * items;
    TactBaraff *self = tact_arena_take(arena, 1, sizeof *self);
    TactBaraff  sized = {
         .block.capacity = (int)most,
         .block.length = (capacity->support + 3) / 4 * 4,
         .block.ld = (most + 7) / 8 * 8,
    };
    double **vectors[] = {&sized.block.g, &sized.block.h, &sized.block.x, &sized.block.u,
                          &sized.block.df};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = tact_arena_take(arena, sized.block.ld, sizeof(double));
    }
    double **motions[] = {&sized.motion.y, &sized.motion.dy, &sized.motion.size,
                          &sized.motion.change, &sized.motion.dense};
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
        *motions[k] = tact_arena_take(arena, dof, sizeof(double));
    }
    sized.items = tact_arena_take(arena, items, sizeof *sized.items);
    sized.events = tact_arena_take(arena, 2 * items + 2, sizeof *sized.events);
    sized.p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.dp = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.frozen_p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.seen.p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.seen.sets = tact_arena_take(arena, items, sizeof *sized.seen.sets);
    sized.a = tact_arena_take(arena, 3 * stride, sizeof(double));
    sized.da = tact_arena_take(arena, 3 * stride, sizeof(double));
    sized.motion.size_of = tact_arena_take(arena, items, sizeof(double));
    sized.motion.change_of = tact_arena_take(arena, items, sizeof(double));
    sized.motion.gathered =
        tact_arena_take(arena, items, (size_t)sized.block.length * sizeof(double));
    sized.motion.sizes = tact_arena_take(arena, items, (size_t)sized.block.length * sizeof(double));
    sized.motion.stamps = tact_arena_take(arena, items, sizeof *sized.motion.stamps);
    sized.motion.vector = tact_arena_take(arena, (size_t)sized.block.length, sizeof(double));
    sized.block.places = tact_arena_take(arena, most, sizeof *sized.block.places);
    sized.block.rows = tact_arena_take(arena, most * (size_t)sized.block.length, sizeof(double));
    sized.block.columns = tact_arena_take(arena, most * (size_t)sized.block.length, sizeof(double));
    sized.block.T = tact_arena_take(arena, most, sized.block.ld * sizeof(double));
    sized.block.K = tact_arena_take(arena, most, sized.block.ld * sizeof(double));
    sized.block.perm =
        tact_arena_take(arena, most + 2 * (size_t)sized.block.length, sizeof *sized.block.perm);
    tact_baraff_smooth_layout(&sized.smooth, items, arena);
    if (arena->block) {
        *self = sized;
        method->work = self;
    }
}

static TactStatus baraff_create(TactMethod *method)
{
    TactBaraff *self = method->work;
    return tact_baraff_smooth_create(&self->smooth, method->config.max_pivots);
}

static void baraff_destroy(TactMethod *method)
{
    TactBaraff *self = method->work;
    tact_lcp_solver_destroy(self->smooth.solver);
}

// ---------------------------------------------------------------------------------------------
// The loop over the drives

/// Whether the sets and forces at the end of a drive were there before. An earlier state is kept
/// for comparison, the next always twice as far on [Brent 1980].
static bool has_returned(TactBaraff *self, int drives)
{
    int  count = self->system->item_count;
    bool same = drives > 1;
    for (int i = 0; i < count && same; i++) {
        const TactBaraffItem *at = &self->items[i];
        double near = RETURNED * at->r * self->motion.size_of[self->system->items[i].group];
        same = self->seen.sets[i] == tact_baraff_sets(at);
        for (int c = 0; c < 3 && same; c++) {
            same = fabs(self->p[3 * i + c] - self->seen.p[3 * i + c]) <= near;
        }
    }
    if (same) {
        return true;
    }
    if ((drives & (drives - 1)) == 0) {
        memcpy(self->seen.p, self->p, 3 * (size_t)count * sizeof(double));
        for (int i = 0; i < count; i++) {
            self->seen.sets[i] = (unsigned char)tact_baraff_sets(&self->items[i]);
        }
    }
    return false;
}

TactContactOutcome tact_baraff_settle(TactBaraff *self, int order)
{
    int  last = -1;
    bool correct = true;
    for (int drives = 1;; drives++) {
        TactBaraffDrive drive;
        bool            violated = tact_baraff_choose(self, last, drives, order, &drive);
        if (!violated && correct) {
            return TACT_OUTCOME_SOLVED;
        }
        if (!violated) {
            tact_baraff_correct(self);
            correct = true;
            continue;
        }
        int given_up = self->given_up, refactors = self->report->refactors;
        tact_baraff_prepare(self, &drive);
        TactContactOutcome outcome = tact_baraff_drive(self, &drive);
        self->report->drives += !self->turning;
        last = drive.place.item;
        correct = outcome != TACT_OUTCOME_SOLVED || given_up != self->given_up ||
                  refactors != self->report->refactors;
        if (correct) {
            tact_baraff_correct(self);
        }
        if (outcome == TACT_OUTCOME_UNBOUNDED && tact_baraff_is_consistent(self, last)) {
            self->items[last].muted = self->report->pivots;
            outcome = TACT_OUTCOME_SOLVED;
        }
        if (outcome != TACT_OUTCOME_SOLVED) {
            return outcome;
        }
        if (has_returned(self, drives)) {
            return TACT_OUTCOME_CYCLE;
        }
    }
}

/// One attempt from nothing. TACT_OUTCOME_SOLVED: *exact says whether friction also opposes a_t.
static TactContactOutcome try_order(TactBaraff *self, const TactContactConfig *config, int order,
                                    bool *exact)
{
    self->report->iterations++;
    tact_baraff_clear(self);
    tact_baraff_restore(self);
    TactContactOutcome outcome = tact_baraff_settle(self, order);
    *exact = outcome == TACT_OUTCOME_SOLVED && tact_baraff_turn(self, order, config->max_turns);
    return outcome;
}

/// Pivots allowed: so many for every attempt until there is some answer, and in all once there is.
static int limit_of(const TactBaraff *self, const TactContactConfig *config, int rank)
{
    int limit = 150 * self->system->item_count + 100 + (rank > 0 ? 0 : self->report->pivots);
    return config->max_pivots > 0 && config->max_pivots < limit ? config->max_pivots : limit;
}

/// How good an end is: an answer that is also exact, an answer, the direction of an impulse, none.
static int rank_of(const TactBaraff *self, TactContactOutcome outcome, bool exact)
{
    bool impulse = outcome == TACT_OUTCOME_UNBOUNDED && self->dynamic && self->given_up == 0;
    return exact ? 3 : outcome == TACT_OUTCOME_SOLVED ? 2 : impulse ? 1 : 0;
}

/// The direction of an impulse: the largest normal force is 1.
static void write_direction(const TactBaraff *self, double *p)
{
    double largest = 0, all = 0;
    int    count = 3 * self->system->item_count;
    for (int i = 0; i < count; i++) {
        all = fmax(all, fabs(self->dp[i]));
        largest = i % 3 == 0 ? fmax(largest, fabs(self->dp[i])) : largest;
    }
    largest = largest > 0 ? largest : all;
    for (int i = 0; i < count; i++) {
        p[i] = largest > 0 ? self->dp[i] / largest : 0;
    }
}

// Orders of driving are tried until one gives an exact answer. Where dynamic friction lets a force
// grow without end in one of them, another may still find a force that is enough [Baraff94, 6,
// stops there]. Every attempt counts in report->iterations, and all their pivots in report->pivots.
static TactContactOutcome baraff_run(TactMethod *method, TactAttempt *attempt)
{
    TactBaraff        *self = method->work;
    TactContactReport *report = attempt->report;
    double            *p = attempt->p;
    size_t             bytes = 3 * (size_t)attempt->system->item_count * sizeof(double);
    TactContactOutcome best = TACT_OUTCOME_LIMIT;
    int                rank = -1;
    self->report = report;
    tact_system_prepare_sweep(attempt->system);
    tact_baraff_begin(self, attempt->system, attempt->problem);
    if (tact_baraff_is_smooth(self) && tact_baraff_smooth_solve(self)) {
        memcpy(p, self->p, bytes);
        return TACT_OUTCOME_SOLVED;
    }
    for (int order = 0; order < ORDERS && rank < 3; order++) {
        bool exact;
        self->limit = limit_of(self, &method->config, rank);
        if (rank > 0 && report->pivots >= self->limit) {
            break;
        }
        TactContactOutcome outcome = try_order(self, &method->config, order, &exact);
        int                now = rank_of(self, outcome, exact);
        if (now > rank) {
            rank = now;
            best = outcome == TACT_OUTCOME_UNBOUNDED && now == 0 ? TACT_OUTCOME_RAY : outcome;
            if (now == 1) {
                write_direction(self, p);
            } else {
                memcpy(p, self->p, bytes);
            }
        }
    }
    return best;
}

const TactContactMethodEntry tact_contact_baraff = {
    .info = {.name = "baraff",
             .source = "Baraff 1994, sections 4 to 6",
             .takes = TACT_CONTACT_TAKES_CIRCLE | TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W |
                      TACT_CONTACT_TAKES_ACCELERATION},
    .is_dense = true,
    .layout = baraff_layout,
    .create = baraff_create,
    .destroy = baraff_destroy,
    .run = baraff_run,
};
