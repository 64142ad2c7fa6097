// Solvers of contact problems: each keeps its last answer for the next problem.
#include "problem.h"

typedef struct Solver {
    PyObject_HEAD TactContactSolver *solver;
    TactContactCapacity              capacity;
    TactContactConfig                config;
    bool                             busy;
} Solver;

static PyObject *solver_type;

static void solver_deallocate(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tact_contact_solver_destroy(((Solver *)self)->solver);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *configure(PyObject *self, PyObject *options)
{
    Solver           *s = (Solver *)self;
    TactContactConfig config = tact_contact_config_default(TACT_METHOD_LADDER);
    if (s->busy || s->solver) {
        PyErr_SetString(PyExc_RuntimeError, "this solver was made before");
        return NULL;
    }
    if (tact_py_from_dict(&tact_py_contact_config_table, options, &config, "Solver") < 0) {
        return NULL;
    }
    config = tact_contact_config_default(config.method);
    if (tact_py_from_dict(&tact_py_contact_config_table, options, &config, "Solver") < 0) {
        return NULL;
    }
    s->config = config;
    return tact_py_to_dict(&tact_py_contact_config_table, &config);
}

static bool fits(const TactContactCapacity *have, const TactContactCapacity *want)
{
    return have->contacts >= want->contacts && have->rows >= want->rows && have->dof >= want->dof &&
           have->support >= want->support && have->directions >= want->directions &&
           have->patches >= want->patches && (have->dense || !want->dense);
}

/// A solver that is large enough; its memory of the last answer is lost if it has to grow.
static TactStatus grow(Solver *s, const TactContactProblem *problem)
{
    TactContactCapacity want = tact_contact_get_capacity(problem);
    if (s->solver && fits(&s->capacity, &want)) {
        return TACT_OK;
    }
    tact_contact_solver_destroy(s->solver);
    s->solver = NULL;
    s->capacity = want;
    return tact_contact_solver_create(&want, &s->config, &s->solver);
}

static PyObject *report_of(const TactContactReport *report)
{
    PyObject *dict = tact_py_to_dict(&tact_py_contact_report_table, report);
    PyObject *rungs = dict ? tact_py_list_of(report->rungs, report->rung_count,
                                             sizeof *report->rungs, &tact_py_rung_table)
                           : NULL;
    if (!rungs || PyDict_SetItemString(dict, "rungs", rungs) < 0) {
        Py_CLEAR(dict);
    }
    Py_XDECREF(rungs);
    return dict;
}

/// Solves into the arrays of the answer, without the GIL.
static TactStatus solve_one(Solver *s, const TactContactProblem *problem,
                            const TactContactAnswer *answer, TactContactReport *report, char *words,
                            size_t size)
{
    PyThreadState *saved = PyEval_SaveThread();
    TactStatus     status = grow(s, problem);
    if (status == TACT_OK) {
        status = tact_contact_solve(s->solver, problem, answer, report);
    }
    if (status == TACT_OK) {
        tact_contact_explain(problem, answer, report, s->config.tol, words, size);
    }
    PyEval_RestoreThread(saved);
    return status;
}

/// _solve(problem) -> (impulse, row_impulse, velocity, u, moment, spin), report, words
static PyObject *solve(PyObject *self, PyObject *object)
{
    Solver        *s = (Solver *)self;
    TactPyProblem *p = tact_py_problem_of(object);
    if (!p) {
        return NULL;
    }
    if (s->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread uses this solver");
        return NULL;
    }
    const TactContactProblem *q = &p->problem;
    TactContactAnswer         answer = {0};
    TactContactReport         report = {0};
    char                      words[512] = "";
    const struct {
        Py_ssize_t rows, columns;
        double   **numbers;
    } parts[] = {
        {q->contact_count, 3, &answer.impulse},         {q->row_count, 0, &answer.row_impulse},
        {tact_contact_get_dof(q), 0, &answer.velocity}, {q->contact_count, 3, &answer.u},
        {q->contact_count, 3, &answer.moment},          {q->contact_count, 3, &answer.spin}};
    enum { PARTS = sizeof parts / sizeof *parts };
    PyObject *arrays = PyTuple_New(PARTS);
    for (int i = 0; arrays && i < PARTS; i++) {
        PyObject *block = tact_py_block_new(parts[i].rows, parts[i].columns, parts[i].numbers);
        if (!block || PyTuple_SetItem(arrays, i, block) < 0) {
            Py_CLEAR(arrays);
        }
    }
    if (!arrays) {
        return NULL;
    }
    s->busy = true;
    Py_INCREF(object);
    TactStatus status = solve_one(s, q, &answer, &report, words, sizeof words);
    Py_DECREF(object);
    s->busy = false;
    if (status != TACT_OK) {
        Py_DECREF(arrays);
        return tact_py_raise(status);
    }
    return Py_BuildValue("(NNs)", arrays, report_of(&report), words);
}

static PyObject *forget_last(PyObject *self, PyObject *unused)
{
    Solver *s = (Solver *)self;
    (void)unused;
    if (s->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread uses this solver");
        return NULL;
    }
    if (s->solver) {
        tact_contact_solver_forget(s->solver);
    }
    Py_RETURN_NONE;
}

static PyObject *list_methods(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module;
    (void)unused;
    for (int i = 0; list && i < TACT_METHOD_COUNT; i++) {
        const TactContactMethodInfo *info = tact_contact_method_info((TactContactMethod)i);
        PyObject *item = Py_BuildValue("{s:s,s:s,s:I}", "name", info->name, "source", info->source,
                                       "takes", info->takes);
        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyMethodDef solver_methods[] = {
    {"_configure", configure, METH_O, NULL},
    {"_solve", solve, METH_O, NULL},
    {"forget", forget_last, METH_NOARGS,
     "forget()\n--\n\nForgets the last answer: the next solve starts cold."},
    {NULL, NULL, 0, NULL},
};

PyMethodDef tact_py_contact_methods[] = {
    {"contact_methods", list_methods, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot solver_slots[] = {
    {Py_tp_dealloc, solver_deallocate}, {Py_tp_methods, solver_methods}, {0, NULL}};
static PyType_Spec solver_spec = {"tact._tact.Solver", sizeof(Solver), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, solver_slots};

int tact_py_solver_add(PyObject *module)
{
    solver_type = tact_py_add_type(module, &solver_spec);
    return solver_type ? PyModule_AddFunctions(module, tact_py_contact_methods) : -1;
}
