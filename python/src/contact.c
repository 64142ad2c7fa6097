// Contact problems: made from bodies, M and J, or W, or read from a file; solved and judged.
#include <string.h>

#include "common.h"

typedef struct Problem {
    PyObject_HEAD TactContactProblem problem;
    TactContactFile                 *file; // NULL: it was made here, and these are its arrays
    void                            *bodies, *contacts, *rows, *numbers;
} Problem;

typedef struct Solver {
    PyObject_HEAD TactContactSolver *solver;
    TactContactCapacity              capacity;
    TactContactConfig                config;
    bool                             busy;
} Solver;

static PyObject *problem_type, *solver_type;

static void forget(Problem *p)
{
    tact_contact_file_destroy(p->file);
    PyMem_Free(p->bodies);
    PyMem_Free(p->contacts);
    PyMem_Free(p->rows);
    PyMem_Free(p->numbers);
    p->file = NULL;
    p->bodies = p->contacts = p->rows = p->numbers = NULL;
    p->problem = (TactContactProblem){0};
}

static void problem_deallocate(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    forget((Problem *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

// ---------------------------------------------------------------------------------------------
// Making one

/// Structs of a list of dicts. Entries that are not of the table ("J") must be gone already.
static int get_structs(PyObject *list, const TactPyTable *table, size_t size, const void *start,
                       void **array, int *count)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) {
        return -1;
    }
    *array = PyMem_Calloc((size_t)n + 1, size);
    *count = (int)n;
    if (!*array) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        char  what[64];
        char *item = (char *)*array + (size_t)i * size;
        PyOS_snprintf(what, sizeof what, "%s %d", table->name, (int)i);
        memcpy(item, start, size);
        if (tact_py_from_dict(table, PyList_GetItem(list, i), item, what) < 0) {
            return -1;
        }
    }
    return 0;
}

/// Copies an array into the numbers of the problem.
static int take(PyObject *object, const char *what, Py_ssize_t count, double **next,
                const double **to)
{
    TactPyArray array;
    if (tact_py_get_doubles(object, what, object == Py_None ? -1 : count, &array) < 0) {
        return -1;
    }
    *to = NULL;
    if (array.held) {
        memcpy(*next, array.numbers, (size_t)count * sizeof **next);
        *to = *next;
        *next += count;
    }
    tact_py_release(&array);
    return 0;
}

/// The arrays of M or W, and the rows of J.
static int get_numbers(Problem *p, PyObject *M, PyObject *v, PyObject *tau, PyObject *W,
                       PyObject *u_free, PyObject *J, PyObject *row_J, Py_ssize_t nv)
{
    TactContactProblem *problem = &p->problem;
    Py_ssize_t          nc = problem->contact_count, rows = problem->row_count;
    size_t  room = (size_t)(nv * nv + 2 * nv + 9 * nc * nc + 3 * nc + 3 * nc * nv + rows * nv + 1);
    double *next = PyMem_Calloc(room, sizeof *next);
    p->numbers = next;
    if (!next) {
        PyErr_NoMemory();
        return -1;
    }
    const double *contact_rows = NULL, *other_rows = NULL;
    problem->nv = (int)nv;
    if (take(M, "M", nv * nv, &next, &problem->M) < 0 || take(v, "v", nv, &next, &problem->v) < 0 ||
        take(tau, "tau", nv, &next, &problem->tau) < 0 ||
        take(W, "W", 9 * nc * nc, &next, &problem->W) < 0 ||
        take(u_free, "u_free", 3 * nc, &next, &problem->u_free) < 0 ||
        take(J, "J", 3 * nc * nv, &next, &contact_rows) < 0 ||
        take(row_J, "row J", rows * nv, &next, &other_rows) < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < nc; i++) {
        ((TactContact *)p->contacts)[i].J = contact_rows ? contact_rows + 3 * i * nv : NULL;
    }
    for (Py_ssize_t i = 0; i < rows; i++) {
        ((TactContactRow *)p->rows)[i].J = other_rows ? other_rows + i * nv : NULL;
    }
    return 0;
}

