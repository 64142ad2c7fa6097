// Is this a contact problem at all? With the body, contact or row at fault.
#include <limits.h>
#include <math.h>
#include <string.h>
#include <tact/contact.h>
#include <tact/math.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "base/status.h"
#include "contact/patch.h"
#include "contact/problem/wide.h"
#include "contact/solver.h"

static const double UNIT_TOL = 1e-6;      // of a normal's length
static const double PARALLEL_TOL = 1e-6;  // sine of the angle between tangent and normal
static const double SYMMETRY_TOL = 1e-9;  // of M, relative to the diagonal entries
static const double DEFINITE_TOL = 1e-14; // pivots of an inertia, relative to its diagonal
static const double DELASSUS_TOL = 1e-2;  // of W: files of other programs have up to 4e-3

enum { MIN_DIRECTIONS = 4, MAX_DIRECTIONS = 64 };

int tact_contact_get_dof(const TactContactProblem *problem)
{
    return problem->bodies ? 6 * problem->body_count : problem->M ? problem->nv : 0;
}

TactContactCapacity tact_contact_capacity_with(const TactContactProblem *problem, int directions,
                                               int patches)
{
    int    dof = problem->W ? 3 * problem->contact_count : tact_contact_get_dof(problem);
    size_t contacts = (size_t)problem->contact_count;
    bool   pairs = problem->bodies != NULL; // every column touches two bodies
    for (int i = 0; i < problem->row_count && pairs; i++) {
        pairs = problem->rows[i].kind != TACT_ROW_BILATERAL;
    }
    int more = problem->W ? patches : 0; // contacts that stand for moments
    dof += 3 * more;
    return (TactContactCapacity){
        .contacts = problem->contact_count + more,
        .rows = problem->row_count + (problem->W ? 0 : 3 * patches),
        .dof = dof,
        .support = pairs ? 12 : dof,
        .dense = problem->M || problem->W,
        .directions = directions > 8 ? directions : 8,
        .patches = patches,
        .blocks = problem->blocks ? problem->blocks->start[contacts]
                  : problem->W    ? (contacts + (size_t)more) * (contacts + (size_t)more)
                                  : 0,
    };
}

TactContactCapacity tact_contact_get_capacity(const TactContactProblem *problem)
{
    int directions = 0, patches = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        int own = problem->contacts[i].directions;
        directions = own > directions ? own : directions;
        patches += tact_contact_is_patch(&problem->contacts[i]);
    }
    return tact_contact_capacity_with(problem, directions, patches);
}

/// x * 0 is 0 for a finite x and NaN otherwise, so one sum finds out without a branch.
TACT_CLONES static bool all_finite(const double *x, size_t count)
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    double    rest = 0;
    size_t    i = 0;
    for (; i + 4 <= count; i += 4) {
        sum += TACT_LANES_AT(x + i) * 0.0;
    }
    for (; i < count; i++) {
        rest += x[i] * 0.0;
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest == 0;
}

/// Names the first entry of an array of something that is not finite, e.g. "contact 3: point[1]".
static inline TactStatus check_finite(const char *what, int index, const char *name,
                                      const double *x, size_t count)
{
    // One or two are asked for most often, and need no loop.
    if (count == 1 || count == 2 ? x[0] * 0.0 + x[count - 1] * 0.0 == 0 : all_finite(x, count)) {
        return TACT_OK;
    }
    size_t k = 0;
    while (isfinite(x[k])) {
        k++;
    }
    if (count == 1) {
        return tact_fail(TACT_BAD_INPUT, "%s %d: %s is %g", what, index, name, x[k]);
    }
    return tact_fail(TACT_BAD_INPUT, "%s %d: %s[%zu] is %g", what, index, name, k, x[k]);
}

// ---------------------------------------------------------------------------------------------
// What moves

static bool is_definite(const double inertia[6])
{
    double xx = inertia[0], yy = inertia[1], zz = inertia[2];
    double xy = inertia[3], xz = inertia[4], yz = inertia[5];
    // LDL' by hand; a pivot that is rounding beside its diagonal entry is 0.
    double l10 = xy / xx;
    double l20 = xz / xx;
    double d1 = yy - l10 * xy;
    double l21 = (yz - l20 * xy) / d1;
    double d2 = zz - l20 * xz - l21 * (yz - l20 * xy);
    return xx > 0 && d1 > DEFINITE_TOL * yy && d2 > DEFINITE_TOL * zz && yy > 0 && zz > 0;
}

