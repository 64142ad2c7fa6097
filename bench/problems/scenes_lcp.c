// From bodies and contacts to M and q: N = G^-1 N~, D = G^-1 D~, with the mass matrix G G'
// diagonal here [Lloyd04, eq. 8].
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problems/scenes.h"

/// Rows n, t1, t2 of one contact on the two bodies it touches, divided by sqrt(mass).
typedef struct Rows {
    int    a, b;
    double row[3][12]; // linear and angular part of a, then of b
} Rows;

static double cross_part(const double *a, const double *b, int i)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    return a[j] * b[k] - a[k] * b[j];
}

static void body_part(const TactSceneBody *body, const double *point, const double *direction,
                      double sign, double *out)
{
    double arm[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = point[i] - body->position[i];
    }
    for (int i = 0; i < 3; i++) {
        out[i] = sign * direction[i] / sqrt(body->mass);
        out[3 + i] = sign * cross_part(arm, direction, i) / sqrt(body->inertia[i]);
    }
}

/// t1: z made perpendicular to the normal, or x where the normal is nearly vertical; t2 = n x t1.
static void tangents(const double *normal, double *t1, double *t2)
{
    int    axis = fabs(normal[2]) < 0.9 ? 2 : 0;
    double length = 0;
    for (int i = 0; i < 3; i++) {
        t1[i] = (i == axis ? 1 : 0) - normal[axis] * normal[i];
        length += t1[i] * t1[i];
    }
    for (int i = 0; i < 3; i++) {
        t1[i] /= sqrt(length);
    }
    for (int i = 0; i < 3; i++) {
        t2[i] = cross_part(normal, t1, i);
    }
}

static void contact_rows(const TactScene *scene, const TactSceneContact *contact, Rows *rows)
{
    double direction[3][3];
    memcpy(direction[0], contact->normal, sizeof direction[0]);
    tangents(contact->normal, direction[1], direction[2]);
    memset(rows, 0, sizeof *rows);
    rows->a = contact->a;
    rows->b = contact->b;
    for (int i = 0; i < 3; i++) {
        if (contact->a >= 0) {
            body_part(&scene->body[contact->a], contact->point, direction[i], -1, rows->row[i]);
        }
        if (contact->b >= 0) {
            body_part(&scene->body[contact->b], contact->point, direction[i], 1, rows->row[i] + 6);
        }
    }
}

static double dot6(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// Row x of one contact times row y of another.
static double product(const Rows *r, const double *x, const Rows *s, const double *y)
{
    double sum = 0;
    sum += r->a >= 0 && r->a == s->a ? dot6(x, y) : 0;
    sum += r->a >= 0 && r->a == s->b ? dot6(x, y + 6) : 0;
    sum += r->b >= 0 && r->b == s->a ? dot6(x + 6, y) : 0;
    sum += r->b >= 0 && r->b == s->b ? dot6(x + 6, y + 6) : 0;
    return sum;
}

/// x'k with k = G^-1 (M v + h f)
static double load(const TactScene *scene, const Rows *rows, const double *x)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        int index = side == 0 ? rows->a : rows->b;
        if (index < 0) {
            continue;
        }
        const TactSceneBody *body = &scene->body[index];
        for (int i = 0; i < 3; i++) {
            sum += x[6 * side + i] * body->momentum[i] / sqrt(body->mass);
            sum += x[6 * side + 3 + i] * body->momentum[3 + i] / sqrt(body->inertia[i]);
        }
    }
    return sum;
}

static TactStatus all_rows(const TactScene *scene, Rows **rows)
{
    *rows = calloc((size_t)scene->contacts, sizeof **rows);
    if (!*rows) {
        return TACT_NO_MEMORY;
    }
    for (int k = 0; k < scene->contacts; k++) {
        contact_rows(scene, &scene->contact[k], &(*rows)[k]);
    }
    return TACT_OK;
}

static double *entry(TactFamilyProblem *out, int i, int j)
{
    return &out->M[(size_t)i * (size_t)out->problem.n + (size_t)j];
}

// ---------------------------------------------------------------------------------------------

TactStatus tact_scene_frictionless(const TactScene *scene, double diagonal, TactFamilyProblem *out)
{
    Rows *rows = NULL;
    if (tact_family_problem_create(scene->contacts, false, out) != TACT_OK ||
        all_rows(scene, &rows) != TACT_OK) {
        return TACT_NO_MEMORY;
    }
    for (int i = 0; i < scene->contacts; i++) {
        for (int j = 0; j < scene->contacts; j++) {
            *entry(out, i, j) = product(&rows[i], rows[i].row[0], &rows[j], rows[j].row[0]);
        }
        *entry(out, i, i) += diagonal;
        out->q[i] = load(scene, &rows[i], rows[i].row[0]);
    }
    free(rows);
    out->contacts = scene->contacts;
    out->bodies = scene->bodies;
    return TACT_OK;
}

