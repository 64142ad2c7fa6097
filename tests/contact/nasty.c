#include "nasty.h"

#include <math.h>
#include <string.h>
#include <tact/math.h>

const char *const nasty_truths[NASTY_TRUTHS] = {"planted", "free", "none"};

typedef struct Maker {
    TactRandom random;
    Nasty     *out;
    double     length;  // m
    double     speed;   // m/s
    bool       still;   // nothing moves after the step
    bool       squeeze; // opposing contacts hold each other
    bool       small;   // few bodies and contacts
    bool       mild;    // of sizes that are not far apart
} Maker;

static double uniform(Maker *maker, double lo, double hi)
{
    return tact_random_uniform(&maker->random, lo, hi);
}

/// 10 to a power between lo and hi
static double decades(Maker *maker, double lo, double hi)
{
    return pow(10, uniform(maker, lo, hi));
}

static int below(Maker *maker, int count)
{
    return (int)(tact_random_next(&maker->random) % (uint64_t)count);
}

/// What is drawn is drawn one by one: compilers choose the order within an expression.
static TactVec3 random_unit(Maker *maker)
{
    TactVec3 x;
    x.x = tact_random_normal(&maker->random);
    x.y = tact_random_normal(&maker->random);
    x.z = tact_random_normal(&maker->random);
    return tact_vec3_scale(1 / tact_vec3_norm(x), x);
}

static TactVec3 get(const double *x)
{
    return (TactVec3){x[0], x[1], x[2]};
}

static void put(TactVec3 x, double *out)
{
    out[0] = x.x;
    out[1] = x.y;
    out[2] = x.z;
}

// ---------------------------------------------------------------------------------------------
// Bodies

/// Principal moments between 1 and 1e-6 of m l^2, turned at random: slim ones too.
static void make_inertia(Maker *maker, double mass, double length, double I[6])
{
    double   least = below(maker, 3) == 0 ? -6 : -0.5;
    double   moment[3];
    TactVec3 a = random_unit(maker), b = random_unit(maker);
    TactVec3 axis[3] = {a, tact_vec3_cross(a, b), {0, 0, 0}};
    axis[1] = tact_vec3_scale(1 / tact_vec3_norm(axis[1]), axis[1]);
    axis[2] = tact_vec3_cross(axis[0], axis[1]);
    memset(I, 0, 6 * sizeof *I);
    for (int k = 0; k < 3; k++) {
        moment[k] = mass * length * length * decades(maker, k == 0 ? least : -0.5, 0);
        const double x[3] = {axis[k].x, axis[k].y, axis[k].z};
        for (int i = 0; i < 3; i++) {
            I[i] += moment[k] * x[i] * x[i];
        }
        I[3] += moment[k] * x[0] * x[1];
        I[4] += moment[k] * x[0] * x[2];
        I[5] += moment[k] * x[1] * x[2];
    }
}

static void make_body(Maker *maker, int k)
{
    TactContactBody *body = &maker->out->bodies[k];
    double           spread = maker->mild ? 2 : 9;
    double mass = decades(maker, -spread, spread), size = maker->length * decades(maker, -1, 0);
    int    before = below(maker, 3);
    *body = (TactContactBody){.mass = mass};
    make_inertia(maker, mass, size, body->inertia);
    for (int i = 0; i < 3; i++) {
        body->position[i] = maker->length * uniform(maker, -1, 1);
        body->velocity[i] = before > 0 ? maker->speed * uniform(maker, -1, 1) : 0;
        body->omega[i] = before > 1 ? maker->speed / size * uniform(maker, -1, 1) : 0;
        double *after = maker->out->velocity + 6 * k;
        after[i] = maker->still ? 0 : maker->speed * uniform(maker, -1, 1);
        after[3 + i] = maker->still ? 0 : maker->speed / size * uniform(maker, -1, 1);
    }
}

/// Velocity after the step of b against a at a point.
static TactVec3 relative(const Nasty *nasty, int a, int b, TactVec3 point)
{
    TactVec3 u = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        int body = side ? b : a;
        if (body >= 0) {
            const double *v = nasty->velocity + 6 * body;
            TactVec3      r = tact_vec3_subtract(point, get(nasty->bodies[body].position));
            TactVec3      own = tact_vec3_add(get(v), tact_vec3_cross(get(v + 3), r));
            u = side ? tact_vec3_add(u, own) : tact_vec3_subtract(u, own);
        }
    }
    return u;
}

