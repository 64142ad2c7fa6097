#include "bench/friction/friction_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problems/problems.h"

static double dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/// M = L L', L in place of the lower triangle. False: not positive definite.
static bool factor(double *M, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = M + i * n;
        for (size_t j = 0; j <= i; j++) {
            double rest = row[j] - dot(row, M + j * n, j);
            if (i == j && !(rest > 0)) {
                return false;
            }
            row[j] = i == j ? sqrt(rest) : rest / M[j * n + j];
        }
    }
    return true;
}

/// y = L^-1 x in place
static void solve_lower(const double *L, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (x[i] - dot(L + i * n, x, i)) / L[i * n + i];
    }
}

/// Row of J or W of a contact with moments, of a component of ours; -1: a contact without them has
/// none.
static int given_row(const TactContact *contact, int component)
{
    return component < 3                       ? component
           : tact_contact_has_moments(contact) ? component + 1 // beyond spinning
                                               : -1;
}

/// b = J (v + h M^-1 tau) = J v + h Y (L^-1 tau) and W = Y Y' with Y' = L^-1 J'.
static TactStatus form_mechanism(const TactContactProblem *problem, TactFrictionForm *form)
{
    size_t     size = (size_t)tact_friction_size(form);
    size_t     nv = (size_t)problem->nv, rows = size * (size_t)form->contacts;
    double    *L = malloc((nv * nv + 1) * sizeof *L);
    double    *Y = calloc(rows * nv + 1, sizeof *Y);
    double    *tau = malloc((nv + 1) * sizeof *tau);
    TactStatus status = L && Y && tau ? TACT_OK : TACT_NO_MEMORY;
    if (status == TACT_OK) {
        memcpy(L, problem->M, nv * nv * sizeof *L);
        memcpy(tau, problem->tau, nv * sizeof *tau);
        status = factor(L, nv) ? TACT_OK : TACT_BAD_INPUT;
    }
    if (status == TACT_OK) {
        solve_lower(L, nv, tau);
        for (size_t i = 0; i < rows; i++) {
            const TactContact *contact = &problem->contacts[i / size];
            int                row = given_row(contact, (int)(i % size));
            if (row >= 0) {
                const double *J = contact->J + (size_t)row * nv;
                memcpy(Y + i * nv, J, nv * sizeof *Y);
                solve_lower(L, nv, Y + i * nv);
                double before = dot(J, problem->v, nv);
                form->b[i] = before + problem->step * dot(Y + i * nv, tau, nv);
                form->b[i] += i % size == 0 && before < 0 ? contact->restitution * before : 0;
            }
            for (size_t j = 0; j <= i; j++) {
                form->W[i * rows + j] = form->W[j * rows + i] = dot(Y + i * nv, Y + j * nv, nv);
            }
        }
    }
    free(L);
    free(Y);
    free(tau);
    return status;
}

/// Rows of the given W: six of a contact with moments, else three. first: of contact i; returns
/// all.
static size_t count_given(const TactContactProblem *problem, int i)
{
    size_t rows = 0;
    for (int k = 0; k < i; k++) {
        rows += tact_contact_has_moments(&problem->contacts[k]) ? 6 : 3;
    }
    return rows;
}

static void form_given(const TactContactProblem *problem, TactFrictionForm *form)
{
    size_t size = (size_t)tact_friction_size(form), rows = size * (size_t)form->contacts;
    size_t given = count_given(problem, problem->contact_count), first = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *a = &problem->contacts[i];
        for (size_t c = 0; c < size; c++) {
            int    from = given_row(a, (int)c);
            size_t row = size * (size_t)i + c, second = 0;
            if (from < 0) {
                continue;
            }
            form->b[row] = problem->u_free[first + (size_t)from];
            for (int j = 0; j < problem->contact_count; j++) {
                const TactContact *b = &problem->contacts[j];
                for (size_t d = 0; d < size; d++) {
                    int to = given_row(b, (int)d);
                    form->W[row * rows + size * (size_t)j + d] =
                        to < 0 ? 0
                               : problem->W[(first + (size_t)from) * given + second + (size_t)to];
                }
                second += tact_contact_has_moments(b) ? 6 : 3;
            }
        }
        first += tact_contact_has_moments(a) ? 6 : 3;
    }
}

/// What contact i adds to W and b.
static void add_contact(const TactContact *contact, size_t i, TactFrictionForm *form)
{
    size_t size = (size_t)tact_friction_size(form), rows = size * (size_t)form->contacts;
    form->b[size * i] += contact->bias;
    form->b[size * i + 1] += contact->surface[0];
    form->b[size * i + 2] += contact->surface[1];
    if (form->W) {
        form->W[size * i * rows + size * i] += contact->compliance;
        return;
    }
    size_t k = form->start[i];
    while ((size_t)form->column[k] != i) {
        k++;
    }
    form->value[9 * k] += contact->compliance;
}

