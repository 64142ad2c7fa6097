#include "sim/island/joint_rows.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "dynamics/links.h"
#include "model/limit.h"

// An entry this much smaller than the largest of its loop is rounding, as across a plane that
// nothing leaves; taken seriously, it would make an independent row of a redundant one.
static const double ROUNDING = 1e-13;

// Errors of a row that differ by less are the same: rounding over a short step would be a velocity,
// and rows that imply each other would contradict each other.
static const double SAME = 1e-12; // m or rad

static int equality_rows(TactEqualityType type)
{
    return type == TACT_EQUALITY_CONNECT ? 3 : type == TACT_EQUALITY_WELD ? 6 : 1;
}

void tact_rows_layout(TactRows *rows, const TactModel *model, TactArena *arena)
{
    size_t count = 0, nv = (size_t)model->nv;
    for (int i = 0; i < model->equality_count; i++) {
        count += (size_t)equality_rows(model->equalities[i].type);
    }
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        bool single = joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE;
        count += joint->limited ? 2 : 0;
        count += single && !joint->limited && joint->friction <= 0; // it may be prescribed
    }
    for (int i = 0; i < model->nv; i++) {
        count += model->dofs[i].friction > 0;
    }
    count += 6 * (size_t)model->mocap_count;
    for (int t = 0; t < model->tendon_count; t++) {
        count += (model->tendons[t].limited ? 2u : 0u) + (model->tendons[t].friction > 0);
    }
    rows->capacity = (int)count;
    rows->rows = tact_arena_take(arena, count, sizeof *rows->rows);
    rows->sources = tact_arena_take(arena, count, sizeof *rows->sources);
    rows->J = tact_arena_take(arena, count * nv, sizeof *rows->J);
    rows->work = tact_arena_take(arena, 12 * nv, sizeof *rows->work);
    rows->dofs = tact_arena_take(arena, nv, sizeof *rows->dofs);
    rows->implied =
        tact_arena_take(arena, 6 * (size_t)model->equality_count, sizeof *rows->implied);
}

/// A new row with J = 0, which is returned to be filled.
static double *add_joint_row(TactRows *rows, const TactDynamics *d, TactContactRow row,
                             TactRowSource source)
{
    size_t  nv = (size_t)d->model->nv;
    double *J = rows->J + (size_t)rows->count * nv;
    memset(J, 0, nv * sizeof *J);
    row.J = J;
    row.id =
        (uint64_t)source.type << 48 | (uint64_t)source.part << 40 | ((uint64_t)source.index + 1);
    rows->sources[rows->count] = source;
    rows->rows[rows->count++] = row;
    return J;
}

static double *add_bilateral(TactRows *rows, const TactDynamics *d, double error, double zeta,
                             TactRowSource source)
{
    TactContactRow row = {.kind = TACT_ROW_BILATERAL, .error = error, .zeta = zeta};
    return add_joint_row(rows, d, row, source);
}

// ---------------------------------------------------------------------------------------------
// Loops

/// Motions of a link's dofs at a point, linear before angular, with a sign. Returns how many there
/// are with these.                                                            columns: (6 a dof)
static int list_link(const TactDynamics *d, int l, TactVec3 point, double sign, TactRows *rows,
                     int count)
{
    const TactLink *link = &d->links[l];
    TactVec3        r = tact_vec3_subtract(point, d->com[l]);
    for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++, count++) {
        TactTwist moved = tact_twist_scale(sign, tact_twist_shift(d->axis[i], r));
        rows->dofs[count] = i;
        memcpy(rows->work + 6 * (size_t)count, &moved, sizeof moved);
    }
    return count;
}

