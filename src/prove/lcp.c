// Proof of an LCP's answer: which unknowns stand at a bound is read from z, the others are solved
// for in exact rationals, and every inequality is looked at without rounding.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "prove/proof.h"
#include "prove/rational/rational.h"
#include "prove/room.h"

#ifdef TACT_HAVE_GMP

typedef enum State { AT_LO, BETWEEN, AT_HI } State;

// What an inequality of row i says.
enum { ABOVE_LO, BELOW_HI, W_POSITIVE, W_NEGATIVE };

typedef struct Lcp {
    const TactLcpProblem *problem;
    const double         *z;
    TactProofConfig       config;
    TactProof            *proof;
    TactPiece             piece;
    State                *state;  // (n)
    State                *first;  // of the answer                             (n)
    int                  *column; // unknown of z_i; -1: it stands at a bound    (n)
    double               *guess;  // (n)
    double               *w;      // M z + q in doubles                          (n)
    double               *scale;  // of column i                                 (n)
} Lcp;

static double lo_of(const TactLcpProblem *problem, int i)
{
    return problem->lo ? problem->lo[i] : 0;
}

static double hi_of(const TactLcpProblem *problem, int i)
{
    return problem->hi ? problem->hi[i] : INFINITY;
}

/// Row whose force bounds row i; -1: none.
static int bound_by(const TactLcpProblem *problem, int i)
{
    return problem->f_index ? problem->f_index[i] : -1;
}

/// Goes through the entries of a row of M.
typedef struct Walk {
    const TactLcpProblem *problem;
    int                   row, next; // next: column, or place in the sparse row
    int                   column;
    double                value;
} Walk;

static Walk walk_row(const TactLcpProblem *problem, int row)
{
    return (Walk){problem, row, problem->M ? 0 : problem->M_csr->row_start[row], -1, 0};
}

static bool walk(Walk *at)
{
    const TactLcpProblem *problem = at->problem;
    if (problem->M) {
        at->column = at->next++;
        if (at->column >= problem->n) {
            return false;
        }
        at->value = problem->M[(size_t)at->row * (size_t)problem->n + (size_t)at->column];
        return true;
    }
    if (at->next >= problem->M_csr->row_start[at->row + 1]) {
        return false;
    }
    at->column = problem->M_csr->column[at->next];
    at->value = problem->M_csr->value[at->next++];
    return true;
}

/// The state that the natural map sees: at a bound if z is nearer to it than w to 0, in units of w.
static void read_states(Lcp *lcp)
{
    const TactLcpProblem *problem = lcp->problem;
    for (int i = 0; i < problem->n; i++) {
        lcp->scale[i] = 0;
    }
    for (int i = 0; i < problem->n; i++) {
        double w = problem->q[i];
        for (Walk at = walk_row(problem, i); walk(&at);) {
            w += at.value * lcp->z[at.column];
            lcp->scale[at.column] = fmax(lcp->scale[at.column], fabs(at.value));
        }
        lcp->w[i] = w;
    }
    for (int i = 0; i < problem->n; i++) {
        int    by = bound_by(problem, i);
        double hi = by >= 0 ? hi_of(problem, i) * lcp->z[by] : hi_of(problem, i);
        double lo = by >= 0 ? -hi : lo_of(problem, i);
        double c = lcp->scale[i] > 0 ? lcp->scale[i] : 1, z = lcp->z[i], w = lcp->w[i];
        bool   at_lo = z <= lo || c * (z - lo) <= w, at_hi = z >= hi || c * (hi - z) <= -w;
        lcp->state[i] = at_lo && (!at_hi || w >= 0) ? AT_LO : at_hi ? AT_HI : BETWEEN;
        lcp->first[i] = lcp->state[i];
    }
}

// ---------------------------------------------------------------------------------------------
// The piece