/// The least momentum that a pair of bodies has at the speed of the problem.
static double momentum(const Maker *maker, int a, int b)
{
    double mass = HUGE_VAL;
    mass = a >= 0 ? fmin(mass, maker->out->bodies[a].mass) : mass;
    mass = b >= 0 ? fmin(mass, maker->out->bodies[b].mass) : mass;
    return mass * maker->speed;
}

// ---------------------------------------------------------------------------------------------
// Contacts

static const double FRICTION[] = {0, 1e-8, 1e-3, 0.1, 0.3, 0.5, 1, 2, 10, 1e3, 1e6};
static const double OFF[] = {0, 0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4};
enum { FRICTIONS = sizeof FRICTION / sizeof *FRICTION, OFFS = sizeof OFF / sizeof *OFF };
enum { MILD_FRICTIONS = FRICTIONS - 3 };

/// A unit vector across x; any, if x is 0.
static TactVec3 across(Maker *maker, TactVec3 x)
{
    TactVec3 n = random_unit(maker);
    double   size = tact_vec3_norm(x);
    if (size > 0) {
        n = tact_vec3_cross(tact_vec3_scale(1 / size, x), n);
        n = tact_vec3_scale(1 / tact_vec3_norm(n), n);
    }
    return n;
}

/// Tangent 1 against the slip, so that friction lies on direction 0 of the pyramid.
static void point_against(Maker *maker, TactContact *contact, TactVec3 slip)
{
    double size = tact_vec3_norm(slip);
    if (size > 0) {
        put(tact_vec3_scale(-1 / size, slip), contact->tangent);
    } else {
        TactVec3 n = get(contact->normal);
        put(across(maker, n), contact->tangent);
    }
}

/// What a loaded contact takes: bias (with compliance and restitution) and belts, if any.
static void add_extras(Maker *maker, TactContact *contact, double p_n)
{
    int kind = below(maker, 12);
    if (kind == 0) {
        contact->compliance = p_n > 0 ? maker->speed / p_n * decades(maker, -6, 0) : 0;
        contact->bias = -contact->compliance * p_n;
    } else if (kind == 1) {
        contact->bias = p_n > 0 ? 0 : maker->speed * uniform(maker, 0, 1);
    }
}

/// Impulses of a planted contact: none, or as much friction as its state allows.
static void plant(Maker *maker, int i, bool slides)
{
    TactContact        *contact = &maker->out->contacts[i];
    double             *p = maker->out->impulse + 3 * i;
    double              load = momentum(maker, contact->a, contact->b) * decades(maker, -3, 2);
    static const double part[] = {0, 0.1, 0.5, 0.9, 1};
    p[0] = below(maker, 4) == 0 ? 0 : load;
    add_extras(maker, contact, p[0]);
    if (slides) {
        p[1] = contact->mu * p[0];
    } else {
        double most = fmin(contact->mu, 10) * p[0] * part[below(maker, 5)];
        double angle = most == contact->mu * p[0] ? 0 : uniform(maker, 0, 6.283185307179586);
        // Inside the pyramid: its faces are cos(pi / d) as far away as its corners.
        double reach = angle == 0 ? 1 : cos(3.14159265358979323846 / contact->directions);
        p[1] = reach * most * cos(angle);
        p[2] = reach * most * sin(angle);
    }
}

