// Sweeps: trials by their numbers, on threads of the library or in whoever's process it is.
#include <string.h>

#include "common.h"

typedef struct Sweep {
    PyObject_HEAD TactSweep *sweep;
    TactSweepWorld          *world; // of run_trials; NULL: not made yet
    TactSweepTable          *table; // NULL: not open
    bool                     busy;
} Sweep;

static PyObject *sweep_type;

static void deallocate(PyObject *self)
{
    Sweep        *s = (Sweep *)self;
    PyTypeObject *type = Py_TYPE(self);
    tact_sweep_world_destroy(s->world);
    tact_status_ignore(tact_sweep_table_close(s->table));
    tact_sweep_destroy(s->sweep);
    freefunc free_it = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_it(self);
    Py_DECREF(type);
}

/// _open(name, text)
static PyObject *open_sweep(PyObject *self, PyObject *args)
{
    Sweep      *s = (Sweep *)self;
    const char *name = NULL, *text = NULL;
    Py_ssize_t  size = 0;
    if (!PyArg_ParseTuple(args, "ss#", &name, &text, &size)) {
        return NULL;
    }
    if (s->sweep) {
        return PyErr_Format(PyExc_RuntimeError, "this was made before");
    }
    TactStatus status = tact_sweep_read_memory(name, text, (size_t)size, &s->sweep);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static const TactSweepPlan *enter(Sweep *s)
{
    if (!s->sweep || s->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        s->sweep ? "another thread uses this sweep" : "this sweep was never made");
        return NULL;
    }
    return tact_sweep_view_plan(s->sweep);
}

static PyObject *words_of(const char *const *words, int count)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        PyObject *word = PyUnicode_FromString(words[i]);
        if (!word || PyList_Append(list, word) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(word);
    }
    return list;
}

static PyObject *plan_of(PyObject *self, PyObject *args)
{
    const TactSweepPlan *p = enter((Sweep *)self);
    (void)args;
    return p ? Py_BuildValue("{s:s,s:i,s:i,s:d,s:N,s:N,s:i,s:i,s:i,s:i,s:i,s:i,s:K}", "scene",
                             p->scene, "trials", p->trials, "grid", p->grid, "time", p->time,
                             "columns", words_of(p->columns, p->column_count), "outcomes",
                             words_of(p->outcomes, p->outcome_count), "first_varied",
                             p->first_varied, "varied_count", p->varied_count, "first_measured",
                             p->first_measured, "measured_count", p->measured_count,
                             "outcome_column", p->outcome_column, "problem_column",
                             p->problem_column, "identity", (unsigned long long)p->identity)
             : NULL;
}

/// _run_trials(numbers, failures or None) -> lines of the table
static PyObject *run_trials(PyObject *self, PyObject *args)
{
    Sweep         *s = (Sweep *)self;
    PyObject      *numbers = NULL;
    TactSweepTrial how = {0};
    if (!enter(s) || !PyArg_ParseTuple(args, "O!z", &PyList_Type, &numbers, &how.failures)) {
        return NULL;
    }
    PyObject  *lines = PyList_New(0);
    TactStatus status = s->world ? TACT_OK : tact_sweep_world_create(s->sweep, &s->world);
    for (Py_ssize_t i = 0; lines && status == TACT_OK && i < PyList_Size(numbers); i++) {
        TactSweepRow row = {0};
        long         trial = PyLong_AsLong(PyList_GetItem(numbers, i));
        if ((trial == -1 && PyErr_Occurred()) || PyErr_CheckSignals() < 0) {
            Py_CLEAR(lines);
            return NULL;
        }
        s->busy = true;
        PyThreadState *saved = PyEval_SaveThread();
        status = tact_sweep_world_run(s->world, (int)trial, &how, &row);
        PyEval_RestoreThread(saved);
        s->busy = false;
        PyObject *line = status == TACT_OK ? PyBytes_FromString(row.text) : NULL;
        if (line && PyList_Append(lines, line) < 0) {
            Py_CLEAR(lines);
        }
        Py_XDECREF(line);
    }
    if (status != TACT_OK) {
        Py_XDECREF(lines);
        return tact_py_raise(status);
    }
    return lines;
}

static TactStatus ask_python(void *context, const TactSweepProgress *progress)
{
    (void)progress;
    return tact_py_watch_ask(context);
}

