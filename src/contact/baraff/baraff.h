// Baraff's method for contact forces with friction: what its files share.
//
// Every contact is in one of the paper's index sets: its normal in C (clamped: a_n = 0), in NC
// (open: f_n = 0) or in neither, its friction in C_F (sticks: a_t = 0), in NC_F (slides: f_t =
// mu f_n s with a direction s that is frozen) or in neither. A force is driven until its own
// condition holds, while those of all others in the sets are kept [Baraff94, 5].
//
// The paper's functions: compute-forces is tact_baraff_settle() with tact_baraff_choose(),
// drive-to-zero is tact_baraff_drive(), fdirection and maxstep are find_direction() and
// find_drive_step() there.
//
// Units: with r_i = 1 / |C_n| of an item, f_i / r_i and r_i a_i are those of the whitened motion y.
// Items without a condition of their own are those that have not been driven yet, or were given up.
#ifndef TACT_CONTACT_BARAFF_BARAFF_H
#define TACT_CONTACT_BARAFF_BARAFF_H

#include <math.h>

#include "contact/method.h"

typedef enum TactBaraffNormal {
    TACT_BARAFF_IGNORED, // not driven yet, or given up: f_n stays as it is
    TACT_BARAFF_OPEN,    // NC: f_n = 0, a_n >= 0
    TACT_BARAFF_CLAMPED, // C: f_n >= 0, a_n = 0
    TACT_BARAFF_NONE,    // a motor
} TactBaraffNormal;

typedef enum TactBaraffFriction {
    TACT_BARAFF_LOOSE,   // not driven yet, or given up: f_t stays as it is
    TACT_BARAFF_STICK,   // C_F: |f_t| <= radius; each component is clamped, or stays as it is
    TACT_BARAFF_SLIDE,   // NC_F (NC+, NC- in two dimensions): f_t = radius s, a_t's <= 0
    TACT_BARAFF_FOLLOWS, // dynamic friction, f_t = mu f_n s for good; mu = 0 where there is none
} TactBaraffFriction;

/// Components: the normal, along s, across s.
enum { TACT_BARAFF_N, TACT_BARAFF_ALONG, TACT_BARAFF_ACROSS };

typedef struct TactBaraffItem {
    TactBaraffNormal   normal;
    TactBaraffFriction friction;
    double             s[2];     // unit; direction of friction, and frame of its components
    double             r;        // 1 / |C_n|
    double             mu;       // 0: no friction
    double             bound;    // radius of a motor; 0: that of a contact is mu f_n
    double             soft;     // of friction across s while it slides (baraff_turn.c), no unit
    bool               settled;  // its friction was established before the contact opened
    int                place[3]; // of its components in the clamped block; -1: none
    int                run;      // zero steps in a row: when its sets changed last
    int                from;     // sets before that change
    int                muted;    // pivot at which it was found that it cannot be driven
} TactBaraffItem;

/// What can end a step.
typedef enum TactBaraffChange {
    TACT_BARAFF_REACHED, // the driven force is where it should be
    TACT_BARAFF_CLOSES,  // NC to C
    TACT_BARAFF_OPENS,   // C to NC
    TACT_BARAFF_SLIPS,   // C_F to NC_F
    TACT_BARAFF_STICKS,  // NC_F to C_F
    TACT_BARAFF_NEVER,
} TactBaraffChange;

typedef struct TactBaraffEvent {
    TactBaraffChange change;
    int              item;
    double           length; // of the step
    double           rate;   // at which the condition is approached, without a unit
    double           tie;    // how far it may be passed, without a unit
} TactBaraffEvent;

/// A row and column of the clamped block.
typedef struct TactBaraffPlace {
    int item;
    int component;
} TactBaraffPlace;

/// Frictionless problems (baraff_smooth.c).
typedef struct TactBaraffSmooth {
    int            capacity; // items
    double        *A;        // N'N                                                  (n x n)
    double        *q;        // (n)
    double        *z;        // (n)
    TactLcpSolver *solver;   // dantzig
} TactBaraffSmooth;

/// The motion of forces p and of their change dp, and what rounding in it is held against.
typedef struct TactBaraffMotion {
    double *y;         // y0 + C p                                          (dof)
    double *dy;        // C dp                                              (dof)
    double *size;      // |y0| + |C| |p|                                    (dof)
    double *change;    // |C| |dp|                                          (dof)
    double *size_of;   // norm of size over the support of a group          (groups)
    double *change_of; // the same of change                                (groups)
    double *dense;     // 0 but while a vector is spread over it             (dof)
    double *gathered;  // parts of a motion, or sums, a group  (groups x length)
    double *sizes;     // the same of magnitudes                (groups x length)
    int    *stamps;    // of the groups: gathered now           (groups)
    int     stamp;
    double *vector; // column of what is driven                           (length)
} TactBaraffMotion;

