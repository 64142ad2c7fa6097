// The certificate: what an answer is worth, recomputed from the raw problem.
#include "contact/certificate/certify.h"

#include <math.h>

#include "base/status.h"
#include "contact/certificate/certify_fine.h"
#include "contact/contact_law.h"
#include "contact/problem/problem.h"

/// b if one of them is NaN.
static double larger_error(double a, double b)
{
    return a > b ? a : b;
}

// ---------------------------------------------------------------------------------------------
// Contacts

/// Residuals and scales of contacts and rows.
typedef struct Judge {
    TactCertifier          *certifier;
    const TactCertifyInput *input;
    TactContactCertificate *out;
} Judge;

/// scale is (8) with what the item itself carries and is asked for, motion (13) likewise.
static void judge_item(const Judge *judge, int index, double residual, double scale, double motion,
                       double floor)
{
    judge->certifier->residual[index] = residual;
    judge->certifier->scale[index] = scale;
    judge->certifier->floor[index] = floor;
    tact_certify_note(judge->certifier, judge->input, index, motion);
}

/// (12) with (13), of the first contacts and rows.
static void judge_all(const Judge *judge, int contacts, int rows)
{
    const TactCertifier *certifier = judge->certifier;
    int                  first = judge->input->problem->contact_count; // row
    for (int n = 0; n < contacts + rows; n++) {
        int i = n < contacts ? n : first + n - contacts;
        if (certifier->residual[i] != 0) {
            double least, most;
            tact_certify_bounds(certifier, judge->input, i, &least, &most);
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

/// Contacts with an impulse on their way: those with the same directions are looked at together.
typedef struct Loaded {
    TactCertifyFour four;
    int             directions; // of a pyramid; -1: a circle or box, -2: no friction
    double          turn;
    double          motion[4]; // (13)
    double          floor[4];  // (13)
    double          given[4];  // work of bias, restitution, compliance and belts, J
} Loaded;

/// Judges them, and makes room for others.
static void judge_loaded(Loaded *loaded, const Judge *all)
{
    TactCertifyFour        *four = &loaded->four;
    TactContactCertificate *out = all->out;
    for (int k = four->count; k < 4; k++) {
        for (int j = 0; j < 3; j++) {
            four->p[j][k] = four->p[j][0];
            four->u[j][k] = four->u[j][0];
        }
        four->mu[k] = four->mu[0];
        four->friction[k] = four->friction[0];
        four->w[k] = four->w[0];
        four->own[k] = four->own[0];
        four->scale[k] = four->scale[0];
    }
    tact_certify_law(four);
    for (int k = 0; k < four->count && all->certifier->fine; k++) {
        four->residual[k] = tact_certify_fine_residual(all->certifier->fine, four, k);
    }
    for (int k = 0; k < four->count; k++) {
        out->approach = larger_error(out->approach, -four->u[0][k]);
        out->pull = larger_error(out->pull, -four->p[0][k]);
        out->complementarity =
            larger_error(out->complementarity, four->p[0][k] * fabs(four->u[0][k]));
        out->cone_excess = larger_error(out->cone_excess, four->excess[k]);
        out->slip_angle = larger_error(four->angle[k], out->slip_angle);
        judge_item(all, four->contact[k], four->residual[k], four->scale[k], loaded->motion[k],
                   loaded->floor[k]);
        tact_certify_energy(all->certifier, all->input, four->contact[k], four->gap[k],
                            loaded->given[k]);
    }
    four->count = 0;
}

/// Without impulse all that is asked of a contact is that it does not approach.
static void certify_unloaded(const TactCertifier *certifier, const TactCertifyForm *form,
                             const TactCertifyInput *input, int i, const Judge *all)
{
    const TactContact *raw = &input->problem->contacts[i];
    double             normal =
        certifier->fine ? (double)certifier->fine->u[3 * i] : form->normal(certifier, input, i);
    certifier->residual[i] = 0;
    if (raw->restitution == 0 && !(-(normal + raw->bias) > 0)) {
        return;
    }
    double size;
    double approach = -(normal + added_normal(input, i, &size));
    if (approach > 0) {
        TactCertifyScale scale;
        form->scale(certifier, input, i, &scale);
        all->out->approach = larger_error(approach, all->out->approach);
        judge_item(all, i, approach, scale.others + TACT_CERTIFY_OTHERS * size, scale.motion + size,
                   scale.floor);
    }
}

/// Leaves the normal law alone of a contact whose friction is that of a disc (certify_patch.c).
static void hide_friction(TactCertifier *certifier, TactCertifyFour *four, int lane)
{
    double *slide = certifier->slide[four->contact[lane]];
    for (int k = 0; k < 3; k++) {
        slide[k] = four->u[k][lane];
    }
    for (int k = 1; k < 3; k++) {
        four->p[k][lane] = four->u[k][lane] = 0;
    }
    four->mu[lane] = four->friction[lane] = 0;
    four->pyramid = NULL;
    four->stretch = 1;
}

/// Adds a contact with an impulse to those on their way.
static void certify_loaded(TactCertifier *certifier, const TactCertifyForm *form,
                           const TactCertifyInput *input, int i, Loaded *loaded, const Judge *all)
{
    const TactContact *raw = &input->problem->contacts[i];
    const double      *p = input->impulse + 3 * (size_t)i;
    TactCertifyFour   *four = &loaded->four;
    bool   friction = raw->mu > 0 && !(certifier->patches && certifier->patches->own[i]);
    bool   pyramid = input->cone == TACT_CONE_PYRAMID && friction;
    int    directions = pyramid ? raw->directions : friction ? -1 : -2;
    double turn = pyramid ? raw->turn : 0;
    bool   same = directions == loaded->directions && turn == loaded->turn;
    if (four->count == 4 || (four->count > 0 && !same)) {
        judge_loaded(loaded, all);
    }
    loaded->directions = directions;
    loaded->turn = turn;
    TactCertifyScale scale;
    double           u[3], size;
    double           added = added_normal(input, i, &size);
    form->scale(certifier, input, i, &scale);
    form->velocity(certifier, input, i, u);
    double bias = added;
    added += raw->compliance * p[0];
    double given = -p[0] * added;
    u[0] += added;
    for (int k = 1; k < 3; k++) {
        double surface = tact_contact_surface(input->problem, i, k);
        u[k] += surface;
        size += fabs(surface);
        given -= p[k] * surface;
    }
    if (certifier->fine) {
        tact_certify_fine_velocity(certifier->fine, input, i, bias, u);
    }
    TactCertifyCone cone = tact_certify_cone(certifier, input->cone, raw);
    bool            own = certifier->patches && certifier->patches->own[i];
    int             lane = four->count++;
    double          w = scale.weight + raw->compliance / 3;
    four->contact[lane] = i;
    four->pyramid = cone.pyramid;
    four->stretch = cone.stretch;
    four->mu[lane] = cone.mu;
    four->friction[lane] = raw->mu;
    for (int k = 0; k < 3; k++) {
        four->p[k][lane] = p[k];
        four->u[k][lane] = u[k];
    }
    if (own) { // its friction is judged as a disc
        hide_friction(certifier, four, lane);
    }
    four->w[lane] = w != 0 ? w : 1; // nothing moves it, whatever its impulse
    four->own[lane] = scale.own + raw->compliance * fabs(p[0]);
    loaded->given[lane] = given;
    four->scale[lane] = scale.others + TACT_CERTIFY_OTHERS * size;
    loaded->motion[lane] = scale.motion + size;
    loaded->floor[lane] = scale.floor;
    four->dynamic[lane] = input->problem->level == TACT_LEVEL_ACCELERATION &&
                          tact_contact_slides(input->problem, i, four->direction[lane]);
}

// ---------------------------------------------------------------------------------------------
// Rows

/// J v+ less what is asked for.
static double row_motion(const TactCertifier *certifier, const TactCertifyForm *form,
                         const TactCertifyInput *input, int i, double target)
{
    const TactCertifyFine *fine = certifier->fine;
    return fine ? (double)(fine->u[3 * input->problem->contact_count + i] - target)
                : form->row_velocity(certifier, input, i) - target;
}

static void certify_row(TactCertifier *certifier, const TactCertifyForm *form,
                        const TactCertifyInput *input, int i, const Judge *all)
{
    const TactContactRow *row = &input->problem->rows[i];
    TactCertifyScale      own = form->row_scale(certifier, input, i);
    double                w = own.weight > 0 ? own.weight : 1;
    double                p = w * input->row_impulse[i];
    double                target = row->target - row->zeta * row->error / input->h;
    double                u = row_motion(certifier, form, input, i, target);
    double                impulse = input->row_impulse[i], bound = input->h * row->force_max;
    double                residual = tact_law_row_residual((int)row->kind, impulse, u, w, bound);
    double                scale = fabs(p) + own.others + TACT_CERTIFY_OTHERS * fabs(target);
    all->out->row_error = fmax(all->out->row_error, residual);
    int index = input->problem->contact_count + i;
    judge_item(all, index, residual, scale, own.motion + fabs(target), own.floor);
    if (impulse != 0) {
        double gap = tact_law_row_gap((int)row->kind, impulse, u);
        tact_certify_energy(certifier, input, index, gap, impulse * target);
    }
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
static bool is_finite(const TactCertifyInput *input, const TactCertifyFine *fine,
                      TactContactCertificate *out)
{
    const TactContactProblem *problem = input->problem;
    int                       contact = find_unfinite(input->impulse, 3 * problem->contact_count);
    int                       row = find_unfinite(input->row_impulse, problem->row_count);
    int                       dof = find_unfinite(input->velocity, tact_contact_get_dof(problem));
    int low = fine ? find_unfinite(fine->low, 3 * problem->contact_count + problem->row_count) : -1;
    if (low >= 0) {
        contact = low < 3 * problem->contact_count ? low : contact;
        row = low < 3 * problem->contact_count ? row : low - 3 * problem->contact_count;
    }
    if (contact < 0 && row < 0 && dof < 0) {
        return true;
    }
    *out = (TactContactCertificate){HUGE_VAL,      HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL,
                                    HUGE_VAL,      HUGE_VAL, HUGE_VAL, HUGE_VAL, -1,
                                    TACT_LAW_NONE, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
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
    points->own = tact_arena_take(arena, count, sizeof(double));
}

void tact_certifier_layout(TactCertifier *certifier, const TactContactCapacity *capacity,
                           TactArena *arena)
{
    size_t        dof = (size_t)capacity->dof;
    size_t        items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactCertifier sized = {0};
    sized.bodies = tact_arena_take(arena, dof / 6, sizeof *sized.bodies);
    size_t nodes = dof > (size_t)capacity->contacts ? dof : (size_t)capacity->contacts;
    sized.islands = tact_arena_take(arena, nodes, sizeof *sized.islands);
    sized.label = tact_arena_take(arena, nodes, sizeof *sized.label);
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
    sized.span = tact_arena_take(arena, (size_t)capacity->rows, sizeof *sized.span);
    layout_points(&sized.points, (size_t)capacity->contacts + 3, arena);
    sized.residual = tact_arena_take(arena, items, sizeof(double));
    sized.scale = tact_arena_take(arena, items, sizeof(double));
    sized.floor = tact_arena_take(arena, items, sizeof(double));
    size_t discs = 3 * (size_t)capacity->patches;
    sized.discs = tact_arena_take(arena, discs, sizeof *sized.discs);
    size_t slides = discs > 0 ? (size_t)capacity->contacts : 0;
    sized.slide = tact_arena_take(arena, slides, sizeof *sized.slide);
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
    const TactCertifyForm *form = tact_contact_has_W(problem) ? &tact_certify_delassus
                                  : problem->M                ? &tact_certify_mechanism
                                                              : &tact_certify_bodies;
    TactCertifyInput       input = {
              .problem = problem,
              .cone = cone,
              .impulse = impulse,
              .row_impulse = row_impulse,
              .velocity = velocity,
              .h = problem->level == TACT_LEVEL_VELOCITY ? problem->step : 1,
              .driven = is_driven(problem),
    };
    TactContactCertificate out = {.worst = -1};
    const TactPatches     *patches = certifier->patches;
    int                    contacts = patches ? patches->contacts : problem->contact_count;
    int                    rows = patches ? patches->rows : problem->row_count;
    if (!is_finite(&input, certifier->fine, &out)) {
        out.worst = patches ? tact_patch_index(patches, out.worst) : out.worst;
        *certificate = out;
        return;
    }
    TactCertifyFine *fine = certifier->fine;
    if (fine && (patches || !tact_certify_fine_begin(fine, &input))) {
        certifier->fine = NULL; // judged by what doubles hold of it
    }
    Loaded loaded; // lanes are written before they are read
    loaded.four.count = loaded.directions = 0;
    loaded.turn = 0;
    Judge all = {.certifier = certifier, .input = &input, .out = &out};
    int   dof = -1;
    form->begin(certifier, &input, &out.dynamics, &out.error, &dof);
    if (dof >= 0) {
        out.worst = problem->contact_count + problem->row_count + dof;
    }
    if (form->points) {
        form->points(certifier, &input);
    }
    for (int i = 0; i < contacts; i++) {
        const double *p = impulse + 3 * (size_t)i;
        bool          normal_only = patches && patches->own[i]; // its friction is a disc's
        if (normal_only ? p[0] != 0 : tact_contact_has_impulse(p)) {
            certify_loaded(certifier, form, &input, i, &loaded, &all);
        } else {
            certify_unloaded(certifier, form, &input, i, &all);
        }
    }
    if (loaded.four.count > 0) {
        judge_loaded(&loaded, &all);
    }
    for (int i = 0; i < rows; i++) {
        certify_row(certifier, form, &input, i, &all);
    }
    if (patches) {
        tact_certify_patches(certifier, form, &input, &out);
    }
    judge_all(&all, contacts, rows);
    if (patches) {
        tact_certify_judge_patches(certifier, &input, &out);
    }
    int row = out.worst - problem->contact_count;
    out.law = out.worst < 0              ? TACT_LAW_NONE
              : row < 0                  ? TACT_LAW_CONTACT
              : row < rows               ? TACT_LAW_ROW
              : row < problem->row_count ? TACT_LAW_CONTACT
                                         : TACT_LAW_DYNAMICS;
    if (certifier->fine) {
        tact_certify_fine_power(certifier->fine, &input, certifier);
    }
    tact_certify_judge_energy(certifier, &input, &out);
    certifier->fine = fine;
    out.worst = patches ? tact_patch_index(patches, out.worst) : out.worst;
    *certificate = out;
}

TactStatus tact_contact_certify(const TactContactProblem *problem, TactContactCone cone,
                                const double *impulse, const double *row_impulse,
                                const double *velocity, TactContactCertificate *certificate)
{
    // Nothing of the answer is written.
    TactContactAnswer answer = {.impulse = (double *)impulse,
                                .row_impulse = (double *)row_impulse,
                                .velocity = (double *)velocity};
    return tact_contact_certify_answer(problem, cone, &answer, certificate);
}

/// An answer whose low part is 0 is one of doubles.
static bool has_low_part(const TactContactProblem *problem, const double *low)
{
    for (int i = 0; low && i < 3 * problem->contact_count + problem->row_count; i++) {
        if (low[i] != 0) {
            return true;
        }
    }
    return false;
}

TactStatus tact_contact_certify_answer(const TactContactProblem *problem, TactContactCone cone,
                                       const TactContactAnswer *answer,
                                       TactContactCertificate  *certificate)
{
    TACT_TRY(tact_contact_check(problem));
    const double *impulse = answer->impulse, *row_impulse = answer->row_impulse,
                 *velocity = answer->velocity;
    if (!certificate || (!impulse && problem->contact_count > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "impulse or certificate is NULL");
    }
    if (!row_impulse && problem->row_count > 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "row_impulse is NULL, but there are %d rows",
                         problem->row_count);
    }
    if (!velocity && tact_contact_get_dof(problem) > 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "velocity is NULL, and only W can do without");
    }
    if (cone != TACT_CONE_PYRAMID && cone != TACT_CONE_CIRCLE && cone != TACT_CONE_BOX) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no cone %d", (int)cone);
    }
    TactCertifier       certifier = {0};
    TactArena           arena = {0};
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    TactPatches         patches = {0};
    TactCertifyFine     fine = {0};
    bool                low = has_low_part(problem, answer->low);
    for (int pass = 0; pass < 2; pass++) {
        tact_certifier_layout(&certifier, &capacity, &arena);
        tact_patch_layout(&patches, &capacity, &arena);
        if (low) {
            tact_certify_fine_layout(&fine, &capacity, &arena);
        }
        if (pass == 0) {
            TACT_TRY(tact_arena_create(&arena));
        }
    }
    fine.low = answer->low;
    certifier.fine = low ? &fine : NULL;
    if (capacity.patches > 0) {
        tact_patch_expand(&patches, problem);
        TactContactAnswer expanded = tact_patch_answer(&patches, answer, NULL);
        tact_patch_take(&patches, answer, &expanded);
        certifier.patches = &patches;
        problem = &patches.problem;
        impulse = expanded.impulse;
        row_impulse = expanded.row_impulse;
    }
    tact_certifier_run(&certifier, problem, cone, impulse, row_impulse, velocity, certificate);
    tact_arena_destroy(&arena);
    return TACT_OK;
}
