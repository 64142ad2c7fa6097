// `baraff`: contact forces with static and dynamic friction [Baraff94, 5 and 6].
//
// docs/theory/baraff.md has the equations, and what is added to the paper.
#include "contact/baraff.h"

#include <math.h>
#include <string.h>

// On a direction that changes nothing a is 0 if it is not larger than this, relative to the product
// of what the direction and the motion are summed from.
static const double CONSISTENT = 1e-13;

enum { ORDERS = 8 };

static void layout(TactContactSolver *solver, TactArena *arena)
{
    const TactContactCapacity *capacity = &solver->capacity;
    size_t                     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t                     dof = (size_t)capacity->dof;
    size_t                     stride = items + 16;
    // Independent rows, and those that compliance and viscosity make so.
    size_t      most = 2 * dof + items < 3 * items ? 2 * dof + items : 3 * items;
    TactBaraff *self = tact_arena_take(arena, 1, sizeof *self);
    TactBaraff  sized = {
         .capacity = (int)most,
         .length = (capacity->support + 3) / 4 * 4,
         .ld = (most + 7) / 8 * 8,
    };
    double **vectors[] = {&sized.g, &sized.h, &sized.x, &sized.u, &sized.df};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = tact_arena_take(arena, sized.ld, sizeof(double));
    }
    double **motions[] = {&sized.y, &sized.dy, &sized.size, &sized.change, &sized.dense};
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
        *motions[k] = tact_arena_take(arena, dof, sizeof(double));
    }
    sized.items = tact_arena_take(arena, items, sizeof *sized.items);
    sized.events = tact_arena_take(arena, 2 * items + 2, sizeof *sized.events);
    sized.p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.dp = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.frozen_p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.seen_p = tact_arena_take(arena, 3 * items, sizeof(double));
    sized.seen = tact_arena_take(arena, items, sizeof *sized.seen);
    sized.a = tact_arena_take(arena, 3 * stride, sizeof(double));
    sized.da = tact_arena_take(arena, 3 * stride, sizeof(double));
    sized.size_of = tact_arena_take(arena, items, sizeof(double));
    sized.change_of = tact_arena_take(arena, items, sizeof(double));
    sized.gathered = tact_arena_take(arena, items, (size_t)sized.length * sizeof(double));
    sized.sizes = tact_arena_take(arena, items, (size_t)sized.length * sizeof(double));
    sized.stamps = tact_arena_take(arena, items, sizeof *sized.stamps);
    sized.vector = tact_arena_take(arena, (size_t)sized.length, sizeof(double));
    sized.places = tact_arena_take(arena, most, sizeof *sized.places);
    sized.rows = tact_arena_take(arena, most * (size_t)sized.length, sizeof(double));
    sized.columns = tact_arena_take(arena, most * (size_t)sized.length, sizeof(double));
    sized.T = tact_arena_take(arena, most, sized.ld * sizeof(double));
    sized.K = tact_arena_take(arena, most, sized.ld * sizeof(double));
    sized.perm = tact_arena_take(arena, most + 2 * (size_t)sized.length, sizeof *sized.perm);
    tact_baraff_smooth_layout(&sized.smooth, items, arena);
    if (arena->block) {
        *self = sized;
        solver->work = self;
    }
}

static TactStatus create(TactContactSolver *solver)
{
    TactBaraff *self = solver->work;
    return tact_baraff_smooth_create(&self->smooth, solver->config.max_pivots);
}

static void destroy(TactContactSolver *solver)
{
    TactBaraff *self = solver->work;
    tact_lcp_solver_destroy(self->smooth.solver);
}

// ---------------------------------------------------------------------------------------------
// What to drive next

typedef struct Violation {
    double          size; // without a unit; 0: none
    TactBaraffDrive drive;
} Violation;

static void take_worse(Violation *worst, double size, TactBaraffDrive drive)
{
    if (size > worst->size) {
        worst->size = size;
        worst->drive = drive;
    }
}

static void look_at_normal(const TactBaraff *self, int i, Violation *worst)
{
    const TactBaraffItem *at = &self->items[i];
    double                a = at->r * self->a[i];
    TactBaraffDrive       up = {.place = {i, TACT_BARAFF_N}, .sign = a < 0 ? 1 : -1};
    if (at->normal != TACT_BARAFF_IGNORED && at->normal != TACT_BARAFF_OPEN) {
        return;
    }
    if (a < 0 || self->p[3 * i] > 0) {
        take_worse(worst, fabs(a) - tact_baraff_tolerance(self, i), up);
    }
}

