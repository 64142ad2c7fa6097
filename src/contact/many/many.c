#include "contact/many/many.h"

#include <stdatomic.h>
#include <string.h>

#include "base/clones.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

enum { ROWS = TACT_MANY_ROWS, SUPPORT = TACT_MANY_SUPPORT, SQUARE = SUPPORT * SUPPORT };

// Groups that a thread takes at once; fewer than so many are not shared out.
enum { PART = 32, WORTH_WHILE = 128 };

// A factor that takes more says so before it does.
static const size_t TOLD_BYTES = (size_t)100 << 20;

// Operations of a factor from which on fronts are faster than the block LU. (1000 boxes that fall,
// 3.5e7: 2.2 and 3.0 ms; 5.4e7: 2.9 and 4.1; 1000 boxes in layers, 6.4e8: 39 and 35 ms.)
static const double COLUMNS_WORK = 3e8;

// Most threads that share a loop.
enum { TACT_MANY_THREADS = 64 };

static void release_many(TactMany *many)
{
    void *const arrays[] = {many->touch_start, many->touch,        many->start,  many->column,
                            many->touched,     many->size,         many->pair,   many->touches,
                            many->part,        many->sum,          many->pushed, many->group_size,
                            many->support,     many->loaded.marked};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        tact_release(arrays[k]);
    }
    many->touch_start = many->column = many->touched = many->size = NULL;
    many->group_size = many->support = NULL;
    many->is_shaped = false;
    many->touch = NULL;
    many->start = many->pair = NULL;
    many->touches = NULL;
    many->part = many->sum = many->pushed = NULL;
    many->loaded.marked = NULL;
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
    TACT_TRY(tact_allocate(n + 2 * g, sizeof(int), (void **)&many->touched));
    TACT_TRY(tact_allocate(n, sizeof(int), (void **)&many->size));
    TACT_TRY(tact_allocate(2 * g, sizeof(size_t), (void **)&many->pair));
    TACT_TRY(tact_allocate(g, sizeof(bool), (void **)&many->loaded.marked));
    TACT_TRY(tact_allocate(2 * g, sizeof(int), (void **)&many->touches));
    TACT_TRY(tact_allocate(2 * g, TACT_BLOCK_SIZE * sizeof(double), (void **)&many->part));
    TACT_TRY(tact_allocate(g, SQUARE * sizeof(double), (void **)&many->sum));
    TACT_TRY(tact_allocate(g, SUPPORT * sizeof(double), (void **)&many->pushed));
    TACT_TRY(tact_allocate(g, sizeof(int), (void **)&many->group_size));
    TACT_TRY(tact_allocate(g, SUPPORT * sizeof(int), (void **)&many->support));
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
        many->touched[used++] = -1;
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
                many->touched[at] = many->touched[at - 1];
            }
            many->column[at] = j;
            many->touched[at] = k;
            used++;
        }
        int rest = many->system->dof - ROWS * i;
        many->size[i] = rest < ROWS ? rest : ROWS;
    }
    many->start[many->nodes] = used;
    return true;
}

/// Says what a large factor takes, and again where it has become a quarter larger.
static void tell_memory(TactMany *many)
{
    size_t bytes = tact_fronts_bytes(many->fronts);
    if (bytes > TOLD_BYTES && bytes / 5 > many->told / 4) {
        many->told = bytes;
        tact_log(TACT_LOG_LEVEL_INFO, "%d bodies: the factor takes %.0f MB and %.2g operations",
                 many->nodes, 1e-6 * (double)bytes, tact_fronts_work(many->fronts));
    }
}

/// Room for the values of the fronts.
static bool reserve_fronts(const TactMany *many)
{
    return tact_fronts_reserve(many->fronts, many->thread_count > 1 ? many->thread_count : 1) ==
           TACT_OK;
}

/// The pattern of the fronts.
static bool shape_fronts(TactMany *many)
{
    TactPattern pattern = {many->nodes, many->start, many->column};
    if (!make_pattern(many) || tact_fronts_shape(many->fronts, &pattern, ROWS) != TACT_OK) {
        return false;
    }
    tell_memory(many);
    return reserve_fronts(many);
}

/// The pairs of the groups in a block LU, or of those that are marked; false if two of them have
/// the same.                                                         marked, pair: (groups)
static bool find_pairs(const TactMany *many, TactBlockLu *lu, const bool *marked, size_t *pair)
{
    const TactSystem *system = many->system;
    memset(lu->given, 0, lu->start[lu->n] * sizeof *lu->given);
    for (int g = 0; g < system->group_count; g++) {
        const int *support = system->support + system->groups[g].support;
        int        a = support[0] / ROWS, b = support[system->groups[g].size - 1] / ROWS;
        if (a == b || (marked && !marked[g])) {
            continue;
        }
        pair[g] = tact_block_lu_pair(lu, a, b);
        if (lu->given[pair[g]]) {
            return false;
        }
        lu->given[pair[g]] = true;
    }
    return true;
}

