// Numbers: every front is put together from the matrix and from what its children leave,
// eliminated, and leaves its own part to its parent. Tasks are shared out among threads.
#include <string.h>

#include "linalg/front/front_internal.h"

enum { BLOCK = TACT_FRONT_ROWS * TACT_FRONT_ROWS };

// Rows of a front that threads put together and put away, and nodes that one takes at once.
enum { SHARED_ROWS = 600, SHARE_NODES = 6 };

/// A factor in hand.
typedef struct Factor {
    TactFronts            *fronts;
    const TactFrontValues *values;
} Factor;

/// The front in hand, and where the unknowns of its nodes begin.
typedef struct Hand {
    double *F;
    size_t  stride;
    int    *offset;
} Hand;

static void count_unknowns(const TactFronts *fronts, TactFront *front, int *offset)
{
    int number = 0, sum = 0;
    for (int place = front->first; place < front->end; place++) {
        offset[number++] = sum;
        sum += fronts->kept.at[place + 1] - fronts->kept.at[place];
    }
    front->K = sum;
    for (int r = 0; r < front->row_count; r++) {
        int place = fronts->row[front->rows + (size_t)r];
        offset[number++] = sum;
        sum += fronts->kept.at[place + 1] - fronts->kept.at[place];
    }
    offset[number] = sum;
    front->m = sum;
}

/// A copy of so many numbers: mostly those of one body.
static inline void copy_row(double *restrict to, const double *restrict from, size_t count)
{
    if (count == TACT_FRONT_ROWS) {
        memcpy(to, from, TACT_FRONT_ROWS * sizeof(double)); // a few moves, no call
    } else {
        memcpy(to, from, count * sizeof(double));
    }
}

static void put_block(const Factor *factor, const Hand *hand, size_t k, int i, int j, int row,
                      int column)
{
    const TactFrontValues *values = factor->values;
    double                 block[BLOCK] = {0};
    values->block(values->context, k, i, j, block);
    for (int r = 0; r < values->size[i]; r++) {
        copy_row(hand->F + (size_t)(hand->offset[row] + r) * hand->stride + hand->offset[column],
                 block + r * TACT_FRONT_ROWS, (size_t)values->size[j]);
    }
}

/// Nodes of the front in hand whose rows one thread takes.
typedef struct Range {
    int first, end;
} Range;

static bool has_node(const Range *range, int node)
{
    return node >= range->first && node < range->end;
}

/// The entries of the matrix in the columns of the front, and in their rows.
static void add_matrix(const Factor *factor, const TactFront *front, const Hand *hand,
                       const Range *range)
{
    const TactFronts *fronts = factor->fronts;
    const int        *size = factor->values->size;
    int               columns = front->end - front->first;
    for (int own = 0; own < columns; own++) {
        int i = fronts->order.node[front->first + own];
        for (size_t k = fronts->start[i]; k < fronts->start[i + 1] && size[i] > 0; k++) {
            int j = fronts->column[k], other = fronts->local[k];
            if (other < 0 || size[j] == 0) {
                continue;
            }
            if (has_node(range, own)) {
                put_block(factor, hand, k, i, j, own, other);
            }
            if (other >= columns && has_node(range, other)) { // of its own columns each row brings
                put_block(factor, hand, fronts->mirror[k], j, i, other, own); // its entries
            }
        }
    }
}

/// out += in
static void add_values(int count, const double *in, double *out)
{
    for (int k = 0; k < count; k++) {
        out[k] += in[k];
    }
}

/// What a child leaves, at the places of its rows.
static void add_child(const TactFronts *fronts, const TactFront *child, const Hand *hand,
                      const Range *range)
{
    const double *update = fronts->kept.stack + child->update;
    const int    *map = fronts->map + child->rows, *offset = hand->offset;
    size_t        side = (size_t)(child->m - child->K);
    for (int r = 0; r < child->row_count; r++) {
        if (!has_node(range, map[r])) {
            update += side * (size_t)(offset[map[r] + 1] - offset[map[r]]);
            continue;
        }
        for (int to = offset[map[r]]; to < offset[map[r] + 1]; to++, update += side) {
            double       *out = hand->F + (size_t)to * hand->stride;
            const double *in = update;
            for (int s = 0; s < child->row_count;) {
                // Rows that are neighbours in the parent as well are added at once.
                int first = s++;
                while (s < child->row_count && map[s] == map[s - 1] + 1) {
                    s++;
                }
                int width = offset[map[s - 1] + 1] - offset[map[first]];
                add_values(width, in, out + offset[map[first]]);
                in += width;
            }
        }
    }
}

