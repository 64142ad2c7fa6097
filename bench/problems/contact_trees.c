// Mechanisms of turning joints: M = sum over links of m Jv'Jv + Jw' I Jw, J of points on links.
#include <math.h>
#include <tact/math.h>

#include "bench/problems/contact_scenes.h"

enum { MAX_JOINTS = 64 };

/// One degree of freedom and the link it carries; the last three of a free object's six carry it.
typedef struct Joint {
    int      parent;
    bool     slides; // along the axis instead of turning about it
    TactVec3 axis;
    TactVec3 origin;
    double   mass; // of its link; 0: none
    double   inertia;
    TactVec3 centre;
} Joint;

typedef struct Mechanism {
    int   count;
    Joint joint[MAX_JOINTS];
} Mechanism;

static TactVec3 random_vector(TactRandom *random, double size)
{
    double x = tact_random_normal(random), y = tact_random_normal(random);
    return (TactVec3){size * x, size * y, size * tact_random_normal(random)};
}

/// Velocity at a point of the link that a joint carries, by one unit of speed of another joint that
/// carries it.
static TactVec3 point_column(const Joint *joint, TactVec3 point)
{
    return joint->slides ? joint->axis
                         : tact_vec3_cross(joint->axis, tact_vec3_subtract(point, joint->origin));
}

static TactVec3 turn_column(const Joint *joint)
{
    return joint->slides ? (TactVec3){0, 0, 0} : joint->axis;
}

// ---------------------------------------------------------------------------------------------
// Mass matrix

static void add_link(const Mechanism *mechanism, const Joint *link, int last, double *M)
{
    size_t nv = (size_t)mechanism->count;
    for (int i = last; i >= 0; i = mechanism->joint[i].parent) {
        const Joint *x = &mechanism->joint[i];
        for (int j = i; j >= 0; j = mechanism->joint[j].parent) {
            const Joint *y = &mechanism->joint[j];
            TactVec3     a = point_column(x, link->centre), b = point_column(y, link->centre);
            double       part = link->mass * tact_vec3_dot(a, b) +
                          link->inertia * tact_vec3_dot(turn_column(x), turn_column(y));
            M[(size_t)i * nv + (size_t)j] += part;
            if (i != j) {
                M[(size_t)j * nv + (size_t)i] += part;
            }
        }
    }
}

/// M with a little of the gears' inertia on its diagonal, parents, weights as forces.
static void fill(const Mechanism *mechanism, TactRandom *random, TactContactCase *out)
{
    size_t nv = (size_t)mechanism->count;
    double speed = tact_random_uniform(random, -1, 1);
    for (int k = 0; k < mechanism->count; k++) {
        const Joint *joint = &mechanism->joint[k];
        out->parent[k] = joint->parent;
        out->v[k] = speed > 0 ? speed * tact_random_normal(random) : 0;
        out->tau[k] = 0.2 * tact_random_normal(random);
        if (joint->mass == 0) {
            continue;
        }
        add_link(mechanism, joint, k, out->M);
        for (int j = k; j >= 0; j = mechanism->joint[j].parent) {
            out->tau[j] -= 9.81 * joint->mass * point_column(&mechanism->joint[j], joint->centre).z;
        }
    }
    for (size_t k = 0; k < nv; k++) {
        out->M[k * nv + k] += mechanism->joint[k].slides ? 0 : 1e-4;
    }
    // Half of the mechanisms hide their tree.
    if (tact_random_uniform(random, -1, 1) > 0) {
        out->problem.parent = NULL;
    }
}

// ---------------------------------------------------------------------------------------------
// Contacts and rows

/// J rows of the velocity of the link of joint `last` at a point along three directions, times sign
static void add_side(const Mechanism *mechanism, int last, TactVec3 point, double frame[3][3],
                     double sign, double *J)
{
    size_t nv = (size_t)mechanism->count;
    for (int j = last; j >= 0; j = mechanism->joint[j].parent) {
        TactVec3 column = point_column(&mechanism->joint[j], point);
        for (size_t k = 0; k < 3; k++) {
            TactVec3 direction = {frame[k][0], frame[k][1], frame[k][2]};
            J[k * nv + (size_t)j] += sign * tact_vec3_dot(direction, column);
        }
    }
}

