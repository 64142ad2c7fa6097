// Exact ranges: between what each impulse may lie while the motion of a rational proof stays.
//
// The motion v+ of the proof gives the exact slip of every contact, and with it which impulses obey
// the law together with this motion: a polyhedron,
//
//     A p = A p*                           the dynamics, or W p of a problem given by W
//     open: p = 0;  slides: p on the corner or edge that takes most out of the slip;  touches
//     without slip: p inside of the pyramid;  rows the same with their bounds
//
// where p* are the impulses of the proof. With N a basis of the null space of its equations,
// p = p* + N y, and the inequalities are those of a program in y (program.h).
#include <tact/base.h>

#include "prove/pyramid/pyramid.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "contact/problem/problem.h"
#include "prove/contact.h"

#include "prove/rational/rational.h"

enum { CORNERS = 2 * TACT_SIDE_CORNERS }; // of a polygon, most

/// Friction over a polygon of the size of a contact's load: x_k = p_k / mu_k.
typedef struct Friction {
    int         owner; // contact
    int         dim;
    int         place[2]; // impulses
    double      mu[2];
    TactPolygon polygon;
} Friction;

typedef struct Face {
    const TactProveTask      *task;
    const TactContactProblem *problem; // of the task, expanded
    TactContactCone           cone;
    TactProof                *proof;
    TactLaws                  laws;
    int                      *column;    // unknown of an impulse; -1: it is fixed  (impulses)
    int                       impulses;  // 3 contacts + rows
    int                      *moment;    // of an impulse: which of MOMENT; -1: none  (impulses)
    int                       n;         // unknowns
    int                      *impulse;   // of an unknown                           (n)
    TactExactSet              equations; // in the unknowns, without constants
    TactExactSet              sides;     // >= 0, in the unknowns, constant: what is fixed
    TactModular               modular;
    int                      *place; // of an unknown in the block; -1: a y         (n)
    mpq_t                    *null;  // N, column by column                         (free x n)
    double                    end;   // tact_time_now(); 0: any time
} Face;

// ---------------------------------------------------------------------------------------------
// What is known

/// Impulse k of the proof: of contacts, then of rows.
static const __mpq_struct *known_impulse(const Face *face, int k)
{
    int contacts = 3 * face->laws.contacts;
    if (face->moment[k] >= 0) {
        return face->proof->exact[TACT_PROOF_PART_MOMENT][face->moment[k]];
    }
    return k < contacts ? face->proof->exact[TACT_PROOF_PART_IMPULSE][k]
                        : face->proof->exact[TACT_PROOF_PART_ROW_IMPULSE][k - contacts];
}

/// u of a contact or row at the proof, exactly.
static void find_u(const Face *face, int k, mpq_t u)
{
    const TactExactForm *form = &face->laws.u.forms[k];
    mpq_t                product;
    mpq_init(product);
    mpq_set(u, form->constant);
    for (int c = 0; c < form->count; c++) {
        int d = form->column[c];
        mpq_mul(product, form->value[c],
                d < face->laws.dof ? face->proof->exact[TACT_PROOF_PART_VELOCITY][d]
                                   : known_impulse(face, d - face->laws.dof));
        mpq_add(u, u, product);
    }
    mpq_clear(product);
}

static int sign_of_u(const Face *face, int k)
{
    mpq_t u;
    mpq_init(u);
    find_u(face, k, u);
    int sign = mpq_sgn(u);
    mpq_clear(u);
    return sign;
}

// ---------------------------------------------------------------------------------------------
// Equations and sides

static void let_vary(Face *face, int impulse)
{
    face->column[impulse] = face->n;
    face->impulse[face->n++] = impulse;
}

/// form += a product of four times p_impulse
static void add_term(Face *face, TactExactSet *set, TactExactForm *form, int impulse,
                     const double factors[4])
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpq_set_d(x, factors[0]);
    for (int k = 1; k < 4; k++) {
        mpq_set_d(y, factors[k]);
        mpq_mul(x, x, y);
    }
    if (face->column[impulse] >= 0) {
        tact_exact_form_add(set, form, face->column[impulse], x);
    }
    mpq_clears(x, y, NULL);
}

/// form += n' (x - p_n d), times all coefficients
static void add_reach(Face *face, TactExactSet *set, TactExactForm *form, const Friction *f,
                      const double n[2], const double d[2])
{
    for (int k = 0; k < f->dim; k++) {
        double other = f->dim == 2 ? f->mu[1 - k] : 1;
        add_term(face, set, form, f->place[k], (double[4]){n[k], other, 1, 1});
        add_term(face, set, form, 3 * f->owner, (double[4]){-n[k], f->mu[k], d[k], other});
    }
}

