// Numbers: every front is put together from the matrix and from what its children leave,
// eliminated, and leaves its own part to its parent. Subtrees are shared out among threads.
#include <stdatomic.h>
#include <string.h>

#include "linalg/front/front_internal.h"

enum { BLOCK = TACT_FRONT_ROWS * TACT_FRONT_ROWS };

// Rows of a front that threads put together and put away, and nodes that one takes at once.
enum { SHARED_ROWS = 96, SHARE_NODES = 6 };

/// A factor in hand.
typedef struct Factor {
    TactFronts            *fronts;
    const TactFrontValues *values;
    TactThreads           *threads; // of the fronts beyond the tasks; NULL: the caller alone
    atomic_int             next;    // task to be taken
    atomic_bool            failed;  // a pivot was 0
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
        sum += fronts->at[place + 1] - fronts->at[place];
    }
    front->K = sum;
    for (int r = 0; r < front->row_count; r++) {
        int place = fronts->row[front->rows + (size_t)r];
        offset[number++] = sum;
        sum += fronts->at[place + 1] - fronts->at[place];
    }
    offset[number] = sum;
    front->m = sum;
}

static void put_block(const Factor *factor, const Hand *hand, size_t k, int i, int j, int row,
                      int column)
{
    const TactFrontValues *values = factor->values;
    double                 block[BLOCK] = {0};
    values->block(values->context, k, i, j, block);
    for (int r = 0; r < values->size[i]; r++) {
        memcpy(hand->F + (size_t)(hand->offset[row] + r) * hand->stride + hand->offset[column],
               block + r * TACT_FRONT_ROWS, (size_t)values->size[j] * sizeof(double));
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
    const double *update = fronts->stack + child->update;
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
    double *value = fronts->value + front->values, *update = fronts->stack + front->update;
    size_t  end = (size_t)hand->offset[range->end];
    for (size_t i = (size_t)hand->offset[range->first]; i < end; i++) {
        const double *row = hand->F + i * hand->stride;
        if (i < K) {
            memcpy(value + i * m, row, m * sizeof(double));
        } else {
            memcpy(value + K * m + (i - K) * K, row, K * sizeof(double));
            memcpy(update + (i - K) * rest, row + K, rest * sizeof(double));
        }
    }
}

/// What is done to the rows of some nodes of a front.
typedef void Move(const Factor *factor, const TactFront *front, const Hand *hand,
                  const Range *range);

/// One front by all threads: its nodes are shared out.
typedef struct Together {
    const Factor    *factor;
    const TactFront *front;
    const Hand      *hand;
    Move            *move;
    int              nodes;
    atomic_int       next; // node
} Together;

static void take_nodes(void *context, int thread)
{
    Together *together = context;
    (void)thread;
    for (;;) {
        int first = atomic_fetch_add_explicit(&together->next, SHARE_NODES, memory_order_relaxed);
        int end = first + SHARE_NODES;
        if (first >= together->nodes) {
            return;
        }
        Range range = {first, end < together->nodes ? end : together->nodes};
        together->move(together->factor, together->front, together->hand, &range);
    }
}

/// All rows of a front; threads NULL: by the caller.
static void move_all(const Factor *factor, const TactFront *front, const Hand *hand, Move *move,
                     TactThreads *threads)
{
    int nodes = front->end - front->first + front->row_count;
    if (threads && front->m >= SHARED_ROWS) {
        Together together = {factor, front, hand, move, nodes, 0};
        tact_threads_run(threads, take_nodes, &together);
    } else {
        Range all = {0, nodes};
        move(factor, front, hand, &all);
    }
}

static bool make_front(const Factor *factor, int f, int thread)
{
    TactFronts  *fronts = factor->fronts;
    TactFront   *front = &fronts->front[f];
    TactThreads *threads = front->task < 0 ? factor->threads : NULL;
    Hand         hand = {.F = fronts->room + (size_t)thread * fronts->largest,
                         .offset = fronts->offset + (size_t)thread * ((size_t)fronts->widest + 1)};
    count_unknowns(fronts, front, hand.offset);
    hand.stride = tact_front_stride((size_t)front->m);
    move_all(factor, front, &hand, put_together, threads);
    if (!tact_front_eliminate(hand.F, front->m, hand.stride, front->K, threads)) {
        return false;
    }
    move_all(factor, front, &hand, put_away, threads);
    return true;
}

/// The fronts of a task; the last one is all that lies beyond the others.
static void make_task(Factor *factor, int number, int thread)
{
    const TactFronts    *fronts = factor->fronts;
    const TactFrontTask *task = &fronts->task[number];
    int                  own = number == fronts->task_count - 1 ? -1 : number;
    for (int f = task->first; f < task->end; f++) {
        if (fronts->front[f].task == own && !make_front(factor, f, thread)) {
            atomic_store(&factor->failed, true);
            return;
        }
    }
}

static void take_tasks(void *context, int thread)
{
    Factor *factor = context;
    int     last = factor->fronts->task_count - 1;
    for (;;) {
        int number = atomic_fetch_add(&factor->next, 1);
        if (number >= last || atomic_load(&factor->failed)) {
            return;
        }
        make_task(factor, number, thread);
    }
}

/// First unknowns of places and nodes.
static void place_unknowns(TactFronts *fronts, const int *size)
{
    fronts->at[0] = fronts->given[0] = 0;
    for (int i = 0; i < fronts->n; i++) {
        fronts->at[i + 1] = fronts->at[i] + size[fronts->order.node[i]];
        fronts->given[i + 1] = fronts->given[i] + size[i];
    }
}

bool tact_fronts_factor(TactFronts *fronts, const TactFrontValues *values, TactThreads *threads)
{
    Factor factor = {.fronts = fronts, .values = values, .threads = threads};
    place_unknowns(fronts, values->size);
    if (threads && fronts->task_count > 2) {
        tact_threads_run(threads, take_tasks, &factor);
    } else {
        take_tasks(&factor, 0);
    }
    if (!atomic_load(&factor.failed)) {
        make_task(&factor, fronts->task_count - 1, 0);
    }
    return !atomic_load(&factor.failed);
}

// ---------------------------------------------------------------------------------------------
// Solve

/// A solve in hand.
typedef struct Solve {
    const TactFronts *fronts;
    bool              back; // the second half
    atomic_int        next; // task to be taken
} Solve;

/// What a child's columns have taken from its rows goes to the columns and rows of its parent.
static void take_child(const TactFronts *fronts, const TactFront *child, const TactFront *front,
                       double *rest)
{
    const double *from = fronts->rest + (size_t)fronts->b * child->rows;
    int           columns = front->end - front->first, number = columns;
    int           to = 0; // first unknown of the row of that number in rest
    for (int r = 0; r < child->row_count; r++) {
        int     place = fronts->row[child->rows + (size_t)r];
        int     width = fronts->at[place + 1] - fronts->at[place];
        int     own = fronts->map[child->rows + (size_t)r];
        double *out = fronts->x + fronts->at[place];
        if (own >= columns) {
            for (; number < own; number++) {
                int before = fronts->row[front->rows + (size_t)(number - columns)];
                to += fronts->at[before + 1] - fronts->at[before];
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
    double *rest = fronts->rest + (size_t)fronts->b * front->rows;
    double *y = fronts->x + fronts->at[front->first];
    memset(rest, 0, (size_t)(front->m - front->K) * sizeof(double));
    for (int c = front->child; c >= 0; c = fronts->front[c].sibling) {
        take_child(fronts, &fronts->front[c], front, rest);
    }
    tact_front_forward(fronts->value + front->values, front->K, front->m, y, rest);
}

static void solve_backward(const TactFronts *fronts, const TactFront *front)
{
    double *rest = fronts->rest + (size_t)fronts->b * front->rows, *to = rest;
    for (int r = 0; r < front->row_count; r++) {
        int place = fronts->row[front->rows + (size_t)r];
        for (int k = fronts->at[place]; k < fronts->at[place + 1]; k++) {
            *to++ = fronts->x[k];
        }
    }
    tact_front_backward(fronts->value + front->values, front->K, front->m, rest,
                        fronts->x + fronts->at[front->first]);
}

static void solve_task(const Solve *solve, int number)
{
    const TactFronts    *fronts = solve->fronts;
    const TactFrontTask *task = &fronts->task[number];
    int                  own = number == fronts->task_count - 1 ? -1 : number;
    for (int k = task->first; k < task->end; k++) {
        int f = solve->back ? task->end - 1 - (k - task->first) : k;
        if (fronts->front[f].task == own && solve->back) {
            solve_backward(fronts, &fronts->front[f]);
        } else if (fronts->front[f].task == own) {
            solve_forward(fronts, &fronts->front[f]);
        }
    }
}

static void take_solves(void *context, int thread)
{
    Solve *solve = context;
    (void)thread;
    for (;;) {
        int number = atomic_fetch_add(&solve->next, 1);
        if (number >= solve->fronts->task_count - 1) {
            return;
        }
        solve_task(solve, number);
    }
}

static void solve_tasks(const TactFronts *fronts, bool back, TactThreads *threads)
{
    Solve solve = {.fronts = fronts, .back = back};
    if (threads && fronts->task_count > 2) {
        tact_threads_run(threads, take_solves, &solve);
    } else {
        take_solves(&solve, 0);
    }
}

void tact_fronts_solve(const TactFronts *fronts, double *x, TactThreads *threads)
{
    double *y = fronts->x;
    for (int k = 0; k < fronts->n; k++) {
        int i = fronts->order.node[k];
        for (int c = fronts->at[k]; c < fronts->at[k + 1]; c++) {
            y[c] = x[fronts->given[i] + c - fronts->at[k]];
        }
    }
    int last = fronts->task_count - 1;
    solve_tasks(fronts, false, threads);
    solve_task(&(Solve){.fronts = fronts}, last);
    solve_task(&(Solve){.fronts = fronts, .back = true}, last);
    solve_tasks(fronts, true, threads);
    for (int k = 0; k < fronts->n; k++) {
        int i = fronts->order.node[k];
        for (int c = fronts->at[k]; c < fronts->at[k + 1]; c++) {
            x[fronts->given[i] + c - fronts->at[k]] = y[c];
        }
    }
}