/// _make(step, level, bodies, contacts, rows, M, v, tau, W, u_free, J, row_J, nv)
static PyObject *make(PyObject *self, PyObject *args)
{
    Problem            *p = (Problem *)self;
    TactContactProblem *problem = &p->problem;
    PyObject           *bodies, *contacts, *rows, *M, *v, *tau, *W, *u_free, *J, *row_J;
    int                 level = 0;
    Py_ssize_t          nv = 0;
    double              step = 0;
    if (!PyArg_ParseTuple(args, "diO!O!O!OOOOOOOn", &step, &level, &PyList_Type, &bodies,
                          &PyList_Type, &contacts, &PyList_Type, &rows, &M, &v, &tau, &W, &u_free,
                          &J, &row_J, &nv)) {
        return NULL;
    }
    if (problem->step != 0) {
        PyErr_SetString(PyExc_RuntimeError, "this problem was made before");
        return NULL;
    }
    const TactContactBody body = {.mass = 1, .inertia = {1, 1, 1, 0, 0, 0}};
    const TactContact     contact = {.a = -1, .b = 0, .normal = {0, 0, 1}};
    const TactContactRow  row = {.a = -1, .b = -1};
    if (get_structs(bodies, &tact_py_contact_body_table, sizeof body, &body, &p->bodies,
                    &problem->body_count) < 0 ||
        get_structs(contacts, &tact_py_contact_table, sizeof contact, &contact, &p->contacts,
                    &problem->contact_count) < 0 ||
        get_structs(rows, &tact_py_row_table, sizeof row, &row, &p->rows, &problem->row_count) <
            0 ||
        get_numbers(p, M, v, tau, W, u_free, J, row_J, nv) < 0) {
        forget(p);
        return NULL;
    }
    problem->step = step;
    problem->level = (TactContactLevel)level;
    problem->bodies = problem->body_count > 0 ? p->bodies : NULL;
    problem->contacts = p->contacts;
    problem->rows = problem->row_count > 0 ? p->rows : NULL;
    TactStatus status = tact_contact_check(problem);
    if (status != TACT_OK) {
        forget(p);
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyObject *read_file(PyObject *self, PyObject *args)
{
    Problem    *p = (Problem *)self;
    const char *path = NULL;
    if (!PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    if (p->problem.step != 0) {
        PyErr_SetString(PyExc_RuntimeError, "this problem was made before");
        return NULL;
    }
    TactStatus status = tact_contact_read(path, &p->file);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    p->problem = p->file->problem;
    return Py_BuildValue("(ss)", p->file->format, p->file->title);
}

static Problem *problem_of(PyObject *object)
{
    int is = PyObject_IsInstance(object, problem_type);
    if (is <= 0 || ((Problem *)object)->problem.step == 0) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "a tact.contact.Problem is wanted");
        }
        return NULL;
    }
    return (Problem *)object;
}

