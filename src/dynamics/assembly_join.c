// Joining two assemblies at a joint, and parting them again [Yamane-Nakamura, 10-16; errata Y2-Y5].
//
// Let f be the force that the joint puts on the lower assembly (minus f on the upper one), both at
// the centre of mass of the joint's link, and F_k forces on handles. With G_k the acceleration that
// F_k gives the lower link there, or minus that of the upper one,
//
//     V f + beta = S qdd,      beta = b_lower - b_upper - c - S_p qdd_p + sum_k G_k F_k     (1)
//     S'f = tau - armature qdd                                                              (2)
//
// for the free axes S; those that are prescribed, S_p, have gone to the left. Hence
//
//     qdd = D^-1 tau + K beta,     f = K'tau - W beta                                       (3)
//     Phi_ij <- Phi_ij - G_i' W G_j,     b_i <- b_i + G_i' f_0.                             (4)
#include <string.h>

#include "dynamics/assembly.h"
#include "dynamics/block6.h"

static const double *phi(const TactAssemblyNode *node, int i, int j)
{
    return node->Phi + 36 * ((size_t)i * (size_t)node->count + (size_t)j);
}

static void to_array(TactVec3 a, TactVec3 b, double x[6])
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
    x[3] = b.x;
    x[4] = b.y;
    x[5] = b.z;
}

static void add_to_twist(TactTwist *v, const double x[6])
{
    TactTwist change = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    *v = tact_twist_add(*v, change);
}

/// G_k of all handles; the shift takes accelerations of the upper link to the joint's centre.
static void find_G(TactAssemblyNode *node, const TactAssemblyNode *upper,
                   const TactAssemblyNode *lower, TactVec3 arm)
{
    double *G = node->G;
    for (int k = 0; upper && k < upper->count; k++, G += 36) {
        memcpy(G, phi(upper, node->attach_place, k), 36 * sizeof *G);
        tact_block6_shift_rows(G, arm);
        for (int i = 0; i < 36; i++) {
            G[i] = -G[i];
        }
    }
    for (int k = 0; k < lower->count; k++, G += 36) {
        memcpy(G, phi(lower, node->joint_place, k), 36 * sizeof *G);
    }
}

/// V^-1 of (1).
static void invert_V(const TactAssemblyNode *node, const TactAssemblyNode *upper,
                     const TactAssemblyNode *lower, TactVec3 arm, double V[36])
{
    memcpy(V, phi(lower, node->joint_place, node->joint_place), 36 * sizeof *V);
    if (upper) {
        double above[36];
        memcpy(above, phi(upper, node->attach_place, node->attach_place), sizeof above);
        tact_block6_shift_rows(above, arm);
        tact_block6_shift_columns(above, arm);
        for (int i = 0; i < 36; i++) {
            V[i] += above[i];
        }
    }
    tact_block6_invert(6, V);
}

/// The free axes of the joint, which rows of K they are, and D^-1.
typedef struct Joint {
    int    count;
    int    dof[6]; // counted from the link's first
    double S[6][6];
    double VS[6][6]; // V^-1 S
    double D[36];    // D^-1
} Joint;

static void find_axes(const TactAssembly *assembly, const TactLink *link, const double V[36],
                      Joint *joint)
{
    const TactDynamics *d = assembly->dynamics;
    joint->count = 0;
    for (int i = 0; i < link->dof_count; i++) {
        int dof = link->first_dof + i;
        if (assembly->input.prescribed && assembly->input.prescribed[dof]) {
            continue;
        }
        int k = joint->count++;
        joint->dof[k] = i;
        to_array(d->axis[dof].linear, d->axis[dof].angular, joint->S[k]);
        memset(joint->VS[k], 0, sizeof joint->VS[k]);
        tact_block6_add_product(V, joint->S[k], joint->VS[k]);
        for (int j = 0; j <= k; j++) {
            double sum = j == k ? d->model->dofs[dof].armature : 0;
            for (int r = 0; r < 6; r++) {
                sum += joint->VS[k][r] * joint->S[j][r];
            }
            joint->D[6 * k + j] = sum;
        }
    }
    tact_block6_invert(joint->count, joint->D);
}

