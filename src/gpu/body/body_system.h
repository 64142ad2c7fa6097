// The kernel of a basis: at most eight unknowns, assembled and solved by the lanes of a group.
//
// lambda and the first phi of a contact that slides are eliminated [Lloyd04, 5.1 and app. A]: with
// x that direction, phi_x = mu theta + c_gamma z0 - sum phi_k and lambda = -d_x'u - c_sigma z0.
// What is left are motions of six degrees of freedom, z0, and the row of the pair that has no basic
// member: docs/theory/gpu.md, (2) to (4).
#ifndef TACT_GPU_BODY_SYSTEM_H
#define TACT_GPU_BODY_SYSTEM_H

#include "gpu/body/body_lane.h"

// As TACT_PIVOT_COVER_GAMMA and TACT_PIVOT_SINGULAR (contact/pivot_rules.h).
#define TACT_BODY_COVER_GAMMA 0.01
#define TACT_BODY_SINGULAR 1e-13

/// c_nu, c_gamma and c_sigma of a contact: those of the covering vector, or of a path that resumes.
TACT_LANE double tact_body_cover_nu(const TactBodyItem *item, const TactBodyPath *path)
{
    return path->may_resume && (item->early & TACT_BODY_THETA) ? 0 : item->cover;
}

TACT_LANE double tact_body_cover_gamma(const TactBodyItem *item, const TactBodyPath *path)
{
    return path->may_resume ? item->c_gamma : TACT_BODY_COVER_GAMMA;
}

TACT_LANE double tact_body_cover_sigma(const TactBodyItem *item, const TactBodyPath *path, int j)
{
    int early = path->may_resume && (item->early >> TACT_BODY_PHI_SHIFT >> j & 1);
    return item->c_sigma - (early ? item->cover : 0);
}

/// The bit of a pair's unknown in a state.
TACT_LANE unsigned tact_body_bit(int kind)
{
    return kind == TACT_PAIR_NORMAL ? (unsigned)TACT_BODY_THETA
           : kind == TACT_PAIR_SLIP ? (unsigned)TACT_BODY_LAMBDA
                                    : (unsigned)TACT_BODY_PHI << (kind - TACT_PAIR_FRICTION);
}

/// Directions of basic phi, a bit each.
TACT_LANE unsigned tact_body_phis(unsigned state)
{
    return state >> TACT_BODY_PHI_SHIFT;
}

/// Direction whose phi is eliminated; -1: none.
TACT_LANE int tact_body_eliminated(unsigned state)
{
    return state & TACT_BODY_LAMBDA ? tact_lane_first_bit(tact_body_phis(state)) : -1;
}

/// Unknowns of a contact that are left in the kernel.
TACT_LANE int tact_body_unknowns(unsigned state)
{
    int phis = tact_lane_count_bits(tact_body_phis(state));
    int gone = (state & TACT_BODY_LAMBDA) && phis > 0;
    return (int)(state & TACT_BODY_THETA) + phis - gone;
}

/// Sum of the numbers of the lanes before this one; *all: of all lanes.
TACT_LANE int tact_body_before(int count, int *all)
{
    int lane = tact_lane_number(), sum = count;
    for (int k = 1; k < TACT_GROUP; k *= 2) {
        int other = tact_lane_read_int(sum, lane - k);
        sum += lane >= k ? other : 0;
    }
    *all = tact_lane_read_int(sum, TACT_GROUP - 1);
    return sum - count;
}

/// d_j of a contact, less d_x.
TACT_LANE void tact_body_direction(const TactBodyItem *item, const TactBodyDirections *directions,
                                   int j, int x, double out[6])
{
    double c = directions->cosine[j] - (x >= 0 ? directions->cosine[x] : 0);
    double s = directions->sine[j] - (x >= 0 ? directions->sine[x] : 0);
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        out[k] = c * item->s[k] + s * item->t[k];
    }
}

/// n, and mu d_x of a contact that slides.
TACT_LANE void tact_body_push(const TactBodyItem *item, const TactBodyDirections *directions, int x,
                              double out[6])
{
    double c = x >= 0 ? item->mu * directions->cosine[x] : 0;
    double s = x >= 0 ? item->mu * directions->sine[x] : 0;
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        out[k] = item->n[k] + c * item->s[k] + s * item->t[k];
    }
}

/// c_sigma of d_j, less that of d_x.
TACT_LANE double tact_body_cover_less(const TactBodyItem *item, const TactBodyPath *path, int j,
                                      int x)
{
    if (x >= 0 && !path->may_resume) {
        return 0;
    }
    double own = tact_body_cover_sigma(item, path, j);
    return x >= 0 ? own - tact_body_cover_sigma(item, path, x) : own;
}

