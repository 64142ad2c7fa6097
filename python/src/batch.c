// Rollouts and batches: many worlds on threads, without the GIL.
#include <string.h>

#include "common.h"

typedef struct Batch {
    PyObject_HEAD PyObject *model;
    TactBatch              *batch;
    TactWorkers            *workers;
    bool                    busy;
} Batch;

static PyObject *batch_type;

/// What a rollout is given: arrays that are held, and paths.
typedef struct Given {
    TactPyArray q, v, ctrl, values;
    PyObject   *words[64]; // paths as bytes
    const char *paths[64];
    int         path_count;
} Given;

static void release(Given *g)
{
    tact_py_release(&g->q);
    tact_py_release(&g->v);
    tact_py_release(&g->ctrl);
    tact_py_release(&g->values);
    for (int i = 0; i < g->path_count; i++) {
        Py_DECREF(g->words[i]);
    }
    g->path_count = 0;
}

static int get_paths(PyObject *tuple, const TactModel *model, Given *g, Py_ssize_t *numbers)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    *numbers = 0;
    if (count > 64) {
        PyErr_SetString(PyExc_ValueError, "more than 64 parameters");
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject            *word = PyUnicode_AsUTF8String(PyTuple_GetItem(tuple, i));
        const TactParameter *parameter = NULL;
        int                  index = 0;
        if (!word) {
            return -1;
        }
        g->words[g->path_count] = word;
        g->paths[g->path_count++] = PyBytes_AsString(word);
        TactStatus status = tact_parameter_find(model, PyBytes_AsString(word), &parameter, &index);
        if (status != TACT_OK) {
            return tact_py_fail(status);
        }
        *numbers += parameter->count;
    }
    return 0;
}

static TactStatus run(int threads, const TactModel *model, const TactSimConfig *config,
                      const TactRollout *rollout)
{
    TactWorkers *workers = NULL;
    TactStatus   status = tact_workers_create(threads, &workers);
    status = status == TACT_OK ? tact_rollout_run(workers, model, config, rollout) : status;
    tact_workers_destroy(workers);
    return status;
}

/// Numbers that may be missing.
static int get_some(PyObject *object, const char *what, Py_ssize_t count, TactPyArray *array)
{
    return tact_py_get_doubles(object, what, object == Py_None ? -1 : count, array);
}

/// The arrays that a rollout is given, checked; r has its counts already.
static int get_given(PyObject *const arrays[4], PyObject *paths, const TactModel *m, Given *g,
                     TactRollout *r)
{
    Py_ssize_t numbers = 0;
    if (r->worlds < 0 || r->steps < 0 || r->every < 1 || r->hold < 1) {
        PyErr_SetString(PyExc_ValueError, "rollout: a count is negative");
        return -1;
    }
    Py_ssize_t worlds = r->worlds;
    Py_ssize_t controls = r->steps / r->hold + (r->steps % r->hold > 0);
    if (get_some(arrays[0], "qpos", worlds * m->nq, &g->q) < 0 ||
        get_some(arrays[1], "qvel", worlds * m->nv, &g->v) < 0 ||
        get_some(arrays[2], "ctrl", worlds * controls * m->actuator_count, &g->ctrl) < 0 ||
        get_paths(paths, m, g, &numbers) < 0 ||
        get_some(arrays[3], "parameters", worlds * numbers, &g->values) < 0) {
        return -1;
    }
    r->q = g->q.numbers;
    r->v = g->v.numbers;
    r->ctrl = g->ctrl.numbers;
    r->parameter_count = g->path_count;
    r->paths = g->paths;
    r->values = g->values.numbers;
    return 0;
}

