// The pivoting kernel of `reduced` and the circle: Lemke's almost complementary path on the contact
// LCP of Lloyd (8) without ever forming its matrix.
//
// Unknowns [Lloyd04, 2]: normal impulses theta_i, friction impulses phi_ij >= 0 along direction j,
// and lambda_i, with complements nu_i (normal velocity), sigma_ij = d_ij' v + lambda_i and
// gamma_i = mu_i theta_i + bound_i - sum_j phi_ij:
//
//     nu = N'v + c z0 ,  sigma = D'v + E lambda + c z0 ,  gamma = mu theta - E'phi + c z0
//
// A column of the LCP is a motion: push it into whitened coordinates y, sweep y over all items,
// and every row of that column is a combination of three numbers a contact. So a pivot costs
// O(k^2) for the inverse of the basic block K, k the basic unknowns, and one sweep; nothing
// depends on the number of directions but the ratio test of contacts that have friction.
//
// A contact that resists spinning or rolling has items after it, its moments, with phi, lambda,
// sigma and gamma of their own, and gamma = mu theta - sum phi with the theta of the contact.
//
// A damper is a free unknown delta_i, always basic, along one tangent direction, with the row
// tau_i' v + delta_i / c_i = 0: the viscous term of Newton turning (theory/newton-turning.md).
#ifndef TACT_CONTACT_PIVOT_KERNEL_H
#define TACT_CONTACT_PIVOT_KERNEL_H

#include "contact/compact/compact.h"
#include "contact/system/system.h"

/// A variable is one integer: kind, direction, item.
typedef int TactVar;

enum {
    TACT_VAR_THETA = 0,
    TACT_VAR_PHI = 1,
    TACT_VAR_LAMBDA = 2,
    TACT_VAR_DAMPER = 3,
    TACT_VAR_NU = 4,
    TACT_VAR_SIGMA = 5,
    TACT_VAR_GAMMA = 6,
    TACT_VAR_DAMPER_ROW = 7,
    TACT_VAR_Z0 = -1,
    TACT_VAR_NONE = -2,
    TACT_MAX_DIRECTIONS = 64,
};

static inline TactVar tact_var(int kind, int item, int direction)
{
    return kind | direction << 3 | item << 9;
}
static inline int tact_var_kind(TactVar variable)
{
    return variable & 7;
}
static inline int tact_var_direction(TactVar variable)
{
    return variable >> 3 & 63;
}
static inline int tact_var_item(TactVar variable)
{
    return variable >> 9;
}
static inline TactVar tact_var_complement(TactVar variable)
{
    return variable ^ 4;
}

/// Degrees of freedom. Those that no item touches are left out, and the others numbered anew.
typedef struct TactKernelSpace {
    int    dof;
    int    max_dof;
    bool   too_large; // more than max_dof: no basis can be set
    size_t ld;        // of motions: dof, in whole vectors
    int   *support;   // as system->support, in the new numbering: own_support, or the system's
    int   *own_support;
    int   *number;     // of a degree of freedom of the system                     (dof)
    int   *group_from; // first of a group's support, -1: not one after the other  (groups)
    int   *group_runs; // where the runs of a group start in the next two          (groups + 1)
    int   *run_first;  // dofs one after the other in a support: the first,
    int   *run_end;    //   and the one after the last
} TactKernelSpace;

/// All items, scaled: the data of the problem.
typedef struct TactKernelItems {
    double  q_scale; // largest |scale_i b_i|: impulses are in units of it
    double  share;   // of q_scale: what impulses have to do with; ties are parts of it
    double *scale;   // (stride)
    double *offset;  // scale b / q_scale, component-major                         (3 x stride)
    double *mu;      // of a moment over the scaled load of its owner               (items)
    double *bound;   // of a motor, scaled                                         (items)
    double *turn;    // angle of direction 0                                       (items)
    double *damping; // c_i of the damper, 0: none; scaled                         (items)
    int    *active;  // number of the active item, -1: it has no friction          (items)
    double *normals; // scaled normals in the order of the sweep: [group][dof][stride]
    bool    has_compliance;
    bool    has_moments; // some gamma are those of the thetas of other items
    bool    has_motors;
} TactKernelItems;

/// What a sweep needs of an active item.
typedef struct TactKernelActive {
    int item;
    int directions; // of its pyramid
    int from;       // where its motion starts in `twice`, -1: nowhere
    int vectors;    // of its tangents
} TactKernelActive;