static void look_at_friction(const TactBaraff *self, int i, Violation *worst)
{
    const TactBaraffItem *at = &self->items[i];
    const double         *f = self->p + 3 * i;
    double                tolerance = tact_baraff_tolerance(self, i);
    double                along = at->r * tact_baraff_along(self, i, self->a);
    double                across = at->r * tact_baraff_across(self, i, self->a);
    TactBaraffDrive       drive = {.place = {i, TACT_BARAFF_ALONG}, .sign = 1};
    if (at->friction == TACT_BARAFF_LOOSE && (f[1] != 0 || f[2] != 0)) {
        drive.sign = -1;
        drive.goal = TACT_BARAFF_TO_REST;
        take_worse(worst, HUGE_VAL, drive);
    }
    if (at->normal != TACT_BARAFF_CLAMPED && at->normal != TACT_BARAFF_NONE) {
        return;
    }
    if (at->friction == TACT_BARAFF_LOOSE) {
        take_worse(worst, tact_baraff_norm(along, across) - tolerance, drive);
    } else if (at->friction == TACT_BARAFF_STICK) {
        if (at->place[TACT_BARAFF_ALONG] < 0) {
            drive.sign = along < 0 ? 1 : -1;
            take_worse(worst, fabs(along) - tolerance, drive);
        }
        if (at->place[TACT_BARAFF_ACROSS] < 0) {
            drive.place.component = TACT_BARAFF_ACROSS;
            drive.sign = across < 0 ? 1 : -1;
            take_worse(worst, fabs(across) - tolerance, drive);
        }
    } else if (at->friction == TACT_BARAFF_SLIDE &&
               (!self->turning || at->normal == TACT_BARAFF_NONE)) {
        drive.sign = -1;
        take_worse(worst, along - tolerance, drive);
    }
}

typedef void Look(const TactBaraff *self, int item, Violation *worst);

/// What is violated: most, or the first from some item on.
static Violation search(const TactBaraff *self, Look *look, bool first, int from)
{
    Violation worst = {0};
    int       count = self->system->item_count;
    for (int k = 0; k < count; k++) {
        int i = from + k < count ? from + k : from + k - count;
        if (self->items[i].muted != self->report->pivots) {
            look(self, i, &worst);
        }
        if (first && worst.size > 0) {
            break;
        }
    }
    return worst;
}

/// The next force to drive: friction of the contact just driven, then normals, then friction.
/// Orders differ in whether that comes first, the worst or the next one is taken, and where they
/// begin.
static Violation find_violated(const TactBaraff *self, int last, int drives, int order)
{
    int       count = self->system->item_count;
    int       from = order >= 4 && count > 0 ? (7 * drives + 3 * order) % count : 0;
    Violation worst = {0};
    if (last >= 0 && order % 2 == 0 && self->items[last].muted != self->report->pivots) {
        look_at_friction(self, last, &worst);
    }
    if (worst.size == 0) {
        worst = search(self, look_at_normal, order >= 2, from);
    }
    if (worst.size == 0) {
        worst = search(self, look_at_friction, order >= 2, from);
    }
    return worst;
}

/// The frame in which friction is driven: against a_t, or along the force that is to go.
static void prepare(TactBaraff *self, const TactBaraffDrive *drive)
{
    int             i = drive->place.item;
    TactBaraffItem *at = &self->items[i];
    int             stride = self->system->stride;
    if (drive->place.component != TACT_BARAFF_N && at->friction == TACT_BARAFF_SLIDE) {
        tact_baraff_free(self, i);
    }
    if (drive->place.component == TACT_BARAFF_N || at->friction != TACT_BARAFF_LOOSE) {
        return;
    }
    bool   rest = drive->goal == TACT_BARAFF_TO_REST;
    double x = rest ? self->p[3 * i + 1] : -self->a[stride + i];
    double y = rest ? self->p[3 * i + 2] : -self->a[2 * stride + i];
    double size = tact_baraff_norm(x, y);
    at->s[0] = x / size;
    at->s[1] = y / size;
    at->friction = rest ? TACT_BARAFF_LOOSE : TACT_BARAFF_STICK;
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
        double                near = 1e-10 * at->r * self->size_of[self->system->items[i].group];
        same = self->seen[i] == 4 * (int)at->normal + (int)at->friction;
        for (int c = 0; c < 3 && same; c++) {
            same = fabs(self->p[3 * i + c] - self->seen_p[3 * i + c]) <= near;
        }
    }
    if (same) {
        return true;
    }
    if ((drives & (drives - 1)) == 0) {
        memcpy(self->seen_p, self->p, 3 * (size_t)count * sizeof(double));
        for (int i = 0; i < count; i++) {
            self->seen[i] =
                (unsigned char)(4 * (int)self->items[i].normal + (int)self->items[i].friction);
        }
    }
    return false;
}

