#include "bench/gpu/mechanism_mix.h"

#include <stdbool.h>
#include <string.h>

#include "bench/gpu/draw.h"

enum { MAX_DOF = 54, MAX_LINKS = 49, MAX_CONTACTS = 16 };

static const double GRAVITY = 9.81;

const char *tact_mechanism_mix_name(TactMechanismKind kind)
{
    static const char *const names[] = {"two cubes", "biped", "four legs", "hands and feet"};
    return kind >= 0 && kind < TACT_MECHANISM_KINDS ? names[kind] : NULL;
}

int tact_mechanism_mix_dof(TactMechanismKind kind)
{
    static const int dof[] = {12, 27, 30, 54};
    return kind >= 0 && kind < TACT_MECHANISM_KINDS ? dof[kind] : 0;
}

// ---------------------------------------------------------------------------------------------
// A tree of links

/// A link and its joint: a hinge, or six degrees of freedom of a free body.
typedef struct Link {
    int    parent; // -1: free
    int    dof;    // its first
    double origin[3], axis[3], centre[3];
    double mass, inertia[3]; // along world axes
} Link;

typedef struct Tree {
    int  links, dof;
    Link link[MAX_LINKS];
} Tree;

/// A point of a contact: link b against link a or the ground.
typedef struct Point {
    int    a, b; // a -1: the ground
    double point[3];
} Point;

static int add_free(TactDraw *draw, Tree *tree, const double centre[3], double mass, double size)
{
    Link *link = &tree->link[tree->links];
    *link = (Link){.parent = -1, .dof = tree->dof, .mass = mass};
    for (int k = 0; k < 3; k++) {
        link->origin[k] = link->centre[k] = centre[k];
        link->inertia[k] = mass * size * size * tact_draw_between(draw, 0.15, 0.2);
    }
    tree->dof += 6;
    return tree->links++;
}

/// A link of some length along a direction, on a hinge at the end of its parent.
static int add_hinge(TactDraw *draw, Tree *tree, int parent, const double from[3],
                     const double along[3], double length, double mass)
{
    Link *link = &tree->link[tree->links];
    *link = (Link){.parent = parent, .dof = tree->dof, .mass = mass};
    tact_draw_unit(draw, link->axis);
    for (int k = 0; k < 3; k++) {
        link->origin[k] = from[k];
        link->centre[k] = from[k] + 0.5 * length * along[k];
        link->inertia[k] = mass * (length * length / 12 + 0.002);
    }
    tree->dof++;
    return tree->links++;
}

/// A chain of hinges; returns its last link, whose end is written to end.
static int add_limb(TactDraw *draw, Tree *tree, int parent, const double from[3],
                    const double down[3], int links, double end[3])
{
    int last = parent;
    memcpy(end, from, 3 * sizeof *end);
    for (int k = 0; k < links; k++) {
        double along[3], length = tact_draw_between(draw, 0.08, 0.25), size = 0;
        for (int j = 0; j < 3; j++) {
            along[j] = down[j] + 0.4 * tact_draw_between(draw, -1, 1);
            size += along[j] * along[j];
        }
        for (int j = 0; j < 3; j++) {
            along[j] /= sqrt(size);
        }
        last = add_hinge(draw, tree, last, end, along, length, tact_draw_between(draw, 0.5, 4));
        for (int j = 0; j < 3; j++) {
            end[j] += length * along[j];
        }
    }
    return last;
}

// ---------------------------------------------------------------------------------------------
// Scenes

/// Four corners of a foot on the ground under a point, on link b.
static void add_foot(const double at[3], int b, Point *points, int *count)
{
    for (int k = 0; k < 4; k++) {
        Point *point = &points[(*count)++];
        *point = (Point){.a = -1, .b = b, .point = {at[0], at[1], at[2]}};
        point->point[0] += k % 2 ? 0.1 : -0.1;
        point->point[1] += k / 2 ? 0.05 : -0.05;
    }
}