/// K and W of the joint; without a constraint left, W is 0.
static void find_KW(TactAssemblyNode *node, const Joint *joint, const double V[36])
{
    memset(node->K, 0, sizeof node->K);
    memcpy(node->W, V, sizeof node->W);
    for (int i = 0; i < joint->count; i++) {
        double *row = node->K + 6 * (size_t)joint->dof[i];
        for (int j = 0; j < joint->count; j++) {
            for (int r = 0; r < 6; r++) {
                row[r] += joint->D[6 * i + j] * joint->VS[j][r];
            }
        }
    }
    for (int i = 0; i < joint->count; i++) {
        const double *row = node->K + 6 * (size_t)joint->dof[i];
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++) {
                node->W[6 * r + c] -= joint->VS[i][r] * row[c];
            }
        }
    }
    for (int r = 0; r < 6; r++) { // rounding leaves it not quite symmetric
        for (int c = 0; c < r; c++) {
            double mean = 0.5 * (node->W[6 * r + c] + node->W[6 * c + r]);
            node->W[6 * r + c] = node->W[6 * c + r] = joint->count == 6 ? 0 : mean;
        }
        node->W[7 * r] = joint->count == 6 ? 0 : node->W[7 * r];
    }
}

/// beta of (1) without forces on handles.
static void find_beta(const TactAssembly *assembly, const TactAssemblyNode *node,
                      const TactAssemblyNode *upper, const TactAssemblyNode *lower, double beta[6])
{
    const TactDynamics *d = assembly->dynamics;
    const TactLink     *link = &d->links[node->joint];
    TactTwist           above = {{0, 0, 0}, {0, 0, 0}};
    if (upper) {
        above = tact_twist_shift(upper->b[node->attach_place], d->arm[node->joint]);
    } else if (!d->model->options.gravity_off) {
        above.linear = tact_vec3_negate(d->model->options.gravity);
    }
    TactTwist sum = tact_twist_add_scaled(lower->b[node->joint_place], -1, above);
    sum = tact_twist_add_scaled(sum, -1, d->product[node->joint]);
    for (int i = 0; assembly->input.prescribed && i < link->dof_count; i++) {
        int dof = link->first_dof + i;
        if (assembly->input.prescribed[dof]) {
            sum = tact_twist_add_scaled(sum, -assembly->input.acceleration[dof], d->axis[dof]);
        }
    }
    to_array(sum.linear, sum.angular, beta);
}

/// (3) without forces on handles.
static void find_f(const TactAssembly *assembly, TactAssemblyNode *node, const Joint *joint,
                   const double beta[6])
{
    const TactLink *link = &assembly->dynamics->links[node->joint];
    for (int i = 0; i < link->dof_count; i++) {
        int dof = link->first_dof + i;
        node->qdd_0[i] = assembly->input.prescribed && assembly->input.prescribed[dof]
                             ? assembly->input.acceleration[dof]
                             : 0;
    }
    memset(node->f_0, 0, sizeof node->f_0);
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            node->f_0[r] -= node->W[6 * r + c] * beta[c];
        }
    }
    for (int i = 0; i < joint->count; i++) {
        const double *K = node->K + 6 * (size_t)joint->dof[i];
        double        tau = 0;
        if (assembly->input.tau) {
            tau = assembly->input.tau[link->first_dof + joint->dof[i]];
        }
        for (int j = 0; j < joint->count && assembly->input.tau; j++) {
            node->qdd_0[joint->dof[i]] +=
                joint->D[6 * i + j] * assembly->input.tau[link->first_dof + joint->dof[j]];
        }
        for (int r = 0; r < 6; r++) {
            node->f_0[r] += K[r] * tau;
            node->qdd_0[joint->dof[i]] += K[r] * beta[r];
        }
    }
}

