#include "oracle/contact_proof.h"

#include <string.h>

const char *const contact_proof_parts[PROOF_PARTS] = {"dynamics", "approach", "cone",  "opposes",
                                                      "rows",     "work",     "energy"};

// Numbers of the theory page: shares of what all forces do, and of the motion, in a scale (8);
// rounding (12); how far impulses that hold each other may excuse a miss (12), and work (14).
static const double PHI = 1e-2, PSI = 1e-3, ROUNDING = 1e-5, EXCUSED = 100, WORK = 1e4;
static const double PI = 3.14159265358979323846;

// Bounds are computed in doubles, and doubles round.
static const double SLACK = 1 + 1e-6;

typedef struct Proof {
    const TactContactProblem *problem;
    TactContactCone           cone;
    const ContactAnswer      *answer;
    const ContactFacts       *facts;
    double                    tol, h;
    int                       nv, n;
    bool                      driven;
    bool                      low; // the answer has a low part
    double                    J[3 * FACTS_CONTACTS + FACTS_ROWS][FACTS_DOF]; // rounded
    double                    inverse[FACTS_DOF][3]; // rows of I^-1, of angular coordinates
    double push[FACTS_DOF];  // h |f| + sum |J'p| of a half of a body (bodies) or of a dof
    double twist[FACTS_DOF]; // bodies: sum |I^-1 torque|, of angular coordinates
    double given[FACTS_DOF]; // free velocity changes: h |f| / m, h |I^-1 tau|; motors included
    double after[FACTS_DOF], before[FACTS_DOF]; // speeds of halves, or |v_k|
    int    island[FACTS_CONTACTS + FACTS_DOF];  // label of a body, of a contact given by W
    double energy[FACTS_CONTACTS + FACTS_DOF];  // of an island: what gains are held against
    double gain[FACTS_CONTACTS + FACTS_DOF];    // of an island, beyond what is given
    double motion[2];                           // fastest contact, and row: (12)
    ContactProof out;
} Proof;

static void raise(Proof *proof, ProofPart part, double value, double bound)
{
    double ratio = value <= 0 ? 0 : value / (SLACK * bound);
    if (!(ratio <= proof->out.ratio[part])) {
        proof->out.ratio[part] = ratio == ratio ? ratio : HUGE_VAL;
    }
}

static double norm3(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// ---------------------------------------------------------------------------------------------
// Bodies: what moves them

static const int AT[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

static void invert(const double I[6], double out[3][3])
{
    double determinant = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int m = (i + 1) % 3, l = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
            out[i][j] = I[AT[m][p]] * I[AT[l][q]] - I[AT[m][q]] * I[AT[l][p]];
        }
        determinant += i == 0 ? I[0] * out[0][0] + I[3] * out[0][1] + I[4] * out[0][2] : 0;
    }
    for (int i = 0; i < 9; i++) {
        (&out[0][0])[i] /= determinant;
    }
}

/// |I^-1 x| of a body
static double twist_of(const Proof *proof, int body, const double x[3])
{
    double y[3];
    for (int i = 0; i < 3; i++) {
        const double *row = proof->inverse[6 * body + 3 + i];
        y[i] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
    }
    return norm3(y);
}

static void begin_body(Proof *proof, int b)
{
    const TactContactBody *body = &proof->problem->bodies[b];
    const double          *v = proof->answer->velocity + 6 * b;
    double                 inverse[3][3], spin[3], torque[3], h = proof->h;
    invert(body->inertia, inverse);
    memcpy(proof->inverse[6 * b + 3], inverse, sizeof inverse);
    for (int i = 0; i < 3; i++) {
        const double *I = body->inertia, *w = body->omega;
        spin[i] = I[AT[i][0]] * w[0] + I[AT[i][1]] * w[1] + I[AT[i][2]] * w[2];
    }
    for (int i = 0; i < 3; i++) {
        int m = (i + 1) % 3, l = (i + 2) % 3;
        torque[i] = body->torque[i] - (body->omega[m] * spin[l] - body->omega[l] * spin[m]);
    }
    proof->push[6 * b] = h * norm3(body->force);
    proof->push[6 * b + 3] = h * (norm3(body->torque) + norm3(body->omega) * norm3(spin));
    proof->twist[6 * b + 3] = h * twist_of(proof, b, torque);
    proof->given[6 * b] = proof->push[6 * b] / body->mass;
    proof->given[6 * b + 3] = proof->twist[6 * b + 3];
    proof->before[6 * b] = norm3(body->velocity);
    proof->before[6 * b + 3] = norm3(body->omega);
    proof->after[6 * b] = norm3(v);
    proof->after[6 * b + 3] = norm3(v + 3);
}