/// Contact of two links (-1: the world), normal from a to b.
static void add_contact(const Mechanism *mechanism, int a, int b, TactVec3 point, TactVec3 normal,
                        double mu, TactContactCase *out)
{
    TactContact *contact = tact_case_add_contact(out, -1, -1, (double[]){point.x, point.y, point.z},
                                                 (double[]){normal.x, normal.y, normal.z}, mu);
    double       frame[3][3];
    tact_contact_compute_frame(contact, frame);
    double *J = out->J + (size_t)(contact - out->contacts) * 3 * (size_t)mechanism->count;
    add_side(mechanism, a, point, frame, -1, J);
    add_side(mechanism, b, point, frame, 1, J);
    contact->J = J;
}

static TactContactRow *add_row(TactContactRowKind kind, TactContactCase *out)
{
    TactContactRow *row = tact_case_add_row(out, kind, -1, -1);
    row->J = out->row_J + (size_t)(row - out->rows) * (size_t)out->problem.nv;
    return row;
}

static double *row_of(const TactContactCase *out, const TactContactRow *row)
{
    return out->row_J + (size_t)(row - out->rows) * (size_t)out->problem.nv;
}

static void add_motor(TactRandom *random, int joint, double most, TactContactCase *out)
{
    TactContactRow *motor = add_row(TACT_ROW_MOTOR, out);
    row_of(out, motor)[joint] = 1;
    motor->target = tact_random_normal(random);
    motor->force_max = tact_random_uniform(random, 0, most);
}

/// The ends of two branches joined at a point: three bilateral rows, all of them twice.
static void add_loop(const Mechanism *mechanism, int a, int b, TactVec3 point, TactContactCase *out)
{
    size_t nv = (size_t)mechanism->count;
    double frame[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, J[3 * MAX_JOINTS] = {0};
    add_side(mechanism, a, point, frame, -1, J);
    add_side(mechanism, b, point, frame, 1, J);
    for (size_t i = 0; i < 6; i++) {
        double *row = row_of(out, add_row(TACT_ROW_BILATERAL, out));
        for (size_t j = 0; j < nv; j++) {
            row[j] = J[i % 3 * nv + j];
        }
    }
}

static bool carries(const Mechanism *mechanism, int joint, int link)
{
    while (link >= 0 && link != joint) {
        link = mechanism->joint[link].parent;
    }
    return link == joint;
}

/// Limits and motors by turns, and a loop that joins the last link with one of another branch, or,
/// if it is to lock joints, with one further down its own.
static void add_rows(const Mechanism *mechanism, TactRandom *random, bool locks,
                     TactContactCase *out)
{
    int last = mechanism->count - 1, other = last - 1;
    for (int k = 0; k < mechanism->count; k += 2) {
        TactContactRow *limit = add_row(TACT_ROW_UNILATERAL, out);
        row_of(out, limit)[k] = k % 4 ? 1 : -1;
        if (k + 1 < mechanism->count) {
            add_motor(random, k + 1, 2, out);
        }
    }
    while (other >= 0 &&
           (carries(mechanism, other, last) != locks || mechanism->joint[last].parent == other)) {
        other--;
    }
    if (other >= 0) {
        TactVec3 a = mechanism->joint[last].centre, b = mechanism->joint[other].centre;
        add_loop(mechanism, last, other, tact_vec3_scale(0.5, tact_vec3_add(a, b)), out);
    }
}

// ---------------------------------------------------------------------------------------------
// Trees and hands

static Joint turning_joint(TactRandom *random, int parent, TactVec3 origin, TactVec3 link)
{
    return (Joint){
        .parent = parent,
        .axis = tact_vec3_normalise(random_vector(random, 1)),
        .origin = origin,
        .mass = tact_random_uniform(random, 0.2, 2),
        .inertia = tact_random_uniform(random, 1e-3, 1e-2),
        .centre = tact_vec3_add_scaled(origin, 0.5, link),
    };
}

TactStatus tact_case_tree(TactRandom *random, const TactTree *tree, TactContactCase *out)
{
    int          nv = tree->joints;
    TactCaseSize size = {.nv = nv, .contacts = tree->contacts, .rows = tree->rows ? nv + 7 : 0};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK || nv > MAX_JOINTS) {
        return TACT_NO_MEMORY;
    }
    Mechanism mechanism = {.count = nv};
    TactVec3  end[MAX_JOINTS]; // of the links
    for (int k = 0; k < nv; k++) {
        // Mostly chains: a third of the joints start a branch further down.
        int parent = k - 1;
        if (k > 1 && tact_random_uniform(random, 0, 3) < 1) {
            parent = (int)(tact_random_next(random) % (uint64_t)k);
        }
        TactVec3 origin = parent < 0 ? (TactVec3){0, 0, 0} : end[parent];
        TactVec3 link = random_vector(random, 0.2);
        mechanism.joint[k] = turning_joint(random, parent, origin, link);
        end[k] = tact_vec3_add(origin, link);
    }
    fill(&mechanism, random, out);
    for (int i = 0; i < tree->contacts; i++) {
        int      link = nv - 1 - (int)(tact_random_next(random) % (uint64_t)(nv - nv / 2));
        TactVec3 point = tact_vec3_add(mechanism.joint[link].centre, random_vector(random, 0.05));
        TactVec3 normal = random_vector(random, 0.5);
        normal.z += 1;
        add_contact(&mechanism, -1, link, point, normal, tact_random_uniform(random, 0, 1), out);
    }
    if (tree->rows) {
        add_rows(&mechanism, random, tree->locks, out);
    }
    return TACT_OK;
}

