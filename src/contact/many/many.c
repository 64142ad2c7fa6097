#include "contact/many/many.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

enum { ROWS = TACT_MANY_ROWS, SUPPORT = TACT_MANY_SUPPORT, SQUARE = SUPPORT * SUPPORT };

// Groups that a thread takes at once; fewer than so many are not shared out.
enum { PART = 32, WORTH_WHILE = 128 };

static void release_many(TactMany *many)
{
    void *const arrays[] = {many->touch_start, many->touch, many->start, many->column,
                            many->group,       many->size,  many->sum,   many->pushed};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        tact_release(arrays[k]);
    }
    many->touch_start = many->column = many->group = many->size = NULL;
    many->touch = NULL;
    many->start = NULL;
    many->sum = many->pushed = NULL;
    many->node_room = many->group_room = 0;
}

void tact_many_destroy(TactMany *many)
{
    release_many(many);
    tact_fronts_destroy(many->fronts);
    many->fronts = NULL;
}

static TactStatus make_many_room(TactMany *many, int nodes, int groups)
{
    if (!many->fronts) {
        TACT_TRY(tact_fronts_create(&many->fronts));
    }
    if (nodes <= many->node_room && groups <= many->group_room) {
        return TACT_OK;
    }
    release_many(many);
    size_t n = (size_t)nodes + (size_t)nodes / 4, g = (size_t)groups + (size_t)groups / 4;
    TACT_TRY(tact_allocate(n + 1, sizeof(int), (void **)&many->touch_start));
    TACT_TRY(tact_allocate(2 * g, sizeof *many->touch, (void **)&many->touch));
    TACT_TRY(tact_allocate(n + 1, sizeof(size_t), (void **)&many->start));
    TACT_TRY(tact_allocate(n + 2 * g, sizeof(int), (void **)&many->column));
    TACT_TRY(tact_allocate(n + 2 * g, sizeof(int), (void **)&many->group));
    TACT_TRY(tact_allocate(n, sizeof(int), (void **)&many->size));
    TACT_TRY(tact_allocate(g, SQUARE * sizeof(double), (void **)&many->sum));
    TACT_TRY(tact_allocate(g, SUPPORT * sizeof(double), (void **)&many->pushed));
    many->node_room = (int)n;
    many->group_room = (int)g;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Pattern

/// Where the entries of the first node of a support end; false if it has more than two nodes.
static bool split_support(const int *support, int size, int *end)
{
    int node = size > 0 ? support[0] / ROWS : -1;
    *end = 0;
    while (*end < size && support[*end] / ROWS == node) {
        ++*end;
    }
    return size > 0 && size <= SUPPORT &&
           (*end == size || support[*end] / ROWS == support[size - 1] / ROWS);
}

/// Lists the groups of every node: counted, summed, filled in.
static bool list_touches(TactMany *many)
{
    const TactSystem *system = many->system;
    int              *start = many->touch_start;
    memset(start, 0, ((size_t)many->nodes + 1) * sizeof(int));
    for (int pass = 0; pass < 2; pass++) {
        for (int g = 0; g < system->group_count; g++) {
            const int *support = system->support + system->groups[g].support;
            int        size = system->groups[g].size, end;
            if (!split_support(support, size, &end)) {
                return false;
            }
            for (int half = 0; half < (end < size ? 2 : 1); half++) {
                int node = support[half == 0 ? 0 : end] / ROWS;
                if (pass == 0) {
                    start[node + 1]++;
                } else {
                    many->touch[start[node]++] =
                        (TactManyTouch){g, half == 0 ? 0 : end, half == 0 ? end : size};
                }
            }
        }
        for (int k = 0; k < many->nodes && pass == 0; k++) {
            start[k + 1] += start[k];
        }
    }
    for (int k = many->nodes; k > 0; k--) { // each has moved to the next one
        start[k] = start[k - 1];
    }
    start[0] = 0;
    return true;
}

/// The other node of a group; the same one if there is none.
static int other_node(const TactSystem *system, const TactManyTouch *touch)
{
    const TactItemGroup *group = &system->groups[touch->group];
    const int           *support = system->support + group->support;
    return support[touch->first > 0 ? 0 : group->size - 1] / ROWS;
}

/// Rows of the pattern, ascending; false if two groups couple the same nodes.
static bool make_pattern(TactMany *many)
{
    size_t used = 0;
    for (int i = 0; i < many->nodes; i++) {
        size_t first = used;
        many->start[i] = used;
        many->column[used] = i;
        many->group[used++] = -1;
        for (int k = many->touch_start[i]; k < many->touch_start[i + 1]; k++) {
            int    j = other_node(many->system, &many->touch[k]);
            size_t at = used;
            if (j == i) {
                continue;
            }
            for (; at > first && many->column[at - 1] >= j; at--) {
                if (many->column[at - 1] == j) {
                    return false;
                }
                many->column[at] = many->column[at - 1];
                many->group[at] = many->group[at - 1];
            }
            many->column[at] = j;
            many->group[at] = many->touch[k].group;
            used++;
        }
        int rest = many->system->dof - ROWS * i;
        many->size[i] = rest < ROWS ? rest : ROWS;
    }
    many->start[many->nodes] = used;
    return true;
}

bool tact_many_begin(TactMany *many, const TactSystem *system)
{
    int nodes = (system->dof + ROWS - 1) / ROWS;
    if (nodes < TACT_MANY_NODES || make_many_room(many, nodes, system->group_count) != TACT_OK) {
        return false;
    }
    many->system = system;
    many->nodes = nodes;
    if (!list_touches(many) || !make_pattern(many)) {
        return false;
    }
    TactPattern pattern = {nodes, many->start, many->column};
    int         threads = many->thread_count > 1 ? many->thread_count : 1;
    return tact_fronts_shape(many->fronts, &pattern, ROWS) == TACT_OK &&
           tact_fronts_reserve(many->fronts, threads) == TACT_OK;
}

double tact_many_work(const TactMany *many)
{
    return tact_fronts_work(many->fronts);
}

// ---------------------------------------------------------------------------------------------
// Loops

typedef struct Share {
    TactManyWork *work;
    void         *context;
    int           count;
    atomic_int    next;
} Share;

static void take_parts(void *context, int thread)
{
    Share *share = context;
    for (;;) {
        int first = atomic_fetch_add_explicit(&share->next, PART, memory_order_relaxed);
        if (first >= share->count) {
            return;
        }
        int end = first + PART < share->count ? first + PART : share->count;
        share->work(share->context, first, end, thread);
    }
}

void tact_many_share(const TactMany *many, int count, TactManyWork *work, void *context)
{
    if (!many->threads || count < WORTH_WHILE) {
        work(context, 0, count, 0);
        return;
    }
    Share share = {.work = work, .context = context, .count = count};
    tact_threads_run(many->threads, take_parts, &share);
}

// ---------------------------------------------------------------------------------------------
// Factor

typedef struct Assembly {
    TactMany     *many;
    const double *B;
    size_t        stride;
} Assembly;

static bool is_zero(const double B[9])
{
    return B[0] == 0 && B[4] == 0 && B[8] == 0;
}

/// What each of some groups adds to the matrix.
static void sum_groups(void *context, int first, int end, int thread)
{
    const Assembly   *assembly = context;
    const TactSystem *system = assembly->many->system;
    (void)thread;
    for (int g = first; g < end; g++) {
        const TactItemGroup *group = &system->groups[g];
        double              *sum = assembly->many->sum + (size_t)g * SQUARE;
        memset(sum, 0, (size_t)(group->size * group->size) * sizeof(double));
        for (int i = group->first; i < group->first + group->count; i++) {
            const double *B = assembly->B + (size_t)i * assembly->stride;
            if (!is_zero(B)) {
                tact_blocks_add_item(system->columns + system->column[i], B, 1, group->size, sum);
            }
        }
    }
}

/// Adds what a group has in the rows of one node and the columns of another.
static void add_part(const TactMany *many, const TactManyTouch *row, int from, int to, int column,
                     double *block)
{
    const TactItemGroup *group = &many->system->groups[row->group];
    const int           *support = many->system->support + group->support;
    const double        *sum = many->sum + (size_t)row->group * SQUARE;
    for (int r = row->first; r < row->end; r++) {
        double *out = block + support[r] % ROWS * TACT_FRONT_ROWS;
        for (int s = from; s < to; s++) {
            out[support[s] - column * ROWS] += sum[r * group->size + s];
        }
    }
}

static void write_block(const void *context, size_t k, int i, int j, double *block)
{
    const TactMany *many = context;
    if (i == j) {
        for (int r = 0; r < ROWS; r++) {
            block[r * (TACT_FRONT_ROWS + 1)] = 1;
        }
    }
    for (int t = many->touch_start[i]; t < many->touch_start[i + 1]; t++) {
        const TactManyTouch *touch = &many->touch[t];
        int                  size = many->system->groups[touch->group].size;
        if (i == j) {
            add_part(many, touch, touch->first, touch->end, i, block);
        } else if (touch->group == many->group[k]) {
            add_part(many, touch, touch->first > 0 ? 0 : touch->end,
                     touch->first > 0 ? touch->first : size, j, block);
            return;
        }
    }
}

bool tact_many_factor(TactMany *many, const double *B, size_t stride)
{
    Assembly        assembly = {many, B, stride};
    TactFrontValues values = {write_block, many, many->size};
    tact_many_share(many, many->system->group_count, sum_groups, &assembly);
    return tact_fronts_factor(many->fronts, &values, many->threads);
}

void tact_many_solve(const TactMany *many, double *x)
{
    tact_fronts_solve(many->fronts, x, many->threads);
}

// ---------------------------------------------------------------------------------------------

typedef struct Subtraction {
    const TactMany *many;
    double         *y;
} Subtraction;

static void subtract_nodes(void *context, int first, int end, int thread)
{
    const Subtraction *subtraction = context;
    const TactMany    *many = subtraction->many;
    (void)thread;
    for (int t = many->touch_start[first]; t < many->touch_start[end]; t++) {
        const TactManyTouch *touch = &many->touch[t];
        const TactItemGroup *group = &many->system->groups[touch->group];
        const int           *support = many->system->support + group->support;
        const double        *pushed = many->pushed + (size_t)touch->group * SUPPORT;
        for (int s = touch->first; s < touch->end; s++) {
            subtraction->y[support[s]] -= pushed[s];
        }
    }
}

void tact_many_subtract(const TactMany *many, double *y)
{
    Subtraction subtraction = {many, y};
    tact_many_share(many, many->nodes, subtract_nodes, &subtraction);
}