/// Left of the edge from a to b, where x lies inside: (-(b - a)_2, (b - a)_1)' (x - p_n a).
static void add_left(Face *face, TactExactSet *set, TactExactForm *form, const Friction *f,
                     const double a[2], const double b[2])
{
    add_reach(face, set, form, f, (double[2]){-b[1], b[0]}, a);
    add_reach(face, set, form, f, (double[2]){a[1], -a[0]}, a);
}

/// Beyond corner a on the way to b: (b - a)' (x - p_n a).
static void add_beyond(Face *face, TactExactSet *set, TactExactForm *form, const Friction *f,
                       const double a[2], const double b[2])
{
    add_reach(face, set, form, f, b, a);
    add_reach(face, set, form, f, (double[2]){-a[0], -a[1]}, a);
}

static void place_pushes(Face *face, int impulse, int owner)
{
    add_term(face, &face->sides, tact_exact_set_next(&face->sides, owner, 0), impulse,
             (double[4]){1, 1, 1, 1});
}

/// x = p_n d
static void place_along(Face *face, const Friction *f, const double d[2])
{
    for (int k = 0; k < f->dim; k++) {
        TactExactForm *form = tact_exact_set_next(&face->equations, f->owner, 0);
        add_term(face, &face->equations, form, f->place[k], (double[4]){1, 1, 1, 1});
        add_term(face, &face->equations, form, 3 * f->owner, (double[4]){-1, f->mu[k], d[k], 1});
    }
}

/// Corners that take most out of the slip, exactly: first of them, and how many (one or two).
static int find_most(const Face *face, const Friction *f, int *first)
{
    mpq_t u[2], most, out, x;
    int   found[CORNERS] = {0}, count = 0;
    mpq_inits(u[0], u[1], most, out, x, NULL);
    for (int k = 0; k < f->dim; k++) {
        find_u(face, f->place[k], u[k]);
        mpq_set_d(x, f->mu[k]);
        mpq_mul(u[k], u[k], x);
    }
    for (int j = 0; j < f->polygon.count; j++) {
        double d[2];
        tact_polygon_corner(&f->polygon, j, d);
        mpq_set_ui(out, 0, 1);
        for (int k = 0; k < f->dim; k++) {
            mpq_set_d(x, -d[k]);
            mpq_mul(x, x, u[k]);
            mpq_add(out, out, x);
        }
        int order = count == 0 ? 1 : mpq_cmp(out, most);
        if (order > 0) {
            count = 0;
            mpq_set(most, out);
        }
        if (order >= 0) {
            found[count++] = j;
        }
    }
    mpq_clears(u[0], u[1], most, out, x, NULL);
    int last = f->polygon.count - 1;
    *first = count == 2 && found[0] == 0 && found[1] == last ? last : found[0];
    return count;
}

/// Friction of a contact that slips.
static void place_slip(Face *face, const Friction *f)
{
    int    first, count = find_most(face, f, &first);
    double a[2], b[2];
    tact_polygon_corner(&f->polygon, first, a);
    if (count == 1) {
        place_along(face, f, a);
        return;
    }
    tact_polygon_corner(&f->polygon, first + 1, b);
    add_left(face, &face->equations, tact_exact_set_next(&face->equations, f->owner, 0), f, a, b);
    add_beyond(face, &face->sides, tact_exact_set_next(&face->sides, f->owner, 0), f, a, b);
    add_beyond(face, &face->sides, tact_exact_set_next(&face->sides, f->owner, 0), f, b, a);
}

static void place_inside(Face *face, const Friction *f)
{
    for (int j = 0; j < f->polygon.count; j++) {
        double         a[2], b[2];
        TactExactForm *form = tact_exact_set_next(&face->sides, f->owner, 0);
        tact_polygon_corner(&f->polygon, j, a);
        tact_polygon_corner(&f->polygon, j + 1, b);
        if (f->dim == 1) { // p_n - a x
            add_reach(face, &face->sides, form, f, (double[2]){-a[0], 0}, a);
        } else {
            add_left(face, &face->sides, form, f, a, b);
        }
    }
}

