// Options and parameters of a simulation.
#include "sim.h"

PyObject *tact_py_sim_get_config(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    (void)unused;
    return core ? tact_py_to_dict(&tact_py_sim_config_table, tact_sim_view_config(core->sim))
                : NULL;
}

PyObject *tact_py_sim_set_config(PyObject *self, PyObject *dict)
{
    TactPyCore *core = tact_py_sim_write(self);
    if (!core) {
        return NULL;
    }
    TactSimConfig config = *tact_sim_view_config(core->sim);
    if (tact_py_from_dict(&tact_py_sim_config_table, dict, &config, "configure") < 0) {
        return NULL;
    }
    TactStatus status = tact_sim_set_config(core->sim, &config);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

PyObject *tact_py_sim_set_parameter(PyObject *self, PyObject *args)
{
    const char *path = NULL;
    PyObject   *numbers = NULL;
    TactPyArray values;
    TactPyCore *core = tact_py_sim_write(self);
    if (!core || !PyArg_ParseTuple(args, "sO", &path, &numbers) ||
        tact_py_get_doubles(numbers, path, -1, &values) < 0) {
        return NULL;
    }
    TactStatus status = tact_sim_set(core->sim, path, values.numbers, (int)values.count);
    tact_py_release(&values);
    status = status == TACT_OK ? tact_py_sim_judge_anew(core) : status;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    core->stepped = false;
    Py_RETURN_NONE;
}

PyObject *tact_py_sim_get_parameter(PyObject *self, PyObject *args)
{
    const char          *path = NULL;
    const TactParameter *parameter = NULL;
    int                  index = 0;
    double               values[TACT_PARAMETER_MOST];
    TactPyCore          *core = tact_py_sim_read(self);
    if (!core || !PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    TactStatus status =
        tact_parameter_find(tact_sim_view_model(core->sim), path, &parameter, &index);
    status = status == TACT_OK ? tact_sim_get(core->sim, path, values, parameter->count) : status;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    PyObject *tuple = PyTuple_New(parameter->count);
    for (int i = 0; tuple && i < parameter->count; i++) {
        PyTuple_SetItem(tuple, i, PyFloat_FromDouble(values[i]));
    }
    return tuple;
}
