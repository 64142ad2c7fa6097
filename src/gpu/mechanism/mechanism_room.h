// Lloyd's reduced Lemke method for a mechanism by the thirty-two lanes of a warp: what they share.
//
// Unlike one body (body_lane.h), whose kernel has seven unknowns and is solved afresh at every
// pivot, a mechanism keeps the inverse of its basis and changes it by one rank at a pivot: docs/
// theory/gpu.md, (5) to (9).
#ifndef TACT_GPU_MECHANISM_ROOM_H
#define TACT_GPU_MECHANISM_ROOM_H

#include "gpu/mechanism/mechanism.h"

#ifndef TACT_ROWS
#define TACT_ROWS (3 * TACT_POINTS) // n 1 2 of every contact
#define TACT_ALL_ROUGH              // none has one row
#endif

#if !defined(TACT_POINTS) || !defined(TACT_DOFS) || !defined(TACT_BASIS)
#error "TACT_POINTS: contacts. TACT_DOFS: degrees of freedom. TACT_BASIS: unknowns of a basis"
#endif

#ifndef TACT_EXTRA // motors and loops of a problem
#define TACT_EXTRA 0
#endif

#ifndef TACT_MOMENTS // rows of moments of its contacts
#if TACT_EXTRA > 0
#define TACT_MOMENTS 32
#else
#define TACT_MOMENTS 0
#endif
#endif

enum {
    TACT_MORE = TACT_EXTRA > 0, // this kernel has motors, loops and the circle
    // Contacts, then motors, rows of moments and loops: one row each
    TACT_ITEMS = TACT_POINTS + TACT_EXTRA + TACT_MOMENTS,
    TACT_ACROSS = TACT_BASIS + 1 - TACT_BASIS % 2, // odd: lanes read a column from different banks
    TACT_OUTLINE = TACT_ROWS + 1,                  // of the whitened Jacobian, with the force
    TACT_PASSES = TACT_ROWS / TACT_WARP + 1,       // of lanes over these rows and the force
    TACT_PAIRS = 2 + TACT_BODY_MAX_DIRECTIONS,
    TACT_AT_ONCE = TACT_BASIS > 32 ? 8 : 4, // entries of the inverse that a lane asks for at a time
    TACT_JACOBIAN = TACT_OUTLINE * TACT_DOFS,
    TACT_INVERSE = TACT_BASIS * TACT_ACROSS,
    TACT_PACKED = TACT_ROWS * (TACT_ROWS + 1) / 2, // the Delassus matrix
    // Columns begin at even places; lanes read beyond them.
    TACT_FACTOR = TACT_DOFS * (TACT_DOFS / 2 + 1) + TACT_DOFS,
    // What a problem needs as it begins, and on its path.
    TACT_BEGIN = TACT_JACOBIAN + (TACT_FACTOR > TACT_PACKED ? TACT_FACTOR : TACT_PACKED),
    TACT_GO = TACT_INVERSE + TACT_PACKED,
    TACT_SCRATCH = (TACT_BEGIN > TACT_GO ? TACT_BEGIN : TACT_GO) + 4,
};

// As TACT_PIVOT_COVER_GAMMA, _HALFWAY and _BETWEEN (contact/pivot_rules.h).
#define TACT_MECHANISM_COVER_GAMMA 0.01
#define TACT_MECHANISM_COVER_HALFWAY 1.15
#define TACT_MECHANISM_COVER_BETWEEN 1.25

/// Pairs of complementary variables of a contact: nu and theta, gamma and lambda, sigma_j and
/// phi_j, are numbers contact * 32 + pair with the pair of body_lane.h.
enum { TACT_MECHANISM_NORMAL, TACT_MECHANISM_SLIP, TACT_MECHANISM_FRICTION };

enum {
    TACT_CODE_CONTACT = 32,
    TACT_NOWHERE = 255,        // position of a pair without a basic unknown
    TACT_CODE_UPPER = 1 << 20, // what leaves is a motor's unknown, at its other bound
};