static void make_contact(Maker *maker, int a, int b, TactVec3 point, TactVec3 normal)
{
    static const int directions[] = {4, 8, 8, 8, 16};
    Nasty           *out = maker->out;
    int              i = out->problem.contact_count++;
    TactContact     *contact = &out->contacts[i];
    *contact = (TactContact){.a = a, .b = b, .id = (uint64_t)i + 1};
    contact->mu = FRICTION[below(maker, maker->mild ? MILD_FRICTIONS : FRICTIONS)];
    contact->directions = directions[below(maker, 5)];
    put(point, contact->point);
    put(normal, contact->normal);
    memset(out->impulse + 3 * i, 0, 3 * sizeof(double));
    if (out->truth == NASTY_PLANTED) {
        TactVec3 u = relative(out, a, b, point);
        double   apart = tact_vec3_dot(u, normal), size = tact_vec3_norm(u);
        TactVec3 slip = tact_vec3_subtract(u, tact_vec3_scale(apart, normal));
        point_against(maker, contact, slip);
        if (fabs(apart) <= 1e-12 * size) {
            plant(maker, i, tact_vec3_norm(slip) > 0);
        } else if (apart < 0) {
            contact->bias = -apart + maker->speed * uniform(maker, 0, 1); // may come closer
        }
    }
}

/// The contact again, facing the other way (or the same) but for a disturbance across the slip.
static void make_twin(Maker *maker, int i)
{
    const TactContact *first = &maker->out->contacts[i];
    double             off = OFF[below(maker, OFFS)], sign = below(maker, 5) > 0 ? -1 : 1;
    TactVec3           n = get(first->normal), point = get(first->point);
    TactVec3           u = relative(maker->out, first->a, first->b, point);
    TactVec3           turn = across(maker, u);
    n = tact_vec3_add(tact_vec3_scale(sign, n), tact_vec3_scale(off, turn));
    if (off > 0) {
        n = tact_vec3_scale(1 / tact_vec3_norm(n), n);
    }
    if (maker->still || maker->out->truth != NASTY_PLANTED) {
        TactVec3 shift = tact_vec3_scale(off * maker->length, random_unit(maker));
        point = tact_vec3_add(point, shift);
    }
    make_contact(maker, first->a, first->b, point, n);
}

