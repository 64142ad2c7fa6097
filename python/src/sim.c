// Sim: steps, state, snapshots, recordings; without the GIL while a step is made.
#include "sim.h"

#include <string.h>

static PyObject *core_type, *sim_type;

// ---------------------------------------------------------------------------------------------
// Who may do what

static TactPyCore *core_of(PyObject *self)
{
    TactPyCore *core = ((TactPySim *)self)->core;
    if (!core || core->closed) {
        PyErr_SetString(PyExc_RuntimeError,
                        core ? "this simulation is closed" : "this simulation was never made");
        return NULL;
    }
    return core;
}

TactPyCore *tact_py_sim_read(PyObject *self)
{
    TactPyCore *core = core_of(self);
    if (core && core->busy && !(core->in_callback && core->thread == PyThread_get_thread_ident())) {
        PyErr_SetString(PyExc_RuntimeError, "another thread steps this simulation");
        return NULL;
    }
    return core;
}

TactPyCore *tact_py_sim_write(PyObject *self)
{
    TactPyCore *core = core_of(self);
    if (core && core->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        core->in_callback && core->thread == PyThread_get_thread_ident()
                            ? "a callback writes qpos, qvel, ctrl and forces; this is for between "
                              "steps"
                            : "another thread steps this simulation");
        return NULL;
    }
    return core;
}

// ---------------------------------------------------------------------------------------------
// Making and ending