/// _run(path, failures or None, threads) -> rows made
static PyObject *run_all(PyObject *self, PyObject *args)
{
    Sweep       *s = (Sweep *)self;
    TactWorkers *workers = NULL;
    TactPyWatch  watch;
    TactSweepRun run = tact_sweep_run_default();
    int          threads = 0;
    if (!enter(s) || !PyArg_ParseTuple(args, "szi", &run.path, &run.failures, &threads)) {
        return NULL;
    }
    run.watch = ask_python;
    run.context = &watch;
    s->busy = true;
    tact_py_watch_begin(&watch);
    TactStatus status = tact_workers_create(threads, &workers);
    status = status == TACT_OK ? tact_sweep_run(s->sweep, workers, &run) : status;
    tact_workers_destroy(workers);
    tact_py_watch_end(&watch);
    s->busy = false;
    return status == TACT_OK ? PyLong_FromLong(run.added) : tact_py_raise(status);
}

/// _open_table(path) -> trials that it lacks
static PyObject *open_table(PyObject *self, PyObject *args)
{
    Sweep               *s = (Sweep *)self;
    const TactSweepPlan *plan = enter(s);
    const char          *path = NULL;
    if (!plan || !PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    if (s->table) {
        return PyErr_Format(PyExc_RuntimeError, "its table is open already");
    }
    TactStatus status = tact_sweep_table_open(s->sweep, path, &s->table);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    PyObject *missing = PyList_New(0);
    for (int i = 0; missing && i < plan->trials; i++) {
        if (!tact_sweep_table_has(s->table, i)) {
            PyObject *number = PyLong_FromLong(i);
            if (!number || PyList_Append(missing, number) < 0) {
                Py_CLEAR(missing);
            }
            Py_XDECREF(number);
        }
    }
    return missing;
}

/// _add(trial, line)
static PyObject *add_line(PyObject *self, PyObject *args)
{
    Sweep      *s = (Sweep *)self;
    const char *line = NULL;
    Py_ssize_t  size = 0;
    int         trial = 0;
    if (!enter(s) || !PyArg_ParseTuple(args, "iy#", &trial, &line, &size)) {
        return NULL;
    }
    if (!s->table) {
        return PyErr_Format(PyExc_RuntimeError, "its table is not open");
    }
    TactStatus status = tact_sweep_table_add(s->table, trial, line, (size_t)size);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyObject *close_table(PyObject *self, PyObject *args)
{
    Sweep     *s = (Sweep *)self;
    TactStatus status = tact_sweep_table_close(s->table);
    (void)args;
    s->table = NULL;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

/// _results(path) -> block of rows x columns
static PyObject *results_of(PyObject *self, PyObject *args)
{
    Sweep            *s = (Sweep *)self;
    TactSweepResults *results = NULL;
    const char       *path = NULL;
    double           *data = NULL;
    if (!enter(s) || !PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    TactStatus status = tact_sweep_results_read(s->sweep, path, &results);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    PyObject *block = tact_py_block_new(results->count, results->column_count, &data);
    if (block && results->count > 0) {
        memcpy(data, results->values,
               (size_t)results->count * (size_t)results->column_count * sizeof *data);
    }
    tact_sweep_results_destroy(results);
    return block;
}

/// sweep_share(count, of) -> share, lo, hi
static PyObject *share_of(PyObject *module, PyObject *args)
{
    int count = 0, of = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "ii", &count, &of)) {
        return NULL;
    }
    TactSweepShare share = tact_sweep_share(count, of);
    return Py_BuildValue("(ddd)", share.share, share.lo, share.hi);
}

static PyMethodDef methods[] = {
    {"_open", open_sweep, METH_VARARGS, NULL},
    {"_plan", plan_of, METH_NOARGS, NULL},
    {"_run_trials", run_trials, METH_VARARGS, NULL},
    {"_run", run_all, METH_VARARGS, NULL},
    {"_open_table", open_table, METH_VARARGS, NULL},
    {"_add", add_line, METH_VARARGS, NULL},
    {"_close_table", close_table, METH_NOARGS, NULL},
    {"_results", results_of, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, deallocate}, {Py_tp_methods, methods}, {0, NULL}};

static PyType_Spec spec = {"tact._tact.Sweep", sizeof(Sweep), 0, Py_TPFLAGS_DEFAULT, slots};

PyMethodDef tact_py_sweep_methods[] = {
    {"sweep_share", share_of, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int tact_py_sweep_add(PyObject *module)
{
    sweep_type = tact_py_add_type(module, &spec);
    return sweep_type ? PyModule_AddFunctions(module, tact_py_sweep_methods) : -1;
}