static void put_robot(TactDraw *draw, TactMechanismKind kind, Tree *tree, Point *points, int *count)
{
    const double base[3] = {0, 0, 1}, down[3] = {0, 0, -1}, out[3] = {0, 0.8, -0.6};
    int torso = add_free(draw, tree, base, 15, 0.4), legs = kind == TACT_MECHANISM_BIPED ? 2 : 4;
    for (int k = 0; k < legs; k++) {
        double end[3], hip[3] = {k / 2 ? -0.25 : 0.25, k % 2 ? -0.12 : 0.12, 0.9};
        int    foot = add_limb(draw, tree, torso, hip, down, 6, end);
        end[2] = 0; // the floor
        add_foot(end, foot, points, count);
    }
    for (int k = 0; k < 2 && kind == TACT_MECHANISM_BIPED; k++) {
        double end[3], shoulder[3] = {0, k ? -0.2 : 0.2, 1.3};
        add_limb(draw, tree, torso, shoulder, out, 4, end);
    }
    if (kind == TACT_MECHANISM_BIPED) { // the neck
        double end[3], neck[3] = {0, 0, 1.4}, up[3] = {0, 0, 1};
        add_limb(draw, tree, torso, neck, up, 1, end);
    }
}

/// Two feet of 6 joints and two hands of 7 on the ground; two fingers of 5 on each hand, in the
/// air, and a neck of 2.
static void put_hands(TactDraw *draw, Tree *tree, Point *points, int *count)
{
    const double base[3] = {0, 0, 0.6}, down[3] = {0, 0, -1}, up[3] = {0, 0, 1};
    int          torso = add_free(draw, tree, base, 15, 0.4);
    for (int k = 0; k < 4; k++) {
        bool   hand = k >= 2;
        double end[3], root[3] = {hand ? 0.3 : -0.3, k % 2 ? -0.15 : 0.15, 0.6};
        int    last = add_limb(draw, tree, torso, root, down, hand ? 7 : 6, end);
        end[2] = 0; // the floor
        add_foot(end, last, points, count);
        for (int finger = 0; finger < 2 && hand; finger++) {
            double tip[3], knuckle[3] = {end[0] + 0.1, end[1] + (finger ? 0.04 : -0.04), 0.05};
            add_limb(draw, tree, last, knuckle, up, 5, tip);
        }
    }
    double end[3], neck[3] = {0.4, 0, 0.7};
    add_limb(draw, tree, torso, neck, up, 2, end);
}

static void put_cubes(TactDraw *draw, Tree *tree, int contacts, Point *points, int *count)
{
    const double low[3] = {0, 0, 0.5}, high[3] = {0.1, 0.05, 1.5};
    add_free(draw, tree, low, tact_draw_between(draw, 0.5, 2), 1);
    add_free(draw, tree, high, tact_draw_between(draw, 0.5, 2), 1);
    for (int k = 0; k < contacts; k++) {
        int    upper = k % 2, corner = k / 2, around = contacts / 2;
        double angle = 2 * 3.14159265358979323846 * (corner + 0.5) / around;
        double far = 0.45 / fmax(fabs(cos(angle)), fabs(sin(angle)));
        points[(*count)++] = (Point){.a = upper ? 0 : -1,
                                     .b = upper,
                                     .point = {far * cos(angle), far * sin(angle), upper ? 1 : 0}};
    }
}

// ---------------------------------------------------------------------------------------------
// Velocities by degrees of freedom

/// Velocity of a point of a link, and its angular velocity, by each degree of freedom: rows v, w.
static void find_jacobian(const Tree *tree, int link, const double point[3], double out[6][MAX_DOF])
{
    memset(out, 0, 6 * sizeof *out);
    for (int k = link; k >= 0; k = tree->link[k].parent) {
        const Link *own = &tree->link[k];
        double      r[3] = {point[0] - own->origin[0], point[1] - own->origin[1],
                            point[2] - own->origin[2]};
        int         free = own->parent < 0;
        for (int j = 0; j < (free ? 3 : 1); j++) {
            double axis[3] = {j == 0, j == 1, j == 2};
            int    at = own->dof + (free ? 3 + j : 0);
            memcpy(axis, free ? axis : own->axis, sizeof axis);
            out[0][at] = axis[1] * r[2] - axis[2] * r[1];
            out[1][at] = axis[2] * r[0] - axis[0] * r[2];
            out[2][at] = axis[0] * r[1] - axis[1] * r[0];
            out[3][at] = axis[0];
            out[4][at] = axis[1];
            out[5][at] = axis[2];
            if (free) {
                out[j][own->dof + j] = 1;
            }
        }
    }
}