/// Active items: those that have friction, in the order in which they got it.
typedef struct TactKernelFriction {
    int               count;
    int              *item;    // (items)
    TactKernelActive *actives; // (items)

    // Directions of the pyramids
    int     directions;  // most that an item has, rounded up to whole vectors
    double *cosine;      // by item, 0 beyond its directions                        (items x 64)
    double *sine;        //                                                         (items x 64)
    int     base_count;  // directions of a pyramid that is not turned, kept between solves
    double *base_cosine; // (64)
    double *base_sine;   // (64)

    // Tangents
    double *tangents; // scaled motions of tangents 1, 2 over the support, in pairs (items x 2 ld)
    size_t  tangent_ld;
    double *t_value; // tangential velocities 1 and 2                              (2 x items)
    double *gamma;   // sums of gamma; four more for unknowns that change none     (items + 4)
} TactKernelFriction;

/// Rows are kept in one flat list, values and rates alike: nu of all items, then the friction rows
/// of each active item: its sigma, gamma and damper row, whole vectors. A non-basic row has value
/// and rate 0 but for rounding, and so never blocks; neither do the zeros that fill up vectors.
typedef struct TactKernelRows {
    int     nu;         // where the rows nu start: 0
    int     friction;   // where the friction rows start
    int     per_active; // so many for each: directions + 4
    double *value;      // (rows)
    double *rate;       // along the driving variable                              (rows)
    double *direct;     // covering vector without the part of its motion          (rows)
} TactKernelRows;

/// Basic unknowns and non-basic rows, by position.
typedef struct TactKernelBasis {
    int      k; // size of the basic block
    int      max_k;
    size_t   ld;          // of everything by position
    TactVar *col;         // basic unknowns                                         (max_k)
    TactVar *row;         // non-basic rows                                         (max_k)
    int     *row_at;      // where a non-basic row stands in the flat list          (max_k)
    int     *col_active;  // active item whose gamma an unknown changes, or one beyond all  (max_k)
    double  *col_gamma;   // and by how much: mu of theta, -1 of phi, 0             (max_k)
    double  *col_blocks;  // 1; 0 for z0 and dampers, which may have any sign       (max_k)
    int     *position[8]; // of a variable of each kind; PHI, SIGMA: item * 64 + direction; -1: none
    int      z0_position; // -1: non-basic
    double  *z;           // values of the basic unknowns                              (max_k)
    double  *dz;          // their rates along the driving variable                    (max_k)
    double   size;        // max(1, |dz_c|): what errors of the column are relative to
} TactKernelBasis;

/// Whitened motions, over the degrees of freedom.
typedef struct TactKernelMotions {
    double   *col_rows;  // of the basic unknowns: [position][dof]                  (max_k x ld)
    TactVar  *made;      // whose motion stands there,                              (max_k)
    uint64_t *made_at;   //   since when: before the system was loaded or its item turned: no
                         //   longer                                                (max_k)
    uint64_t *turned_at; // by item                                                (items)
    uint64_t  loaded_at;
    uint64_t  now;        // counts what changes motions
    bool      has_tables; // the next two are kept up
    double   *col_motion; // the same, [dof][position]                               (dof x ld)
    double   *row_motion; // of the non-basic rows                                   (dof x ld)
    double   *y;          // of the present values                                   (dof)
    double   *dy;         // along the driving variable                              (dof)
    double   *cover_y;    // of the covering vector                                  (dof)
    double   *twice;      // a motion, every entry twice                             (2 dof)
} TactKernelMotions;

/// What K x = f is solved by. A basis that is only set and solved for does without an inverse.
typedef enum TactKernelFactorKind {
    TACT_KERNEL_NO_FACTOR,
    TACT_KERNEL_SINGULAR,
    TACT_KERNEL_PRINCIPAL, // LU of what is left after elimination (kernel_principal.c)
    TACT_KERNEL_LU,        // LU of K transposed
    TACT_KERNEL_INVERSE,
} TactKernelFactorKind;

typedef struct TactKernelFactor {
    TactKernelFactorKind kind;
    double           *inverse; // K^-1 transposed: [position in row][position in col]  (max_k x ld)
    double           *block;   // a factor of K                                        (max_k x ld)
    int              *permutation; // of that                                              (max_k)
    const TactSystem *products_of; // whose products stand in inverse (steady_systems.c), and of
    uint64_t          products_at; //   which C (system->built); NULL: those of none
    int *x_position;    // principal: position of phi_x of an active item, -1: none  (items)
    int *reduced;       // principal: positions of the unknowns that are left, -1: none
                        //                                                      (max_k + 4)
    int  reduced_count; //
    int  even_count;    // principal: so many of them have a symmetric block
    int *dependent;     // singular: positions of unknowns that depend on those before them (max_k)
    int  dependent_count; // 0: not known
    double
        soft; // added to the diagonal of the symmetric block, of its largest (kernel_principal.c)
} TactKernelFactor;