static bool allocate_blocks(TactFrictionForm *form, size_t blocks)
{
    form->start = calloc((size_t)form->contacts + 1, sizeof(size_t));
    form->column = calloc(blocks + 1, sizeof(int));
    form->value = calloc(9 * blocks + 1, sizeof(double));
    return form->start && form->column && form->value;
}

static bool has_block(const TactFrictionForm *form, size_t i, size_t j)
{
    size_t rows = 3 * (size_t)form->contacts;
    for (size_t e = 0; e < 9; e++) {
        if (form->W[(3 * i + e / 3) * rows + 3 * j + e % 3] != 0 ||
            form->W[(3 * j + e % 3) * rows + 3 * i + e / 3] != 0) {
            return true;
        }
    }
    return i == j;
}

/// A dense W by its blocks.
static bool find_blocks(TactFrictionForm *form)
{
    size_t count = (size_t)form->contacts, rows = 3 * count, blocks = 0;
    for (size_t k = 0; k < count * count; k++) {
        blocks += has_block(form, k / count, k % count);
    }
    if (!allocate_blocks(form, blocks)) {
        return false;
    }
    blocks = 0;
    for (size_t k = 0; k < count * count; k++) {
        size_t i = k / count, j = k % count;
        if (!has_block(form, i, j)) {
            continue;
        }
        form->column[blocks] = (int)j;
        for (size_t e = 0; e < 9; e++) {
            form->value[9 * blocks + e] = form->W[(3 * i + e / 3) * rows + 3 * j + e % 3];
        }
        form->start[i + 1] = ++blocks;
    }
    free(form->W);
    form->W = NULL;
    return true;
}

bool tact_friction_form_problem(const TactFrictionForm *form, const TactContact *contacts,
                                TactContact *own, TactContactBlocks *blocks,
                                TactContactProblem *problem)
{
    if (form->W) {
        return false;
    }
    for (int i = 0; i < form->contacts; i++) {
        own[i] = (TactContact){.a = -1,
                               .b = -1,
                               .mu = contacts[i].mu,
                               .directions = contacts[i].directions,
                               .turn = contacts[i].turn};
    }
    *blocks = (TactContactBlocks){form->start, form->column, form->value};
    *problem = (TactContactProblem){.step = 1,
                                    .u_free = form->b,
                                    .contact_count = form->contacts,
                                    .contacts = own,
                                    .blocks = blocks};
    return true;
}

/// W by the blocks of the problem.
static bool take_blocks(const TactContactProblem *problem, TactFrictionForm *form)
{
    size_t count = (size_t)form->contacts, rows = 3 * count;
    size_t blocks = problem->blocks->start[count];
    if (!allocate_blocks(form, blocks)) {
        return false;
    }
    memcpy(form->start, problem->blocks->start, (count + 1) * sizeof(size_t));
    memcpy(form->column, problem->blocks->column, blocks * sizeof(int));
    memcpy(form->value, problem->blocks->value, 9 * blocks * sizeof(double));
    memcpy(form->b, problem->u_free, rows * sizeof(double));
    return true;
}

/// Can others take its friction? *rolls: it resists rolling.
static bool is_known(const TactContact *contact, bool *rolls)
{
    *rolls = *rolls || contact->mu_roll > 0;
    return contact->mu_spin == 0 && (contact->mu2 == 0 || contact->mu2 == contact->mu) &&
           !(tact_contact_has_moments(contact) &&
             contact->friction_law == TACT_FRICTION_LAW_ELLIPSOID);
}

static bool allocate(TactFrictionForm *form, bool rolls, bool dense)
{
    size_t count = (size_t)form->contacts, size = rolls ? 5 : 3;
    form->W = dense ? calloc(size * size * count * count + 1, sizeof(double)) : NULL;
    form->b = calloc(size * count + 1, sizeof(double));
    form->mu = calloc(count + 1, sizeof(double));
    form->mu_roll = rolls ? calloc(count + 1, sizeof(double)) : NULL;
    return (form->W || !dense) && form->b && form->mu && (form->mu_roll || !rolls);
}