#if TACT_EXTRA > 0
/// Items after contacts.
typedef struct TactMechanismList {
    int           points;                    // contacts: items from there on are motors
    int           first_moment;              // items from there on are rows of moments,
    int           moments;                   //   so many
    unsigned char moment_of[TACT_MOMENTS];   // contact of a row
    unsigned char moment_kind[TACT_MOMENTS]; // TACT_MOMENT_...
} TactMechanismList;
#endif

/// Memory of a warp. Position 0 of a basis: the row of z0, and the column of the pair that has no
/// basic unknown. Position k: a pair with its basic unknown (row) and its slack of 0 (column).
typedef struct TactMechanismRoom {
    TACT_ALIGNED double scratch[TACT_SCRATCH]; // L^-1 J' and L; then the inverse of the basis and A
    double              free[TACT_ROWS];       // u without impulses, bias added
    double              u[TACT_ROWS], du[TACT_ROWS]; // with them, and their rates
    double              push[TACT_ROWS];             // rates of impulses n 1 2; impulses in the end
    double              answer[TACT_ROWS];           // A times the direction of one pair
    double              x[TACT_BASIS], dx[TACT_BASIS]; // basic unknowns, and their rates
    TACT_ALIGNED double line[TACT_BASIS];              // a row or column of the basis
    double              lambda[TACT_ITEMS], dlambda[TACT_ITEMS];
    double              gamma[TACT_ITEMS], dgamma[TACT_ITEMS];
    double              cosine[TACT_BODY_MAX_DIRECTIONS], sine[TACT_BODY_MAX_DIRECTIONS];
    double              cover[TACT_ITEMS], sigma[TACT_ITEMS]; // c_nu, c_sigma
    double              mu[TACT_ITEMS], scale[TACT_ITEMS];    // mu of a motor: its bound
    double              motion[TACT_DOFS];                    // a vector of all degrees of freedom
    int                 rough;                                // contacts with three rows
    unsigned            right, halfway;                       // of the task
    int                 pair[TACT_BASIS];                     // at a position
    unsigned            state[TACT_ITEMS];                    // of body_lane.h
    unsigned            early[TACT_POINTS];         // states that a path resumed from; or 0
    unsigned char       at[TACT_ITEMS][TACT_PAIRS]; // position of a pair with a basic unknown
#if TACT_EXTRA > 0
    double            sign[TACT_EXTRA]; // of motors: theta = 0 is p = -sign bound
    unsigned          kept[TACT_ITEMS]; // states of a basis, while the circle's are in their place
    TactMechanismList list;
#endif
} TactMechanismRoom;

/// State of a contact: as TACT_BODY_THETA and so on, so that a basis is stored alike.
enum {
    TACT_MECHANISM_THETA = 1,
    TACT_MECHANISM_LAMBDA = 2,
    TACT_MECHANISM_ACTIVE = 4,
    TACT_MECHANISM_PHI = 8,
    TACT_MECHANISM_PHI_SHIFT = 3,
};

/// A row of moments: of spinning; the first of rolling, which has the variables of both; the
/// second.
enum { TACT_MOMENT_SPIN, TACT_MOMENT_ROLL, TACT_MOMENT_SECOND };

/// The same in all lanes.
typedef struct TactMechanismPath {
    int problem;
    int points;  // contacts of this problem
    int items;   // and its motors
    int moments; // rows of moments, items after these
    int rows;    // of J, theirs
    int all;     // rows of J, with those of loops
    int size;    // positions of the basis, with 0
    int pivots;
    int pair;        // without a basic unknown
    int by_row;      // its slack drives, and not its unknown
    int limit;       // of pivots
    int may_resume;  // this kernel's paths begin at a basis that does not hold, if there is one
                     //   (mechanism_resume.h). Never written: others leave that out
    int     resumed; // this path does
    double *factor;  // L, of this warp's own memory on the device
    double  unit;    // m/s: largest offset before it was made 1
} TactMechanismPath;

/// Of the inverse of the basis.
TACT_LANE double *tact_mechanism_entry(TactMechanismRoom *room, int row, int column)
{
    return &room->scratch[row * TACT_ACROSS + column];
}