/// Columns and rows of the unknowns of a contact, from number first on. own: the pair without a
/// basic member is one of its pairs.
TACT_LANE void tact_body_put_unknowns(TactBodyRoom *room, const TactBodyItem *item,
                                      const TactBodyDirections *directions,
                                      const TactBodyPath *path, int own, int first)
{
    unsigned phis = tact_body_phis(item->state);
    int      x = tact_body_eliminated(item->state), at = first;
    int      slips = own && path->kind == TACT_PAIR_SLIP && !path->by_row; // lambda drives
    if (item->state & TACT_BODY_THETA) {
        tact_body_push(item, directions, x, room->column[at]);
        TACT_UNROLL for (int k = 0; k < 6; k++)
        {
            room->row[at][k] = item->n[k];
        }
        room->cover[at] = tact_body_cover_nu(item, path);
        room->offset[at] = item->bias;
        room->rate[at] = 0;
        at++;
    }
    TACT_ROLLED for (unsigned left = x >= 0 ? phis & (phis - 1) : phis; left; left &= left - 1)
    {
        int j = tact_lane_first_bit(left);
        tact_body_direction(item, directions, j, x, room->column[at]);
        TACT_UNROLL for (int k = 0; k < 6; k++)
        {
            room->row[at][k] = room->column[at][k];
        }
        room->cover[at] = tact_body_cover_less(item, path, j, x);
        room->offset[at] = 0;
        room->rate[at] = slips ? 1 : 0;
        at++;
    }
}

/// Row 0, that of the pair without a basic member, and the motion of its unknown if that drives. By
/// the lane that has the contact; first: number of the contact's first unknown.
TACT_LANE void tact_body_put_pair(TactBodyRoom *room, const TactBodyItem *item,
                                  const TactBodyDirections *directions, const TactBodyPath *path,
                                  int first)
{
    int x = tact_body_eliminated(item->state), j = path->kind - TACT_PAIR_FRICTION;
    int theta = (int)(item->state & TACT_BODY_THETA);
    // A basic lambda without phi: its own row is sigma_j of the pair, and gamma takes row 0.
    int    bare = (item->state & TACT_BODY_LAMBDA) && x < 0;
    int    gamma = path->kind == TACT_PAIR_SLIP || bare;
    int    end = first + tact_body_unknowns(item->state);
    double none[6] = {0, 0, 0, 0, 0, 0}, row[6], drive[6];
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        row[k] = drive[k] = none[k];
    }
    if (path->kind == TACT_PAIR_NORMAL) {
        tact_body_push(item, directions, -1, row);
        tact_body_push(item, directions, x, drive);
    } else if (j >= 0) {
        tact_body_direction(item, directions, j, x, drive);
        TACT_UNROLL for (int k = 0; k < 6; k++)
        {
            row[k] = drive[k];
        }
    }
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        room->row[0][k] = gamma ? 0 : row[k];
        room->drive[k] = path->by_row ? 0 : drive[k];
    }
    TACT_ROLLED for (int k = 1; k < TACT_BODY_KERNEL; k++)
    {
        int own = gamma && k >= first && k < end;
        room->extra[k] = !own ? 0 : theta && k == first ? item->mu : -1;
    }
    room->cover[0] = gamma                            ? tact_body_cover_gamma(item, path)
                     : path->kind == TACT_PAIR_NORMAL ? tact_body_cover_nu(item, path)
                                                      : tact_body_cover_less(item, path, j, x);
    room->offset[0] = path->kind == TACT_PAIR_NORMAL ? item->bias : 0;
    room->rate[0] = bare && j >= 0 ? -1 : 0; // phi_j in gamma
}

// ---------------------------------------------------------------------------------------------
// Elimination

/// The lane whose unused row has the largest entry of a column; *size: that entry.
TACT_LANE int tact_body_find_pivot(double entry, int used, float *size)
{
    int lane = tact_lane_number();
    int key = used ? 0 : (tact_lane_float_bits((float)fabs(entry)) & ~7) | (7 - lane);
    for (int k = 1; k < TACT_GROUP; k *= 2) {
        int other = tact_lane_read_int(key, lane ^ k);
        key = other > key ? other : key;
    }
    *size = tact_lane_float(key & ~7);
    return 7 - (key & 7);
}

