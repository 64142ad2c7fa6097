#include "oracle/contact_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double Real;

// Part of the fastest body's speed that belongs to the size of a body at rest.
static const Real REST = 1e-5L;

static Real *reals(size_t count)
{
    return calloc(count + 1, sizeof(Real));
}

static Real dot(const Real *a, const Real *b, size_t n)
{
    Real sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void cross(const Real a[3], const Real b[3], Real out[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static Real most(Real a, Real b)
{
    return b > a ? b : a;
}

// ---------------------------------------------------------------------------------------------
// J and M

/// Normal, tangent 1, tangent 2, made orthonormal again after their rounding.
static void frame_of(const TactContact *contact, Real frame[3][3])
{
    double rounded[3][3];
    tact_contact_compute_frame(contact, rounded);
    Real length = 0, along = 0, across = 0;
    for (int i = 0; i < 3; i++) {
        frame[0][i] = (Real)contact->normal[i];
        frame[1][i] = (Real)rounded[1][i];
        length += frame[0][i] * frame[0][i];
    }
    for (int i = 0; i < 3; i++) {
        frame[0][i] /= sqrtl(length);
        along += frame[0][i] * frame[1][i];
    }
    for (int i = 0; i < 3; i++) {
        frame[1][i] -= along * frame[0][i];
        across += frame[1][i] * frame[1][i];
    }
    for (int i = 0; i < 3; i++) {
        frame[1][i] /= sqrtl(across);
    }
    cross(frame[0], frame[1], frame[2]);
}

/// A row of J, and the size of what its entries are made of.
static void contact_row(const TactOracleContact *oracle, int index, Real *row, Real *size)
{
    const TactContactProblem *problem = oracle->problem;
    const TactContact        *contact = &problem->contacts[index / 3];
    if (problem->M) {
        for (int k = 0; k < oracle->nv; k++) {
            row[k] = (Real)contact->J[(size_t)(index % 3) * (size_t)oracle->nv + (size_t)k];
            size[k] = fabsl(row[k]);
        }
        return;
    }
    Real frame[3][3];
    frame_of(contact, frame);
    for (int side = 0; side < 2; side++) {
        int  body = side ? contact->b : contact->a;
        Real arm[3], turning[3];
        if (body < 0) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            arm[i] = (Real)contact->point[i] - (Real)problem->bodies[body].position[i];
        }
        cross(arm, frame[index % 3], turning);
        for (int i = 0; i < 3; i++) {
            row[6 * body + i] = (side ? 1 : -1) * frame[index % 3][i];
            row[6 * body + 3 + i] = (side ? 1 : -1) * turning[i];
            size[6 * body + i] = fabsl(row[6 * body + i]);
            size[6 * body + 3 + i] = sqrtl(dot(arm, arm, 3));
        }
    }
}

static void joint_row(const TactOracleContact *oracle, int index, Real *row, Real *size)
{
    const TactContactRow *joint = &oracle->problem->rows[index];
    for (int k = 0; k < oracle->nv && oracle->problem->M; k++) {
        row[k] = (Real)joint->J[k];
    }
    for (int k = 0; k < 6 && oracle->problem->bodies; k++) {
        if (joint->a >= 0) {
            row[6 * joint->a + k] += (Real)joint->J_a[k];
        }
        if (joint->b >= 0) {
            row[6 * joint->b + k] += (Real)joint->J_b[k];
        }
    }
    for (int k = 0; k < oracle->nv; k++) {
        size[k] = fabsl(row[k]);
    }
}

/// Mass matrix, v, and the applied forces, of bodies with their gyroscopic term.
static void dynamics(const TactOracleContact *oracle, Real *v, Real *force)
{
    const TactContactProblem *problem = oracle->problem;
    size_t                    nv = (size_t)oracle->nv;
    for (size_t k = 0; k < nv && problem->M; k++) {
        v[k] = (Real)problem->v[k];
        force[k] = (Real)problem->tau[k];
        for (size_t j = 0; j < nv; j++) {
            oracle->M[k * nv + j] = (Real)problem->M[k * nv + j];
        }
    }
    for (size_t b = 0; b < nv / 6 && problem->bodies; b++) {
        const TactContactBody *body = &problem->bodies[b];
        const double          *I = body->inertia;
        Real A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
        Real omega[3] = {body->omega[0], body->omega[1], body->omega[2]}, spin[3], gyro[3];
        for (size_t i = 0; i < 3; i++) {
            spin[i] = dot(A[i], omega, 3);
            oracle->M[(6 * b + i) * nv + 6 * b + i] = (Real)body->mass;
            for (size_t j = 0; j < 3; j++) {
                oracle->M[(6 * b + 3 + i) * nv + 6 * b + 3 + j] = A[i][j];
            }
        }
        cross(omega, spin, gyro);
        for (size_t i = 0; i < 3; i++) {
            v[6 * b + i] = (Real)body->velocity[i];
            v[6 * b + 3 + i] = omega[i];
            force[6 * b + i] = (Real)body->force[i];
            force[6 * b + 3 + i] = (Real)body->torque[i] - gyro[i];
        }
    }
}

/// Lower Cholesky factor in place of A; false: A is not positive definite.
static bool factor(Real *A, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            Real sum = A[i * n + j] - dot(A + i * n, A + j * n, j);
            if (i == j && !(sum > 0)) {
                return false;
            }
            A[i * n + j] = i == j ? sqrtl(sum) : sum / A[j * n + j];
        }
    }
    return true;
}

