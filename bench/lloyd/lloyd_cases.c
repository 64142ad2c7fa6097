// The problems of [Lloyd04, 5.4]: 8 directions, mu from 0.2 to 0.3, random wrenches.
#include <math.h>

#include "bench/lloyd/lloyd.h"

static const double pi = 3.14159265358979323846;
static const double gravity = 9.81;
static const double r = 0.1; // m: half the size of a body

const char *tact_lloyd_shape_name(TactLloydShape shape)
{
    static const char *const names[] = {"peg", "peg, jittered", "one body", "stack"};
    return names[shape];
}

static double uniform(TactRandom *random, double lo, double hi)
{
    return tact_random_uniform(random, lo, hi);
}

/// A random wrench of 0.1 to 2 weights.
static void push(TactRandom *random, TactContactBody *body)
{
    double weight = uniform(random, 0.1, 2) * body->mass * gravity;
    for (int i = 0; i < 3; i++) {
        body->force[i] += weight * tact_random_normal(random);
        body->torque[i] += r * weight * tact_random_normal(random);
    }
}

// ---------------------------------------------------------------------------------------------
// Ten situations of one body

typedef void Situation(TactContactCase *out, double mu);

static void add(TactContactCase *out, double x, double y, double z, int axis, double mu)
{
    double normal[3] = {axis == 0, axis == 1, axis == 2};
    tact_case_add_contact(out, -1, 0, (double[]){r * x, r * y, r * z}, normal, mu);
}

/// The corners of the cube's face against an axis.
static void add_face(TactContactCase *out, int axis, double mu)
{
    for (int i = 0; i < 4; i++) {
        double at[3];
        at[axis] = -1;
        at[(axis + 1) % 3] = i % 3 == 0 ? 1 : -1;
        at[(axis + 2) % 3] = i < 2 ? 1 : -1;
        add(out, at[0], at[1], at[2], axis, mu);
    }
}

static void add_ring(TactContactCase *out, int count, double radius, double tilt, double mu)
{
    for (int i = 0; i < count; i++) {
        double x = cos(2 * pi * i / count), y = sin(2 * pi * i / count);
        double point[3] = {r * radius * x, r * radius * y, -r * sqrt(1 - radius * radius)};
        double normal[3] = {-tilt * x, -tilt * y, 1};
        point[2] = tilt > 0 ? point[2] : -r;
        tact_case_add_contact(out, -1, 0, point, normal, mu);
    }
}

static void ball_on_plane(TactContactCase *out, double mu)
{
    add(out, 0, 0, -1, 2, mu);
}

static void block_on_edge(TactContactCase *out, double mu)
{
    add(out, 1, 0, -1, 2, mu);
    add(out, -1, 0, -1, 2, mu);
}

static void stool(TactContactCase *out, double mu)
{
    add_ring(out, 3, 1, 0, mu);
}

static void block_on_plane(TactContactCase *out, double mu)
{
    add_face(out, 2, mu);
}

static void block_against_wall(TactContactCase *out, double mu)
{
    add_face(out, 2, mu);
    add(out, -1, 1, 0, 0, mu);
    add(out, -1, -1, 0, 0, mu);
}

static void block_in_groove(TactContactCase *out, double mu)
{
    add_face(out, 2, mu);
    add_face(out, 0, mu);
}

static void ball_in_rim(TactContactCase *out, double mu)
{
    add_ring(out, 10, 0.6, 0.75, mu); // normals through the centre
}

static void block_in_corner(TactContactCase *out, double mu)
{
    add_face(out, 2, mu);
    add_face(out, 0, mu);
    add_face(out, 1, mu);
}

static void disc_on_plane(TactContactCase *out, double mu)
{
    add_ring(out, 14, 1, 0, mu);
}

static void face_on_plane(TactContactCase *out, double mu)
{
    for (int i = 0; i < 16; i++) {
        int column = i % 4, row = i / 4;
        add(out, (2 * column - 3) / 3.0, (2 * row - 3) / 3.0, -1, 2, mu);
    }
}

