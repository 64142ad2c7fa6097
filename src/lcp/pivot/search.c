// `search`: Yamane and Nakamura's search for a sequence of pivots [Yamane, III].
//
// Lemke's ratio test names one leaving variable; rounding may make it the wrong one. Here every
// row is a candidate after whose pivot no basic value falls below -eps, each is a node with the
// cost exp(-q_min) - 1 of what it spoils (erratum Y7), and the cheapest path to a basis without
// z0 is followed. Cycles cannot happen: a basis is never opened twice.
//
// Three things make it work on exact ties, of which redundant contacts have dozens: costs that
// differ by rounding count as equal; among equals the deepest node goes first, so that the search
// dives instead of fanning out; and among the ties of one node the largest pivot goes first.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "lcp/pivot/lemke.h"
#include "lcp/pivot/queue.h"

// z0 leaves at once if its ratio exceeds the least by no more than this, relatively.
static const double LEAVE_TIE = 1e-10;

// An opened node whose refined values are off by more, relatively, is computed anew.
static const double VALUE_DRIFT = 1e-12;

// z0 below this, equilibrated, may be 0.
static const double Z0_VANISHED = 1e-11;

// Costs that differ by less are equal. With the first unit a value that rounding has moved is never
// taken for a difference; with the second, that of every third root, true differences of 1e-9 are
// not taken for rounding, such as contacts that part with nm/s while others slide.
static const double COST_UNIT = 1e-8;
static const double FINE_COST_UNIT = 1e-12;

enum { NO_NODE = -1, QUEUED_PER_OPENED = 32, MAX_ROOTS = 24, NODES_PER_ROOT = 100 };

typedef struct Search {
    TactPivot       pivot;
    TactVisited     visited;
    TactSearchQueue queue;
    uint64_t       *members; // basic variables of the opened nodes, a bit each  (nodes x words)
    size_t          words;
    uint64_t       *hashes;  // of the opened nodes' bases                       (nodes)
    int             opened;  // nodes of the present root
    int             current; // opened node that the kernel and its column stand at; NO_NODE
    int             pivots;
} Search;

/// Nodes opened from all roots together.
static int max_nodes(const TactLcpConfig *config, int n)
{
    if (config->search_nodes > 0) {
        return config->search_nodes;
    }
    return n < (INT_MAX - 2000) / 4 ? 4 * n + 2000 : INT_MAX;
}

/// Nodes opened from one root, of the `left` that are left.
static int root_budget(int n, int left)
{
    return left - NODES_PER_ROOT < n ? left : NODES_PER_ROOT + n;
}

static void search_layout(TactLcpSolver *solver, TactArena *arena)
{
    int     n = solver->max_n;
    Search *search = tact_arena_take(arena, 1, sizeof *search);
    Search  sized = {.words = (2 * (size_t)n + 1 + 63) / 64};
    size_t  nodes = (size_t)root_budget(n, max_nodes(&solver->config, n));
    size_t  queued = nodes < INT_MAX / QUEUED_PER_OPENED ? nodes * QUEUED_PER_OPENED : INT_MAX;
    tact_pivot_layout(&sized.pivot, n, arena);
    tact_visited_layout(&sized.visited, nodes + queued, arena);
    tact_search_queue_layout(&sized.queue, (int)queued, arena);
    sized.members = tact_arena_take(arena, nodes * sized.words, sizeof(uint64_t));
    sized.hashes = tact_arena_take(arena, nodes, sizeof(uint64_t));
    if (arena->block) {
        *search = sized;
        solver->work = search;
    }
}

// ---------------------------------------------------------------------------------------------
// Bases of opened nodes

static void toggle(uint64_t *members, int variable)
{
    members[variable / 64] ^= (uint64_t)1 << (variable % 64);
}

static bool contains(const uint64_t *members, int variable)
{
    return (members[variable / 64] >> (variable % 64)) & 1;
}

static uint64_t *members_of(const Search *search, int node)
{
    return search->members + (size_t)node * search->words;
}