static void number_unknowns(Lcp *lcp)
{
    lcp->piece.n = 0;
    for (int i = 0; i < lcp->problem->n; i++) {
        bool unknown = lcp->state[i] == BETWEEN || bound_by(lcp->problem, i) >= 0;
        lcp->column[i] = unknown ? lcp->piece.n : -1;
        if (unknown) {
            lcp->guess[lcp->piece.n++] = lcp->z[i];
        }
    }
}

/// form += factor z_i
static void add_z(Lcp *lcp, TactExactSet *set, TactExactForm *form, int i, double factor)
{
    if (lcp->column[i] >= 0) {
        tact_exact_form_add_double(set, form, lcp->column[i], factor);
        return;
    }
    double bound = lcp->state[i] == AT_LO ? lo_of(lcp->problem, i) : hi_of(lcp->problem, i);
    mpq_t  x, y;
    mpq_inits(x, y, NULL);
    mpq_set_d(x, bound);
    mpq_set_d(y, factor);
    mpq_mul(x, x, y);
    tact_exact_form_add(set, form, -1, x);
    mpq_clears(x, y, NULL);
}

/// form += sign w_i
static void add_w(Lcp *lcp, TactExactSet *set, TactExactForm *form, int i, double sign)
{
    const TactLcpProblem *problem = lcp->problem;
    for (Walk at = walk_row(problem, i); walk(&at);) {
        if (at.value != 0) {
            add_z(lcp, set, form, at.column, sign * at.value);
        }
    }
    tact_exact_form_add_double(set, form, -1, sign * problem->q[i]);
}

/// form += sign bound of row i, the upper one if upper is 1, the lower one if it is -1.
static void add_bound(Lcp *lcp, TactExactSet *set, TactExactForm *form, int i, double sign,
                      int upper)
{
    const TactLcpProblem *problem = lcp->problem;
    int                   by = bound_by(problem, i);
    if (by >= 0) {
        add_z(lcp, set, form, by, upper * sign * problem->hi[i]);
    } else {
        tact_exact_form_add_double(set, form, -1,
                                   sign * (upper > 0 ? hi_of(problem, i) : lo_of(problem, i)));
    }
}

static void place_row(Lcp *lcp, int i)
{
    const TactLcpProblem *problem = lcp->problem;
    TactExactSet         *equations = &lcp->piece.equations, *sides = &lcp->piece.inequalities;
    bool                  by = bound_by(problem, i) >= 0;
    bool lower = by || isfinite(lo_of(problem, i)), upper = by || isfinite(hi_of(problem, i));
    if (lcp->state[i] == BETWEEN) {
        add_w(lcp, equations, tact_exact_set_next(equations, i, 0), i, 1);
        for (int side = -1; side <= 1; side += 2) {
            if (side < 0 ? lower : upper) {
                TactExactForm *form = tact_exact_set_next(sides, i, side < 0 ? ABOVE_LO : BELOW_HI);
                add_z(lcp, sides, form, i, -side);
                add_bound(lcp, sides, form, i, side, side);
            }
        }
        return;
    }
    int at = lcp->state[i] == AT_HI ? 1 : -1;
    if (by) {
        TactExactForm *form = tact_exact_set_next(equations, i, 0);
        add_z(lcp, equations, form, i, 1);
        add_bound(lcp, equations, form, i, -1, at);
    }
    if (by || lo_of(problem, i) < hi_of(problem, i)) {
        add_w(lcp, sides, tact_exact_set_next(sides, i, at < 0 ? W_POSITIVE : W_NEGATIVE), i, -at);
    }
}

static TactStatus solve(Lcp *lcp, TactPieceSolution *solution)
{
    number_unknowns(lcp);
    tact_exact_set_empty(&lcp->piece.equations);
    tact_exact_set_empty(&lcp->piece.inequalities);
    for (int i = 0; i < lcp->problem->n; i++) {
        place_row(lcp, i);
    }
    lcp->piece.guess = lcp->guess;
    lcp->piece.limit = lcp->config.limit;
    return tact_piece_solve(&lcp->piece, solution);
}

