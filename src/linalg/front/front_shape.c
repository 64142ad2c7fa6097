// From a pattern to fronts: rows of each, where its values stand, and which subtrees are tasks.
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "linalg/front/front_internal.h"

// A subtree with no more than this part of all work is a task of its own: enough of them to share
// out evenly.
static const double TASK_SHARE = 1.0 / 16;
// Below so many operations in all there is one task.
static const double TASK_WORK = 2e6;

TactStatus tact_fronts_create(TactFronts **fronts)
{
    return tact_allocate(1, sizeof **fronts, (void **)fronts);
}

/// The shape goes; the memory of the values stays for the next one.
static void release_shape(TactFronts *fronts)
{
    void *const arrays[] = {fronts->start,        fronts->column,     fronts->mirror,
                            fronts->order.place,  fronts->order.node, fronts->order.end,
                            fronts->order.parent, fronts->front,      fronts->row,
                            fronts->map,          fronts->local,      fronts->task,
                            fronts->urgent,       fronts->waits};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        tact_release(arrays[k]);
    }
    *fronts = (TactFronts){.kept = fronts->kept};
}

void tact_fronts_destroy(TactFronts *fronts)
{
    if (fronts) {
        release_shape(fronts);
        tact_front_release_values(fronts);
        tact_release(fronts);
    }
}

// ---------------------------------------------------------------------------------------------
// The pattern

static TactStatus copy_pattern(TactFronts *fronts, const TactPattern *pattern)
{
    size_t n = (size_t)pattern->n, entries = pattern->start[n];
    fronts->n = pattern->n;
    fronts->entries = entries;
    TACT_TRY(tact_allocate(n + 1, sizeof(size_t), (void **)&fronts->start));
    TACT_TRY(tact_allocate(entries, sizeof(int), (void **)&fronts->column));
    TACT_TRY(tact_allocate(entries, sizeof(size_t), (void **)&fronts->mirror));
    memcpy(fronts->start, pattern->start, (n + 1) * sizeof(size_t));
    memcpy(fronts->column, pattern->column, entries * sizeof(int));
    return TACT_OK;
}

/// Entry (j, i) of every entry (i, j): those of row j are met in the order in which they stand.
static TactStatus find_mirrors(TactFronts *fronts)
{
    size_t *next;
    TACT_TRY(tact_allocate((size_t)fronts->n, sizeof *next, (void **)&next));
    bool symmetric = true;
    for (int i = 0; i < fronts->n && symmetric; i++) {
        for (size_t k = fronts->start[i]; k < fronts->start[i + 1] && symmetric; k++) {
            int    j = fronts->column[k];
            size_t at = fronts->start[j] + next[j]++;
            symmetric = at < fronts->start[j + 1] && fronts->column[at] == i;
            fronts->mirror[k] = at;
        }
    }
    tact_release(next);
    return symmetric ? TACT_OK
                     : tact_fail(TACT_BAD_INPUT, "the pattern of a matrix is not symmetric");
}

// ---------------------------------------------------------------------------------------------
// Rows

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_ints(int *x, size_t count)
{
    if (count > 24) {
        qsort(x, count, sizeof *x, compare_ints);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        int    value = x[i];
        size_t k = i;
        for (; k > 0 && x[k - 1] > value; k--) {
            x[k] = x[k - 1];
        }
        x[k] = value;
    }
}

typedef struct Rows {
    int   *mark; // the last front that a place is a row of                            (n)
    size_t room;
} Rows;

static TactStatus make_row_room(TactFronts *fronts, Rows *rows, size_t more)
{
    if (fronts->row_count + more <= rows->room) {
        return TACT_OK;
    }
    int   *larger;
    size_t room = 2 * rows->room + more;
    TACT_TRY(tact_allocate(room, sizeof(int), (void **)&larger));
    if (fronts->row_count > 0) { // else there is nothing yet
        memcpy(larger, fronts->row, fronts->row_count * sizeof(int));
    }
    tact_release(fronts->row);
    fronts->row = larger;
    rows->room = room;
    return TACT_OK;
}

