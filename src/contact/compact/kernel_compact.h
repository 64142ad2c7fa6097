// Lemke's path of `reduced` where all contacts touch the same six degrees of freedom: one body, as
// in most problems there are. It is the path of kernel.h, from the empty basis and with friction on
// demand, in arrays of fixed size and whole vectors of eight:
//
//     rows       nu of all contacts, gamma and sigma of the active ones: one flat list
//     unknowns   theta, lambda and phi, numbered as the rows that they are complements of
//     positions  basic unknowns and non-basic rows; z0 is at position 0 until it leaves
//
// The column of z0 has no motion: it adds c_nu, c_sigma, c_gamma to the rows. A driving unknown is
// counted as if it were basic at position k, in the amount 1.
//
// What does not fit, does not end, or is not accurate is left to the kernel.
#ifndef TACT_CONTACT_COMPACT_KERNEL_COMPACT_H
#define TACT_CONTACT_COMPACT_KERNEL_COMPACT_H

#include "base/memory.h"
#include "contact/system/system.h"

enum {
    TACT_COMPACT_DOF = 6,
    TACT_COMPACT_ACTIVE = 24,
    TACT_COMPACT_POSITIONS = 48,
    TACT_COMPACT_ROWS = 4096,                      // most positions and rows
    TACT_COMPACT_NONE = TACT_COMPACT_POSITIONS,    // a position that always has the amount 0
    TACT_COMPACT_EFFECT = 8 + TACT_COMPACT_ACTIVE, // motion and gammas of a basic unknown
    TACT_KEPT_CONTACTS = 8,                        // contacts of a basis that is given
    TACT_KEPT_PHI = 4,                             // and basic phi of each
};

/// A variable is where its row stands in the flat list, doubled; + 1 for the row itself.
typedef int TactCompactVar;

/// A basis that is given, by the contacts that have something in it.
typedef struct TactKept {
    int    actives;
    int    item[TACT_KEPT_CONTACTS];
    bool   has_theta[TACT_KEPT_CONTACTS];
    bool   has_lambda[TACT_KEPT_CONTACTS];
    int    phi_count[TACT_KEPT_CONTACTS];
    int    direction[TACT_KEPT_CONTACTS][TACT_KEPT_PHI]; // of the basic phi
    double theta[TACT_KEPT_CONTACTS];
    double phi[TACT_KEPT_CONTACTS][TACT_KEPT_PHI];
} TactKept;

/// The flat list of rows: nu of all contacts, gamma and sigma of the active ones.
typedef struct TactCompactRows {
    int     gamma;    // where the gammas start: the contacts, in whole vectors
    int     sigma;    // where the sigmas start: TACT_COMPACT_ACTIVE further
    int     shift;    // an active contact has 2^shift of them
    double *value;    // (rows)
    double *rate;     // along the driving variable                          (rows)
    double *nonbasic; // 1: the row is non-basic                             (rows)
    int    *position; // of a non-basic row                                  (rows)
} TactCompactRows;

/// All contacts: what the kernel has of them, in the order of a sweep.
typedef struct TactCompactContacts {
    const double *normals; // [dof][gamma]
    const double *offset;  // of the normals; of tangents 1, 2 further on    (3 x offset_stride)
    size_t        offset_stride;
    const double *scale;
    const double *columns; // of the system: n, 1, 2 of every contact        (3 x dof each)
    int          *active;  // its number among those, -1: no friction        (contacts)
    double       *cover;   // c_nu, 0 beyond the contacts                    (contacts)
    int           covered; // contacts of cover
} TactCompactContacts;

/// Active contacts: those with friction, in the order in which they got it.
typedef struct TactCompactFriction {
    int count;
    int item[TACT_COMPACT_ACTIVE];
    int lambda[TACT_COMPACT_ACTIVE]; // position of lambda
    _Alignas(64) double c_sigma[TACT_COMPACT_ACTIVE];
    _Alignas(64) double mu[TACT_COMPACT_ACTIVE];
    _Alignas(64) double tangent[TACT_COMPACT_ACTIVE][2][8];                 // motions of one
    _Alignas(64) double tangents[2][TACT_COMPACT_DOF][TACT_COMPACT_ACTIVE]; // the same, of all
    _Alignas(64) double tangent_offset[2][TACT_COMPACT_ACTIVE];
    double *cosine, *sine; // of the directions, 0 beyond them               (active << shift)
    double *used;          // 1, 0 beyond them                               (active << shift)
    int     base_count;    // directions of a pyramid that is not turned, kept between solves
    double *base;          // their cosines, then their sines                (2 x 64)
} TactCompactFriction;