static void put_mass(const Tree *tree, double *M, double *force)
{
    double J[6][MAX_DOF];
    for (int k = 0; k < tree->links; k++) {
        const Link *own = &tree->link[k];
        find_jacobian(tree, k, own->centre, J);
        for (int a = 0; a < tree->dof; a++) {
            force[a] -= GRAVITY * own->mass * J[2][a];
            for (int b = 0; b <= a; b++) {
                double sum = 0;
                for (int r = 0; r < 6; r++) {
                    sum += J[r][a] * J[r][b] * (r < 3 ? own->mass : own->inertia[r - 3]);
                }
                M[a * (a + 1) / 2 + b] += sum;
            }
        }
    }
    for (int k = 0; k < tree->links; k++) { // rotors
        int at = tree->link[k].dof;
        M[at * (at + 1) / 2 + at] += tree->link[k].parent >= 0 ? 0.01 : 0;
    }
}

/// Rows n 1 2 along z, x, y of a contact.
static void put_rows(const Tree *tree, const Point *point, double *J)
{
    double           of[2][6][MAX_DOF] = {0};
    static const int axes[3] = {2, 0, 1};
    find_jacobian(tree, point->b, point->point, of[1]);
    if (point->a >= 0) {
        find_jacobian(tree, point->a, point->point, of[0]);
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < tree->dof; k++) {
            J[r * tree->dof + k] = of[1][axes[r]][k] - of[0][axes[r]][k];
        }
    }
}

/// The points of every link, moved together.
static void shift_points(TactDraw *draw, double size, Point *points, int count)
{
    double shift[3] = {0};
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < 3; k++) {
            if (c == 0 || points[c].b != points[c - 1].b) {
                shift[k] = size * tact_draw_between(draw, -1, 1);
            }
            points[c].point[k] += shift[k];
        }
    }
}

static void draw_one(TactMechanismKind kind, TactDraw *draw, double moved, double change, size_t i,
                     const TactMechanismArrays *arrays)
{
    int     dof = tact_mechanism_mix_dof(kind), count = 0, entries = dof * (dof + 1) / 2;
    size_t  n = (size_t)arrays->contacts, nv = (size_t)dof;
    double *M = arrays->M + i * (size_t)entries, *velocity = arrays->velocity + i * nv;
    double *force = arrays->force + i * nv;
    Tree    tree = {0};
    Point   points[MAX_CONTACTS];
    double  mu = tact_draw_between(draw, 0.2, 1);
    bool    cubes = kind == TACT_MECHANISM_CUBES;
    if (cubes) {
        put_cubes(draw, &tree, arrays->contacts, points, &count);
    } else if (kind == TACT_MECHANISM_HANDS) {
        put_hands(draw, &tree, points, &count);
    } else {
        put_robot(draw, kind, &tree, points, &count);
    }
    memset(M, 0, (size_t)entries * sizeof *M);
    memset(force, 0, nv * sizeof *force);
    put_mass(&tree, M, force);
    for (int k = 0; k < dof; k++) {
        velocity[k] = 0.5 * tact_draw_between(draw, -1, 1) - (k == 2 ? 0.3 : 0);
        force[k] += k >= 6 && !cubes ? 10 * tact_draw_between(draw, -1, 1) : 0;
    }
    for (int c = 0; c < count; c++) {
        for (int k = 0; k < 3; k++) {
            points[c].point[k] += moved * tact_draw_between(draw, -1, 1);
        }
    }
    shift_points(draw, 0.01 * change, points, count);
    for (int k = 0; k < dof && change > 0; k++) {
        velocity[k] += 0.5 * change * tact_draw_between(draw, -1, 1);
    }
    for (int c = 0; c < count && c < arrays->contacts; c++) {
        put_rows(&tree, &points[c], arrays->J + (i * n + (size_t)c) * 3 * nv);
        arrays->mu[i * n + (size_t)c] = mu;
    }
}

void tact_mechanism_mix_draw(TactMechanismKind kind, uint64_t seed, int first, int end,
                             double change, const TactMechanismArrays *arrays)
{
    for (int i = first; i < end; i++) {
        TactDraw draw = tact_draw_of(seed, (uint64_t)i);
        draw_one(kind, &draw, i % 2 ? 1e-4 : 0, change, (size_t)i, arrays);
    }
}
