// Mass matrix, bias and acceleration of `tact info` at a state.
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/info/info.h"

static double *numbers(size_t count)
{
    return (double *)calloc(count + 1, sizeof(double));
}

bool tact_info_find_dynamics(TactInfo *info)
{
    size_t        nv = (size_t)info->model->nv;
    TactDynamics *dynamics = NULL;
    info->M = numbers(nv * nv);
    info->bias = numbers(nv);
    info->qacc = numbers(nv);
    if (!info->M || !info->bias || !info->qacc) {
        tact_cli_bad("no memory for the mass matrix");
        return false;
    }
    if (tact_dynamics_create(info->model, &dynamics) != TACT_OK ||
        tact_dynamics_set_position(dynamics, info->q) != TACT_OK ||
        tact_dynamics_set_velocity(dynamics, info->v) != TACT_OK) {
        tact_cli_bad("%s: %s", info->path, tact_status_message());
        tact_dynamics_destroy(dynamics);
        return false;
    }
    tact_dynamics_compute_mass(dynamics, NULL);
    tact_dynamics_get_mass(dynamics, info->M);
    tact_dynamics_compute_inverse(dynamics, NULL, NULL, info->bias);
    tact_dynamics_compute_forward(dynamics, NULL, NULL, NULL, info->qacc);
    tact_dynamics_destroy(dynamics);
    return true;
}

void tact_info_free_dynamics(TactInfo *info)
{
    free(info->M);
    free(info->bias);
    free(info->qacc);
    info->M = info->bias = info->qacc = NULL;
}
