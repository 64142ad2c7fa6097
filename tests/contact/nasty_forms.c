// The same problem as bodies, as a mechanism of their 6 coordinates each, or by its Delassus
// matrix.
#include <math.h>
#include <string.h>

#include "nasty.h"

typedef long double Wide;

static void fill_jacobian(Nasty *nasty)
{
    int nv = 6 * nasty->problem.body_count;
    for (int i = 0; i < nasty->problem.contact_count; i++) {
        const TactContact *contact = &nasty->contacts[i];
        double             frame[3][3];
        tact_contact_compute_frame(contact, frame);
        for (int c = 0; c < 3; c++) {
            double *J = nasty->J + (size_t)(3 * i + c) * (size_t)nv;
            for (int side = 0; side < 2; side++) {
                int    body = side ? contact->b : contact->a;
                double sign = side ? 1 : -1;
                for (int k = 0; k < 3 && body >= 0; k++) {
                    int           m = (k + 1) % 3, n = (k + 2) % 3;
                    const double *x = nasty->bodies[body].position;
                    Wide r_m = (Wide)contact->point[m] - x[m], r_n = (Wide)contact->point[n] - x[n];
                    J[6 * body + k] = sign * frame[c][k];
                    J[6 * body + 3 + k] = (double)(sign * (r_m * frame[c][n] - r_n * frame[c][m]));
                }
            }
        }
    }
    for (int i = 0; i < nasty->problem.row_count; i++) {
        const TactContactRow *row = &nasty->rows[i];
        double               *J = nasty->J_rows + (size_t)i * (size_t)nv;
        for (int k = 0; k < 6; k++) {
            if (row->a >= 0) {
                J[6 * row->a + k] = row->J_a[k];
            }
            if (row->b >= 0) {
                J[6 * row->b + k] = row->J_b[k];
            }
        }
    }
}

static void fill_mass(Nasty *nasty)
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    int              nv = 6 * nasty->problem.body_count;
    for (int b = 0; b < nasty->problem.body_count; b++) {
        const TactContactBody *body = &nasty->bodies[b];
        Wide                   spin[3];
        for (int i = 0; i < 3; i++) {
            int row = 6 * b + i;
            nasty->M[row * nv + row] = body->mass;
            nasty->v[row] = body->velocity[i];
            nasty->v[row + 3] = body->omega[i];
            nasty->tau[row] = body->force[i];
            spin[i] = 0;
            for (int j = 0; j < 3; j++) {
                nasty->M[(row + 3) * nv + 6 * b + 3 + j] = body->inertia[at[i][j]];
                spin[i] += (Wide)body->inertia[at[i][j]] * body->omega[j];
            }
        }
        for (int i = 0; i < 3; i++) {
            int  m = (i + 1) % 3, n = (i + 2) % 3;
            Wide turning = (Wide)body->omega[m] * spin[n] - (Wide)body->omega[n] * spin[m];
            nasty->tau[6 * b + 3 + i] = (double)(body->torque[i] - turning);
        }
    }
}

/// x <- M^-1 x in place, by elimination of each body's blocks.
static void solve_mass(const Nasty *nasty, Wide *x)
{
    int nv = 6 * nasty->problem.body_count;
    for (int b = 0; b < nasty->problem.body_count; b++) {
        Wide A[3][3], *y = x + 6 * b + 3;
        for (int i = 0; i < 3; i++) {
            x[6 * b + i] /= nasty->bodies[b].mass;
            for (int j = 0; j < 3; j++) {
                A[i][j] = nasty->M[(6 * b + 3 + i) * nv + 6 * b + 3 + j];
            }
        }
        for (int k = 0; k < 3; k++) {
            for (int i = k + 1; i < 3; i++) {
                Wide factor = A[i][k] / A[k][k];
                for (int j = k; j < 3; j++) {
                    A[i][j] -= factor * A[k][j];
                }
                y[i] -= factor * y[k];
            }
        }
        for (int k = 2; k >= 0; k--) {
            for (int j = k + 1; j < 3; j++) {
                y[k] -= A[k][j] * y[j];
            }
            y[k] /= A[k][k];
        }
    }
}

