// Names of the enums of contact.h.
#include <tact/contact.h>

#include "base/words.h"

TACT_WORDS(TactContactRowKind, contact_row_kind, "kind of row", [TACT_ROW_BILATERAL] = "bilateral",
           [TACT_ROW_UNILATERAL] = "unilateral", [TACT_ROW_MOTOR] = "motor")

TACT_WORDS(TactFrictionLaw, friction_law, "law of friction",
           [TACT_FRICTION_LAW_SEPARATE] = "separate", [TACT_FRICTION_LAW_ELLIPSOID] = "ellipsoid")

TACT_WORDS(TactContactLevel, contact_level,
           "level", [TACT_LEVEL_VELOCITY] = "velocity", [TACT_LEVEL_ACCELERATION] = "acceleration")

TACT_WORDS(
    TactContactCone, contact_cone,
    "cone", [TACT_CONE_PYRAMID] = "pyramid", [TACT_CONE_CIRCLE] = "circle", [TACT_CONE_BOX] = "box")

TACT_WORDS(TactContactLaw, contact_law,
           "law", [TACT_LAW_NONE] = "none", [TACT_LAW_CONTACT] = "contact", [TACT_LAW_ROW] = "row",
           [TACT_LAW_DYNAMICS] = "dynamics", [TACT_LAW_ENERGY] = "energy", [TACT_LAW_WORK] = "work")

TACT_WORDS(TactContactState, contact_state, "state of a contact", [TACT_STATE_OPEN] = "open",
           [TACT_STATE_STICK] = "stick", [TACT_STATE_SLIDE] = "slide")

TACT_WORDS(TactContactShare, contact_share,
           "share", [TACT_SHARE_VERTEX] = "vertex", [TACT_SHARE_LEAST] = "least")

TACT_WORDS(TactContactSharingOutcome, contact_sharing_outcome,
           "outcome of sharing", [TACT_SHARING_OUTCOME_UNIQUE] = "unique",
           [TACT_SHARING_OUTCOME_FOUND] = "found", [TACT_SHARING_OUTCOME_KEPT] = "kept")

TACT_WORDS(TactContactStart, contact_start,
           "start", [TACT_START_COLD] = "cold", [TACT_START_FRICTIONLESS] = "frictionless")

TACT_WORDS(
    TactContactFallback, contact_fallback,
    "fall-back", [TACT_FALLBACK_NONE] = "none", [TACT_FALLBACK_FRICTIONLESS] = "frictionless")

TACT_WORDS(TactContactForm, contact_form, "form", [TACT_FORM_IMPULSE] = "impulse",
           [TACT_FORM_FORCE] = "force", [TACT_FORM_SCALED] = "scaled")

TACT_WORDS(
    TactContactOutcome, contact_outcome,
    "outcome", [TACT_OUTCOME_SOLVED] = "solved", [TACT_OUTCOME_UNVERIFIED] = "unverified",
    [TACT_OUTCOME_RAY] = "ray", [TACT_OUTCOME_LIMIT] = "limit", [TACT_OUTCOME_CYCLE] = "cycle",
    [TACT_OUTCOME_SINGULAR] = "singular", [TACT_OUTCOME_UNBOUNDED] = "unbounded")
