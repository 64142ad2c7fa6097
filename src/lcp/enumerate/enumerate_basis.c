// One complementary basis: with B the basic variables and N the others at their bounds,
//
//     M_BB z_B = -(q_B + M_BN z_N),     w_N = q_N + M_NB z_B + M_NN z_N.
//
// If M_BB is singular and the equations are consistent, the points of the basis are a polyhedron
// z + X t (X: null vectors of M_BB) cut out by the bounds of z_B and the signs of w_N; a solution
// exists in it if and only if one of its vertices is one.
#include <math.h>
#include <string.h>

#include "lcp/enumerate/enumerate.h"
#include "lcp/solver.h"
#include "linalg/vector.h"

enum { MAX = TACT_LCP_ENUMERATE_MAX, MAX_VERTICES = 20000 };

// A pivot below the first is zero, relative to the largest; below the second it may be: then the
// block is tried as a regular and as a singular one.
static const double ZERO_PIVOT = 1e-14;
static const double DOUBTFUL_PIVOT = 1e-9;
// A point this near to a solution is certified; further away it is none.
static const double NEAR = 1e-6;

TactStatus tact_lcp_basis_begin(TactLcpBasis *basis, const TactLcpProblem *problem)
{
    int                n = problem->n;
    double             zero[MAX] = {0};
    TactLcpCertificate certificate;
    TactStatus         status = tact_lcp_certify(problem, zero, &certificate);
    basis->problem = problem;
    basis->scale = certificate.scale;
    for (int j = 0; j < n; j++) {
        basis->lo[j] = tact_lcp_lo(problem, zero, j);
        basis->hi[j] = tact_lcp_hi(problem, zero, j);
        basis->weight[j] = 1;
        for (int i = 0; i < n; i++) {
            basis->weight[j] = fmax(basis->weight[j], fabs(problem->M[i * n + j]));
        }
    }
    return status;
}

static double clamp_to_box(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/// w_i = q_i + M_i: z, as if summed in twice the precision.
static double row_value(const TactLcpProblem *problem, const double *z, int i)
{
    const double *row = problem->M + (size_t)i * (size_t)problem->n;
    return -tact_vec_residual(problem->n, row, z, -problem->q[i]);
}

// ---------------------------------------------------------------------------------------------
// The factor

static void swap_rows(TactLcpBasis *basis, int a, int b)
{
    for (int j = 0; a != b && j < basis->k; j++) {
        double entry = basis->lu[a * MAX + j];
        basis->lu[a * MAX + j] = basis->lu[b * MAX + j];
        basis->lu[b * MAX + j] = entry;
    }
    int row = basis->row[a];
    basis->row[a] = basis->row[b];
    basis->row[b] = row;
}

static void swap_columns(TactLcpBasis *basis, int a, int b)
{
    for (int i = 0; a != b && i < basis->k; i++) {
        double entry = basis->lu[i * MAX + a];
        basis->lu[i * MAX + a] = basis->lu[i * MAX + b];
        basis->lu[i * MAX + b] = entry;
    }
    int col = basis->col[a];
    basis->col[a] = basis->col[b];
    basis->col[b] = col;
}

static void gather_basis(TactLcpBasis *basis)
{
    const TactLcpProblem *problem = basis->problem;
    basis->k = 0;
    for (int i = 0; i < problem->n; i++) {
        if (basis->state[i] == TACT_LCP_STATE_BASIC) {
            basis->row[basis->k] = basis->col[basis->k] = i;
            basis->k++;
        }
    }
    for (int i = 0; i < basis->k; i++) {
        for (int j = 0; j < basis->k; j++) {
            basis->lu[i * MAX + j] = problem->M[basis->row[i] * problem->n + basis->col[j]];
        }
    }
}

/// Factors the gathered block. Sets rank to the number of pivots above ZERO_PIVOT, and returns that
/// of pivots above DOUBTFUL_PIVOT.
static int factor_basis(TactLcpBasis *basis)
{
    int    k = basis->k;
    double largest = 0;
    int    certain = 0;
    basis->rank = 0;
    for (int p = 0; p < k; p++) {
        int    row = p;
        int    col = p;
        double pivot = 0;
        for (int i = p; i < k; i++) {
            for (int j = p; j < k; j++) {
                if (fabs(basis->lu[i * MAX + j]) > pivot) {
                    pivot = fabs(basis->lu[i * MAX + j]);
                    row = i;
                    col = j;
                }
            }
        }
        largest = p == 0 ? pivot : largest;
        if (!(pivot > ZERO_PIVOT * largest)) {
            break;
        }
        certain += pivot > DOUBTFUL_PIVOT * largest;
        basis->rank++;
        swap_rows(basis, p, row);
        swap_columns(basis, p, col);
        for (int i = p + 1; i < k; i++) {
            double factor = basis->lu[i * MAX + p] / basis->lu[p * MAX + p];
            basis->lu[i * MAX + p] = factor;
            for (int j = p + 1; j < k; j++) {
                basis->lu[i * MAX + j] -= factor * basis->lu[p * MAX + j];
            }
        }
    }
    return certain;
}

/// x := U^-1 x on the first rank rows
static void solve_upper(const TactLcpBasis *basis, double *x)
{
    for (int i = basis->rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < basis->rank; j++) {
            x[i] -= basis->lu[i * MAX + j] * x[j];
        }
        x[i] /= basis->lu[i * MAX + i];
    }
}

