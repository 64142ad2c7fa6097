// The stages of a search along paths: W is made soft, so that redundant contacts share their load,
// and harder from stage to stage; what is decided by rounding of the data is decided last.
#include <tact/base.h>

#include "prove/search/path.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { MOST_UNKNOWNS = 1800, ATTEMPTS = 5 };
// Bits of softness: where the path begins, in each attempt (the last one begins without loads);
// where numbers of two doubles, and of four, end. Rounding of the data is at 53, and at twice that.
static const int first_bits[ATTEMPTS] = {40, 30, 20, 12, 20};
enum { BITS_OF_TWO = 64, STEP = 4, BITS_OF_FOUR = 140, WIDE_STEP = 20 };

static void read_end(const TactPath *path)
{
    const TactSearch *search = path->search;
    int               contacts = search->laws->contacts;
    memset(search->impulse, 0, 3 * (size_t)contacts * sizeof(double));
    memset(search->rest, 0,
           3 * (3 * (size_t)contacts + (size_t)search->laws->rows) * sizeof(double));
    for (int r = 0; r < search->laws->rows; r++) {
        search->row_impulse[r] = 0;
    }
    for (int i = 0; i < contacts; i++) {
        if (!search->near[i]) {
            search->states[i] = (TactState){.kind = TACT_PROVE_OPEN};
        }
    }
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        search->states[item->source] = item->state;
        for (int k = item->from; k < item->size; k++) {
            TactFour x = tact_row_get(path->p[0], tact_path_at(item, k));
            int      place = tact_path_place(search->laws, item, k);
            double  *p = place < 3 * contacts ? &search->impulse[place]
                                              : &search->row_impulse[place - 3 * contacts];
            if (item->disc) {
                x = tact_four_multiply(x, tact_four_of(item->disc->mu[k - 1]));
            }
            *p = x.x[0];
            for (int l = 0; l < 3; l++) {
                search->rest[3 * (size_t)place + (size_t)l] = x.x[1 + l];
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
    for (int d = 0; search->patches && d < search->patches->disc_count; d++) {
        n += search->patches->discs[d].dim;
    }
    return n > 0 && n <= MOST_UNKNOWNS;
}

/// The states of the answer with a part of its loads; or, with none of them, all contacts open.
static void begin(TactPath *path, bool without_loads)
{
    path->lighter = without_loads ? 1 : tact_random_uniform(&path->random, 0.2, 0.8);
    for (int i = 0; i < path->count; i++) {
        TactPathItem *item = &path->items[i];
        bool          opens = without_loads && !item->bilateral && item->bound < 0 && !item->load;
        item->state = opens ? (TactState){.kind = TACT_PROVE_OPEN} : item->answered;
        item->start = item->state;
    }
}

/// Follows the path at the softness of a stage, from where the last one ended.
static TactStatus go_on(TactPath *path, int bits, double end, bool *found)
{
    path->quiet = true;
    path->lighter = 0;
    for (int i = 0; i < path->count; i++) {
        path->items[i].start = path->items[i].state;
    }
    tact_path_soften(path, bits);
    TACT_TRY(tact_path_start(path, path->p[0]));
    *found = tact_path_follow(path, end);
    return TACT_OK;
}

/// From one softness to another, in steps of so many bits; where the path does not lead on, a
/// shorter step is tried.
static TactStatus harden(TactPath *path, int bits, int step, double end, bool *found)
{
    *found = true;
    while (path->bits < bits && step > 0) {
        int last = path->bits, next = last + step < bits ? last + step : bits;
        for (int i = 0; i < path->count; i++) {
            path->items[i].kept = path->items[i].state;
        }
        for (int i = 0; i < path->n; i++) {
            tact_row_set(path->kept, i, tact_row_get(path->p[0], i));
        }
        TACT_TRY(go_on(path, next, end, found));
        if (*found) {
            continue;
        }
        if (end > 0 && tact_time_now() > end) {
            return TACT_OK;
        }
        for (int i = 0; i < path->count; i++) {
            path->items[i].state = path->items[i].kept;
        }
        for (int i = 0; i < path->n; i++) {
            tact_row_set(path->p[0], i, tact_row_get(path->kept, i));
        }
        path->bits = last;
        step /= 2;
    }
    *found = path->bits >= bits;
    return TACT_OK;
}

/// From the answer to a W that is soft.
static TactStatus begin_path(TactPath *path, const TactContactAnswer *answer, int attempt,
                             double end, bool *found)
{
    int contacts = path->search->laws->contacts;
    path->random = tact_random_seed((uint64_t)attempt + 1);
    path->quiet = false;
    begin(path, attempt == ATTEMPTS - 1);
    for (int i = 0; i < path->count; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = item->from; k < item->size; k++) {
            int    place = tact_path_place(path->search->laws, item, k), at = tact_path_at(item, k);
            double x = place < 3 * contacts ? answer->impulse[place]
                                            : answer->row_impulse[place - 3 * contacts];
            double W = path->diagonal.part[0][at];
            x /= item->disc ? item->disc->mu[k - 1] : 1;
            tact_row_set(path->p[0], at, tact_four_of(x));
            path->pushing = fmax(path->pushing, fabs(x));
            path->moving = fmax(path->moving, fabs(W * x));
        }
    }
    tact_path_soften(path, first_bits[attempt]);
    TACT_TRY(tact_path_start(path, path->p[0]));
    *found = tact_path_follow(path, end);
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

static TactStatus harden_wide(const TactPath *path, double end, bool *found)
{
    TactPath   wide;
    TactStatus status = tact_path_create(path->search, 4, &wide);
    if (status == TACT_OK) {
        take_over(&wide, path);
        status = go_on(&wide, BITS_OF_TWO, end, found);
        if (status == TACT_OK && *found) {
            status = harden(&wide, BITS_OF_FOUR, WIDE_STEP, end, found);
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
    for (int attempt = 0; attempt < ATTEMPTS && !*found && status == TACT_OK; attempt++) {
        status = begin_path(path, answer, attempt, end, found);
        if (status == TACT_OK && *found) {
            status = harden(path, BITS_OF_TWO, STEP, end, found);
        }
        if (status == TACT_OK && *found) {
            status = harden_wide(path, end, found);
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
