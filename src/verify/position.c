// Position: positions follow velocities. Equations (4) to (7) of docs/theory/step-certificate.md.
#include <math.h>

#include "base/larger.h"
#include "dynamics/links.h"
#include "verify/verifier.h"

static const double SQRT3 = 1.7320508075688772;
static const double ONE_TURN = 0.1;   // rad: up to here a step is one rotation, to rounding
static const double MOST_TURN = 0.25; // rad: longer ones are several, each up to this
static const double FINE = 0.02;      // rad in a step of the comparison
enum { MOST_FINE = 20000 };

/// I^-1 (a x b)
static TactVec3 turn_rate(const TactVerifyTree *tree, TactVec3 a, TactVec3 b)
{
    return tact_mat3_apply(tree->I_inverse, tact_vec3_cross(a, b));
}

/// |w x dw| + |ddw| of the free rotation with velocity w.
static double find_curvature(const TactVerifyTree *tree, const TactMat3 *I, TactVec3 w)
{
    TactVec3 m = tact_mat3_apply(*I, w);
    TactVec3 dw = turn_rate(tree, m, w);
    TactVec3 ddw =
        tact_vec3_add(turn_rate(tree, tact_mat3_apply(*I, dw), w), turn_rate(tree, m, dw));
    return tact_vec3_norm(tact_vec3_cross(w, dw)) + tact_vec3_norm(ddw);
}

/// Angular velocity, body axes, of a body with this rotation and the momentum L, world axes.
static TactVec3 spin(const TactVerifyTree *tree, TactQuat R, TactVec3 L)
{
    return tact_mat3_apply(tree->I_inverse, tact_quat_rotate_back(R, L));
}

static TactQuat rotate_by(TactQuat R, double dt, TactVec3 w)
{
    return tact_quat_multiply(R, tact_quat_exp(tact_vec3_scale(dt, w)));
}

/// a k1 + b (k2 + k3) + c k4
static TactVec3 blend(double a, double b, double c, const TactVec3 k[4])
{
    TactVec3 sum = tact_vec3_scale(b, tact_vec3_add(k[1], k[2]));
    return tact_vec3_add_scaled(tact_vec3_add_scaled(sum, a, k[0]), c, k[3]);
}

/// Free rotation from R with the momentum L, in fine steps of order 4 that are products of
/// exponentials [Celledoni, Marthinsen, Owren 2003]; the largest curvature on the way.
static TactQuat rotate_freely(const TactVerifyTree *tree, const TactMat3 *I,
                              const TactFreeMotion *m, double h, double angle, double *curvature)
{
    int      steps = 1 + (int)fmin(angle / FINE, MOST_FINE);
    double   dt = h / steps;
    TactQuat R = m->R;
    *curvature = 0;
    for (int i = 0; i < steps; i++) {
        TactVec3 k[4];
        k[0] = spin(tree, R, m->L_after);
        *curvature = tact_larger(*curvature, find_curvature(tree, I, k[0]));
        TactQuat half = rotate_by(R, 0.5 * dt, k[0]);
        k[1] = spin(tree, half, m->L_after);
        k[2] = spin(tree, rotate_by(R, 0.5 * dt, k[1]), m->L_after);
        k[3] = spin(tree, rotate_by(half, dt, tact_vec3_add_scaled(k[2], -0.5, k[0])), m->L_after);
        R = rotate_by(R, dt / 12, blend(3, 2, -1, k));
        R = tact_quat_normalise(rotate_by(R, dt / 12, blend(-1, 2, 3, k)));
    }
    return R;
}