static void add_place(TactFronts *fronts, Rows *rows, int f, int place)
{
    TactFront *front = &fronts->front[f];
    if (place >= front->end && rows->mark[place] != f) {
        rows->mark[place] = f;
        fronts->row[fronts->row_count++] = place;
    }
}

/// The rows of a front: those that its columns touch, and what its children leave.
static TactStatus find_rows(TactFronts *fronts, Rows *rows, int f)
{
    TactFront *front = &fronts->front[f];
    TACT_TRY(make_row_room(fronts, rows, (size_t)(fronts->n - front->end)));
    front->rows = fronts->row_count;
    for (int place = front->first; place < front->end; place++) {
        int node = fronts->order.node[place];
        for (size_t k = fronts->start[node]; k < fronts->start[node + 1]; k++) {
            add_place(fronts, rows, f, fronts->order.place[fronts->column[k]]);
        }
    }
    for (int c = front->child; c >= 0; c = fronts->front[c].sibling) {
        const TactFront *child = &fronts->front[c];
        for (int r = 0; r < child->row_count; r++) {
            add_place(fronts, rows, f, fronts->row[child->rows + (size_t)r]);
        }
    }
    front->row_count = (int)(fronts->row_count - front->rows);
    sort_ints(fronts->row + front->rows, (size_t)front->row_count);
    return TACT_OK;
}

/// Where the rows of every front stand in its parent, and the entries of the matrix in the front
/// that they come to: number among its columns, then its rows.
static void find_numbers(TactFronts *fronts, int *number)
{
    for (int f = 0; f < fronts->order.count; f++) {
        const TactFront *front = &fronts->front[f];
        const int       *row = fronts->row + front->rows;
        int              columns = front->end - front->first;
        for (int r = 0; r < front->row_count; r++) {
            number[row[r]] = columns + r;
        }
        for (int place = front->first; place < front->end; place++) {
            int node = fronts->order.node[place];
            number[place] = place - front->first;
            for (size_t k = fronts->start[node]; k < fronts->start[node + 1]; k++) {
                int other = fronts->order.place[fronts->column[k]];
                fronts->local[k] = other < front->first ? -1
                                   : other < front->end ? other - front->first
                                                        : number[other];
            }
        }
        for (int c = front->child; c >= 0; c = fronts->front[c].sibling) {
            const TactFront *child = &fronts->front[c];
            for (size_t r = child->rows; r < child->rows + (size_t)child->row_count; r++) {
                fronts->map[r] = number[fronts->row[r]];
            }
        }
    }
}