/// Contents last until a function returns.
typedef struct TactKernelScratch {
    double  *motion;   // (dof)
    double  *gather;   // by position                                              (max_k)
    double  *change;   // by position                                              (max_k)
    double  *solution; // by position                                              (max_k)
    TactVar *warm;     // a basis to start from                                    (basis)
    TactVar *best;     // the best basis so far                                    (basis)
} TactKernelScratch;

typedef struct TactKernel TactKernel;

struct TactKernel {
    const TactSystem  *system;
    TactKernelSpace    space;
    TactKernelItems    items;
    TactKernelFriction friction;
    TactKernelRows     rows;
    TactKernelBasis    basis;
    TactKernelMotions  motions;
    TactKernelFactor   factor;
    TactKernelScratch  scratch;

    TactCompact            *compact;     // the path of one body
    struct TactElimination *elimination; // structural: solves instead of the inverse; NULL: reduced

    int pivots;
    int refactors;
};

/// Most unknowns that can be basic at once, and most degrees of freedom that items may touch.
int tact_kernel_max_basic(const TactContactCapacity *capacity);
int tact_kernel_max_dof(const TactContactCapacity *capacity);

void tact_kernel_layout(TactKernel *kernel, const TactContactCapacity *capacity, TactArena *arena);

/// Scales a system: scale, offset, q_scale and normals, all that `compact` needs.
void tact_kernel_scale(TactKernel *kernel, const TactSystem *system);

/// Takes a system: scales it, forgets basis, friction, turns and dampers.
void tact_kernel_load(TactKernel *kernel, const TactSystem *system);

/// Gives item i and its moments their friction: directions from the turn, c_sigma large enough for
/// sigma >= 0.
void tact_kernel_add_friction(TactKernel *kernel, int i);

/// Turns an item's pyramid and sets its damper (0: none). Its basis must be set anew afterwards.
void tact_kernel_turn(TactKernel *kernel, int i, double turn, double damping);

/// Makes the listed unknowns basic (dampers are added), each against its own row, and computes all
/// values. The items of phi and lambda must have friction. false: K is singular or too large, or
/// the system is.
bool tact_kernel_set_basis(TactKernel *kernel, const TactVar *basic, int count);

/// The same of unknowns that may depend on each other, and of the values next to the impulses p
/// that solve for it (kernel_principal.c). The factor is of no other use. false: none.      p: (3
/// items)
bool tact_kernel_set_softly(TactKernel *kernel, const TactVar *basic, int count, const double *p);

/// Lowest value of what may not be negative, z0 not counted.
double tact_kernel_lowest(const TactKernel *kernel);

/// How far the values are from an answer: what is below 0, non-basic rows that are not 0, and z0
/// with what it covers.
double tact_kernel_error(const TactKernel *kernel);

/// Lemke's path from the present basis until z0 leaves. lazily: friction is added to a contact
/// when its theta becomes the driving variable [Lloyd04, 5.3].
typedef struct TactKernelPath {
    bool       lazily;
    bool       spread; // c_nu of one body, tact_compact_cover(); otherwise it is random
    int        max_pivots;
    double     tie; // values that a step brings this close to 0 are ties
    TactRandom random;
} TactKernelPath;

TactContactOutcome tact_kernel_follow(TactKernel *kernel, TactKernelPath *path);

/// Impulses of the items from the basis, unscaled; dampers along their tangents included if asked.
void tact_kernel_impulses(const TactKernel *kernel, bool with_dampers, double *p);

/// Refines the values against the system once or twice.
void tact_kernel_refine(TactKernel *kernel);

/// Lists the basic unknowns, dampers and z0 not. Returns how many.
int tact_kernel_basis(const TactKernel *kernel, TactVar *basic);

// ---------------------------------------------------------------------------------------------
// Directions of friction pyramids (kernel_load.c)

/// cos and sin of 2 pi j / d for j < d, exact at the axes and symmetric on the diagonals.
void tact_directions_base(int d, double *c, double *s);

/// Turns d directions by an angle.
void tact_directions_turn(int d, double turn, double *c, double *s);

#endif