static TactStatus check_body(const TactContactBody *body, int k)
{
    // All fields are doubles, one after the other.
    if (!all_finite(&body->mass, sizeof *body / sizeof(double))) {
        TACT_TRY(check_finite("body", k, "mass", &body->mass, 1));
        TACT_TRY(check_finite("body", k, "inertia", body->inertia, 6));
        TACT_TRY(check_finite("body", k, "position", body->position, 3));
        TACT_TRY(check_finite("body", k, "velocity", body->velocity, 3));
        TACT_TRY(check_finite("body", k, "omega", body->omega, 3));
        TACT_TRY(check_finite("body", k, "force", body->force, 3));
        TACT_TRY(check_finite("body", k, "torque", body->torque, 3));
    }
    if (!(body->mass > 0)) {
        return tact_fail(TACT_BAD_INPUT, "body %d: its mass is %g, not positive", k, body->mass);
    }
    if (!is_definite(body->inertia)) {
        return tact_fail(TACT_BAD_INPUT, "body %d: its inertia is not positive definite", k);
    }
    return TACT_OK;
}

/// Are A_ij and A_ji the same, relative to the diagonal? In square blocks, for both are read.
static bool is_even(const double *A, size_t ld, double tol)
{
    enum { BLOCK = 16 };
    for (size_t i0 = 0; i0 < ld; i0 += BLOCK) {
        size_t i1 = i0 + BLOCK < ld ? i0 + BLOCK : ld;
        for (size_t j0 = 0; j0 <= i0; j0 += BLOCK) {
            for (size_t i = i0; i < i1; i++) {
                size_t j1 = j0 + BLOCK < i ? j0 + BLOCK : i;
                for (size_t j = j0; j < j1; j++) {
                    double difference = A[i * ld + j] - A[j * ld + i];
                    if (difference * difference > tol * tol * (A[i * ld + i] * A[j * ld + j])) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

/// Symmetric, with a diagonal that is positive (M) or not negative (W). Whether it is
/// (semi)definite is what its factor finds out.
static TactStatus check_symmetric(const char *name, const double *A, int n, bool definite)
{
    size_t ld = (size_t)n;
    double tol = definite ? SYMMETRY_TOL : DELASSUS_TOL;
    bool   even = is_even(A, ld, tol);
    for (size_t i = 0; i < ld; i++) {
        double diagonal = A[i * ld + i];
        if (!all_finite(A + i * ld, ld)) {
            size_t j = 0;
            while (isfinite(A[i * ld + j])) {
                j++;
            }
            return tact_fail(TACT_BAD_INPUT, "%s[%zu,%zu] is %g", name, i, j, A[i * ld + j]);
        }
        if (diagonal < 0 || (definite && diagonal == 0)) {
            return tact_fail(TACT_BAD_INPUT, "%s[%zu,%zu] = %g is not positive", name, i, i,
                             diagonal);
        }
        for (size_t j = 0; j < i && !even; j++) {
            double difference = A[i * ld + j] - A[j * ld + i];
            double size = diagonal * A[j * ld + j];
            if (difference * difference > tol * tol * size) {
                return tact_fail(TACT_BAD_INPUT,
                                 "%s is not symmetric: %s[%zu,%zu] = %g, "
                                 "%s[%zu,%zu] = %g",
                                 name, name, i, j, A[i * ld + j], name, j, i, A[j * ld + i]);
            }
        }
    }
    return TACT_OK;
}

/// Along the tree every dof comes after its parent, and M couples only a dof and its ancestors.
static TactStatus check_tree(const TactContactProblem *problem)
{
    int n = problem->nv;
    for (int i = 0; i < n; i++) {
        const double *row = problem->M + (size_t)i * (size_t)n;
        int           ancestor = problem->parent[i];
        if (ancestor < -1 || ancestor >= i) {
            return tact_fail(TACT_BAD_INPUT, "parent[%d] = %d is not a dof before it, or -1", i,
                             ancestor);
        }
        for (int j = i - 1; j >= 0; j--) {
            if (j == ancestor) {
                ancestor = problem->parent[ancestor];
            } else if (row[j] != 0) {
                return tact_fail(TACT_BAD_INPUT,
                                 "M[%d,%d] = %g, but dof %d does not carry dof %d in the tree", i,
                                 j, row[j], j, i);
            }
        }
    }
    return TACT_OK;
}

/// M with its factor, along the tree and below the diagonal.
static TactStatus check_factored(const TactContactProblem *problem)
{
    const double *M = problem->M, *factor = problem->factor;
    size_t        n = (size_t)problem->nv;
    for (int i = 0; i < problem->nv; i++) {
        const double *row = M + (size_t)i * n, *own = factor + (size_t)i * n;
        if (problem->parent[i] < -1 || problem->parent[i] >= i) {
            return tact_fail(TACT_BAD_INPUT, "parent[%d] = %d is not a dof before it, or -1", i,
                             problem->parent[i]);
        }
        if (!(row[i] > 0 && own[i] > 0)) {
            return tact_fail(TACT_BAD_INPUT, "M[%d,%d] = %g, its factor %g: they are not positive",
                             i, i, row[i], own[i]);
        }
        double sum = 0; // finite if all of them are
        for (int j = i; j >= 0; j = problem->parent[j]) {
            sum += fabs(row[j]) + fabs(own[j]);
        }
        if (!isfinite(sum)) {
            return tact_fail(TACT_BAD_INPUT, "M, or its factor, is not finite in row %d", i);
        }
    }
    return TACT_OK;
}

static TactStatus check_mechanism(const TactContactProblem *problem)
{
    if (problem->nv < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "nv is %d", problem->nv);
    }
    size_t n = (size_t)problem->nv;
    if (n > 0 && (!problem->v || !problem->tau)) {
        return tact_fail(TACT_BAD_ARGUMENT, "a problem with M needs v and tau");
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(problem->v[i]) || !isfinite(problem->tau[i])) {
            return tact_fail(TACT_BAD_INPUT, "degree of freedom %zu: v is %g and tau %g", i,
                             problem->v[i], problem->tau[i]);
        }
    }
    if (problem->factor) {
        return problem->parent ? check_factored(problem)
                               : tact_fail(TACT_BAD_ARGUMENT, "a factor of M needs parent");
    }
    TACT_TRY(check_symmetric("M", problem->M, problem->nv, true));
    return problem->parent ? check_tree(problem) : TACT_OK;
}

/// Where block (i, j) stands; the end of the row if it is not there.
static size_t find_block(const TactContactBlocks *blocks, int i, int j)
{
    size_t low = blocks->start[i], high = blocks->start[i + 1];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks->column[middle] < j) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < blocks->start[i + 1] && blocks->column[low] == j ? low : blocks->start[i + 1];
}

static TactStatus check_pattern(const TactContactProblem *problem)
{
    const TactContactBlocks *blocks = problem->blocks;
    if (!blocks->start ||
        (blocks->start[problem->contact_count] > 0 && (!blocks->column || !blocks->value))) {
        return tact_fail(TACT_BAD_ARGUMENT, "blocks of W: start, column or value is NULL");
    }
    if (blocks->start[0] != 0) {
        return tact_fail(TACT_BAD_INPUT, "blocks of W: start[0] is %zu", blocks->start[0]);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        bool own = false;
        if (blocks->start[i + 1] < blocks->start[i]) {
            return tact_fail(TACT_BAD_INPUT, "blocks of W: start[%d] is less than start[%d]", i + 1,
                             i);
        }
        for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++) {
            int j = blocks->column[k];
            if (j < 0 || j >= problem->contact_count ||
                (k > blocks->start[i] && j <= blocks->column[k - 1])) {
                return tact_fail(TACT_BAD_INPUT,
                                 "blocks of W: contact %d: column %d is out of range or order", i,
                                 j);
            }
            own = own || j == i;
        }
        if (!own) {
            return tact_fail(TACT_BAD_INPUT, "blocks of W: contact %d has no diagonal block", i);
        }
    }
    return TACT_OK;
}

/// Entry (r, c) of block k of contacts i and j is finite, and equal to its mirror.
static TactStatus check_block(const TactContactBlocks *blocks, size_t k, int i, int j)
{
    const double *W = blocks->value + 9 * k, *mirror = W;
    size_t        own[2] = {find_block(blocks, i, i), k};
    for (int e = 0; e < 9; e++) {
        if (!isfinite(W[e])) {
            return tact_fail(TACT_BAD_INPUT, "W[%d,%d] is %g", 3 * i + e / 3, 3 * j + e % 3, W[e]);
        }
        if (i == j && e % 4 == 0 && W[e] < 0) {
            return tact_fail(TACT_BAD_INPUT, "W[%d,%d] = %g is not positive", 3 * i + e / 3,
                             3 * i + e / 3, W[e]);
        }
    }
    if (i != j) {
        size_t at = find_block(blocks, j, i);
        if (at == blocks->start[j + 1]) {
            return tact_fail(TACT_BAD_INPUT,
                             "W is not symmetric: block (%d,%d) is there, (%d,%d) is not", i, j, j,
                             i);
        }
        mirror = blocks->value + 9 * at;
        own[1] = find_block(blocks, j, j);
    }
    for (int e = 0; e < 9 && j <= i; e++) {
        int    r = e / 3, c = e % 3;
        double difference = W[e] - mirror[3 * c + r];
        double size =
            blocks->value[9 * own[0] + 4 * (size_t)r] * blocks->value[9 * own[1] + 4 * (size_t)c];
        if (difference * difference > DELASSUS_TOL * DELASSUS_TOL * size) {
            return tact_fail(TACT_BAD_INPUT, "W is not symmetric: W[%d,%d] = %g, W[%d,%d] = %g",
                             3 * i + r, 3 * j + c, W[e], 3 * j + c, 3 * i + r, mirror[3 * c + r]);
        }
    }
    return TACT_OK;
}

static TactStatus check_blocks(const TactContactProblem *problem)
{
    const TactContactBlocks *blocks = problem->blocks;
    if (tact_patch_in(problem)) {
        return tact_fail(TACT_UNSUPPORTED, "blocks of W have no place for mu_spin, mu_roll, mu2 "
                                           "or the ellipsoid: give W as a dense matrix");
    }
    TACT_TRY(check_pattern(problem));
    for (int i = 0; i < problem->contact_count; i++) {
        for (size_t k = blocks->start[i]; k < blocks->start[i + 1]; k++) {
            TACT_TRY(check_block(blocks, k, i, blocks->column[k]));
        }
    }
    return TACT_OK;
}

static TactStatus check_delassus(const TactContactProblem *problem)
{
    size_t n = tact_patch_delassus_rows(problem);
    if (problem->row_count > 0) {
        return tact_fail(TACT_BAD_INPUT, "a problem given by W cannot have rows, and has %d",
                         problem->row_count);
    }
    if (n > 0 && !problem->u_free) {
        return tact_fail(TACT_BAD_ARGUMENT, "a problem with W needs u_free");
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(problem->u_free[i])) {
            return tact_fail(TACT_BAD_INPUT, "contact %zu: u_free[%zu] is %g", i / 3, i,
                             problem->u_free[i]);
        }
    }
    return problem->blocks ? check_blocks(problem)
                           : check_symmetric("W", problem->W, (int)n, false);
}