static void solve(const Real *L, size_t n, Real *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (x[i] - dot(L + i * n, x, i)) / L[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            x[i] -= L[j * n + i] * x[j];
        }
        x[i] /= L[i * n + i];
    }
}

// ---------------------------------------------------------------------------------------------
// Begin and end

/// S of a row: |M^-1| B, from the columns of M^-1.
static void fill_size(const TactOracleContact *oracle, const Real *inverse, int r)
{
    size_t nv = (size_t)oracle->nv;
    for (size_t k = 0; k < nv; k++) {
        oracle->S[(size_t)r * nv + k] = dot(inverse + k * nv, oracle->B + (size_t)r * nv, nv);
    }
}

static void fill_rows(const TactOracleContact *oracle, const Real *L, const Real *inverse)
{
    size_t nv = (size_t)oracle->nv;
    int    contacts = 3 * oracle->problem->contact_count;
    for (int r = 0; r < oracle->rows && nv > 0; r++) {
        Real *row = oracle->J + (size_t)r * nv, *size = oracle->B + (size_t)r * nv;
        if (r < contacts) {
            contact_row(oracle, r, row, size);
        } else {
            joint_row(oracle, r - contacts, row, size);
        }
        memcpy(oracle->Y + (size_t)r * nv, row, nv * sizeof(Real));
        solve(L, nv, oracle->Y + (size_t)r * nv);
        fill_size(oracle, inverse, r);
    }
}

static bool fill(TactOracleContact *oracle, Real *v, Real *force, Real *L, Real *inverse)
{
    const TactContactProblem *problem = oracle->problem;
    size_t                    nv = (size_t)oracle->nv;
    dynamics(oracle, v, force);
    memcpy(L, oracle->M, nv * nv * sizeof(Real));
    if (!factor(L, nv)) {
        return false;
    }
    for (size_t k = 0; k < nv; k++) {
        inverse[k * nv + k] = 1;
        solve(L, nv, inverse + k * nv);
        for (size_t j = 0; j < nv; j++) {
            inverse[k * nv + j] = fabsl(inverse[k * nv + j]);
        }
    }
    solve(L, nv, force);
    for (size_t k = 0; k < nv; k++) {
        oracle->v_free[k] = v[k] + (Real)problem->step * force[k];
    }
    fill_rows(oracle, L, inverse);
    for (int i = 0; i < problem->contact_count; i++) {
        Real before = dot(oracle->J + 3 * (size_t)i * nv, v, nv);
        oracle->added[i] = (Real)problem->contacts[i].bias;
        oracle->added[i] += before < 0 ? (Real)problem->contacts[i].restitution * before : 0;
    }
    return true;
}