/// The dofs that move a point of body b as a sees it, and how: those on the ways of both bodies up
/// to where these meet; what is above moves both alike. Returns how many.
static int list_apart(TactRows *rows, const TactDynamics *d, int a, int b, TactVec3 point)
{
    int count = 0, l = d->link_of[a], m = d->link_of[b];
    while (l != m) { // a link comes after its parent
        if (l > m) {
            count = list_link(d, l, point, -1, rows, count);
            l = d->links[l].parent;
        } else {
            count = list_link(d, m, point, 1, rows, count);
            m = d->links[m].parent;
        }
    }
    return count;
}

/// Velocity of the point of a third body that shows where b belongs in a; NULL without one. (6 nv)
static const double *find_way(TactRows *rows, const TactDynamics *d, const TactEquality *equality)
{
    double *J = rows->work + 6 * (size_t)d->model->nv;
    if (equality->via == 0) {
        return NULL;
    }
    TactVec3 point = tact_transform_point(d->pose[equality->via], equality->anchor_b);
    tact_dynamics_compute_jacobian(d, equality->via, point, J);
    return J;
}

static double without_rounding(double entry, double largest)
{
    return fabs(entry) > ROUNDING * largest ? entry : 0;
}

/// Velocity of b's point as a sees it, along the axes of a; then angular. A mechanism in a plane
/// turns with its bodies: only in the axes of one of them is what nothing leaves the plane by the
/// same row, 0, before and after a step.
static void add_pair_rows(TactRows *rows, const TactDynamics *d, int index, double zeta,
                          const double error[6], const TactContactRow *drawn)
{
    const TactEquality *equality = &d->model->equalities[index];
    int                 nv = d->model->nv, count = equality_rows(equality->type);
    TactVec3            point = tact_transform_point(d->pose[equality->b], equality->anchor_b);
    TactMat3            R = tact_quat_to_mat3(d->pose[equality->a].rotation);
    int                 apart = list_apart(rows, d, equality->a, equality->b, point);
    const double       *J_via = find_way(rows, d, equality);
    double              largest = 0;
    for (int k = 0; k < 6 * apart; k++) {
        largest = tact_larger(largest, fabs(rows->work[k]));
    }
    for (int r = 0; r < count; r++) {
        if (rows->implied[6 * index + r]) {
            continue;
        }
        int           axis = r % 3;
        TactRowSource source = {TACT_OBJECT_EQUALITY, index, r};
        double       *J = drawn ? add_joint_row(rows, d, drawn[r], source)
                                : add_bilateral(rows, d, error[r], zeta, source);
        const double *three = rows->work + r - axis;
        for (int k = 0; k < apart; k++, three += 6) {
            double entry =
                R.m[0][axis] * three[0] + R.m[1][axis] * three[1] + R.m[2][axis] * three[2];
            J[rows->dofs[k]] = J_via ? entry : without_rounding(entry, largest);
        }
        for (int i = 0; i < nv && J_via; i++) {
            J[i] = without_rounding(J[i] - J_via[(size_t)r * (size_t)nv + (size_t)i], largest);
        }
    }
}

/// Gap of a loop; of a weld also the rotation that takes where b should be to where it is; both in
/// the axes of a.
static void loop_error(const TactDynamics *d, const TactEquality *equality, double error[6])
{
    TactTransform a = d->pose[equality->a], b = d->pose[equality->b];
    TactTransform way = equality->via ? d->pose[equality->via] : equality->relative;
    TactVec3      anchor =
        equality->via ? tact_transform_point(way, equality->anchor_b) : equality->anchor_a;
    TactVec3 gap = tact_vec3_subtract(tact_transform_point(b, equality->anchor_b),
                                      tact_transform_point(a, anchor));
    TactVec3 turn = {0, 0, 0}; // what points are held by has none
    if (equality->type == TACT_EQUALITY_WELD) {
        TactQuat wanted = tact_quat_multiply(a.rotation, way.rotation);
        turn = tact_quat_log(tact_quat_multiply(b.rotation, tact_quat_conjugate(wanted)));
    }
    gap = tact_quat_rotate_back(a.rotation, gap);
    turn = tact_quat_rotate_back(a.rotation, turn);
    memcpy(error, &gap, sizeof gap);
    memcpy(error + 3, &turn, sizeof turn);
}