/// That of the block LU, and the pairs of the groups there.
static bool shape_columns(TactMany *many, TactBlockLu *lu, TactBlockLu *some)
{
    const TactSystem *system = many->system;
    if (!tact_blocks_shape(lu, system, SUPPORT) || tact_block_lu_work(lu) > COLUMNS_WORK ||
        !find_pairs(many, lu, NULL, many->pair)) {
        return false;
    }
    for (int g = 0; g < system->group_count; g++) {
        many->touches[2 * g + 1] = -1;
    }
    for (int t = 0; t < many->touch_start[many->nodes]; t++) {
        int g = many->touch[t].group;
        many->touches[2 * g + (many->touch[t].first > 0)] = t;
    }
    many->lu = lu;
    many->some = some;
    return true;
}

/// Are these the supports of the last time? A heap at rest has the same ones in every step.
static bool has_same_supports(const TactMany *many, const TactSystem *system, int nodes,
                              const TactBlockLu *lu)
{
    size_t used = 0;
    if (!many->is_shaped || many->nodes != nodes || many->group_count != system->group_count ||
        many->dof != system->dof || (many->lu && many->lu != lu)) {
        return false;
    }
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        if (group->size != many->group_size[g] ||
            memcmp(many->support + used, system->support + group->support,
                   (size_t)group->size * sizeof(int)) != 0) {
            return false;
        }
        used += (size_t)group->size;
    }
    return true;
}

/// Remembers them; false if one is too large.
static bool keep_supports(TactMany *many)
{
    const TactSystem *system = many->system;
    size_t            used = 0;
    many->group_count = system->group_count;
    for (int g = 0; g < system->group_count; g++) {
        const TactItemGroup *group = &system->groups[g];
        if (group->size > SUPPORT) {
            return false;
        }
        many->group_size[g] = group->size;
        memcpy(many->support + used, system->support + group->support,
               (size_t)group->size * sizeof(int));
        used += (size_t)group->size;
    }
    return true;
}

/// Once the pattern is there.
static bool begin_factors(TactMany *many)
{
    many->used = many->lu;
    if (many->lu) {
        tact_block_lu_begin_part(many->some, many->lu);
    }
    return true;
}

bool tact_many_begin(TactMany *many, const TactSystem *system, TactBlockLu *lu, TactBlockLu *some)
{
    int nodes = (system->dof + ROWS - 1) / ROWS;
    if (has_same_supports(many, system, nodes, lu)) {
        many->system = system;
        return begin_factors(many) && (many->lu || reserve_fronts(many));
    }
    many->is_shaped = false;
    many->lu = NULL;
    if (nodes < TACT_MANY_NODES || make_many_room(many, nodes, system->group_count) != TACT_OK) {
        return false;
    }
    many->system = system;
    many->nodes = nodes;
    many->dof = system->dof;
    many->is_shaped =
        list_touches(many) && keep_supports(many) &&
        ((nodes < TACT_MANY_FRONTS && shape_columns(many, lu, some)) || shape_fronts(many));
    return many->is_shaped && begin_factors(many);
}

bool tact_many_shape(TactMany *many, const double *B, size_t stride, double *work)
{
    const TactSystem *system = many->system;
    if (!many->lu) {
        *work = tact_fronts_work(many->fronts);
        return true;
    }
    TactLoadedGroups *loaded = &many->loaded;
    tact_blocks_mark_loaded(system, B, stride, loaded);
    many->used = loaded->count == system->group_count ? many->lu : many->some;
    if (many->used == many->some && (loaded->changed || many->some->shaped == 0) &&
        (!tact_blocks_shape_part(many->some, system, loaded->marked) ||
         !find_pairs(many, many->some, loaded->marked, many->pair + many->group_room))) {
        return false;
    }
    *work = tact_block_lu_work(many->used);
    return true;
}

double tact_many_work(const TactMany *many)
{
    return many->lu ? tact_block_lu_work(many->lu) : tact_fronts_work(many->fronts);
}

// ---------------------------------------------------------------------------------------------
// Loops

/// Parts of a range that belong to one thread: the same ones every time, whose numbers are near.
typedef struct Range {
    atomic_int next;
    int        end;
    char       apart[56]; // counters of two threads are not of one line of the cache
} Range;

