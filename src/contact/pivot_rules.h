// Rules and tolerances of Lemke's path in contact, side by side: for the general kernel (pivot/)
// and for that of one free body (compact/), which follow the same path [Lloyd04, 5.3, app. D].
// Values and rates are scaled to be of order 1. docs/theory/reduced.md
//
// The kernel of LCPs (lcp/pivot) knows another matrix and other scales; where it has the same rule
// its value is given here for comparison.
#ifndef TACT_CONTACT_PIVOT_RULES_H
#define TACT_CONTACT_PIVOT_RULES_H

// ---------------------------------------------------------------------------------------------
// The same in both

// Rates smaller than this, relative to the column, do not block.            (LCPs: a config, 1e-9)
static const double TACT_PIVOT_TOL = 1e-9;

// A value that a step brings this close to 0 ties with z0, and z0 leaves.             (LCPs: 1e-10)
static const double TACT_PIVOT_LEAVE_TIE = 1e-10;

// A basic value above this counts as not negative: the basis is an answer.           (LCPs: -1e-13,
// whose values are not scaled by a body)
static const double TACT_PIVOT_FEASIBLE = -1e-12;

// Drift of a column, relative to its size: refined above the first. Above the second the general
// kernel factors anew, that of one body gives up and leaves the problem to the general one.
//                                                                            (LCPs: 1e-13, 1e-12)
static const double TACT_PIVOT_DRIFT_REFINE = 1e-13;
static const double TACT_PIVOT_DRIFT_MOST = 1e-12;

// Values that are off by no more than this are not refined a second time.
static const double TACT_PIVOT_REFINED = 2e-15;

// The error of an answer is that of its values, over this part of the largest of them if that is
// more than 1: impulses may be large, and rounding is relative to them.
static const double TACT_PIVOT_ERROR_SHARE = 1e-4;

// c_gamma: friction that has no cone yet.
static const double TACT_PIVOT_COVER_GAMMA = 0.01;

// ---------------------------------------------------------------------------------------------
// Not the same
//
//                        general kernel             one body
//   c_nu                 random in 1 .. 2 (*)       golden section in 1 .. 6
//   c_sigma              100                        30
//   directions, c_sigma  times 1, 1.15, 1.25        times 1
//   singular pivot       1e-14 (principal: 1e-13)   1e-14
//
// (*) as one body, where it is one that did not fit there.
//
// c_sigma postpones friction until the normals are settled, and is compared with c_nu: each was
// chosen with the c_nu beside it. One value for both was tried on Lloyd's problems (8 directions;
// mean pivots; 400 of each size for reduced, 200 for structural and the circle):
//
//   general, one body                   100, 30    30, 30    50, 50    100, 100
//   reduced      peg, 4 .. 128 contacts   14.04     14.04     14.09       14.25
//                one body                  9.92      9.92      9.93        9.96
//                stacks of 1 .. 10        45.50     45.88     45.67       45.51
//                peg disturbed by 1e-8   110.7     107.6     112.7       112.9
//                  certified of 1200       993      1004      1003         992
//   structural   stacks                   55.70     56.30
//   circle       pegs                     15.68     15.35
//                stacks                   60.82     60.92
//
// All problems that are not disturbed are certified with each. 100 for both costs pegs 1.5 %, 30
// for both costs stacks 1 %; neither gains more than it loses, so each keeps the value that suits
// it.

static const double TACT_PIVOT_COVER_SIGMA = 100;
static const double TACT_PIVOT_COVER_SIGMA_BODY = 30;

// Directions at right angles come first, then those half way between them, then all others:
// friction settles roughly before it turns, and more directions take few pivots more.
static const double TACT_PIVOT_COVER_HALFWAY = 1.15;
static const double TACT_PIVOT_COVER_BETWEEN = 1.25;

// c_nu of one body is spread over 1 .. 6 by multiples of the golden section, which keep what stands
// next to each other far apart. Of contacts that would carry the same load one comes first: fewer
// of them are taken and given back than with c_nu that are close or random.
static const double TACT_PIVOT_GOLDEN = 0.6180339887498949;
static const double TACT_PIVOT_COVER_NU_BODY = 6;

// A pivot below this part of the largest makes a factor singular: of K, of what Lloyd's elimination
// leaves, of the six unknowns of one body.                                            (LCPs: 1e-14)
static const double TACT_PIVOT_SINGULAR = 1e-14;

// The same of a principal block, which is factored as a symmetric matrix with a border, without
// exchanges of rows: below this a pivot may be rounding, and the general factor is asked.
static const double TACT_PIVOT_SINGULAR_PRINCIPAL = 1e-13;

#endif
