// Momentum: velocities change by the impulses of the forces. Equations (1) to (3) of
// docs/theory/step-certificate.md.
#include <math.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "math/vec3_array.h"
#include "verify/verifier.h"

static const double ROUNDING = 1e-12; // of the other kind of momentum, times or over the radius
static const double SQRT3 = 1.7320508075688772;

/// Radius of gyration, the largest that the trace allows, and distance of the origin.
static double find_radius(const TactInertia *inertia)
{
    double trace = inertia->rotary.m[0][0] + inertia->rotary.m[1][1] + inertia->rotary.m[2][2];
    return sqrt(0.5 * trace / inertia->mass) + tact_vec3_norm(inertia->com);
}

static void judge_free(const TactVerifier *v, const TactStep *step, int t, TactStepFinding *finding)
{
    const TactVerifyTree *tree = &v->trees[t];
    const TactFreeMotion *m = &v->motion[t];
    const TactInertia    *inertia = &v->before->links[tree->link].inertia;
    double                h = step->h, mass = inertia->mass, tol = v->config.tol;
    double                shift = SQRT3 * step->correction;

    double all[6], terms = 0;
    for (int i = 0; i < 6; i++) {
        int dof = tree->first_dof + i;
        all[i] = step->forces[dof] + v->contact[dof];
        terms = tact_larger(terms, v->term_size[dof]);
    }
    TactVec3 F = tact_vec3_at(all), arm = tact_quat_rotate(m->R, inertia->com);
    TactVec3 T =
        tact_vec3_subtract(tact_quat_rotate(m->R, tact_vec3_at(all + 3)), tact_vec3_cross(arm, F));
    TactVec3 weight = tact_vec3_scale(mass, tact_verify_gravity(v->model));

    TactVec3 linear = tact_vec3_scale(mass, tact_vec3_subtract(m->v_after, m->v)); // (1)
    linear = tact_vec3_add_scaled(linear, -h, tact_vec3_add(F, weight));
    TactVec3 angular = tact_vec3_add_scaled(tact_vec3_subtract(m->L_after, m->L), -h, T); // (2)

    double r = find_radius(inertia), w = tact_vec3_norm(m->w_after);
    double size = mass * (tact_vec3_norm(m->v) + tact_vec3_norm(m->v_after)) +
                  h * (tact_vec3_norm(weight) + tact_vec3_norm(F));
    double spin = tact_vec3_norm(m->L) + tact_vec3_norm(m->L_after) +
                  h * (tact_vec3_norm(T) + tact_vec3_norm(F) * tact_vec3_norm(arm));
    double round = TACT_VERIFY_ROUNDING * h * terms;
    tact_finding_take(finding, TACT_STEP_CHECK_LINEAR_MOMENTUM, tact_vec3_norm(linear),
                      tol * size + round * (1 + 1 / r) + ROUNDING * spin / r +
                          mass * w * tact_vec3_norm(inertia->com) * shift,
                      TACT_OBJECT_BODY, tree->root, -1);
    tact_finding_take(finding, TACT_STEP_CHECK_ANGULAR_MOMENTUM, tact_vec3_norm(angular),
                      tol * spin + round * (1 + r) + ROUNDING * size * r +
                          tact_vec3_norm(m->L_after) * shift,
                      TACT_OBJECT_BODY, tree->root, -1);
}

static void judge_mechanism(const TactVerifier *v, const TactStep *step, int t,
                            TactStepFinding *finding)
{
    const TactVerifyTree *tree = &v->trees[t];
    double                size = 0, terms = 0, worst = -1;
    int                   dof = tree->first_dof;
    for (int i = tree->first_dof; i < tree->end_dof; i++) {
        double inertial = v->equation[i] - v->bias[i];
        double off = fabs(v->equation[i] - step->forces[i] - v->contact[i]); // (3)
        size = tact_larger(size, fabs(inertial) + fabs(v->bias[i]) + fabs(step->forces[i]) +
                                     fabs(v->contact[i]));
        terms = tact_larger(terms, v->term_size[i] + fabs(v->carried[i]));
        if (!(off <= worst)) {
            worst = off;
            dof = i;
        }
    }
    tact_finding_take(finding, TACT_STEP_CHECK_JOINT_FORCE, worst,
                      v->config.tol * size + TACT_VERIFY_ROUNDING * terms, TACT_OBJECT_JOINT,
                      v->model->dofs[dof].joint, -1);
}

TactStatus tact_verify_momentum(TactVerifier *v, const TactStep *step, TactStepFinding *finding)
{
    if (v->mechanisms) {
        for (int i = 0; i < v->model->nv; i++) {
            v->work[i] = (step->v_after[i] - step->v[i]) / step->h;
        }
        TACT_TRY(tact_dynamics_set_velocity(v->before, step->v_products));
        tact_dynamics_compute_inverse(v->before, NULL, NULL, v->bias);
        tact_dynamics_compute_inverse(v->before, v->work, NULL, v->equation);
        for (int i = 0; i < v->model->nv; i++) {
            v->work[i] = step->v_after[i] / step->h;
        }
        tact_dynamics_compute_inverse(v->before, v->work, NULL, v->carried);
    }
    for (int t = 0; t < v->tree_count; t++) {
        if (v->asleep[t]) {
            continue;
        }
        if (v->trees[t].flies) {
            judge_free(v, step, t, finding);
        } else {
            judge_mechanism(v, step, t, finding);
        }
    }
    return TACT_OK;
}
