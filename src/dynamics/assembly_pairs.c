// Pairs of handles: the contact problem and closed loops through the assembly
// [Yamane-Nakamura, 10-16, 25; errata Y2-Y5].
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/assembly.h"
#include "linalg/cholesky.h"

// A row whose pivot is this much smaller than its diagonal is implied by the rows before it.
static const double REDUNDANT = 1e-10;

static void layout_pairs(TactAssembly *assembly, size_t count, TactArena *arena)
{
    assembly->pair_handles = tact_arena_take(arena, 2 * count, sizeof *assembly->pair_handles);
    assembly->pair_force = tact_arena_take(arena, 2 * count, sizeof *assembly->pair_force);
    assembly->pair_W = tact_arena_take(arena, 36 * count * count, sizeof(double));
    assembly->pair_rhs = tact_arena_take(arena, 6 * count, sizeof(double));
    assembly->pair_work = tact_arena_take(arena, 6 * count, sizeof(double));
}

TactStatus tact_assembly_reserve_pairs(TactAssembly *assembly, int count)
{
    if (count <= assembly->pair_capacity) {
        return TACT_OK;
    }
    tact_arena_destroy(&assembly->pairs);
    assembly->pair_capacity = 0;
    assembly->pairs = (TactArena){0};
    layout_pairs(assembly, (size_t)count, &assembly->pairs);
    TACT_TRY(tact_arena_create(&assembly->pairs));
    layout_pairs(assembly, (size_t)count, &assembly->pairs);
    assembly->pair_capacity = count;
    return TACT_OK;
}

void tact_assembly_pair_inertia(const TactAssembly *assembly, int i, int j, double Phi[36])
{
    memset(Phi, 0, 36 * sizeof *Phi);
    for (int side = 0; side < 4; side++) {
        int    s = side & 1, t = side >> 1; // 1: b, 0: a
        double block[36];
        tact_assembly_get_inverse_inertia(assembly, 2 * i + s, 2 * j + t, block);
        for (int k = 0; k < 36; k++) {
            Phi[k] += s == t ? block[k] : -block[k];
        }
    }
}

/// Acceleration of b's point against a's without forces on handles, and angular.
static void pair_bias(const TactAssembly *assembly, int i, double a[6])
{
    TactTwist    on_a = tact_assembly_get_bias(assembly, 2 * i);
    TactTwist    on_b = tact_assembly_get_bias(assembly, 2 * i + 1);
    TactVec3     v = tact_vec3_subtract(on_b.linear, on_a.linear);
    TactVec3     w = tact_vec3_subtract(on_b.angular, on_a.angular);
    const double all[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    memcpy(a, all, sizeof all);
}

// ---------------------------------------------------------------------------------------------
// Contacts

static void to_array(TactVec3 v, double x[3])
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

/// The block of contacts i and j: axes_i' (linear part of Phi) axes_j.
static void contact_block(const TactAssembly *assembly, const TactAssemblyContact *contacts, int i,
                          int j, size_t n, double *W)
{
    double Phi[36];
    tact_assembly_pair_inertia(assembly, i, j, Phi);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            double u[3], v[3], sum = 0;
            to_array(contacts[i].axes[r], u);
            to_array(contacts[j].axes[c], v);
            for (int k = 0; k < 9; k++) {
                sum += u[k / 3] * Phi[6 * (k / 3) + k % 3] * v[k % 3];
            }
            W[(3 * (size_t)i + (size_t)r) * n + 3 * (size_t)j + (size_t)c] = sum;
        }
    }
}

