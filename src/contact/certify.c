// The certificate: what an answer is worth, recomputed from the raw problem.
#include "contact/certify.h"

#include <math.h>

#include "base/status.h"
#include "contact/frame.h"

// A contact slides, and is loaded, where slip and friction are above this part of its scale.
static const double SLIDES_FROM = 1e-6;

// Impulses that do so many times more than the velocity at a contact hide it in their rounding.
static const double SWALLOWS = 1e6;

/// b if one of them is NaN.
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double norm3(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// ---------------------------------------------------------------------------------------------
// Contacts

/// One contact: what it is asked and what it does.
typedef struct Contact {
    const TactContact *raw;
    TactCertifyCone    cone;
    const double      *p;
    TactCertifyEdge    edge;   // that friction points at
    double             size;   // |p|
    double             u[3];   // u_n with bias, restitution and compliance; u_t with surface
    double             w;      // (7)
    double             scale;  // (8)
    double             motion; // (13)
    double             floor;  // (13)
    bool               dynamic;
    double             direction[2]; // of the sliding velocity, if friction is dynamic
} Contact;

/// Residuals and scales of the contacts, or of the rows, and what moves them.
typedef struct Judge {
    TactCertifier          *certifier;
    TactContactCertificate *out;
    double                  motion; // the largest (13)
} Judge;

/// scale is (8) with what the item itself carries and is asked for, motion (13) likewise.
static void judge(Judge *judge, int index, double residual, double scale, double motion,
                  double floor)
{
    judge->certifier->residual[index] = residual;
    judge->certifier->scale[index] = scale;
    judge->certifier->floor[index] = floor;
    judge->motion = larger(judge->motion, motion);
}

/// (12) with (13).
static void judge_all(const Judge *judge, int first, int count)
{
    const TactCertifier *certifier = judge->certifier;
    double               least = TACT_CERTIFY_ROUNDING * judge->motion;
    double               most = TACT_CERTIFY_AMPLIFY * judge->motion;
    for (int i = first; i < first + count; i++) {
        if (certifier->residual[i] != 0) {
            double scale = certifier->scale[i] + least;
            scale = (scale < most ? scale : most) + certifier->floor[i];
            tact_certify_raise(certifier->residual[i] / scale, i, &judge->out->error,
                               &judge->out->worst);
        }
    }
}

/// What the problem adds to u_n before any impulse: bias, and restitution of approaching contacts.
static double added_normal(const TactCertifyInput *input, int i, double *size)
{
    const TactContact *contact = &input->problem->contacts[i];
    double             added = contact->bias;
    *size = fabs(contact->bias);
    if (contact->restitution > 0) {
        double before[3], most[3];
        tact_contact_velocity(input->problem, i, before, most);
        if (before[0] < 0) {
            added += contact->restitution * before[0];
            *size -= contact->restitution * before[0];
        }
    }
    return added;
}

/// (9): Coulomb's law as a complementarity of cones, and the distance of p from the projection.
/// Impulses beyond all velocities would swallow them: there the law depends on the direction of p
/// only, which is taken shorter, and p itself must be in the cone.
static double static_residual(const Contact *contact)
{
    const double *p = contact->p;
    const double *u = contact->u;
    double        lift = contact->cone.mu * tact_certify_support(&contact->cone, u + 1);
    double        asked[3] = {u[0] + lift, u[1], u[2]};
    double        most = SWALLOWS * norm3(asked), push = contact->w * contact->size;
    double        part = push > most ? most / push : 1;
    double        x[3], own[3], miss[3], beyond = 0;
    for (int k = 0; k < 3; k++) {
        x[k] = part * p[k] - asked[k] / contact->w;
        own[k] = p[k];
    }
    tact_certify_project(&contact->cone, x);
    for (int k = 0; k < 3; k++) {
        miss[k] = part * p[k] - x[k];
    }
    if (part < 1) {
        tact_certify_project(&contact->cone, own);
        double off[3] = {p[0] - own[0], p[1] - own[1], p[2] - own[2]};
        beyond = contact->w * norm3(off);
    }
    return larger(contact->w * norm3(miss), beyond);
}

/// (10): friction of a contact that slides already is -mu p_n along its velocity.
static double dynamic_residual(const Contact *contact)
{
    const double *p = contact->p;
    double        friction = contact->raw->mu * p[0];
    double        miss[3] = {
               fmin(p[0], contact->u[0] / contact->w),
               p[1] + friction * contact->direction[0],
               p[2] + friction * contact->direction[1],
    };
    return contact->w * norm3(miss);
}

static void measure_slip(const Contact *contact, TactContactCertificate *out)
{
    const double *p = contact->p;
    double        friction = contact->w * contact->raw->mu * p[0];
    double        speed = sqrt(contact->u[1] * contact->u[1] + contact->u[2] * contact->u[2]);
    const double *slip = contact->dynamic ? contact->direction : contact->u + 1;
    bool          slides = contact->dynamic || speed > SLIDES_FROM * contact->scale;
    if (!slides || !(friction > SLIDES_FROM * contact->scale)) {
        return;
    }
    TactCertifyCone circle = {.mu = contact->raw->mu, .stretch = 1};
    double          angle = 1.5707963267948966; // nothing opposes the slip
    if (p[1] != 0 || p[2] != 0) {
        angle = tact_certify_slip_angle(contact->dynamic ? &circle : &contact->cone, &contact->edge,
                                        p + 1, slip);
    }
    out->slip_angle = larger(angle, out->slip_angle);
}

static void measure_contact(const Contact *contact, int i, Judge *all)
{
    TactContactCertificate *out = all->out;
    const double           *p = contact->p;
    out->approach = larger(out->approach, -contact->u[0]);
    out->pull = larger(out->pull, -p[0]);
    out->complementarity = larger(out->complementarity, p[0] * fabs(contact->u[0]));
    out->cone_excess =
        larger(out->cone_excess, tact_certify_excess(&contact->cone, &contact->edge, p));
    measure_slip(contact, out);

    double residual = contact->dynamic ? dynamic_residual(contact) : static_residual(contact);
    judge(all, i, residual, contact->scale, contact->motion, contact->floor);
}

/// Without impulse all that is asked of a contact is that it does not approach.
static void certify_unloaded(const TactCertifier *certifier, const TactCertifyForm *form,
                             const TactCertifyInput *input, int i, Judge *all)
{
    double size;
    double added = added_normal(input, i, &size);
    double approach = -(form->normal(certifier, input, i) + added);
    all->certifier->residual[i] = 0;
    if (approach > 0) {
        TactCertifyScale scale;
        form->scale(certifier, input, i, &scale);
        all->out->approach = larger(approach, all->out->approach);
        judge(all, i, approach, scale.others + TACT_CERTIFY_OTHERS * size, scale.motion + size,
              scale.floor);
    }
}

static void certify_loaded(TactCertifier *certifier, const TactCertifyForm *form,
                           const TactCertifyInput *input, int i, Judge *all)
{
    const TactContact *raw = &input->problem->contacts[i];
    const double      *p = input->impulse + 3 * (size_t)i;
    Contact            contact; // field by field: clearing it first takes longer than all of this
    TactCertifyScale   scale;
    double             size;
    double             added = added_normal(input, i, &size);
    form->scale(certifier, input, i, &scale);
    form->velocity(certifier, input, i, contact.u);
    contact.u[0] += added + raw->compliance * p[0];
    for (int k = 1; k < 3; k++) {
        double surface = tact_contact_surface(input->problem, i, k);
        contact.u[k] += surface;
        size += fabs(surface);
    }
    contact.raw = raw;
    contact.p = p;
    contact.size = norm3(p);
    contact.cone = tact_certify_cone(certifier, input->cone, raw);
    tact_certify_edge(&contact.cone, p + 1, &contact.edge);
    contact.w = scale.weight + raw->compliance / 3;
    if (contact.w == 0) {
        contact.w = 1; // nothing moves it, whatever its impulse
    }
    contact.scale = contact.w * contact.size + scale.others + TACT_CERTIFY_OTHERS * size;
    contact.motion = scale.motion + size;
    contact.floor = scale.floor;
    contact.dynamic = input->problem->level == TACT_CONTACT_ACCELERATION &&
                      tact_contact_slides(input->problem, i, contact.direction);
    measure_contact(&contact, i, all);
}

// ---------------------------------------------------------------------------------------------
// Rows

static double middle(double lo, double x, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

static void certify_row(TactCertifier *certifier, const TactCertifyForm *form,
                        const TactCertifyInput *input, int i, Judge *all)
{
    const TactContactRow *row = &input->problem->rows[i];
    TactCertifyScale      own = form->row_scale(certifier, input, i);
    double                w = own.weight > 0 ? own.weight : 1;
    double                p = w * input->row_impulse[i];
    double                target = row->target - row->zeta * row->error / input->h;
    double                u = form->row_velocity(input, i) - target;
    double                residual = fabs(u); // (11)
    if (row->kind == TACT_CONTACT_UNILATERAL) {
        residual = fabs(fmin(p, u));
    } else if (row->kind == TACT_CONTACT_MOTOR) {
        double bound = w * input->h * row->force_max;
        residual = fabs(middle(p - bound, u, p + bound));
    }
    double scale = fabs(p) + own.others + TACT_CERTIFY_OTHERS * fabs(target);
    all->out->row_error = fmax(all->out->row_error, residual);
    judge(all, input->problem->contact_count + i, residual, scale, own.motion + fabs(target),
          own.floor);
}

// ---------------------------------------------------------------------------------------------
// The whole

/// First entry that is not finite; -1: none.
static int find_unfinite(const double *x, int count)
{
    double sum[4] = {0, 0, 0, 0}; // stay 0 while all are finite
    int    whole = count / 4 * 4;
    for (int i = 0; i < whole; i += 4) {
        for (int k = 0; k < 4; k++) {
            sum[k] += x[i + k] * 0.0;
        }
    }
    for (int i = whole; i < count; i++) {
        sum[0] += x[i] * 0.0;
    }
    bool finite = (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0;
    for (int i = 0; i < count && !finite; i++) {
        if (!isfinite(x[i])) {
            return i;
        }
    }
    return -1;
}

/// A NaN or an infinity in the answer spoils all of it.
static bool is_finite(const TactCertifyInput *input, TactContactCertificate *out)
{
    const TactContactProblem *problem = input->problem;
    int                       contact = find_unfinite(input->impulse, 3 * problem->contact_count);
    int                       row = find_unfinite(input->row_impulse, problem->row_count);
    int                       dof = find_unfinite(input->velocity, tact_contact_dof(problem));
    if (contact < 0 && row < 0 && dof < 0) {
        return true;
    }
    *out = (TactContactCertificate){HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL,
                                    HUGE_VAL, HUGE_VAL, HUGE_VAL, -1};
    out->worst = contact >= 0 ? contact / 3
                 : row >= 0   ? problem->contact_count + row
                              : problem->contact_count + problem->row_count + dof;
    return false;
}

static void layout_points(TactCertifyPoints *points, size_t count, TactArena *arena)
{
    points->normal = tact_arena_take(arena, count, sizeof(double));
    points->weight = tact_arena_take(arena, count, sizeof(double));
    points->others = tact_arena_take(arena, count, sizeof(double));
    points->motion = tact_arena_take(arena, count, sizeof(double));
}

void tact_certifier_layout(TactCertifier *certifier, const TactContactCapacity *capacity,
                           TactArena *arena)
{
    size_t        dof = (size_t)capacity->dof;
    size_t        items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactCertifier sized = {0};
    sized.bodies = tact_arena_take(arena, dof / 6, sizeof *sized.bodies);
    sized.u = tact_arena_take(arena, (size_t)capacity->contacts, sizeof *sized.u);
    sized.impulse = tact_arena_take(arena, dof, sizeof(double));
    sized.rest = tact_arena_take(arena, dof, sizeof(double));
    sized.load = tact_arena_take(arena, dof, sizeof(double));
    sized.given = tact_arena_take(arena, dof, sizeof(double));
    sized.before = tact_arena_take(arena, dof, sizeof(double));
    sized.gain = tact_arena_take(arena, dof, sizeof(double));
    sized.speed = tact_arena_take(arena, dof, sizeof(double));
    sized.inverse = tact_arena_take(arena, dof, sizeof(double));
    sized.others = tact_arena_take(arena, dof, sizeof(double));
    sized.motion = tact_arena_take(arena, dof, sizeof(double));
    sized.last = tact_arena_take(arena, dof, sizeof(int));
    layout_points(&sized.points, (size_t)capacity->contacts + 3, arena);
    sized.residual = tact_arena_take(arena, items, sizeof(double));
    sized.scale = tact_arena_take(arena, items, sizeof(double));
    sized.floor = tact_arena_take(arena, items, sizeof(double));
    if (arena->block) {
        *certifier = sized;
    }
}

/// Does a row ask for motion?
static bool is_driven(const TactContactProblem *problem)
{
    for (int i = 0; i < problem->row_count; i++) {
        const TactContactRow *row = &problem->rows[i];
        if (row->target != 0 || row->zeta * row->error != 0) {
            return true;
        }
    }
    return false;
}

void tact_certifier_run(TactCertifier *certifier, const TactContactProblem *problem,
                        TactContactCone cone, const double *impulse, const double *row_impulse,
                        const double *velocity, TactContactCertificate *certificate)
{
    const TactCertifyForm *form = problem->W   ? &tact_certify_delassus
                                  : problem->M ? &tact_certify_mechanism
                                               : &tact_certify_bodies;
    TactCertifyInput       input = {
              .problem = problem,
              .cone = cone,
              .impulse = impulse,
              .row_impulse = row_impulse,
              .velocity = velocity,
              .h = problem->level == TACT_CONTACT_VELOCITY ? problem->step : 1,
              .driven = is_driven(problem),
    };
    TactContactCertificate out = {.worst = -1};
    if (!is_finite(&input, &out)) {
        *certificate = out;
        return;
    }
    Judge contacts = {.certifier = certifier, .out = &out};
    Judge rows = contacts;
    int   dof = -1;
    form->begin(certifier, &input, &out.dynamics, &out.error, &dof);
    if (dof >= 0) {
        out.worst = problem->contact_count + problem->row_count + dof;
    }
    if (form->points) {
        form->points(certifier, &input);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        if (tact_certify_is_loaded(impulse + 3 * (size_t)i)) {
            certify_loaded(certifier, form, &input, i, &contacts);
        } else {
            certify_unloaded(certifier, form, &input, i, &contacts);
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        certify_row(certifier, form, &input, i, &rows);
    }
    judge_all(&contacts, 0, problem->contact_count);
    judge_all(&rows, problem->contact_count, problem->row_count);
    *certificate = out;
}

TactStatus tact_contact_certify(const TactContactProblem *problem, TactContactCone cone,
                                const double *impulse, const double *row_impulse,
                                const double *velocity, TactContactCertificate *certificate)
{
    TACT_TRY(tact_contact_check(problem));
    if (!certificate || (!impulse && problem->contact_count > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "impulse or certificate is NULL");
    }
    if (!row_impulse && problem->row_count > 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "row_impulse is NULL, but there are %d rows",
                         problem->row_count);
    }
    if (!velocity && tact_contact_dof(problem) > 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "velocity is NULL, and only W can do without");
    }
    if (cone != TACT_CONTACT_PYRAMID && cone != TACT_CONTACT_CIRCLE &&
        cone != TACT_CONTACT_BOX_CONE) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no cone %d", (int)cone);
    }
    TactCertifier       certifier = {0};
    TactArena           arena = {0};
    TactContactCapacity capacity = tact_contact_capacity(problem);
    tact_certifier_layout(&certifier, &capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_certifier_layout(&certifier, &capacity, &arena);
    tact_certifier_run(&certifier, problem, cone, impulse, row_impulse, velocity, certificate);
    tact_arena_destroy(&arena);
    return TACT_OK;
}