/// A force that can be driven without end, but has no need to: what it lacks may be rounding.
static bool is_consistent(const TactBaraff *self, int item)
{
    int       group = tact_baraff_group(self, item);
    Violation left = {0};
    look_at_normal(self, item, &left);
    look_at_friction(self, item, &left);
    return left.size <= CONSISTENT * self->change_of[group] * self->size_of[group];
}

TactContactOutcome tact_baraff_settle(TactBaraff *self, int order)
{
    int  last = -1;
    bool correct = true;
    for (int drives = 1;; drives++) {
        Violation violation = find_violated(self, last, drives, order);
        if (violation.size == 0 && correct) {
            return TACT_CONTACT_SOLVED;
        }
        if (violation.size == 0) {
            tact_baraff_correct(self);
            correct = true;
            continue;
        }
        int given_up = self->given_up, refactors = self->report->refactors;
        prepare(self, &violation.drive);
        TactContactOutcome outcome = tact_baraff_drive(self, &violation.drive);
        last = violation.drive.place.item;
        correct = outcome != TACT_CONTACT_SOLVED || given_up != self->given_up ||
                  refactors != self->report->refactors;
        if (correct) {
            tact_baraff_correct(self);
        }
        if (outcome == TACT_CONTACT_UNBOUNDED && is_consistent(self, last)) {
            self->items[last].muted = self->report->pivots;
            outcome = TACT_CONTACT_SOLVED;
        }
        if (outcome != TACT_CONTACT_SOLVED) {
            return outcome;
        }
        if (has_returned(self, drives)) {
            return TACT_CONTACT_CYCLE;
        }
    }
}

/// One attempt from nothing. TACT_CONTACT_SOLVED: *exact says whether friction also opposes a_t.
static TactContactOutcome attempt(TactBaraff *self, const TactContactConfig *config, int order,
                                  bool *exact)
{
    self->report->iterations++;
    tact_baraff_clear(self);
    tact_baraff_restore(self);
    TactContactOutcome outcome = tact_baraff_settle(self, order);
    *exact = outcome == TACT_CONTACT_SOLVED && tact_baraff_turn(self, order, config->max_turns);
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
    bool impulse = outcome == TACT_CONTACT_UNBOUNDED && self->dynamic && self->given_up == 0;
    return exact ? 3 : outcome == TACT_CONTACT_SOLVED ? 2 : impulse ? 1 : 0;
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
// stops there].
static TactContactOutcome run(TactContactSolver *solver, const TactContactProblem *problem,
                              double *p, TactContactReport *report)
{
    TactBaraff        *self = solver->work;
    size_t             bytes = 3 * (size_t)solver->system.item_count * sizeof(double);
    TactContactOutcome best = TACT_CONTACT_LIMIT;
    int                rank = -1;
    self->report = report;
    tact_baraff_begin(self, &solver->system, problem);
    if (tact_baraff_is_smooth(self) && tact_baraff_smooth_solve(self) == TACT_CONTACT_SOLVED) {
        memcpy(p, self->p, bytes);
        return TACT_CONTACT_SOLVED;
    }
    for (int order = 0; order < ORDERS && rank < 3; order++) {
        bool exact;
        self->limit = limit_of(self, &solver->config, rank);
        if (rank > 0 && report->pivots >= self->limit) {
            break;
        }
        TactContactOutcome outcome = attempt(self, &solver->config, order, &exact);
        int                now = rank_of(self, outcome, exact);
        if (now > rank) {
            rank = now;
            best = outcome == TACT_CONTACT_UNBOUNDED && now == 0 ? TACT_CONTACT_RAY : outcome;
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
             .source = "Baraff 1994, sections 5 and 6",
             .takes = TACT_CONTACT_TAKES_CIRCLE | TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W |
                      TACT_CONTACT_TAKES_ACCELERATION},
    .layout = layout,
    .create = create,
    .destroy = destroy,
    .run = run,
};