/// One step of Newton for w_B = 0: the pivot columns of z_B take the correction, the others stay.
static void correct(const TactLcpBasis *basis, double *z)
{
    double x[MAX];
    for (int i = 0; i < basis->rank; i++) {
        x[i] = -row_value(basis->problem, z, basis->row[i]);
        for (int j = 0; j < i; j++) {
            x[i] -= basis->lu[i * MAX + j] * x[j];
        }
    }
    solve_upper(basis, x);
    for (int i = 0; i < basis->rank; i++) {
        z[basis->col[i]] += x[i];
    }
}

/// Null vector of M_BB in which the dependent column d (rank <= d < k) is 1, as one of z.
static void null_vector(const TactLcpBasis *basis, int d, double *x)
{
    double y[MAX];
    for (int i = 0; i < basis->rank; i++) {
        y[i] = -basis->lu[i * MAX + d];
    }
    solve_upper(basis, y);
    memset(x, 0, MAX * sizeof *x);
    for (int i = 0; i < basis->rank; i++) {
        x[basis->col[i]] = y[i];
    }
    x[basis->col[d]] = 1;
}

// ---------------------------------------------------------------------------------------------
// Points

/// Is z near to a solution, in plain arithmetic and in units of w?
static bool is_near(const TactLcpBasis *basis, const double *z)
{
    int    n = basis->problem->n;
    double size = basis->scale;
    for (int j = 0; j < n; j++) {
        size = fmax(size, basis->weight[j] * fabs(z[j]));
    }
    double limit = NEAR * size;
    for (int j = 0; j < n; j++) {
        double outside = z[j] - clamp_to_box(z[j], basis->lo[j], basis->hi[j]);
        // The negation also catches NaN.
        if (!(basis->weight[j] * fabs(outside) <= limit)) {
            return false;
        }
    }
    for (int i = 0; i < n; i++) {
        double w = row_value(basis->problem, z, i);
        bool   may_rise = basis->state[i] == TACT_LCP_STATE_AT_LO;
        bool   may_fall = basis->state[i] == TACT_LCP_STATE_AT_HI || basis->lo[i] == basis->hi[i];
        if ((w > limit && !may_rise) || (w < -limit && !may_fall)) {
            return false;
        }
    }
    return true;
}

static void visit_point(TactLcpBasis *basis, double *z)
{
    if (basis->ended || !is_near(basis, z)) {
        return;
    }
    correct(basis, z);
    correct(basis, z);
    for (int j = 0; j < basis->problem->n; j++) {
        z[j] = clamp_to_box(z[j], basis->lo[j], basis->hi[j]);
    }
    TactLcpCertificate certificate;
    if (tact_lcp_certify(basis->problem, z, &certificate) == TACT_OK) {
        TactLcpBasisPoint point = {.basis = basis->state,
                                   .z = z,
                                   .error = certificate.error,
                                   .relative = certificate.relative,
                                   .nullity = basis->k - basis->rank};
        basis->ended = !basis->function(basis->context, &point);
    }
}

/// Variables at their bounds, basic ones at the point of their interval nearest to 0, then w_B = 0.
static void first_point(const TactLcpBasis *basis, double *z)
{
    for (int j = 0; j < basis->problem->n; j++) {
        switch (basis->state[j]) {
        case TACT_LCP_STATE_AT_LO: z[j] = basis->lo[j]; break;
        case TACT_LCP_STATE_AT_HI: z[j] = basis->hi[j]; break;
        default: z[j] = clamp_to_box(0, basis->lo[j], basis->hi[j]); break;
        }
    }
    correct(basis, z);
}

// ---------------------------------------------------------------------------------------------
// Vertices of a singular basis

/// The points z + X t, and every value that stops at zero somewhere: values + slopes t.
typedef struct Family {
    int    dimension;
    double z[MAX];
    double X[MAX][MAX];               // null vectors                        (dimension x n)
    int    count;                     // lines below
    double slope[3 * MAX + MAX][MAX]; // at most two bounds or one sign a variable, and t = 0
    double value[3 * MAX + MAX];
} Family;

static void add_line(Family *family, double value, const double *slope, double sign)
{
    for (int d = 0; d < family->dimension; d++) {
        family->slope[family->count][d] = sign * slope[d];
    }
    family->value[family->count++] = value;
}

