// A contact problem in whitened coordinates: what every contact method works on.
//
// With M = G G' and y = G' v, an impulse p along the rows J moves y by C p, C = G^-1 J', and
//
//     y+ = y0 + C p,    u = C' y+ + e = W p + b,    W = C' C,    b = C' y0 + e
//
// [Lloyd04, eq. 8]. y0 is the motion without contact, e what the contacts add: bias, restitution,
// targets. Bilateral rows are projected out: dof is what is left of the degrees of freedom.
//
// Items are the contacts, then the unilateral rows, then the motors, grouped by the degrees of
// freedom they touch (their support). Every item has three columns of C: normal, tangents 1 and 2;
// those it does not have are 0. A unilateral row has only a normal, a motor only tangent 1.
#ifndef TACT_CONTACT_SYSTEM_SYSTEM_H
#define TACT_CONTACT_SYSTEM_SYSTEM_H

#include <tact/contact.h>

#include "base/memory.h"
#include "contact/system/bilateral.h"
#include "contact/system/system_blocks.h"
#include "contact/system/whiten.h"

typedef enum TactItemKind {
    TACT_ITEM_CONTACT,    // normal, two tangents
    TACT_ITEM_UNILATERAL, // normal only
    TACT_ITEM_MOTOR,      // tangent 1 only, |p_1| <= bound
    TACT_ITEM_MOMENT,     // tangents only, |p_t| <= mu p_n of its owner: spinning or rolling
} TactItemKind;

typedef struct TactItem {
    TactItemKind kind;
    int          source; // contact, or row of the problem
    int          group;
    int          directions; // of the pyramid; 2 for a motor, 0 without friction (mu = 0)
    double       turn;       // angle of direction 0
    double       mu;
    double       bound;      // motor: h force_max
    double       compliance; // added to W_nn
    double       scale;      // 1 / |C_n| (motor, moment: 1 / |C_1|); 1 if that is 0
    uint64_t     id;
    int          moments; // items after this one that are bounded by its load (disc/link.h); of a
                          //   motor: how many others it stands for (join.c)
    int owner;            // of a moment: the contact whose load bounds it; of a motor that stands
                          //   for others: 1 + its place in system->joined
} TactItem;

/// Items with the same support are neighbours.
typedef struct TactItemGroup {
    int    first; // item
    int    count;
    int    support; // first entry in system->support
    int    size;    // degrees of freedom in the support
    size_t soa;     // where its part of system->soa starts: [component][dof][stride]
    int    stride;  // count, rounded up to whole vectors
} TactItemGroup;

/// A row that another one stands for: C = ratio C_of. (join.c)
typedef struct TactJoined {
    int    row;
    int    of;     // row of the item that stands for it
    double ratio;  //
    double length; // |C|
    double part;   // its impulse, as a part of the item's; 0 of a limit that asks for less
} TactJoined;

/// Whole vectors of eight, and one more to read beyond the last item.
#define TACT_SYSTEM_STRIDE(items) (((items) + 7) / 8 * 8 + 8)

typedef struct TactSystem {
    int            dof; // whitened degrees of freedom, bilateral rows projected out
    int            item_count;
    int            group_count;
    int            stride;  // item_count and room for whole vectors
    TactItem      *items;   // (item_count)
    TactItemGroup *groups;  // (group_count)
    int           *support; // degrees of freedom of the groups, one list after the other
    double        *columns; // C, item-major: [item][component][size of its group]
    size_t        *column;  // where an item's three columns start      (item_count)
    double        *soa;     // C again, group-major: [group][component][dof][stride]: once a sweep
                            //   is prepared
    double     *y0;         // free motion, whitened                    (dof)
    double     *e;          // n, 1, 2 of every item                    (3 item_count)
    double     *b;          // C' y0 + e                                (3 item_count)
    int         redundant_rows;
    TactJoined *joined; // motors that items stand for, one item's after the other   (rows)
    int         joined_count;
    int        *tied;          // scratch of the joining                              (dof + items)
    bool        columns_built; // false: only items, e and b
    bool        has_moments;   // some items are moments: of a linked system (disc/link.h)
    uint64_t    built;         // so many times: C is the same while it is

    TactWhitener        whitener;  // from v to y and back
    TactBilateral       bilateral; // rows projected out
    struct TactItemKey *keys;      // scratch of the grouping
    int                *places;    // the same, of bodies                           (bodies + 2)
    double             *beside;    // M: three columns side by side and one empty, twice (8 dof)
    double             *scratch;   // (several vectors of raw degrees of freedom)
    TactContactCapacity capacity;
} TactSystem;

/// Lends the arrays for the largest problem; runs twice (base/memory.h).
void tact_system_layout(TactSystem *system, const TactContactCapacity *capacity, TactArena *arena);

/// Builds the system of a checked problem. Allocates nothing. Without columns (a problem given by
/// W, whose method reads W) there are only items, e and b.
TactStatus tact_system_build(TactSystem *system, const TactContactProblem *problem,
                             bool without_columns);

/// Makes one item of motors, and of limits, that bilateral rows let move only together. For those
/// who solve: sharing and diagnosis look at every row.
void tact_system_join(TactSystem *system, const TactContactProblem *problem);

/// The system of the problem that was built and joined last, with other velocities, forces, targets
/// and biases alone: C stays. false: it has to be built, as rows that moved together no longer do.
bool tact_system_renew(TactSystem *system, const TactContactProblem *problem);

/// Copies C into the order of a sweep, for those who need it.
void tact_system_prepare_sweep(TactSystem *system);

/// Where the groups stand in the order of the sweep, from their counts.
void tact_system_place_groups(TactSystem *system);

/// u = C' y for all items; y has dof entries. Component-major: u_n of all items, then u_1, u_2. The
/// sweep must be prepared.
///                                                                          u: (3 x stride)
void tact_system_sweep(const TactSystem *system, const double *y, double *u);

/// y += C_i (p_n, p_1, p_2) of one item.
void tact_system_push(const TactSystem *system, int item, const double p[3], double *y);

/// (C_i)' y of one item.
void tact_system_pull(const TactSystem *system, int item, const double *y, double u[3]);

/// y = y0 + C p and, if u is not NULL, u = C' y + e + compliance p.         p, u: (3 item_count)
void tact_system_move(const TactSystem *system, const double *p, double *y, double *u);

/// The 3 x 3 block C_i' C_j of the Delassus matrix.
void tact_system_block(const TactSystem *system, int i, int j, double block[3][3]);

/// The answer of the problem from the impulses of the items: contacts, rows (bilateral ones
/// recovered), v+ and u.                                                    p: (3 item_count)
void tact_system_answer(const TactSystem *system, const TactContactProblem *problem,
                        const double *p, const TactContactAnswer *answer);

#endif