/// Runs it into new blocks: (q, v, sensors, worlds).
static PyObject *run_to_blocks(int threads, const TactModel *m, const TactSimConfig *config,
                               TactRollout *r)
{
    Py_ssize_t frames = (Py_ssize_t)r->worlds * (r->steps / r->every);
    PyObject  *Q = tact_py_block_new(frames * m->nq, 0, &r->q_out), *result = NULL;
    PyObject  *V = tact_py_block_new(frames * m->nv, 0, &r->v_out);
    PyObject  *S = tact_py_block_new(frames * m->sensor_size, 0, &r->sensors_out);
    r->worlds_out = PyMem_Calloc((size_t)r->worlds + 1, sizeof *r->worlds_out);
    if (Q && V && S && r->worlds_out) {
        TactPyWatch watch;
        r->watch = tact_py_watch_ask;
        r->context = &watch;
        tact_py_watch_begin(&watch);
        TactStatus status = run(threads, m, config, r);
        tact_py_watch_end(&watch);
        result =
            status == TACT_OK
                ? Py_BuildValue("(OOON)", Q, V, S,
                                tact_py_list_of(r->worlds_out, r->worlds, sizeof *r->worlds_out,
                                                &tact_py_rollout_world_table))
                : tact_py_raise(status);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    PyMem_Free(r->worlds_out);
    Py_XDECREF(Q);
    Py_XDECREF(V);
    Py_XDECREF(S);
    return result;
}

/// rollout(model, options, worlds, steps, every, hold, threads, q, v, ctrl, paths, values)
static PyObject *rollout(PyObject *module, PyObject *args)
{
    PyObject   *object, *options, *arrays[4], *paths, *result = NULL;
    TactRollout r = {0};
    Given       g = {.path_count = 0};
    int         threads = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!iiiiiOOOO!O", &object, &PyDict_Type, &options, &r.worlds,
                          &r.steps, &r.every, &r.hold, &threads, &arrays[0], &arrays[1], &arrays[2],
                          &PyTuple_Type, &paths, &arrays[3])) {
        return NULL;
    }
    TactModel *m = tact_py_model_of(object);
    if (!m) {
        return NULL;
    }
    TactSimConfig config = tact_sim_config_default(m);
    if (tact_py_from_dict(&tact_py_sim_config_table, options, &config, "rollout") == 0 &&
        get_given(arrays, paths, m, &g, &r) == 0) {
        result = run_to_blocks(threads, m, &config, &r);
    }
    release(&g);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Worlds that stay

static void deallocate(PyObject *self)
{
    Batch        *b = (Batch *)self;
    PyTypeObject *type = Py_TYPE(self);
    tact_batch_destroy(b->batch);
    tact_workers_destroy(b->workers);
    Py_XDECREF(b->model);
    freefunc free_it = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_it(self);
    Py_DECREF(type);
}

static PyObject *open_batch(PyObject *self, PyObject *args)
{
    Batch    *b = (Batch *)self;
    PyObject *object, *options;
    int       worlds = 0, threads = 0;
    if (!PyArg_ParseTuple(args, "OO!ii", &object, &PyDict_Type, &options, &worlds, &threads)) {
        return NULL;
    }
    TactModel *model = tact_py_model_of(object);
    if (!model || b->batch) {
        return model ? PyErr_Format(PyExc_RuntimeError, "this was made before") : NULL;
    }
    TactSimConfig config = tact_sim_config_default(model);
    if (tact_py_from_dict(&tact_py_sim_config_table, options, &config, "VectorEnv") < 0) {
        return NULL;
    }
    TactStatus status = b->workers ? TACT_OK : tact_workers_create(threads, &b->workers);
    status = status == TACT_OK ? tact_batch_create(model, &config, worlds, &b->batch) : status;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    b->model = Py_NewRef(object);
    Py_RETURN_NONE;
}

static TactModel *enter(Batch *b)
{
    if (!b->batch || b->busy) {
        PyErr_SetString(PyExc_RuntimeError, b->batch ? "another thread steps these worlds"
                                                     : "these worlds were never made");
        return NULL;
    }
    return tact_py_model_of(b->model);
}

