// Rows of the contact problem of a world, by the lanes of a warp: a lane a column. Contacts with
// friction come first and have three, all others and limits one.
#ifndef TACT_GPU_STEP_ROWS_H
#define TACT_GPU_STEP_ROWS_H

#include "gpu/step/step_extra.h"
#include "gpu/step/step_touch.h"

/// The arrays of one world's problem, and the list of what is held.
typedef struct TactStepRows {
    double        *J, *mu, *bias;
    TactStepHeld  *held;
    int            count, rough;    // contacts and limits, those with friction
    int            room, room_rows; // both may become more than there is room for
    double        *bound;           // of motors
    int            moments;         // rows of spinning and rolling
    unsigned char *turns;           // what contacts resist of these; NULL: nothing
} TactStepRows;

TACT_LANE TactStepRows tact_step_rows(const TactStepModel *model, const TactStepWorlds *worlds,
                                      const TactMechanismProblems *problems, int i)
{
    size_t       at = (size_t)i, room = (size_t)problems->contacts;
    TactStepRows rows = {(double *)problems->J + at * (size_t)problems->rows * (size_t)model->nv,
                         (double *)problems->mu + at * room,
                         (double *)problems->bias + at * room,
                         worlds->held + at * room,
                         0,
                         0,
                         problems->contacts,
                         problems->rows - tact_step_extra(model),
                         NULL,
                         0,
                         NULL};
#if TACT_STEP_MORE
    rows.bound = (double *)worlds->more.bound + at * (size_t)model->motor_count;
    rows.turns = worlds->more.turns ? (unsigned char *)worlds->more.turns + at * room : NULL;
#endif
    return rows;
}

TACT_LANE int tact_step_rows_full(const TactStepRows *rows)
{
    return rows->count > rows->room ||
           rows->count + 2 * rows->rough + rows->moments > rows->room_rows ||
           rows->moments > TACT_STEP_MOST_MOMENTS;
}

TACT_HD int tact_step_pair_of(const TactStepHeld *contact)
{
    return contact->name > 0 ? (contact->name - 1) / TACT_STEP_NAMES : -1;
}

/// J of a contact: (n, t1, t2)' (velocity of the point of b less that of a). A dof that moves both
/// makes none.
TACT_LANE void tact_step_put_contact(const TactStepModel *model, const TactStepRoom *room,
                                     const TactStepFrame *frame, int number, int width, double *J)
{
    const TactStepPair *pair = &model->pairs[number];
    unsigned long long  by_a = model->links[model->geoms[pair->a].link].moved_by;
    unsigned long long  by_b = model->links[model->geoms[pair->b].link].moved_by;
    TactVec3            n = frame->normal, t = frame->tangent, b = tact_vec3_cross(n, t);
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        double   sign = (double)((int)(by_b >> i & 1) - (int)(by_a >> i & 1));
        TactVec3 r = tact_vec3_subtract(frame->point, room->com[model->dofs[i].link]);
        TactVec3 moved = tact_twist_shift(room->axis[i], r).linear;
        J[i] = sign == 0 ? 0 : sign * tact_vec3_dot(n, moved);
        if (width > 1) {
            J[model->nv + i] = sign == 0 ? 0 : sign * tact_vec3_dot(t, moved);
            J[2 * model->nv + i] = sign == 0 ? 0 : sign * tact_vec3_dot(b, moved);
        }
    }
}

/// J of a limit: names are -1 - k of side k % 2 of a joint k / 2, then of tendons.
TACT_LANE void tact_step_put_limit(const TactStepModel *model, int name, double *J)
{
    int    k = -1 - name, t = k - 2 * model->joint_count;
    double sign = k % 2 ? -1 : 1;
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        double own = t < 0 ? (model->joints[k / 2].dof == i ? 1 : 0)
                           : tact_step_coefficient(model, &model->tendons[t / 2], i);
        J[i] = own == 0 ? 0 : sign * own;
    }
}

/// Points of contacts with a plane, which never moves, lie on it (sim/touch/contacts.c).
TACT_HD TactVec3 tact_step_put_on_plane(const TactStepModel *model, const TactStepRoom *room,
                                        const TactStepPair *pair, const TactStepHeld *held)
{
    int plane = model->geoms[pair->a].type == TACT_STEP_PLANE   ? pair->a
                : model->geoms[pair->b].type == TACT_STEP_PLANE ? pair->b
                                                                : -1;
    if (plane < 0) {
        return held->point;
    }
    const TactStepGeom *geom = &model->geoms[plane];
    TactVec3            origin = tact_transform_point(room->pose[geom->link], geom->pose.position);
    TactVec3            above = tact_vec3_subtract(held->point, origin);
    return tact_vec3_add_scaled(held->point, -tact_vec3_dot(held->normal, above), held->normal);
}

