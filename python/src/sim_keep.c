// What is kept of a simulation: snapshots and recordings.
#include "sim.h"

TactStatus tact_py_sim_stop_recording(TactPyCore *core)
{
    TactStatus status = tact_sim_recorder_destroy(core->recorder);
    core->recorder = NULL;
    return status;
}

PyObject *tact_py_sim_snapshot(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    (void)unused;
    if (!core) {
        return NULL;
    }
    size_t    size = tact_sim_snapshot_get_size(core->sim);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (!bytes) {
        return NULL;
    }
    TactStatus status = tact_sim_snapshot_save(core->sim, PyBytes_AsString(bytes), size);
    if (status != TACT_OK) {
        Py_DECREF(bytes);
        return tact_py_raise(status);
    }
    return bytes;
}

PyObject *tact_py_sim_restore(PyObject *self, PyObject *args)
{
    Py_buffer   view;
    TactPyCore *core = tact_py_sim_write(self);
    if (!core || !PyArg_ParseTuple(args, "y*", &view)) {
        return NULL;
    }
    TactStatus status = tact_sim_snapshot_restore(core->sim, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    core->stepped = core->pushed = false;
    Py_RETURN_NONE;
}

PyObject *tact_py_sim_record(PyObject *self, PyObject *args)
{
    const char *path = NULL, *csv = NULL, *contacts = NULL, *scene = NULL;
    double      every = 0;
    TactPyCore *core = tact_py_sim_write(self);
    if (!core || !PyArg_ParseTuple(args, "zzzds", &path, &csv, &contacts, &every, &scene)) {
        return NULL;
    }
    if (core->recorder) {
        PyErr_SetString(PyExc_RuntimeError, "this simulation is being recorded already");
        return NULL;
    }
    TactSimRecordConfig config = tact_sim_record_config_default();
    config.path = path;
    config.csv = csv;
    config.csv_contacts = contacts;
    config.every = every >= 0 ? every : config.every;
    config.scene = scene;
    TactStatus status = tact_sim_recorder_create(core->sim, &config, &core->recorder);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

/// _record_now(path, scene): one frame, of the present state and the contacts of the last step.
PyObject *tact_py_sim_record_now(PyObject *self, PyObject *args)
{
    const char      *path = NULL, *scene = NULL;
    TactSimRecorder *recorder = NULL;
    TactPyCore      *core = tact_py_sim_write(self);
    if (!core || !PyArg_ParseTuple(args, "ss", &path, &scene)) {
        return NULL;
    }
    TactSimRecordConfig config = tact_sim_record_config_default();
    config.path = path;
    config.scene = scene;
    TactStatus status = tact_sim_recorder_create(core->sim, &config, &recorder);
    status = status == TACT_OK ? tact_sim_recorder_destroy(recorder) : status;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

PyObject *tact_py_sim_end_record(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_write(self);
    (void)unused;
    TactStatus status = core && core->recorder ? tact_py_sim_stop_recording(core) : TACT_OK;
    if (!core || status != TACT_OK) {
        return core ? tact_py_raise(status) : NULL;
    }
    Py_RETURN_NONE;
}