/// Notes the root: the complementary basis that the kernel stands at.
static void note_root(Search *search)
{
    TactPivot *pivot = &search->pivot;
    uint64_t  *members = members_of(search, 0);
    memset(members, 0, search->words * sizeof *members);
    search->hashes[0] = 0;
    for (int j = 0; j < pivot->n; j++) {
        int variable = pivot->col_place[j] >= 0 ? j : pivot->n + 1 + j;
        toggle(members, variable);
        search->hashes[0] ^= tact_visited_key(variable);
    }
    search->opened = 1;
    search->current = 0;
}

/// Puts the kernel at the basis of an opened node, from its list alone.
static bool jump(Search *search, int node)
{
    TactPivot      *pivot = &search->pivot;
    const uint64_t *members = members_of(search, node);
    int             cols = 0;
    int             rows = 0;
    for (int j = 0; j <= pivot->n; j++) {
        bool in = contains(members, j);
        pivot->col_place[j] = in ? cols : -1;
        if (in) {
            pivot->col[cols++] = j;
        }
    }
    for (int i = 0; i < pivot->n; i++) {
        bool in = contains(members, pivot->n + 1 + i);
        pivot->row_place[i] = in ? -1 : rows;
        if (!in) {
            pivot->row[rows++] = i;
        }
    }
    pivot->k = cols;
    return tact_pivot_refactor(pivot);
}

// ---------------------------------------------------------------------------------------------
// Candidates

typedef struct Expansion {
    Search              *search;
    const TactLcpConfig *config;
    TactSearchNode       node;    // the one being opened
    int                  id;      // its number
    int                  driving; // its driving variable
    TactRatioPhase       phase;
} Expansion;

/// Queues the pivot with `leaving`, unless it leaves a value below -eps or its basis is known.
static void add_candidate(Expansion *expansion, int leaving, double step, double size)
{
    Search *search = expansion->search;
    double  q_min = tact_ratio_lowest_after(&search->pivot, step);
    if (!(q_min > -expansion->config->search_eps)) {
        return;
    }
    uint64_t hash = search->hashes[expansion->id] ^ tact_visited_key(expansion->driving) ^
                    tact_visited_key(leaving);
    TactVisit visit = tact_visited_add(&search->visited, hash);
    search->queue.dropped += visit == TACT_VISIT_NO_ROOM;
    if (visit != TACT_VISIT_FIRST) {
        return;
    }
    tact_search_queue_push(&search->queue, (TactSearchNode){
                                               .cost = expansion->node.cost + expm1(-q_min),
                                               .size = size,
                                               .depth = expansion->node.depth + 1,
                                               .parent = expansion->id,
                                               .driving = expansion->driving,
                                               .leaving = leaving,
                                           });
}

/// Queues the descendants of an opened node [Yamane, alg. 2]. Its column must be computed.
static void add_descendants(Expansion *expansion)
{
    TactPivot *pivot = &expansion->search->pivot;
    TactRatios ratios = tact_ratios_compute(pivot, expansion->config, expansion->phase,
                                            expansion->config->search_eps);
    if (!(ratios.least < HUGE_VAL)) {
        return; // nothing blocks
    }
    double z0 = tact_ratio_of_z0(pivot);
    if (z0 <= ratios.least + LEAVE_TIE * (1 + ratios.least)) { // z0 leaves at once
        add_candidate(expansion, pivot->n, tact_ratio_step(&ratios, z0), HUGE_VAL);
        return;
    }
    int count = tact_ratios_list(pivot, ratios.bound); // beyond it a value falls below -eps
    for (int t = 0; t < count; t++) {
        int    leaving = pivot->list[t];
        double step = tact_ratio_step(&ratios, tact_ratio_of(pivot, leaving));
        add_candidate(expansion, leaving, step, fabs(tact_pivot_rate(pivot, leaving)));
    }
}

// ---------------------------------------------------------------------------------------------
// Opening nodes

