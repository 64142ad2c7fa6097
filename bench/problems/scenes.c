#include "bench/problems/scenes.h"

#include <math.h>

static const double radius = 0.1; // m: half the size of every body
static const double step = 0.01;  // s

// ---------------------------------------------------------------------------------------------
// Small vectors

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalise(double *a)
{
    double length = sqrt(dot(a, a));
    for (int i = 0; i < 3; i++) {
        a[i] /= length;
    }
}

/// cos and sin of 2 pi i / count, so that mirrored points are mirrored to the last bit.
static void unit_angle(int i, int count, double *x, double *y)
{
    i %= count;
    if (count % 2 == 0 && i >= count / 2) {
        unit_angle(i - count / 2, count, x, y);
        *x = -*x;
        *y = -*y;
    } else if (count % 4 == 0 && i >= count / 4) {
        double c, s;
        unit_angle(i - count / 4, count, &c, &s);
        *x = -s;
        *y = c;
    } else if (count % 4 == 0 && 8 * i > count) {
        unit_angle(count / 4 - i, count, y, x);
    } else if (8 * i == count) {
        *x = *y = sqrt(0.5);
    } else {
        const double pi = 3.14159265358979323846;
        double       angle = 2 * pi * (double)i / (double)count;
        *x = cos(angle);
        *y = i == 0 ? 0 : sin(angle);
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies and contacts

static void begin(TactScene *scene, TactRandom *random)
{
    *scene = (TactScene){.gravity = {0, 0, -9.81}};
    scene->mu = tact_random_uniform(random, 0.2, 0.3);
}

static TactSceneBody *add_body(TactScene *scene, double mass, double height)
{
    TactSceneBody *body = &scene->body[scene->bodies++];
    *body = (TactSceneBody){.mass = mass, .position = {0, 0, height}, .radius = radius};
    return body;
}

static void add_box(TactScene *scene, double mass, double height, double a, double b, double c)
{
    TactSceneBody *body = add_body(scene, mass, height);
    body->inertia[0] = mass / 3 * (b * b + c * c); // half sides a, b, c
    body->inertia[1] = mass / 3 * (a * a + c * c);
    body->inertia[2] = mass / 3 * (a * a + b * b);
}

static void add_cylinder(TactScene *scene, double mass, double height, double r, double half)
{
    TactSceneBody *body = add_body(scene, mass, height);
    body->inertia[0] = body->inertia[1] = mass * (r * r / 4 + half * half / 3);
    body->inertia[2] = mass * r * r / 2;
}

static void add_contact(TactScene *scene, int a, int b, const double *point, const double *normal)
{
    TactSceneContact *contact = &scene->contact[scene->contacts++];
    *contact = (TactSceneContact){.a = a, .b = b, .mu = scene->mu};
    for (int i = 0; i < 3; i++) {
        contact->point[i] = point[i];
        contact->normal[i] = normal[i];
    }
}

static void add_point(TactScene *scene, int a, int b, double x, double y, double z, int axis)
{
    double normal[3] = {0, 0, 0};
    normal[axis] = 1;
    add_contact(scene, a, b, (double[]){x, y, z}, normal);
}

// ---------------------------------------------------------------------------------------------
// One body

void tact_scene_peg(TactScene *scene, TactRandom *random, int contacts, double jitter)
{
    const double peg_radius = 0.05, peg_half = 0.1, hole_half = 0.05;
    begin(scene, random);
    add_cylinder(scene, 1, 0, peg_radius, peg_half);
    int count = contacts / 2;
    for (int rim = 0; rim < 2; rim++) {
        for (int i = 0; i < count; i++) {
            double x, y;
            unit_angle(i, count, &x, &y);
            if (jitter > 0) {
                const double turn = 6.283185307179586;
                double       at = (double)i + tact_random_uniform(random, -jitter, jitter);
                x = cos(turn * at / (double)count);
                y = sin(turn * at / (double)count);
                scene->mu = tact_random_uniform(random, 0.2, 0.3);
            }
            double height = rim == 0 ? hole_half : -hole_half;
            add_contact(scene, -1, 0, (double[]){peg_radius * x, peg_radius * y, height},
                        (double[]){-x, -y, 0});
        }
    }
}

void tact_scene_block(TactScene *scene, TactRandom *random, int contacts)
{
    const double half[3] = {0.1, 0.075, 0.05};
    begin(scene, random);
    add_box(scene, 1, half[2], half[0], half[1], half[2]);
    int side = contacts / 4;
    for (int i = 0; i < contacts; i++) {
        double t = 2 * (double)(i % side) / (double)side - 1; // -1 at a side's first corner
        double x[4] = {t, 1, -t, -1};
        double y[4] = {-1, t, 1, -t};
        add_point(scene, -1, 0, half[0] * x[i / side], half[1] * y[i / side], 0, 2);
    }
}

void tact_scene_corner(TactScene *scene, TactRandom *random, int faces, int contacts_a_face)
{
    const double half[3] = {0.1, 0.075, 0.05};
    begin(scene, random);
    add_box(scene, 1, 0, half[0], half[1], half[2]);
    // The corner, or the groove along y, opens against gravity.
    double down[3] = {-1, faces == 3 ? -1 : 0, -1};
    normalise(down);
    for (int i = 0; i < 3; i++) {
        scene->gravity[i] = 9.81 * down[i];
    }
    int side = contacts_a_face / 4;
    for (int face = 0; face < faces; face++) {
        int axis = face == 0 ? 2 : face == 1 ? 0 : 1;
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int i = 0; i < contacts_a_face; i++) {
            double t = 2 * (double)(i % side) / (double)side - 1;
            double a[4] = {t, 1, -t, -1};
            double b[4] = {-1, t, 1, -t};
            double point[3];
            point[axis] = -half[axis];
            point[u] = half[u] * a[i / side];
            point[v] = half[v] * b[i / side];
            add_point(scene, -1, 0, point[0], point[1], point[2], axis);
        }
    }
}

void tact_scene_grid(TactScene *scene, TactRandom *random, int columns, int rows)
{
    const double half[3] = {0.1, 0.075, 0.05};
    begin(scene, random);
    add_box(scene, 1, half[2], half[0], half[1], half[2]);
    for (int i = 0; i < columns; i++) {
        for (int j = 0; j < rows; j++) {
            double x = (2 * (double)i - (columns - 1)) / (columns - 1);
            double y = (2 * (double)j - (rows - 1)) / (rows - 1);
            add_point(scene, -1, 0, half[0] * x, half[1] * y, 0, 2);
        }
    }
}

void tact_scene_face(TactScene *scene, TactRandom *random)
{
    tact_scene_grid(scene, random, 8, 5);
}

void tact_scene_ball(TactScene *scene, TactRandom *random, int contacts)
{
    const double ball = 0.05, rim = 0.03; // radii: normals rise at 0.8 : 0.6
    begin(scene, random);
    TactSceneBody *body = add_body(scene, 1, 0);
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.4 * ball * ball;
    body->radius = ball;
    for (int i = 0; i < contacts; i++) {
        double x, y;
        unit_angle(i, contacts, &x, &y);
        add_contact(scene, -1, 0, (double[]){rim * x, rim * y, -0.04},
                    (double[]){-0.6 * x, -0.6 * y, 0.8});
    }
}

// ---------------------------------------------------------------------------------------------
// Stacks

void tact_scene_stack(TactScene *scene, TactRandom *random, int bodies, int corners,
                      const double *masses)
{
    begin(scene, random);
    for (int k = 0; k < bodies; k++) {
        double mass = masses ? masses[k] : 1;
        double middle = radius * (double)(2 * k + 1);
        if (corners == 4) {
            add_box(scene, mass, middle, radius, radius, radius);
        } else {
            add_cylinder(scene, mass, middle, radius, radius);
        }
        for (int i = 0; i < corners; i++) {
            double x, y;
            if (corners == 4) {
                x = i == 0 || i == 3 ? 1 : -1;
                y = i < 2 ? 1 : -1;
            } else {
                unit_angle(i, corners, &x, &y);
            }
            add_point(scene, k - 1, k, radius * x, radius * y, 2 * radius * (double)k, 2);
        }
    }
}

enum { MAX_CORNERS = 16 };

typedef struct Polygon {
    int    count;
    double x[MAX_CORNERS], y[MAX_CORNERS];
} Polygon;

/// Keeps the part of a convex polygon to the left of the line a to b [Sutherland, Hodgman 1974].
static void clip(Polygon *polygon, double ax, double ay, double bx, double by)
{
    Polygon kept = {0};
    for (int i = 0; i < polygon->count; i++) {
        int    j = (i + 1) % polygon->count;
        double si = (bx - ax) * (polygon->y[i] - ay) - (by - ay) * (polygon->x[i] - ax);
        double sj = (bx - ax) * (polygon->y[j] - ay) - (by - ay) * (polygon->x[j] - ax);
        if (si >= 0) {
            kept.x[kept.count] = polygon->x[i];
            kept.y[kept.count++] = polygon->y[i];
        }
        if ((si > 0 && sj < 0) || (si < 0 && sj > 0)) {
            double t = si / (si - sj);
            kept.x[kept.count] = polygon->x[i] + t * (polygon->x[j] - polygon->x[i]);
            kept.y[kept.count++] = polygon->y[i] + t * (polygon->y[j] - polygon->y[i]);
        }
    }
    *polygon = kept;
}

static Polygon square(double x, double y, double angle)
{
    Polygon polygon = {.count = 4};
    double  c = radius * cos(angle), s = radius * sin(angle);
    double  u[4] = {c - s, -c - s, -c + s, c + s};
    double  v[4] = {s + c, -s + c, -s - c, s - c};
    for (int i = 0; i < 4; i++) {
        polygon.x[i] = x + u[i];
        polygon.y[i] = y + v[i];
    }
    return polygon;
}

void tact_scene_turned_stack(TactScene *scene, TactRandom *random, int bodies)
{
    begin(scene, random);
    Polygon below = {0};
    for (int k = 0; k < bodies; k++) {
        add_box(scene, 1, radius * (double)(2 * k + 1), radius, radius, radius);
        TactSceneBody *body = &scene->body[k];
        for (int i = 0; i < 2; i++) {
            body->position[i] = tact_random_uniform(random, -0.2 * radius, 0.2 * radius);
        }
        Polygon own = square(body->position[0], body->position[1],
                             tact_random_uniform(random, 0, 1.5707963267948966));
        Polygon overlap = own;
        for (int i = 0; i < below.count; i++) {
            int j = (i + 1) % below.count;
            clip(&overlap, below.x[i], below.y[i], below.x[j], below.y[j]);
        }
        for (int i = 0; i < overlap.count; i++) {
            add_point(scene, k - 1, k, overlap.x[i], overlap.y[i], 2 * radius * (double)k, 2);
        }
        below = own;
    }
}

// ---------------------------------------------------------------------------------------------
// Disturbance and load

void tact_scene_disturb(TactScene *scene, TactRandom *random, double eps)
{
    for (int k = 0; k < scene->contacts; k++) {
        TactSceneContact *contact = &scene->contact[k];
        for (int i = 0; i < 3; i++) {
            contact->point[i] += radius * tact_random_uniform(random, -eps, eps);
            contact->normal[i] += tact_random_uniform(random, -eps, eps);
        }
        normalise(contact->normal);
    }
}

void tact_scene_load(TactScene *scene, TactRandom *random)
{
    double strength = tact_random_uniform(random, 0.1, 2); // of the wrench, in weights
    double speed = tact_random_uniform(random, -0.2, 0.2); // m/s
    speed = speed > 0 ? speed : 0;
    for (int k = 0; k < scene->bodies; k++) {
        TactSceneBody *body = &scene->body[k];
        double         weight = 9.81 * body->mass;
        for (int i = 0; i < 3; i++) {
            double force = strength * weight * tact_random_normal(random);
            double torque = strength * weight * body->radius * tact_random_normal(random);
            double v = speed * tact_random_normal(random);
            double omega = speed / body->radius * tact_random_normal(random);
            body->momentum[i] = body->mass * v + step * (body->mass * scene->gravity[i] + force);
            body->momentum[3 + i] = body->inertia[i] * omega + step * torque;
        }
    }
}
