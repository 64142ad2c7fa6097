// Springs and dampers of joints by time constant T and damping ratio z, of the inertia that the
// joint sees at the reference, all others free:
//
//     m = n / sum_i (M^-1)_ii over its n dofs,     k = m / (T z)^2,     d = 2 m / T
//
// as MuJoCo takes it. M has the inertia of tendons that are sums of joints, between dofs of which
// one carries the other; that of tendons through space is left out here.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/build/compile.h"

/// L of M = L L', in place, lower triangle; false: M is not positive.
static bool factor(double *M, int n)
{
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) {
                sum -= M[i * n + k] * M[j * n + k];
            }
            if (i == j && !(sum > 0)) {
                return false;
            }
            M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * n + j];
        }
    }
    return true;
}

/// (M^-1)_ii = |L^-1 e_i|^2.
static double inverse_diagonal(const double *L, int n, int index, double *x)
{
    double sum = 0;
    for (int i = index; i < n; i++) {
        double rest = i == index ? 1 : 0;
        for (int k = index; k < i; k++) {
            rest -= L[i * n + k] * x[k];
        }
        x[i] = rest / L[i * n + i];
        sum += x[i] * x[i];
    }
    return sum;
}

/// Is a dof on the way from another to the root, or that one itself?
static bool carries(const TactCompile *compile, int dof, int other)
{
    while (other > dof) {
        other = compile->arrays.dofs[other].parent;
    }
    return other == dof;
}

/// M += a c c' of each tendon with the inertia a and the coefficients c of joints.
static void add_tendons(const TactCompile *compile, double *M)
{
    int n = (int)compile->sizes.nv;
    for (int t = 0; t < (int)compile->sizes.tendons; t++) {
        const TactTendon *tendon = &compile->arrays.tendons[t];
        for (int i = 0; i < tendon->count; i++) {
            int row = compile->arrays.joints[tendon->joints[i]].dof;
            for (int k = 0; k < tendon->count; k++) {
                int column = compile->arrays.joints[tendon->joints[k]].dof;
                if (carries(compile, row < column ? row : column, row < column ? column : row)) {
                    M[row * n + column] +=
                        tendon->armature * tendon->coefficients[i] * tendon->coefficients[k];
                }
            }
        }
    }
}

static TactStatus set_springs(TactCompile *compile, double *M, double *x)
{
    int n = (int)compile->sizes.nv;
    for (int i = 0; i < n; i++) {
        tact_compile_mass_row(compile, i, x);
        for (int k = 0; k < n; k++) { // zero where neither carries the other
            if (x[k] != 0) {
                M[i * n + k] = M[k * n + i] = x[k];
            }
        }
        M[i * n + i] = x[i] != 0 ? x[i] : 1; // bodies that are moved from outside need no mass
    }
    add_tendons(compile, M);
    if (!factor(M, n)) {
        return tact_fail(TACT_BAD_INPUT,
                         "model: joints with a spring by time constant need masses");
    }
    for (int j = 0; j < (int)compile->sizes.joints; j++) {
        TactJoint *joint = &compile->arrays.joints[j];
        double     T = joint->spring_damper[0], z = joint->spring_damper[1], sum = 0;
        if (!(T > 0 && z > 0)) {
            continue;
        }
        int first = joint->dof, end = first;
        while (end < n && compile->arrays.dofs[end].joint == j) {
            sum += inverse_diagonal(M, n, end++, x);
        }
        double mass = (end - first) / sum;
        joint->stiffness =
            compile->builder->config.springs_off ? joint->stiffness : mass / (T * z * T * z);
        joint->damping = compile->builder->config.dampers_off ? joint->damping : 2 * mass / T;
        for (int i = first; i < end; i++) {
            compile->arrays.dofs[i].damping = joint->damping;
        }
    }
    return TACT_OK;
}

TactStatus tact_compile_springs(TactCompile *compile)
{
    size_t n = compile->sizes.nv;
    bool   any = false;
    for (int j = 0; j < (int)compile->sizes.joints; j++) {
        const double *given = compile->arrays.joints[j].spring_damper;
        any = any || (given[0] > 0 && given[1] > 0);
    }
    if (!any) {
        return TACT_OK;
    }
    double *M = NULL;
    TACT_TRY(tact_allocate(n * n + n, sizeof *M, (void **)&M));
    memset(M, 0, n * n * sizeof *M);
    TactStatus status = set_springs(compile, M, M + n * n);
    tact_release(M);
    return status;
}