/// Brings the kernel to a node: one pivot from its parent if the kernel stands there, otherwise
/// from its list of basic variables. false: singular, or the error of w = M z + c z0 + q too large.
static bool open_node(Search *search, const TactLcpConfig *config, const TactSearchNode *node)
{
    TactPivot *pivot = &search->pivot;
    int        id = search->opened++;
    uint64_t  *members = members_of(search, id);
    memcpy(members, members_of(search, node->parent), search->words * sizeof *members);
    toggle(members, node->driving);
    toggle(members, node->leaving);
    search->hashes[id] = search->hashes[node->parent] ^ tact_visited_key(node->driving) ^
                         tact_visited_key(node->leaving);
    search->pivots++;
    bool beside = search->current == node->parent;
    search->current = NO_NODE;
    if (beside) {
        bool   entering = node->driving == pivot->n;
        double value = tact_pivot_value(pivot, node->leaving);
        double rate = tact_pivot_rate(pivot, node->leaving);
        double step = entering ? -value / rate : fmax(value, 0) / -rate;
        tact_pivot_exchange(pivot, node->driving, node->leaving, step);
        if (tact_pivot_renew_values(pivot) <= VALUE_DRIFT) {
            search->current = id;
            return true;
        }
        pivot->refactors++;
    }
    if (!jump(search, id)) {
        return false;
    }
    search->current = id;
    return tact_pivot_renew_values(pivot) <= config->search_error;
}

/// The kernel stands at a complementary basis: is it an answer?
static bool is_goal_certified(TactLcpSolver *solver, const TactLcpProblem *problem, double *z)
{
    Search *search = solver->work;
    search->current = NO_NODE; // finishing changes the values
    if (!tact_pivot_finish(&search->pivot)) {
        return false;
    }
    tact_pivot_write(&search->pivot, problem, z, solver->basis);
    for (int j = 0; j < problem->n; j++) {
        double lo = tact_lcp_lo(problem, z, j);
        z[j] = z[j] < lo ? lo : z[j];
    }
    TactLcpCertificate certificate;
    return tact_lcp_certify(problem, z, &certificate) == TACT_OK &&
           certificate.relative <= solver->config.residual_tol;
}

/// z0 has come down to rounding without leaving: is the basis without it an answer? If not, the
/// kernel goes back to the node.
static bool is_answer_without_z0(TactLcpSolver *solver, const TactLcpProblem *problem, double *z)
{
    Search    *search = solver->work;
    TactPivot *pivot = &search->pivot;
    int        node = search->current;
    for (int j = 0; j < pivot->n; j++) {
        solver->basis[j] = pivot->col_place[j] >= 0 ? TACT_LCP_STATE_BASIC : TACT_LCP_STATE_AT_LO;
    }
    if (tact_pivot_set_basis(pivot, solver->basis) && is_goal_certified(solver, problem, z)) {
        return true;
    }
    search->current = jump(search, node) ? node : NO_NODE;
    return false;
}

/// Algorithm 1, from the root whose z0 is about to enter.
static TactLcpOutcome search_path(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                  int budget)
{
    Search    *search = solver->work;
    TactPivot *pivot = &search->pivot;
    Expansion  expansion = {.search = search,
                            .config = &solver->config,
                            .driving = pivot->n,
                            .phase = TACT_RATIO_ENTER};
    if (!tact_pivot_column(pivot, pivot->n)) {
        return TACT_LCP_OUTCOME_SINGULAR;
    }
    add_descendants(&expansion);
    expansion.phase = TACT_RATIO_DRIVE;
    while (tact_search_queue_pop(&search->queue, &expansion.node)) {
        if (search->opened == budget ||
            tact_budget_spend((double)pivot->n * (double)(pivot->n + 10))) {
            return TACT_LCP_OUTCOME_LIMIT;
        }
        if (!open_node(search, &solver->config, &expansion.node)) {
            continue;
        }
        if (expansion.node.leaving == pivot->n) {
            if (is_goal_certified(solver, problem, z)) {
                return TACT_LCP_OUTCOME_SOLVED;
            }
            continue;
        }
        if (tact_pivot_value(pivot, pivot->n) <= Z0_VANISHED &&
            is_answer_without_z0(solver, problem, z)) {
            return TACT_LCP_OUTCOME_SOLVED;
        }
        expansion.id = search->opened - 1;
        expansion.driving = tact_pivot_complement(pivot, expansion.node.leaving);
        if (search->current != NO_NODE && tact_pivot_column(pivot, expansion.driving)) {
            add_descendants(&expansion);
        } else {
            search->current = NO_NODE;
        }
    }
    return search->queue.dropped > 0 ? TACT_LCP_OUTCOME_LIMIT : TACT_LCP_OUTCOME_RAY;
}