static void add_loop(TactRows *rows, const TactDynamics *d, int index, double zeta)
{
    double error[6];
    loop_error(d, &d->model->equalities[index], error);
    add_pair_rows(rows, d, index, zeta, error, NULL);
}

// ---------------------------------------------------------------------------------------------
// Bodies that are drawn along by a mocap body

// A tie to a mocap body pulls with no more than this: where the body cannot follow, it stays
// behind.
static const double MOST_PULL = 200; // m/s^2, of all that hangs on the body
static const double ARM = 0.5;       // m, by which that is a torque

static bool is_drawn(const TactModel *model, const TactEquality *e)
{
    return (e->type == TACT_EQUALITY_CONNECT || e->type == TACT_EQUALITY_WELD) &&
           (model->bodies[model->bodies[e->a].carrier].mocap >= 0 ||
            model->bodies[model->bodies[e->b].carrier].mocap >= 0);
}

/// Motors that close the gap within the time constant of the tie, relative to the mocap body: in
/// steady motion nothing lags.
static void add_drawn(TactRows *rows, const TactDynamics *d, int index, double h)
{
    const TactModel    *model = d->model;
    const TactEquality *e = &model->equalities[index];
    bool                first = model->bodies[model->bodies[e->a].carrier].mocap >= 0;
    double              mass = model->bodies[model->bodies[first ? e->b : e->a].root].subtree_mass;
    double              error[6];
    TactContactRow      row[6];
    loop_error(d, e, error);
    for (int r = 0; r < 6; r++) {
        row[r] = (TactContactRow){
            .kind = TACT_ROW_MOTOR,
            .target = -error[r] / tact_larger(h, e->time_constant),
            .force_max = MOST_PULL * mass * (r < 3 ? 1 : ARM),
        };
    }
    add_pair_rows(rows, d, index, 0, error, row);
}

// ---------------------------------------------------------------------------------------------
// Couplings of joints and of tendons: y - polynomial(x) = 0