/// Gauss and Jordan on the rows of the group's lanes, each with two right-hand sides; sizes: of the
/// largest kernel of the warp. The solution is written to the room. Returns the least pivot.
TACT_LANE float tact_body_eliminate(TactBodyRoom *room, double a[TACT_BODY_KERNEL], double b,
                                    double g, int sizes, int given)
{
    int   lane = tact_lane_number(), mine = -1;
    float least = 1e30f;
    TACT_UNROLL for (int k = 0; k < TACT_BODY_KERNEL; k++)
    {
        if (k < sizes) {
            float size;
            int   pivot = tact_body_find_pivot(a[k], mine >= 0, &size);
            least = size < least ? size : least;
            if (pivot == lane) {
                double inverse = tact_lane_inverse(a[k]);
                TACT_UNROLL for (int j = k + 1; j < TACT_BODY_KERNEL; j++)
                {
                    a[j] *= inverse;
                }
                b *= inverse;
                g *= inverse;
                mine = k;
            }
            double factor = pivot == lane ? 0 : a[k];
            TACT_UNROLL for (int j = k + 1; j < TACT_BODY_KERNEL; j++)
            {
                if (j < sizes) {
                    a[j] -= factor * tact_lane_read(a[j], pivot);
                }
            }
            b -= factor * tact_lane_read(b, pivot);
            g -= given ? 0 : factor * tact_lane_read(g, pivot);
        }
    }
    if (mine >= 0) {
        room->x[mine] = b;
        room->dx[mine] = g;
    }
    return least;
}

#if TACT_CIRCLE
/// What dampers leave of a motion: (I + sum of damping t t')^-1 x.
TACT_LANE void tact_body_damp(const TactBodyRoom *room, double x[6])
{
    double out[6];
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        out[k] = 0;
        TACT_UNROLL for (int j = 0; j < 6; j++)
        {
            out[k] += room->spread[k][j] * x[j];
        }
    }
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        x[k] = out[k];
    }
}

/// The motions of all unknowns with dampers, those of a group that has turned.
TACT_LANE void tact_body_damp_all(TactBodyRoom *room, const TactBodyPath *path, int count)
{
    int lane = tact_lane_number();
    if (path->turns > 0 && lane <= count) {
        tact_body_damp(room, room->column[lane]);
    }
    if (path->turns > 0 && lane == 0 && !path->by_row) {
        tact_body_damp(room, room->drive);
    }
    tact_lane_meet();
}
#endif

/// Values x and rates dx of the kernel's unknowns, and of y. count: unknowns without z0; sizes: the
/// largest of the warp, with z0. given: of a basis that was given there are no rates. Returns the
/// least pivot.
TACT_LANE float tact_body_solve(TactBodyRoom *room, const TactBodyPath *path, int count, int sizes,
                                int given)
{
    int    lane = tact_lane_number();
    int    used = lane <= count, finish = given || path->phase != TACT_BODY_FOLLOW;
    double a[TACT_BODY_KERNEL], row[6], b = 0, g = 0;
    if (lane < 6) { // motion of z0
        double sum = path->may_resume ? room->shift[lane] : 0;
        TACT_UNROLL for (int k = 0; k < TACT_GROUP; k++)
        {
            sum += room->slide[k][lane];
        }
        room->column[0][lane] = sum;
    }
    tact_lane_meet();
#if TACT_CIRCLE
    tact_body_damp_all(room, path, count);
#endif
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        row[k] = used ? room->row[lane][k] : 0;
    }
    TACT_UNROLL for (int j = 0; j < TACT_BODY_KERNEL; j++)
    {
        a[j] = 0;
        if (j < sizes) {
            double sum = 0;
            TACT_UNROLL for (int k = 0; k < 6; k++)
            {
                sum += row[k] * room->column[j][k];
            }
            int known = used && j <= count;
            a[j] = known ? sum : lane == j ? 1 : 0;
            a[j] += known && j == 0 ? room->cover[lane] : 0;
            a[j] += known && lane == 0 && j > 0 ? room->extra[j] : 0;
            // Without z0 its row says that it is 0.
            a[j] = finish && lane == 0 ? (j == 0 ? 1 : 0) : a[j];
        }
    }
    if (used && !(finish && lane == 0)) {
        TACT_UNROLL for (int k = 0; k < 6; k++)
        {
            b -= row[k] * room->start[k];
            g -= given ? 0 : row[k] * room->drive[k];
        }
        b -= room->offset[lane];
        g = path->by_row ? (lane == 0 ? 1 : 0) : g - room->rate[lane];
    }
    float least = tact_body_eliminate(room, a, b, g, sizes, given);
    tact_lane_meet();
    if (lane < 6) {
        double y = room->start[lane], dy = finish ? 0 : room->drive[lane];
        TACT_ROLLED for (int j = 0; j <= count; j++)
        {
            y += room->column[j][lane] * room->x[j];
            dy += given ? 0 : room->column[j][lane] * room->dx[j];
        }
        room->y[lane] = y;
        room->dy[lane] = dy;
    }
    tact_lane_meet();
    return least;
}

#endif