TactStatus tact_assembly_compute_delassus(TactAssembly *assembly, const TactAssemblyInput *input,
                                          const TactAssemblyContact *contacts, int count, double *W,
                                          double *a_free)
{
    if (count < 0 || (count > 0 && !contacts)) {
        return tact_fail(TACT_BAD_ARGUMENT, "assembly: %d contacts", count);
    }
    TACT_TRY(tact_assembly_reserve_pairs(assembly, count));
    for (int i = 0; i < count; i++) {
        assembly->pair_handles[2 * i] = (TactHandle){contacts[i].a, contacts[i].point};
        assembly->pair_handles[2 * i + 1] = (TactHandle){contacts[i].b, contacts[i].point};
    }
    TACT_TRY(tact_assembly_set_handles(assembly, assembly->pair_handles, 2 * count));
    tact_assembly_compute(assembly, input);
    for (int i = 0; i < count; i++) {
        double a[6];
        pair_bias(assembly, i, a);
        for (int r = 0; r < 3; r++) {
            double u[3];
            to_array(contacts[i].axes[r], u);
            a_free[3 * i + r] = u[0] * a[0] + u[1] * a[1] + u[2] * a[2];
        }
        for (int j = 0; j < count; j++) {
            contact_block(assembly, contacts, i, j, 3 * (size_t)count, W);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Loops

static int loop_rows(const TactEquality *equality)
{
    if (!equality->active || equality->time_constant > 0) { // drawn along, not tied
        return 0;
    }
    return equality->type == TACT_EQUALITY_CONNECT ? 3
           : equality->type == TACT_EQUALITY_WELD  ? 6
                                                   : 0;
}

static int count_loops(const TactModel *model)
{
    int count = 0;
    for (int i = 0; i < model->equality_count && !model->options.equality_off; i++) {
        count += loop_rows(&model->equalities[i]) > 0;
    }
    return count;
}

/// The equality that is loop number `loop`.
static const TactEquality *find_loop(const TactModel *model, int loop)
{
    int i = 0;
    for (int seen = -1; i < model->equality_count; i++) {
        seen += loop_rows(&model->equalities[i]) > 0;
        if (seen == loop) {
            break;
        }
    }
    return &model->equalities[i];
}

/// How the loop is asked to accelerate: -2 rate v - rate^2 x.
static void wanted_acceleration(const TactAssembly *assembly, const TactEquality *loop, int i,
                                double rate, double a[6])
{
    const TactDynamics *d = assembly->dynamics;
    const TactHandle   *h = &assembly->handles[2 * i];
    TactTwist           on_a = tact_dynamics_compute_velocity(d, h[0].body, h[0].point);
    TactTwist           on_b = tact_dynamics_compute_velocity(d, h[1].body, h[1].point);
    TactVec3            gap = tact_vec3_subtract(h[1].point, h[0].point);
    TactQuat wanted = tact_quat_multiply(d->pose[loop->a].rotation, loop->relative.rotation);
    TactVec3 turn =
        tact_quat_log(tact_quat_multiply(d->pose[loop->b].rotation, tact_quat_conjugate(wanted)));
    double v[6], x[6];
    to_array(tact_vec3_subtract(on_b.linear, on_a.linear), v);
    to_array(tact_vec3_subtract(on_b.angular, on_a.angular), v + 3);
    to_array(gap, x);
    to_array(turn, x + 3);
    for (int r = 0; r < 6; r++) {
        a[r] = -2 * rate * v[r] - rate * rate * x[r];
    }
}

/// W f = wanted - bias over the rows of all loops; W has `n` rows.
static int fill_loops(TactAssembly *assembly, int loops, double rate)
{
    const TactModel *model = assembly->dynamics->model;
    int              row = 0, n = 0;
    for (int i = 0; i < loops; i++) {
        n += loop_rows(find_loop(model, i));
    }
    for (int i = 0; i < loops; i++) {
        const TactEquality *loop = find_loop(model, i);
        double              bias[6], wanted[6];
        pair_bias(assembly, i, bias);
        wanted_acceleration(assembly, loop, i, rate, wanted);
        for (int j = 0, column = 0; j < loops; j++) {
            double Phi[36];
            int    width = loop_rows(find_loop(model, j));
            tact_assembly_pair_inertia(assembly, i, j, Phi);
            for (int r = 0; r < loop_rows(loop); r++) {
                for (int c = 0; c < width; c++) {
                    assembly->pair_W[(size_t)(row + r) * (size_t)n + (size_t)(column + c)] =
                        Phi[6 * r + c];
                }
            }
            column += width;
        }
        for (int r = 0; r < loop_rows(loop); r++) {
            assembly->pair_rhs[row + r] = wanted[r] - bias[r];
        }
        row += loop_rows(loop);
    }
    return n;
}

TactStatus tact_assembly_close_loops(TactAssembly *assembly, const TactAssemblyInput *input,
                                     double rate, double *acceleration, int *redundant)
{
    const TactDynamics *d = assembly->dynamics;
    int                 loops = count_loops(d->model);
    TACT_TRY(tact_assembly_reserve_pairs(assembly, loops));
    for (int i = 0; i < loops; i++) {
        const TactEquality *loop = find_loop(d->model, i);
        assembly->pair_handles[2 * i] =
            (TactHandle){loop->a, tact_transform_point(d->pose[loop->a], loop->anchor_a)};
        assembly->pair_handles[2 * i + 1] =
            (TactHandle){loop->b, tact_transform_point(d->pose[loop->b], loop->anchor_b)};
    }
    TACT_TRY(tact_assembly_set_handles(assembly, assembly->pair_handles, 2 * loops));
    tact_assembly_compute(assembly, input);

    int n = fill_loops(assembly, loops, rate);
    int rank =
        n > 0 ? tact_cholesky_factor(n, assembly->pair_W, n, REDUNDANT, assembly->pair_work) : 0;
    if (n > 0) {
        tact_cholesky_solve(n, assembly->pair_W, n, assembly->pair_rhs, assembly->pair_rhs);
    }
    for (int i = 0, row = 0; i < loops; i++) {
        double f[6] = {0};
        int    rows = loop_rows(find_loop(d->model, i));
        memcpy(f, assembly->pair_rhs + row, (size_t)rows * sizeof *f);
        TactWrench force = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
        assembly->pair_force[2 * i] = tact_wrench_scale(-1, force);
        assembly->pair_force[2 * i + 1] = force;
        row += rows;
    }
    tact_assembly_finish(assembly, assembly->pair_force, acceleration, NULL);
    if (redundant) {
        *redundant = n - rank;
    }
    return TACT_OK;
}
