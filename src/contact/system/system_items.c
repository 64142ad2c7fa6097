// Items in the order of their support.
#include <string.h>

#include "contact/problem/problem.h"
#include "contact/support_hash.h"
#include "contact/system/system_internal.h"

// Up to so many keys are sorted by insertion.
enum { FEW = 64 };

/// Bodies: the pair.
static inline uint64_t pair_key(int a, int b)
{
    uint64_t lo = (uint64_t)((a < b ? a : b) + 1);
    uint64_t hi = (uint64_t)((a < b ? b : a) + 1);
    return hi << 32 | lo;
}

/// M: the nonzero columns of J, and their hash. last: the key before, NULL: none.
static TactItemKey mass_key(const TactContactProblem *problem, int source, const TactItemKey *last)
{
    TactItemKey key = {.support = TACT_SUPPORT_NONE, .source = source};
    if (problem->nv <= TACT_WHITENER_BITS) {
        key.touched = tact_system_touched(problem, source);
        if (last && last->touched == key.touched) {
            key.support = last->support;
            return key;
        }
        for (uint64_t left = key.touched; left != 0; left &= left - 1) {
            key.support = tact_support_add(key.support, __builtin_ctzll(left));
        }
        return key;
    }
    bool          is_row = source >= problem->contact_count;
    const double *J =
        is_row ? problem->rows[source - problem->contact_count].J : problem->contacts[source].J;
    for (int j = 0; j < problem->nv; j++) {
        bool touched = J[j] != 0;
        for (int c = 1; c < 3 && !is_row; c++) {
            touched = touched || J[c * problem->nv + j] != 0;
        }
        key.support = touched ? tact_support_add(key.support, j) : key.support;
    }
    return key;
}

/// Bodies: the pair. M: the nonzero columns of J. W: all alike.
static TactItemKey support_key(const TactContactProblem *problem, int source,
                               const TactItemKey *last)
{
    if (problem->M) {
        return mass_key(problem, source, last);
    }
    TactItemKey key = {.source = source};
    if (!tact_contact_has_W(problem)) {
        int a, b;
        tact_rows_bodies(problem, source, &a, &b);
        key.support = pair_key(a, b);
    }
    return key;
}

/// A few keys by support, keeping the order of equals.
static void insert_keys(TactItemKey *keys, int count)
{
    for (int i = 1; i < count; i++) {
        TactItemKey key = keys[i];
        int         k = i;
        for (; k > 0 && keys[k - 1].support > key.support; k--) {
            keys[k] = keys[k - 1];
        }
        keys[k] = key;
    }
}

/// Merge sort by support, keeping the order of equals. room: as many again.
static void sort_keys(TactItemKey *keys, int count, TactItemKey *other)
{
    for (int width = 1; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int left = start;
            int middle = start + width < count ? start + width : count;
            int right = middle;
            int end = start + 2 * width < count ? start + 2 * width : count;
            for (int k = start; k < end; k++) {
                bool from_left =
                    left < middle && (right >= end || keys[left].support <= keys[right].support);
                other[k] = from_left ? keys[left++] : keys[right++];
            }
        }
        memcpy(keys, other, (size_t)count * sizeof *keys);
    }
}

/// Which of the bodies of a pair is meant: the lower one, or the higher.
typedef enum Side { LOWER, HIGHER } Side;

static inline size_t body_of(uint64_t support, Side side)
{
    return (size_t)(side == HIGHER ? support >> 32 : support & 0xffffffff);
}

/// Sorts keys of pairs by one of their bodies into other, keeping the order of equals: counts them
/// body by body, and puts them where their body begins.
static void deal_keys(const TactItemKey *keys, int count, Side side, int *places, int bodies,
                      TactItemKey *other)
{
    memset(places, 0, (size_t)(bodies + 2) * sizeof *places);
    for (int i = 0; i < count; i++) {
        places[body_of(keys[i].support, side) + 1]++;
    }
    for (int b = 0; b < bodies; b++) {
        places[b + 1] += places[b];
    }
    for (int i = 0; i < count; i++) {
        other[places[body_of(keys[i].support, side)]++] = keys[i];
    }
}