/// Rows whose inequality fails change sides: all of them, later one at a time.
static void flip(Lcp *lcp, const TactPieceSolution *solution, bool all)
{
    if (solution->broken >= 0) {
        int i = lcp->piece.equations.forms[solution->broken].owner;
        lcp->state[i] = solution->broken_sign > 0 ? AT_LO : AT_HI;
        if (!isfinite(lcp->state[i] == AT_LO ? lo_of(lcp->problem, i) : hi_of(lcp->problem, i))) {
            lcp->state[i] = BETWEEN;
        }
        return;
    }
    for (int k = 0; k < lcp->piece.inequalities.count; k++) {
        const TactExactForm *form = &lcp->piece.inequalities.forms[k];
        if (solution->sign[k] < 0) {
            lcp->state[form->owner] = form->role == ABOVE_LO   ? AT_LO
                                      : form->role == BELOW_HI ? AT_HI
                                                               : BETWEEN;
            if (!all) {
                return;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The proof

static TactStatus conclude(Lcp *lcp, const TactPieceSolution *solution)
{
    TactProof *proof = lcp->proof;
    int        n = lcp->problem->n;
    double     scale = 0, radius = 0;
    int        furthest = -1;
    TACT_TRY(tact_proof_make_part(proof, TACT_PROOF_PART_Z, n));
    for (int i = 0; i < n; i++) {
        double distance = 0;
        if (lcp->column[i] >= 0) {
            tact_proof_set_exact(proof, TACT_PROOF_PART_Z, i, solution->x[lcp->column[i]],
                                 solution->denominator);
            distance = tact_piece_distance(solution, lcp->column[i], lcp->z[i]);
        } else {
            double bound = lcp->state[i] == AT_LO ? lo_of(lcp->problem, i) : hi_of(lcp->problem, i);
            tact_proof_set_double(proof, TACT_PROOF_PART_Z, i, bound);
            distance = bound == lcp->z[i] ? 0 : nextafter(fabs(bound - lcp->z[i]), INFINITY);
        }
        furthest = distance > radius ? i : furthest;
        radius = fmax(radius, distance);
        scale = fmax(scale, fabs(lcp->z[i]));
        proof->report.changed += lcp->state[i] != lcp->first[i];
    }
    proof->report.radius = radius;
    proof->report.found = true;
    proof->report.unique = solution->rank == lcp->piece.n;
    proof->report.weak = solution->weak;
    if (radius > lcp->config.radius * fmax(scale, 1e-300)) {
        tact_proof_block(proof, furthest);
        tact_proof_not(proof,
                       "the nearest exact solution that was found is %.2g away from the answer, in "
                       "z[%d]: it proves another answer than this one",
                       radius, furthest);
        return TACT_OK;
    }
    proof->report.proved = true;
    return TACT_OK;
}

static void give_up(Lcp *lcp, const TactPieceSolution *solution)
{
    if (solution->broken >= 0) {
        int i = lcp->piece.equations.forms[solution->broken].owner;
        tact_proof_block(lcp->proof, i);
        tact_proof_not(lcp->proof,
                       "the basis is singular, and w[%d] = 0 contradicts the other rows", i);
        return;
    }
    int first = -1;
    for (int k = 0; k < lcp->piece.inequalities.count; k++) {
        if (solution->sign[k] < 0) {
            first = first < 0 ? k : first;
            tact_proof_block(lcp->proof, lcp->piece.inequalities.forms[k].owner);
        }
    }
    if (first >= 0) {
        const TactExactForm     *form = &lcp->piece.inequalities.forms[first];
        static const char *const words[] = {"z is below lo", "z is above hi", "w is negative",
                                            "w is positive at the upper bound"};
        tact_proof_not(lcp->proof,
                       "no active set tried has a solution: in the last of %d, %s in row %d%s",
                       lcp->proof->report.rounds, words[form->role], form->owner,
                       solution->violated > 1 ? " and in others" : "");
    }
}

static TactStatus try_active_sets(Lcp *lcp)
{
    TactStatus status = TACT_OK;
    bool       done = false;
    read_states(lcp);
    for (int round = 0; round < lcp->config.rounds && !done && status == TACT_OK; round++) {
        TactPieceSolution solution = {0};
        status = solve(lcp, &solution);
        lcp->proof->report.rounds++;
        lcp->proof->report.equations = lcp->piece.equations.count;
        lcp->proof->report.rank = solution.rank;
        if (status == TACT_OK) {
            done = solution.violated == 0 && solution.broken < 0;
            if (done) {
                status = conclude(lcp, &solution);
            } else if (round + 1 < lcp->config.rounds) {
                flip(lcp, &solution, round < lcp->config.rounds / 2);
            } else {
                give_up(lcp, &solution);
            }
        }
        tact_piece_solution_destroy(&solution);
    }
    if (status == TACT_UNSUPPORTED) {
        tact_proof_not(lcp->proof, "%s", tact_status_message());
        status = TACT_OK;
    }
    return status;
}

static TactStatus allocate_states(Lcp *lcp)
{
    size_t n = (size_t)lcp->problem->n + 1;
    void  *block[6] = {NULL};
    for (int i = 0; i < 6; i++) {
        TactStatus status = tact_allocate(n,
                                          i < 2   ? sizeof(State)
                                          : i < 3 ? sizeof(int)
                                                  : sizeof(double),
                                          &block[i]);
        lcp->state = block[0], lcp->first = block[1], lcp->column = block[2];
        lcp->guess = block[3], lcp->w = block[4], lcp->scale = block[5];
        TACT_TRY(status);
    }
    return TACT_OK;
}

static void release(Lcp *lcp)
{
    tact_release(lcp->state);
    tact_release(lcp->first);
    tact_release(lcp->column);
    tact_release(lcp->guess);
    tact_release(lcp->w);
    tact_release(lcp->scale);
    tact_exact_set_destroy(&lcp->piece.equations);
    tact_exact_set_destroy(&lcp->piece.inequalities);
}

TactStatus tact_prove_lcp(const TactLcpProblem *problem, const double *z,
                          const TactProofConfig *config, TactProof **proof)
{
    TACT_NEED(problem && z && proof, "tact_prove_lcp");
    TACT_TRY(tact_lcp_check(problem));
    Lcp    lcp = {.problem = problem, .z = z};
    double start = tact_time_now();
    for (int i = 0; i < problem->n; i++) {
        if (!isfinite(z[i])) {
            return tact_fail(TACT_BAD_INPUT, "tact_prove_lcp: z[%d] is not finite", i);
        }
    }
    TACT_TRY(tact_proof_check_config(config, &lcp.config));
    TACT_TRY(tact_room_begin());
    TactStatus status = tact_proof_create(TACT_PROOF_KIND_RATIONAL, &lcp.proof);
    if (status == TACT_OK) {
        status = allocate_states(&lcp);
    }
    if (status == TACT_OK) {
        status = try_active_sets(&lcp);
    }
    release(&lcp);
    if (status != TACT_OK || tact_room_is_over()) {
        tact_proof_destroy(lcp.proof); // before the reserve, in which parts of it may be
        return tact_room_end(status);
    }
    TACT_TRY(tact_room_end(TACT_OK));
    lcp.proof->report.time = tact_time_now() - start;
    *proof = lcp.proof;
    return TACT_OK;
}

#else

TactStatus tact_prove_lcp(const TactLcpProblem *problem, const double *z,
                          const TactProofConfig *config, TactProof **proof)
{
    TACT_NEED(problem && z && proof, "tact_prove_lcp");
    (void)config;
    return tact_fail(TACT_UNSUPPORTED, "a rational proof needs GMP, and tact was built without");
}

#endif