/// Direction j of a contact, cos a_j t1 + sin a_j t2 with a_j = 2 pi j / 8; opposite ones are
/// opposite to the last bit.
static void pyramid_row(const Rows *rows, int j, double *out)
{
    const double s = 0.70710678118654752440;
    const double x[TACT_SCENE_DIRECTIONS] = {1, s, 0, -s, -1, -s, 0, s};
    const double y[TACT_SCENE_DIRECTIONS] = {0, s, 1, s, 0, -s, -1, -s};
    for (int i = 0; i < 12; i++) {
        out[i] = x[j] * rows->row[1][i] + y[j] * rows->row[2][i];
    }
}

TactStatus tact_scene_friction(const TactScene *scene, TactFamilyProblem *out)
{
    enum { D = TACT_SCENE_DIRECTIONS };
    int   m = scene->contacts;
    Rows *rows = NULL;
    if (tact_family_problem_create((D + 2) * m, false, out) != TACT_OK ||
        all_rows(scene, &rows) != TACT_OK) {
        return TACT_NO_MEMORY;
    }
    int phi = m, lambda = (D + 1) * m;
    for (int i = 0; i < m; i++) {
        double own[1 + D][12];
        memcpy(own[0], rows[i].row[0], sizeof own[0]);
        out->q[i] = load(scene, &rows[i], own[0]);
        for (int a = 0; a < D; a++) {
            pyramid_row(&rows[i], a, own[1 + a]);
            out->q[phi + D * i + a] = load(scene, &rows[i], own[1 + a]);
            *entry(out, phi + D * i + a, lambda + i) = 1;
            *entry(out, lambda + i, phi + D * i + a) = -1;
        }
        *entry(out, lambda + i, i) = scene->contact[i].mu;
        for (int j = 0; j < m; j++) {
            for (int b = 0; b <= D; b++) {
                double other[12];
                if (b == 0) {
                    memcpy(other, rows[j].row[0], sizeof other);
                } else {
                    pyramid_row(&rows[j], b - 1, other);
                }
                int column = b == 0 ? j : phi + D * j + b - 1;
                for (int a = 0; a <= D; a++) {
                    int row = a == 0 ? i : phi + D * i + a - 1;
                    *entry(out, row, column) = product(&rows[i], own[a], &rows[j], other);
                }
            }
        }
    }
    free(rows);
    out->contacts = m;
    out->bodies = scene->bodies;
    return TACT_OK;
}

TactStatus tact_scene_box(const TactScene *scene, double diagonal, bool friction_index,
                          TactFamilyProblem *out)
{
    int   m = scene->contacts;
    Rows *rows = NULL;
    if (tact_family_problem_create(3 * m, true, out) != TACT_OK ||
        all_rows(scene, &rows) != TACT_OK) {
        return TACT_NO_MEMORY;
    }
    if (friction_index) {
        out->problem.f_index = out->f_index = calloc(3 * (size_t)m, sizeof(int));
        if (!out->f_index) {
            free(rows);
            return TACT_NO_MEMORY;
        }
    }
    double weight = 0;
    for (int k = 0; k < scene->bodies; k++) {
        weight += fabs(scene->body[k].momentum[2]);
    }
    for (int i = 0; i < 3 * m; i++) {
        const Rows  *own = &rows[i / 3];
        const double mu = scene->contact[i / 3].mu;
        for (int j = 0; j < 3 * m; j++) {
            const Rows *other = &rows[j / 3];
            *entry(out, i, j) = product(own, own->row[i % 3], other, other->row[j % 3]);
        }
        *entry(out, i, i) += diagonal;
        out->q[i] = load(scene, own, own->row[i % 3]);
        bool   normal = i % 3 == 0;
        double bound = friction_index ? mu : mu * weight / (double)m;
        out->lo[i] = normal ? 0 : -bound;
        out->hi[i] = normal ? HUGE_VAL : bound;
        if (friction_index) {
            out->f_index[i] = normal ? -1 : i - i % 3;
        }
    }
    free(rows);
    out->contacts = m;
    out->bodies = scene->bodies;
    return TACT_OK;
}