static TactStatus check_bodies(const TactContactProblem *problem)
{
    if (problem->body_count < 0 || problem->body_count > INT_MAX / 6) {
        return tact_fail(TACT_BAD_ARGUMENT, "body_count is %d", problem->body_count);
    }
    for (int k = 0; k < problem->body_count; k++) {
        TACT_TRY(check_body(&problem->bodies[k], k));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Contacts and rows

/// Do a and b exist, and does something that moves stand on at least one side?
static inline bool has_sides(const TactContactProblem *problem, int a, int b)
{
    return a >= -1 && b >= -1 && a < problem->body_count && b < problem->body_count && a != b;
}

static TactStatus check_sides(const TactContactProblem *problem, const char *what, int index, int a,
                              int b)
{
    if (has_sides(problem, a, b)) {
        return TACT_OK;
    }
    if (a < -1 || a >= problem->body_count || b < -1 || b >= problem->body_count) {
        return tact_fail(TACT_BAD_INPUT, "%s %d: there is no body %d (bodies: %d)", what, index,
                         a < -1 || a >= problem->body_count ? a : b, problem->body_count);
    }
    if (a == -1 && b == -1) {
        return tact_fail(TACT_BAD_INPUT, "%s %d connects nothing that moves", what, index);
    }
    return tact_fail(TACT_BAD_INPUT, "%s %d connects body %d with itself", what, index, a);
}

static TactStatus check_geometry(const TactContactProblem *problem, int i)
{
    const TactContact *contact = &problem->contacts[i];
    TACT_TRY(check_sides(problem, "contact", i, contact->a, contact->b));
    TACT_TRY(check_finite("contact", i, "point", contact->point, 3));
    TACT_TRY(check_finite("contact", i, "normal", contact->normal, 3));
    TACT_TRY(check_finite("contact", i, "tangent", contact->tangent, 3));

    TactVec3 n = {contact->normal[0], contact->normal[1], contact->normal[2]};
    TactVec3 t = {contact->tangent[0], contact->tangent[1], contact->tangent[2]};
    double   square = tact_vec3_dot(n, n);
    if (!(fabs(square - 1) <= 2 * UNIT_TOL)) {
        return tact_fail(TACT_BAD_INPUT, "contact %d: its normal has length %.9g, not 1", i,
                         sqrt(square));
    }
    if (t.x != 0 || t.y != 0 || t.z != 0) {
        double sine = tact_vec3_norm(tact_vec3_cross(n, tact_vec3_normalise(t)));
        if (!(sine > PARALLEL_TOL)) {
            return tact_fail(TACT_BAD_INPUT, "contact %d: its tangent is parallel to its normal",
                             i);
        }
    }
    return TACT_OK;
}

static TactStatus check_jacobian(const TactContactProblem *problem, const char *what, int index,
                                 const double *J, size_t rows)
{
    if (!J && problem->nv > 0) {
        return tact_fail(TACT_BAD_INPUT, "%s %d has no J, which a problem with M needs", what,
                         index);
    }
    return check_finite(what, index, "J", J, rows * (size_t)problem->nv);
}

static inline bool has_directions(const TactContact *contact)
{
    int d = contact->directions;
    return d == 0 || (d >= MIN_DIRECTIONS && d <= MAX_DIRECTIONS && d % 2 == 0);
}

static TactStatus check_directions(const TactContact *contact, int i)
{
    if (!has_directions(contact)) {
        return tact_fail(TACT_BAD_INPUT,
                         "contact %d: %d directions; an even number from %d to %d is needed", i,
                         contact->directions, MIN_DIRECTIONS, MAX_DIRECTIONS);
    }
    return TACT_OK;
}

static TactStatus check_restitution(const TactContactProblem *problem, int i)
{
    double e = problem->contacts[i].restitution;
    if (!(e >= 0 && e <= 1)) {
        return tact_fail(TACT_BAD_INPUT, "contact %d: its restitution is %g, not in 0 .. 1", i, e);
    }
    if (e > 0 && (tact_contact_has_W(problem) || problem->level == TACT_LEVEL_ACCELERATION)) {
        return tact_fail(
            TACT_BAD_INPUT,
            "contact %d: restitution needs the velocity before the "
            "step, which a problem %s does not have",
            i, tact_contact_has_W(problem) ? "given by W" : "on the level of accelerations");
    }
    return TACT_OK;
}

/// Bits of what is mostly 0: restitution, surface, compliance and what patches have.
static inline uint64_t bits_set(const TactContact *c)
{
    const double *mostly[7] = {&c->restitution, &c->surface[0], &c->surface[1], &c->compliance,
                               &c->mu_spin,     &c->mu_roll,    &c->mu2};
    uint64_t      set = (unsigned)c->friction_law;
    for (int k = 0; k < 7; k++) {
        uint64_t bits;
        memcpy(&bits, mostly[k], sizeof bits);
        set |= bits;
    }
    return set;
}

/// Four contacts between the same bodies, with all numbers in range and no tangent given, or one
/// of length 1 and more than 60 degrees away from the normal?
TACT_WIDE bool are_plain(const TactContactProblem *problem, const TactContact *const c[4])
{
    TactWide3 n = {{0}, {0}, {0}}, x = n, t = n;
    TactLanes square, mu = TACT_WIDE_OF(c, mu), length, part;
    TACT_WIDE_GATHER(c, normal, &n);
    TACT_WIDE_GATHER(c, point, &x);
    TACT_WIDE_GATHER(c, tangent, &t);
    tact_wide_dot(&n, &n, &square);
    tact_wide_dot(&t, &t, &length);
    tact_wide_dot(&t, &n, &part);
    TactLanes off = square - 1, off_t = length - 1;
    TactLanes finite = ((x.x + x.y) + (x.z + TACT_WIDE_OF(c, turn))) + (TACT_WIDE_OF(c, bias) + mu);
    TactMask  good = (TACT_LANES_ABS(off) <= 2 * UNIT_TOL) & (finite * 0 == 0) & (mu >= 0);
    good &=
        (length == 0) | ((TACT_LANES_ABS(off_t) <= 2 * UNIT_TOL) & (TACT_LANES_ABS(part) < 0.5));
    uint64_t set = 0;
    for (int k = 0; k < 4; k++) {
        set |= bits_set(c[k]);
        set |= (unsigned)((c[k]->a ^ c[0]->a) | (c[k]->b ^ c[0]->b) |
                          (c[k]->directions ^ c[0]->directions));
    }
    return set == 0 && (good[0] & good[1] & good[2] & good[3]) != 0 &&
           has_sides(problem, c[0]->a, c[0]->b) && has_directions(c[0]);
}

/// Nearly all contacts are plain: seen at one glance. Returns the first of a four that is not; the
/// others are looked at one by one, to say what is wrong if something is.
TACT_CLONES static int skip_plain(const TactContactProblem *problem, int i)
{
    int last = problem->contact_count - 1;
    for (; i <= last; i += 4) {
        const TactContact *four[4];
        for (int k = 0; k < 4; k++) {
            four[k] = problem->contacts + (i + k < last ? i + k : last);
        }
        if (!are_plain(problem, four)) {
            break;
        }
    }
    return i;
}

static TactStatus check_patch(const TactContactProblem *problem, int i)
{
    const TactContact *contact = &problem->contacts[i];
    const struct {
        const char *name;
        double      value;
    } coefficients[] = {
        {"mu_spin", contact->mu_spin}, {"mu_roll", contact->mu_roll}, {"mu2", contact->mu2}};
    for (int k = 0; k < 3; k++) {
        if (!(coefficients[k].value >= 0) || isinf(coefficients[k].value)) {
            return tact_fail(TACT_BAD_INPUT, "contact %d: %s is %g", i, coefficients[k].name,
                             coefficients[k].value);
        }
    }
    if (contact->friction_law != TACT_FRICTION_LAW_SEPARATE &&
        contact->friction_law != TACT_FRICTION_LAW_ELLIPSOID) {
        return tact_fail(TACT_BAD_INPUT, "contact %d: there is no friction law %d", i,
                         (int)contact->friction_law);
    }
    if (tact_contact_is_patch(contact) && problem->level == TACT_LEVEL_ACCELERATION) {
        return tact_fail(TACT_UNSUPPORTED,
                         "contact %d: mu_spin, mu_roll, mu2 and the ellipsoid are laws of "
                         "velocities, and the problem is on the level of accelerations",
                         i);
    }
    return TACT_OK;
}

/// A contact of a mechanism of which all but its rows is in range, at one glance?
static bool is_plain_contact(const TactContact *c)
{
    double finite = (c->turn + c->bias) + c->mu;
    return bits_set(c) == 0 && finite * 0 == 0 && c->mu >= 0 && has_directions(c);
}

static TactStatus check_contact(const TactContactProblem *problem, int i)
{
    const TactContact *contact = &problem->contacts[i];
    if (problem->M && is_plain_contact(contact)) {
        return check_jacobian(problem, "contact", i, contact->J, 3);
    }
    if (problem->bodies) {
        TACT_TRY(check_geometry(problem, i));
    } else if (problem->M) {
        TACT_TRY(check_jacobian(problem, "contact", i, contact->J,
                                tact_contact_has_moments(contact) ? 6 : 3));
    }
    if (!(contact->mu >= 0) || isinf(contact->mu)) {
        return tact_fail(TACT_BAD_INPUT, "contact %d: mu is %g", i, contact->mu);
    }
    TACT_TRY(check_patch(problem, i));
    TACT_TRY(check_directions(contact, i));
    TACT_TRY(check_finite("contact", i, "turn", &contact->turn, 1));
    TACT_TRY(check_restitution(problem, i));
    TACT_TRY(check_finite("contact", i, "bias", &contact->bias, 1));
    TACT_TRY(check_finite("contact", i, "surface", contact->surface, 2));
    if (!(contact->compliance >= 0) || isinf(contact->compliance)) {
        return tact_fail(TACT_BAD_INPUT, "contact %d: compliance is %g", i, contact->compliance);
    }
    return TACT_OK;
}

static TactStatus check_row(const TactContactProblem *problem, int i)
{
    const TactContactRow *row = &problem->rows[i];
    if (row->kind != TACT_ROW_BILATERAL && row->kind != TACT_ROW_UNILATERAL &&
        row->kind != TACT_ROW_MOTOR) {
        return tact_fail(TACT_BAD_INPUT, "row %d: there is no kind %d", i, (int)row->kind);
    }
    if (problem->M) {
        TACT_TRY(check_jacobian(problem, "row", i, row->J, 1));
    } else {
        TACT_TRY(check_sides(problem, "row", i, row->a, row->b));
        TACT_TRY(check_finite("row", i, "J_a", row->J_a, row->a >= 0 ? 6 : 0));
        TACT_TRY(check_finite("row", i, "J_b", row->J_b, row->b >= 0 ? 6 : 0));
    }
    TACT_TRY(check_finite("row", i, "target", &row->target, 1));
    TACT_TRY(check_finite("row", i, "error", &row->error, 1));
    if (!(row->zeta >= 0 && row->zeta <= 1)) {
        return tact_fail(TACT_BAD_INPUT, "row %d: zeta is %g, not in 0 .. 1", i, row->zeta);
    }
    if (row->zeta * row->error != 0 && problem->level == TACT_LEVEL_ACCELERATION) {
        return tact_fail(TACT_BAD_INPUT,
                         "row %d: a position error has no place on the level of "
                         "accelerations",
                         i);
    }
    if (row->kind == TACT_ROW_MOTOR && (!(row->force_max >= 0) || isinf(row->force_max))) {
        return tact_fail(TACT_BAD_INPUT, "row %d: force_max is %g", i, row->force_max);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// The problem

static TactStatus check_shape(const TactContactProblem *problem)
{
    if (!problem) {
        return tact_fail(TACT_BAD_ARGUMENT, "the problem is NULL");
    }
    if (problem->contact_count < 0 || problem->contact_count > INT_MAX / 3 ||
        problem->row_count < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "there are %d contacts and %d rows",
                         problem->contact_count, problem->row_count);
    }
    if ((problem->contact_count > 0 && !problem->contacts) ||
        (problem->row_count > 0 && !problem->rows)) {
        return tact_fail(TACT_BAD_ARGUMENT, "contacts or rows is NULL");
    }
    int  given = (problem->bodies != NULL) + (problem->M != NULL) + tact_contact_has_W(problem);
    bool empty = problem->body_count == 0 && problem->nv == 0 && problem->contact_count == 0 &&
                 problem->row_count == 0;
    if (given > 1 || (given == 0 && !empty)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "exactly one of bodies, M and W must be given, and %d are", given);
    }
    if (problem->level != TACT_LEVEL_VELOCITY && problem->level != TACT_LEVEL_ACCELERATION) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no level %d", (int)problem->level);
    }
    if (problem->level == TACT_LEVEL_VELOCITY && (!(problem->step > 0) || isinf(problem->step))) {
        return tact_fail(TACT_BAD_INPUT, "the step is %g s, not positive", problem->step);
    }
    return TACT_OK;
}

/// What touches, and the rows.
static TactStatus check_items(const TactContactProblem *problem)
{
    for (int i = 0, end = 0; i < problem->contact_count;) {
        i = problem->bodies ? skip_plain(problem, i) : i;
        for (end = i + 4; i < end && i < problem->contact_count; i++) {
            TACT_TRY(check_contact(problem, i));
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        TACT_TRY(check_row(problem, i));
    }
    return TACT_OK;
}

TactStatus tact_contact_check(const TactContactProblem *problem)
{
    TACT_TRY(check_shape(problem));
    if (problem->bodies) {
        TACT_TRY(check_bodies(problem));
    } else if (problem->M) {
        TACT_TRY(check_mechanism(problem));
    } else if (tact_contact_has_W(problem)) {
        TACT_TRY(check_delassus(problem));
    }
    return check_items(problem);
}

TactStatus tact_contact_check_made(const TactContactProblem *problem)
{
    return problem->factor ? check_items(problem) : tact_contact_check(problem);
}