/// The matrix and what the children leave, in their order.
static void put_together(const Factor *factor, const TactFront *front, const Hand *hand,
                         const Range *range)
{
    const TactFronts *fronts = factor->fronts;
    size_t            from = (size_t)hand->offset[range->first];
    size_t            rows = (size_t)hand->offset[range->end] - from;
    memset(hand->F + from * hand->stride, 0, rows * hand->stride * sizeof(double));
    add_matrix(factor, front, hand, range);
    for (int c = front->child; c >= 0; c = fronts->front[c].sibling) {
        add_child(fronts, &fronts->front[c], hand, range);
    }
}

/// U and L out of the front, and what is left onto the stack.
static void put_away(const Factor *factor, const TactFront *front, const Hand *hand,
                     const Range *range)
{
    const TactFronts *fronts = factor->fronts;
    size_t            K = (size_t)front->K, m = (size_t)front->m, rest = m - K;
    double           *value = fronts->kept.value + front->values,
           *update = fronts->kept.stack + front->update;
    size_t end = (size_t)hand->offset[range->end];
    for (size_t i = (size_t)hand->offset[range->first]; i < end; i++) {
        const double *row = hand->F + i * hand->stride;
        if (i < K) {
            memcpy(value + i * m, row, m * sizeof(double));
        } else {
            copy_row(value + K * m + (i - K) * K, row, K);
            memcpy(update + (i - K) * rest, row + K, rest * sizeof(double));
        }
    }
}

/// What is done to the rows of some nodes of a front.
typedef void Move(const Factor *factor, const TactFront *front, const Hand *hand,
                  const Range *range);

/// A front whose nodes are shared out.
typedef struct Together {
    const Factor    *factor;
    const TactFront *front;
    const Hand      *hand;
    Move            *move;
} Together;

static void take_nodes(void *context, int first, int end)
{
    const Together *together = context;
    Range           range = {first, end};
    together->move(together->factor, together->front, together->hand, &range);
}

/// All rows of a front; share NULL: by the caller.
static void move_all(const Factor *factor, const TactFront *front, const Hand *hand, Move *move,
                     TactFrontShare *share)
{
    int nodes = front->end - front->first + front->row_count;
    if (share && front->m >= SHARED_ROWS) {
        Together together = {factor, front, hand, move};
        tact_front_share(share, nodes, SHARE_NODES, take_nodes, &together);
    } else {
        Range all = {0, nodes};
        move(factor, front, hand, &all);
    }
}

static bool make_front(const Factor *factor, int f, int thread, TactFrontShare *share)
{
    TactFronts *fronts = factor->fronts;
    TactFront  *front = &fronts->front[f];
    Hand        hand = {.F = fronts->kept.room + (size_t)thread * fronts->largest,
                        .offset = fronts->kept.offset + (size_t)thread * ((size_t)fronts->widest + 1)};
    count_unknowns(fronts, front, hand.offset);
    hand.stride = tact_front_stride((size_t)front->m);
    move_all(factor, front, &hand, put_together, share);
    if (!tact_front_eliminate(hand.F, front->m, hand.stride, front->K, share)) {
        return false;
    }
    move_all(factor, front, &hand, put_away, share);
    return true;
}

static bool make_task(void *context, int number, int thread, TactFrontShare *share)
{
    const Factor        *factor = context;
    const TactFrontTask *task = &factor->fronts->task[number];
    for (int f = task->first; f < task->end; f++) {
        if (!make_front(factor, f, thread, share)) {
            return false;
        }
    }
    return true;
}

/// First unknowns of places and nodes.
static void place_unknowns(TactFronts *fronts, const int *size)
{
    fronts->kept.at[0] = fronts->kept.given[0] = 0;
    for (int i = 0; i < fronts->n; i++) {
        fronts->kept.at[i + 1] = fronts->kept.at[i] + size[fronts->order.node[i]];
        fronts->kept.given[i + 1] = fronts->kept.given[i] + size[i];
    }
}