static PyObject *write_file(PyObject *self, PyObject *args)
{
    const char *path = NULL;
    Problem    *p = problem_of(self);
    if (!p || !PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    TactStatus status = tact_contact_write(&p->problem, path);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyObject *list_of(const void *array, int count, size_t size, const TactPyTable *table)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        PyObject *item = tact_py_to_dict(table, (const char *)array + (size_t)i * size);
        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *describe(PyObject *self, PyObject *unused)
{
    Problem *p = problem_of(self);
    (void)unused;
    if (!p) {
        return NULL;
    }
    const TactContactProblem *q = &p->problem;
    return Py_BuildValue(
        "{s:d,s:i,s:i,s:i,s:i,s:N,s:N,s:N}", "step", q->step, "contact_count", q->contact_count,
        "row_count", q->row_count, "body_count", q->body_count, "dof", tact_contact_get_dof(q),
        "bodies",
        list_of(q->bodies, q->bodies ? q->body_count : 0, sizeof *q->bodies,
                &tact_py_contact_body_table),
        "contacts",
        list_of(q->contacts, q->contact_count, sizeof *q->contacts, &tact_py_contact_table), "rows",
        list_of(q->rows, q->row_count, sizeof *q->rows, &tact_py_row_table));
}

/// Rows of W: three a contact, six of one that resists spinning or rolling.
static Py_ssize_t count_rows(const TactContactProblem *problem)
{
    Py_ssize_t count = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        count += tact_contact_has_moments(&problem->contacts[i]) ? 6 : 3;
    }
    return count;
}

/// M, v, tau, W, u_free as arrays, or None
static PyObject *arrays(PyObject *self, PyObject *unused)
{
    Problem *p = problem_of(self);
    (void)unused;
    if (!p) {
        return NULL;
    }
    TactContactProblem *q = &p->problem;
    Py_ssize_t          nv = q->nv, nu = count_rows(q);
    const struct {
        const double *numbers;
        Py_ssize_t    rows, columns;
    } all[] = {{q->M, nv, nv}, {q->v, nv, 0}, {q->tau, nv, 0}, {q->W, nu, nu}, {q->u_free, nu, 0}};
    PyObject *tuple = PyTuple_New(5);
    for (int i = 0; tuple && i < 5; i++) {
        PyObject *item = all[i].numbers ? tact_py_block_lend(self, (void *)all[i].numbers,
                                                             all[i].rows, all[i].columns, true)
                                        : Py_NewRef(Py_None);
        if (!item || PyTuple_SetItem(tuple, i, item) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

// ---------------------------------------------------------------------------------------------
// Judging an answer

/// An answer from arguments (impulse, row_impulse, velocity).
typedef struct Given {
    TactPyArray       impulse, row_impulse, velocity;
    TactContactAnswer answer;
} Given;

static void given_release(Given *g)
{
    tact_py_release(&g->impulse);
    tact_py_release(&g->row_impulse);
    tact_py_release(&g->velocity);
}

static int given_get(const Problem *p, PyObject *impulse, PyObject *rows, PyObject *velocity,
                     Given *g)
{
    const TactContactProblem *q = &p->problem;
    if (impulse == Py_None) {
        PyErr_SetString(PyExc_TypeError, "impulse: an array is wanted");
        return -1;
    }
    if (count_rows(q) != 3 * (Py_ssize_t)q->contact_count) { // an answer here has no moments
        PyErr_SetString(PyExc_NotImplementedError,
                        "answers to contacts that resist spinning or rolling are judged by the "
                        "report of the solver, or in C");
        return -1;
    }
    if (tact_py_get_doubles(impulse, "impulse", 3 * (Py_ssize_t)q->contact_count, &g->impulse) <
            0 ||
        tact_py_get_doubles(rows, "row_impulse", rows == Py_None ? -1 : q->row_count,
                            &g->row_impulse) < 0 ||
        tact_py_get_doubles(velocity, "velocity",
                            velocity == Py_None ? -1 : tact_contact_get_dof(q), &g->velocity) < 0) {
        return -1;
    }
    bool need_rows = q->row_count > 0 && !g->row_impulse.held;
    bool need_velocity = !q->W && !g->velocity.held;
    if (need_rows || need_velocity) {
        PyErr_Format(PyExc_ValueError, "%s is missing", need_rows ? "row_impulse" : "velocity");
        return -1;
    }
    g->answer = (TactContactAnswer){.impulse = g->impulse.numbers,
                                    .row_impulse = g->row_impulse.numbers,
                                    .velocity = g->velocity.numbers};
    return 0;
}

/// _judge(what, cone, impulse, row_impulse, velocity)
static PyObject *judge(PyObject *self, PyObject *args)
{
    const char *what = NULL, *cone_name = NULL;
    PyObject   *impulse, *rows, *velocity, *result = NULL;
    Given       g = {.answer = {0}};
    Problem    *p = problem_of(self);
    if (!p || !PyArg_ParseTuple(args, "ssOOO", &what, &cone_name, &impulse, &rows, &velocity)) {
        return NULL;
    }
    TactContactCone cone;
    TactStatus      status = tact_contact_cone_find(cone_name, &cone);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    if (given_get(p, impulse, rows, velocity, &g) < 0) {
        given_release(&g);
        return NULL;
    }
    int                    nc = p->problem.contact_count;
    TactContactCertificate certificate;
    TactContactDiagnosis  *diagnosis = PyMem_Calloc((size_t)nc + 1, sizeof *diagnosis);
    TactContactRange      *range = PyMem_Calloc((size_t)nc + 1, sizeof *range);
    TactProof             *proof = NULL;
    PyThreadState         *saved = PyEval_SaveThread();
    if (!diagnosis || !range) {
        status = TACT_NO_MEMORY;
    } else if (what[0] == 'c') {
        status = tact_contact_certify(&p->problem, cone, g.answer.impulse, g.answer.row_impulse,
                                      g.answer.velocity, &certificate);
    } else if (what[0] == 'd') {
        status = tact_contact_diagnose(&p->problem, &g.answer, diagnosis);
    } else if (what[0] == 'r') {
        status = tact_contact_compute_ranges(&p->problem, cone, &g.answer, range);
    } else {
        status = tact_prove_contact(&p->problem, cone, &g.answer, NULL, &proof);
    }
    PyEval_RestoreThread(saved);
    if (status != TACT_OK) {
        tact_py_raise(status);
    } else if (what[0] == 'c') {
        result = tact_py_to_dict(&tact_py_certificate_table, &certificate);
    } else if (what[0] == 'd') {
        result = list_of(diagnosis, nc, sizeof *diagnosis, &tact_py_diagnosis_table);
    } else if (what[0] == 'r') {
        result = list_of(range, nc, sizeof *range, &tact_py_range_table);
    } else {
        const TactProofReport *report = tact_proof_view_report(proof);
        result = Py_BuildValue("(Ns)", tact_py_to_dict(&tact_py_proof_table, report), report->why);
    }
    tact_proof_destroy(proof);
    PyMem_Free(diagnosis);
    PyMem_Free(range);
    given_release(&g);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Solvers

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
           (have->dense || !want->dense);
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
    PyObject *rungs = dict ? list_of(report->rungs, report->rung_count, sizeof *report->rungs,
                                     &tact_py_rung_table)
                           : NULL;
    if (!rungs || PyDict_SetItemString(dict, "rungs", rungs) < 0) {
        Py_CLEAR(dict);
    }
    Py_XDECREF(rungs);
    return dict;
}

/// _solve(problem) -> impulse, row_impulse, velocity, u, report, words
static PyObject *solve(PyObject *self, PyObject *object)
{
    Solver  *s = (Solver *)self;
    Problem *p = problem_of(object);
    if (!p) {
        return NULL;
    }
    if (s->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread uses this solver");
        return NULL;
    }
    TactContactAnswer answer = {0};
    TactContactReport report = {0};
    char              words[512] = "";
    PyObject         *impulse = tact_py_block_new(p->problem.contact_count, 3, &answer.impulse);
    PyObject         *rows = tact_py_block_new(p->problem.row_count, 0, &answer.row_impulse);
    PyObject *velocity = tact_py_block_new(tact_contact_get_dof(&p->problem), 0, &answer.velocity);
    PyObject *u = tact_py_block_new(p->problem.contact_count, 3, &answer.u);
    if (impulse && rows && velocity && u) {
        s->busy = true;
        Py_INCREF(object);
        PyThreadState *saved = PyEval_SaveThread();
        TactStatus     status = grow(s, &p->problem);
        if (status == TACT_OK) {
            status = tact_contact_solve(s->solver, &p->problem, &answer, &report);
        }
        if (status == TACT_OK) {
            tact_contact_explain(&p->problem, &answer, &report, s->config.tol, words, sizeof words);
        }
        PyEval_RestoreThread(saved);
        Py_DECREF(object);
        s->busy = false;
        if (status == TACT_OK) {
            return Py_BuildValue("(NNNNNs)", impulse, rows, velocity, u, report_of(&report), words);
        }
        tact_py_raise(status);
    }
    Py_XDECREF(impulse);
    Py_XDECREF(rows);
    Py_XDECREF(velocity);
    Py_XDECREF(u);
    return NULL;
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

static PyMethodDef problem_methods[] = {
    {"_make", make, METH_VARARGS, NULL},
    {"_read", read_file, METH_VARARGS, NULL},
    {"_write", write_file, METH_VARARGS, NULL},
    {"_describe", describe, METH_NOARGS, NULL},
    {"_arrays", arrays, METH_NOARGS, NULL},
    {"_judge", judge, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

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

static PyType_Slot problem_slots[] = {
    {Py_tp_dealloc, problem_deallocate}, {Py_tp_methods, problem_methods}, {0, NULL}};
static PyType_Spec problem_spec = {"tact._tact.Problem", sizeof(Problem), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, problem_slots};
static PyType_Slot solver_slots[] = {
    {Py_tp_dealloc, solver_deallocate}, {Py_tp_methods, solver_methods}, {0, NULL}};
static PyType_Spec solver_spec = {"tact._tact.Solver", sizeof(Solver), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, solver_slots};

int tact_py_contact_add(PyObject *module)
{
    problem_type = tact_py_add_type(module, &problem_spec);
    solver_type = tact_py_add_type(module, &solver_spec);
    return problem_type && solver_type ? PyModule_AddFunctions(module, tact_py_contact_methods)
                                       : -1;
}