/// A = J M^-1 J' up to its diagonal, scaled: A_nn = 1.
TACT_LANE double *tact_mechanism_packed(TactMechanismRoom *room)
{
    return room->scratch + TACT_SCRATCH - TACT_PACKED;
}

/// L of M = L L' by columns, 1 / L_kk on its diagonal. In the beginning, and in the end.
TACT_LANE double *tact_mechanism_factor_of(TactMechanismRoom *room)
{
    return room->scratch + TACT_JACOBIAN;
}

/// Where column k of L begins, with row k: at an even place.
TACT_LANE int tact_mechanism_column(int k)
{
    int half = k / 2;
    return 2 * half * (TACT_DOFS + 1 - half) + (k % 2) * (TACT_DOFS - 2 * half);
}

/// A_jk
TACT_LANE double tact_mechanism_delassus(const TactMechanismRoom *room, int j, int k)
{
    const double *A = room->scratch + TACT_SCRATCH - TACT_PACKED;
    return A[j >= k ? tact_triangle(j) + k : tact_triangle(k) + j];
}

TACT_LANE int tact_pair_contact(int pair)
{
    return pair / TACT_CODE_CONTACT;
}

TACT_LANE int tact_pair_kind(int pair)
{
    return pair % TACT_CODE_CONTACT;
}

/// The first row of a contact; those with friction have three, the others one.
TACT_LANE int tact_mechanism_first(const TactMechanismRoom *room, int contact)
{
#ifdef TACT_ALL_ROUGH
    (void)room;
    return 3 * contact;
#else
    return tact_rows_first(room->rough, contact);
#endif
}

TACT_LANE int tact_mechanism_is_rough(const TactMechanismRoom *room, int contact)
{
#ifdef TACT_ALL_ROUGH
    (void)room;
    (void)contact;
    return 1;
#else
    return contact < room->rough;
#endif
}

/// What a row of moments is; -1 of an item that is none.
TACT_LANE int tact_moment_kind(const TactMechanismRoom *room, int item)
{
#if TACT_EXTRA > 0
    return item >= room->list.first_moment ? room->list.moment_kind[item - room->list.first_moment]
                                           : -1;
#else
    (void)room;
    (void)item;
    return -1;
#endif
}

TACT_LANE int tact_mechanism_width(const TactMechanismRoom *room, int contact)
{
    return tact_mechanism_is_rough(room, contact)                ? 3
           : tact_moment_kind(room, contact) == TACT_MOMENT_ROLL ? 2
                                                                 : 1;
}

/// 1 of a contact; of a motor which way its theta pushes.
TACT_LANE double tact_item_sign(const TactMechanismRoom *room, int item)
{
#if TACT_EXTRA > 0
    return item >= room->list.points ? room->sign[item - room->list.points] : 1;
#else
    (void)room;
    (void)item;
    return 1;
#endif
}

/// The part of a pair along n, 1 and 2 of its contact: that of its unknown in impulses, and of its
/// slack in velocities. lambda and gamma have none. Of moments along their rows.
TACT_LANE void tact_pair_direction(const TactMechanismRoom *room, int pair, double out[3])
{
    int kind = tact_pair_kind(pair), j = kind - TACT_MECHANISM_FRICTION;
#if TACT_EXTRA > 0
    int moment = tact_moment_kind(room, tact_pair_contact(pair));
    if (moment >= 0) {
        int roll = moment == TACT_MOMENT_ROLL;
        out[0] = j < 0 ? 0 : roll ? room->cosine[j] : j == 0 ? 1 : -1;
        out[1] = j < 0 || !roll ? 0 : room->sine[j];
        out[2] = 0;
        return;
    }
#endif
    out[0] = kind == TACT_MECHANISM_NORMAL ? tact_item_sign(room, tact_pair_contact(pair)) : 0;
    out[1] = j >= 0 ? room->cosine[j] : 0;
    out[2] = j >= 0 ? room->sine[j] : 0;
}