static const struct {
    int         contacts;
    const char *name;
    Situation  *make;
} situations[] = {
    {1, "ball on a plane", ball_on_plane},
    {2, "block on its edge", block_on_edge},
    {3, "stool", stool},
    {4, "block on a plane", block_on_plane},
    {6, "block against a wall", block_against_wall},
    {8, "block in a groove", block_in_groove},
    {10, "ball in a rim", ball_in_rim},
    {12, "block in a corner", block_in_corner},
    {14, "disc on a plane", disc_on_plane},
    {16, "face on a plane", face_on_plane},
};

const char *tact_lloyd_situation(int contacts)
{
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        if (situations[i].contacts == contacts) {
            return situations[i].name;
        }
    }
    return NULL;
}

static TactStatus make_single(const TactLloydPoint *point, TactRandom *random, TactContactCase *out)
{
    TactCaseSize size = {.bodies = 1, .contacts = point->contacts};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    const double     half[3] = {r, r, r}, origin[3] = {0, 0, 0};
    double           mu = uniform(random, 0.2, 0.3);
    TactContactBody *body = tact_case_add_box(out, 1, half, origin);
    body->force[2] = -gravity;
    push(random, body);
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        if (situations[i].contacts == point->contacts) {
            situations[i].make(out, mu);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Stacks

/// Four contacts an interface; those that have eight lie between blocks turned by 45 degrees
/// against each other, whose overlap is a regular octagon.
static TactStatus make_stack(const TactLloydPoint *point, TactRandom *random, TactContactCase *out)
{
    int          m = point->bodies, turned = (point->contacts - 4 * m) / 4;
    TactCaseSize size = {.bodies = m, .contacts = 4 * m + 4 * turned};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    const double half[3] = {r, r, r}, up[3] = {0, 0, 1};
    double       mu = uniform(random, 0.2, 0.3);
    for (int k = 0; k < m; k++) {
        double           centre[3] = {0, 0, r * (double)(2 * k + 1)};
        TactContactBody *body = tact_case_add_box(out, 1, half, centre);
        body->force[2] = -gravity;
        if (k == m - 1) {
            push(random, body);
        }
        int    count = m - k <= turned ? 8 : 4;
        double edge = count == 8 ? tan(pi / 8) : 1; // half an edge of the overlap
        for (int i = 0; i < count; i++) {
            double x = i % 2 ? 1 : -1, y = i % 4 / 2 ? 1 : -1;
            double at[3] = {r * x * (i < 4 ? 1 : edge), r * y * (i < 4 ? edge : 1),
                            2 * r * (double)k};
            tact_case_add_contact(out, k - 1, k, at, up, mu);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static TactStatus make_peg(const TactLloydPoint *point, TactRandom *random, double jitter,
                           TactContactCase *out)
{
    TactScene scene;
    tact_scene_peg(&scene, random, point->contacts, jitter);
    tact_scene_load(&scene, random);
    return tact_case_from_scene(&scene, out);
}

TactStatus tact_lloyd_generate(const TactLloydPoint *point, uint64_t seed, TactContactCase *out)
{
    TactRandom random = tact_random_seed(seed);
    TactStatus status = TACT_OK;
    *out = (TactContactCase){0};
    switch (point->shape) {
    case TACT_LLOYD_PEG: status = make_peg(point, &random, 0, out); break;
    case TACT_LLOYD_PEG_JITTERED: status = make_peg(point, &random, 0.4, out); break;
    case TACT_LLOYD_SINGLE: status = make_single(point, &random, out); break;
    case TACT_LLOYD_STACK:
    case TACT_LLOYD_SHAPES: status = make_stack(point, &random, out); break;
    }
    if (status == TACT_OK && point->disturbance > 0) {
        tact_case_disturb(out, &random, point->disturbance);
    }
    for (int i = 0; i < out->problem.contact_count; i++) {
        out->contacts[i].directions = point->directions;
    }
    return status;
}