/// Friction of a loaded contact: against its slip, or anything inside.
static TactStatus face_of_friction(Face *face, const Friction *f)
{
    double direction[2];
    bool   slips = false;
    if (f->polygon.count > CORNERS) {
        return tact_fail(TACT_UNSUPPORTED, "ranges: contact %d has more than %d directions",
                         f->owner, CORNERS);
    }
    for (int k = 0; k < f->dim; k++) {
        let_vary(face, f->place[k]);
        slips = slips || sign_of_u(face, f->place[k]) != 0;
    }
    if (face->problem->level == TACT_LEVEL_ACCELERATION && !face->problem->W &&
        tact_contact_slides(face->problem, f->owner, direction)) {
        place_along(face, f, (double[2]){-direction[0], -direction[1]});
    } else if (slips) {
        place_slip(face, f);
    } else {
        place_inside(face, f);
    }
    return TACT_OK;
}

static TactStatus face_of_disc(Face *face, const TactDisc *disc)
{
    Friction f = {.owner = disc->contact, .dim = disc->dim, .polygon = tact_polygon_of_disc(disc)};
    for (int k = 0; k < disc->dim; k++) {
        f.place[k] = disc->place[k];
        f.mu[k] = disc->mu[k];
    }
    return face_of_friction(face, &f);
}

/// Friction of contact i: its own, and that of its discs.
static TactStatus face_of_parts(Face *face, int i)
{
    const TactPatches *patches = face->task->patches;
    const TactContact *contact = &face->problem->contacts[i];
    if (contact->mu > 0 && !(patches && patches->own[i])) {
        Friction f = {.owner = i,
                      .dim = 2,
                      .place = {3 * i + 1, 3 * i + 2},
                      .mu = {contact->mu, contact->mu},
                      .polygon = tact_polygon_of(contact, face->cone)};
        TACT_TRY(face_of_friction(face, &f));
    }
    for (int d = 0; patches && d < patches->disc_count; d++) {
        if (patches->discs[d].contact == i) {
            TACT_TRY(face_of_disc(face, &patches->discs[d]));
        }
    }
    return TACT_OK;
}

static TactStatus face_of_contact(Face *face, int i)
{
    if (sign_of_u(face, 3 * i) > 0) {
        return TACT_OK; // open
    }
    let_vary(face, 3 * i);
    place_pushes(face, 3 * i, i);
    if (face->problem->contacts[i].compliance > 0) {
        // c p_n follows from the motion.
        add_term(face, &face->equations, tact_exact_set_next(&face->equations, i, 0), 3 * i,
                 (double[4]){1, 1, 1, 1});
    }
    return face_of_parts(face, i);
}

/// bound -+ p >= 0
static void place_bound(Face *face, int r, double sign)
{
    TactExactForm *form = tact_exact_set_next(&face->sides, face->laws.contacts + r, 0);
    mpq_t          x, y;
    mpq_inits(x, y, NULL);
    add_term(face, &face->sides, form, 3 * face->laws.contacts + r, (double[4]){-sign, 1, 1, 1});
    mpq_set_d(x, tact_laws_step(face->problem));
    mpq_set_d(y, face->problem->rows[r].force_max);
    mpq_mul(x, x, y);
    tact_exact_form_add(&face->sides, form, -1, x);
    mpq_clears(x, y, NULL);
}

static void face_of_row(Face *face, int r)
{
    int                impulse = 3 * face->laws.contacts + r;
    TactContactRowKind kind = face->problem->rows[r].kind;
    if (kind != TACT_ROW_BILATERAL && sign_of_u(face, impulse) != 0) {
        return; // a limit that is not reached, a motor at its bound
    }
    let_vary(face, impulse);
    if (kind == TACT_ROW_UNILATERAL) {
        place_pushes(face, impulse, face->laws.contacts + r);
    } else if (kind == TACT_ROW_MOTOR) {
        place_bound(face, r, 1);
        place_bound(face, r, -1);
    }
}

/// J' p, or W p: what impulses do to the motion.
static void place_motion(Face *face)
{
    const TactLaws *laws = &face->laws;
    TactExactSet   *equations = &face->equations;
    if (face->problem->W) {
        size_t n = 3 * (size_t)laws->contacts;
        for (size_t i = 0; i < n; i++) {
            TactExactForm *form = tact_exact_set_next(equations, -1, 0);
            for (size_t j = 0; j < n; j++) {
                add_term(face, equations, form, (int)j,
                         (double[4]){face->problem->W[i * n + j], 1, 1, 1});
            }
        }
        return;
    }
    int first = equations->count;
    for (int d = 0; d < laws->dof; d++) {
        tact_exact_set_next(equations, -1, 0);
    }
    for (int k = 0; k < face->impulses && !equations->failed; k++) {
        const TactExactForm *J = &laws->J.forms[k];
        for (int c = 0; c < J->count && face->column[k] >= 0; c++) {
            tact_exact_form_add(equations, &equations->forms[first + J->column[c]], face->column[k],
                                J->value[c]);
        }
    }
}

