// The condition of a matrix, null space apart.
#ifndef TACT_BENCH_PROBLEMS_CONDITION_H
#define TACT_BENCH_PROBLEMS_CONDITION_H

/// Of a matrix, by one-sided Jacobi rotations, which overwrite it.                      (n x n)
typedef struct TactFormCondition {
    int    rank;  // singular values above 1e-13 of the largest
    double value; // the largest of them over the smallest
} TactFormCondition;
TactFormCondition tact_form_condition(double *A, int n);

#endif
