// The order of elimination: least approximate degree on the quotient graph [Amestoy, Davis and Duff
// 1996].
//
// A node that is eliminated becomes an element: the list of the nodes that are neighbours of each
// other because of it. A node i keeps the elements that it belongs to and those of its neighbours
// that no element accounts for; both lists together never outgrow the node's neighbours in the
// pattern. Nodes with the same lists are one (they have the same neighbours from here on), and
// elements all of whose nodes are in a newer one are absorbed: the newer is their parent.
#include <string.h>

#include "base/status.h"
#include "linalg/front/front_internal.h"

// A front joins its parent if the two then have no more zeros than this part of their entries, or
// than so many.
static const double ZEROS = 0.1;
enum { FEW_ZEROS = 16 };

typedef struct Graph {
    int           n;
    const size_t *at;       // list of a node: elements, then nodes                       (n + 1)
    int          *list;     //                                                          (at[n])
    int          *elements; // how many of the list                                         (n)
    int          *length;   // of the list                                                  (n)
    int          *weight;   // nodes that it stands for; 0: gone                            (n)
    int          *degree;   //                                                              (n)
    int          *head;     // first node of a degree                                       (n)
    int          *next;     // of the same degree; of the same hash                         (n)
    int          *before;   //                                                              (n)
    int          *merged;   // the node that it is part of, or was eliminated with; -1: none (n)
    int          *absorbed; // the element that absorbed it; -1: none                       (n)
    int          *mark;     // stamp                                                        (n)
    int          *seen;     // stamp of outside                                             (n)
    int          *outside;  // |L_e \ L_p|                                                  (n)
    unsigned     *hash;     //                                                              (n)
    int          *size;     // of an element: nodes that it couples                         (n)
    size_t       *first;    // of an element in the pool                                    (n)
    int          *count;    //                                                              (n)
    int          *pool;     // nodes of the elements
    size_t        used, room;
    int          *pivots; // in order                                                       (n)
    int           pivot_count;
    int           stamp;
    int           least; // no node has a smaller degree
    int           left;  // nodes not yet eliminated
} Graph;

static void destroy_graph(Graph *g)
{
    void *const arrays[] = {g->list,  g->elements, g->length,  g->weight, g->degree,
                            g->head,  g->next,     g->before,  g->merged, g->absorbed,
                            g->mark,  g->seen,     g->outside, g->hash,   g->size,
                            g->first, g->count,    g->pool,    g->pivots};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        tact_release(arrays[i]);
    }
}

static TactStatus take_ints(int n, int **array)
{
    return tact_allocate((size_t)n, sizeof(int), (void **)array);
}

static TactStatus create_graph(const TactPattern *pattern, Graph *g)
{
    int         n = g->n = pattern->n;
    int **const arrays[] = {&g->elements, &g->length,  &g->weight, &g->degree, &g->head,
                            &g->next,     &g->before,  &g->merged, &g->mark,   &g->absorbed,
                            &g->seen,     &g->outside, &g->size,   &g->count,  &g->pivots};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        TACT_TRY(take_ints(n, arrays[i]));
    }
    g->at = pattern->start;
    g->room = 2 * pattern->start[n] + 64;
    TACT_TRY(tact_allocate(pattern->start[n], sizeof(int), (void **)&g->list));
    TACT_TRY(tact_allocate((size_t)n, sizeof *g->hash, (void **)&g->hash));
    TACT_TRY(tact_allocate((size_t)n, sizeof *g->first, (void **)&g->first));
    return tact_allocate(g->room, sizeof(int), (void **)&g->pool);
}

// ---------------------------------------------------------------------------------------------
// Nodes by degree

static void put_in(Graph *g, int i)
{
    int d = g->degree[i];
    g->before[i] = -1;
    g->next[i] = g->head[d];
    if (g->head[d] >= 0) {
        g->before[g->head[d]] = i;
    }
    g->head[d] = i;
    g->least = d < g->least ? d : g->least;
}

static void unlink_node(Graph *g, int i)
{
    if (g->next[i] >= 0) {
        g->before[g->next[i]] = g->before[i];
    }
    if (g->before[i] >= 0) {
        g->next[g->before[i]] = g->next[i];
    } else {
        g->head[g->degree[i]] = g->next[i];
    }
}