bool tact_fronts_factor(TactFronts *fronts, const TactFrontValues *values, TactThreads *threads)
{
    Factor factor = {.fronts = fronts, .values = values};
    place_unknowns(fronts, values->size);
    return tact_front_tasks_run(fronts, true, threads, make_task, &factor);
}

// ---------------------------------------------------------------------------------------------
// Solve

/// What a child's columns have taken from its rows goes to the columns and rows of its parent.
static void take_child(const TactFronts *fronts, const TactFront *child, const TactFront *front,
                       double *rest)
{
    const double *from = fronts->kept.rest + (size_t)fronts->b * child->rows;
    int           columns = front->end - front->first, number = columns;
    int           to = 0; // first unknown of the row of that number in rest
    for (int r = 0; r < child->row_count; r++) {
        int     place = fronts->row[child->rows + (size_t)r];
        int     width = fronts->kept.at[place + 1] - fronts->kept.at[place];
        int     own = fronts->map[child->rows + (size_t)r];
        double *out = fronts->kept.x + fronts->kept.at[place];
        if (own >= columns) {
            for (; number < own; number++) {
                int before = fronts->row[front->rows + (size_t)(number - columns)];
                to += fronts->kept.at[before + 1] - fronts->kept.at[before];
            }
            out = rest + to;
        }
        for (int k = 0; k < width; k++) {
            out[k] += own >= columns ? from[k] : -from[k];
        }
        from += width;
    }
}

static void solve_forward(const TactFronts *fronts, const TactFront *front)
{
    double *rest = fronts->kept.rest + (size_t)fronts->b * front->rows;
    double *y = fronts->kept.x + fronts->kept.at[front->first];
    memset(rest, 0, (size_t)(front->m - front->K) * sizeof(double));
    for (int c = front->child; c >= 0; c = fronts->front[c].sibling) {
        take_child(fronts, &fronts->front[c], front, rest);
    }
    tact_front_forward(fronts->kept.value + front->values, front->K, front->m, y, rest);
}

static void solve_backward(const TactFronts *fronts, const TactFront *front)
{
    double *rest = fronts->kept.rest + (size_t)fronts->b * front->rows, *to = rest;
    for (int r = 0; r < front->row_count; r++) {
        int place = fronts->row[front->rows + (size_t)r];
        for (int k = fronts->kept.at[place]; k < fronts->kept.at[place + 1]; k++) {
            *to++ = fronts->kept.x[k];
        }
    }
    tact_front_backward(fronts->kept.value + front->values, front->K, front->m, rest,
                        fronts->kept.x + fronts->kept.at[front->first]);
}

static bool solve_task_forward(void *context, int number, int thread, TactFrontShare *share)
{
    const TactFronts    *fronts = context;
    const TactFrontTask *task = &fronts->task[number];
    (void)thread;
    (void)share;
    for (int f = task->first; f < task->end; f++) {
        solve_forward(fronts, &fronts->front[f]);
    }
    return true;
}

static bool solve_task_backward(void *context, int number, int thread, TactFrontShare *share)
{
    const TactFronts    *fronts = context;
    const TactFrontTask *task = &fronts->task[number];
    (void)thread;
    (void)share;
    for (int f = task->end - 1; f >= task->first; f--) {
        solve_backward(fronts, &fronts->front[f]);
    }
    return true;
}

void tact_fronts_solve(const TactFronts *fronts, double *x, TactThreads *threads)
{
    double *y = fronts->kept.x;
    for (int k = 0; k < fronts->n; k++) {
        int i = fronts->order.node[k];
        for (int c = fronts->kept.at[k]; c < fronts->kept.at[k + 1]; c++) {
            y[c] = x[fronts->kept.given[i] + c - fronts->kept.at[k]];
        }
    }
    tact_front_tasks_run(fronts, true, threads, solve_task_forward, (void *)fronts);
    tact_front_tasks_run(fronts, false, threads, solve_task_backward, (void *)fronts);
    for (int k = 0; k < fronts->n; k++) {
        int i = fronts->order.node[k];
        for (int c = fronts->kept.at[k]; c < fronts->kept.at[k + 1]; c++) {
            x[fronts->kept.given[i] + c - fronts->kept.at[k]] = y[c];
        }
    }
}