typedef struct Share {
    TactManyWork *work;
    void         *context;
    int           threads;
    Range         range[TACT_MANY_THREADS];
} Share;

static void take_range(Share *share, Range *range, int thread)
{
    for (;;) {
        int first = atomic_fetch_add_explicit(&range->next, PART, memory_order_relaxed);
        if (first >= range->end) {
            return;
        }
        int end = range->end - first > PART ? first + PART : range->end;
        share->work(share->context, first, end, thread);
    }
}

/// Its own parts, then what others have left.
static void take_parts(void *context, int thread)
{
    Share *share = context;
    for (int k = 0; k < share->threads; k++) {
        take_range(share, &share->range[(thread + k) % share->threads], thread);
    }
}

void tact_many_share(const TactMany *many, int count, TactManyWork *work, void *context)
{
    int threads = many->threads ? tact_threads_get_count(many->threads) : 1;
    if (threads < 2 || threads > TACT_MANY_THREADS || count < WORTH_WHILE) {
        work(context, 0, count, 0);
        return;
    }
    Share share = {.work = work, .context = context, .threads = threads};
    for (int k = 0; k < threads; k++) {
        int first = (int)((long long)count * k / threads);
        atomic_init(&share.range[k].next, first);
        share.range[k].end = (int)((long long)count * (k + 1) / threads);
    }
    tact_threads_run_one_of_many(many->threads, take_parts, &share);
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
    return B[0] == 0 && B[4] == 0 && B[8] == 0 && B[3] == 0 && B[6] == 0;
}

/// What a group adds to the matrix.                                        sum: (size x size)
static inline void sum_group(const Assembly *assembly, int g, double *sum)
{
    const TactSystem    *system = assembly->many->system;
    const TactItemGroup *group = &system->groups[g];
    memset(sum, 0, (size_t)(group->size * group->size) * sizeof(double));
    for (int i = group->first; i < group->first + group->count; i++) {
        const double *B = assembly->B + (size_t)i * assembly->stride;
        if (!is_zero(B)) {
            tact_blocks_add_item(system->columns + system->column[i], B, 1, group->size, sum);
        }
    }
}

/// That of some groups.
static void sum_groups(void *context, int first, int end, int thread)
{
    const Assembly *assembly = context;
    (void)thread;
    for (int g = first; g < end; g++) {
        sum_group(assembly, g, assembly->many->sum + (size_t)g * SQUARE);
    }
}

/// Are these entries of a support the six of one node, in their order?
static bool is_whole(const int *support, int first, int end)
{
    return end - first == ROWS && support[first] % ROWS == 0 &&
           support[end - 1] == support[first] + ROWS - 1;
}

/// Adds what a group has in the rows of one node and the columns of another to a block whose rows
/// are so far apart.
static inline void add_part(const TactMany *many, const TactManyTouch *row, int from, int to,
                            double *block, const int stride)
{
    const TactItemGroup *group = &many->system->groups[row->group];
    const int           *support = many->system->support + group->support;
    const double        *sum = many->sum + (size_t)row->group * SQUARE;
    if (is_whole(support, row->first, row->end) && is_whole(support, from, to)) {
        const double *in = sum + row->first * group->size + from;
        for (int r = 0; r < ROWS; r++, in += group->size, block += stride) {
            for (int s = 0; s < ROWS; s++) {
                block[s] += in[s];
            }
        }
        return;
    }
    for (int r = row->first; r < row->end; r++) {
        double *out = block + support[r] % ROWS * stride;
        for (int s = from; s < to; s++) {
            out[support[s] % ROWS] += sum[r * group->size + s];
        }
    }
}

static void write_block(const void *context, size_t k, int i, int j, double *block)
{
    const TactMany *many = context;
    if (i != j) {
        const TactManyTouch *touch = &many->touch[many->touched[k]];
        int                  size = many->system->groups[touch->group].size;
        add_part(many, touch, touch->first > 0 ? 0 : touch->end,
                 touch->first > 0 ? touch->first : size, block, TACT_FRONT_ROWS);
        return;
    }
    for (int r = 0; r < ROWS; r++) {
        block[r * (TACT_FRONT_ROWS + 1)] = 1;
    }
    for (int t = many->touch_start[i]; t < many->touch_start[i + 1]; t++) {
        const TactManyTouch *touch = &many->touch[t];
        add_part(many, touch, touch->first, touch->end, block, TACT_FRONT_ROWS);
    }
}