/// Impulse p on row i, as a force and a torque on a body.
static void load_body(Proof *proof, int b, const double x[6], bool given)
{
    double twist = twist_of(proof, b, x + 3), mass = proof->problem->bodies[b].mass;
    proof->push[6 * b] += norm3(x);
    proof->push[6 * b + 3] += norm3(x + 3);
    proof->twist[6 * b + 3] += twist;
    if (given) {
        proof->given[6 * b] += norm3(x) / mass;
        proof->given[6 * b + 3] += twist;
    }
}

static void load_bodies(Proof *proof)
{
    const TactContactProblem *problem = proof->problem;
    for (int i = 0; i < problem->contact_count + problem->row_count; i++) {
        bool contact = i < problem->contact_count;
        int  row = contact ? 3 * i : proof->n + (i - problem->contact_count);
        int  count = contact ? 3 : 1;
        bool given = !contact && problem->rows[i - problem->contact_count].kind == TACT_ROW_MOTOR;
        for (int b = 0; b < problem->body_count; b++) {
            double x[6] = {0}, size = 0;
            for (int k = 0; k < 6; k++) {
                for (int c = 0; c < count; c++) {
                    double p = contact ? proof->answer->impulse[row + c]
                                       : proof->answer->row_impulse[row - proof->n];
                    x[k] += proof->J[row + c][6 * b + k] * p;
                }
                size += fabs(x[k]);
            }
            if (size > 0) {
                load_body(proof, b, x, given);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Set-up

static void fill_jacobian(Proof *proof)
{
    const TactContactProblem *problem = proof->problem;
    for (int i = 0; i < proof->n + problem->row_count && !problem->W; i++) {
        double *J = proof->J[i];
        memset(J, 0, (size_t)proof->nv * sizeof *J);
        bool contact = i < proof->n;
        if (problem->M) {
            memcpy(J,
                   contact ? problem->contacts[i / 3].J + (size_t)(i % 3) * (size_t)proof->nv
                           : problem->rows[i - proof->n].J,
                   (size_t)proof->nv * sizeof *J);
            continue;
        }
        const TactContactRow *row = contact ? NULL : &problem->rows[i - proof->n];
        const TactContact    *raw = contact ? &problem->contacts[i / 3] : NULL;
        double                frame[3][3];
        if (contact) {
            tact_contact_compute_frame(raw, frame);
        }
        for (int side = 0; side < 2; side++) {
            int           b = contact ? (side ? raw->b : raw->a) : side ? row->b : row->a;
            const double *part = contact ? NULL : side ? row->J_b : row->J_a;
            for (int k = 0; k < 3 && b >= 0; k++) {
                int m = (k + 1) % 3, l = (k + 2) % 3;
                if (contact) {
                    const double *x = problem->bodies[b].position, *axis = frame[i % 3];
                    double        r_m = raw->point[m] - x[m], r_l = raw->point[l] - x[l];
                    double        turn = r_m * axis[l] - r_l * axis[m];
                    J[6 * b + k] = side ? axis[k] : -axis[k];
                    J[6 * b + 3 + k] = side ? turn : -turn;
                } else {
                    J[6 * b + k] = part[k];
                    J[6 * b + 3 + k] = part[3 + k];
                }
            }
        }
    }
}

static int root(const Proof *proof, int k)
{
    while (proof->island[k] != k) {
        k = proof->island[k];
    }
    return k;
}

static void join(Proof *proof, int a, int b)
{
    if (a >= 0 && b >= 0) {
        a = root(proof, a);
        b = root(proof, b);
        proof->island[a > b ? a : b] = a > b ? b : a;
    }
}

static bool loaded(const Proof *proof, int contact)
{
    const double *p = proof->answer->impulse + 3 * contact;
    return p[0] != 0 || p[1] != 0 || p[2] != 0;
}

/// Bodies that impulses couple; a mechanism and a W are taken as one.
static void find_islands(Proof *proof)
{
    const TactContactProblem *problem = proof->problem;
    for (int k = 0; k < problem->body_count; k++) {
        proof->island[k] = k;
    }
    for (int i = 0; i < problem->contact_count && problem->bodies; i++) {
        if (loaded(proof, i)) {
            join(proof, problem->contacts[i].a, problem->contacts[i].b);
        }
    }
    for (int i = 0; i < problem->row_count && problem->bodies; i++) {
        if (proof->answer->row_impulse[i] != 0) {
            join(proof, problem->rows[i].a, problem->rows[i].b);
        }
    }
}

/// Island of a contact, or contact_count + row.
static int island_of(const Proof *proof, int i)
{
    const TactContactProblem *problem = proof->problem;
    if (!problem->bodies) {
        return 0;
    }
    bool contact = i < problem->contact_count;
    int  a = contact ? problem->contacts[i].a : problem->rows[i - problem->contact_count].a;
    int  b = contact ? problem->contacts[i].b : problem->rows[i - problem->contact_count].b;
    return a >= 0 || b >= 0 ? root(proof, b >= 0 ? b : a) : -1;
}

static void begin(Proof *proof)
{
    const TactContactProblem *problem = proof->problem;
    fill_jacobian(proof);
    for (int b = 0; b < problem->body_count && problem->bodies; b++) {
        begin_body(proof, b);
    }
    if (problem->bodies) {
        load_bodies(proof);
    }
    for (int k = 0; k < proof->nv && problem->M; k++) {
        proof->push[k] = proof->h * fabs(problem->tau[k]);
        proof->given[k] = proof->push[k];
        proof->before[k] = fabs(problem->v[k]);
        proof->after[k] = fabs(proof->answer->velocity[k]);
        for (int i = 0; i < proof->n + problem->row_count; i++) {
            bool   contact = i < proof->n;
            double p =
                contact ? proof->answer->impulse[i] : proof->answer->row_impulse[i - proof->n];
            double part = fabs(proof->J[i][k] * p);
            proof->push[k] += part;
            bool motor = !contact && problem->rows[i - proof->n].kind == TACT_ROW_MOTOR;
            proof->given[k] += motor ? part : 0;
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        const TactContactRow *row = &problem->rows[i];
        proof->driven = proof->driven || row->target != 0 || row->zeta * row->error != 0;
    }
    find_islands(proof);
}

// ---------------------------------------------------------------------------------------------
// Scales

/// Scales of a contact or row in m/s: its weight w (7), what its residual is held against (8), how
/// it moves without contact forces, and of a mechanism what the energy of the whole could do (13).
typedef struct Scale {
    double w, s, motion, floor;
} Scale;

static Scale scale_by_bodies(const Proof *proof, int first, int count, const double *p)
{
    Scale out = {0, 0, 0, 0};
    for (int b = 0; b < proof->problem->body_count; b++) {
        double size[2] = {0, 0}, own[6] = {0}, v_c[2] = {0, 0},
               mass = proof->problem->bodies[b].mass;
        for (int c = 0; c < count; c++) {
            const double *J = proof->J[first + c] + 6 * b;
            double        angular[3];
            size[0] = fmax(size[0], norm3(J));
            size[1] = count == 3 ? size[1] + J[3] * J[3] + J[4] * J[4] + J[5] * J[5] : norm3(J + 3);
            double now = 0, then = 0;
            for (int k = 0; k < 3; k++) {
                const double *row = proof->inverse[6 * b + 3 + k];
                angular[k] = row[0] * J[3] + row[1] * J[4] + row[2] * J[5];
                own[k] += J[k] / mass * p[c];
                own[3 + k] += angular[k] * p[c];
            }
            for (int k = 0; k < 6; k++) {
                const TactContactBody *body = &proof->problem->bodies[b];
                now += J[k] * proof->answer->velocity[6 * b + k];
                then += J[k] * (k < 3 ? body->velocity[k] : body->omega[k - 3]);
                out.w += J[k] * (k < 3 ? J[k] / mass : angular[k - 3]) / count;
            }
            v_c[0] += then * then;
            v_c[1] += now * now;
        }
        if (size[0] == 0 && size[1] == 0) {
            continue;
        }
        // |r|^2 is half the sum of the squares of r x axis over three axes.
        double        r = count == 3 ? sqrt(size[1] / 2) : size[1], l = size[0];
        const double *push = proof->push + 6 * b, *twist = proof->twist + 6 * b;
        const double *after = proof->after + 6 * b, *before = proof->before + 6 * b;
        const double *given = proof->given + 6 * b;
        double moved[3] = {0}, fast = l * (before[0] + after[0]) + r * (before[3] + after[3]);
        for (int c = 0; c < count; c++) {
            for (int k = 0; k < 6; k++) {
                moved[c] += proof->J[first + c][6 * b + k] * own[k];
            }
        }
        out.s += norm3(moved) + PHI * (l * push[0] / mass + r * twist[3]);
        out.s += PSI * (count == 3 ? sqrt(v_c[0] + v_c[1]) : fast) + ROUNDING * fast;
        out.motion += l * (before[0] + given[0]) + r * (before[3] + given[3]);
        out.motion += proof->driven ? l * after[0] + r * after[3] : 0;
    }
    return out;
}

/// The largest root of an energy that a degree of freedom has, or is given (13).
static double stored_in_mechanism(const Proof *proof)
{
    double stored = 0;
    for (int k = 0; k < proof->nv; k++) {
        double m = proof->problem->M[(size_t)k * (size_t)proof->nv + (size_t)k];
        stored = fmax(stored, sqrt(m) * (proof->before[k] + proof->after[k]));
        stored = fmax(stored, proof->h * fabs(proof->problem->tau[k]) / sqrt(m));
    }
    return stored;
}

/// With M^-1 by its diagonal.
static Scale scale_by_mechanism(const Proof *proof, int first, int count, const double *p)
{
    Scale  out = {0, 0, 0, 0};
    double most = 0, roots = 0;
    int    nv = proof->nv;
    for (int c = 0; c < count; c++) {
        double w = 0, others = 0, motion = 0, fast = 0;
        for (int k = 0; k < nv; k++) {
            double J = fabs(proof->J[first + c][k]);
            double m = proof->problem->M[(size_t)k * (size_t)nv + (size_t)k];
            w += J * J / m;
            others += J * proof->push[k] / m;
            fast += J * (proof->before[k] + proof->after[k]);
            motion += J * (proof->before[k] + proof->given[k] / m);
            motion += proof->driven ? J * proof->after[k] : 0;
        }
        most = fmax(most, w);
        roots += sqrt(w) * fabs(p[c]);
        out.w += w / count;
        out.s += PHI * others + PSI * fast + ROUNDING * fast;
        out.motion += motion;
    }
    out.s += sqrt(most) * roots;
    // Of the largest row, beside both bounds of (12).
    out.floor = ROUNDING * sqrt(most) * stored_in_mechanism(proof);
    return out;
}

static Scale scale_by_W(const Proof *proof, int first, const double *p)
{
    const TactContactProblem *problem = proof->problem;
    Scale                     out = {0, 0, 0, 0};
    double                    own[3] = {0}, others[3] = {0}, free[3];
    for (int c = 0; c < 3; c++) {
        const double *W = problem->W + (size_t)(first + c) * (size_t)proof->n;
        for (int j = 0; j < proof->n; j++) {
            others[c] += fabs(W[j] * proof->answer->impulse[j]);
        }
        for (int k = 0; k < 3; k++) {
            own[c] += W[first + k] * p[k];
        }
        free[c] = problem->u_free[first + c];
        others[c] += fabs(free[c]);
        out.w += W[first + c] / 3;
    }
    out.s = norm3(own) + PHI * (others[0] + others[1] + others[2]);
    out.motion = fabs(free[0]) + fabs(free[1]) + fabs(free[2]);
    return out;
}

static Scale scale_of(const Proof *proof, int i)
{
    const TactContactProblem *problem = proof->problem;
    bool                      contact = i < problem->contact_count;
    int           row = i - problem->contact_count, first = contact ? 3 * i : proof->n + row;
    int           count = contact ? 3 : 1;
    const double *p = contact ? proof->answer->impulse + 3 * i : proof->answer->row_impulse + row;
    Scale         out = problem->W   ? scale_by_W(proof, first, p)
                        : problem->M ? scale_by_mechanism(proof, first, count, p)
                                     : scale_by_bodies(proof, first, count, p);
    double        size = 0;
    if (contact) {
        const TactContact *raw = &problem->contacts[i];
        double             before = dd_value(proof->facts->u[3 * i]);
        size = fabs(raw->bias) + fabs(raw->surface[0]) + fabs(raw->surface[1]);
        size += raw->restitution > 0 ? raw->restitution * (fabs(before) + out.motion) : 0;
        out.s += raw->compliance * fabs(p[0]);
        out.w += raw->compliance / 3;
    } else {
        const TactContactRow *raw = &problem->rows[row];
        size = fabs(raw->target) + fabs(raw->zeta * raw->error / proof->h);
    }
    out.s += PHI * size;
    out.motion += size;
    out.w = out.w > 0 ? out.w : 1;
    return out;
}

/// What stands for the motion where none of the items has one of its own, because a joint drives
/// bodies that nothing else moves: the fastest free motion of the island's bodies, in the units of
/// the item (the sentence below (12)).
static double motion_of_island(const Proof *proof, int i)
{
    const TactContactProblem *problem = proof->problem;
    int                       island = island_of(proof, i), row = i - problem->contact_count;
    double                    fastest = 0, item = row < 0 ? 1 : 0;
    for (int b = 0; b < problem->body_count && island >= 0; b++) {
        const TactContactBody *body = &problem->bodies[b];
        const double          *I = body->inertia, *before = proof->before, *given = proof->given;
        double                 radius = sqrt((I[0] + I[1] + I[2]) / body->mass);
        if (root(proof, b) == island) {
            double turning = before[6 * b + 3] + given[6 * b + 3];
            fastest = fmax(fastest, before[6 * b] + given[6 * b] + radius * turning);
        }
        if (row >= 0 && (problem->rows[row].a == b || problem->rows[row].b == b)) {
            const double *J = proof->J[proof->n + row] + 6 * b;
            item = fmax(item, norm3(J) + norm3(J + 3) / radius);
        }
    }
    return fastest * item;
}

/// The largest residual that the tolerance allows a contact or row (12).
static double allowed(const Proof *proof, int i, const Scale *scale)
{
    double motion = proof->motion[i >= proof->problem->contact_count];
    if (motion == 0 && proof->problem->bodies) {
        motion = motion_of_island(proof, i);
    }
    return proof->tol * (fmin(scale->s + ROUNDING * motion, EXCUSED * motion) + scale->floor);
}

// ---------------------------------------------------------------------------------------------
// Statements

/// The most that friction takes out of a slip over the unit disc, polygon or square.
static double support(const Proof *proof, const TactContact *contact, const double u[2])
{
    if (proof->cone == TACT_CONE_CIRCLE) {
        return sqrt(u[0] * u[0] + u[1] * u[1]);
    }
    if (proof->cone == TACT_CONE_BOX) {
        return fabs(u[0]) + fabs(u[1]);
    }
    int    d = contact->directions > 0 ? contact->directions : 8;
    double most = 0;
    for (int j = 0; j < d; j++) {
        double angle = contact->turn + 2 * PI * j / d;
        most = fmax(most, -(u[0] * cos(angle) + u[1] * sin(angle)));
    }
    return most;
}

/// gauge(p_t) - mu p_n, with the gauge of the cone, the least mu p_n that allows p_t: the polygon
/// is that of its corners, which are doubles, the second half opposite the first.
static double excess_of(const Proof *proof, const TactContact *contact, const Dd p[3])
{
    Dd mu = dd_of(contact->mu), most = dd_of(-HUGE_VAL);
    if (proof->cone == TACT_CONE_CIRCLE) { // (p_t^2 - mu^2 p_n^2) / (|p_t| + mu p_n)
        Dd limit = dd_multiply(mu, p[0]), square = dd_multiply(p[1], p[1]);
        dd_gather(&square, p[2], p[2]);
        double size = sqrt(dd_value(square)) + dd_value(limit);
        return dd_value(dd_subtract(square, dd_multiply(limit, limit))) / (size > 0 ? size : 1);
    }
    bool box = proof->cone == TACT_CONE_BOX;
    int  d = box ? 4 : contact->directions > 0 ? contact->directions : 8;
    for (int j = 0; j < d; j++) {
        Dd c[2][2];
        for (int e = 0; e < 2; e++) {
            int    at = (j + e) % d, own = at % (d / 2);
            double angle = contact->turn + 2 * PI * own / d, sign = at < d / 2 ? 1 : -1;
            c[e][0] = dd_of(box ? (at == 0 || at == 3 ? 1 : -1) : sign * cos(angle));
            c[e][1] = dd_of(box ? (at < 2 ? 1 : -1) : sign * sin(angle));
        }
        Dd n[2] = {dd_subtract(c[1][1], c[0][1]), dd_subtract(c[0][0], c[1][0])};
        Dd reach = dd_multiply(n[0], c[0][0]), out = dd_multiply(n[0], p[1]);
        dd_gather(&reach, n[1], c[0][1]);
        dd_gather(&out, n[1], p[2]);
        out = dd_subtract(out, dd_multiply(reach, dd_multiply(mu, p[0])));
        out = dd_divide(out, reach);
        most = dd_value(out) > dd_value(most) ? out : most;
    }
    return dd_value(most);
}

static void check_contact(Proof *proof, int i)
{
    const TactContact *contact = &proof->problem->contacts[i];
    const double      *p = proof->answer->impulse + 3 * i;
    double             u[3], mu = contact->mu, stretch = 1;
    for (int c = 0; c < 3; c++) {
        u[c] = dd_value(proof->facts->u[3 * i + c]);
    }
    Scale  scale = scale_of(proof, i);
    double rho = allowed(proof, i, &scale), w = scale.w;
    if (!loaded(proof, i)) {
        raise(proof, PROOF_APPROACH, -u[0], rho);
        return;
    }
    // The box is a polygon whose corners reach sqrt(2) mu.
    stretch = proof->cone == TACT_CONE_BOX ? sqrt(2) : 1;
    double reach = sqrt(1 + mu * mu * stretch * stretch);
    // The rounding of its own impulse hides a velocity (statement 3).
    double hidden = proof->low ? 0 : 0x1p-52 * w * fabs(p[0]);
    raise(proof, PROOF_APPROACH, -u[0] - hidden, reach * rho);
    raise(proof, PROOF_CONE, -p[0], rho / w);
    // Impulses that are doubles are rounded, each by half a unit of its last place.
    double excess = excess_of(proof, contact, proof->facts->p + 3 * i);
    double units = proof->low ? 0 : 0x1p-53 * (fabs(p[1]) + fabs(p[2]) + mu * fabs(p[0]));
    raise(proof, PROOF_CONE, excess - units, 2 * reach * rho / w);
    // With the nearest p_K in the cone, |p - p_K| <= rho / w: p'u^ <= rho (|p| + (rho + |u^|) / w).
    double lift = mu * support(proof, contact, u + 1);
    double gap = p[0] * (u[0] + lift) + p[1] * u[1] + p[2] * u[2];
    double sized = sqrt((u[0] + lift) * (u[0] + lift) + u[1] * u[1] + u[2] * u[2]);
    double rounding = 1e-15 * norm3(p) * sized; // of the directions of the polygon
    rounding += hidden * norm3(p);              // of velocities that (9) does not see
    raise(proof, PROOF_OPPOSES, fabs(gap) - rounding, rho * (1.01 * norm3(p) + (rho + sized) / w));
}

static void check_row(Proof *proof, int i)
{
    const TactContactRow *row = &proof->problem->rows[i];
    double                u = dd_value(proof->facts->u_row[i]), p = proof->answer->row_impulse[i];
    Scale                 scale = scale_of(proof, proof->problem->contact_count + i);
    double                w = scale.w, bound = proof->h * row->force_max;
    double                rho = allowed(proof, proof->problem->contact_count + i, &scale);
    double                lo = row->kind == TACT_ROW_BILATERAL ? -HUGE_VAL
                               : row->kind == TACT_ROW_MOTOR   ? -bound
                                                               : 0;
    double                hi = row->kind == TACT_ROW_MOTOR ? bound : HUGE_VAL;
    double                moved = w * p - u; // the natural map |w p - mid(w lo, w p - u, w hi)|
    moved = moved < w * lo ? w * lo : moved > w * hi ? w * hi : moved;
    double residual = row->kind == TACT_ROW_BILATERAL ? fabs(u) : fabs(w * p - moved);
    residual -= 4e-16 * fabs(w * p);
    raise(proof, PROOF_ROWS, residual, rho);
}

/// (5), (6): halves of bodies, or every degree of freedom.
static void check_dynamics(Proof *proof)
{
    const TactContactProblem *problem = proof->problem;
    for (int b = 0; b < problem->body_count && problem->bodies; b++) {
        const TactContactBody *body = &problem->bodies[b];
        double fastest = 0, turning = body->inertia[0] + body->inertia[1] + body->inertia[2];
        double radius = sqrt(turning / body->mass);
        for (int k = 0; k < problem->body_count; k++) {
            if (root(proof, k) == root(proof, b)) {
                double own = proof->given[6 * k] + proof->before[6 * k] + proof->after[6 * k];
                fastest = fmax(fastest, own);
            }
        }
        for (int half = 0; half < 2; half++) {
            int    at = 6 * b + 3 * half;
            double left[3], momentum = half ? turning : body->mass, arm = half ? radius : 1;
            for (int k = 0; k < 3; k++) {
                left[k] = dd_value(proof->facts->left[at + k]);
            }
            double most = 100 * body->mass * fastest * arm;
            double scale = fmin(PHI * proof->push[at], most) +
                           PSI * momentum * (proof->before[at] + proof->after[at]) +
                           ROUNDING * body->mass * fastest * arm;
            // The certificate adds up in doubles: compensated, of terms of the size of push.
            // With a low part it does not.
            double rounding = (proof->low ? 0 : 1e-15 * proof->push[at]) +
                              4e-16 * momentum * (proof->before[at] + proof->after[at]);
            raise(proof, PROOF_DYNAMICS, norm3(left) - rounding, proof->tol * scale);
        }
    }
    for (int k = 0; k < proof->nv && problem->M; k++) {
        double momentum = 0;
        for (int j = 0; j < proof->nv; j++) {
            double m = fabs(problem->M[(size_t)k * (size_t)proof->nv + (size_t)j]);
            momentum += m * (proof->before[j] + proof->after[j]);
        }
        double own = problem->M[(size_t)k * (size_t)proof->nv + (size_t)k];
        double scale = PHI * proof->push[k] + PSI * momentum +
                       ROUNDING * sqrt(own) * stored_in_mechanism(proof);
        raise(proof, PROOF_DYNAMICS, fabs(dd_value(proof->facts->left[k])), proof->tol * scale);
    }
}

static double kinetic(const TactContactBody *body, const double v[6])
{
    double turning = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turning += v[3 + i] * body->inertia[AT[i][j]] * v[3 + j];
        }
    }
    return (body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning) / 2;
}

/// Kinetic energies before, free and after, into the islands.
static void add_energies(Proof *proof)
{
    const TactContactProblem *problem = proof->problem;
    const double             *after = proof->answer->velocity;
    for (int b = 0; b < problem->body_count && problem->bodies; b++) {
        const TactContactBody *body = &problem->bodies[b];
        double                 v[6];
        memcpy(v, body->velocity, 3 * sizeof *v);
        memcpy(v + 3, body->omega, 3 * sizeof *v);
        double gain = dd_value(proof->facts->gain[b]), moves = kinetic(body, after + 6 * b);
        proof->energy[root(proof, b)] += kinetic(body, v) + 2 * moves - gain; // free = after - gain
        proof->gain[root(proof, b)] += gain;
    }
    // Of a mechanism the shares of its degrees of freedom count by their size.
    for (int k = 0; k < proof->nv && problem->M; k++) {
        double push = proof->h * problem->tau[k], momentum[2] = {0, 0};
        for (int j = 0; j < proof->nv; j++) {
            double m = problem->M[(size_t)k * (size_t)proof->nv + (size_t)j];
            momentum[0] += m * problem->v[j];
            momentum[1] += m * after[j];
        }
        proof->energy[0] += fabs(problem->v[k] * momentum[0]) / 2;
        proof->energy[0] += fabs(after[k] * momentum[1]) / 2;
        proof->energy[0] += push * push / problem->M[(size_t)k * (size_t)proof->nv + (size_t)k] / 2;
    }
    if (problem->W) {
        Dd free = dd_of(0), own = dd_of(0);
        for (int i = 0; i < proof->n; i++) {
            Dd p = proof->low ? proof->facts->p[i] : dd_of(proof->answer->impulse[i]);
            dd_gather(&free, p, dd_of(problem->u_free[i]));
            for (int j = 0; j < proof->n; j++) {
                Dd W = dd_of(problem->W[(size_t)i * (size_t)proof->n + (size_t)j]);
                Dd other = proof->low ? proof->facts->p[j] : dd_of(proof->answer->impulse[j]);
                dd_gather(&own, dd_multiply(p, W), other);
            }
        }
        proof->energy[0] = fabs(dd_value(free)) + fabs(dd_value(own));
    }
    if (!problem->bodies) {
        proof->gain[0] = dd_value(proof->facts->gain[0]);
    }
}

/// What a contact or row with an impulse may do by what is given there, and does against its law.
static void add_work(Proof *proof, int i, double *against)
{
    const TactContactProblem *problem = proof->problem;
    int                       island = island_of(proof, i), row = i - problem->contact_count;
    double                    given = 0, u = 0;
    *against = 0;
    if (island < 0) {
        return;
    }
    if (row < 0) {
        const TactContact *contact = &problem->contacts[i];
        const double      *p = proof->answer->impulse + 3 * i;
        const Dd          *all = proof->facts->u + 3 * i;
        double             plain = 0;
        for (int k = 0; k < proof->nv; k++) {
            plain += proof->J[3 * i][k] * proof->answer->velocity[k];
        }
        for (int j = 0; j < proof->n && problem->W; j++) {
            const double *W = problem->W + (size_t)(3 * i) * (size_t)proof->n;
            plain += W[j] * proof->answer->impulse[j] + (j == 0 ? problem->u_free[3 * i] : 0);
        }
        bool   extra = contact->restitution > 0;
        double added =
            extra ? dd_value(all[0]) - plain : contact->bias + contact->compliance * p[0];
        given = -p[0] * added - p[1] * contact->surface[0] - p[2] * contact->surface[1];
        *against =
            fmax(fabs(p[0] * dd_value(all[0])), p[1] * dd_value(all[1]) + p[2] * dd_value(all[2]));
    } else {
        const TactContactRow *raw = &problem->rows[row];
        double                p = proof->answer->row_impulse[row];
        u = dd_value(proof->facts->u_row[row]);
        given = p * (raw->target - raw->zeta * raw->error / proof->h);
        *against = raw->kind == TACT_ROW_MOTOR ? fmax(p * u, 0) : fabs(p * u);
    }
    proof->energy[island] += fabs(given);
    proof->gain[island] -= given;
}

static void check_energy(Proof *proof)
{
    const TactContactProblem *problem = proof->problem;
    int                       count = problem->contact_count + problem->row_count;
    double                    against[FACTS_CONTACTS + FACTS_ROWS];
    add_energies(proof);
    for (int i = 0; i < count; i++) {
        bool own = i < problem->contact_count
                       ? loaded(proof, i)
                       : proof->answer->row_impulse[i - problem->contact_count] != 0;
        against[i] = 0;
        if (own) {
            add_work(proof, i, &against[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        int island = island_of(proof, i);
        if (island >= 0) {
            raise(proof, PROOF_WORK, against[i], WORK * proof->tol * proof->energy[island]);
            raise(proof, PROOF_ENERGY, proof->gain[island], proof->tol * proof->energy[island]);
        }
    }
}

ContactProof contact_proof(const TactContactProblem *problem, TactContactCone cone,
                           const ContactAnswer *answer, const ContactFacts *facts, double tol)
{
    static Proof proof;
    int          count = problem->contact_count + problem->row_count;
    memset(&proof, 0, sizeof proof);
    proof.problem = problem;
    proof.cone = cone;
    proof.answer = answer;
    proof.facts = facts;
    proof.tol = tol;
    proof.low = contact_answer_has_low(problem, answer);
    proof.h = problem->step;
    proof.nv = tact_contact_get_dof(problem);
    proof.n = 3 * problem->contact_count;
    begin(&proof);
    for (int i = 0; i < count; i++) {
        int   kind = i >= problem->contact_count;
        Scale scale = scale_of(&proof, i);
        proof.motion[kind] = fmax(proof.motion[kind], scale.motion);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        check_contact(&proof, i);
    }
    for (int i = 0; i < problem->row_count; i++) {
        check_row(&proof, i);
    }
    check_dynamics(&proof);
    check_energy(&proof);
    for (int k = 0; k < PROOF_PARTS; k++) {
        if (proof.out.ratio[k] > proof.out.worst) {
            proof.out.worst = proof.out.ratio[k];
            proof.out.part = k;
        }
    }
    return proof.out;
}