static void begin_graph(const TactPattern *pattern, Graph *g)
{
    int n = g->n;
    g->least = n;
    g->left = n;
    for (int i = 0; i < n; i++) {
        g->head[i] = g->merged[i] = g->absorbed[i] = -1;
        g->weight[i] = 1;
        for (size_t k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
            if (pattern->column[k] != i) {
                g->list[g->at[i] + (size_t)g->length[i]++] = pattern->column[k];
            }
        }
        g->degree[i] = g->length[i];
    }
    for (int i = n - 1; i >= 0; i--) { // of the same degree the first comes first
        put_in(g, i);
    }
}

// ---------------------------------------------------------------------------------------------
// One elimination

static TactStatus make_pool_room(Graph *g)
{
    if (g->used + (size_t)g->left <= g->room) {
        return TACT_OK;
    }
    int   *larger;
    size_t room = 2 * g->room + (size_t)g->left;
    TACT_TRY(tact_allocate(room, sizeof(int), (void **)&larger));
    memcpy(larger, g->pool, g->used * sizeof(int));
    tact_release(g->pool);
    g->pool = larger;
    g->room = room;
    return TACT_OK;
}

static void add_to_element(Graph *g, int p, int i)
{
    if (g->weight[i] > 0 && g->mark[i] != g->stamp) {
        g->mark[i] = g->stamp;
        g->pool[g->first[p] + (size_t)g->count[p]++] = i;
        g->size[p] += g->weight[i];
        unlink_node(g, i);
    }
}

/// The nodes that become neighbours of each other where p is eliminated.
static void form_element(Graph *g, int p)
{
    const int *list = g->list + g->at[p];
    g->mark[p] = ++g->stamp;
    g->first[p] = g->used;
    g->count[p] = g->size[p] = 0;
    for (int k = 0; k < g->elements[p]; k++) {
        int e = list[k];
        if (g->absorbed[e] < 0) {
            for (int v = 0; v < g->count[e]; v++) {
                add_to_element(g, p, g->pool[g->first[e] + (size_t)v]);
            }
            g->absorbed[e] = p;
        }
    }
    for (int k = g->elements[p]; k < g->length[p]; k++) {
        add_to_element(g, p, list[k]);
    }
}

/// How many nodes of each other element are outside of p.
static void count_outside(Graph *g, int p)
{
    for (int v = 0; v < g->count[p]; v++) {
        int        i = g->pool[g->first[p] + (size_t)v];
        const int *list = g->list + g->at[i];
        for (int k = 0; k < g->elements[i]; k++) {
            int e = list[k];
            if (g->absorbed[e] < 0) {
                if (g->seen[e] != g->stamp) {
                    g->seen[e] = g->stamp;
                    g->outside[e] = g->size[e];
                }
                g->outside[e] -= g->weight[i];
            }
        }
    }
}

/// New lists and degree of node i of element p. One that has no other neighbours goes with p.
static void renew_node(Graph *g, int p, int i)
{
    int     *list = g->list + g->at[i];
    int      kept = 0, nodes = 0, outside = 0;
    unsigned hash = (unsigned)p;
    for (int k = 0; k < g->elements[i]; k++) {
        int e = list[k];
        if (g->absorbed[e] >= 0) {
            continue;
        }
        if (g->outside[e] == 0) {
            g->absorbed[e] = p;
            continue;
        }
        outside += g->outside[e];
        hash += (unsigned)e;
        list[kept++] = e;
    }
    for (int k = g->elements[i]; k < g->length[i]; k++) {
        int v = list[k];
        if (g->weight[v] > 0 && g->mark[v] != g->stamp) {
            outside += g->weight[v];
            hash += (unsigned)v;
            list[kept + nodes++] = v;
        }
    }
    if (kept == 0 && nodes == 0) {
        g->merged[i] = p;
        g->weight[p] += g->weight[i];
        g->size[p] -= g->weight[i];
        g->left -= g->weight[i];
        g->weight[i] = 0;
        return;
    }
    if (nodes > 0) {
        list[kept + nodes] = list[kept];
    }
    list[kept] = p;
    g->elements[i] = kept + 1;
    g->length[i] = kept + 1 + nodes;
    g->outside[i] = outside; // beyond p, of a node
    g->hash[i] = hash;
}

