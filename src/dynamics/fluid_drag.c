// The drag of the fluid as a matrix, so that it can be taken at the end of a step.
//
// With the coefficients c, e of a part (fluid.h), of which the columns of R are the axes, and the
// way s to it from the centre of mass of its link, which moves by V = (v, w),
//
//     f = -C (V - W) ,   C = [ I  [s]' ]' [ R c R'    0    ] [ I  [s]' ]
//                            [ 0   I   ]  [   0     R e R' ] [ 0   I   ]
//
// summed over the parts of the link; W = (wind, 0). C is symmetric and, as c and e are, not
// negative, at whatever velocity it was found. So the drag at the end of a step,
//
//     J'C (J v+ - W) = J'C (J v - W) + J'C J (v+ - v) ,
//
// takes energy from all that moves in a fluid at rest, and J'C J has the pattern of M: it is that
// of the inertias of links. (M_ij = S_j' C_composite S_i, as in mass.c.)
#include <math.h>
#include <string.h>

#include "dynamics/fluid.h"

/// sum += R diag(c) R'
static void add_diagonal(const TactVec3 axis[3], const double c[3], TactSym3 *sum)
{
    for (int i = 0; i < 3; i++) {
        TactVec3 a = axis[i], b = tact_vec3_scale(c[i], a);
        TactSym3 part = {a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z};
        *sum = tact_sym3_add(*sum, part);
    }
}

void tact_dynamics_swap_drag(TactDynamics *d)
{
    TactFluidDrag   *drag = &d->recursion->drag;
    TactArticulated *C = drag->C;
    drag->C = drag->C_before;
    drag->C_before = C;
}

void tact_dynamics_find_drag(TactDynamics *d)
{
    tact_dynamics_swap_drag(d);
    TactArticulated *C = d->recursion->drag.C;
    TactFluidPart    part = tact_fluid_first();
    memset(C, 0, (size_t)d->link_count * sizeof *C);
    while (tact_fluid_next(d, &part)) {
        TactArticulated own = {0};
        add_diagonal(part.axis, part.linear, &own.M);
        add_diagonal(part.axis, part.angular, &own.J);
        tact_articulated_add_shifted(&C[part.link], &own,
                                     tact_vec3_subtract(part.centre, d->com[part.link]));
    }
}

static void compose(const TactDynamics *d)
{
    TactArticulated *C = d->recursion->drag.composite;
    memcpy(C, d->recursion->drag.C, (size_t)d->link_count * sizeof *C);
    for (int l = d->link_count - 1; l > 0; l--) {
        if (d->links[l].parent > 0) {
            tact_articulated_add_shifted(&C[d->links[l].parent], &C[l], d->arm[l]);
        }
    }
}

void tact_dynamics_compute_mass_in_fluid(TactDynamics *d, const double *added, double h)
{
    tact_dynamics_fill_mass(d, added);
    compose(d);
    for (int l = 1; l < d->link_count; l++) {
        for (int i = d->links[l].first_dof; i < d->links[l].first_dof + d->links[l].dof_count;
             i++) {
            TactWrench F = tact_articulated_apply(&d->recursion->drag.composite[l], d->axis[i]);
            double    *end = d->mass->M + d->mass->row[i + 1];
            int        last = i;
            for (int k = l; k > 0; k = d->links[k].parent) {
                for (int j = last; j >= d->links[k].first_dof; j--) {
                    *--end += h * tact_wrench_dot(F, d->axis[j]);
                }
                F = tact_wrench_shift(F, d->arm[k]);
                int above = d->links[k].parent;
                last = d->links[above].first_dof + d->links[above].dof_count - 1;
            }
        }
    }
    tact_dynamics_factor_mass(d);
}

void tact_dynamics_push_drag(const TactDynamics *d, const double *x, bool wind, double *tau)
{
    TactTwist  *motion = d->recursion->drag.motion;
    TactWrench *force = d->recursion->force;
    TactTwist   W = {wind ? d->model->options.wind : (TactVec3){0, 0, 0}, {0, 0, 0}};
    motion[0] = (TactTwist){{0, 0, 0}, {0, 0, 0}};
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        motion[l] = tact_twist_shift(motion[link->parent], d->arm[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            motion[l] = tact_twist_add_scaled(motion[l], x[i], d->axis[i]);
        }
        force[l] = tact_articulated_apply(&d->recursion->drag.C[l],
                                          tact_twist_add_scaled(motion[l], -1, W));
    }
    for (int l = d->link_count - 1; l > 0; l--) {
        const TactLink *link = &d->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            tau[i] -= tact_wrench_dot(force[l], d->axis[i]);
        }
        if (link->parent > 0) {
            force[link->parent] =
                tact_wrench_add(force[link->parent], tact_wrench_shift(force[l], d->arm[l]));
        }
    }
}
