// One small problem in every storage of Siconos's files, as its writer prints them.
//
//     M = [ 4  -1  0 ]     q = [ -1  2  -3 ]
//         [ 2   5  3 ]
//         [ 0   8  6 ]
#ifndef TACT_TESTS_IO_SICONOS_SAMPLES_H
#define TACT_TESTS_IO_SICONOS_SAMPLES_H

static const double sample_M[9] = {4, -1, 0, 2, 5, 3, 0, 8, 6};
static const double sample_q[3] = {-1, 2, -3};

#define SAMPLE_Q                                                          \
    " -1.000000000000000000000000e+00   2.000000000000000000000000e+00  " \
    "-3.000000000000000000000000e+00 "
#define CSPARSE "CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"

static const char sample_dense[] = "3\n0\n3\n3\n3\t3\n4 2 0 \n-1 5 8 \n0 3 6 \n" SAMPLE_Q;

// Blocks of 2 and 1 rows; the block in the corner below left is [0 8], above right [0; 3].
static const char sample_block[] =
    "3\n1\n3\n3\n4\n2\n2\n2\t3\t\n2\t3\t\n3\n4\n0\t2\t4\t\n0\t1\t0\t1"
    "\t\n0\n4.0e+00\n2.0e+00\n-1.0e+00\n5.0e+00\n1\n0\n3\n2\n0\n8\n3"
    "\n6\n" SAMPLE_Q;

static const char sample_triplet[] =
    "3\n2\n3\n3\n1\n" CSPARSE "triplet: 3-by-3, nzmax: 9 nnz: 7\n"
    "    0 0 : 4\n    1 0 : 2\n    0 1 : -1\n    1 1 : 5\n    2 1 : 8\n    1 2 : 3\n    2 2 : 6"
    "\n" SAMPLE_Q;

static const char sample_csc[] =
    "3\n2\n3\n3\n2\n" CSPARSE "3-by-3, nzmax: 7 nnz: 7, 1-norm: 14\n"
    "    col 0 : locations 0 to 1\n      0 : 4\n      1 : 2\n"
    "    col 1 : locations 2 to 4\n      0 : -1\n      1 : 5\n      2 : 8\n"
    "    col 2 : locations 5 to 6\n      1 : 3\n      2 : 6\n" SAMPLE_Q;

// Older writers say "col" for the rows of a CSR matrix.
static const char sample_csr_col[] =
    "3\n2\n3\n3\n3\n" CSPARSE "3-by-3, nzmax: 7 nnz: 7, 1-norm: 14\n"
    "    col 0 : locations 0 to 1\n      0 : 4\n      1 : -1\n"
    "    col 1 : locations 2 to 4\n      0 : 2\n      1 : 5\n      2 : 3\n"
    "    col 2 : locations 5 to 6\n      1 : 8\n      2 : 6\n" SAMPLE_Q;

static const char sample_csr_row[] =
    "3\n2\n3\n3\n3\n" CSPARSE "csr: 3-by-3, nzmax: 7 nnz: 7, 1-norm: 14\n"
    "    row 0 : locations 0 to 1\n      0 : 4\n      1 : -1\n"
    "    row 1 : locations 2 to 4\n      0 : 2\n      1 : 5\n      2 : 3\n"
    "    row 2 : locations 5 to 6\n      1 : 8\n      2 : 6\n" SAMPLE_Q;

// A u + C v + a = 0,  0 <= v _|_ D u + B v + b >= 0 with one u, two v and
//
//     M = [ 1  2  3 ]     q = [ -7  8  -9 ]
//         [ 4  5  6 ]
//         [ 0  2  7 ]
static const double mixed_M[9] = {1, 2, 3, 4, 5, 6, 0, 2, 7};
static const double mixed_q[3] = {-7, 8, -9};

#define MIXED_1 "0 1 3 \n0 1 \n0\n3\n3\n3\t3\n1 4 0 \n2 5 2 \n3 6 7 \n-7 8 -9 \n"
#define MIXED_2 "1 \n5 6 \n2 7 \n2 3 \n4 \n0 \n-7 \n8 -9 "

static const char mixed_both[] = "1\n1\n1\n2\n" MIXED_1 MIXED_2;
static const char                                       mixed_first[] = "1\n0\n1\n2\n" MIXED_1;
static const char                                       mixed_second[] = "0\n1\n1\n2\n" MIXED_2;

// The same with the rows (and columns) in the order v_0, u, v_1.
static const char mixed_moved[] =
    "1\n0\n1\n2\n0 1 2 3 \n1 0 1 \n0\n3\n3\n3\t3\n5 2 2 \n4 1 0 \n6 3 7 \n8 -7 -9 \n";

#endif