static TactStatus place_face(Face *face)
{
    for (int i = 0; i < face->task->given->contact_count; i++) {
        TACT_TRY(face_of_contact(face, i));
    }
    for (int r = 0; r < face->task->given->row_count; r++) {
        face_of_row(face, r);
    }
    place_motion(face);
    if (face->equations.failed || face->sides.failed) {
        return tact_fail(TACT_NO_MEMORY, "no memory for the exact equations");
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Null space

static TactStatus make_integers(int count, mpz_t **numbers)
{
    void *block = NULL;
    TACT_TRY(tact_allocate((size_t)count + 1, sizeof(mpz_t), &block));
    *numbers = block;
    for (int i = 0; i < count; i++) {
        mpz_init((*numbers)[i]);
    }
    return TACT_OK;
}

static void clear_integers(int count, mpz_t *numbers)
{
    for (int i = 0; i < count && numbers; i++) {
        mpz_clear(numbers[i]);
    }
    tact_release(numbers);
}

static TactStatus factor_equations(Face *face)
{
    TACT_TRY(tact_modular_create(face->equations.count, face->n, &face->modular));
    for (int i = 0; i < face->equations.count; i++) {
        TactExactForm *form = &face->equations.forms[i];
        tact_exact_form_clear_denominators(form);
        for (int k = 0; k < form->count; k++) {
            uint64_t *entry =
                face->modular.a + (size_t)i * (size_t)face->n + (size_t)form->column[k];
            uint64_t residue = mpz_fdiv_ui(mpq_numref(form->value[k]), TACT_MODULAR_PRIME);
            *entry = tact_modular_reduce((TactWord128)*entry + residue);
        }
    }
    tact_modular_factor(&face->modular, NULL, NULL);
    memset(face->place, 0xff, (size_t)face->n * sizeof(int));
    for (int k = 0; k < face->modular.rank; k++) {
        face->place[face->modular.column[k]] = k;
    }
    return TACT_OK;
}

/// Does a vector obey all equations? Those outside of the block are not implied by the rank modulo
/// a prime.
static bool is_null(const Face *face, mpq_t *d)
{
    mpq_t sum, product;
    bool  null = true;
    mpq_inits(sum, product, NULL);
    for (int i = face->modular.rank; i < face->equations.count && null; i++) {
        const TactExactForm *form = &face->equations.forms[face->modular.row[i]];
        mpq_set_ui(sum, 0, 1);
        for (int k = 0; k < form->count; k++) {
            if (mpq_sgn(d[form->column[k]]) != 0) {
                mpq_mul(product, form->value[k], d[form->column[k]]);
                mpq_add(sum, sum, product);
            }
        }
        null = mpq_sgn(sum) == 0;
    }
    mpq_clears(sum, product, NULL);
    return null;
}

/// N e_k: unknown `free` is 1, the other free ones 0, those of the block follow.
static TactStatus find_null(Face *face, int free, mpq_t *d, mpz_t *b, mpz_t *x)
{
    double    left = face->end > 0 ? face->end - tact_time_now() : 0;
    TactDixon dixon = {&face->modular, &face->equations, face->place, left};
    mpz_t     denominator;
    if (face->end > 0 && left <= 0) {
        return tact_fail(TACT_UNSUPPORTED, "ranges: out of time");
    }
    for (int i = 0; i < face->modular.rank; i++) {
        const TactExactForm *form = &face->equations.forms[face->modular.row[i]];
        mpz_set_ui(b[i], 0);
        for (int k = 0; k < form->count; k++) {
            if (form->column[k] == free) {
                mpz_sub(b[i], b[i], mpq_numref(form->value[k]));
            }
        }
    }
    mpz_init(denominator);
    TactStatus status = tact_dixon_solve(&dixon, b, x, denominator);
    for (int j = 0; j < face->n && status == TACT_OK; j++) {
        if (face->place[j] >= 0) {
            mpz_set(mpq_numref(d[j]), x[face->place[j]]);
            mpz_set(mpq_denref(d[j]), denominator);
            mpq_canonicalize(d[j]);
        }
    }
    mpq_set_ui(d[free], 1, 1);
    mpz_clear(denominator);
    if (status == TACT_OK && !is_null(face, d)) {
        status = tact_fail(TACT_UNSUPPORTED, "ranges: the rank of the equations is not known");
    }
    return status;
}

static TactStatus find_null_space(Face *face)
{
    int    free = face->n - face->modular.rank;
    size_t count = (size_t)free * (size_t)face->n;
    void  *null = NULL;
    mpz_t *b = NULL, *x = NULL;
    TACT_TRY(tact_allocate(count + 1, sizeof(mpq_t), &null));
    face->null = null;
    for (size_t k = 0; k < count; k++) {
        mpq_init(face->null[k]);
    }
    TactStatus status = make_integers(face->modular.rank, &b);
    status = status == TACT_OK ? make_integers(face->modular.rank, &x) : status;
    for (int k = 0; k < free && status == TACT_OK; k++) {
        // Columns that were skipped stand at the end.
        status = find_null(face, face->modular.column[face->modular.rank + k],
                           face->null + (size_t)k * (size_t)face->n, b, x);
    }
    clear_integers(face->modular.rank, b);
    clear_integers(face->modular.rank, x);
    return status;
}

// ---------------------------------------------------------------------------------------------
// The programs

/// Value of a side at p*, and its slope along each y.
static void fill_side(const Face *face, const TactExactForm *form, TactProgram *program, int row)
{
    mpq_t product;
    mpq_init(product);
    mpq_set(*tact_program_at(program, row, 0), form->constant);
    for (int c = 0; c < form->count; c++) {
        int    j = form->column[c];
        mpq_t *at = tact_program_at(program, row, 0);
        mpq_mul(product, form->value[c], known_impulse(face, face->impulse[j]));
        mpq_add(*at, *at, product);
        for (int k = 0; k < program->columns; k++) {
            mpq_t *d = &face->null[(size_t)k * (size_t)face->n + (size_t)j];
            if (mpq_sgn(*d) != 0) {
                at = tact_program_at(program, row, k + 1);
                mpq_mul(product, form->value[c], *d);
                mpq_add(*at, *at, product);
            }
        }
    }
    mpq_clear(product);
}

static bool is_constant(const TactProgram *program, int row)
{
    for (int k = 0; k < program->columns; k++) {
        if (mpq_sgn(*tact_program_at(program, row, k + 1)) != 0) {
            return false;
        }
    }
    return true;
}

/// Rows of the unknowns, then those of the sides that can be met. TACT_INTERNAL: the proof is none.
static TactStatus fill_program(const Face *face, TactProgram *program)
{
    for (int j = 0; j < face->n; j++) {
        mpq_set(*tact_program_at(program, j, 0), known_impulse(face, face->impulse[j]));
        for (int k = 0; k < program->columns; k++) {
            mpq_set(*tact_program_at(program, j, k + 1),
                    face->null[(size_t)k * (size_t)face->n + (size_t)j]);
        }
    }
    for (int s = 0; s < face->sides.count; s++) {
        int row = face->n + s;
        fill_side(face, &face->sides.forms[s], program, row);
        if (mpq_sgn(*tact_program_at(program, row, 0)) < 0) {
            return tact_fail(TACT_BAD_INPUT, "ranges: the proof is not one of this problem");
        }
        if (!is_constant(program, row)) {
            tact_program_set_side(program, row);
        }
    }
    return TACT_OK;
}

static void put_end(Face *face, int impulse, int sign, bool bounded, const mpq_t value)
{
    int           contacts = 3 * face->laws.contacts, moment = face->moment[impulse];
    bool          row = impulse >= contacts, least = sign < 0;
    TactProofPart part = moment >= 0
                             ? least ? TACT_PROOF_PART_MOMENT_LEAST : TACT_PROOF_PART_MOMENT_MOST
                         : row   ? least ? TACT_PROOF_PART_ROW_LEAST : TACT_PROOF_PART_ROW_MOST
                         : least ? TACT_PROOF_PART_LEAST
                                 : TACT_PROOF_PART_MOST;
    int           i = moment >= 0 ? moment : row ? impulse - contacts : impulse;
    if (bounded) {
        tact_proof_set_exact(face->proof, part, i, mpq_numref(value), mpq_denref(value));
    } else {
        tact_proof_set_infinite(face->proof, part, i, sign);
    }
}

static TactStatus run_programs(Face *face, TactProgram *program)
{
    for (int j = 0; j < face->n; j++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            TactProgramEnd ended = tact_program_run(program, j, sign);
            if (ended == TACT_PROGRAM_LATE) {
                return tact_fail(TACT_UNSUPPORTED,
                                 "ranges: out of time after %d of %d forces and %d pivots", j,
                                 face->n, program->pivots);
            }
            put_end(face, face->impulse[j], sign, ended == TACT_PROGRAM_FOUND,
                    *tact_program_at(program, j, 0));
        }
    }
    return TACT_OK;
}

static TactStatus find_ranges(Face *face)
{
    TactProgram program = {0};
    TACT_TRY(place_face(face));
    TACT_TRY(factor_equations(face));
    TACT_TRY(find_null_space(face));
    TactStatus status =
        tact_program_create(face->n + face->sides.count, face->n - face->modular.rank, &program);
    program.end = face->end;
    if (status == TACT_OK) {
        status = fill_program(face, &program);
    }
    if (status == TACT_OK) {
        status = run_programs(face, &program);
    }
    tact_program_destroy(&program);
    return status;
}

/// Parts of the proof with both ends at what it has: right for all that is fixed.
static TactStatus make_parts(Face *face)
{
    static const TactProofPart ends[3][3] = {
        {TACT_PROOF_PART_IMPULSE, TACT_PROOF_PART_LEAST, TACT_PROOF_PART_MOST},
        {TACT_PROOF_PART_ROW_IMPULSE, TACT_PROOF_PART_ROW_LEAST, TACT_PROOF_PART_ROW_MOST},
        {TACT_PROOF_PART_MOMENT, TACT_PROOF_PART_MOMENT_LEAST, TACT_PROOF_PART_MOMENT_MOST}};
    TactProof *proof = face->proof;
    for (int k = 0; k < 9; k++) {
        TactProofPart from = ends[k / 3][0], part = ends[k / 3][k % 3];
        int           count = proof->count[from];
        if (part == from || (count == 0 && from == TACT_PROOF_PART_MOMENT)) {
            continue;
        }
        if (proof->count[part] == 0) {
            TACT_TRY(tact_proof_make_part(proof, part, count));
        }
        for (int i = 0; i < count; i++) {
            const __mpq_struct *known = proof->exact[from][i];
            tact_proof_set_exact(proof, part, i, mpq_numref(known), mpq_denref(known));
        }
    }
    return TACT_OK;
}

static TactStatus create_face(Face *face)
{
    void *block = NULL;
    TACT_TRY(tact_laws_create(face->problem, &face->laws));
    face->impulses = 3 * face->laws.contacts + face->laws.rows;
    TACT_TRY(tact_allocate(4 * (size_t)face->impulses + 4, sizeof(int), &block));
    face->column = block;
    face->impulse = face->column + face->impulses + 1;
    face->place = face->impulse + face->impulses + 1;
    face->moment = face->place + face->impulses + 1;
    memset(face->column, 0xff, ((size_t)face->impulses + 1) * sizeof(int));
    memset(face->moment, 0xff, ((size_t)face->impulses + 1) * sizeof(int));
    for (int k = 0; face->task->patches && k < 3 * face->task->given->contact_count; k++) {
        int place = face->task->patches->moment[k / 3][k % 3];
        if (place >= 0) {
            face->moment[place] = k;
        }
    }
    return TACT_OK;
}

static void destroy_face(Face *face)
{
    size_t count = (size_t)(face->n - face->modular.rank) * (size_t)face->n;
    for (size_t k = 0; k < count && face->null; k++) {
        mpq_clear(face->null[k]);
    }
    tact_release(face->null);
    tact_release(face->column);
    tact_modular_destroy(&face->modular);
    tact_exact_set_destroy(&face->equations);
    tact_exact_set_destroy(&face->sides);
    tact_laws_destroy(&face->laws);
}

TactStatus tact_pyramid_find_ranges(const TactProveTask *task)
{
    TactProof *proof = task->proof;
    Face       face = {.task = task,
                       .problem = task->problem,
                       .cone = task->cone,
                       .proof = proof,
                       .end = task->config.limit > 0 ? tact_time_now() + task->config.limit : 0};
    TactStatus status = create_face(&face);
    if (status == TACT_OK) {
        status = make_parts(&face);
    }
    if (status == TACT_OK) {
        status = find_ranges(&face);
    }
    if (status != TACT_OK) {
        tact_proof_forget_ranges(proof);
    }
    destroy_face(&face);
    return status;
}

#endif