/// Puts the kernel at a complementary basis in which every other z is basic, at random. false: it
/// is singular.
static bool set_random_basis(TactLcpSolver *solver, TactRandom *random)
{
    TactPivot *pivot = &((Search *)solver->work)->pivot;
    for (int j = 0; j < pivot->n; j++) {
        solver->basis[j] =
            tact_random_next(random) % 2 ? TACT_LCP_STATE_BASIC : TACT_LCP_STATE_AT_LO;
    }
    return tact_pivot_set_basis(pivot, solver->basis);
}

/// From one root after the other, each with its own covering vector, until the nodes are used up.
/// A path that is long for one covering vector need not be for another; and where all paths from
/// the basis without any z end on a ray, one from another basis may not.
///   warm  the kernel stands at the basis given as a start, not at the one without any z
static TactLcpOutcome search_roots(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                   TactLcpReport *report, bool warm)
{
    Search        *search = solver->work;
    TactPivot     *pivot = &search->pivot;
    TactRandom     random = tact_random_seed(1);
    TactLcpOutcome outcome = TACT_LCP_OUTCOME_LIMIT;
    bool           limited = false;
    int            left = max_nodes(&solver->config, solver->max_n);
    for (int root = warm ? -1 : 0; root < MAX_ROOTS && left > 0; root++) {
        bool elsewhere =
            root > 0 && outcome == TACT_LCP_OUTCOME_RAY && set_random_basis(solver, &random);
        if (root >= 0 && !elsewhere && (report->index = tact_pivot_set_start(pivot)) >= 0) {
            return TACT_LCP_OUTCOME_SINGULAR;
        }
        tact_pivot_cover(pivot, solver->config.cover, root > 0 ? &random : NULL);
        note_root(search);
        tact_search_queue_clear(&search->queue, root % 3 == 1 ? FINE_COST_UNIT : COST_UNIT);
        outcome = search_path(solver, problem, z, root_budget(problem->n, left));
        tact_visited_clear(&search->visited);
        report->iterations += search->opened;
        left -= search->opened;
        limited = limited || outcome == TACT_LCP_OUTCOME_LIMIT;
        if (outcome == TACT_LCP_OUTCOME_SOLVED) {
            return outcome;
        }
    }
    return limited ? TACT_LCP_OUTCOME_LIMIT : outcome;
}

static TactLcpOutcome search_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                 TactLcpReport *report)
{
    Search    *search = solver->work;
    TactPivot *pivot = &search->pivot;
    tact_pivot_load(pivot, problem);
    search->pivots = 0;

    TactLcpOutcome outcome;
    bool           warm = solver->start_basis && tact_pivot_set_basis(pivot, solver->start_basis);
    if (!warm && (report->index = tact_pivot_set_start(pivot)) >= 0) {
        outcome = TACT_LCP_OUTCOME_SINGULAR;
    } else if (tact_lemke_is_feasible(pivot) && is_goal_certified(solver, problem, z)) {
        outcome = TACT_LCP_OUTCOME_SOLVED;
    } else {
        outcome = search_roots(solver, problem, z, report, warm);
    }
    if (outcome != TACT_LCP_OUTCOME_SOLVED) {
        tact_pivot_write(pivot, problem, z, solver->basis);
    }
    report->pivots = search->pivots;
    report->refactors = pivot->refactors;
    return outcome;
}

const TactLcpMethodEntry tact_lcp_search = {
    .info =
        {
            .name = "search",
            .source = "Yamane and Nakamura, III",
            .guarantee = "copositive-plus M with a feasible problem, if its nodes suffice",
            .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL,
        },
    .layout = search_layout,
    .run = search_run,
};
