// Contact problems of a mechanism, or of an island of several bodies, as contact_batch.h has them,
// and what all kernels read of them. C and C++ alike.
#ifndef TACT_GPU_MECHANISM_H
#define TACT_GPU_MECHANISM_H

#include "base/random_core.h"
#include "contact/pivot_rules.h"
#include "gpu/body/body.h"

/// Rows of J after those of contacts: motors, |p| <= bound against J v+ (dry friction of joints),
/// then moments of contacts, then loops, J v+ = target whatever p is. Each problem has the same
/// number of motors and loops. Read by kernels that are compiled with TACT_MORE.
///
/// Moments of a contact that resists spinning have one row, of rolling two: contact after contact,
/// spinning first. Their rows are relative angular velocities times mu_k, in m/s, and their
/// impulses moments over mu_k, in N s, so that all are bounded by the normal impulse
/// (docs/theory/spin-roll.md, (2), (3)).
typedef struct TactMechanismMore {
    int           motors, loops;
    const double *bound;  // N s                                                   (motors)
    const double *target; // m/s or rad/s                                          (loops)
    unsigned     *basis;  // of motors, where a warm start begins: TACT_MOTOR_STICKS, or on which
                          //   side of its bounds its impulse is                   (motors)
    int                  circle; // friction is the circle, and not the pyramid
    const unsigned char *turns;  // what a contact resists: TACT_TURN_..., a bit each; NULL: nothing
                                 //                                                 (contacts)
    unsigned *turn_basis;        // of the moments of a contact, as basis: spinning, rolling
                          //                                                       (2 contacts)
} TactMechanismMore;

/// What a contact resists besides sliding.
enum { TACT_TURN_SPIN = 1, TACT_TURN_ROLL = 2 };

/// Rows of the moments of a contact.
TACT_HD int tact_turn_rows(unsigned char turns)
{
    return (turns & TACT_TURN_SPIN ? 1 : 0) + (turns & TACT_TURN_ROLL ? 2 : 0);
}

/// A motor whose joint moves forward pulls back (p = -bound), and the other way round.
enum { TACT_MOTOR_FORWARD = 0, TACT_MOTOR_STICKS = 1, TACT_MOTOR_BACK = 2 };

/// What the warps work on.
typedef struct TactMechanismTask {
    TactMechanismProblems problems;
    TactBodyAnswers       answers;
    TactBodyDirections    directions;
    const int            *list;       // problems; NULL: the first ones
    const int            *list_count; // how many                                  (1)
    int                   attempt;    // 0, or which other covering vector
    int                   warm;       // begin with answers.basis. TACT_WARM_GIVEN: no path, the
              //   certificate says whether it is the answer. TACT_WARM_RESUME:
              //   where it does not hold a path resumes, or begins anew
    int    max_pivots;
    double tie;       // how far a value may fall below 0 on the way
    double pivot_tol; // rates below this part of the column do not block
    // The covering vector (mechanism_cover.h)
    double   cover[TACT_WARP]; // c_nu of the first attempt
    double   c_sigma;
    unsigned right, halfway; // directions at right angles to the first, and half way between those
    TactMechanismMore more;
} TactMechanismTask;

/// Rules of an attempt. After the directions. Host code.
static inline void tact_mechanism_set_rules(TactMechanismTask *task, int attempt)
{
    TactRandom random = tact_random_core_seed(1); // as contact/pivot/reduced.c
    int        first = attempt == 0, d = task->directions.count;
    for (int k = 0; k < TACT_WARP; k++) {
        task->cover[k] = tact_random_core_uniform(&random, 1, 2);
    }
    task->c_sigma = first ? TACT_PIVOT_COVER_SIGMA : TACT_PIVOT_COVER_SIGMA_BODY;
    task->right = task->halfway = 0;
    for (int j = 0; j < d; j++) {
        task->right |= !first || 4 * j % d == 0 ? 1u << j : 0;
        task->halfway |= 8 * j % d == 0 ? 1u << j : 0;
    }
    task->attempt = attempt;
    task->max_pivots = 40 + 8 * task->problems.contacts + 4 * task->more.motors;
    task->max_pivots += task->more.turns ? 8 * task->problems.contacts : 0;
    task->tie = attempt == 1 ? 1e-11 : attempt % 2 == 0 ? 1e-9 : 1e-8;
    task->pivot_tol = attempt == 1 ? 1e-13 : attempt < 2 ? 1e-10 : 1e-11;
}

/// Contacts of a problem.
TACT_HD int tact_mechanism_points(const TactMechanismProblems *all, int i)
{
    int own = all->active ? all->active[i] : all->contacts;
    return own < 0 ? 0 : own < all->contacts ? own : all->contacts;
}

/// Of these, with three rows.
TACT_HD int tact_mechanism_rough(const TactMechanismProblems *all, int i, int points)
{
    int own = all->rough ? all->rough[i] : points;
    return own < 0 ? 0 : own < points ? own : points;
}

/// Rows of J, and impulses, that each problem has room for.
TACT_HD int tact_mechanism_room_rows(const TactMechanismProblems *all)
{
    return all->rows > 0 ? all->rows : 3 * all->contacts;
}

/// The first row of a contact, where `rough` have three and all after them one; how many it has;
/// and the contact of a row.
TACT_HD int tact_rows_first(int rough, int contact)
{
    return contact < rough ? 3 * contact : contact + 2 * rough;
}

TACT_HD int tact_rows_width(int rough, int contact)
{
    return contact < rough ? 3 : 1;
}

TACT_HD int tact_rows_contact(int rough, int row)
{
    return row < 3 * rough ? row / 3 : row - 2 * rough;
}

/// Of one problem: M by rows up to the diagonal, v, f, J, mu, bias.
typedef struct TactMechanismOne {
    const double *M, *velocity, *force, *J, *mu, *bias;
} TactMechanismOne;

TACT_HD TactMechanismOne tact_mechanism_one(const TactMechanismProblems *all, int i)
{
    TactMechanismOne one;
    size_t           at = (size_t)i, dof = (size_t)all->dof, n = (size_t)all->contacts;
    one.M = all->M + at * (dof * (dof + 1) / 2);
    one.velocity = all->velocity + at * dof;
    one.force = all->force + at * dof;
    one.J = all->J + at * ((size_t)tact_mechanism_room_rows(all) * dof);
    one.mu = all->mu + at * n;
    one.bias = all->bias ? all->bias + at * n : NULL;
    return one;
}

/// M_jk with j >= k is number j (j + 1) / 2 + k of a problem.
TACT_HD int tact_triangle(int row)
{
    return row * (row + 1) / 2;
}

#endif
