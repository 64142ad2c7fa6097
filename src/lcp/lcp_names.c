// Names of the enums of lcp.h.
#include <tact/lcp.h>

#include "base/words.h"

TACT_WORDS(TactLcpStorage, lcp_storage,
           "storage", [TACT_LCP_STORAGE_DENSE] = "dense", [TACT_LCP_STORAGE_SPARSE] = "sparse")

TACT_WORDS(
    TactLcpOutcome, lcp_outcome,
    "outcome", [TACT_LCP_OUTCOME_SOLVED] = "solved", [TACT_LCP_OUTCOME_UNVERIFIED] = "unverified",
    [TACT_LCP_OUTCOME_RAY] = "ray", [TACT_LCP_OUTCOME_LIMIT] = "limit",
    [TACT_LCP_OUTCOME_CYCLE] = "cycle", [TACT_LCP_OUTCOME_SINGULAR] = "singular")

TACT_WORDS(TactLcpState, lcp_state, "state of a variable", [TACT_LCP_STATE_AT_LO] = "at lo",
           [TACT_LCP_STATE_BASIC] = "basic", [TACT_LCP_STATE_AT_HI] = "at hi")
