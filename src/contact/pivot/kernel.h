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

/// Rows are kept in one flat list, values and rates alike: nu of all items, then the friction rows
/// of each active item: its sigma, gamma and damper row, whole vectors. An item is active when it
/// has friction; active items are numbered in the order in which they got it. A non-basic row has
/// value and rate 0 but for rounding, and so never blocks; neither does what fills up vectors,
/// which is 0.
typedef struct TactKernelRows {
    int nu;         // 0
    int friction;   // where the friction rows start
    int per_active; // so many for each: directions + 4
} TactKernelRows;

/// What K x = f is solved by. A basis that is only set and solved for does without an inverse.
typedef enum TactKernelFactor {
    TACT_KERNEL_NO_FACTOR,
    TACT_KERNEL_SINGULAR,
    TACT_KERNEL_PRINCIPAL, // LU of what is left after elimination (kernel_principal.c)
    TACT_KERNEL_LU,        // LU of K transposed
    TACT_KERNEL_INVERSE,
} TactKernelFactor;

/// What a sweep needs of an active item.
typedef struct TactKernelActive {
    int item;
    int directions; // of its pyramid
    int from;       // where its motion starts in `twice`, -1: nowhere
    int vectors;    // of its tangents
} TactKernelActive;

typedef struct TactKernel TactKernel;

struct TactKernel {
    const TactSystem *system;
    double            q_scale;    // largest |scale_i b_i|: impulses are in units of it
    int               directions; // most that an item has, rounded up to whole vectors
    bool              has_compliance;

    // Degrees of freedom that no item touches are left out.
    int  dof;
    int  max_dof;
    bool too_large; // more than max_dof: no basis can be set
    int *support;   // as system->support, in the numbering of those that are touched
    int *own_support;
    int *dof_number; // of a degree of freedom of the system                     (dof)
    int *group_from; // first of a group's support, -1: not one after the other  (groups)
    int *group_runs; // of a group: where its runs start in the next two         (groups + 1)
    int *run_first;  // dofs one after the other in a support: the first,
    int *run_end;    //   and the one after the last

    // Items
    double *scale;   // (stride)
    double *offset;  // scale b / q_scale, component-major                       (3 x stride)
    double *mu;      // (items)
    double *bound;   // of a motor, scaled                                       (items)
    double *turn;    // angle of direction 0                                     (items)
    double *damping; // c_i of the damper, 0: none; scaled                       (items)
    int    *active;  // of an item, -1: it has no friction                       (items)
    double *normals; // scaled normals in the order of the sweep: [group][dof][stride]

    // Active items
    int               active_count;
    int              *active_item; // (items)
    TactKernelActive *actives;     // (items)
    double           *cosine; // of the directions, 0 beyond them                       (items x 64)
    double           *sine;   //                                                        (items x 64)
    int               base_count; // directions of a pyramid that is not turned, kept between solves
    double           *base_cosine; // (64)
    double           *base_sine;   // (64)
    double *tangents; // scaled motions of tangents 1, 2 over the support, in pairs (items x 2 ld)
    size_t  tangent_ld;
    double *t_value; // tangential velocities 1 and 2 of the active items               (2 x items)
    double *gamma;   // sums of gamma; four more for unknowns that change none   (items + 4)

    // Rows
    TactKernelRows at;
    double        *value;  // (rows)
    double        *rate;   // (rows)
    double        *direct; // covering vector but for what its motion gives      (rows)

    // Basis
    int      k; // size of the basic block
    int      max_k;
    size_t   ld;        // of everything by position
    TactVar *col;       // basic unknowns by position                             (max_k)
    TactVar *row;       // non-basic rows by position                             (max_k)
    int     *row_at;    // where a non-basic row stands in the flat list       (max_k)
    int    *col_active; // the active item whose gamma an unknown changes, or one beyond all (max_k)
    double *col_gamma;  // and by how much: mu of theta, -1 of phi, 0          (max_k)
    double *col_blocks; // 1; 0 for z0 and dampers, which may have any sign    (max_k)
    int    *position[8]; // of a variable of each kind; PHI, SIGMA: item * 64 + direction; -1
    int     z0_position; // -1: non-basic
    double *inverse;     // K^-1 transposed: [position in row][position in col]       (max_k x ld)
    double *block;       // a factor of K                                       (max_k x ld)
    int    *permutation; // of that                                             (max_k)
    double *col_rows;    // whitened motions of the basic unknowns: [position][dof] (max_k x dof_ld)
    size_t  dof_ld;      // of that
    bool    has_tables;  // the next two are kept up
    double *col_motion;  // as col_rows, [dof][position]                           (dof x ld)
    double *row_motion;  // the same for the rows                               (dof x ld)

    TactKernelFactor factor; // what K x = f is solved by
    int *x_position;         // principal: position of phi_x of an active item, -1: none     (items)
    int *reduced;            // principal: positions of the unknowns that are left, -1: none
                             //                                               (max_k + 4)
    int reduced_count;       //
    int even_count;          // principal: so many of them have a symmetric block

    // Values and rates
    double *z;       // basic unknowns by position                                  (max_k)
    double *dz;      //                                                          (max_k)
    double *y;       // motion of the present values                             (dof)
    double *dy;      // motion along the driving variable                        (dof)
    double *cover_y; // motion of the covering vector                            (dof)
    double *twice;   // a motion, every entry twice                              (2 dof)
    double  size;    // max(1, |dz_c|): what errors of the column are relative to

    double  *motion;   // scratch                                                  (dof)
    double  *gather;   // scratch by position                                         (max_k)
    double  *change;   // scratch by position                                         (max_k)
    double  *solution; // scratch by position                                       (max_k)
    TactVar *warm;     // scratch: a basis to start from                           (basis)
    TactVar *best;     // scratch: the best basis so far                           (basis)

    TactCompact *compact; // the path of one body

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

/// Gives item i its friction: directions from its turn, c_sigma large enough for sigma >= 0.
void tact_kernel_add_friction(TactKernel *kernel, int i);

/// Turns an item's pyramid and sets its damper (0: none). Its basis must be set anew afterwards.
void tact_kernel_turn(TactKernel *kernel, int i, double turn, double damping);

/// Makes the listed unknowns basic (dampers are added), each against its own row, and computes all
/// values. The items of phi and lambda must have friction. false: K is singular or too large, or
/// the system is.
bool tact_kernel_set_basis(TactKernel *kernel, const TactVar *basic, int count);

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

#endif
