// Baraff: which force is driven next. The paper leaves the order open, but for the normal force of
// a contact before its friction [Baraff94, 5.5].
#include <math.h>

#include "contact/baraff/baraff.h"

// On a direction that changes nothing a is 0 if it is not larger than this, relative to the product
// of what the direction and the motion are summed from.
static const double CONSISTENT = 1e-13;

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
static Violation search(const TactBaraff *self, Look *look, int order, int from)
{
    Violation worst = {0};
    int       count = self->system->item_count;
    for (int k = 0; k < count; k++) {
        int i = from + k < count ? from + k : from + k - count;
        if (self->items[i].muted != self->report->pivots) {
            look(self, i, &worst);
        }
        if (order > 1 && worst.size > 0) {
            break;
        }
    }
    return worst;
}

bool tact_baraff_choose(const TactBaraff *self, int last, int drives, int order,
                        TactBaraffDrive *drive)
{
    int       count = self->system->item_count;
    int       from = order > 1 && count > 0 ? (7 * drives + 3 * order) % count : 0;
    Violation worst = {0};
    if (last >= 0 && order % 2 == 0 && self->items[last].muted != self->report->pivots) {
        look_at_friction(self, last, &worst);
    }
    if (worst.size == 0) {
        worst = search(self, look_at_normal, order, from);
    }
    if (worst.size == 0) {
        worst = search(self, look_at_friction, order, from);
    }
    *drive = worst.drive;
    return worst.size > 0;
}

void tact_baraff_prepare(TactBaraff *self, const TactBaraffDrive *drive)
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

bool tact_baraff_is_consistent(const TactBaraff *self, int item)
{
    int       group = tact_baraff_group(self, item);
    Violation left = {0};
    look_at_normal(self, item, &left);
    look_at_friction(self, item, &left);
    return left.size <= CONSISTENT * self->motion.change_of[group] * self->motion.size_of[group];
}
