#include "verify/verifier.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"

enum { COOKIE = 0x7e51f1e };

TactVerifyConfig tact_verify_config_default(void)
{
    TactVerifyConfig config = {
        .tol = 1e-9,
        .depth_tol = 1e-5,
        .depth_speed = 0.05,
        .cone_tol = 1e-6,
        .energy_share = 0.05,
        .cookie = COOKIE,
    };
    return config;
}

static TactStatus check_verify_config(const TactVerifyConfig *config)
{
    if (config->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "verify: the config was not made by tact_verify_config_default()");
    }
    const double values[] = {config->tol, config->depth_tol, config->depth_speed, config->cone_tol,
                             config->energy_share};
    const char *const names[] = {"tol", "depth_tol", "depth_speed", "cone_tol", "energy_share"};
    for (int i = 0; i < 5; i++) {
        if (!(values[i] >= 0) || !isfinite(values[i])) {
            return tact_fail(TACT_BAD_ARGUMENT, "verify: %s is %g", names[i], values[i]);
        }
    }
    return TACT_OK;
}

static void layout_verifier(TactVerifier *v, const TactModel *model, TactArena *arena)
{
    size_t nv = (size_t)model->nv, bodies = (size_t)model->body_count;
    size_t geoms = (size_t)model->geom_count, nq = (size_t)model->nq;
    v->trees = tact_arena_take(arena, bodies, sizeof *v->trees);
    v->tree_of_body = tact_arena_take(arena, bodies, sizeof(int));
    v->asleep = tact_arena_take(arena, bodies, sizeof(bool));
    v->group = tact_arena_take(arena, bodies, sizeof(int));
    v->motion = tact_arena_take(arena, bodies, sizeof *v->motion);
    v->energy = tact_arena_take(arena, bodies, sizeof *v->energy);
    double **vectors[] = {&v->contact,    &v->term_size, &v->v_start, &v->bias,
                          &v->bias_after, &v->equation,  &v->carried, &v->work};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        *vectors[i] = tact_arena_take(arena, nv, sizeof(double));
    }
    v->q_work = tact_arena_take(arena, nq, sizeof(double));
    v->q_touched = tact_arena_take(arena, nq, sizeof(double));
    v->poses = tact_arena_take(arena, geoms, sizeof *v->poses);
    v->reach = tact_arena_take(arena, geoms, sizeof(double));
}

/// A loop is closed along the straight path of all coordinates, so a body in it does not fly.
static bool is_tied(const TactVerifier *v, int tree)
{
    const TactModel *model = v->model;
    for (int i = 0; i < model->equality_count; i++) {
        const TactEquality *e = &model->equalities[i];
        bool bodies = e->type == TACT_EQUALITY_CONNECT || e->type == TACT_EQUALITY_WELD;
        if (bodies && (v->tree_of_body[e->a] == tree || v->tree_of_body[e->b] == tree ||
                       (e->via && v->tree_of_body[e->via] == tree))) {
            return true;
        }
    }
    for (int i = 0; i < model->tendon_count; i++) { // so is a way through space
        for (int k = 0; k < model->tendons[i].part_count; k++) {
            const TactTendonPart *part = &model->tendons[i].parts[k];
            int                   body = part->object < 0                      ? 0
                                         : part->type == TACT_TENDON_PART_SITE ? model->sites[part->object].body
                                                                               : model->geoms[part->object].body;
            if (v->tree_of_body[body] == tree) {
                return true;
            }
        }
    }
    return model->bodies[v->trees[tree].root].mocap >= 0;
}

static bool is_free_body(const TactVerifier *v, int index)
{
    const TactVerifyTree *tree = &v->trees[index];
    const TactLink       *link = &v->before->links[tree->link];
    bool                  free = tree->end_dof - tree->first_dof == 6 && link->joint_count == 1 &&
                v->model->joints[link->first_joint].type == TACT_JOINT_FREE;
    for (int i = tree->first_dof; i < tree->end_dof && free; i++) {
        free = v->model->dofs[i].armature == 0;
    }
    return free && !is_tied(v, index);
}