static double polynomial(const double c[5], double x, double *slope)
{
    *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

static double joint_coupling_error(const TactDynamics *d, const TactEquality *equality,
                                   double *slope)
{
    const TactJoint *y = &d->model->joints[equality->a];
    const TactJoint *x = equality->b >= 0 ? &d->model->joints[equality->b] : NULL;
    double value = polynomial(equality->polynomial, x ? d->q[x->q] - x->reference : 0, slope);
    return d->q[y->q] - y->reference - value;
}

static void add_joint_coupling(TactRows *rows, const TactDynamics *d, int index, double zeta)
{
    const TactEquality *equality = &d->model->equalities[index];
    double              slope = 0, error = joint_coupling_error(d, equality, &slope);
    double             *J =
        add_bilateral(rows, d, error, zeta, (TactRowSource){TACT_OBJECT_EQUALITY, index, 0});
    J[d->model->joints[equality->a].dof] = 1;
    if (equality->b >= 0) {
        J[d->model->joints[equality->b].dof] -= slope;
    }
}

/// Length of a tendon with all joints at their reference.
static double tendon_reference(const TactDynamics *d, int tendon)
{
    const TactTendon *t = &d->model->tendons[tendon];
    double            length = 0;
    if (t->part_count > 0) {
        return d->tendon_reference[tendon];
    }
    for (int i = 0; i < t->count; i++) {
        length += t->coefficients[i] * d->model->joints[t->joints[i]].reference;
    }
    return length;
}

static double tendon_coupling_error(const TactDynamics *d, const TactEquality *equality,
                                    double *slope)
{
    int    y = equality->a, x = equality->b;
    double stretch =
        x >= 0 ? tact_dynamics_tendon_length(d, x, 0, NULL) - tendon_reference(d, x) : 0;
    double value = polynomial(equality->polynomial, stretch, slope);
    return tact_dynamics_tendon_length(d, y, 0, NULL) - tendon_reference(d, y) - value;
}

static void add_tendon_coupling(TactRows *rows, const TactDynamics *d, int index, double zeta)
{
    const TactEquality *equality = &d->model->equalities[index];
    double              slope = 0, error = tendon_coupling_error(d, equality, &slope);
    double             *J =
        add_bilateral(rows, d, error, zeta, (TactRowSource){TACT_OBJECT_EQUALITY, index, 0});
    tact_dynamics_tendon_length(d, equality->a, 1, J);
    if (equality->b >= 0) {
        tact_dynamics_tendon_length(d, equality->b, -slope, J);
    }
}

/// Errors of all rows of an equality.
static void find_error(const TactDynamics *d, const TactEquality *equality, double error[6])
{
    double slope;
    switch (equality->type) {
    case TACT_EQUALITY_CONNECT:
    case TACT_EQUALITY_WELD: loop_error(d, equality, error); break;
    case TACT_EQUALITY_JOINT: error[0] = joint_coupling_error(d, equality, &slope); break;
    case TACT_EQUALITY_TENDON: error[0] = tendon_coupling_error(d, equality, &slope); break;
    }
}

/// Has an equality rows that are neither drawn nor implied as a whole?
static bool has_rows(const TactRows *rows, const TactModel *model, int index)
{
    const TactEquality *equality = &model->equalities[index];
    bool                coupling = equality_rows(equality->type) == 1;
    return equality->active && !(coupling && rows->implied[6 * index]) &&
           !is_drawn(model, equality);
}

static void add_equalities(TactRows *rows, const TactDynamics *d, double zeta)
{
    const TactModel *model = d->model;
    for (int i = 0; i < model->equality_count && !model->options.equality_off; i++) {
        if (!has_rows(rows, model, i)) {
            continue;
        }
        switch (model->equalities[i].type) {
        case TACT_EQUALITY_CONNECT:
        case TACT_EQUALITY_WELD: add_loop(rows, d, i, zeta); break;
        case TACT_EQUALITY_JOINT: add_joint_coupling(rows, d, i, zeta); break;
        case TACT_EQUALITY_TENDON: add_tendon_coupling(rows, d, i, zeta); break;
        }
    }
}

void tact_rows_fill_loops(TactRows *rows, const TactDynamics *dynamics)
{
    rows->count = 0;
    add_equalities(rows, dynamics, 1);
}

double tact_rows_implied_error(const TactRows *rows, const TactDynamics *dynamics)
{
    double worst = 0;
    for (int i = 0; i < dynamics->model->equality_count && rows->implied_count > 0; i++) {
        double error[6];
        find_error(dynamics, &dynamics->model->equalities[i], error);
        for (int r = 0; r < equality_rows(dynamics->model->equalities[i].type); r++) {
            worst = rows->implied[6 * i + r] ? tact_larger(worst, fabs(error[r])) : worst;
        }
    }
    return worst;
}

// ---------------------------------------------------------------------------------------------
// Limits

// A limit this near is a row whatever the speeds are: contacts and loops may drive a joint onto it.
static const double NEAR_LIMIT = 1e-3; // m or rad

// When positions are put right, no joint is shifted further at once than this (correct.c), nor by
// more times what is off. A limit that is met all the same is seen in the next round.
static const double MOST_SHIFT = 0.1; // m or rad
static const double AMPLIFIED = 1e3;

/// Does a limit `distance` away matter, of which it may come `reach` nearer?
static bool may_be_met(double distance, double reach)
{
    return !(distance > NEAR_LIMIT && distance > reach);
}

/// A row for it; NULL if it does not.
static double *add_limit(TactRows *rows, const TactDynamics *d, double distance, double reach,
                         double zeta, TactRowSource source)
{
    if (!may_be_met(distance, reach)) {
        return NULL;
    }
    TactContactRow row = {
        .kind = TACT_ROW_UNILATERAL, .error = distance, .zeta = distance > 0 ? 1 : zeta};
    return add_joint_row(rows, d, row, source);
}

/// The larger one of the speeds of a dof before the step, and after it without constraints.
static double dof_speed(const TactRows *rows, const TactDynamics *d, int dof)
{
    double now = fabs(d->v[dof]);
    return rows->v_free ? tact_larger(now, fabs(rows->v_free[dof])) : now;
}

/// How far a joint may come: twice the way of a step at its speeds, what the step itself adds to
/// them is in there. h infinite: positions are put right.
static double joint_reach(const TactRows *rows, double h, double speed)
{
    return h < INFINITY ? 2 * h * speed : rows->shift;
}

/// The angle that is left of a ball, and about which axis it is turned.
static double ball_limit_distance(const TactDynamics *d, int index, TactVec3 *axis)
{
    const TactJoint *joint = &d->model->joints[index];
    const double    *q = d->q + joint->q;
    TactQuat         turn = tact_quat_normalise((TactQuat){q[0], q[1], q[2], q[3]});
    double           angle = 0;
    tact_quat_to_axis_angle(turn, axis, &angle);
    return tact_limit_at(joint->range, joint->margin, 1) - angle;
}

static void add_ball_limit(TactRows *rows, const TactDynamics *d, int index, double h, double zeta)
{
    const TactJoint *joint = &d->model->joints[index];
    TactVec3         axis;
    double           left = ball_limit_distance(d, index, &axis);
    double           speed = dof_speed(rows, d, joint->dof) + dof_speed(rows, d, joint->dof + 1) +
                   dof_speed(rows, d, joint->dof + 2);
    double *J = add_limit(rows, d, left, joint_reach(rows, h, speed), zeta,
                          (TactRowSource){TACT_OBJECT_JOINT, index, 1});
    if (J) {
        J[joint->dof] = -axis.x;
        J[joint->dof + 1] = -axis.y;
        J[joint->dof + 2] = -axis.z;
    }
}

static bool is_prescribed(const TactRows *rows, int joint)
{
    return rows->prescribed && rows->prescribed->is_given[joint];
}

static void add_joint_limits(TactRows *rows, const TactDynamics *d, double h, double zeta)
{
    for (int j = 0; j < d->model->joint_count; j++) {
        const TactJoint *joint = &d->model->joints[j];
        if (!joint->limited || joint->type == TACT_JOINT_FREE || is_prescribed(rows, j)) {
            continue;
        }
        if (joint->type == TACT_JOINT_BALL) {
            add_ball_limit(rows, d, j, h, zeta);
            continue;
        }
        double reach = joint_reach(rows, h, dof_speed(rows, d, joint->dof));
        for (int side = 0; side < 2; side++) {
            double sign = side ? -1 : 1;
            double limit = tact_limit_at(joint->range, joint->margin, side);
            double distance = sign * (d->q[joint->q] - limit);
            if (!may_be_met(distance, reach)) { // as mostly
                continue;
            }
            double *J = add_limit(rows, d, distance, reach, zeta,
                                  (TactRowSource){TACT_OBJECT_JOINT, j, side});
            if (J) {
                J[joint->dof] = sign;
            }
        }
    }
}

/// No tendon is faster than this.
static double tendon_speed(const TactRows *rows, const TactDynamics *d, int index)
{
    const TactTendon *tendon = &d->model->tendons[index];
    double            speed = 0;
    if (tendon->part_count > 0) {
        memset(rows->work, 0, (size_t)d->model->nv * sizeof *rows->work);
        tact_dynamics_tendon_length(d, index, 1, rows->work);
        for (int i = 0; i < d->model->nv; i++) {
            speed += fabs(rows->work[i]) * dof_speed(rows, d, i);
        }
        return speed;
    }
    for (int i = 0; i < tendon->count; i++) {
        int dof = d->model->joints[tendon->joints[i]].dof;
        speed += fabs(tendon->coefficients[i]) * dof_speed(rows, d, dof);
    }
    return speed;
}

static double tendon_reach(const TactRows *rows, const TactDynamics *d, int index, double h)
{
    const TactTendon *tendon = &d->model->tendons[index];
    double            sum = 0;
    if (tendon->part_count > 0 && !(h < INFINITY)) {
        memset(rows->work, 0, (size_t)d->model->nv * sizeof *rows->work);
        tact_dynamics_tendon_length(d, index, 1, rows->work);
        for (int i = 0; i < d->model->nv; i++) {
            sum += fabs(rows->work[i]);
        }
        return sum * rows->shift;
    }
    for (int i = 0; i < tendon->count; i++) {
        sum += fabs(tendon->coefficients[i]);
    }
    return h < INFINITY ? 2 * h * fabs(tendon_speed(rows, d, index)) : sum * rows->shift;
}

static void add_tendon_limits(TactRows *rows, const TactDynamics *d, double h, double zeta)
{
    for (int t = 0; t < d->model->tendon_count; t++) {
        const TactTendon *tendon = &d->model->tendons[t];
        if (!tendon->limited) {
            continue;
        }
        double length = tact_dynamics_tendon_length(d, t, 0, NULL);
        double reach = tendon_reach(rows, d, t, h);
        for (int side = 0; side < 2 && tendon->limited; side++) {
            double  sign = side ? -1 : 1;
            double  limit = tact_limit_at(tendon->range, tendon->margin, side);
            double *J = add_limit(rows, d, sign * (length - limit), reach, zeta,
                                  (TactRowSource){TACT_OBJECT_TENDON, t, side});
            if (J) {
                tact_dynamics_tendon_length(d, t, sign, J);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Dry friction

static void add_friction(TactRows *rows, const TactDynamics *d)
{
    const TactModel *model = d->model;
    TactContactRow   row = {.kind = TACT_ROW_MOTOR};
    for (int i = 0; i < model->nv; i++) {
        row.force_max = model->dofs[i].friction;
        if (row.force_max > 0 && !is_prescribed(rows, model->dofs[i].joint)) {
            TactRowSource source = {TACT_OBJECT_JOINT, model->dofs[i].joint, 2};
            add_joint_row(rows, d, row, source)[i] = 1;
        }
    }
    for (int t = 0; t < model->tendon_count; t++) {
        row.force_max = model->tendons[t].friction;
        if (row.force_max > 0) {
            TactRowSource source = {TACT_OBJECT_TENDON, t, 2};
            tact_dynamics_tendon_length(d, t, 1, add_joint_row(rows, d, row, source));
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Motion that is prescribed

static void add_led(TactRows *rows, const TactDynamics *d)
{
    const TactLeadings *led = rows->led;
    for (int k = 0; led && k < led->count; k++) {
        const TactJoint *joint = &d->model->joints[led->joints[k]];
        for (int i = 0; i < 6; i++) {
            TactRowSource  source = {TACT_OBJECT_JOINT, led->joints[k], 3 + i};
            TactContactRow row = {.kind = TACT_ROW_BILATERAL, .target = led->velocity[6 * k + i]};
            add_joint_row(rows, d, row, source)[joint->dof + i] = 1;
        }
    }
}

/// With h = 1 and zeta = 1: what is off, for a correction of positions.
static void add_prescribed(TactRows *rows, const TactDynamics *d, double h, double zeta)
{
    const TactPrescribed *given = rows->prescribed;
    for (int k = 0; given && k < given->count; k++) {
        const TactJoint *joint = &d->model->joints[given->joints[k]];
        TactRowSource    source = {TACT_OBJECT_JOINT, given->joints[k], 3};
        double           off = d->q[joint->q] - given->position[k];
        TactContactRow   row = {.kind = TACT_ROW_BILATERAL, .zeta = zeta};
        row.error = zeta > 0 ? off : 0;
        row.target = zeta > 0 ? 0 : given->by_velocity ? given->velocity[k] : -off / h;
        add_joint_row(rows, d, row, source)[joint->dof] = 1;
    }
}

void tact_rows_fill(TactRows *rows, const TactDynamics *dynamics, const double *v_free, double h,
                    double zeta)
{
    const TactModelOptions *options = &dynamics->model->options;
    rows->count = 0;
    rows->v_free = v_free;
    add_equalities(rows, dynamics, zeta);
    add_prescribed(rows, dynamics, h, 0);
    add_led(rows, dynamics);
    for (int i = 0; i < dynamics->model->equality_count && !options->equality_off; i++) {
        const TactEquality *e = &dynamics->model->equalities[i];
        if (e->active && is_drawn(dynamics->model, e)) {
            add_drawn(rows, dynamics, i, h);
        }
    }
    if (!options->limit_off) {
        add_joint_limits(rows, dynamics, h, zeta);
        add_tendon_limits(rows, dynamics, h, zeta);
    }
    if (!options->friction_off) {
        add_friction(rows, dynamics);
    }
}

bool tact_rows_is_curved(const TactRows *rows, const TactModel *model, int row,
                         const double *impulse)
{
    TactRowSource source = rows->sources[row];
    bool          bilateral = rows->rows[row].kind == TACT_ROW_BILATERAL;
    if (source.type == TACT_OBJECT_TENDON && source.part < 2) {
        return model->tendons[source.index].part_count > 0 && impulse[row] > 0;
    }
    return source.type == TACT_OBJECT_EQUALITY
               ? bilateral
               : !bilateral && source.type == TACT_OBJECT_JOINT && source.part == 1 &&
                     model->joints[source.index].type == TACT_JOINT_BALL && impulse[row] > 0;
}

/// Errors of an equality, which its rows share.
typedef struct LoopErrors {
    int    index; // of the equality, -1: none yet
    double error[6];
} LoopErrors;

/// How far a curved row is from where it should be at the end of a step.
static double row_offset(const TactRows *rows, const TactDynamics *d, int index, LoopErrors *loop)
{
    const TactContactRow *row = &rows->rows[index];
    TactRowSource         source = rows->sources[index];
    if (source.type == TACT_OBJECT_EQUALITY) {
        if (loop->index != source.index) {
            find_error(d, &d->model->equalities[source.index], loop->error);
            loop->index = source.index;
        }
        return row->error - loop->error[source.part];
    }
    TactVec3 axis;
    double   wanted = row->error > 0 ? 0 : row->error; // a limit that is reached, or stays
    if (source.type == TACT_OBJECT_TENDON) {
        double            sign = source.part ? -1 : 1;
        double            length = tact_dynamics_tendon_length(d, source.index, 0, NULL);
        const TactTendon *tendon = &d->model->tendons[source.index];
        return wanted - sign * (length - tact_limit_at(tendon->range, tendon->margin, source.part));
    }
    return wanted - ball_limit_distance(d, source.index, &axis);
}

double tact_rows_bend(TactRows *rows, const TactDynamics *dynamics, const double *impulse, double h)
{
    double     change = 0;
    LoopErrors loop = {.index = -1};
    for (int r = 0; r < rows->count; r++) {
        if (tact_rows_is_curved(rows, dynamics->model, r, impulse)) {
            double off = row_offset(rows, dynamics, r, &loop);
            double step = fabs(off) > SAME ? off / h : 0;
            change = tact_larger(change, fabs(step));
            rows->rows[r].target += step;
        }
    }
    return change;
}

double tact_rows_loop_error(const TactRows *rows, const TactDynamics *dynamics)
{
    const TactModel      *model = dynamics->model;
    const TactPrescribed *given = rows->prescribed;
    double                worst = 0, error[6];
    for (int i = 0; i < model->equality_count && !model->options.equality_off; i++) {
        if (!has_rows(rows, model, i)) {
            continue;
        }
        find_error(dynamics, &model->equalities[i], error);
        for (int r = 0; r < equality_rows(model->equalities[i].type); r++) {
            worst = rows->implied[6 * i + r] ? worst : tact_larger(worst, fabs(error[r]));
        }
    }
    for (int k = 0; given && k < given->count; k++) {
        double off = dynamics->q[model->joints[given->joints[k]].q] - given->position[k];
        worst = tact_larger(worst, fabs(off));
    }
    return worst;
}

TactRowErrors tact_rows_fill_errors(TactRows *rows, const TactDynamics *dynamics, double off)
{
    TactRowErrors errors = {tact_rows_loop_error(rows, dynamics), 0};
    rows->count = 0;
    add_equalities(rows, dynamics, 1);
    add_prescribed(rows, dynamics, 1, 1);
    int    first = rows->count;
    double shift = AMPLIFIED * tact_larger(off, errors.loop);
    rows->shift = shift < MOST_SHIFT ? shift : MOST_SHIFT;
    if (!dynamics->model->options.limit_off) {
        add_joint_limits(rows, dynamics, INFINITY, 1);
        add_tendon_limits(rows, dynamics, INFINITY, 1);
    }
    for (int i = first; i < rows->count; i++) {
        errors.limit = tact_larger(errors.limit, -rows->rows[i].error);
    }
    return errors;
}

bool tact_rows_has_ways(const TactModel *model)
{
    for (int t = 0; t < model->tendon_count; t++) {
        if (model->tendons[t].part_count > 0 && model->tendons[t].limited) {
            return !model->options.limit_off;
        }
    }
    return false;
}

double tact_rows_worst_way(const TactDynamics *dynamics)
{
    const TactModel *model = dynamics->model;
    double           worst = 0;
    for (int t = 0; t < model->tendon_count && !model->options.limit_off; t++) {
        const TactTendon *tendon = &model->tendons[t];
        if (tendon->part_count > 0 && tendon->limited) {
            double length = tact_dynamics_tendon_length(dynamics, t, 0, NULL);
            for (int side = 0; side < 2; side++) {
                double over = length - tact_limit_at(tendon->range, tendon->margin, side);
                worst = tact_larger(worst, side ? over : -over);
            }
        }
    }
    return worst;
}

double tact_rows_worst_limit(const TactModel *model, const double *q)
{
    double worst = 0;
    for (int j = 0; j < model->joint_count && !model->options.limit_off; j++) {
        const TactJoint *joint = &model->joints[j];
        if (!joint->limited || joint->type == TACT_JOINT_FREE) {
            continue;
        }
        if (joint->type == TACT_JOINT_BALL) {
            const double *r = q + joint->q;
            TactVec3      axis;
            double        angle = 0;
            tact_quat_to_axis_angle(tact_quat_normalise((TactQuat){r[0], r[1], r[2], r[3]}), &axis,
                                    &angle);
            worst = tact_larger(worst, angle - tact_limit_at(joint->range, joint->margin, 1));
        } else {
            for (int side = 0; side < 2; side++) {
                double over = q[joint->q] - tact_limit_at(joint->range, joint->margin, side);
                worst = tact_larger(worst, side ? over : -over);
            }
        }
    }
    for (int t = 0; t < model->tendon_count && !model->options.limit_off; t++) {
        const TactTendon *tendon = &model->tendons[t];
        double            length = 0;
        for (int i = 0; i < tendon->count && tendon->limited; i++) {
            length += tendon->coefficients[i] * q[model->joints[tendon->joints[i]].q];
        }
        if (tendon->limited && tendon->part_count == 0) {
            for (int side = 0; side < 2; side++) {
                double over = length - tact_limit_at(tendon->range, tendon->margin, side);
                worst = tact_larger(worst, side ? over : -over);
            }
        }
    }
    return worst;
}