#if TACT_STEP_MORE
/// What a contact resists besides sliding: TACT_TURN_..., a bit each.
TACT_HD unsigned char tact_step_turns(const TactStepModel *model, const TactStepHeld *held)
{
    int pair = tact_step_pair_of(held);
    return (unsigned char)(pair < 0 ? 0
                                    : (model->pairs[pair].spin > 0 ? TACT_TURN_SPIN : 0) |
                                          (model->pairs[pair].roll > 0 ? TACT_TURN_ROLL : 0));
}

/// Rows of moments of a list of contacts; *before: of those before this lane's.
TACT_LANE int tact_step_count_moments(const TactStepModel *model, const TactStepHeld *held,
                                      int count, int *before)
{
    int all = 0, own = 0;
    if (tact_warp_lane() < count && model->traits.turns) {
        own = tact_turn_rows(tact_step_turns(model, held + tact_warp_lane()));
    }
    *before = tact_step_offset(own, &all);
    return all;
}

/// J of a moment about an axis of a contact, times its coefficient: a lane a column.
TACT_LANE void tact_step_put_moment(const TactStepModel *model, const TactStepRoom *room,
                                    const TactStepPair *pair, TactVec3 axis, double mu, double *J)
{
    unsigned long long by_a = model->links[model->geoms[pair->a].link].moved_by;
    unsigned long long by_b = model->links[model->geoms[pair->b].link].moved_by;
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        double sign = (double)((int)(by_b >> i & 1) - (int)(by_a >> i & 1));
        J[i] = sign == 0 ? 0 : sign * mu * tact_vec3_dot(axis, room->axis[i].angular);
    }
}

/// J of the moments of all contacts, in the order of contacts, and what these resist.
TACT_LANE void tact_step_put_moments(const TactStepModel *model, const TactStepRoom *room,
                                     const TactStepRows *rows, double *J)
{
    TACT_ROLLED
    for (int k = 0; k < rows->count && rows->turns; k++) {
        int           number = room->held_pair[k];
        unsigned char turns = tact_step_turns(model, &rows->held[k]);
        if (tact_warp_lane() == 0) {
            rows->turns[k] = turns;
        }
        if (!turns) {
            continue;
        }
        const TactStepPair *pair = &model->pairs[number];
        TactVec3            n = room->frames[k].normal, t = room->frames[k].tangent;
        if (turns & TACT_TURN_SPIN) {
            tact_step_put_moment(model, room, pair, n, pair->spin, J);
            J += model->nv;
        }
        if (turns & TACT_TURN_ROLL) {
            tact_step_put_moment(model, room, pair, t, pair->roll, J);
            tact_step_put_moment(model, room, pair, tact_vec3_cross(n, t), pair->roll,
                                 J + model->nv);
            J += 2 * model->nv;
        }
    }
}
#endif

/// J, mu and bias of all that is held; there must be room.
TACT_LANE_CALL void tact_step_put_rows(const TactStepModel *model, TactStepRoom *room,
                                       const TactStepRows *rows)
{
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < rows->count; k += TACT_WARP) {
        TactStepHeld  held = rows->held[k];
        int           pair = tact_step_pair_of(&held);
        TactStepFrame frame = {held.point, held.normal, held.normal};
        if (pair >= 0) {
            frame.point = tact_step_put_on_plane(model, room, &model->pairs[pair], &held);
            frame.tangent = tact_step_tangent(held.normal);
        }
        room->frames[k] = frame;
        room->held_pair[k] = (short)pair;
        rows->mu[k] = pair >= 0 ? model->pairs[pair].mu : 0;
        rows->bias[k] = held.depth < 0 ? -held.depth / model->h : -held.lift;
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int k = 0; k < rows->count; k++) {
        int     width = tact_rows_width(rows->rough, k), pair = room->held_pair[k];
        double *J = rows->J + (size_t)tact_rows_first(rows->rough, k) * (size_t)model->nv;
        if (pair >= 0) {
            tact_step_put_contact(model, room, &room->frames[k], pair, width, J);
        } else {
            tact_step_put_limit(model, rows->held[k].name, J);
        }
    }
    tact_lane_meet();
#if TACT_STEP_MORE
    double *J = rows->J + (size_t)(rows->count + 2 * rows->rough) * (size_t)model->nv;
    tact_step_put_moments(model, room, rows, J + (size_t)model->motor_count * (size_t)model->nv);
    tact_step_put_extra(model, room, rows->moments, J, rows->bound);
#endif
}