bool tact_oracle_contact_begin(TactOracleContact *oracle, const TactContactProblem *problem)
{
    int    dof = tact_contact_get_dof(problem);
    size_t nv = (size_t)dof;
    int    rows = 3 * problem->contact_count + problem->row_count;
    *oracle = (TactOracleContact){
        .problem = problem,
        .nv = dof,
        .rows = rows,
        .J = reals((size_t)rows * nv),
        .Y = reals((size_t)rows * nv),
        .B = reals((size_t)rows * nv),
        .S = reals((size_t)rows * nv),
        .M = reals(nv * nv),
        .v_free = reals(nv),
        .added = reals((size_t)problem->contact_count),
        .v = reals(nv),
        .size = reals(nv),
    };
    Real *v = reals(nv), *force = reals(nv), *L = reals(nv * nv), *inverse = reals(nv * nv);
    bool  made = oracle->J && oracle->Y && oracle->B && oracle->S && oracle->M && oracle->v_free &&
                oracle->added && oracle->v && oracle->size && v && force && L && inverse &&
                fill(oracle, v, force, L, inverse);
    free(inverse);
    free(v);
    free(force);
    free(L);
    return made;
}

void tact_oracle_contact_end(TactOracleContact *oracle)
{
    free(oracle->J);
    free(oracle->Y);
    free(oracle->B);
    free(oracle->S);
    free(oracle->M);
    free(oracle->v_free);
    free(oracle->added);
    free(oracle->v);
    free(oracle->size);
}

// ---------------------------------------------------------------------------------------------
// Friction in the plane

static void nearest_on_segment(const Real a[2], const Real b[2], const Real x[2], Real out[2])
{
    Real way[2] = {b[0] - a[0], b[1] - a[1]};
    Real square = way[0] * way[0] + way[1] * way[1];
    Real t = square > 0 ? ((x[0] - a[0]) * way[0] + (x[1] - a[1]) * way[1]) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    out[0] = a[0] + t * way[0];
    out[1] = a[1] + t * way[1];
}

static void project_polygon(const TactContact *contact, Real radius, Real x[2])
{
    const Real pi = 3.14159265358979323846264338327950288L;
    int        count = contact->directions > 0 ? contact->directions : 8;
    Real       best[2] = {0, 0}, least = HUGE_VALL;
    bool       inside = true;
    for (int j = 0; j < count; j++) {
        Real one = (Real)contact->turn + 2 * pi * j / count, two = one + 2 * pi / count;
        Real a[2] = {radius * cosl(one), radius * sinl(one)};
        Real b[2] = {radius * cosl(two), radius * sinl(two)};
        // To the left of every edge is inside.
        inside = inside && (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]) >= 0;
        Real near[2];
        nearest_on_segment(a, b, x, near);
        Real distance = hypotl(near[0] - x[0], near[1] - x[1]);
        if (distance < least) {
            least = distance;
            memcpy(best, near, sizeof best);
        }
    }
    if (!inside) {
        memcpy(x, best, sizeof best);
    }
}

static void project(TactContactCone cone, const TactContact *contact, Real radius, Real x[2])
{
    if (cone == TACT_CONE_BOX) {
        for (int i = 0; i < 2; i++) {
            x[i] = x[i] > radius ? radius : x[i] < -radius ? -radius : x[i];
        }
    } else if (cone == TACT_CONE_CIRCLE) {
        Real length = hypotl(x[0], x[1]);
        for (int i = 0; i < 2 && length > radius; i++) {
            x[i] *= radius / length;
        }
    } else if (radius > 0) {
        project_polygon(contact, radius, x);
    } else {
        x[0] = x[1] = 0;
    }
}

// ---------------------------------------------------------------------------------------------
// Check