static void judge_rotation(const TactVerifier *v, const TactStep *step, int t,
                           TactStepFinding *finding)
{
    const TactVerifyTree *tree = &v->trees[t];
    const TactFreeMotion *m = &v->motion[t];
    const TactMat3       *I = &v->before->links[tree->link].inertia.rotary;
    double                h = step->h;
    double angle = h * tact_larger(tact_vec3_norm(m->w_start), tact_vec3_norm(m->w_after));
    // w_start is carried back through R': a correction of R' moves it too
    double bound =
        v->config.tol * (1 + angle) +
        SQRT3 * step->correction * (1 + 0.5 * h * tree->stiffness * tact_vec3_norm(m->L_after));
    TactVec3 mean = tact_vec3_scale(0.5 * h, tact_vec3_add(m->w_start, m->w_after));
    TactQuat expected = tact_quat_multiply(m->R, tact_quat_exp(mean)); // (5)
    if (angle > ONE_TURN) {                                            // (6)
        double curvature, turn = fmin(h, h * MOST_TURN / angle);
        expected = rotate_freely(tree, I, m, h, angle, &curvature);
        bound += (1 + angle) * h * turn * turn / 6 * curvature;
    }
    TactVec3 off = tact_quat_log(tact_quat_multiply(tact_quat_conjugate(expected), m->R_after));
    tact_finding_take(finding, TACT_STEP_CHECK_ROTATION, tact_vec3_norm(off), bound,
                      TACT_OBJECT_BODY, tree->root, -1);
}

static void judge_free(const TactVerifier *v, const TactStep *step, int t, TactStepFinding *finding)
{
    const TactVerifyTree *tree = &v->trees[t];
    const TactFreeMotion *m = &v->motion[t];
    TactVec3              way = tact_vec3_scale(step->h, m->v_after); // (4)
    TactVec3              off = tact_vec3_subtract(tact_vec3_subtract(m->com_after, m->com), way);
    double                arm = tact_vec3_norm(v->before->links[tree->link].inertia.com);
    double                bound =
        v->config.tol * (1 + tact_vec3_norm(way)) +
        SQRT3 * step->correction * (1 + arm + step->h * arm * tact_vec3_norm(m->w_after));
    tact_finding_take(finding, TACT_STEP_CHECK_PATH, tact_vec3_norm(off), bound, TACT_OBJECT_BODY,
                      tree->root, -1);
    judge_rotation(v, step, t, finding);
}

/// work: what q' lacks of q moved by h v'.
static void judge_mechanism(const TactVerifier *v, const TactStep *step, int t,
                            TactStepFinding *finding)
{
    const TactVerifyTree *tree = &v->trees[t];
    for (int i = tree->first_dof; i < tree->end_dof; i++) { // (7)
        if (!(step->prescribed && step->prescribed[i])) {
            TactJointType type = v->model->joints[v->model->dofs[i].joint].type;
            bool   turns = type == TACT_JOINT_BALL || type == TACT_JOINT_FREE; // shifts do not add
            double shift = step->correction * (turns ? SQRT3 * (1 + step->correction) : 1);
            double bound = v->config.tol * (1 + step->h * fabs(step->v_after[i])) + shift;
            tact_finding_take(finding, TACT_STEP_CHECK_COORDINATE, fabs(v->work[i]), bound,
                              TACT_OBJECT_JOINT, v->model->dofs[i].joint, -1);
        }
    }
}

static void judge_sleeper(const TactVerifier *v, const TactStep *step, int t,
                          TactStepFinding *finding)
{
    const TactVerifyTree *tree = &v->trees[t];
    for (int i = tree->first_dof; i < tree->end_dof; i++) {
        double moved = tact_larger(fabs(v->work[i]), fabs(step->v_after[i]));
        tact_finding_take(finding, TACT_STEP_CHECK_ASLEEP, moved, v->config.tol, TACT_OBJECT_JOINT,
                          v->model->dofs[i].joint, -1);
    }
}

void tact_verify_position(TactVerifier *v, const TactStep *step, TactStepFinding *finding)
{
    bool sleepers = false;
    for (int t = 0; t < v->tree_count; t++) {
        sleepers = sleepers || v->asleep[t];
    }
    if (v->mechanisms || sleepers) {
        tact_dynamics_integrate(v->model, step->q, step->v_after, step->h, v->q_work);
        tact_dynamics_differentiate(v->model, v->q_work, step->q_after, v->work);
    }
    for (int t = 0; t < v->tree_count; t++) {
        if (v->asleep[t]) {
            judge_sleeper(v, step, t, finding);
        } else if (v->trees[t].flies) {
            judge_free(v, step, t, finding);
        } else {
            judge_mechanism(v, step, t, finding);
        }
    }
}
