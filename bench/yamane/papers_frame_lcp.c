// The LCP of a frame [Yamane, eq. 25], from the public interface alone.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/yamane/papers_tableau.h"

static const double PI = 3.14159265358979323846;

enum { DIRECTIONS = 8 }; // M in the paper

/// A = L L' by Cholesky, in the lower triangle of A.
static void factor(double *A, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= A[i * n + k] * A[j * n + k];
            }
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
    }
}

/// x <- L^-1 x
static void solve_lower(const double *L, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= L[i * n + k] * x[k];
        }
        x[i] /= L[i * n + i];
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Everything in coordinates in which the mass matrix is 1: x = L^-1 J', M = L L'.
typedef struct Frame {
    const TactContactProblem *problem;
    int                       nv, joints, rows; // rows: of contacts
    double                   *L;                // (nv x nv)
    double                   *Y;                // of joints, a row each              (joints x nv)
    double                   *C;                // of contacts                        (rows x nv)
    double                   *S;                // Y Y' = S S'                        (joints^2)
    double                   *c;                // C - C Y' (Y Y')^-1 Y               (rows x nv)
    double                   *v;                // velocity without contacts          (nv)
    double                   *t;                // (joints)
} Frame;

/// x - Y' (Y Y')^-1 (Y x - target): what joints on their motion leave of it.
static void project(const Frame *frame, const double *target, double *x)
{
    int joints = frame->joints, nv = frame->nv;
    for (int j = 0; j < joints; j++) {
        frame->t[j] = dot(frame->Y + j * nv, x, nv) - (target ? target[j] : 0);
    }
    solve_lower(frame->S, joints, frame->t);
    for (int j = joints - 1; j >= 0; j--) {
        for (int k = j + 1; k < joints; k++) {
            frame->t[j] -= frame->S[k * joints + j] * frame->t[k];
        }
        frame->t[j] /= frame->S[j * joints + j];
    }
    for (int j = 0; j < joints; j++) {
        for (int k = 0; k < nv; k++) {
            x[k] -= frame->t[j] * frame->Y[j * nv + k];
        }
    }
}

static bool frame_create(const TactContactProblem *problem, Frame *frame)
{
    size_t nv = (size_t)problem->nv, joints = (size_t)problem->row_count;
    size_t rows = 3 * (size_t)problem->contact_count;
    *frame = (Frame){.problem = problem,
                     .nv = problem->nv,
                     .joints = problem->row_count,
                     .rows = (int)rows,
                     .L = calloc(nv * nv, sizeof(double)),
                     .Y = calloc(joints * nv + 1, sizeof(double)),
                     .C = calloc(rows * nv + 1, sizeof(double)),
                     .S = calloc(joints * joints + 1, sizeof(double)),
                     .c = calloc(rows * nv + 1, sizeof(double)),
                     .v = calloc(nv, sizeof(double)),
                     .t = calloc(2 * joints + 1, sizeof(double))};
    return frame->L && frame->Y && frame->C && frame->S && frame->c && frame->v && frame->t;
}

static void frame_destroy(Frame *frame)
{
    free(frame->L);
    free(frame->Y);
    free(frame->C);
    free(frame->S);
    free(frame->c);
    free(frame->v);
    free(frame->t);
}

static void frame_fill(Frame *frame)
{
    const TactContactProblem *problem = frame->problem;
    int                       nv = frame->nv, joints = frame->joints;
    double                   *target = frame->t + joints;
    memcpy(frame->L, problem->M, (size_t)nv * (size_t)nv * sizeof(double));
    factor(frame->L, nv);
    for (int j = 0; j < joints; j++) {
        const TactContactRow *row = &problem->rows[j];
        target[j] = row->target - row->zeta * row->error / problem->step;
        memcpy(frame->Y + j * nv, row->J, (size_t)nv * sizeof(double));
        solve_lower(frame->L, nv, frame->Y + j * nv);
    }
    for (int i = 0; i < joints; i++) {
        for (int j = 0; j < joints; j++) {
            frame->S[i * joints + j] = dot(frame->Y + i * nv, frame->Y + j * nv, nv);
        }
    }
    factor(frame->S, joints);
    for (int i = 0; i < frame->rows; i++) {
        memcpy(frame->C + i * nv, problem->contacts[i / 3].J + (i % 3) * nv,
               (size_t)nv * sizeof(double));
        solve_lower(frame->L, nv, frame->C + i * nv);
        memcpy(frame->c + i * nv, frame->C + i * nv, (size_t)nv * sizeof(double));
        project(frame, NULL, frame->c + i * nv);
    }
    // L' v + h L^-1 tau, with the joints on their motion.
    memcpy(frame->v, problem->tau, (size_t)nv * sizeof(double));
    solve_lower(frame->L, nv, frame->v);
    for (int i = 0; i < nv; i++) {
        frame->v[i] *= problem->step;
        for (int k = i; k < nv; k++) {
            frame->v[i] += frame->L[k * nv + i] * problem->v[k];
        }
    }
    project(frame, target, frame->v);
}