/// Three slides and three turns about the centre of an object.
static void add_object(Mechanism *mechanism, double mass, double radius)
{
    for (int i = 0; i < 6; i++) {
        mechanism->joint[mechanism->count] = (Joint){
            .parent = i == 0 ? -1 : mechanism->count - 1,
            .slides = i < 3,
            .axis = {i % 3 == 0, i % 3 == 1, i % 3 == 2},
            .mass = i == 5 ? mass : 0,
            .inertia = 0.4 * mass * radius * radius,
        };
        mechanism->count++;
    }
}

TactStatus tact_case_hand(TactRandom *random, const TactHand *hand, TactContactCase *out)
{
    int          fingers = hand->fingers, each = hand->joints_each;
    TactCaseSize size = {
        .nv = 6 + fingers * each,
        .contacts = fingers * hand->contacts_each,
        .rows = fingers * each,
    };
    TactStatus status = tact_case_create(&size, out);
    if (status != TACT_OK || size.nv > MAX_JOINTS) {
        return TACT_NO_MEMORY;
    }
    const double radius = 0.04;
    double       mu = tact_random_uniform(random, 0.2, 1.5);
    Mechanism    mechanism = {0};
    add_object(&mechanism, tact_random_uniform(random, 0.05, 1), radius);
    for (int f = 0; f < fingers; f++) {
        double   angle = 6.283185307179586 * (double)f / (double)fingers;
        TactVec3 out_of = {cos(angle), sin(angle), 0}, at = tact_vec3_scale(2 * radius, out_of);
        at.z = -0.1;
        for (int k = 0; k < each; k++) {
            TactVec3 link = {-radius * out_of.x / each, -radius * out_of.y / each, 0.1 / each};
            Joint    joint = turning_joint(random, k ? mechanism.count - 1 : -1, at, link);
            joint.mass *= 0.1;
            joint.inertia *= 0.01;
            mechanism.joint[mechanism.count++] = joint;
            at = tact_vec3_add(at, link);
        }
    }
    fill(&mechanism, random, out);
    for (int f = 0; f < fingers; f++) {
        double   angle = 6.283185307179586 * (double)f / (double)fingers;
        TactVec3 inwards = {-cos(angle), -sin(angle), 0};
        int      tip = 6 + (f + 1) * each - 1;
        for (int i = 0; i < hand->contacts_each; i++) {
            TactVec3 point = tact_vec3_scale(-radius, inwards);
            point.z = 0.005 * (double)i;
            add_contact(&mechanism, tip, 5, point, inwards, mu, out);
        }
        for (int k = 0; k < each; k++) {
            add_motor(random, 6 + f * each + k, 1, out);
        }
    }
    return TACT_OK;
}