/// Basic unknowns (col) and non-basic rows (row), by position. The number of an active contact is
/// -1 where a variable has none. Those that are compared in vectors are doubles.
typedef struct TactCompactBasis {
    int            k; // size
    TactCompactVar col[TACT_COMPACT_POSITIONS];
    TactCompactVar row[TACT_COMPACT_POSITIONS];
    _Alignas(64) double z[TACT_COMPACT_POSITIONS];      // values of the unknowns
    _Alignas(64) double dz[TACT_COMPACT_POSITIONS + 8]; // rates, 1 of a driving unknown at k
    _Alignas(64) double x[TACT_COMPACT_POSITIONS];      // rates without it
    _Alignas(
        64) double blocks[TACT_COMPACT_POSITIONS]; // 0 for z0, which may leave only as the last
    _Alignas(64) double ones[TACT_COMPACT_POSITIONS];
    _Alignas(64) double col_gamma[TACT_COMPACT_POSITIONS];     // what an unknown adds to gamma
    _Alignas(64) double col_gamma_of[TACT_COMPACT_POSITIONS];  //   of this contact
    _Alignas(64) double col_lambda_of[TACT_COMPACT_POSITIONS]; // contact of a lambda
    _Alignas(64) double row_gamma_of[TACT_COMPACT_POSITIONS];  // contact of a gamma
    _Alignas(64) double row_sigma_of[TACT_COMPACT_POSITIONS];  // contact of a sigma

    // Motion and gammas of every unknown; the motions once more by degree of freedom, and those of
    // the rows.
    _Alignas(64) double effects[TACT_COMPACT_POSITIONS][TACT_COMPACT_EFFECT];
    _Alignas(64) double col_motion[TACT_COMPACT_DOF][TACT_COMPACT_POSITIONS];
    _Alignas(64) double row_motion[TACT_COMPACT_DOF][TACT_COMPACT_POSITIONS];

    // K^-1 transposed, 0 beyond k.
    _Alignas(64) double inverse[TACT_COMPACT_POSITIONS][TACT_COMPACT_POSITIONS];

    _Alignas(64) double y[TACT_COMPACT_EFFECT];  // motion and gammas of the values
    _Alignas(64) double dy[TACT_COMPACT_EFFECT]; // and of the rates
} TactCompactBasis;

/// Contents last until a function returns.
typedef struct TactCompactScratch {
    _Alignas(64) double entries[TACT_COMPACT_POSITIONS];
    _Alignas(64) double change[TACT_COMPACT_POSITIONS];
} TactCompactScratch;

typedef struct TactCompact {
    const TactSystem   *system;
    int                 lanes; // 8, or 4
    int                 pivots;
    TactCompactRows     rows;
    TactCompactContacts contacts;
    TactCompactFriction friction;
    TactCompactBasis    basis;
    TactCompactScratch  scratch;
    TactKept            kept;
} TactCompact;

void tact_compact_layout(TactCompact *compact, const TactContactCapacity *capacity,
                         TactArena *arena);

/// Do all contacts touch the same six degrees of freedom, and is there nothing but contacts, rigid
/// ones?
bool tact_compact_takes(const TactSystem *system);

/// c_nu of a contact of one body.
double tact_compact_cover(int item);

/// What the kernel has of a system that is scaled.
typedef struct TactCompactInput {
    const double *normals, *offset, *scale;
    size_t        offset_stride;
    double        tie;
    double        accurate; // largest error of the values
    int           max_pivots;
} TactCompactInput;

/// Lemke's path from the empty basis. true: the values are right.
bool tact_compact_solve(TactCompact *compact, const TactSystem *system,
                        const TactCompactInput *input);

/// A basis that is given, each unknown against its own row: one factor, no pivot. true: its values
/// are right. false also if it does not fit.
bool tact_compact_keep(TactCompact *compact, const TactSystem *system,
                       const TactCompactInput *input, const int *basis, int count);

/// Impulses of the contacts by the basis that was kept, in a unit.                p: (3 items)
void tact_compact_kept_impulses(const TactCompact *compact, double unit, double *p);

/// The basic unknown at a position, as the kernel has it.
int tact_compact_unknown(const TactCompact *compact, int position);

/// Impulses of the contacts, in a unit.                                          p: (3 items)
void tact_compact_impulses(const TactCompact *compact, double unit, double *p);

/// One path for four lanes, one for eight (base/clones.h says where there are any); what they do is
/// the same, to the last bit.
bool tact_compact_follow4(TactCompact *compact, const TactCompactInput *input);
bool tact_compact_follow8(TactCompact *compact, const TactCompactInput *input);
bool tact_compact_keep4(TactCompact *compact, double accurate);
bool tact_compact_keep8(TactCompact *compact, double accurate);

#endif
