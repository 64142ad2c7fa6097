// Worlds in batches on a device: tact.Batch. Arrays of the device leave through DLPack, without a
// copy.
#include <string.h>

#include "common.h"
#include "sim.h"

typedef struct Worlds {
    PyObject_HEAD PyObject *model;
    TactWorldBatch         *batch;
    TactDevice              device;
    int                     count;
    bool                    busy;
} Worlds;

// ---------------------------------------------------------------------------------------------
// DLPack: its structs, version 0.8

typedef struct DLDevice {
    int32_t type, id; // 1: of the processor, 2: of CUDA
} DLDevice;

typedef struct DLTensor {
    void    *data;
    DLDevice device;
    int32_t  ndim;
    struct {
        uint8_t  code, bits; // 2: a float
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor tensor;
    void    *context;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

/// A tensor with its shape, and the worlds that it belongs to.
typedef struct Lent {
    DLManagedTensor managed;
    int64_t         shape[2];
    PyObject       *owner;
} Lent;

/// May be called without the GIL.
static void give_back(DLManagedTensor *managed)
{
    Lent            *lent = managed->context;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(lent->owner);
    PyMem_Free(lent);
    PyGILState_Release(state);
}

/// A capsule that nobody took.
static void drop(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor")) {
        DLManagedTensor *managed = PyCapsule_GetPointer(capsule, "dltensor");
        managed->deleter(managed);
    }
}

static TactModel *enter(Worlds *w)
{
    if (!w->batch || w->busy) {
        PyErr_SetString(PyExc_RuntimeError, w->batch ? "another thread steps these worlds"
                                                     : "these worlds were never made");
        return NULL;
    }
    return tact_py_model_of(w->model);
}

/// _dlpack("qpos", "qvel", "ctrl" or "sensordata") -> a capsule
static PyObject *lend(PyObject *self, PyObject *args)
{
    Worlds         *w = (Worlds *)self;
    const char     *name = NULL;
    TactWorldStates states;
    TactModel      *m = enter(w);
    if (!m || !PyArg_ParseTuple(args, "s", &name)) {
        return NULL;
    }
    tact_world_batch_view(w->batch, &states);
    bool    q = strcmp(name, "qpos") == 0, v = strcmp(name, "qvel") == 0;
    bool    sensors = strcmp(name, "sensordata") == 0;
    double *data = q ? states.q : v ? states.v : sensors ? states.sensors : states.ctrl;
    Lent   *lent = PyMem_Calloc(1, sizeof *lent);
    if (!lent) {
        return PyErr_NoMemory();
    }
    lent->shape[0] = w->count;
    lent->shape[1] = q ? m->nq : v ? m->nv : sensors ? m->sensor_size : m->actuator_count;
    lent->managed.tensor.data = data;
    lent->managed.tensor.device.type = w->device == TACT_DEVICE_CUDA ? 2 : 1;
    lent->managed.tensor.ndim = 2;
    lent->managed.tensor.dtype.code = 2;
    lent->managed.tensor.dtype.bits = 64;
    lent->managed.tensor.dtype.lanes = 1;
    lent->managed.tensor.shape = lent->shape;
    lent->managed.context = lent;
    lent->managed.deleter = give_back;
    PyObject *capsule = PyCapsule_New(&lent->managed, "dltensor", drop);
    if (!capsule) {
        PyMem_Free(lent);
        return NULL;
    }
    lent->owner = Py_NewRef(self);
    return capsule;
}

// ---------------------------------------------------------------------------------------------

static void deallocate(PyObject *self)
{
    Worlds       *w = (Worlds *)self;
    PyTypeObject *type = Py_TYPE(self);
    tact_world_batch_destroy(w->batch);
    Py_XDECREF(w->model);
    freefunc free_it = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_it(self);
    Py_DECREF(type);
}

/// _open(model, options, worlds, device, threads, sliding_only, other_shapes, sensors)
static PyObject *open_worlds(PyObject *self, PyObject *args)
{
    Worlds     *w = (Worlds *)self;
    PyObject   *object, *options;
    const char *device = NULL;
    int         worlds = 0, threads = 0, sliding_only = 0, other_shapes = 0, sensors = 0;
    if (!PyArg_ParseTuple(args, "OO!isippp", &object, &PyDict_Type, &options, &worlds, &device,
                          &threads, &sliding_only, &other_shapes, &sensors)) {
        return NULL;
    }
    TactModel *model = tact_py_model_of(object);
    if (!model || w->batch) {
        return model ? PyErr_Format(PyExc_RuntimeError, "this was made before") : NULL;
    }
    TactStatus status = tact_device_find(device, &w->device);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    TactSimConfig        sim = tact_sim_config_default(model);
    TactWorldBatchConfig config = tact_world_batch_config_default(w->device);
    if (tact_py_from_dict(&tact_py_sim_config_table, options, &sim, "Batch") < 0) {
        return NULL;
    }
    config.worlds = w->count = worlds;
    config.threads = threads;
    config.sliding_only = sliding_only != 0;
    config.other_shapes = other_shapes != 0;
    config.sensors = sensors != 0;
    status = tact_world_batch_create(model, &sim, &config, &w->batch);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    w->model = Py_NewRef(object);
    Py_RETURN_NONE;
}

static PyObject *to_dict(const TactWorldBatchReport *r)
{
    const TactWorldBatchReasons *why = &r->reasons;
    return Py_BuildValue(
        "{sLsLsLsLsLsLsdsdsdsdsdsds{sLsLsLsLsLsLsLsLsL}}", "steps", r->steps, "solves", r->solves,
        "first", r->first, "retried", r->retried, "handed_over", r->handed_over, "uncertified",
        r->uncertified, "error", r->error, "seconds", r->seconds, "seconds_begin", r->seconds_begin,
        "seconds_contact", r->seconds_contact, "seconds_end", r->seconds_end, "seconds_handed",
        r->seconds_handed, "reasons", "full", why->full, "crossed", why->crossed, "runaway",
        why->runaway, "unsolved", why->unsolved, "fast", why->fast, "unbalanced", why->unbalanced,
        "deeper", why->deeper, "sunk", why->sunk, "shape", why->shape);
}

/// _step(steps) -> the report as a dict
static PyObject *step(PyObject *self, PyObject *args)
{
    Worlds              *w = (Worlds *)self;
    int                  steps = 0;
    TactWorldBatchReport report;
    if (!enter(w) || !PyArg_ParseTuple(args, "i", &steps)) {
        return NULL;
    }
    w->busy = true;
    PyThreadState *saved = PyEval_SaveThread();
    TactStatus     status = tact_world_batch_step(w->batch, steps, &report);
    PyEval_RestoreThread(saved);
    w->busy = false;
    return status == TACT_OK ? to_dict(&report) : tact_py_raise(status);
}

/// _send(q, v, ctrl): each an array of all worlds, or None
static PyObject *send_states(PyObject *self, PyObject *args)
{
    Worlds     *w = (Worlds *)self;
    PyObject   *given[3];
    const char *names[3] = {"qpos", "qvel", "ctrl"};
    TactPyArray arrays[3];
    int         held = 0;
    TactStatus  status = TACT_OK;
    TactModel  *m = enter(w);
    if (!m || !PyArg_ParseTuple(args, "OOO", &given[0], &given[1], &given[2])) {
        return NULL;
    }
    Py_ssize_t widths[3] = {m->nq, m->nv, m->actuator_count};
    while (held < 3 && tact_py_get_doubles(given[held], names[held],
                                           given[held] == Py_None ? -1 : w->count * widths[held],
                                           &arrays[held]) == 0) {
        held++;
    }
    if (held == 3) {
        status = tact_world_batch_send(w->batch, &(TactWorldStates){.q = arrays[0].numbers,
                                                                    .v = arrays[1].numbers,
                                                                    .ctrl = arrays[2].numbers});
    }
    for (int k = 0; k < held; k++) {
        tact_py_release(&arrays[k]);
    }
    if (held < 3) {
        return NULL;
    }
    return status == TACT_OK ? Py_NewRef(Py_None) : tact_py_raise(status);
}

/// _fetch_sensors() -> sensordata
static PyObject *fetch_sensors(PyObject *self, PyObject *args)
{
    Worlds         *w = (Worlds *)self;
    TactWorldStates states = {0};
    TactModel      *m = enter(w);
    (void)args;
    PyObject *S = m ? tact_py_block_new(w->count, m->sensor_size, &states.sensors) : NULL;
    if (!S) {
        return NULL;
    }
    TactStatus status = tact_world_batch_fetch(w->batch, &states);
    if (status != TACT_OK) {
        Py_DECREF(S);
        return tact_py_raise(status);
    }
    return S;
}

/// _fetch() -> qpos, qvel
static PyObject *fetch(PyObject *self, PyObject *args)
{
    Worlds         *w = (Worlds *)self;
    TactWorldStates states = {0};
    PyObject       *result = NULL;
    TactModel      *m = enter(w);
    (void)args;
    if (!m) {
        return NULL;
    }
    PyObject *Q = tact_py_block_new(w->count, m->nq, &states.q);
    PyObject *V = tact_py_block_new(w->count, m->nv, &states.v);
    if (Q && V) {
        TactStatus status = tact_world_batch_fetch(w->batch, &states);
        result = status == TACT_OK ? Py_BuildValue("(OO)", Q, V) : tact_py_raise(status);
    }
    Py_XDECREF(Q);
    Py_XDECREF(V);
    return result;
}

/// _reset(bytes, one a world, or None)
static PyObject *reset(PyObject *self, PyObject *args)
{
    Worlds     *w = (Worlds *)self;
    const char *which = NULL;
    Py_ssize_t  size = 0;
    if (!enter(w) || !PyArg_ParseTuple(args, "z#", &which, &size)) {
        return NULL;
    }
    if (which && size != w->count) {
        PyErr_SetString(PyExc_ValueError, "which: one truth value a world");
        return NULL;
    }
    TactStatus status = tact_world_batch_reset(w->batch, (const unsigned char *)which);
    return status == TACT_OK ? Py_NewRef(Py_None) : tact_py_raise(status);
}

/// _set(path, values of all worlds)
static PyObject *set_parameter(PyObject *self, PyObject *args)
{
    Worlds              *w = (Worlds *)self;
    const char          *path = NULL;
    PyObject            *given = NULL;
    const TactParameter *parameter = NULL;
    TactPyArray          array;
    int                  index = 0;
    TactModel           *m = enter(w);
    if (!m || !PyArg_ParseTuple(args, "sO", &path, &given)) {
        return NULL;
    }
    TactStatus status = tact_parameter_find(m, path, &parameter, &index);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    if (tact_py_get_doubles(given, path, (Py_ssize_t)w->count * parameter->count, &array)) {
        return NULL;
    }
    status = tact_world_batch_set(w->batch, path, array.numbers, parameter->count);
    tact_py_release(&array);
    return status == TACT_OK ? Py_NewRef(Py_None) : tact_py_raise(status);
}

/// _copy(world, sim): the simulation takes the state of the world
static PyObject *copy_world(PyObject *self, PyObject *args)
{
    Worlds   *w = (Worlds *)self;
    int       world = 0;
    PyObject *sim = NULL;
    if (!enter(w) || !PyArg_ParseTuple(args, "iO", &world, &sim)) {
        return NULL;
    }
    TactPyCore *core = tact_py_sim_write(sim);
    if (!core) {
        return NULL;
    }
    TactStatus status = tact_world_batch_copy(w->batch, world, core->sim);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"_copy", copy_world, METH_VARARGS, NULL},
    {"_set", set_parameter, METH_VARARGS, NULL},
    {"_open", open_worlds, METH_VARARGS, NULL},
    {"_step", step, METH_VARARGS, NULL},
    {"_send", send_states, METH_VARARGS, NULL},
    {"_fetch", fetch, METH_NOARGS, NULL},
    {"_fetch_sensors", fetch_sensors, METH_NOARGS, NULL},
    {"_reset", reset, METH_VARARGS, NULL},
    {"_dlpack", lend, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, deallocate}, {Py_tp_methods, methods}, {0, NULL}};
static PyType_Spec spec = {"tact._tact.Worlds", sizeof(Worlds), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int tact_py_worlds_add(PyObject *module)
{
    return tact_py_add_type(module, &spec) ? 0 : -1;
}