static double matrix_norm(TactMat3 A)
{
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        sum += A.m[i / 3][i % 3] * A.m[i / 3][i % 3];
    }
    return sqrt(sum);
}

static void find_trees(TactVerifier *v)
{
    const TactModel *model = v->model;
    for (int i = 0; i < model->nv; i++) {
        int root = model->bodies[model->dofs[i].body].root;
        if (v->tree_count == 0 || v->trees[v->tree_count - 1].root != root) {
            v->trees[v->tree_count++] = (TactVerifyTree){
                .root = root, .link = v->before->link_of[model->dofs[i].body], .first_dof = i};
        }
        v->trees[v->tree_count - 1].end_dof = i + 1;
    }
    for (int b = 0; b < model->body_count; b++) {
        v->tree_of_body[b] = -1;
        for (int t = 0; t < v->tree_count && v->before->link_of[b] > 0; t++) {
            if (v->trees[t].root == model->bodies[b].root) {
                v->tree_of_body[b] = t;
                break;
            }
        }
    }
    for (int t = 0; t < v->tree_count; t++) {
        TactVerifyTree *tree = &v->trees[t];
        const TactLink *link = &v->before->links[tree->link];
        tree->q = model->joints[link->first_joint].q;
        tree->flies =
            is_free_body(v, t) && tact_mat3_invert(link->inertia.rotary, &tree->I_inverse);
        tree->stiffness = tree->flies ? matrix_norm(tree->I_inverse) : 0;
        v->mechanisms = v->mechanisms || !tree->flies;
    }
}

static TactStatus create_verifier(TactVerifier *v, const TactModel *model)
{
    layout_verifier(v, model, &v->arena);
    TACT_TRY(tact_arena_create(&v->arena));
    layout_verifier(v, model, &v->arena);
    TACT_TRY(tact_dynamics_create(model, &v->before));
    TACT_TRY(tact_dynamics_create(model, &v->after));
    find_trees(v);
    TACT_TRY(tact_model_shapes_create(model, &v->shapes));
    return tact_verify_contact_create(v);
}

TactStatus tact_verifier_create(const TactModel *model, const TactVerifyConfig *config,
                                TactVerifier **verifier)
{
    TactVerifyConfig standard = tact_verify_config_default();
    TactVerifier    *v = NULL;
    if (!model || !verifier) {
        return tact_fail(TACT_BAD_ARGUMENT, "verify: no %s", model ? "verifier" : "model");
    }
    *verifier = NULL;
    config = config ? config : &standard;
    TACT_TRY(check_verify_config(config));
    TACT_TRY(tact_allocate(1, sizeof *v, (void **)&v));
    v->model = model;
    v->config = *config;
    TactStatus status = create_verifier(v, model);
    if (status != TACT_OK) {
        tact_verifier_destroy(v);
        return status;
    }
    *verifier = v;
    return TACT_OK;
}

void tact_verifier_destroy(TactVerifier *v)
{
    if (v) {
        tact_world_destroy(v->world);
        tact_model_shapes_destroy(&v->shapes);
        tact_dynamics_destroy(v->before);
        tact_dynamics_destroy(v->after);
        tact_release(v->touch_before.pairs);
        tact_release(v->touch_after.pairs);
        tact_arena_destroy(&v->arena);
        tact_release(v);
    }
}

static TactStatus check_arrays(const TactVerifier *v, const TactStep *step)
{
    const double *arrays[] = {step->q,          step->v,      step->q_after, step->v_after,
                              step->v_products, step->forces, step->driving};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (!arrays[i] && v->model->nv > 0) {
            return tact_fail(TACT_BAD_ARGUMENT, "verify: an array of the step is missing");
        }
    }
    for (int i = 0; i < v->model->nv; i++) {
        if (!isfinite(step->forces[i]) || !isfinite(step->driving[i])) {
            return tact_fail(TACT_BAD_INPUT, "verify: the force on dof %d is not finite", i);
        }
    }
    if (step->contact_count < 0 || (step->contact_count > 0 && !step->contacts)) {
        return tact_fail(TACT_BAD_ARGUMENT, "verify: %d contacts, but no array of them",
                         step->contact_count);
    }
    return TACT_OK;
}