/// Have i and j the same lists? Those of i are marked.
static bool are_same(const Graph *g, int i, int j)
{
    if (g->elements[i] != g->elements[j] || g->length[i] != g->length[j]) {
        return false;
    }
    const int *list = g->list + g->at[j];
    for (int k = 0; k < g->length[j]; k++) {
        if ((k < g->elements[j] ? g->seen : g->mark)[list[k]] != g->stamp) {
            return false;
        }
    }
    return true;
}

static void mark_lists(Graph *g, int i)
{
    const int *list = g->list + g->at[i];
    g->stamp++;
    for (int k = 0; k < g->length[i]; k++) {
        (k < g->elements[i] ? g->seen : g->mark)[list[k]] = g->stamp;
    }
}

/// Nodes of p with the same lists become one. Chains of the same hash hang at before[bucket].
static void merge_nodes(Graph *g, int p)
{
    int  count = g->count[p];
    int *nodes = g->pool + g->first[p];
    for (int v = 0; v < count; v++) {
        g->before[nodes[v]] = -1;
    }
    for (int v = count - 1; v >= 0; v--) {
        int i = nodes[v];
        if (g->weight[i] > 0) {
            int bucket = nodes[g->hash[i] % (unsigned)count];
            g->next[i] = g->before[bucket];
            g->before[bucket] = i;
        }
    }
    for (int v = 0; v < count; v++) {
        for (int i = g->before[nodes[v]]; i >= 0; i = g->next[i]) {
            bool marked = false;
            for (int j = g->next[i], last = i; j >= 0; j = g->next[j]) {
                if (g->hash[j] == g->hash[i]) {
                    if (!marked) {
                        mark_lists(g, i);
                        marked = true;
                    }
                    if (are_same(g, i, j)) {
                        g->merged[j] = i;
                        g->weight[i] += g->weight[j];
                        g->weight[j] = 0;
                        g->next[last] = g->next[j];
                        continue;
                    }
                }
                last = j;
            }
        }
    }
}

/// Those that are left have their degrees, and stand in the lists again.
static void close_element(Graph *g, int p)
{
    int *nodes = g->pool + g->first[p];
    int  kept = 0;
    for (int v = 0; v < g->count[p]; v++) {
        int i = nodes[v];
        if (g->weight[i] == 0) {
            continue;
        }
        nodes[kept++] = i;
        int inside = g->size[p] - g->weight[i];
        int degree = g->degree[i] + inside;
        degree = g->outside[i] + inside < degree ? g->outside[i] + inside : degree;
        degree = degree < g->left - g->weight[i] ? degree : g->left - g->weight[i];
        g->degree[i] = degree < 0 ? 0 : degree;
        put_in(g, i);
    }
    g->count[p] = kept;
    g->used = g->first[p] + (size_t)kept;
}

