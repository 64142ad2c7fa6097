#include <tact/prove.h>
#include "base/status.h"
TactStatus tact_prove_contact(const TactContactProblem *problem, TactContactCone cone,
                                       const TactContactAnswer *answer,
                                       const TactProofConfig *config, TactProof **proof)
{ (void)problem,(void)cone,(void)answer,(void)config,(void)proof; return tact_fail(TACT_UNSUPPORTED,"not yet"); }
