#include <tact/base.h>

#include "prove/search/path.h"

#ifdef TACT_HAVE_GMP

#include <math.h>

enum { EVENTS_AN_UNKNOWN = 20 };

/// An inequality that reaches 0 on the way.
typedef struct Event {
    int       item; // -1: none
    TactState next;
    TactFour  t;
} Event;

/// a < b
static bool is_less(TactFour a, TactFour b)
{
    return tact_four_sign(tact_four_add(a, tact_four_minus(b))) < 0;
}

/// The first inequality to reach 0 from t on, down (direction -1) or up.
static Event find_event(const TactPath *path, TactFour t, int direction)
{
    Event first = {.item = -1};
    for (int i = 0; i < path->count; i++) {
        TactPathSide sides[TACT_PATH_SIDES];
        int          count = tact_path_sides(&path->items[i], sides);
        for (int k = 0; k < count; k++) {
            const TactPathItem *item = &path->items[i];
            TactFour            slope = tact_path_value(path, item, &sides[k].form, 1);
            if (tact_four_sign(slope) * direction >= 0) {
                continue;
            }
            TactFour value = tact_path_value(path, item, &sides[k].form, 0);
            TactFour at = tact_four_divide(tact_four_minus(value), slope);
            // What rounding has left behind is here.
            if (direction < 0 ? is_less(t, at) : is_less(at, t)) {
                at = t;
            }
            bool sooner = direction < 0 ? is_less(first.t, at) : is_less(at, first.t);
            if (first.item < 0 || sooner) {
                first = (Event){i, sides[k].next, at};
            }
        }
    }
    return first;
}

/// The corner that takes most out of the slip at t.
static int find_corner(const TactPath *path, const TactPathItem *item, TactFour t)
{
    double u[2], most = -INFINITY;
    int    best = 0;
    for (int k = 0; k < 2; k++) {
        TactPathForm form = {0};
        form.u[1 + k] = tact_four_of(1);
        u[k] = tact_four_add(tact_path_value(path, item, &form, 0),
                             tact_four_multiply(t, tact_path_value(path, item, &form, 1)))
                   .x[0];
    }
    for (int j = 0; j < item->polygon.count; j++) {
        double d[2];
        tact_polygon_corner(&item->polygon, j, d);
        double out = -(d[0] * u[0] + d[1] * u[1]);
        best = out > most ? j : best;
        most = fmax(most, out);
    }
    return best;
}

/// The item crosses the side; false: the new equations are singular.
static bool cross(TactPath *path, const Event *event, int *direction)
{
    TactPathItem *item = &path->items[event->item];
    TactState     from = item->state;
    item->state = event->next;
    if (from.kind == TACT_PROVE_OPEN && item->state.kind == TACT_PROVE_CORNER) {
        item->state.j = find_corner(path, item, event->t);
    }
    for (int i = 0; i < path->count && from.kind == TACT_PROVE_OPEN; i++) {
        if (path->items[i].load == item) { // its discs move, too, before they hold
            path->items[i].state = (TactState){.kind = TACT_PROVE_CORNER,
                                               .j = find_corner(path, &path->items[i], event->t)};
        }
    }
    if (!tact_path_solve(path)) {
        return false;
    }
    TactPathForm back = tact_path_way_back(item, &from);
    int          slope = tact_four_sign(tact_path_value(path, item, &back, 1));
    *direction = slope;
    return slope != 0;
}

/// Is the path where it began? Then it is a loop, and does not lead to t = 0.
static bool is_start(const TactPath *path)
{
    for (int i = 0; i < path->count; i++) {
        const TactState *now = &path->items[i].state, *then = &path->items[i].start;
        bool             corner = now->kind == TACT_PROVE_CORNER || now->kind == TACT_PROVE_EDGE;
        if (now->kind != then->kind || (corner && now->j != then->j)) {
            return false;
        }
    }
    return true;
}

bool tact_path_follow(TactPath *path, double end)
{
    TactFour t = tact_four_of(1);
    int      direction = -1;
    path->reference.references = 0;
    tact_path_refer(path);
    path->reference.redundant = path->n;
    if (!tact_path_solve(path)) {
        return false;
    }
    path->reference.redundant = path->reference.changed;
    for (path->events = 0; path->events < EVENTS_AN_UNKNOWN * path->n + 100; path->events++) {
        Event event = find_event(path, t, direction);
        if (direction < 0 && (event.item < 0 || tact_four_sign(event.t) <= 0)) {
            return true;
        }
        if (event.item < 0 || (end > 0 && tact_time_now() > end) ||
            !cross(path, &event, &direction)) {
            return false;
        }
        t = event.t;
        if (direction < 0 && is_start(path)) {
            return false;
        }
    }
    return false;
}

#endif
