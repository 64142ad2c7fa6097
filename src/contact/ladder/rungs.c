// The rungs of `ladder`, in the order in which they are tried: cheap and likely ones first.
// docs/theory/ladder.md has the same table; a test compares them.
#include <math.h>

#include "contact/ladder/ladder.h"

static bool is_circle(const TactLadderFacts *facts)
{
    return facts->cone == TACT_CONE_CIRCLE;
}

/// There is an answer to start from.
static bool has_answer(const TactLadderFacts *facts)
{
    return facts->best_error < HUGE_VAL;
}

static bool when_large_and_warm(const TactLadderFacts *facts)
{
    return facts->large && facts->warm;
}

static bool when_divides(const TactLadderFacts *facts)
{
    return facts->divides;
}

/// Many bodies: the method for piles is the first.
static bool when_pile(const TactLadderFacts *facts)
{
    return facts->large && facts->dof >= TACT_LADDER_PILE_DOF;
}

static bool when_few_bodies(const TactLadderFacts *facts)
{
    return facts->large && facts->dof < TACT_LADDER_PILE_DOF;
}

static bool when_large(const TactLadderFacts *facts)
{
    return facts->large;
}

static bool when_large_again(const TactLadderFacts *facts)
{
    return facts->large && facts->warm && (facts->cheap || when_few_bodies(facts));
}

static bool when_small_and_warm(const TactLadderFacts *facts)
{
    return facts->small && facts->warm;
}

static bool when_small(const TactLadderFacts *facts)
{
    return facts->small;
}

static bool when_small_W(const TactLadderFacts *facts)
{
    return facts->small && facts->given_W;
}

static bool when_small_circle(const TactLadderFacts *facts)
{
    return facts->small && is_circle(facts);
}

// Contacts and rows, and degrees of freedom, from which on the proximal path is worth trying.
enum { FEW_ITEMS = 8, FEW_DOF = 18 };

// A certified error from which a few steps of Newton's method mostly reach the answer.
static const double NEAR = 1e-3;
// By how much it has to be less than where they have not.
static const double NEARER = 0.5;

/// The last answer has no basis: Newton's method, or sweeps, found it.
static bool when_small_circle_unbased(const TactLadderFacts *facts)
{
    return when_small_circle(facts) && facts->warm && !facts->based;
}

static bool when_small_circle_near(const TactLadderFacts *facts)
{
    return when_small_circle(facts) && facts->best_error < NEAR &&
           facts->best_error < NEARER * facts->polished;
}

/// Several bodies: where pivots fail on one or two, other starts of theirs are cheaper.
static bool when_small_bodies(const TactLadderFacts *facts)
{
    return facts->small && !facts->large && !facts->given_W && facts->size >= FEW_ITEMS &&
           facts->dof >= FEW_DOF && has_answer(facts);
}

static bool when_small_circle_answered(const TactLadderFacts *facts)
{
    return when_small_circle(facts) && has_answer(facts);
}

static bool when_small_circle_box(const TactLadderFacts *facts)
{
    return when_small_circle(facts) && facts->made_for <= TACT_LADDER_MOST_BOX;
}

static bool when_lcp(const TactLadderFacts *facts)
{
    return facts->columns && facts->made_for <= TACT_LADDER_MOST_LCP;
}

static bool when_small_other_answered(const TactLadderFacts *facts)
{
    return facts->small && !is_circle(facts) && has_answer(facts);
}

static bool when_box(const TactLadderFacts *facts)
{
    return facts->columns && facts->made_for <= TACT_LADDER_MOST_BOX;
}

static bool when_always(const TactLadderFacts *facts)
{
    (void)facts;
    return true;
}

static bool when_large_answered(const TactLadderFacts *facts)
{
    return facts->large && facts->cheap && has_answer(facts);
}

static bool when_small_answered(const TactLadderFacts *facts)
{
    return facts->small && has_answer(facts);
}

static bool when_tiny(const TactLadderFacts *facts)
{
    return facts->small && facts->size <= TACT_LADDER_MOST_QUAD &&
           facts->dof <= TACT_LADDER_MOST_QUAD_DOF;
}

