// Jacobians of points: the columns are the axes on the way to the root, seen from the point.
#include <string.h>

#include "dynamics/workspace.h"

static void put_column(double *J, size_t ld, size_t column, TactTwist axis)
{
    const double entries[6] = {axis.linear.x,  axis.linear.y,  axis.linear.z,
                               axis.angular.x, axis.angular.y, axis.angular.z};
    for (size_t r = 0; r < 6; r++) {
        J[r * ld + column] = entries[r];
    }
}

void tact_dynamics_compute_jacobian(const TactDynamics *d, int body, TactVec3 point, double *J)
{
    size_t nv = (size_t)d->model->nv;
    memset(J, 0, 6 * nv * sizeof *J);
    for (int l = d->link_of[body]; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(point, d->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            put_column(J, nv, (size_t)i, tact_twist_shift(d->axis[i], r));
        }
    }
}

int tact_dynamics_compute_jacobian_sparse(const TactDynamics *d, int body, TactVec3 point,
                                          double *J, int ld, int *dofs)
{
    int l = d->link_of[body];
    if (l == 0) {
        return 0;
    }
    int last = d->links[l].first_dof + d->links[l].dof_count - 1;
    int count = d->mass->row[last + 1] - d->mass->row[last];
    int place = count;
    for (; l > 0; l = d->links[l].parent) {
        const TactLink *link = &d->links[l];
        TactVec3        r = tact_vec3_subtract(point, d->com[l]);
        for (int i = link->first_dof + link->dof_count - 1; i >= link->first_dof; i--) {
            place--;
            dofs[place] = i;
            put_column(J, (size_t)ld, (size_t)place, tact_twist_shift(d->axis[i], r));
        }
    }
    return count;
}