static void make_family(const TactLcpBasis *basis, Family *family)
{
    int n = basis->problem->n;
    family->dimension = basis->k - basis->rank;
    family->count = 0;
    for (int d = 0; d < family->dimension; d++) {
        double unit[MAX] = {0};
        unit[d] = 1;
        add_line(family, 0, unit, 1); // where no other line blocks: a family that holds a line
        null_vector(basis, basis->rank + d, family->X[d]);
    }
    for (int i = 0; i < n; i++) {
        double slope[MAX] = {0};
        if (basis->state[i] == TACT_LCP_STATE_BASIC) {
            for (int d = 0; d < family->dimension; d++) {
                slope[d] = family->X[d][i];
            }
            if (!isinf(basis->lo[i])) {
                add_line(family, family->z[i] - basis->lo[i], slope, 1);
            }
            if (!isinf(basis->hi[i])) {
                add_line(family, basis->hi[i] - family->z[i], slope, -1);
            }
        } else if (basis->lo[i] != basis->hi[i]) {
            for (int d = 0; d < family->dimension; d++) {
                for (int j = 0; j < n; j++) {
                    slope[d] += basis->problem->M[i * n + j] * family->X[d][j];
                }
            }
            add_line(family, row_value(basis->problem, family->z, i), slope, 1);
        }
    }
}

/// The t at which the chosen lines are zero; false if they do not meet in one point.
static bool meet(const Family *family, const int *chosen, double *t)
{
    int    m = family->dimension;
    double A[MAX][MAX + 1];
    for (int i = 0; i < m; i++) {
        memcpy(A[i], family->slope[chosen[i]], (size_t)m * sizeof(double));
        A[i][m] = -family->value[chosen[i]];
    }
    for (int p = 0; p < m; p++) {
        int row = p;
        for (int i = p + 1; i < m; i++) {
            row = fabs(A[i][p]) > fabs(A[row][p]) ? i : row;
        }
        if (!(fabs(A[row][p]) > DOUBTFUL_PIVOT)) {
            return false;
        }
        for (int j = p; j <= m; j++) {
            double entry = A[p][j];
            A[p][j] = A[row][j];
            A[row][j] = entry;
        }
        for (int i = 0; i < m; i++) {
            double factor = i == p ? 0 : A[i][p] / A[p][p];
            for (int j = p; j <= m; j++) {
                A[i][j] -= factor * A[p][j];
            }
        }
    }
    for (int i = 0; i < m; i++) {
        t[i] = A[i][m] / A[i][i];
    }
    return true;
}

/// Next choice of m out of count lines in ascending order; false after the last.
static bool next_choice(int *chosen, int m, int count)
{
    int i = m - 1;
    while (i >= 0 && chosen[i] == count - m + i) {
        i--;
    }
    if (i < 0) {
        return false;
    }
    chosen[i]++;
    for (int j = i + 1; j < m; j++) {
        chosen[j] = chosen[j - 1] + 1;
    }
    return true;
}

static double number_of_choices(int m, int count)
{
    double number = 1;
    for (int i = 0; i < m; i++) {
        number *= (double)(count - i) / (double)(i + 1);
    }
    return number;
}

static bool visit_vertices(TactLcpBasis *basis)
{
    Family family;
    first_point(basis, family.z);
    make_family(basis, &family);
    int m = family.dimension;
    if (number_of_choices(m, family.count) > MAX_VERTICES) {
        return false;
    }
    int chosen[MAX];
    for (int i = 0; i < m; i++) {
        chosen[i] = i;
    }
    do {
        double t[MAX];
        if (meet(&family, chosen, t)) {
            double z[MAX];
            for (int j = 0; j < basis->problem->n; j++) {
                z[j] = family.z[j];
                for (int d = 0; d < m; d++) {
                    z[j] += family.X[d][j] * t[d];
                }
            }
            visit_point(basis, z);
        }
    } while (!basis->ended && next_choice(chosen, m, family.count));
    return true;
}

/// Are the equations w_B = 0 consistent? Otherwise the basis has no points at all.
static bool is_consistent(const TactLcpBasis *basis)
{
    double z[MAX];
    double size = basis->scale;
    first_point(basis, z);
    for (int j = 0; j < basis->problem->n; j++) {
        size = fmax(size, basis->weight[j] * fabs(z[j]));
    }
    for (int i = basis->rank; i < basis->k; i++) {
        if (!(fabs(row_value(basis->problem, z, basis->row[i])) <= NEAR * size)) {
            return false;
        }
    }
    return true;
}

static bool visit_rank(TactLcpBasis *basis, TactLcpBasisEffort effort)
{
    double z[MAX];
    first_point(basis, z);
    visit_point(basis, z);
    if (basis->rank == basis->k || basis->ended || !is_consistent(basis)) {
        return true;
    }
    return effort == TACT_LCP_BASIS_EVERY && visit_vertices(basis);
}

bool tact_lcp_basis_visit(TactLcpBasis *basis, TactLcpBasisEffort effort)
{
    gather_basis(basis);
    int  certain = factor_basis(basis);
    bool all = visit_rank(basis, effort);
    if (certain < basis->rank && !basis->ended) {
        basis->rank = certain;
        all = visit_rank(basis, effort) && all;
    }
    return all;
}