/// The clamped block K = R'G, where R has the rows of A and G its columns, friction that follows a
/// normal force added to the column of that force; both times r.
typedef struct TactBaraffBlock {
    int              count;
    int              capacity;
    int              length;  // of a vector
    size_t           ld;      // of T
    TactBaraffPlace *places;  // (capacity)
    double          *rows;    // (capacity x length)
    double          *columns; // (capacity x length)
    double          *T;       // K^-1, transposed                                   (capacity x ld)
    double          *K;       // (capacity x ld)
    int             *perm;    // (capacity)
    double          *g, *h, *x, *u, *df; // (capacity)
} TactBaraffBlock;

/// The end of an earlier drive, by which a return to it is noticed.
typedef struct TactBaraffSeen {
    double        *p;    // (3 items)
    unsigned char *sets; // (items)
} TactBaraffSeen;

typedef struct TactBaraff {
    const TactSystem  *system;
    TactContactReport *report;
    int                limit; // pivots
    int                run;   // number of the present run of zero steps
    int                given_up;
    bool               turning;  // contacts that slide the wrong way are left to turning
    bool               wide;     // turning between the scale of W and that of forces
    bool               dynamic;  // some contact has dynamic friction
    TactBaraffItem    *items;    // (items)
    double            *p;        // forces, in the frames of the items                (3 items)
    double            *dp;       // (3 items)
    double            *frozen_p; // of the answer with frozen directions  (3 items)
    double            *a;        // W p + b, component-major                          (3 x stride)
    double            *da;       // (3 x stride)
    TactBaraffEvent   *events;   // of a step                                          (2 items + 2)
    TactBaraffSeen     seen;
    TactBaraffMotion   motion;
    TactBaraffBlock    block;
    TactBaraffSmooth   smooth;
} TactBaraff;

static inline int tact_baraff_group(const TactBaraff *self, int item)
{
    return self->system->items[item].group;
}

/// The sets of an item as one number.
static inline int tact_baraff_sets(const TactBaraffItem *at)
{
    return 4 * (int)at->normal + (int)at->friction;
}

static inline double tact_baraff_norm(double x, double y)
{
    return sqrt(x * x + y * y);
}

// ---------------------------------------------------------------------------------------------
// Vectors (baraff_vectors.c)

/// Row and column of A that belong to a component, times r, over the support of its group. Friction
/// that follows a normal force is part of the latter's column.                       (length)
void tact_baraff_row(const TactBaraff *self, int item, int component, double *out);
void tact_baraff_column(const TactBaraff *self, int item, int component, double *out);

/// out_k = (vector k of the block)'(a vector of an item).
void tact_baraff_products(TactBaraff *self, const double *vectors, int item, const double *vector,
                          double *out);

/// x'y of two vectors of an item.
double tact_baraff_dot(const TactBaraff *self, int item, const double *x, const double *y);

/// dy = f (vector of an item) + G df, and change, the sum of the magnitudes.
void tact_baraff_combine(TactBaraff *self, int item, double f, const double *vector);

// ---------------------------------------------------------------------------------------------
// The clamped block (baraff_block.c)

/// Adds a component. False, and nothing changes, if it depends on those in the block.
bool tact_baraff_clamp(TactBaraff *self, int item, int component);

/// Adds the driven component, whose direction is known.
bool tact_baraff_clamp_driven(TactBaraff *self, const TactBaraffPlace *place, double sign);

/// Removes a component that is in the block. False if the rest is singular.
bool tact_baraff_release(TactBaraff *self, int item, int component);

/// The friction of an item has got another state: its normal's column. False if that is singular.
bool tact_baraff_recouple(TactBaraff *self, int item);

/// Lists a component or takes it off the list, without its inverse; all vectors from the states of
/// the items. Then comes a rebuild.
void tact_baraff_list(TactBaraff *self, int item, int component);
void tact_baraff_unlist(TactBaraff *self, int item, int component);
void tact_baraff_refresh(TactBaraff *self);

/// Computes the inverse anew. Components that depend on others leave the block.
bool tact_baraff_rebuild(TactBaraff *self);

// ---------------------------------------------------------------------------------------------
// Values (baraff_values.c)

void tact_baraff_begin(TactBaraff *self, const TactSystem *system,
                       const TactContactProblem *problem);