/// v and the size of what adds up to it.
static void move(TactOracleContact *oracle, const double *impulse, const double *row_impulse)
{
    size_t nv = (size_t)oracle->nv;
    int    contacts = 3 * oracle->problem->contact_count;
    for (size_t k = 0; k < nv; k++) {
        oracle->v[k] = oracle->v_free[k];
        oracle->size[k] = fabsl(oracle->v_free[k]);
    }
    for (int r = 0; r < oracle->rows && nv > 0; r++) {
        Real        p = (Real)(r < contacts ? impulse[r] : row_impulse[r - contacts]);
        const Real *Y = oracle->Y + (size_t)r * nv, *S = oracle->S + (size_t)r * nv;
        for (size_t k = 0; k < nv && p != 0; k++) {
            oracle->v[k] += Y[k] * p;
            oracle->size[k] += S[k] * fabsl(p);
        }
    }
}

/// A direction in which nothing happens is as large as the others: sizes of the three components of
/// a body's half do not depend on the axes. Nor is a body at rest without size while others move:
/// what rounding leaves it is measured by REST of the fastest one's speed.
static void even_out(const TactOracleContact *oracle)
{
    const TactContactBody *bodies = oracle->problem->bodies;
    Real                   fastest = 0;
    for (int first = 0; first < oracle->nv && bodies; first += 6) {
        fastest = most(fastest, sqrtl(dot(oracle->v_free + first, oracle->v_free + first, 3)));
    }
    for (int first = 0; first < oracle->nv && bodies; first += 3) {
        const TactContactBody *body = &bodies[first / 6];
        const double          *I = body->inertia;
        Real                  *size = oracle->size + first;
        Real                   turning = sqrtl((Real)body->mass / (Real)(I[0] + I[1] + I[2]));
        Real                   all = sqrtl(dot(size, size, 3));
        all += REST * fastest * (first % 6 == 3 ? turning : 1);
        size[0] = size[1] = size[2] = all;
    }
}

/// A row of u, its size, and its entry of the diagonal of J M^-1 J'.
typedef struct Row {
    Real u, size, w;
} Row;

static Row row_of(const TactOracleContact *oracle, const double *impulse, int r)
{
    Row    row = {0, 0, 0};
    size_t nv = (size_t)oracle->nv;
    if (oracle->problem->W) {
        int           n = 3 * oracle->problem->contact_count;
        const double *W = oracle->problem->W + (size_t)r * (size_t)n;
        row = (Row){(Real)oracle->problem->u_free[r], fabsl((Real)oracle->problem->u_free[r]),
                    (Real)W[r]};
        for (int j = 0; j < n; j++) {
            row.u += (Real)W[j] * (Real)impulse[j];
            row.size += fabsl((Real)W[j] * (Real)impulse[j]);
        }
        return row;
    }
    const Real *J = oracle->J + (size_t)r * nv;
    for (size_t k = 0; k < nv; k++) {
        row.u += J[k] * oracle->v[k];
        row.size += oracle->B[(size_t)r * nv + k] * oracle->size[k];
        row.w += J[k] * oracle->Y[(size_t)r * nv + k];
    }
    return row;
}

static void raise_to(TactOracleVerdict *verdict, int index, Real residual, Real own, Real size)
{
    if (residual == 0) {
        return;
    }
    double error = (double)(residual / size);
    double strict = (double)(residual / (own + size / 100));
    if (!(error <= verdict->law)) {
        verdict->law = error == error ? error : HUGE_VAL;
        verdict->worst = index;
    }
    if (!(strict <= verdict->strict)) {
        verdict->strict = strict == strict ? strict : HUGE_VAL;
    }
}

