// Names of the enums of prove.h.
#include <tact/prove.h>

#include "base/words.h"

TACT_WORDS(TactProofKind, proof_kind, "kind of proof", [TACT_PROOF_KIND_RATIONAL] = "rational",
           [TACT_PROOF_KIND_INTERVAL] = "interval")

TACT_WORDS(TactProofPart, proof_part,
           "part of a proof", [TACT_PROOF_PART_Z] = "z", [TACT_PROOF_PART_IMPULSE] = "impulse",
           [TACT_PROOF_PART_ROW_IMPULSE] = "row_impulse", [TACT_PROOF_PART_VELOCITY] = "velocity",
           [TACT_PROOF_PART_LEAST] = "least", [TACT_PROOF_PART_MOST] = "most",
           [TACT_PROOF_PART_ROW_LEAST] = "row_least", [TACT_PROOF_PART_ROW_MOST] = "row_most",
           [TACT_PROOF_PART_MOMENT] = "moment", [TACT_PROOF_PART_MOMENT_LEAST] = "moment_least",
           [TACT_PROOF_PART_MOMENT_MOST] = "moment_most")