/// Keys of pairs by support, keeping the order of equals, in a time that grows with their number:
/// by the lower body, then by the higher one. other: as many again.
static void sort_pairs(TactItemKey *keys, int count, int *places, int bodies, TactItemKey *other)
{
    bool lower = true; // in the order of the lower body already
    for (int i = 1; i < count && lower; i++) {
        lower = body_of(keys[i].support, LOWER) >= body_of(keys[i - 1].support, LOWER);
    }
    if (!lower) {
        deal_keys(keys, count, LOWER, places, bodies, other);
        memcpy(keys, other, (size_t)count * sizeof *keys);
    }
    deal_keys(keys, count, HIGHER, places, bodies, other);
    memcpy(keys, other, (size_t)count * sizeof *keys);
}

static inline void make_contact_item(const TactContactProblem *problem, int source, TactItem *item)
{
    const TactContact *contact = &problem->contacts[source];
    *item = (TactItem){
        .kind = TACT_ITEM_CONTACT,
        .source = source,
        .directions = contact->mu > 0 ? (contact->directions ? contact->directions : 8) : 0,
        .turn = contact->turn,
        .mu = contact->mu,
        .compliance = contact->compliance,
        .id = contact->id,
    };
}

static void make_row_item(const TactContactProblem *problem, int row, TactItem *item)
{
    const TactContactRow *source = &problem->rows[row];
    bool                  motor = source->kind >= TACT_ROW_MOTOR; // or a moment (patch.h)
    double                h = problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1;
    *item = (TactItem){
        .kind = motor ? TACT_ITEM_MOTOR : TACT_ITEM_UNILATERAL,
        .source = row,
        .directions = motor ? 2 : 0,
        .bound = motor ? h * source->force_max : 0,
        .id = source->id,
    };
}

static inline void make_item(const TactContactProblem *problem, int source, TactItem *item)
{
    if (source < problem->contact_count) {
        make_contact_item(problem, source, item);
    } else {
        make_row_item(problem, source - problem->contact_count, item);
    }
}

void tact_system_list_items(TactSystem *system, const TactContactProblem *problem)
{
    TactItemKey *keys = system->keys;
    int          count = 0, moments = 0; // these stay behind the others, as they come
    bool         sorted = true;          // as they mostly come
    bool         pairs = problem->bodies && system->bilateral.rank == 0;
    uint64_t     last = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        keys[count] = pairs
                          ? (TactItemKey){.support = pair_key(contact->a, contact->b), .source = i}
                          : support_key(problem, i, count > 0 ? &keys[count - 1] : NULL);
        sorted = sorted && keys[count].support >= last;
        last = keys[count++].support;
    }
    for (int r = 0; r < problem->row_count; r++) {
        TactContactRowKind kind = problem->rows[r].kind;
        if (kind == TACT_ROW_BILATERAL) {
            continue;
        }
        keys[count] =
            support_key(problem, problem->contact_count + r, count > 0 ? &keys[count - 1] : NULL);
        if (kind > TACT_ROW_MOTOR) {
            moments++;
        } else {
            sorted = sorted && keys[count].support >= last;
            last = keys[count].support;
        }
        count++;
    }
    if (!sorted && count - moments <= FEW) {
        insert_keys(keys, count - moments);
    } else if (!sorted && problem->bodies && !problem->M) {
        sort_pairs(keys, count - moments, system->places, problem->body_count, keys + count);
    } else if (!sorted) {
        sort_keys(keys, count - moments, keys + count);
    }
    for (int i = 0; i < count; i++) {
        make_item(problem, keys[i].source, &system->items[i]);
    }
    system->item_count = count;
    system->stride = TACT_SYSTEM_STRIDE(count);
}
