// Inverse dynamics by the recursive Newton-Euler algorithm, and forward dynamics by the
// articulated-body algorithm [Featherstone, Rigid Body Dynamics Algorithms, 5.3, 7.3].
//
// Gravity is an acceleration of the world by -g. Joints with several dofs, and several joints on a
// body, are eliminated one dof after another, as if massless links stood between them: the same
// numbers as with blocks, and armature is one more term on the diagonal.
#include "base/clones.h"
#include "dynamics/workspace.h"

static TactTwist world_acceleration(const TactModel *model)
{
    TactTwist a = {{0, 0, 0}, {0, 0, 0}};
    if (!model->options.gravity_off) {
        a.linear = tact_vec3_negate(model->options.gravity);
    }
    return a;
}

/// The forces on bodies, each about the centre of mass of its body, taken off those of the links.
static void subtract_external(TactDynamics *d, const TactWrench *external)
{
    for (int i = 1; external && i < d->model->body_count; i++) {
        int      l = d->link_of[i];
        TactVec3 place = tact_transform_point(d->pose[i], d->model->bodies[i].inertia.com);
        d->recursion->force[l] = tact_wrench_add_scaled(
            d->recursion->force[l], -1,
            tact_wrench_shift(external[i], tact_vec3_subtract(place, d->com[l])));
    }
}

/// a = a_parent + c + S qdd, f = I a + v x* I v of every link.
TACT_CLONES static void accelerate_links(TactDynamics *d, const double *acceleration)
{
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        TactTwist a = tact_twist_add(tact_twist_shift(d->acceleration[link->parent], d->arm[l]),
                                     d->product[l]);
        int       end = link->first_dof + link->dof_count;
        for (int i = link->first_dof; acceleration && i < end; i++) {
            a = tact_twist_add_scaled(a, acceleration[i], d->axis[i]);
        }
        d->acceleration[l] = a;
        d->recursion->force[l] = tact_link_inertial_force(d, l, a);
    }
}

/// f with those of the children, tau = S'f.
TACT_CLONES static void gather_forces(TactDynamics *d, const double *acceleration, double *tau)
{
    for (int l = d->link_count - 1; l > 0; l--) {
        const TactLink *link = &d->links[l];
        TactWrench      f = d->recursion->force[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            double rotor = acceleration ? d->model->dofs[i].armature * acceleration[i] : 0;
            tau[i] = tact_wrench_dot(f, d->axis[i]) + rotor;
        }
        if (link->parent > 0) {
            d->recursion->force[link->parent] =
                tact_wrench_add(d->recursion->force[link->parent], tact_wrench_shift(f, d->arm[l]));
        }
    }
}

//     a = a_parent + c + S qdd,   f = I a + v x* I v + sum of children,   tau = S'f
void tact_dynamics_compute_inverse(TactDynamics *d, const double *acceleration,
                                   const TactWrench *external, double *tau)
{
    d->acceleration[0] = world_acceleration(d->model);
    accelerate_links(d, acceleration);
    subtract_external(d, external);
    gather_forces(d, acceleration, tau);
    if (d->tendon_inertia) {
        tact_dynamics_add_tendon_force(d, acceleration, tau);
    }
}

/// Forward dynamics where tendons have inertia, which ties links that no recursion over the tree
/// sees together: by the mass matrix.
static void forward_by_mass(TactDynamics *d, const double *tau, const TactWrench *external,
                            const double *added, double *acceleration)
{
    tact_dynamics_compute_inverse(d, NULL, external, d->tendon_bias);
    tact_dynamics_compute_mass(d, added);
    for (int i = 0; i < d->model->nv; i++) {
        acceleration[i] = (tau ? tau[i] : 0) - d->tendon_bias[i];
    }
    tact_dynamics_solve_mass(d, acceleration);
    tact_dynamics_compute_inverse(d, acceleration, external, d->tendon_bias); // those of the links
}

static void start_articulated(TactDynamics *d)
{
    for (int l = 1; l < d->link_count; l++) {
        double m = d->links[l].inertia.mass;
        d->recursion->articulated[l] =
            (TactArticulated){.M = {m, m, m, 0, 0, 0}, .J = d->rotary[l]};
        TactTwist none = {{0, 0, 0}, {0, 0, 0}};
        d->recursion->force[l] = tact_link_inertial_force(d, l, none);
    }
}

/// Eliminates the dofs of a link, last one first:
///     U = I S,  D = S'U + armature,  u = tau - S'f,     I -= U U'/D,  f += U u/D
static void eliminate_link(TactDynamics *d, const TactLink *link, int l, const double *tau,
                           const double *added)
{
    const TactDof   *dofs = d->model->dofs;
    TactArticulated *I = &d->recursion->articulated[l];
    for (int i = link->first_dof + link->dof_count - 1; i >= link->first_dof; i--) {
        TactWrench U = tact_articulated_apply(I, d->axis[i]);
        double     D = tact_wrench_dot(U, d->axis[i]) + dofs[i].armature + (added ? added[i] : 0);
        double     inverse = 1 / D;
        double     u = (tau ? tau[i] : 0) - tact_wrench_dot(d->recursion->force[l], d->axis[i]);
        tact_articulated_remove(I, inverse, U);
        d->recursion->force[l] = tact_wrench_add_scaled(d->recursion->force[l], inverse * u, U);
        d->recursion->U[i] = U;
        d->recursion->D_inverse[i] = inverse;
        d->recursion->u[i] = u;
    }
}

void tact_dynamics_compute_forward(TactDynamics *d, const double *tau, const TactWrench *external,
                                   const double *added, double *acceleration)
{
    if (d->tendon_inertia) {
        forward_by_mass(d, tau, external, added, acceleration);
        return;
    }
    start_articulated(d);
    subtract_external(d, external);

    for (int l = d->link_count - 1; l > 0; l--) {
        const TactLink *link = &d->links[l];
        eliminate_link(d, link, l, tau, added);
        if (link->parent > 0) {
            TactWrench f = tact_wrench_add(
                d->recursion->force[l],
                tact_articulated_apply(&d->recursion->articulated[l], d->product[l]));
            d->recursion->force[link->parent] =
                tact_wrench_add(d->recursion->force[link->parent], tact_wrench_shift(f, d->arm[l]));
            tact_articulated_add_shifted(&d->recursion->articulated[link->parent],
                                         &d->recursion->articulated[l], d->arm[l]);
        }
    }

    d->acceleration[0] = world_acceleration(d->model);
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        TactTwist a = tact_twist_add(tact_twist_shift(d->acceleration[link->parent], d->arm[l]),
                                     d->product[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            double qdd = (d->recursion->u[i] - tact_wrench_dot(d->recursion->U[i], a)) *
                         d->recursion->D_inverse[i];
            a = tact_twist_add_scaled(a, qdd, d->axis[i]);
            acceleration[i] = qdd;
        }
        d->acceleration[l] = a;
    }
}