/// (4) for the handles that are kept.
static void show_handles(TactAssemblyNode *node, const TactAssemblyNode *upper,
                         const TactAssemblyNode *lower)
{
    int h_upper = upper ? upper->count : 0;
    for (int i = 0; i < node->count; i++) {
        int           from = node->source[i];
        const double *G = node->G + 36 * (size_t)from;
        double        change[6] = {0}, WG[36];
        node->b[i] = from < h_upper ? upper->b[from] : lower->b[from - h_upper];
        tact_block6_add_transposed(G, node->f_0, change);
        add_to_twist(&node->b[i], change);

        tact_block6_multiply(node->W, G, WG);
        for (int j = 0; j <= i; j++) {
            int     other = node->source[j];
            double *block = node->Phi + 36 * ((size_t)j * (size_t)node->count + (size_t)i);
            if (from < h_upper && other < h_upper) {
                memcpy(block, phi(upper, other, from), 36 * sizeof *block);
            } else if (from >= h_upper && other >= h_upper) {
                memcpy(block, phi(lower, other - h_upper, from - h_upper), 36 * sizeof *block);
            } else {
                memset(block, 0, 36 * sizeof *block);
            }
            tact_block6_subtract_transposed(node->G + 36 * (size_t)other, WG, block);
            if (j < i) {
                tact_block6_transpose(
                    block, node->Phi + 36 * ((size_t)i * (size_t)node->count + (size_t)j));
            }
        }
    }
}

void tact_assembly_join(TactAssembly *assembly, TactAssemblyNode *node)
{
    const TactDynamics     *d = assembly->dynamics;
    const TactAssemblyNode *upper = node->upper < 0 ? NULL : &assembly->nodes[node->upper];
    const TactAssemblyNode *lower = &assembly->nodes[node->lower];
    double                  V[36], beta[6];
    Joint                   joint;

    invert_V(node, upper, lower, d->arm[node->joint], V);
    find_axes(assembly, &d->links[node->joint], V, &joint);
    find_KW(node, &joint, V);
    find_beta(assembly, node, upper, lower, beta);
    find_f(assembly, node, &joint, beta);
    find_G(node, upper, lower, d->arm[node->joint]);
    show_handles(node, upper, lower);
}

/// Accelerations of the joint's dofs, and the forces of prescribed ones: S'f + armature qdd.
static void tell_joint(TactAssembly *assembly, const TactAssemblyNode *node, const double g[6],
                       const double f[6])
{
    const TactDynamics *d = assembly->dynamics;
    const TactLink     *link = &d->links[node->joint];
    for (int i = 0; i < link->dof_count; i++) {
        int    dof = link->first_dof + i;
        double qdd = node->qdd_0[i];
        for (int r = 0; r < 6; r++) {
            qdd += node->K[6 * i + r] * g[r];
        }
        assembly->acceleration[dof] = qdd;
        if (assembly->tau_out && assembly->input.prescribed && assembly->input.prescribed[dof]) {
            double S[6], sum = d->model->dofs[dof].armature * qdd;
            to_array(d->axis[dof].linear, d->axis[dof].angular, S);
            for (int r = 0; r < 6; r++) {
                sum += S[r] * f[r];
            }
            assembly->tau_out[dof] = sum;
        }
    }
}

void tact_assembly_part(TactAssembly *assembly, TactAssemblyNode *node)
{
    TactAssemblyNode *upper = node->upper < 0 ? NULL : &assembly->nodes[node->upper];
    TactAssemblyNode *lower = &assembly->nodes[node->lower];
    int               h_upper = upper ? upper->count : 0;
    double            g[6] = {0}, f[6];

    memset(lower->force, 0, (size_t)lower->count * sizeof *lower->force);
    if (upper) {
        memset(upper->force, 0, (size_t)upper->count * sizeof *upper->force);
    }
    for (int k = 0; k < node->count; k++) {
        int    from = node->source[k];
        double F[6];
        to_array(node->force[k].force, node->force[k].torque, F);
        tact_block6_add_product(node->G + 36 * (size_t)from, F, g);
        *(from < h_upper ? &upper->force[from] : &lower->force[from - h_upper]) = node->force[k];
    }
    memcpy(f, node->f_0, sizeof f);
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            f[r] -= node->W[6 * r + c] * g[c];
        }
    }
    tell_joint(assembly, node, g, f);

    TactWrench through = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
    lower->force[node->joint_place] = tact_wrench_add(lower->force[node->joint_place], through);
    if (upper) {
        TactVec3 arm = assembly->dynamics->arm[node->joint];
        upper->force[node->attach_place] = tact_wrench_add_scaled(
            upper->force[node->attach_place], -1, tact_wrench_shift(through, arm));
    }
}
