#include <tact/base.h>

#include "prove/search/path.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { MOST_UNKNOWNS = 2400, TRIES = 7, EVENTS_AN_UNKNOWN = 20 };

// W is made less soft in stages: bits of its softness.
static const int softness[] = {40, 46, 50, 52, 54, 56, 58, 60, 64, 0};
static const int wide_softness[] = {64, 80, 100, 120, 140, 0};

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
    if (!tact_path_solve(path)) {
        return false;
    }
    TactPathForm back = tact_path_way_back(item, &from);
    int          slope = tact_four_sign(tact_path_value(path, item, &back, 1));
    *direction = slope;
    return slope != 0;
}

/// From t = 1 downwards (direction -1) or upwards, until t = 0.
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

static bool follow(TactPath *path, int direction, double end)
{
    TactFour t = tact_four_of(1);
    int      began = direction;
    path->references = 0;
    tact_path_refer(path);
    path->redundant = path->n;
    if (!tact_path_solve(path)) {
        return false;
    }
    path->redundant = path->changed;
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
        if (direction == began && is_start(path)) {
            return false;
        }
    }
    return false;
}

static void read_end(const TactPath *path)
{
    const TactSearch *search = path->search;
    int               contacts = search->laws->contacts;
    memset(search->impulse, 0, 3 * (size_t)contacts * sizeof(double));
    memset(search->rest, 0, 9 * (size_t)contacts * sizeof(double));
    for (int i = 0; i < contacts; i++) {
        if (!search->near[i]) {
            search->states[i] = (TactState){.kind = TACT_PROVE_OPEN};
        }
    }
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        bool                row = item->source >= contacts;
        double             *p = row ? search->row_impulse + (item->source - contacts)
                                    : search->impulse + 3 * (size_t)item->source;
        double *rest = search->rest + 3 * (row ? 2 * contacts + item->source : 3 * item->source);
        search->states[item->source] = item->state;
        for (int k = 0; k < item->size; k++) {
            TactFour x = tact_row_get(path->p[0], item->first + k);
            p[k] = x.x[0];
            for (int l = 0; l < 3; l++) {
                rest[3 * k + l] = x.x[1 + l];
            }
        }
    }
}

static bool takes(const TactSearch *search)
{
    int n = search->laws->rows;
    for (int i = 0; i < search->laws->contacts; i++) {
        const TactContact *contact = &search->laws->problem->contacts[i];
        int                corners = tact_polygon_of(contact, search->cone).count;
        if (search->near[i]) {
            n += contact->mu > 0 ? 3 : 1;
            if (corners < 3 || corners > TACT_PATH_SIDES) {
                return false;
            }
        }
    }
    return n > 0 && n <= MOST_UNKNOWNS;
}

/// The states of the answer with a part of its loads; or, with none of them, all contacts open.
static void begin(TactPath *path, bool without_loads)
{
    path->lighter = without_loads ? 1 : tact_random_uniform(&path->random, 0.2, 0.8);
    for (int i = 0; i < path->count; i++) {
        TactPathItem *item = &path->items[i];
        bool          opens = without_loads && !item->bilateral && item->bound < 0;
        item->state = opens ? (TactState){.kind = TACT_PROVE_OPEN} : item->answered;
        item->start = item->state;
    }
}

/// Follows the path at the softness of a stage, from where the last one ended.
static TactStatus go_on(TactPath *path, int bits, double end, bool *found)
{
    path->quiet = true;
    for (int i = 0; i < path->count; i++) {
        path->items[i].start = path->items[i].state;
    }
    tact_path_soften(path, bits);
    TACT_TRY(tact_path_start(path, path->p[0]));
    *found = follow(path, -1, end);
    return TACT_OK;
}

/// From the answer to the softness of the last stage of two doubles.
static TactStatus begin_path(TactPath *path, const TactContactAnswer *answer, int attempt,
                             double end, bool *found)
{
    int contacts = path->search->laws->contacts;
    path->random = tact_random_seed((uint64_t)(attempt / 2) + 1);
    path->quiet = false;
    begin(path, attempt == TRIES - 1);
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = 0; k < item->size; k++) {
            double x = item->source < contacts ? answer->impulse[3 * item->source + k]
                                               : answer->row_impulse[item->source - contacts];
            double W = path->diagonal.part[0][item->first + k];
            tact_row_set(path->p[0], item->first + k, tact_four_of(x));
            path->pushing = fmax(path->pushing, fabs(x));
            path->moving = fmax(path->moving, fabs(W * x));
        }
    }
    tact_path_soften(path, softness[0]);
    TACT_TRY(tact_path_start(path, path->p[0]));
    *found = follow(path, attempt % 2 == 0 || attempt == TRIES - 1 ? -1 : 1, end);
    return TACT_OK;
}

/// A path of four doubles where one of two has ended.
static void take_over(TactPath *wide, const TactPath *path)
{
    wide->pushing = path->pushing;
    wide->moving = path->moving;
    for (int i = 0; i < path->count; i++) {
        wide->items[i].state = path->items[i].state;
    }
    for (int i = 0; i < path->n; i++) {
        tact_row_set(wide->p[0], i, tact_row_get(path->p[0], i));
    }
}

static TactStatus go_on_wide(const TactPath *path, double end, bool *found)
{
    TactPath   wide;
    TactStatus status = tact_path_create(path->search, 4, &wide);
    if (status == TACT_OK) {
        take_over(&wide, path);
        for (int k = 0; status == TACT_OK && *found && wide_softness[k] > 0; k++) {
            status = go_on(&wide, wide_softness[k], end, found);
        }
    }
    if (status == TACT_OK && *found) {
        read_end(&wide);
    }
    tact_path_destroy(&wide);
    return status;
}

static TactStatus try_paths(TactPath *path, const TactContactAnswer *answer, double end,
                            bool *found)
{
    TactStatus status = TACT_OK;
    for (int attempt = 0; attempt < TRIES && !*found && status == TACT_OK; attempt++) {
        status = begin_path(path, answer, attempt, end, found);
        for (int k = 1; status == TACT_OK && *found && softness[k] > 0; k++) {
            status = go_on(path, softness[k], end, found);
        }
        if (status == TACT_OK && *found) {
            status = go_on_wide(path, end, found);
        }
        if (end > 0 && tact_time_now() > end) {
            break;
        }
    }
    return status;
}

TactStatus tact_search_path(const TactSearch *search, const TactContactAnswer *answer, bool *found)
{
    TactPath path;
    double   end = search->limit > 0 ? tact_time_now() + search->limit : 0;
    *found = false;
    if (!takes(search)) {
        return TACT_OK;
    }
    TactStatus status = tact_path_create(search, 2, &path);
    if (status == TACT_OK) {
        status = try_paths(&path, answer, end, found);
    }
    tact_path_destroy(&path);
    return status == TACT_UNSUPPORTED ? TACT_OK : status;
}

#endif