// ---------------------------------------------------------------------------------------------
// What is within reach

/// Adds what a lane has to the end of the list of a world; lanes come in their order.
TACT_LANE void tact_step_add_held(TactStepRows *rows, const TactStepHeld *items, int count,
                                  int rough)
{
    int all, at = rows->count + tact_step_offset(count, &all);
    TACT_ROLLED
    for (int k = 0; k < count; k++) {
        if (at + k < rows->room) {
            rows->held[at + k] = items[k];
        }
    }
    rows->count += all;
    int all_rough;
    tact_step_offset(rough ? count : 0, &all_rough);
    rows->rough += all_rough;
}

/// Adds pairs where `looked` is set to the list of those that are looked at, in their order.
TACT_LANE int tact_step_add_near(TactStepRoom *room, int count, int pair, int looked)
{
    unsigned votes = tact_warp_vote(looked);
    int      at = count + tact_step_before(votes);
    if (looked && at < TACT_STEP_MOST_NEAR) {
        room->near[at] = (unsigned short)pair;
    }
    return count + tact_lane_count_bits(votes);
}

/// All contacts within reach; bits of why a world is left.
TACT_LANE int tact_step_add_contacts(const TactStepModel *model, TactStepRoom *room,
                                     TactStepRows *rows)
{
    int lane = tact_warp_lane(), near = 0, left = 0;
    TACT_ROLLED
    for (int first = 0; first < model->pair_count; first += TACT_WARP) {
        int p = first + lane;
        near = tact_step_add_near(room, near, p,
                                  p < model->pair_count &&
                                      tact_step_is_near(model, &model->pairs[p], &room->places));
    }
    tact_lane_meet();
    if (near > TACT_STEP_MOST_NEAR) {
        return TACT_STEP_LEFT_FULL;
    }
    TACT_ROLLED
    for (int first = 0; first < near; first += TACT_WARP) {
        TactStepTouches found;
        int             rough = 0;
        found.count = 0;
        if (first + lane < near) {
            int pair = room->near[first + lane];
            int why = tact_step_collide(model, pair, &room->places, &found);
            left |= why;
            found.count = why ? 0 : found.count;
            rough = model->pairs[pair].rough;
        }
        tact_step_add_held(rows, found.items, found.count, rough);
    }
    return tact_step_join(left);
}

// As in sim/island/joint_rows.c: a limit this near is a row whatever the speeds are.
#define TACT_STEP_NEAR_LIMIT 1e-3

/// The faster of a dof's speeds before and after the free motion.
TACT_LANE double tact_step_speed(const TactStepRoom *room, int dof)
{
    return tact_step_larger(fabs(room->v[dof]), fabs(room->v[dof] + room->gain[dof]));
}

/// Is side k % 2 of a limit within reach? Of joint k / 2, or of tendons.
TACT_LANE int tact_step_limit_near(const TactStepModel *model, const TactStepRoom *room, int k,
                                   double *distance)
{
    double sign = k % 2 ? -1 : 1, reach = 0;
    int    t = k - 2 * model->joint_count;
    if (t < 0) {
        const TactStepJoint *joint = &model->joints[k / 2];
        if (!joint->limited) {
            return 0;
        }
        *distance = sign * (room->q[joint->q] - joint->limit[k % 2]);
        reach = 2 * model->h * tact_step_speed(room, joint->dof);
    } else {
        const TactStepTendon *tendon = &model->tendons[t / 2];
        if (!tendon->limited) {
            return 0;
        }
        *distance = sign * (tact_step_tendon(model, tendon, room->q, 1) - tendon->limit[t % 2]);
        TACT_ROLLED
        for (int e = tendon->first; e < tendon->first + tendon->count; e++) {
            const TactStepTerm *term = &model->terms[e];
            reach += 2 * model->h * fabs(term->coefficient) * tact_step_speed(room, term->dof);
        }
    }
    return *distance <= TACT_STEP_NEAR_LIMIT || *distance <= reach;
}

/// Limits within reach: of joints, then of tendons.
TACT_LANE void tact_step_add_limits(const TactStepModel *model, const TactStepRoom *room,
                                    TactStepRows *rows)
{
    int sides = 2 * (model->joint_count + model->tendon_count);
    TACT_ROLLED
    for (int first = 0; first < sides; first += TACT_WARP) {
        TactStepHeld limit = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
        int          k = first + tact_warp_lane(), near = 0;
        double       distance = 0;
        if (k < sides) {
            near = tact_step_limit_near(model, room, k, &distance);
        }
        limit.depth = -distance;
        limit.name = -1 - k;
        tact_step_add_held(rows, &limit, near, 0);
    }
}

#endif