const TactRung tact_ladder_rungs[TACT_LADDER_RUNGS] = {
    {"warm-start", "large, the same contacts as in the last step", TACT_RUNG_LIGHT,
     when_large_and_warm, tact_ladder_warm_start},
    {"islands", "not small, but each of its islands is", TACT_RUNG_KERNEL, when_divides,
     tact_ladder_islands},
    {"pile", "large, 150 degrees of freedom or more", TACT_RUNG_PILE, when_pile, tact_ladder_pile},
    {"proximal", "large", TACT_RUNG_LIGHT, when_large, tact_ladder_proximal},
    {"pile", "large, less than 150 degrees of freedom", TACT_RUNG_PILE, when_few_bodies,
     tact_ladder_pile},
    {"prox-anew",
     "large, if `proximal` was warm, and factors are cheap or degrees of freedom "
     "less than 150",
     TACT_RUNG_LIGHT, when_large_again, tact_ladder_proximal_anew},
    {"last-basis", "small, the same contacts as in the last step", TACT_RUNG_KERNEL,
     when_small_and_warm, tact_ladder_last_basis},
    {"last-answer", "small, circle, the last step's answer has no basis", TACT_RUNG_NEWTON,
     when_small_circle_unbased, tact_ladder_last_answer},
    {"polish", "small, circle, the best answer so far is off by less than $10^{-3}$",
     TACT_RUNG_NEWTON, when_small_circle_near, tact_ladder_polish},
    {"reduced", "small", TACT_RUNG_KERNEL, when_small, tact_ladder_reduced},
    {"reduced-W", "small, given by $W$", TACT_RUNG_KERNEL, when_small_W, tact_ladder_reduced_W},
    {"polish", "the same, if its error is half of what it was there", TACT_RUNG_NEWTON,
     when_small_circle_near, tact_ladder_polish},
    {"proximal",
     "small and not large, not given by $W$, 8 contacts and rows and 18 degrees of "
     "freedom or more, a rung before had an answer",
     TACT_RUNG_PATH, when_small_bodies, tact_ladder_proximal_small},
    {"from-slip", "small, circle", TACT_RUNG_KERNEL, when_small_circle, tact_ladder_from_slip},
    {"rotated", "small, circle", TACT_RUNG_KERNEL, when_small_circle, tact_ladder_rotated},
    {"newton", "small, circle, a rung before had an answer", TACT_RUNG_NEWTON,
     when_small_circle_answered, tact_ladder_newton},
    {"baraff", "small, circle, solver made for up to 300 contacts", TACT_RUNG_RESERVE,
     when_small_circle_box, tact_ladder_baraff},
    {"search", "solver made for up to 64 contacts", TACT_RUNG_RESERVE, when_lcp,
     tact_ladder_search},
    {"lemke-lex", "solver made for up to 64 contacts", TACT_RUNG_RESERVE, when_lcp,
     tact_ladder_lemke},
    {"newton", "small, pyramid, a rung before had an answer", TACT_RUNG_NEWTON,
     when_small_other_answered, tact_ladder_newton},
    {"pgs-sm", "solver made for up to 300 contacts", TACT_RUNG_RESERVE, when_box,
     tact_ladder_pgs_sm},
    {"nsgs", "always", TACT_RUNG_RESERVE, when_always, tact_ladder_nsgs},
    {"prox-more", "large, factors are cheap, a rung before had an answer", TACT_RUNG_RESERVE,
     when_large_answered, tact_ladder_proximal_more},
    {"newton-more", "small, a rung before had an answer", TACT_RUNG_NEWTON, when_small_answered,
     tact_ladder_newton},
    {"nsgs-anew", "small", TACT_RUNG_RESERVE, when_small, tact_ladder_nsgs_anew},
    {"nsgs-fine", "small, a rung before had an answer", TACT_RUNG_LAST, when_small_answered,
     tact_ladder_nsgs_fine},
    {"quadruple", "small, up to 32 contacts and rows, 200 degrees of freedom", TACT_RUNG_LAST,
     when_tiny, tact_ladder_quad},
};