static TactStatus check_step(const TactVerifier *v, const TactStep *step)
{
    if (!(step->h > 0) || !isfinite(step->h)) {
        return tact_fail(TACT_BAD_INPUT, "verify: the step is %g s long", step->h);
    }
    if (!(step->slop >= 0) || !(step->correction >= 0)) {
        return tact_fail(TACT_BAD_INPUT, "verify: slop %g, correction %g: one is negative or NaN",
                         step->slop, step->correction);
    }
    TACT_TRY(check_arrays(v, step));
    for (int k = 0; k < step->contact_count; k++) {
        const TactStepContact *c = &step->contacts[k];
        for (int side = 0; side < 2; side++) {
            if (c->geom[side] < 0 || c->geom[side] >= v->model->geom_count) {
                return tact_fail(TACT_BAD_ARGUMENT, "verify: contact %d: there is no geom %d", k,
                                 c->geom[side]);
            }
        }
        if (!isfinite(tact_vec3_norm(c->force)) || !isfinite(tact_vec3_norm(c->point)) ||
            !isfinite(tact_vec3_norm(c->normal))) {
            return tact_fail(TACT_BAD_INPUT, "verify: contact %d: its numbers are not finite", k);
        }
    }
    return TACT_OK;
}

static TactStatus set_states(TactVerifier *v, const TactStep *step)
{
    for (int t = 0; t < v->tree_count; t++) {
        v->asleep[t] = step->asleep && step->asleep[v->trees[t].root];
    }
    TACT_TRY(tact_dynamics_set_position(v->before, step->q));
    TACT_TRY(tact_dynamics_set_velocity(v->before, step->v));
    if (v->mechanisms && step->integrator == TACT_INTEGRATOR_EULER) {
        TACT_TRY(tact_verify_find_path(v, step));
    }
    TACT_TRY(tact_dynamics_set_position(v->after, step->q_after));
    return tact_dynamics_set_velocity(v->after, step->v_after);
}

TactStatus tact_verifier_certify(TactVerifier *v, const TactStep *step,
                                 TactStepCertificate *certificate)
{
    if (!v || !step || !certificate) {
        return tact_fail(TACT_BAD_ARGUMENT, "verify: no verifier, step or certificate");
    }
    TactStepFinding *laws = certificate->laws;
    bool             euler = step->integrator == TACT_INTEGRATOR_EULER;
    *certificate = (TactStepCertificate){.certified = false};
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        bool judged =
            i == TACT_STEP_LAW_CONTACT || (euler && !(i == TACT_STEP_LAW_ENERGY && step->soft));
        laws[i] = (TactStepFinding){.judged = judged, .holds = true, .index = {-1, -1}};
    }
    TACT_TRY(check_step(v, step));
    TACT_TRY(set_states(v, step));
    tact_verify_find_motion(v, step);
    TACT_TRY(tact_verify_contact(v, step, &laws[TACT_STEP_LAW_CONTACT]));
    if (euler) {
        TACT_TRY(tact_verify_momentum(v, step, &laws[TACT_STEP_LAW_MOMENTUM]));
        tact_verify_position(v, step, &laws[TACT_STEP_LAW_POSITION]);
    }
    if (euler && !step->soft) {
        TACT_TRY(tact_verify_energy(v, step, &laws[TACT_STEP_LAW_ENERGY]));
    }
    certificate->certified = true;
    for (int i = 0; i < TACT_STEP_LAW_COUNT; i++) {
        certificate->certified = certificate->certified && laws[i].holds;
    }
    return TACT_OK;
}