/// All forces 0, all sets empty.
void tact_baraff_clear(TactBaraff *self);

/// Forces move by step along a component, friction that follows a normal force with it.
void tact_baraff_push(const TactBaraff *self, const TactBaraffPlace *place, double step, double *p);

/// Forces of the clamped block move by length * df.
void tact_baraff_add(const TactBaraff *self, const double *df, double length, double *p);

/// y and a from the forces, the clamped forces corrected so that their a is 0.
void tact_baraff_restore(TactBaraff *self);

/// Radius of the friction disc with forces p.
double tact_baraff_radius(const TactBaraff *self, int item, const double *p);

/// a_t's, a_t across s
double tact_baraff_along(const TactBaraff *self, int item, const double *a);
double tact_baraff_across(const TactBaraff *self, int item, const double *a);

/// What a place of the clamped block keeps at 0: r a, without a unit.
double tact_baraff_kept(const TactBaraff *self, const TactBaraffPlace *place, const double *a,
                        const double *p);

/// What is taken as 0 of r a.
double tact_baraff_tolerance(const TactBaraff *self, int item);

// ---------------------------------------------------------------------------------------------
// Sets (baraff_sets.c)

/// NC to C. Friction that was established before is kept: with a force of 0 it is in NC_F, against
/// a_t.
void tact_baraff_close(TactBaraff *self, int item);

/// C to NC. Friction that was given up may be left there; else there is none without normal force.
void tact_baraff_open(TactBaraff *self, int item);

/// C_F to NC_F, in the direction that the friction has now.
void tact_baraff_slip(TactBaraff *self, int item);

/// NC_F to C_F: a_t = 0 along s. Across s it has to be driven there, if it is not 0 already.
void tact_baraff_stick(TactBaraff *self, int item);

/// NC_F to C_F, with neither of its components clamped yet.
void tact_baraff_free(TactBaraff *self, int item);

/// The conditions of an item are not kept any longer, and have to be driven anew [Baraff94, 5.4].
void tact_baraff_give_up(TactBaraff *self, int item);

/// Restores the values; items whose forces are beyond their bounds then change their sets.
void tact_baraff_correct(TactBaraff *self);

// ---------------------------------------------------------------------------------------------
// Drives (baraff_drive.c)

typedef enum TactBaraffGoal {
    TACT_BARAFF_TO_ZERO, // a = 0, or the bound of the force
    TACT_BARAFF_TO_REST, // f = 0: friction that was given up
} TactBaraffGoal;

typedef struct TactBaraffDrive {
    TactBaraffPlace place;
    double          sign; // of the change of the force
    TactBaraffGoal  goal;
} TactBaraffDrive;

/// Drives one force. TACT_OUTCOME_SOLVED: done. TACT_OUTCOME_UNBOUNDED: dp is the direction.
TactContactOutcome tact_baraff_drive(TactBaraff *self, const TactBaraffDrive *drive);

/// Drives what is violated until nothing is (baraff.c).
TactContactOutcome tact_baraff_settle(TactBaraff *self, int order);

// ---------------------------------------------------------------------------------------------
// What to drive next (baraff_choose.c)

/// The drive after that of item last (-1: the first). False: nothing is violated. Order 0 and 1:
/// what is violated most; others: what is found first from a place that moves on with the drives.
/// Even orders: the friction of a contact right after its normal; odd ones: all normals first.
bool tact_baraff_choose(const TactBaraff *self, int last, int drives, int order,
                        TactBaraffDrive *drive);

/// The frame in which friction is driven: against a_t, or along the force that is to go.
void tact_baraff_prepare(TactBaraff *self, const TactBaraffDrive *drive);

/// Whether a force that can be driven without end has no need to: what it lacks may be rounding.
bool tact_baraff_is_consistent(const TactBaraff *self, int item);

// ---------------------------------------------------------------------------------------------
// Without friction (baraff_smooth.c)

void       tact_baraff_smooth_layout(TactBaraffSmooth *smooth, size_t items, TactArena *arena);
TactStatus tact_baraff_smooth_create(TactBaraffSmooth *smooth, int max_pivots);

/// No friction and no motors, and not too large.
bool tact_baraff_is_smooth(const TactBaraff *self);

/// Forces into p. False if they are not proven: A may have lost what its columns have.
bool tact_baraff_smooth_solve(TactBaraff *self);

/// Turns the directions that are frozen until they oppose a_t (baraff_turn.c). False if that does
/// not come to an end: then all is as it was.
bool tact_baraff_turn(TactBaraff *self, int order, int max_turns);

#endif