static void make_contacts(Maker *maker)
{
    Nasty *out = maker->out;
    int    bodies = out->problem.body_count;
    int    wanted = 1 + below(maker, maker->small ? 3 : NASTY_CONTACTS - 3);
    while (out->problem.contact_count < wanted) {
        int a = below(maker, bodies + 1) - 1, b = below(maker, bodies);
        a = a == b ? -1 : a;
        TactVec3 way = random_unit(maker);
        TactVec3 reach = tact_vec3_scale(maker->length * decades(maker, -2, 0), way);
        TactVec3 point = tact_vec3_add(get(out->bodies[b].position), reach);
        TactVec3 u = relative(out, a, b, point), n = across(maker, u);
        bool     apart = out->truth == NASTY_PLANTED && below(maker, 6) == 0;
        int      first = out->problem.contact_count;
        make_contact(maker, a, b, point, apart ? random_unit(maker) : n);
        for (int twins = below(maker, 3);
             twins > 0 && out->problem.contact_count < NASTY_CONTACTS - 1; twins--) {
            make_twin(maker, first);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Rows

/// J v+ of a row
static double row_velocity(const Nasty *nasty, const TactContactRow *row)
{
    double u = 0;
    for (int k = 0; k < 6; k++) {
        u += row->a >= 0 ? row->J_a[k] * nasty->velocity[6 * row->a + k] : 0;
        u += row->b >= 0 ? row->J_b[k] * nasty->velocity[6 * row->b + k] : 0;
    }
    return u;
}

static void make_row(Maker *maker)
{
    Nasty          *out = maker->out;
    int             i = out->problem.row_count++, bodies = out->problem.body_count;
    TactContactRow *row = &out->rows[i];
    bool            planted = out->truth == NASTY_PLANTED;
    *row = (TactContactRow){0};
    row->kind = (TactContactRowKind)below(maker, 3);
    row->a = below(maker, bodies + 1) - 1;
    row->b = below(maker, bodies);
    row->a = row->a == row->b ? -1 : row->a;
    TactVec3 axis = random_unit(maker), arm = tact_vec3_scale(maker->length, random_unit(maker));
    TactVec3 turn = tact_vec3_cross(arm, axis);
    put(axis, row->J_b);
    put(turn, row->J_b + 3);
    put(tact_vec3_scale(-1, axis), row->J_a);
    put(tact_vec3_scale(-1, turn), row->J_a + 3);
    double load = momentum(maker, row->a, row->b) * decades(maker, -3, 2), h = out->problem.step;
    double sign = below(maker, 2) ? 1 : -1, p = 0;
    row->target = planted ? row_velocity(out, row) : 0;
    if (row->kind == TACT_ROW_BILATERAL) {
        p = sign * load;
    } else if (row->kind == TACT_ROW_UNILATERAL) {
        bool open = below(maker, 3) == 0;
        p = open ? 0 : load;
        row->target -= open && planted ? maker->speed : 0;
    } else {
        bool strained = below(maker, 2) == 0; // at its bound, and the target out of reach
        row->force_max = load / h * (strained ? 1 : 2);
        p = strained ? sign * h * row->force_max : sign * load;
        row->target += strained && planted ? sign * maker->speed : 0;
    }
    out->row_impulse[i] = planted ? p : 0;
}

/// The last row once more, or twice of it.
static void make_redundant(Maker *maker)
{
    Nasty                *out = maker->out;
    int                   i = out->problem.row_count++;
    const TactContactRow *first = &out->rows[i - 1];
    TactContactRow       *row = &out->rows[i];
    double                times = below(maker, 2) ? 1 : 2;
    *row = *first;
    for (int k = 0; k < 6; k++) {
        row->J_a[k] *= times;
        row->J_b[k] *= times;
    }
    row->target *= times;
    out->row_impulse[i] = 0;
}

static void make_rows(Maker *maker)
{
    Nasty *out = maker->out;
    int    wanted = below(maker, 3) == 0 ? 1 + below(maker, 3) : 0;
    for (int k = 0; k < wanted && out->problem.row_count < NASTY_ROWS - 2; k++) {
        make_row(maker);
        if (out->rows[out->problem.row_count - 1].kind == TACT_ROW_BILATERAL &&
            below(maker, 3) == 0) {
            make_redundant(maker);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Truth

/// Two walls that both ask for room, or two rows with two targets.
static void contradict(Maker *maker)
{
    Nasty *out = maker->out;
    double part = maker->small ? decades(maker, -5, 0) : 1;
    bool   walls = below(maker, 2) == 0;
    if (!walls && out->problem.row_count == 0) {
        make_row(maker); // its motion counts as well
    }
    double most = part * fmax(nasty_fastest(out), maker->speed);
    if (walls) {
        TactContact *last = &out->contacts[out->problem.contact_count - 1];
        TactContact *twin = &out->contacts[out->problem.contact_count++];
        last->bias = -most;
        last->compliance = 0;
        *twin = *last;
        for (int k = 0; k < 3; k++) {
            twin->normal[k] = -last->normal[k];
        }
        twin->id = (uint64_t)out->problem.contact_count;
    } else {
        TactContactRow *last = &out->rows[out->problem.row_count - 1];
        last->kind = TACT_ROW_BILATERAL;
        out->rows[out->problem.row_count] = *last;
        out->rows[out->problem.row_count++].target += most;
    }
}

/// Forces that make the planted answer one; in long double, then rounded.
static void apply_forces(Maker *maker)
{
    Nasty      *out = maker->out;
    double      h = out->problem.step;
    long double push[NASTY_DOF] = {0};
    for (int i = 0; i < out->problem.contact_count; i++) {
        const TactContact *contact = &out->contacts[i];
        double             frame[3][3];
        tact_contact_compute_frame(contact, frame);
        for (int side = 0; side < 2; side++) {
            int body = side ? contact->b : contact->a;
            if (body < 0) {
                continue;
            }
            long double r[3], f[3] = {0};
            for (int k = 0; k < 3; k++) {
                r[k] = (long double)contact->point[k] - out->bodies[body].position[k];
                for (int c = 0; c < 3; c++) {
                    f[k] += (side ? 1 : -1) * (long double)frame[c][k] * out->impulse[3 * i + c];
                }
            }
            for (int k = 0; k < 3; k++) {
                int m = (k + 1) % 3, n = (k + 2) % 3;
                push[6 * body + k] += f[k];
                push[6 * body + 3 + k] += r[m] * f[n] - r[n] * f[m];
            }
        }
    }
    for (int i = 0; i < out->problem.row_count; i++) {
        const TactContactRow *row = &out->rows[i];
        for (int k = 0; k < 6; k++) {
            long double p = out->row_impulse[i];
            push[6 * (row->a >= 0 ? row->a : 0) + k] += row->a >= 0 ? row->J_a[k] * p : 0;
            push[6 * (row->b >= 0 ? row->b : 0) + k] += row->b >= 0 ? row->J_b[k] * p : 0;
        }
    }
    for (int k = 0; k < out->problem.body_count; k++) {
        TactContactBody *body = &out->bodies[k];
        const double    *I = body->inertia, *after = out->velocity + 6 * k;
        long double      dw[3], spin[3], gained[3];
        const int        at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
        for (int i = 0; i < 3; i++) {
            dw[i] = (long double)after[3 + i] - body->omega[i];
            spin[i] = 0;
            for (int j = 0; j < 3; j++) {
                spin[i] += (long double)I[at[i][j]] * body->omega[j];
            }
        }
        for (int i = 0; i < 3; i++) {
            int m = (i + 1) % 3, n = (i + 2) % 3;
            gained[i] = 0;
            for (int j = 0; j < 3; j++) {
                gained[i] += I[at[i][j]] * dw[j];
            }
            long double dv = (long double)after[i] - body->velocity[i];
            body->force[i] = (double)((body->mass * dv - push[6 * k + i]) / h);
            body->torque[i] = (double)((gained[i] - push[6 * k + 3 + i]) / h +
                                       (body->omega[m] * spin[n] - body->omega[n] * spin[m]));
        }
    }
}

/// Forces of a problem that has none planted: pushed as hard as it moves, or not.
static void push_freely(Maker *maker)
{
    Nasty *out = maker->out;
    for (int k = 0; k < out->problem.body_count; k++) {
        TactContactBody *body = &out->bodies[k];
        double           most = body->mass * maker->speed / out->problem.step;
        int              pushed = below(maker, 3);
        for (int i = 0; i < 3; i++) {
            body->force[i] = pushed > 0 ? most * uniform(maker, -1, 1) : 0;
            body->torque[i] = pushed > 1 ? most * maker->length * uniform(maker, -0.1, 0.1) : 0;
        }
    }
}

static void make(uint64_t seed, bool small, Nasty *nasty)
{
    Maker maker = {.random = tact_random_seed(seed), .out = nasty, .small = small};
    memset(nasty, 0, sizeof *nasty);
    maker.mild = small && below(&maker, 16) > 0;
    // One in 32 (256) has no answer: those take all that a method can try.
    int kind = small && below(&maker, 8) > 0 ? 1 + below(&maker, 31) : below(&maker, 32);
    nasty->truth = kind == 0 ? NASTY_NONE : kind < 20 ? NASTY_PLANTED : NASTY_FREE;
    maker.length = decades(&maker, maker.mild ? -1 : -6, maker.mild ? 1 : 6);
    maker.speed = decades(&maker, maker.mild ? -1 : -3, maker.mild ? 1 : 3);
    maker.still = below(&maker, 2) == 0;
    nasty->problem.step = decades(&maker, -4, -2);
    nasty->problem.body_count = 1 + below(&maker, small ? 2 : NASTY_BODIES);
    for (int k = 0; k < nasty->problem.body_count; k++) {
        make_body(&maker, k);
    }
    make_contacts(&maker);
    make_rows(&maker);
    if (nasty->truth == NASTY_PLANTED) {
        apply_forces(&maker);
    } else {
        push_freely(&maker);
    }
    if (nasty->truth == NASTY_NONE) {
        contradict(&maker);
    }
    static const NastyForm forms[] = {NASTY_BY_BODIES, NASTY_BY_BODIES, NASTY_BY_BODIES, NASTY_BY_M,
                                      NASTY_BY_W};
    NastyForm              form = forms[below(&maker, 5)];
    nasty_set_form(nasty, form == NASTY_BY_W && nasty->problem.row_count > 0 ? NASTY_BY_M : form);
}

void nasty_make(uint64_t seed, Nasty *nasty)
{
    make(seed, false, nasty);
}

void nasty_make_small(uint64_t seed, Nasty *nasty)
{
    make(seed, true, nasty);
}