static void fill_delassus(Nasty *nasty)
{
    int n = 3 * nasty->problem.contact_count, nv = 6 * nasty->problem.body_count;
    for (int j = 0; j <= n; j++) {
        Wide y[NASTY_DOF];
        for (int k = 0; k < nv; k++) {
            y[k] = j < n ? nasty->J[j * nv + k] : nasty->problem.step * (Wide)nasty->tau[k];
        }
        solve_mass(nasty, y);
        for (int i = 0; i < n; i++) {
            Wide sum = 0;
            for (int k = 0; k < nv; k++) {
                sum += nasty->J[i * nv + k] * (j < n ? y[k] : y[k] + nasty->v[k]);
            }
            if (j < n) {
                nasty->W[i * n + j] = (double)sum;
            } else {
                nasty->u_free[i] = (double)sum;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            nasty->W[i * n + j] = nasty->W[j * n + i];
        }
    }
}

/// What motors may do to every degree of freedom, added up by size: given as forces are.
static void add_motors(const Nasty *nasty, Wide *free)
{
    int nv = 6 * nasty->problem.body_count;
    for (int i = 0; i < nasty->problem.row_count; i++) {
        Wide y[NASTY_DOF];
        for (int k = 0; k < nv; k++) {
            y[k] = nasty->problem.step * (Wide)nasty->rows[i].force_max * nasty->J_rows[i * nv + k];
        }
        solve_mass(nasty, y);
        for (int k = 0; k < nv && nasty->rows[i].kind == TACT_ROW_MOTOR; k++) {
            free[k] = fabs((double)free[k]) + fabs((double)y[k]);
        }
    }
}

/// The fastest that a contact or row moves without impulses, but those of motors, before or after
/// the step.
double nasty_fastest(Nasty *nasty)
{
    int    n = 3 * nasty->problem.contact_count, nv = 6 * nasty->problem.body_count;
    Wide   free[NASTY_DOF];
    double fastest = 0;
    fill_jacobian(nasty);
    fill_mass(nasty);
    for (int k = 0; k < nv; k++) {
        free[k] = nasty->problem.step * (Wide)nasty->tau[k];
    }
    solve_mass(nasty, free);
    add_motors(nasty, free);
    for (int i = 0; i < n + nasty->problem.row_count; i++) {
        const double *J = i < n ? nasty->J + (size_t)i * (size_t)nv
                                : nasty->J_rows + (size_t)(i - n) * (size_t)nv;
        double        sum = 0;
        for (int k = 0; k < nv; k++) {
            sum += fabs(J[k]) * (2 * fabs(nasty->v[k]) + fabs((double)free[k]));
        }
        fastest = fmax(fastest, sum);
    }
    return fastest;
}

void nasty_set_form(Nasty *nasty, NastyForm form)
{
    TactContactProblem *problem = &nasty->problem;
    int                 bodies = problem->body_count, nv = 6 * bodies;
    nasty->form = form;
    problem->contacts = nasty->contacts;
    problem->rows = nasty->rows;
    problem->bodies = nasty->bodies;
    if (form == NASTY_BY_BODIES) {
        return;
    }
    fill_jacobian(nasty);
    fill_mass(nasty);
    problem->bodies = NULL;
    if (form == NASTY_BY_W) {
        fill_delassus(nasty);
        problem->W = nasty->W;
        problem->u_free = nasty->u_free;
    } else {
        problem->nv = nv;
        problem->M = nasty->M;
        problem->v = nasty->v;
        problem->tau = nasty->tau;
    }
    for (int i = 0; i < problem->contact_count && form == NASTY_BY_M; i++) {
        nasty->contacts[i].J = nasty->J + (size_t)(3 * i) * (size_t)nv;
    }
    for (int i = 0; i < problem->row_count; i++) {
        nasty->rows[i].J = nasty->J_rows + (size_t)i * (size_t)nv;
    }
    problem->body_count = 0;
}