/// Velocity without contact forces, of row i of n 1 2 of all contacts.
static double free_velocity(const Frame *frame, int i)
{
    const TactContact *contact = &frame->problem->contacts[i / 3];
    double             u = dot(frame->C + i * frame->nv, frame->v, frame->nv);
    if (i % 3 > 0) {
        return u + contact->surface[i % 3 - 1];
    }
    double before = dot(contact->J, frame->problem->v, frame->nv);
    return u + contact->bias + (before < 0 ? contact->restitution * before : 0);
}

/// Contact and direction (n 1 2) of an unknown; false: it is a lambda.
static bool unknown_of(const TactFrameLcp *lcp, int j, int *contact, double d[3])
{
    d[0] = d[1] = d[2] = 0;
    if (j < lcp->contacts) {
        *contact = j;
        d[0] = 1;
        return true;
    }
    int phi = j - lcp->contacts;
    if (phi >= lcp->contacts * DIRECTIONS) {
        *contact = phi - lcp->contacts * DIRECTIONS;
        return false;
    }
    double angle = 2 * PI * (phi % DIRECTIONS) / DIRECTIONS;
    *contact = phi / DIRECTIONS;
    d[1] = cos(angle);
    d[2] = sin(angle);
    return true;
}

static void fill_row(const Frame *frame, const TactFrameLcp *lcp, int i)
{
    int     n = lcp->n, at, other;
    double  d[3], e[3];
    double *row = lcp->M + (size_t)i * (size_t)n;
    bool    moves = unknown_of(lcp, i, &at, d);
    for (int j = 0; j < n; j++) {
        bool pushes = unknown_of(lcp, j, &other, e);
        if (!moves && pushes && at == other) { // mu a - E b
            row[j] = j < lcp->contacts ? frame->problem->contacts[at].mu : -1;
        } else if (moves && !pushes && at == other) { // E'
            row[j] = i < lcp->contacts ? 0 : 1;
        } else if (moves && pushes) {
            for (int r = 0; r < 9; r++) {
                row[j] += frame->problem->step * d[r / 3] * e[r % 3] *
                          dot(frame->c + (3 * at + r / 3) * frame->nv,
                              frame->c + (3 * other + r % 3) * frame->nv, frame->nv);
            }
        }
    }
    for (int r = 0; r < 3 && moves; r++) {
        lcp->q[i] += d[r] * free_velocity(frame, 3 * at + r);
    }
}

TactStatus tact_frame_lcp_create(const TactContactProblem *problem, TactFrameLcp *lcp)
{
    *lcp = (TactFrameLcp){.contacts = problem->contact_count, .directions = DIRECTIONS};
    bool takes = problem->M;
    for (int j = 0; j < problem->row_count; j++) {
        takes = takes && problem->rows[j].kind == TACT_ROW_BILATERAL;
    }
    if (!takes) {
        return TACT_UNSUPPORTED;
    }
    lcp->n = lcp->contacts * (DIRECTIONS + 2);
    lcp->M = calloc((size_t)lcp->n * (size_t)lcp->n, sizeof(double));
    lcp->q = calloc((size_t)lcp->n, sizeof(double));
    Frame      frame;
    TactStatus status =
        frame_create(problem, &frame) && lcp->M && lcp->q ? TACT_OK : TACT_NO_MEMORY;
    if (status == TACT_OK) {
        frame_fill(&frame);
        for (int i = 0; i < lcp->n; i++) {
            fill_row(&frame, lcp, i);
        }
    }
    frame_destroy(&frame);
    return status;
}

void tact_frame_lcp_destroy(TactFrameLcp *lcp)
{
    free(lcp->M);
    free(lcp->q);
}