/// What an unknown adds to a slack of its own contact besides motion: lambda to sigma_j, theta and
/// phi_j to gamma.
TACT_LANE double tact_pair_extra(const TactMechanismRoom *room, int slack, int unknown)
{
    int    of = tact_pair_kind(slack), by = tact_pair_kind(unknown);
    int    own = tact_pair_contact(slack) == tact_pair_contact(unknown);
    int    gamma = of == TACT_MECHANISM_SLIP;
    double to_gamma = by == TACT_MECHANISM_NORMAL ? room->mu[tact_pair_contact(slack)]
                      : by == TACT_MECHANISM_SLIP ? 0
                                                  : -1;
    double to_sigma = of >= TACT_MECHANISM_FRICTION && by == TACT_MECHANISM_SLIP ? 1 : 0;
#if TACT_EXTRA > 0
    int moment = tact_pair_contact(slack) - room->list.first_moment;
    if (gamma && moment >= 0 && by == TACT_MECHANISM_NORMAL) { // the theta of its contact
        own = room->list.moment_of[moment] == tact_pair_contact(unknown);
    }
#endif
    return !own ? 0 : gamma ? to_gamma : to_sigma;
}

/// What c_sigma of a direction is multiplied with: those at right angles come first.
TACT_LANE double tact_mechanism_late(const TactMechanismRoom *room, int j)
{
    return room->right >> j & 1     ? 1
           : room->halfway >> j & 1 ? TACT_MECHANISM_COVER_HALFWAY
                                    : TACT_MECHANISM_COVER_BETWEEN;
}

/// Has a contact friction, and is the unknown of a pair one of those that a path resumed with?
TACT_LANE int tact_pair_is_early(unsigned early, int kind)
{
    unsigned bit = kind == TACT_MECHANISM_NORMAL ? TACT_MECHANISM_THETA
                   : kind == TACT_MECHANISM_SLIP
                       ? TACT_MECHANISM_LAMBDA
                       : (unsigned)TACT_MECHANISM_PHI << (kind - TACT_MECHANISM_FRICTION);
    return (early & bit) != 0;
}

/// What z0 adds to a slack, besides what it takes of impulses.
TACT_LANE double tact_pair_cover(const TactMechanismRoom *room, const TactMechanismPath *path,
                                 int slack)
{
    int kind = tact_pair_kind(slack), contact = tact_pair_contact(slack);
    if (path->may_resume && path->resumed && contact < path->points) {
        unsigned early = room->early[contact];
        if (tact_pair_is_early(early, kind)) {
            return 0;
        }
        if (early & TACT_MECHANISM_ACTIVE) {
            return room->cover[contact];
        }
    }
    return kind == TACT_MECHANISM_NORMAL ? room->cover[contact]
           : kind == TACT_MECHANISM_SLIP ? TACT_MECHANISM_COVER_GAMMA
           : tact_moment_kind(room, contact) == TACT_MOMENT_SPIN
               ? room->sigma[contact]
               : room->sigma[contact] * tact_mechanism_late(room, kind - TACT_MECHANISM_FRICTION);
}

#if TACT_DOFS <= 32 || TACT_BASIS <= 32

/// a - factor * row, shifted by one column; left: columns from this one on, of at most 32. Entries
/// beyond them are of no use, and left out by eights. row: at an even place.
TACT_LANE void tact_mechanism_shift(double a[TACT_WARP], double factor, const double *row, int left)
{
    TACT_UNROLL for (int first = 0; first < TACT_WARP; first += 8)
    {
        if (left > first) {
            TACT_UNROLL for (int c = first; c < first + 8; c += 2)
            {
                double two[2];
                tact_lane_two(row + c, two);
                if (c > 0) {
                    a[c - 1] = a[c] - factor * two[0];
                }
                a[c] = a[c + 1] - factor * two[1];
            }
        }
    }
    a[TACT_WARP - 1] = 0;
}

#endif

TACT_LANE double tact_mechanism_bigger(double a, double b)
{
    return !(b <= a) ? b : a;
}

/// Largest of the warp.
TACT_LANE double tact_mechanism_largest(double x)
{
    int lane = tact_warp_lane();
    for (int k = 1; k < TACT_WARP; k *= 2) {
        double other = tact_warp_read(x, lane ^ k);
        x = other > x ? other : x;
    }
    return x;
}

#endif
