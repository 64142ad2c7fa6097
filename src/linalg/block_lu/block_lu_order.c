// Order of elimination, and where fill arises in that order.
//
// The order is found on rows of bits, a row a block: an elimination is a few words a neighbour.
// Fill of an order that is known takes far less: in places, the rows of a column below its first
// one are among those of the column of that first one, so a column is merged into one other, and
// once.
#include <string.h>

#include "base/clones.h"
#include "linalg/block_lu/block_lu_kernels.h"

// A part of the links is ordered anew where the operations that its order has cost beyond what it
// should have are as many as so many times n^2: what an order takes, in operations of a factor.
static const double ORDER_WORK = 10;

/// From so many blocks on the order is by fill: it takes some ms, and a factor 4 to 23 % fewer
/// operations (four jams of 1000 boxes; of 216 boxes 3 to 5 %, which the order itself would cost).
enum { BY_FILL = 400 };

/// Nodes whose scores are compared at once; what comparing gives: all bits of a lane, or none.
enum { LANES = 8 };
typedef int64_t RowMask __attribute__((vector_size(64), aligned(8), may_alias));

TACT_CLONES static int count_bits(const uint64_t *bits, size_t words)
{
    int count = 0;
    for (size_t w = 0; w < words; w++) {
        count += __builtin_popcountll(bits[w]);
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Order

/// Pairs of neighbours that are none of each other, twice.
INLINE int count_fill(const TactBlockLu *lu, int node)
{
    size_t          words = lu->words;
    const uint64_t *own = lu->bits + (size_t)node * words;
    int             fill = 0;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = own[w]; left != 0; left &= left - 1) {
            const uint64_t *other = lu->bits + (64 * w + (size_t)__builtin_ctzll(left)) * words;
            for (size_t v = 0; v < words; v++) {
                fill += __builtin_popcountll(own[v] & ~other[v]);
            }
            fill--; // it is no neighbour of itself
        }
    }
    return fill;
}

TACT_CLONES static void find_score(TactBlockLu *lu, int node, bool by_fill)
{
    double degree = lu->degree[node];
    lu->score[node] = by_fill ? count_fill(lu, node) / (degree + 1) : degree;
}

/// The first of those that have the least score.
TACT_CLONES static int least_score(const TactBlockLu *lu)
{
    Row    least = {0};
    int    rest = lu->n - lu->n % LANES, best = 0;
    double score = HUGE_VAL;
    least += score;
    for (int i = 0; i < rest; i += LANES) {
        Row     at = *(const Row *)(lu->score + i);
        RowMask less = at < least;
        least = (Row)(((RowMask)at & less) | ((RowMask)least & ~less));
    }
    for (int k = 0; k < LANES; k++) {
        score = least[k] < score ? least[k] : score;
    }
    for (int i = rest; i < lu->n; i++) {
        score = lu->score[i] < score ? lu->score[i] : score;
    }
    while (lu->score[best] != score) {
        best++;
    }
    return best;
}

/// Scores after an elimination: those of the neighbours, and of theirs where fill counts.
static void renew_scores(TactBlockLu *lu, const int *neighbours, int count, bool by_fill)
{
    size_t    words = lu->words;
    uint64_t *near = lu->near;
    if (!by_fill) {
        for (int k = 0; k < count; k++) {
            find_score(lu, neighbours[k], by_fill);
        }
        return;
    }
    memset(near, 0, words * sizeof *near);
    for (int k = 0; k < count; k++) {
        const uint64_t *bits = lu->bits + (size_t)neighbours[k] * words;
        near[neighbours[k] / 64] |= (uint64_t)1 << neighbours[k] % 64;
        for (size_t w = 0; w < words; w++) {
            near[w] |= bits[w];
        }
    }
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = near[w]; left != 0; left &= left - 1) {
            find_score(lu, (int)(64 * w) + __builtin_ctzll(left), by_fill);
        }
    }
}

/// All neighbours of a node become neighbours of each other, and lose it. They are listed.
TACT_CLONES static int eliminate_node(TactBlockLu *lu, int node, int *neighbours)
{
    size_t          words = lu->words;
    const uint64_t *own = lu->bits + (size_t)node * words;
    int             count = 0;
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = own[w]; left != 0; left &= left - 1) {
            neighbours[count++] = (int)(64 * w) + __builtin_ctzll(left);
        }
    }
    for (int k = 0; k < count; k++) {
        int       j = neighbours[k];
        uint64_t *bits = lu->bits + (size_t)j * words;
        for (size_t w = 0; w < words; w++) {
            bits[w] |= own[w];
        }
        bits[node / 64] &= ~((uint64_t)1 << node % 64);
        bits[j / 64] &= ~((uint64_t)1 << j % 64);
        int degree = 0;
        for (size_t w = 0; w < words; w++) {
            degree += __builtin_popcountll(bits[w]);
        }
        lu->degree[j] = degree;
    }
    return count;
}

/// Nodes by least score, ties by index.
static void find_order(TactBlockLu *lu, bool by_fill)
{
    int *neighbours = lu->behind;
    for (int i = 0; i < lu->n; i++) {
        lu->degree[i] = count_bits(lu->bits + (size_t)i * lu->words, lu->words);
    }
    for (int i = 0; i < lu->n; i++) {
        find_score(lu, i, by_fill);
    }
    for (int k = 0; k < lu->n; k++) {
        int node = least_score(lu);
        int count = eliminate_node(lu, node, neighbours);
        lu->score[node] = HUGE_VAL;
        renew_scores(lu, neighbours, count, by_fill);
        lu->place[node] = k;
        lu->order[k] = node;
    }
}

// ---------------------------------------------------------------------------------------------
// Fill

