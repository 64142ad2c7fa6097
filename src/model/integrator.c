// Names of integrators.
#include <tact/model.h>

#include "base/words.h"

enum { COUNT = 2 };

static const char *const words[COUNT] = {
    [TACT_INTEGRATOR_EULER] = "euler",
    [TACT_INTEGRATOR_RK4] = "rk4",
};

const char *tact_integrator_name(TactIntegrator integrator)
{
    return tact_word_of(words, COUNT, (int)integrator);
}

TactStatus tact_integrator_find(const char *name, TactIntegrator *integrator)
{
    int        found = 0;
    TactStatus status = tact_word_find(words, COUNT, "integrator", name, &found);
    if (status == TACT_OK) {
        *integrator = (TactIntegrator)found;
    }
    return status;
}
