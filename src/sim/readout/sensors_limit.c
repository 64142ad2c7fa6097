// Sensors of limits: of one that pushes, or is reached, at the beginning of the last step.
#include "dynamics/links.h"
#include "sim/readout/readout.h"

void tact_sim_sense_limit(const TactSim *sim, const TactSensor *sensor, double *x)
{
    bool of_joint = sensor->type <= TACT_SENSOR_JOINT_LIMIT_FORCE;
    int  first = of_joint ? TACT_SENSOR_JOINT_LIMIT_POSITION : TACT_SENSOR_TENDON_LIMIT_POSITION;
    for (int r = 0; r < sim->rows.count && r < sim->last.row_count; r++) {
        TactRowSource         source = sim->last.row_sources[r];
        const TactContactRow *row = &sim->rows.rows[r];
        if (source.type != (of_joint ? TACT_OBJECT_JOINT : TACT_OBJECT_TENDON) ||
            source.index != sensor->object || row->kind != TACT_ROW_UNILATERAL ||
            !(sim->last.row_impulse[r] > 0 || row->error < 0)) {
            continue;
        }
        double rate = 0;
        for (int i = 0; i < sim->model->nv; i++) {
            rate += row->J[i] * sim->last.v[i];
        }
        switch ((int)sensor->type - first) {
        case 0: x[0] += row->error; break;
        case 1: x[0] += rate; break;
        default: x[0] += sim->last.row_impulse[r] / sim->h; break;
        }
    }
}