/// Rows below the diagonal that the links make, in places, one row of bits a column.
static void place_links(TactBlockLu *lu)
{
    size_t words = lu->words;
    lu->links = 0;
    memset(lu->bits, 0, (size_t)lu->n * words * sizeof(uint64_t));
    for (int i = 0; i < lu->n; i++) {
        const uint64_t *linked = lu->linked + (size_t)i * words;
        uint64_t       *bits = lu->bits + (size_t)lu->place[i] * words;
        for (size_t w = 0; w < words; w++) {
            for (uint64_t left = linked[w]; left != 0; left &= left - 1) {
                int j = lu->place[64 * w + (size_t)__builtin_ctzll(left)];
                if (j > lu->place[i]) {
                    bits[j / 64] |= (uint64_t)1 << j % 64;
                    lu->links++;
                }
            }
        }
    }
}

/// Lists the rows of a column from place `used` on, and adds all but the first to the column of the
/// first. False: there is no room for them.
INLINE bool list_rows(TactBlockLu *lu, int k, size_t *used)
{
    size_t    words = lu->words;
    uint64_t *own = lu->bits + (size_t)k * words;
    size_t    first = *used;
    for (size_t w = (size_t)k / 64; w < words; w++) {
        if (*used + (size_t)__builtin_popcountll(own[w]) > lu->room) {
            return false;
        }
        for (uint64_t left = own[w]; left != 0; left &= left - 1) {
            lu->row[(*used)++] = (int)(64 * w) + __builtin_ctzll(left);
        }
    }
    if (*used > first + 1) {
        int       above = lu->row[first];
        uint64_t *bits = lu->bits + (size_t)above * words;
        own[above / 64] &= ~((uint64_t)1 << above % 64);
        for (size_t w = (size_t)above / 64; w < words; w++) {
            bits[w] |= own[w];
        }
    }
    return true;
}

/// Rows of every column, ascending. False: there is no room for them.
TACT_CLONES static bool list_columns(TactBlockLu *lu)
{
    size_t used = 0;
    for (int k = 0; k < lu->n; k++) {
        lu->start[k] = used;
        if (!list_rows(lu, k, &used)) {
            return false;
        }
    }
    lu->start[lu->n] = used;
    return true;
}

/// Columns of every row, ascending, and which pairs of the columns these are.
static void transpose(TactBlockLu *lu)
{
    int     n = lu->n;
    size_t *next = lu->next;
    memset(next, 0, ((size_t)n + 1) * sizeof *next);
    for (size_t k = 0; k < lu->start[n]; k++) {
        next[lu->row[k] + 1]++;
    }
    for (int i = 0; i < n; i++) {
        next[i + 1] += next[i];
    }
    for (int c = 0; c < n; c++) {
        for (size_t k = lu->start[c]; k < lu->start[c + 1]; k++) {
            size_t at = next[lu->row[k]]++;
            lu->other[at] = c;
            lu->pair[at] = k;
        }
    }
    for (int i = n; i > 0; i--) { // each has moved to the next one
        next[i] = next[i - 1];
    }
    next[0] = 0;
}

/// Fill of the links in the order that there is. False: there is no room for it.
static bool find_fill(TactBlockLu *lu)
{
    place_links(lu);
    if (!list_columns(lu)) {
        return false;
    }
    transpose(lu);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Shapes

/// Are the neighbours those of the last shape? If not they are kept for the next time.
static bool is_shaped(TactBlockLu *lu)
{
    size_t size = (size_t)lu->n * lu->words * sizeof(uint64_t);
    if (lu->n > 0 && lu->shaped == lu->n && memcmp(lu->linked, lu->bits, size) == 0) {
        return true;
    }
    memcpy(lu->linked, lu->bits, size);
    lu->shaped = 0;
    return false;
}

static bool end_shape(TactBlockLu *lu)
{
    tact_block_lu_divide(lu);
    lu->shaped = lu->n;
    return true;
}

bool tact_block_lu_shape(TactBlockLu *lu)
{
    if (is_shaped(lu)) {
        return true;
    }
    find_order(lu, lu->n >= BY_FILL);
    if (!find_fill(lu)) {
        lu->n = 0;
        return false;
    }
    return end_shape(lu);
}

/// Remembers what the order that there is takes for the links that it is made for.
static void rate_order(TactBlockLu *lu)
{
    lu->rated.work = tact_block_lu_work(lu);
    lu->rated.links = lu->links;
    lu->rated.lost = 0;
}

/// What a good order should take: of a graph with so much fewer links.
static double expect_work(const TactBlockLu *lu)
{
    double part = lu->links / fmax(lu->rated.links, 1);
    return lu->rated.work * (part < 1 ? part * part * part * part : 1);
}

void tact_block_lu_begin_part(TactBlockLu *part, const TactBlockLu *whole)
{
    part->n = whole->n;
    part->words = whole->words;
    part->shaped = 0;
    memcpy(part->order, whole->order, (size_t)whole->n * sizeof *part->order);
    memcpy(part->place, whole->place, (size_t)whole->n * sizeof *part->place);
    part->rated.work = tact_block_lu_work(whole);
    part->rated.links = whole->links;
    part->rated.lost = 0;
}

bool tact_block_lu_shape_part(TactBlockLu *part)
{
    if (is_shaped(part)) {
        return true;
    }
    bool   fits = find_fill(part);
    double n = part->n;
    if (fits) {
        double more = tact_block_lu_work(part) - expect_work(part);
        part->rated.lost += more > 0 ? more : 0;
    }
    if (!fits || part->rated.lost > ORDER_WORK * n * n) {
        memcpy(part->bits, part->linked, (size_t)part->n * part->words * sizeof(uint64_t));
        find_order(part, false);
        if (!find_fill(part)) {
            return false;
        }
        rate_order(part);
    }
    return end_shape(part);
}
