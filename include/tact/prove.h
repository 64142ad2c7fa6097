// Mathematical proofs of answers. A proof shows more than a small residual: an exact solution of
// the problem, with its doubles taken as exact numbers, exists next to the answer.
//
// Once it is known which contacts are open, stick or slide, an answer obeys a system of equations
// and inequalities. For an LCP and for the pyramid it is linear, and it is solved in exact
// rationals (with GMP). For the circular cone it is solved in interval arithmetic with outward
// rounding: Krawczyk's test proves that there is one solution, and only one, within a box around
// the answer.
//
//     TactProof *proof = NULL;
//     tact_prove_contact(&problem, TACT_CONE_PYRAMID, &answer, NULL, &proof);
//     const TactProofReport *report = tact_proof_view_report(proof);
//     if (report->proved) ...              // there is a solution within report->radius
//     tact_proof_destroy(proof);
//
// docs/theory/proof.md has the equations.
#ifndef TACT_PROVE_H
#define TACT_PROVE_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/contact.h>
#include <tact/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TactProofKind {
    TACT_PROOF_KIND_RATIONAL, // the exact solution itself, in rationals
    TACT_PROOF_KIND_INTERVAL, // a box that holds exactly one solution
} TactProofKind;

TACT_API const char               *tact_proof_kind_name(TactProofKind value);
TACT_API TACT_NODISCARD TactStatus tact_proof_kind_find(const char *name, TactProofKind *value);

typedef struct TactProofConfig {
    double limit;    // s, for one exact linear solve; 0: none
    int    rounds;   // active sets tried, that of the answer first
    double radius;   // largest distance of the solution from the answer, relative to the largest
                     //   entry of its kind (z, impulses, velocities). A solution further away does
                     //   not prove this answer
    uint32_t cookie; // set by tact_proof_config_default(); do not write
} TactProofConfig;

TACT_API TactProofConfig tact_proof_config_default(void);

typedef struct TactProofReport {
    bool          proved;
    bool          found; // an exact solution was found, near enough to prove the answer or not
    TactProofKind kind;
    double        radius; // every component of the solution is at most this far from the answer:
                          //   z, or impulses and velocities; +infinity if nothing was found.
                          //   Impulses that are not unique may be anywhere: they count below
    double redundant;     // the largest distance of impulses that are not unique: 0 if the solution
                          //   has those of the answer
    bool unique;          // no other solution has the same contacts open, sticking and sliding (an
                          //   LCP: the same unknowns at bounds)
    int    changed;       // contacts, rows or unknowns whose state differs from that in the answer
    int    weak;          // inequalities that hold with equality: contacts between two states
    int    equations;     // of the system, and
    int    rank;          //   how many of them are independent
    int    rounds;        // active sets tried
    int    blocked_count; // of tact_proof_view_blocking()
    double time;          // s
    char   why[320];      // one sentence: what is proved, or why it is not
} TactProofReport;

typedef struct TactProof TactProof;

/// Proves a z from any source. TACT_UNSUPPORTED without GMP. config NULL: the default.
TACT_API TACT_NODISCARD TactStatus tact_prove_lcp(const TactLcpProblem *problem, const double *z,
                                                  const TactProofConfig *config, TactProof **proof);

/// Proves an answer: impulse, row_impulse (NULL without rows), moment (NULL without mu_spin and
/// mu_roll) and velocity (NULL with W) are read. The ellipsoid has a proof with the circular cone.
/// The pyramid and the friction box need GMP: TACT_UNSUPPORTED without. If nothing is proved, the
/// status is TACT_OK and the report says why.
TACT_API TACT_NODISCARD TactStatus tact_prove_contact(const TactContactProblem *problem,
                                                      TactContactCone           cone,
                                                      const TactContactAnswer  *answer,
                                                      const TactProofConfig    *config,
                                                      TactProof               **proof);

/// Adds to a rational proof of this problem between what each impulse may lie, exactly, over all
/// impulses that obey the law together with the motion of the proof (the parts LEAST, MOST and so
/// on). An end that is not bounded reads "inf" or "-inf". TACT_UNSUPPORTED: the proof is not
/// rational or found nothing, or config->limit seconds are over; the proof is then as it was.
TACT_API TACT_NODISCARD TactStatus tact_prove_ranges(const TactContactProblem *problem,
                                                     TactContactCone           cone,
                                                     const TactProofConfig    *config,
                                                     TactProof                *proof);

TACT_API void                   tact_proof_destroy(TactProof *proof);
TACT_API const TactProofReport *tact_proof_view_report(const TactProof *proof);

/// Contacts (or contact_count + row; LCP: rows) that prevent a proof.         (blocked_count)
TACT_API const int *tact_proof_view_blocking(const TactProof *proof);

/// What a proof is about.
typedef enum TactProofPart {
    TACT_PROOF_PART_Z,           // of an LCP                                       (n)
    TACT_PROOF_PART_IMPULSE,     // p_n p_1 p_2 of every contact                    (3 nc)
    TACT_PROOF_PART_ROW_IMPULSE, // of every row                                    (row_count)
    TACT_PROOF_PART_VELOCITY,    // v+                                              (dof)
    // Ranges (tact_prove_ranges()): between what each impulse may lie while the motion stays.
    TACT_PROOF_PART_LEAST,     // of p_n p_1 p_2 of every contact                    (3 nc)
    TACT_PROOF_PART_MOST,      // the same                                           (3 nc)
    TACT_PROOF_PART_ROW_LEAST, // of every row                                       (row_count)
    TACT_PROOF_PART_ROW_MOST,  //                                                    (row_count)
    // Of problems with mu_spin, mu_roll, mu2 or the ellipsoid.
    TACT_PROOF_PART_MOMENT,       // m_n m_1 m_2 of every contact                    (3 nc)
    TACT_PROOF_PART_MOMENT_LEAST, // ranges of these                                 (3 nc)
    TACT_PROOF_PART_MOMENT_MOST,  //                                                 (3 nc)
    TACT_PROOF_PART_COUNT
} TactProofPart;

TACT_API const char               *tact_proof_part_name(TactProofPart value);
TACT_API TACT_NODISCARD TactStatus tact_proof_part_find(const char *name, TactProofPart *value);

/// Number of entries of a part; 0: the proof has no such part. Parts belong to the exact solution
/// that was found, even if it is too far from the answer to prove it (report: found, not proved).
TACT_API int tact_proof_count(const TactProof *proof, TactProofPart part);

/// Entry i of the exact solution as "numerator/denominator" in lowest terms, of a rational proof.
/// Returns the length without the final 0, whatever size is (text may be NULL if size is 0); 0:
/// no such entry.
TACT_API size_t tact_proof_get_exact(const TactProof *proof, TactProofPart part, int i, char *text,
                                     size_t size);

/// An interval that contains entry i of the solution; false: no such entry.
TACT_API bool tact_proof_get_bounds(const TactProof *proof, TactProofPart part, int i, double *lo,
                                    double *hi);

#ifdef __cplusplus
}
#endif
#endif
