// What the states say about the motion of a step: free bodies about their centres of mass, the
// velocity after all impulses, and the generalized forces of the contacts.
#include <math.h>
#include <string.h>

#include "dynamics/links.h"
#include "math/vec3_array.h"
#include "verify/verifier.h"

/// Velocity of the centre of mass.
static TactVec3 com_velocity(TactQuat R, TactVec3 c, const double *v)
{
    return tact_vec3_add(tact_vec3_at(v),
                         tact_quat_rotate(R, tact_vec3_cross(tact_vec3_at(v + 3), c)));
}

/// The impulses of the step act at its beginning, free rotation follows, which keeps the angular
/// momentum: the velocity after the impulses is that of the end, carried back.
static void find_free(TactVerifier *v, const TactStep *step, int t)
{
    const TactVerifyTree *tree = &v->trees[t];
    const TactLink       *link = &v->before->links[tree->link];
    TactFreeMotion       *m = &v->motion[t];
    const double         *now = step->v + tree->first_dof, *then = step->v_after + tree->first_dof;
    TactVec3              c = link->inertia.com;
    TactMat3              I = link->inertia.rotary;
    *m = (TactFreeMotion){
        .R = v->before->pose[link->body].rotation,
        .R_after = v->after->pose[link->body].rotation,
        .com = v->before->com[tree->link],
        .com_after = v->after->com[tree->link],
        .w = tact_vec3_at(now + 3),
        .w_after = tact_vec3_at(then + 3),
    };
    m->v = com_velocity(m->R, c, now);
    m->v_after = com_velocity(m->R_after, c, then);
    m->L = tact_quat_rotate(m->R, tact_mat3_apply(I, m->w));
    m->L_after = tact_quat_rotate(m->R_after, tact_mat3_apply(I, m->w_after));
    m->w_start = tact_mat3_apply(tree->I_inverse, tact_quat_rotate_back(m->R, m->L_after));
    TactVec3 arm = tact_quat_rotate(m->R, tact_vec3_cross(m->w_start, c));
    tact_vec3_put(tact_vec3_subtract(m->v_after, arm), v->v_start + tree->first_dof);
    tact_vec3_put(m->w_start, v->v_start + tree->first_dof + 3);
}

/// A force and a moment at a point of a body, to the dofs that move it.
static void add_force(TactVerifier *v, int body, TactVec3 point, TactWrench w)
{
    const TactDynamics *d = v->before;
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactWrench      at_com = tact_wrench_shift(w, tact_vec3_subtract(point, d->com[l]));
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            double part = tact_wrench_dot(at_com, d->axis[i]);
            v->contact[i] += part;
            v->term_size[i] += fabs(part);
        }
    }
}

void tact_verify_find_motion(TactVerifier *v, const TactStep *step)
{
    size_t size = (size_t)v->model->nv * sizeof(double);
    if (size > 0) {
        memcpy(v->v_start, step->v_after, size);
        memset(v->contact, 0, size);
    }
    for (int i = 0; i < v->model->nv; i++) {
        v->term_size[i] = step->force_size ? step->force_size[i] : fabs(step->forces[i]);
    }
    for (int t = 0; t < v->tree_count; t++) {
        if (v->trees[t].flies) {
            find_free(v, step, t);
        }
    }
    for (int k = 0; k < step->contact_count; k++) {
        const TactStepContact *c = &step->contacts[k];
        const TactGeom        *geoms = v->model->geoms;
        TactWrench             on_b = {c->force, c->moment};
        add_force(v, geoms[c->geom[1]].body, c->point, on_b);
        add_force(v, geoms[c->geom[0]].body, c->point, tact_wrench_scale(-1, on_b));
    }
}