/// Writes the block of some rows and columns of a support: from .. to - 1, its numbers
/// TACT_BLOCK_STRIDE apart.
static inline void write_part(const int *support, int size, const double *sum, const int rows[2],
                              const int columns[2], double *restrict block)
{
    if (is_whole(support, rows[0], rows[1]) && is_whole(support, columns[0], columns[1])) {
        const double *in = sum + rows[0] * size + columns[0];
        for (int r = 0; r < ROWS; r++, in += size, block += TACT_BLOCK_STRIDE) {
            memcpy(block, in, ROWS * sizeof(double));
            block[ROWS] = block[ROWS + 1] = 0;
        }
        return;
    }
    memset(block, 0, TACT_BLOCK_SIZE * sizeof(double));
    for (int r = rows[0]; r < rows[1]; r++) {
        double *out = block + support[r] % ROWS * TACT_BLOCK_STRIDE;
        for (int s = columns[0]; s < columns[1]; s++) {
            out[support[s] % ROWS] = sum[r * size + s];
        }
    }
}

/// What each of some groups adds to the matrix, put into the block LU; parts of the diagonal are
/// kept by touches.
TACT_CLONES static void put_groups(void *context, int first, int end, int thread)
{
    const Assembly   *assembly = context;
    const TactMany   *many = assembly->many;
    const TactSystem *system = many->system;
    TactBlockLu      *lu = many->used;
    const size_t     *pairs = many->pair + (lu == many->some ? many->group_room : 0);
    double            sum[SQUARE];
    (void)thread;
    for (int g = first; g < end; g++) {
        if (!many->loaded.marked[g]) {
            continue;
        }
        const TactItemGroup *group = &system->groups[g];
        const int *support = system->support + group->support, *own = many->touches + 2 * g;
        int        size = group->size;
        sum_group(assembly, g, sum);
        int split = many->touch[own[0]].end, a[2] = {0, split}, b[2] = {split, size};
        write_part(support, size, sum, a, a, many->part + (size_t)own[0] * TACT_BLOCK_SIZE);
        if (own[1] < 0) {
            continue;
        }
        size_t pair = pairs[g] * TACT_BLOCK_SIZE;
        bool   later = lu->place[support[0] / ROWS] > lu->place[support[split] / ROWS];
        write_part(support, size, sum, b, b, many->part + (size_t)own[1] * TACT_BLOCK_SIZE);
        write_part(support, size, sum, a, b, (later ? lu->lower : lu->upper) + pair);
        write_part(support, size, sum, b, a, (later ? lu->upper : lu->lower) + pair);
    }
}

/// The parts of the groups of a node, in their order.
TACT_CLONES static void add_diagonal(const void *context, int node, double *block)
{
    const TactMany *many = context;
    for (int t = many->touch_start[node]; t < many->touch_start[node + 1]; t++) {
        if (!many->loaded.marked[many->touch[t].group]) {
            continue;
        }
        const double *part = many->part + (size_t)t * TACT_BLOCK_SIZE;
        for (int e = 0; e < TACT_BLOCK_SIZE; e++) {
            block[e] += part[e];
        }
    }
}

/// Rows of the last node that the system does not have.                    x: (dof, whole blocks)
static void clear_rest(const TactMany *many, double *x)
{
    int dof = many->system->dof;
    memset(x + dof, 0, (size_t)(ROWS * many->lu->n - dof) * sizeof(double));
}

bool tact_many_factor(TactMany *many, const double *B, size_t stride)
{
    Assembly assembly = {many, B, stride};
    int      groups = many->system->group_count;
    if (many->lu) {
        TactBlockValues values = {add_diagonal, many};
        tact_many_share(many, groups, put_groups, &assembly);
        return tact_block_lu_factor_columns(many->used, &values, many->threads);
    }
    TactFrontValues values = {write_block, many, many->size};
    tact_many_share(many, groups, sum_groups, &assembly);
    return tact_fronts_factor(many->fronts, &values, many->threads);
}

void tact_many_solve(const TactMany *many, double *x)
{
    if (many->lu) {
        clear_rest(many, x);
        tact_block_lu_solve(many->used, x, many->threads);
    } else {
        tact_fronts_solve(many->fronts, x, many->threads);
    }
}

bool tact_many_factor_and_solve(TactMany *many, const double *B, size_t stride, double *x)
{
    if (!many->lu) {
        bool good = tact_many_factor(many, B, stride);
        if (good) {
            tact_many_solve(many, x);
        }
        return good;
    }
    Assembly        assembly = {many, B, stride};
    TactBlockValues values = {add_diagonal, many};
    clear_rest(many, x);
    tact_many_share(many, many->system->group_count, put_groups, &assembly);
    return tact_block_lu_factor_and_solve(many->used, &values, x, many->threads);
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
