// The LCP of the DART notes [DART, eq. 15] from a contact problem in generalized coordinates, as
// they print it and with what they do for its conditioning; from the public interface alone.
#ifndef TACT_BENCH_PROBLEMS_STANDARD_FORM_H
#define TACT_BENCH_PROBLEMS_STANDARD_FORM_H

#include <stdbool.h>
#include <tact/contact.h>

typedef enum TactStandardForm {
    TACT_FORM_PRINTED, // (15): unknowns are forces, A carries dt
    TACT_FORM_SCALED,  // E and mu times dt [DART, 5]
    TACT_FORM_IMPULSE, // unknowns are impulses, A <- D A D with a diagonal of ones (erratum D2)
    TACT_FORM_SOFT,    // the same with cfm on normal and friction rows before (erratum D1)
    TACT_FORMS
} TactStandardForm;

const char *tact_form_name(TactStandardForm form);

/// w = A z + q, unknowns f_n, f_d, lambda in this order. Normals are contacts, then unilateral
/// rows.
typedef struct TactFormLcp {
    const TactContactProblem *problem;
    int                       contacts, normals, directions, n;
    double                   *W;    // C' M^-1 C of normals and directions     (n x n, used part)
    double                   *C;    // their columns, one after another        (n x nv)
    double                   *X;    // M^-1 C                                  (n x nv)
    double                   *A;    //                                         (n x n)
    double                   *q;    //                                         (n)
    double                   *unit; // impulse of an unknown: unit z           (n)
    double                   *free; // velocities without contact              (nv)
    double                   *L;    // M = L L'                                (nv x nv)
} TactFormLcp;

/// Has the problem M, contacts, and no rows but unilateral ones?
bool tact_form_takes(const TactContactProblem *problem);

/// All but A, q and unit. TACT_NO_MEMORY; destroy in any event.
TactStatus tact_form_create(const TactContactProblem *problem, TactFormLcp *lcp);
void       tact_form_destroy(TactFormLcp *lcp);

/// A, q and unit of one form. softness: of the mean diagonal, in the form that has it.
void tact_form_write(TactFormLcp *lcp, TactStandardForm form, double softness);

/// Velocities after the step, and impulses as contact.h has them.
///   z (n)    velocity (nv)    impulse (3 contacts)    row_impulse (rows)
void tact_form_read(const TactFormLcp *lcp, const double *z, double *velocity, double *impulse,
                    double *row_impulse);

/// Of a matrix, by one-sided Jacobi rotations, which overwrite it.                      (n x n)
typedef struct TactFormCondition {
    int    rank;  // singular values above 1e-13 of the largest
    double value; // the largest of them over the smallest
} TactFormCondition;
TactFormCondition tact_form_condition(double *A, int n);

#endif
