#include "patch_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double Real;

static void cross(const Real a[3], const Real b[3], Real out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void patch_row(const TactContactProblem *problem, int contact, int r, Real *row)
{
    const TactContact *c = &problem->contacts[contact];
    double             frame[3][3];
    tact_contact_compute_frame(c, frame);
    for (int j = 0; j < 6 * problem->body_count; j++) {
        row[j] = 0;
    }
    for (int side = 0; side < 2; side++) {
        int body = side ? c->b : c->a;
        if (body < 0) {
            continue;
        }
        Real sign = side ? 1 : -1, axis[3], arm[3], turn[3];
        for (int k = 0; k < 3; k++) {
            axis[k] = sign * frame[r % 3][k];
            arm[k] = (Real)c->point[k] - problem->bodies[body].position[k];
        }
        cross(arm, axis, turn);
        for (int k = 0; k < 3; k++) {
            row[6 * body + k] = r < 3 ? axis[k] : 0;
            row[6 * body + 3 + k] = r < 3 ? turn[k] : axis[k];
        }
    }
}

/// x = I^-1 b by Cramer's rule.
static void solve3(const double I[6], Real b[3])
{
    Real rows[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    Real c[3][3], x[3];
    for (int k = 0; k < 3; k++) {
        cross(rows[(k + 1) % 3], rows[(k + 2) % 3], c[k]);
    }
    Real determinant = 0;
    for (int k = 0; k < 3; k++) {
        determinant += rows[0][k] * c[0][k];
    }
    for (int k = 0; k < 3; k++) {
        x[k] = (c[0][k] * b[0] + c[1][k] * b[1] + c[2][k] * b[2]) / determinant;
    }
    memcpy(b, x, sizeof x);
}

void patch_inverse(const TactContactProblem *problem, Real *f)
{
    for (int b = 0; b < problem->body_count; b++) {
        for (int k = 0; k < 3; k++) {
            f[6 * b + k] /= problem->bodies[b].mass;
        }
        solve3(problem->bodies[b].inertia, f + 6 * b + 3);
    }
}

/// v, and h M^-1 f with the gyroscopic term.
static void free_motion(const TactContactProblem *problem, Real *v, Real *gain)
{
    for (int b = 0; b < problem->body_count; b++) {
        const TactContactBody *body = &problem->bodies[b];
        const double          *I = body->inertia;
        Real                   w[3] = {body->omega[0], body->omega[1], body->omega[2]}, gyro[3];
        Real                   L[3] = {I[0] * w[0] + I[3] * w[1] + I[4] * w[2],
                                       I[3] * w[0] + I[1] * w[1] + I[5] * w[2],
                                       I[4] * w[0] + I[5] * w[1] + I[2] * w[2]};
        cross(w, L, gyro);
        for (int k = 0; k < 3; k++) {
            v[6 * b + k] = body->velocity[k];
            v[6 * b + 3 + k] = w[k];
            gain[6 * b + k] = (Real)problem->step * body->force[k];
            gain[6 * b + 3 + k] = problem->step * (body->torque[k] - gyro[k]);
        }
    }
    patch_inverse(problem, gain);
}

void patch_motion(const TactContactProblem *problem, const double *impulse, const double *moment,
                  Real (*u)[6], Real (*size)[6])
{
    int   n = 6 * problem->body_count;
    Real *before = calloc(6 * (size_t)n + 1, sizeof *before), *gain = before + n;
    Real *row = gain + n, *load = row + n, *pushed = load + n, *one = pushed + n;
    free_motion(problem, before, gain);
    for (int i = 0; i < problem->contact_count; i++) {
        for (int r = 0; r < 6; r++) {
            Real p = r < 3 ? impulse[3 * i + r] : moment[3 * i + r - 3];
            patch_row(problem, i, r, row);
            for (int j = 0; j < n; j++) {
                one[j] = row[j] * p;
            }
            patch_inverse(problem, one);
            for (int j = 0; j < n; j++) {
                pushed[j] += one[j];
                load[j] += fabsl(one[j]);
            }
        }
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        for (int r = 0; r < 6; r++) {
            Real surface = r == 1 || r == 2 ? contact->surface[r - 1] : 0, start = 0;
            patch_row(problem, i, r, row);
            u[i][r] = surface;
            size[i][r] = fabsl(surface);
            for (int j = 0; j < n; j++) {
                u[i][r] += row[j] * (before[j] + gain[j] + pushed[j]);
                size[i][r] += fabsl(row[j]) * (fabsl(before[j]) + fabsl(gain[j]) + load[j]);
                start += row[j] * before[j];
            }
            if (r == 0) {
                Real added = contact->bias + (start < 0 ? contact->restitution * start : 0);
                u[i][r] += added + contact->compliance * (Real)impulse[3 * i];
                size[i][r] += fabsl(added) + contact->compliance * fabsl((Real)impulse[3 * i]);
            }
        }
    }
    free(before);
}

/// A part of friction: the components r_0 .. of a contact, with their coefficients.
typedef struct Part {
    int    dim, r[5];
    double mu[5];
    int    directions; // 0: round
    double turn;
} Part;

static void add(Part *part, int r, double mu)
{
    if (mu > 0) {
        part->r[part->dim] = r;
        part->mu[part->dim++] = mu;
    }
}

/// Parts of a contact; how many.
static int list_parts(const TactContact *c, TactContactCone cone, Part parts[3])
{
    double mu2 = c->mu2 > 0 ? c->mu2 : c->mu;
    int    polygon = cone == TACT_CONE_PYRAMID ? (c->directions ? c->directions : 8) : 0;
    bool   one = c->friction_law == TACT_FRICTION_LAW_ELLIPSOID;
    memset(parts, 0, 3 * sizeof *parts);
    add(&parts[0], 1, c->mu);
    add(&parts[0], 2, mu2);
    parts[0].turn = c->turn;
    add(&parts[one ? 0 : 1], 3, c->mu_spin);
    add(&parts[one ? 0 : 2], 4, c->mu_roll);
    add(&parts[one ? 0 : 2], 5, c->mu_roll);
    for (int k = 0; k < 3; k++) {
        parts[k].directions = parts[k].dim == 2 ? polygon : 0;
    }
    return one ? 1 : 3;
}

/// Largest d'x over the directions, or |x|.
static Real support(const Part *part, const Real *x)
{
    Real most = 0;
    if (part->directions == 0) {
        for (int k = 0; k < part->dim; k++) {
            most += x[k] * x[k];
        }
        return sqrtl(most);
    }
    for (int j = 0; j < part->directions; j++) {
        Real angle = part->turn + 2 * acosl(-1) * j / part->directions;
        most = fmaxl(most, cosl(angle) * x[0] + sinl(angle) * x[1]);
    }
    return most;
}

/// Size of the polygon on whose border x lies, or |x|.
static Real gauge(const Part *part, const Real *x)
{
    if (part->directions == 0) {
        return support(part, x);
    }
    Part dual = *part; // edges stand half-way between the directions, at cos of half of the angle
    Real half = acosl(-1) / part->directions;
    dual.turn += (double)half;
    return support(&dual, x) / cosl(half);
}

static void judge_part(const TactContact *contact, const Part *part, const double *impulse,
                       const double *moment, const Real *u, const Real *size, PatchMiss *miss,
                       const Real most[2])
{
    Real x[5], v[5], minus[5], work = 0, speed = 0;
    bool angular = part->dim > 0 && part->r[0] >= 3;
    (void)contact;
    for (int k = 0; k < part->dim; k++) {
        int r = part->r[k];
        x[k] = (r < 3 ? impulse[r] : moment[r - 3]) / (Real)part->mu[k];
        v[k] = part->mu[k] * u[r];
        minus[k] = -v[k];
        work += x[k] * v[k];
        for (int c = r / 3 * 3; c < r / 3 * 3 + 3; c++) { // a turn about one axis of the frame
            speed = fmaxl(speed, part->mu[k] * size[c]);  //   rounds as those about the others
        }
    }
    if (part->dim == 0 || most[0] == 0 || speed == 0) {
        return;
    }
    Real bound = impulse[0], off = work + bound * support(part, minus);
    miss->bound = fmax(miss->bound, (double)((gauge(part, x) - bound) / most[0]));
    double *to = angular ? &miss->angular : &miss->part;
    *to = fmax(*to, (double)(fabsl(off) / (most[0] * speed)));
}

PatchMiss patch_law(const TactContactProblem *problem, TactContactCone cone, const double *impulse,
                    const double *moment)
{
    Real(*u)[6] = calloc(2 * (size_t)problem->contact_count + 1, sizeof *u);
    Real(*size)[6] = u + problem->contact_count, most[2] = {0, 0};
    PatchMiss miss = {0};
    patch_motion(problem, impulse, moment, u, size);
    for (int i = 0; i < problem->contact_count; i++) {
        most[0] = fmaxl(most[0], fabsl((Real)impulse[3 * i]));
        most[1] = fmaxl(most[1], size[i][0]);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const double *p = impulse + 3 * i, *m = moment + 3 * i;
        Part          parts[3];
        int           count = list_parts(&problem->contacts[i], cone, parts);
        if (most[1] > 0) {
            miss.normal = fmax(miss.normal, (double)(-u[i][0] / most[1]));
        }
        if (most[0] > 0) {
            miss.normal = fmax(miss.normal, (double)(-p[0] / most[0]));
            miss.normal = fmax(miss.normal, (double)(p[0] * fabsl(u[i][0]) / most[0] / most[1]));
        }
        for (int k = 0; k < count; k++) {
            judge_part(&problem->contacts[i], &parts[k], p, m, u[i], size[i], &miss, most);
        }
        // What has no coefficient has no friction.
        const TactContact *c = &problem->contacts[i];
        double             mu2 = c->mu2 > 0 ? c->mu2 : c->mu;
        double             none = fmax(fmax(c->mu == 0 ? fabs(p[1]) : 0, mu2 == 0 ? fabs(p[2]) : 0),
                                       fmax(c->mu_spin == 0 ? fabs(m[0]) : 0,
                                c->mu_roll == 0 ? fmax(fabs(m[1]), fabs(m[2])) : 0));
        miss.bound = fmax(miss.bound, none);
    }
    free(u);
    return miss;
}