/// Of which worlds all contact problems of the last step are proven.
static PyObject *list_certified(const TactSimReport *reports, Py_ssize_t count)
{
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        bool all = reports[i].certified == reports[i].islands;
        if (PyList_Append(list, all ? Py_True : Py_False) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/// Steps without the GIL.
static TactStatus step_worlds(Batch *b, const TactBatchStep *s)
{
    b->busy = true;
    PyThreadState *saved = PyEval_SaveThread();
    TactStatus     status = tact_batch_step(b->batch, b->workers, s);
    PyEval_RestoreThread(saved);
    b->busy = false;
    return status;
}

/// _step(ctrl or None, steps, skip bytes or None) -> q, v, sensors, certified
static PyObject *step(PyObject *self, PyObject *args)
{
    Batch        *b = (Batch *)self;
    PyObject     *ctrl = NULL, *result = NULL;
    const char   *skip = NULL;
    Py_ssize_t    skip_size = 0;
    TactPyArray   controls;
    TactBatchStep s = {0};
    TactModel    *m = enter(b);
    if (!m || !PyArg_ParseTuple(args, "Oiz#", &ctrl, &s.steps, &skip, &skip_size)) {
        return NULL;
    }
    Py_ssize_t worlds = tact_batch_get_count(b->batch);
    if (skip && skip_size != worlds) {
        PyErr_SetString(PyExc_ValueError, "skip: one byte a world");
        return NULL;
    }
    if (get_some(ctrl, "action", worlds * m->actuator_count, &controls) < 0) {
        return NULL;
    }
    PyObject *Q = tact_py_block_new(worlds * m->nq, 0, &s.q);
    PyObject *V = tact_py_block_new(worlds * m->nv, 0, &s.v);
    PyObject *S = tact_py_block_new(worlds * m->sensor_size, 0, &s.sensors);
    s.ctrl = controls.numbers;
    s.skip = (const unsigned char *)skip;
    s.reports = PyMem_Calloc((size_t)worlds + 1, sizeof *s.reports);
    if (Q && V && S && s.reports) {
        TactStatus status = step_worlds(b, &s);
        result = status == TACT_OK
                     ? Py_BuildValue("(OOON)", Q, V, S, list_certified(s.reports, worlds))
                     : tact_py_raise(status);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    PyMem_Free(s.reports);
    tact_py_release(&controls);
    Py_XDECREF(Q);
    Py_XDECREF(V);
    Py_XDECREF(S);
    return result;
}

/// _reset(world, keyframe, q or None, v or None)
static PyObject *reset(PyObject *self, PyObject *args)
{
    Batch      *b = (Batch *)self;
    PyObject   *Q = NULL, *V = NULL;
    int         world = 0, key = -1;
    TactPyArray q, v;
    TactModel  *m = enter(b);
    if (!m || !PyArg_ParseTuple(args, "iiOO", &world, &key, &Q, &V)) {
        return NULL;
    }
    TactSim *sim = tact_batch_view_world(b->batch, world);
    if (!sim) {
        return PyErr_Format(PyExc_IndexError, "there is no world %d", world);
    }
    if (tact_py_get_doubles(Q, "qpos", Q == Py_None ? -1 : m->nq, &q) < 0) {
        return NULL;
    }
    if (tact_py_get_doubles(V, "qvel", V == Py_None ? -1 : m->nv, &v) < 0) {
        tact_py_release(&q);
        return NULL;
    }
    TactStatus status = tact_sim_reset(sim, key);
    if (status == TACT_OK && q.held) {
        memcpy(tact_sim_view_state(sim)->q, q.numbers, (size_t)m->nq * sizeof(double));
    }
    if (status == TACT_OK && v.held) {
        memcpy(tact_sim_view_state(sim)->v, v.numbers, (size_t)m->nv * sizeof(double));
    }
    tact_py_release(&q);
    tact_py_release(&v);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

/// _set(world, path, values)
static PyObject *set_parameter(PyObject *self, PyObject *args)
{
    Batch      *b = (Batch *)self;
    PyObject   *numbers = NULL;
    const char *path = NULL;
    int         world = 0;
    TactPyArray values;
    if (!enter(b) || !PyArg_ParseTuple(args, "isO", &world, &path, &numbers)) {
        return NULL;
    }
    TactSim *sim = tact_batch_view_world(b->batch, world);
    if (!sim) {
        return PyErr_Format(PyExc_IndexError, "there is no world %d", world);
    }
    if (tact_py_get_doubles(numbers, path, -1, &values) < 0) {
        return NULL;
    }
    TactStatus status = tact_sim_set(sim, path, values.numbers, (int)values.count);
    tact_py_release(&values);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"_open", open_batch, METH_VARARGS, NULL},
    {"_step", step, METH_VARARGS, NULL},
    {"_reset", reset, METH_VARARGS, NULL},
    {"_set", set_parameter, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, deallocate}, {Py_tp_methods, methods}, {0, NULL}};
static PyType_Spec spec = {"tact._tact.Batch", sizeof(Batch), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

PyMethodDef tact_py_batch_methods[] = {
    {"rollout", rollout, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int tact_py_batch_add(PyObject *module)
{
    batch_type = tact_py_add_type(module, &spec);
    return batch_type ? PyModule_AddFunctions(module, tact_py_batch_methods) : -1;
}