static void check_contact(const TactOracleContact *oracle, TactContactCone cone,
                          const double *impulse, int i, TactOracleVerdict *verdict)
{
    const TactContact *contact = &oracle->problem->contacts[i];
    Real               u[3], p[3], w = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        Row row = row_of(oracle, impulse, 3 * i + k);
        u[k] = row.u;
        p[k] = (Real)impulse[3 * i + k];
        w += row.w / 3;
        size = most(size, row.size);
    }
    Real give = (Real)contact->compliance;
    u[0] += oracle->added[i] + give * p[0];
    size += fabsl(oracle->added[i]) + give * fabsl(p[0]);
    w += give / 3;
    w = w > 0 ? w : 1;
    size += w * hypotl(p[0], hypotl(p[1], p[2])); // carried, though nothing moves it
    Real radius = p[0] > 0 ? (Real)contact->mu * p[0] : 0;
    Real x[2] = {p[1] - u[1] / w, p[2] - u[2] / w};
    project(cone, contact, radius, x);
    Real residual = most(most(-u[0], -w * p[0]), fminl(fabsl(u[0]), w * fabsl(p[0])));
    residual = most(residual, w * hypotl(p[1] - x[0], p[2] - x[1]));
    raise_to(verdict, i, residual, w * hypotl(p[0], hypotl(p[1], p[2])), size);
}

static void check_row(const TactOracleContact *oracle, double impulse, int i,
                      TactOracleVerdict *verdict)
{
    const TactContactProblem *problem = oracle->problem;
    const TactContactRow     *joint = &problem->rows[i];
    Row                       row = row_of(oracle, NULL, 3 * problem->contact_count + i);
    Real                      target =
        (Real)joint->target - (Real)joint->zeta * (Real)joint->error / (Real)problem->step;
    Real w = row.w > 0 ? row.w : 1, p = w * (Real)impulse, u = row.u - target;
    Real residual = fabsl(u);
    if (joint->kind == TACT_ROW_UNILATERAL) {
        residual = most(most(-u, -p), fminl(fabsl(u), fabsl(p)));
    } else if (joint->kind == TACT_ROW_MOTOR) {
        Real bound = w * (Real)problem->step * (Real)joint->force_max;
        Real wish = p - u;
        wish = wish > bound ? bound : wish < -bound ? -bound : wish;
        residual = fabsl(p - wish);
    }
    raise_to(verdict, problem->contact_count + i, residual, fabsl(p),
             row.size + fabsl(p) + fabsl(target));
}

static void check_motion(const TactOracleContact *oracle, const double *velocity,
                         TactOracleVerdict *verdict)
{
    // A mechanism has its own units in every degree of freedom, a body in every half.
    int part = oracle->problem->bodies ? 3 : 1;
    for (int first = 0; first < oracle->nv; first += part) {
        Real miss = 0, size = 0;
        for (int k = first; k < first + part; k++) {
            miss = hypotl(miss, oracle->v[k] - (Real)velocity[k]);
            size = most(size, oracle->size[k]);
        }
        double error = miss == 0 ? 0 : (double)(miss / size);
        if (!(error <= verdict->motion)) {
            verdict->motion = error == error ? error : HUGE_VAL;
        }
    }
}

TactOracleVerdict tact_oracle_contact_check(TactOracleContact *oracle, TactContactCone cone,
                                            const double *impulse, const double *row_impulse,
                                            const double *velocity)
{
    TactOracleVerdict verdict = {0, 0, 0, -1};
    move(oracle, impulse, row_impulse);
    even_out(oracle);
    for (int i = 0; i < oracle->problem->contact_count; i++) {
        check_contact(oracle, cone, impulse, i, &verdict);
    }
    for (int i = 0; i < oracle->problem->row_count; i++) {
        check_row(oracle, row_impulse[i], i, &verdict);
    }
    check_motion(oracle, velocity, &verdict);
    return verdict;
}

double tact_oracle_contact_distance(const TactOracleContact *oracle, const double *a,
                                    const double *b)
{
    size_t nv = (size_t)oracle->nv;
    Real   apart = 0, whole = 0;
    for (size_t i = 0; i < nv; i++) {
        for (size_t j = 0; j < nv; j++) {
            Real m = oracle->M[i * nv + j];
            apart += m * ((Real)a[i] - (Real)b[i]) * ((Real)a[j] - (Real)b[j]);
            whole += m * oracle->v_free[i] * oracle->v_free[j];
        }
    }
    return apart == 0 ? 0 : (double)sqrtl(apart / whole);
}
