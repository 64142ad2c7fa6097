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
#ifndef TACT_CONTACT_KERNEL_H
#define TACT_CONTACT_KERNEL_H

#include "contact/system.h"

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

/// Values of every row, from which those of nu, sigma and gamma are combined; over the items.
typedef struct TactRowValues {
    double *n;      // normal velocities, scaled; t1 and t2 follow, a stride apart (3 x stride)
    double *t1;     //
    double *t2;     //
    double *lambda; // 0 where non-basic                                           (stride)
    double *gamma;  // mu theta + bound - sum phi                                  (stride)
} TactRowValues;

typedef struct TactKernel TactKernel;

struct TactKernel {
    const TactSystem *system;
    bool              has_compliance;
    int               k; // size of the basic block
    int               max_k;
    size_t            ld;
    double            q_scale; // largest |scale_i b_i|: impulses are in units of it
    double           *scale;   // of the items                                  (stride)
    double           *offset;  // scale b / q_scale, component-major            (3 x stride)

    // Friction. A contact has it from the start (structural) or once it is active (reduced).
    unsigned char *friction;      // the item has its phi, lambda, sigma, gamma (items)
    double        *mu;            // (items)
    double        *bound;         // of a motor, scaled                         (items)
    double        *turn;          // angle of direction 0                       (items)
    double        *cosine;        // of the directions, 0 beyond them           (items x 64)
    double        *sine;          //                                            (items x 64)
    double        *damping;       // c_i of the damper, 0: none; scaled         (items)
    int           *with_friction; // items that have friction                   (items)
    int            friction_count;

    // Covering vector: c of nu, sigma (all directions), gamma, plus what a start from a basis adds.
    double       *cover_nu;    // (stride)
    double       *cover_sigma; // (items x 64)
    double       *cover_gamma; // (items)
    TactRowValues cover;

    // Basis
    TactVar *col;         // basic unknowns by place                             (max_k)
    TactVar *row;         // non-basic rows by place                             (max_k)
    int     *place[8];    // of a variable of each kind; PHI, SIGMA: item * 64 + direction; -1
    double  *nu_basic;    // 1 where nu is basic, 0 where not (or where there is none) (stride)
    double  *sigma_basic; // the same, 0 beyond the directions                    (items x 64)
    int      z0_place;    // -1: non-basic
    double  *inverse;     // K^-1 transposed: [place in row][place in col]       (max_k x ld)
    double  *block;       // scratch                                             (max_k x ld)
    int     *permutation; // scratch                                             (max_k)
    double  *col_motion;  // whitened motion of a unit of each basic unknown     (max_k x motion_ld)
    double  *row_motion;  // the same for the rows                               (max_k x motion_ld)
    size_t   motion_ld;

    // Values and their rates along the driving variable
    double       *z;  // basic unknowns by place                                 (max_k)
    double       *dz; //                                                         (max_k)
    TactRowValues value;
    TactRowValues rate;
    double       *y;          // scratch motion                                      (dof)
    double       *gather;     // scratch by place                                    (max_k)
    double       *change;     // scratch by place                                    (max_k)
    TactVar      *warm;       // scratch: a basis to start from                      (basis)
    double       *flat_value; // scratch of the ratio test
    double       *flat_rate;  //

    struct TactElimination *elimination; // structural: solves instead of the inverse; NULL: reduced

    int pivots;
    int refactors;
};

/// Most unknowns that can be basic at once.
int tact_kernel_max_basic(const TactContactCapacity *capacity);

void tact_kernel_layout(TactKernel *kernel, const TactContactCapacity *capacity, TactArena *arena);

/// Takes a system: scales it, forgets basis, friction, turns and dampers.
void tact_kernel_load(TactKernel *kernel, const TactSystem *system);

/// Gives item i its friction: directions from its turn, c_sigma large enough for sigma >= 0.
void tact_kernel_add_friction(TactKernel *kernel, int i);

/// Turns an item's pyramid and sets its damper (0: none). Its basis must be set anew afterwards.
void tact_kernel_turn(TactKernel *kernel, int i, double turn, double damping);

/// Makes the listed unknowns basic (dampers are added), each against its own row, and computes all
/// values. The items of phi and lambda must have friction. false: K is singular or too large.
bool tact_kernel_set_basis(TactKernel *kernel, const TactVar *basic, int count);

/// Lowest value of what may not be negative, z0 not counted.
double tact_kernel_lowest(TactKernel *kernel);

/// Lemke's path from the present basis until z0 leaves. lazily: friction is added to a contact
/// when its theta becomes the driving variable [Lloyd04, 5.3]. random: new covering vector.
typedef struct TactKernelPath {
    bool       lazily;
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