static TactStatus eliminate(Graph *g)
{
    while (g->left > 0) {
        while (g->head[g->least] < 0) {
            g->least++;
        }
        int p = g->head[g->least];
        TACT_TRY(make_pool_room(g));
        unlink_node(g, p);
        form_element(g, p);
        g->left -= g->weight[p];
        count_outside(g, p);
        for (int v = 0; v < g->count[p]; v++) {
            renew_node(g, p, g->pool[g->first[p] + (size_t)v]);
        }
        merge_nodes(g, p);
        close_element(g, p);
        g->pivots[g->pivot_count++] = p;
        g->elements[p] = g->weight[p]; // from here on: its columns
        g->weight[p] = 0;
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Fronts

/// A front joins its parent where that adds few zeros. merged then is its parent; columns and rows
/// of the pivots are in elements and size, zeros in hash.
static void join_fronts(Graph *g)
{
    memset(g->hash, 0, (size_t)g->n * sizeof *g->hash);
    for (int k = 0; k < g->pivot_count; k++) {
        int c = g->pivots[k], f = g->absorbed[c];
        if (f < 0) {
            continue;
        }
        double columns = g->elements[c], wide = g->elements[f] + g->size[f];
        double zeros = columns * (wide - g->size[c]) + g->hash[c] + g->hash[f];
        double all = (columns + g->elements[f]) * (columns + wide);
        if (zeros <= ZEROS * all || zeros <= FEW_ZEROS) {
            g->merged[c] = f;
            g->elements[f] += g->elements[c];
            g->hash[f] = (unsigned)zeros;
        }
    }
}

/// The pivot whose front a node is in; paths are made short.
static int front_of(Graph *g, int i)
{
    int top = i;
    while (g->merged[top] >= 0) {
        top = g->merged[top];
    }
    while (g->merged[i] >= 0) {
        int next = g->merged[i];
        g->merged[i] = top;
        i = next;
    }
    return top;
}

/// Postorder of the fronts that are left: count, parent, and a number for every pivot in next.
static void number_fronts(Graph *g, TactFrontOrder *order)
{
    int  n = g->n;
    int *child = g->head, *sibling = g->before, *number = g->next, *stack = g->seen;
    for (int i = 0; i < n; i++) {
        child[i] = -1;
    }
    int roots = -1;
    for (int k = g->pivot_count - 1; k >= 0; k--) {
        int f = g->pivots[k];
        if (g->merged[f] >= 0) {
            continue;
        }
        int  parent = g->absorbed[f] < 0 ? -1 : front_of(g, g->absorbed[f]);
        int *list = parent < 0 ? &roots : &child[parent];
        g->absorbed[f] = parent;
        sibling[f] = *list;
        *list = f;
    }
    int depth = 0;
    order->count = 0;
    for (int root = roots; root >= 0;) {
        int next = sibling[root];
        stack[depth++] = root;
        while (depth > 0) {
            int f = stack[depth - 1];
            if (child[f] >= 0) {
                stack[depth++] = child[f];
                child[f] = sibling[child[f]];
            } else {
                depth--;
                number[f] = order->count++;
                g->count[number[f]] = f;
            }
        }
        root = next;
    }
    for (int k = 0; k < order->count; k++) {
        int parent = g->absorbed[g->count[k]];
        order->parent[k] = parent < 0 ? -1 : number[parent];
    }
}

/// Places: front after front; in a front by when they were eliminated, then by index.
static void place_nodes(Graph *g, TactFrontOrder *order)
{
    int  n = g->n;
    int *when = g->mark, *by_pivot = g->degree, *fill = g->outside, *own = g->size;
    // when[i]: number of the pivot that node i was eliminated with
    for (int k = 0; k < g->pivot_count; k++) {
        when[g->pivots[k]] = k;
    }
    for (int i = 0; i < n; i++) {
        own[i] = g->length[i]; // of pivots: the pivot itself, written by remember_pivots()
    }
    memset(fill, 0, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) {
        fill[when[own[i]]]++;
    }
    for (int k = 0, sum = 0; k < g->pivot_count; k++) {
        int count = fill[k];
        fill[k] = sum;
        sum += count;
    }
    for (int i = 0; i < n; i++) {
        by_pivot[fill[when[own[i]]]++] = i;
    }
    // then by front
    memset(order->end, 0, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) {
        order->end[g->next[front_of(g, i)]]++;
    }
    for (int k = 0, sum = 0; k < order->count; k++) {
        int count = order->end[k];
        fill[k] = sum;
        sum += count;
        order->end[k] = sum;
    }
    for (int k = 0; k < n; k++) {
        int i = by_pivot[k], place = fill[g->next[front_of(g, i)]]++;
        order->place[i] = place;
        order->node[place] = i;
    }
}

/// length[i] becomes the pivot that node i was eliminated with, before fronts are joined.
static void remember_pivots(Graph *g)
{
    for (int i = 0; i < g->n; i++) {
        g->length[i] = front_of(g, i);
    }
}

TactStatus tact_front_order(const TactPattern *pattern, TactFrontOrder *order)
{
    Graph      g = {0};
    TactStatus status = create_graph(pattern, &g);
    if (status == TACT_OK) {
        begin_graph(pattern, &g);
        status = eliminate(&g);
    }
    if (status == TACT_OK) {
        remember_pivots(&g);
        join_fronts(&g);
        number_fronts(&g, order);
        place_nodes(&g, order);
    }
    destroy_graph(&g);
    return status;
}