static TactStatus find_all_rows(TactFronts *fronts, Rows *rows)
{
    int count = fronts->order.count;
    TACT_TRY(tact_allocate((size_t)fronts->n, sizeof(int), (void **)&rows->mark));
    memset(rows->mark, -1, (size_t)fronts->n * sizeof(int));
    for (int f = count - 1; f >= 0; f--) {
        fronts->front[f] = (TactFront){.first = f > 0 ? fronts->order.end[f - 1] : 0,
                                       .end = fronts->order.end[f],
                                       .parent = fronts->order.parent[f],
                                       .child = -1,
                                       .sibling = -1};
    }
    for (int f = count - 1; f >= 0; f--) {
        TactFront *front = &fronts->front[f];
        if (front->parent >= 0) {
            front->sibling = fronts->front[front->parent].child;
            fronts->front[front->parent].child = f;
        }
    }
    for (int f = 0; f < count; f++) {
        TACT_TRY(find_rows(fronts, rows, f));
        int nodes = fronts->front[f].end - fronts->front[f].first + fronts->front[f].row_count;
        fronts->widest = nodes > fronts->widest ? nodes : fronts->widest;
    }
    TACT_TRY(tact_allocate(fronts->row_count, sizeof(int), (void **)&fronts->map));
    TACT_TRY(tact_allocate(fronts->entries, sizeof(int), (void **)&fronts->local));
    find_numbers(fronts, rows->mark);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Values and tasks

/// Operations of a front: K columns of m, each a column, a row and what they take from the rest.
static double count_front(const TactFronts *fronts, const TactFront *front)
{
    double K = fronts->b * (double)(front->end - front->first);
    double r = fronts->b * (double)front->row_count;
    return 2 * K * K * K / 3 + 2 * K * K * r + 2 * K * r * r;
}

/// Subtrees with at most this part of all work, and fronts beyond them.
static void cut_tasks(TactFronts *fronts, const double *work)
{
    double most = TASK_SHARE * fronts->work;
    bool   few = fronts->work <= TASK_WORK; // all is one task
    int    count = fronts->order.count;
    fronts->task_count = 0;
    for (int f = 0, first = 0; f < count; f++) {
        const TactFront *front = &fronts->front[f];
        bool             beyond = !few && work[f] > most;
        bool goes_on = few ? f < count - 1 : front->parent >= 0 && work[front->parent] <= most;
        if (!beyond && goes_on) {
            continue;
        }
        // A subtree in postorder is an interval that ends with its root.
        for (int k = beyond ? f : first; k <= f; k++) {
            fronts->front[k].task = fronts->task_count;
        }
        fronts->task[fronts->task_count++] =
            (TactFrontTask){.first = beyond ? f : first,
                            .end = f + 1,
                            .beyond = beyond,
                            .work = beyond ? count_front(fronts, front) : work[f],
                            .parent = -1,
                            .child = -1,
                            .sibling = -1};
        first = f + 1;
    }
}

/// Parents and children of tasks, and which one is more urgent.
static void link_tasks(TactFronts *fronts)
{
    for (int t = fronts->task_count - 1; t >= 0; t--) {
        TactFrontTask *task = &fronts->task[t];
        int            parent = fronts->front[task->end - 1].parent;
        task->path = task->work;
        if (parent >= 0) {
            TactFrontTask *above = &fronts->task[fronts->front[parent].task];
            task->parent = fronts->front[parent].task;
            task->path += above->path;
            task->sibling = above->child;
            above->child = t;
            above->children++;
        }
    }
    for (int t = 0; t < fronts->task_count; t++) {
        int k = t;
        for (; k > 0 && fronts->task[fronts->urgent[k - 1]].path < fronts->task[t].path; k--) {
            fronts->urgent[k] = fronts->urgent[k - 1];
        }
        fronts->urgent[k] = t;
    }
}

static TactStatus find_tasks(TactFronts *fronts)
{
    int     count = fronts->order.count;
    double *work;
    TACT_TRY(tact_allocate((size_t)count, sizeof *fronts->task, (void **)&fronts->task));
    TACT_TRY(tact_allocate((size_t)count, sizeof *work, (void **)&work));
    fronts->work = 0;
    for (int f = 0; f < count; f++) {
        double own = count_front(fronts, &fronts->front[f]);
        int    parent = fronts->front[f].parent;
        work[f] += own; // of the subtree
        fronts->work += own;
        if (parent >= 0) {
            work[parent] += work[f];
        }
    }
    cut_tasks(fronts, work);
    tact_release(work);
    size_t tasks = (size_t)fronts->task_count;
    TACT_TRY(tact_allocate(tasks, sizeof(int), (void **)&fronts->urgent));
    TACT_TRY(tact_allocate(tasks, sizeof *fronts->waits, (void **)&fronts->waits));
    link_tasks(fronts);
    return TACT_OK;
}

/// Entries that a front leaves behind.
static size_t count_update(const TactFronts *fronts, const TactFront *front)
{
    size_t left = (size_t)fronts->b * (size_t)front->row_count;
    return left * left;
}

/// What the fronts of a subtree leave behind stands on a stack: that of children is taken from the
/// top, and what their parent leaves is put there. That of its root stays at the bottom.
///   open  fronts whose update stands there                                            (count)
static void place_stack(TactFronts *fronts, const TactFrontTask *task, int *open, size_t *top)
{
    size_t low = *top, high = *top;
    int    depth = 0;
    for (int f = task->first; f < task->end; f++) {
        TactFront *front = &fronts->front[f];
        while (depth > 0 && fronts->front[open[depth - 1]].parent == f) {
            low = fronts->front[open[--depth]].update;
        }
        front->update = low;
        low += count_update(fronts, front);
        high = low > high ? low : high;
        open[depth++] = f;
    }
    *top = high;
}

/// What a front beyond leaves behind stands where one of its children beyond has left its own, if
/// there is room: by then it is used up.
static void place_beyond(TactFronts *fronts, TactFrontTask *task, size_t *top)
{
    TactFront *front = &fronts->front[task->first];
    size_t     need = count_update(fronts, front);
    task->place = *top;
    task->room = need;
    for (int t = task->child; t >= 0; t = fronts->task[t].sibling) {
        const TactFrontTask *child = &fronts->task[t];
        if (child->beyond && child->room >= need) {
            task->place = child->place;
            task->room = child->room;
        }
    }
    *top += task->place == *top ? need : 0;
    front->update = task->place;
}

static TactStatus place_values(TactFronts *fronts)
{
    size_t b = (size_t)fronts->b, top = 0;
    int   *open;
    TACT_TRY(tact_allocate((size_t)fronts->order.count, sizeof *open, (void **)&open));
    fronts->value_count = 0;
    fronts->largest = 0;
    for (int f = 0; f < fronts->order.count; f++) {
        TactFront *front = &fronts->front[f];
        size_t K = b * (size_t)(front->end - front->first), m = K + b * (size_t)front->row_count;
        size_t room = m * tact_front_stride(m);
        front->values = fronts->value_count;
        fronts->value_count += K * m + (m - K) * K;
        fronts->largest = room > fronts->largest ? room : fronts->largest;
    }
    for (int t = 0; t < fronts->task_count; t++) {
        TactFrontTask *task = &fronts->task[t];
        if (task->beyond) {
            place_beyond(fronts, task, &top);
        } else {
            place_stack(fronts, task, open, &top);
        }
    }
    tact_release(open);
    fronts->stack_count = top;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static bool is_same(const TactFronts *fronts, const TactPattern *pattern, int rows)
{
    size_t n = (size_t)pattern->n;
    return fronts->order.node && fronts->n == pattern->n && fronts->b == rows &&
           memcmp(fronts->start, pattern->start, (n + 1) * sizeof(size_t)) == 0 &&
           memcmp(fronts->column, pattern->column, pattern->start[n] * sizeof(int)) == 0;
}

static TactStatus make_shape(TactFronts *fronts, const TactPattern *pattern, int rows)
{
    size_t          n = (size_t)pattern->n;
    TactFrontOrder *order = &fronts->order;
    fronts->b = rows;
    order->n = pattern->n;
    TACT_TRY(copy_pattern(fronts, pattern));
    TACT_TRY(find_mirrors(fronts));
    TACT_TRY(tact_allocate(n, sizeof(int), (void **)&order->place));
    TACT_TRY(tact_allocate(n, sizeof(int), (void **)&order->end));
    TACT_TRY(tact_allocate(n, sizeof(int), (void **)&order->parent));
    TACT_TRY(tact_allocate(n, sizeof(int), (void **)&order->node));
    TACT_TRY(tact_front_order(pattern, order));
    TACT_TRY(tact_allocate((size_t)order->count, sizeof *fronts->front, (void **)&fronts->front));
    Rows       row = {0};
    TactStatus status = find_all_rows(fronts, &row);
    tact_release(row.mark);
    TACT_TRY(status);
    TACT_TRY(find_tasks(fronts));
    return place_values(fronts);
}

TactStatus tact_fronts_shape(TactFronts *fronts, const TactPattern *pattern, int rows)
{
    if (rows < 1 || rows > TACT_FRONT_ROWS) {
        return tact_fail(TACT_BAD_ARGUMENT, "%d unknowns of a node: 1 to %d", rows,
                         TACT_FRONT_ROWS);
    }
    if (is_same(fronts, pattern, rows)) {
        return TACT_OK;
    }
    release_shape(fronts);
    TactStatus status = make_shape(fronts, pattern, rows);
    if (status != TACT_OK) {
        release_shape(fronts);
    }
    return status;
}