TactStatus tact_friction_form_create(const TactContactProblem *problem, TactFrictionForm *form)
{
    size_t count = (size_t)problem->contact_count;
    bool   known = true, rolls = false;
    for (size_t i = 0; i < count; i++) {
        known = is_known(&problem->contacts[i], &rolls) && known;
    }
    *form = (TactFrictionForm){.contacts = problem->contact_count};
    bool sparse = problem->blocks && problem->contact_count >= TACT_FRICTION_FEW;
    if (!allocate(form, rolls, !sparse) || (sparse && !take_blocks(problem, form))) {
        return TACT_NO_MEMORY;
    }
    if (problem->row_count > 0 || problem->level != TACT_LEVEL_VELOCITY || !known ||
        (rolls && problem->bodies)) {
        return TACT_UNSUPPORTED;
    }
    TactStatus status = TACT_OK;
    if (problem->W && !sparse) {
        form_given(problem, form);
    } else if (problem->M) {
        status = form_mechanism(problem, form);
    } else if (problem->bodies) {
        status = tact_case_delassus(problem, form->W, form->b);
    }
    for (size_t i = 0; i < count; i++) {
        form->mu[i] = problem->contacts[i].mu;
        if (rolls) {
            form->mu_roll[i] = problem->contacts[i].mu_roll;
        }
        if (!problem->bodies) {
            add_contact(&problem->contacts[i], i, form);
        }
    }
    if (status == TACT_OK && !rolls && form->W && form->contacts >= TACT_FRICTION_FEW) {
        status = find_blocks(form) ? TACT_OK : TACT_NO_MEMORY;
    }
    return status;
}

void tact_friction_form_destroy(TactFrictionForm *form)
{
    free(form->W);
    free(form->start);
    free(form->column);
    free(form->value);
    free(form->b);
    free(form->mu);
    free(form->mu_roll);
}

// ---------------------------------------------------------------------------------------------
// The natural map

/// The load s of the nearest point of the cone |x_t| <= mu s, |x_r| <= mu_roll s: of the active
/// bounds, (s - x_n) + sum mu (mu s - |x|) = 0.
static double nearest_load(double normal, const double mu[2], const double length[2])
{
    double best = fmax(normal, 0), least = HUGE_VAL;
    for (int set = 0; set < 4; set++) {
        double over = normal, under = 1, s, sum;
        for (int k = 0; k < 2; k++) {
            over += set >> k & 1 ? mu[k] * length[k] : 0;
            under += set >> k & 1 ? mu[k] * mu[k] : 0;
        }
        s = fmax(over / under, 0);
        sum = (s - normal) * (s - normal);
        for (int k = 0; k < 2; k++) {
            double off = fmax(length[k] - mu[k] * s, 0);
            sum += off * off;
        }
        best = sum < least ? s : best;
        least = fmin(sum, least);
    }
    return best;
}

/// The nearest point of the cone, in place.                                    x: (5)
static void project(double mu, double mu_roll, double *x)
{
    double mus[2] = {mu, mu_roll}, length[2] = {hypot(x[1], x[2]), hypot(x[3], x[4])};
    double load = nearest_load(x[0], mus, length);
    x[0] = load;
    for (int k = 0; k < 2; k++) {
        double shrink = length[k] > mus[k] * load ? mus[k] * load / length[k] : 1;
        x[1 + 2 * k] *= shrink;
        x[2 + 2 * k] *= shrink;
    }
}

/// u = W p + b of a contact.                                                   u: (5)
static void velocity_of(const TactFrictionForm *form, size_t contact, const double *p, double *u)
{
    size_t size = (size_t)tact_friction_size(form), rows = size * (size_t)form->contacts;
    for (size_t k = 0; k < size; k++) {
        size_t row = size * contact + k;
        u[k] = form->b[row] + (form->W ? dot(form->W + row * rows, p, rows) : 0);
        for (size_t b = form->W ? 1 : form->start[contact];
             b < (form->W ? 1 : form->start[contact + 1]); b++) {
            u[k] += dot(form->value + 9 * b + 3 * k, p + 3 * (size_t)form->column[b], 3);
        }
    }
}

double tact_friction_residual(const TactFrictionForm *form, const double *p)
{
    size_t size = (size_t)tact_friction_size(form), rows = size * (size_t)form->contacts;
    double sum = 0, scale = sqrt(dot(form->b, form->b, rows));
    for (size_t i = 0; i < rows; i += size) {
        double u[5] = {0}, x[5] = {0}, mu = form->mu[i / size];
        double mu_roll = form->mu_roll ? form->mu_roll[i / size] : 0;
        velocity_of(form, i / size, p, u);
        u[0] += mu * hypot(u[1], u[2]) + mu_roll * hypot(u[3], u[4]);
        for (size_t k = 0; k < size; k++) {
            x[k] = p[i + k] - u[k];
        }
        project(mu, mu_roll, x);
        for (size_t k = 0; k < size; k++) {
            sum += (p[i + k] - x[k]) * (p[i + k] - x[k]);
        }
    }
    double residual = sqrt(sum) / (scale > 0 ? scale : 1);
    return isnan(residual) ? HUGE_VAL : residual;
}