static void core_deallocate(PyObject *self)
{
    TactPyCore   *core = (TactPyCore *)self;
    PyTypeObject *type = Py_TYPE(self);
    tact_status_ignore(tact_sim_recorder_destroy(core->recorder)); // nobody is left to be told
    tact_sim_certifier_destroy(core->certifier);
    tact_sim_destroy(core->sim);
    PyMem_Free(core->lasting);
    Py_XDECREF(core->model);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyType_Slot core_slots[] = {{Py_tp_dealloc, core_deallocate}, {0, NULL}};
static PyType_Spec core_spec = {"tact._tact.Core", sizeof(TactPyCore), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, core_slots};

static TactPyCore *make_core(PyObject *model_object, PyObject *options)
{
    TactModel *model = tact_py_model_of(model_object);
    if (!model) {
        return NULL;
    }
    TactSimConfig config = tact_sim_config_default(model);
    if (options && options != Py_None &&
        tact_py_from_dict(&tact_py_sim_config_table, options, &config, "Sim") < 0) {
        return NULL;
    }
    TactPyCore *core = PyObject_New(TactPyCore, (PyTypeObject *)core_type);
    if (!core) {
        return NULL;
    }
    memset((char *)core + sizeof(PyObject), 0, sizeof *core - sizeof(PyObject));
    core->model = Py_NewRef(model_object);
    core->lasting = PyMem_Calloc((size_t)model->body_count, sizeof *core->lasting);
    TactStatus status = tact_sim_create(model, &config, &core->sim);
    if (status != TACT_OK || !core->lasting) {
        if (status != TACT_OK) {
            tact_py_raise(status);
        } else {
            PyErr_NoMemory();
        }
        Py_DECREF((PyObject *)core);
        return NULL;
    }
    return core;
}

static PyObject *open_sim(PyObject *self, PyObject *args)
{
    PyObject *model = NULL, *options = NULL;
    if (!PyArg_ParseTuple(args, "OO", &model, &options)) {
        return NULL;
    }
    if (((TactPySim *)self)->core) {
        PyErr_SetString(PyExc_RuntimeError, "this simulation was made before");
        return NULL;
    }
    ((TactPySim *)self)->core = make_core(model, options);
    if (!((TactPySim *)self)->core) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((TactPySim *)self)->callback);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static int clear(PyObject *self)
{
    Py_CLEAR(((TactPySim *)self)->callback);
    return 0;
}

static void deallocate(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    if (((TactPySim *)self)->core) { // the core may live on in arrays, but asks nobody
        tact_sim_set_controller(((TactPySim *)self)->core->sim, NULL, NULL);
        Py_CLEAR(((TactPySim *)self)->core);
    }
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *close_sim(PyObject *self, PyObject *unused)
{
    TactPyCore *core = ((TactPySim *)self)->core;
    (void)unused;
    if (!core || core->closed) {
        Py_RETURN_NONE;
    }
    if (!tact_py_sim_write(self)) {
        return NULL;
    }
    core->closed = true; // its memory goes when the last array does
    TactStatus status = core->recorder ? tact_py_sim_stop_recording(core) : TACT_OK;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------
// Steps

/// Asks the callback, with the GIL.
static TactStatus ask_callback(void *context, TactSim *sim)
{
    TactPySim       *self = context;
    PyGILState_STATE state = PyGILState_Ensure();
    (void)sim;
    self->core->in_callback = true;
    PyObject *result = PyObject_CallFunctionObjArgs(self->callback, (PyObject *)self, NULL);
    self->core->in_callback = false;
    Py_XDECREF(result);
    PyGILState_Release(state);
    return result ? TACT_OK : TACT_BAD_ARGUMENT;
}

static TactStatus one_step(TactPyCore *core)
{
    TactStatus status = tact_sim_step(core->sim, &core->report);
    if (core->pushed) {
        const TactModel *model = tact_sim_view_model(core->sim);
        memcpy(tact_sim_view_state(core->sim)->external, core->lasting,
               (size_t)model->body_count * sizeof *core->lasting);
        core->pushed = false;
    }
    if (status != TACT_OK) {
        return status;
    }
    core->stepped = true;
    core->steps++;
    return core->recorder ? tact_sim_recorder_add(core->recorder, &core->report) : TACT_OK;
}

static PyObject *step(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    long n = 1;
    if (count > 1) {
        PyErr_SetString(PyExc_TypeError, "step() takes one number");
        return NULL;
    }
    if (count == 1) {
        PyObject *index = PyNumber_Index(args[0]);
        n = index ? PyLong_AsLong(index) : -1;
        Py_XDECREF(index);
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    if (n < 0) {
        PyErr_SetString(PyExc_ValueError, "step() cannot make less than no step");
        return NULL;
    }
    TactPyCore *core = tact_py_sim_write(self);
    if (!core) {
        return NULL;
    }
    core->busy = true;
    core->thread = PyThread_get_thread_ident();
    Py_INCREF((PyObject *)core);
    TactStatus  status = TACT_OK;
    TactPyWatch watch = {.next = n > 1 ? tact_time_now() + 0.05 : 0, .saved = PyEval_SaveThread()};
    for (long i = 0; i < n && status == TACT_OK; i++) {
        status = one_step(core);
        if (n > 1 && status == TACT_OK && i % 8 == 7) {
            status = tact_py_watch_ask(&watch);
        }
    }
    PyEval_RestoreThread(watch.saved);
    core->busy = false;
    Py_DECREF((PyObject *)core);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyObject *set_callback(PyObject *self, PyObject *callback)
{
    TactPySim  *own = (TactPySim *)self;
    TactPyCore *core = tact_py_sim_write(self);
    if (!core) {
        return NULL;
    }
    if (callback != Py_None && !PyCallable_Check(callback)) {
        PyErr_SetString(PyExc_TypeError, "a callback is a function of the simulation, or None");
        return NULL;
    }
    PyObject *before = own->callback;
    own->callback = callback == Py_None ? NULL : Py_NewRef(callback);
    tact_sim_set_controller(core->sim, own->callback ? ask_callback : NULL, own);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyObject *reset(PyObject *self, PyObject *args)
{
    int         key = -1;
    TactPyCore *core = tact_py_sim_write(self);
    if (!core || !PyArg_ParseTuple(args, "i", &key)) {
        return NULL;
    }
    TactStatus status = tact_sim_reset(core->sim, key);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    core->stepped = core->pushed = false;
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------
// The state

static PyObject *get_block(PyObject *self, PyObject *args)
{
    const char *which = NULL;
    TactPyCore *core = tact_py_sim_read(self);
    if (!core || !PyArg_ParseTuple(args, "s", &which)) {
        return NULL;
    }
    const TactModel *model = tact_sim_view_model(core->sim);
    TactSimState    *state = tact_sim_view_state(core->sim);
    PyObject        *owner = (PyObject *)core;
    switch (which[0]) {
    case 'q': return tact_py_block_lend(owner, state->q, model->nq, 0, false);
    case 'v': return tact_py_block_lend(owner, state->v, model->nv, 0, false);
    case 'c': return tact_py_block_lend(owner, state->ctrl, model->actuator_count, 0, false);
    case 'A': return tact_py_block_lend(owner, state->act, model->act_count, 0, false);
    case 'm': return tact_py_block_lend(owner, state->mocap, model->mocap_count, 7, false);
    case 'a': return tact_py_block_lend(owner, state->applied, model->nv, 0, false);
    default: return tact_py_block_lend(owner, state->external, model->body_count, 6, false);
    }
}

static PyObject *get_time(PyObject *self, void *unused)
{
    TactPyCore *core = core_of(self);
    (void)unused;
    return core ? PyFloat_FromDouble(tact_sim_view_state(core->sim)->time) : NULL;
}

static int set_time(PyObject *self, PyObject *value, void *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    double      time = value ? PyFloat_AsDouble(value) : 0;
    (void)unused;
    if (!core || PyErr_Occurred()) {
        return -1;
    }
    tact_sim_view_state(core->sim)->time = time;
    return 0;
}

static PyObject *get_steps(PyObject *self, void *unused)
{
    TactPyCore *core = core_of(self);
    (void)unused;
    return core ? PyLong_FromLong(core->steps) : NULL;
}

static PyObject *apply_force(PyObject *self, PyObject *args)
{
    int         body = 0;
    TactVec3    force, point;
    TactPyCore *core = tact_py_sim_read(self);
    if (!core || !PyArg_ParseTuple(args, "i(ddd)(ddd)", &body, &force.x, &force.y, &force.z,
                                   &point.x, &point.y, &point.z)) {
        return NULL;
    }
    if (!core->pushed) {
        memcpy(core->lasting, tact_sim_view_state(core->sim)->external,
               (size_t)tact_sim_view_model(core->sim)->body_count * sizeof *core->lasting);
    }
    TactStatus status = tact_sim_apply_force(core->sim, body, force, point);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    core->pushed = true;
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------

static PyGetSetDef members[] = {
    {"time", get_time, set_time, "Simulated time, s.", NULL},
    {"steps", get_steps, NULL, "Steps that were made.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"step", (PyCFunction)(void (*)(void))step, METH_FASTCALL,
     "step(n=1)\n--\n\nMakes n steps. Other threads of Python run meanwhile; Ctrl-C ends it."},
    {"close", close_sim, METH_NOARGS,
     "close()\n--\n\nEnds the simulation and its recording. Arrays stay valid."},
    {"_open", open_sim, METH_VARARGS, NULL},
    {"_set_callback", set_callback, METH_O, NULL},
    {"_reset", reset, METH_VARARGS, NULL},
    {"_block", get_block, METH_VARARGS, NULL},
    {"_apply_force", apply_force, METH_VARARGS, NULL},
    {"_config", tact_py_sim_get_config, METH_NOARGS, NULL},
    {"_set_config", tact_py_sim_set_config, METH_O, NULL},
    {"_set", tact_py_sim_set_parameter, METH_VARARGS, NULL},
    {"_get", tact_py_sim_get_parameter, METH_VARARGS, NULL},
    {"_snapshot", tact_py_sim_snapshot, METH_NOARGS, NULL},
    {"_restore", tact_py_sim_restore, METH_VARARGS, NULL},
    {"_record", tact_py_sim_record, METH_VARARGS, NULL},
    {"_record_now", tact_py_sim_record_now, METH_VARARGS, NULL},
    {"_end_record", tact_py_sim_end_record, METH_NOARGS, NULL},
    {"_watch", tact_py_sim_watch, METH_O, NULL},
    {"_certificate", tact_py_sim_certificate, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, deallocate}, {Py_tp_traverse, traverse}, {Py_tp_clear, clear},
    {Py_tp_methods, methods},    {Py_tp_getset, members},    {0, NULL},
};

static PyType_Spec spec = {"tact._tact.Stepper", sizeof(TactPySim), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

static PyType_Slot read_slots[] = {{Py_tp_methods, tact_py_sim_read_methods}, {0, NULL}};
static PyType_Spec read_spec = {"tact._tact.Sim", sizeof(TactPySim), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, read_slots};

int tact_py_sim_add(PyObject *module)
{
    core_type = tact_py_add_type(module, &core_spec);
    PyObject *stepper = core_type ? tact_py_add_type(module, &spec) : NULL;
    sim_type = stepper ? PyType_FromModuleAndSpec(module, &read_spec, stepper) : NULL;
    return sim_type && PyModule_AddType(module, (PyTypeObject *)sim_type) == 0 ? 0 : -1;
}
