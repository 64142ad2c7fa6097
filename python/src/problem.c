// Contact problems: made from bodies, M and J, or W, or read from a file.
#include "problem.h"

#include <string.h>

static PyObject *problem_type;

static void forget(TactPyProblem *p)
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
    forget((TactPyProblem *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static Py_ssize_t count_rows_of(const TactContact *contact)
{
    return tact_contact_has_moments(contact) ? 6 : 3;
}

Py_ssize_t tact_py_problem_count_rows(const TactContactProblem *problem)
{
    Py_ssize_t count = 0;
    for (int i = 0; i < problem->contact_count; i++) {
        count += count_rows_of(&problem->contacts[i]);
    }
    return count;
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
static int get_numbers(TactPyProblem *p, PyObject *M, PyObject *v, PyObject *tau, PyObject *W,
                       PyObject *u_free, PyObject *J, PyObject *row_J, Py_ssize_t nv)
{
    TactContactProblem *problem = &p->problem;
    Py_ssize_t          nu = tact_py_problem_count_rows(problem), rows = problem->row_count;
    size_t              room = (size_t)(nv * nv + 2 * nv + nu * nu + nu + nu * nv + rows * nv + 1);
    double             *next = PyMem_Calloc(room, sizeof *next);
    p->numbers = next;
    if (!next) {
        PyErr_NoMemory();
        return -1;
    }
    const double *contact_rows = NULL, *other_rows = NULL;
    problem->nv = (int)nv;
    if (take(M, "M", nv * nv, &next, &problem->M) < 0 || take(v, "v", nv, &next, &problem->v) < 0 ||
        take(tau, "tau", nv, &next, &problem->tau) < 0 ||
        take(W, "W", nu * nu, &next, &problem->W) < 0 ||
        take(u_free, "u_free", nu, &next, &problem->u_free) < 0 ||
        take(J, "J", nu * nv, &next, &contact_rows) < 0 ||
        take(row_J, "row J", rows * nv, &next, &other_rows) < 0) {
        return -1;
    }
    TactContact *contacts = p->contacts;
    for (int i = 0; contact_rows && i < problem->contact_count; i++) {
        contacts[i].J = contact_rows;
        contact_rows += count_rows_of(&contacts[i]) * nv;
    }
    for (Py_ssize_t i = 0; i < rows; i++) {
        ((TactContactRow *)p->rows)[i].J = other_rows ? other_rows + i * nv : NULL;
    }
    return 0;
}

/// _make(step, level, bodies, contacts, rows, M, v, tau, W, u_free, J, row_J, nv)
static PyObject *make(PyObject *self, PyObject *args)
{
    TactPyProblem      *p = (TactPyProblem *)self;
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
            0) {
        forget(p);
        return NULL;
    }
    problem->contacts = p->contacts;
    if (get_numbers(p, M, v, tau, W, u_free, J, row_J, nv) < 0) {
        forget(p);
        return NULL;
    }
    problem->step = step;
    problem->level = (TactContactLevel)level;
    problem->bodies = problem->body_count > 0 ? p->bodies : NULL;
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
    TactPyProblem *p = (TactPyProblem *)self;
    const char    *path = NULL;
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

TactPyProblem *tact_py_problem_of(PyObject *object)
{
    int is = PyObject_IsInstance(object, problem_type);
    if (is <= 0 || ((TactPyProblem *)object)->problem.step == 0) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "a tact.contact.Problem is wanted");
        }
        return NULL;
    }
    return (TactPyProblem *)object;
}

static PyObject *write_file(PyObject *self, PyObject *args)
{
    const char    *path = NULL;
    TactPyProblem *p = tact_py_problem_of(self);
    if (!p || !PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    TactStatus status = tact_contact_write(&p->problem, path);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyObject *describe(PyObject *self, PyObject *unused)
{
    TactPyProblem *p = tact_py_problem_of(self);
    (void)unused;
    if (!p) {
        return NULL;
    }
    const TactContactProblem *q = &p->problem;
    return Py_BuildValue(
        "{s:d,s:s,s:i,s:i,s:i,s:i,s:N,s:N,s:N}", "step", q->step, "level",
        tact_contact_level_name(q->level), "contact_count", q->contact_count, "row_count",
        q->row_count, "body_count", q->body_count, "dof", tact_contact_get_dof(q), "bodies",
        tact_py_list_of(q->bodies, q->bodies ? q->body_count : 0, sizeof *q->bodies,
                        &tact_py_contact_body_table),
        "contacts",
        tact_py_list_of(q->contacts, q->contact_count, sizeof *q->contacts, &tact_py_contact_table),
        "rows", tact_py_list_of(q->rows, q->row_count, sizeof *q->rows, &tact_py_row_table));
}

/// Rows of J of all contacts, copied; None if there are none.
static PyObject *contact_J(const TactContactProblem *problem)
{
    double    *next = NULL;
    Py_ssize_t nv = problem->nv;
    if (problem->contact_count == 0 || !problem->contacts[0].J) {
        Py_RETURN_NONE;
    }
    PyObject *block = tact_py_block_new(tact_py_problem_count_rows(problem), nv, &next);
    for (int i = 0; block && i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        size_t             count = (size_t)(count_rows_of(contact) * nv);
        memcpy(next, contact->J, count * sizeof *next);
        next += count;
    }
    return block;
}

/// Those of the joint rows.
static PyObject *row_J(const TactContactProblem *problem)
{
    double *next = NULL;
    size_t  nv = (size_t)problem->nv;
    if (problem->row_count == 0 || !problem->rows[0].J) {
        Py_RETURN_NONE;
    }
    PyObject *block = tact_py_block_new(problem->row_count, problem->nv, &next);
    for (int i = 0; block && i < problem->row_count; i++) {
        memcpy(next + (size_t)i * nv, problem->rows[i].J, nv * sizeof *next);
    }
    return block;
}

/// M, v, tau, W, u_free, J, row_J as arrays, or None
static PyObject *arrays(PyObject *self, PyObject *unused)
{
    TactPyProblem *p = tact_py_problem_of(self);
    (void)unused;
    if (!p) {
        return NULL;
    }
    TactContactProblem *q = &p->problem;
    Py_ssize_t          nv = q->nv, nu = tact_py_problem_count_rows(q);
    const struct {
        const double *numbers;
        Py_ssize_t    rows, columns;
    } all[] = {{q->M, nv, nv}, {q->v, nv, 0}, {q->tau, nv, 0}, {q->W, nu, nu}, {q->u_free, nu, 0}};
    enum { LENT = sizeof all / sizeof *all, ALL = LENT + 2 };
    PyObject *tuple = PyTuple_New(ALL);
    for (int i = 0; tuple && i < ALL; i++) {
        PyObject *item = i == LENT         ? contact_J(q)
                         : i == LENT + 1   ? row_J(q)
                         : !all[i].numbers ? Py_NewRef(Py_None)
                                           : tact_py_block_lend(self, (void *)all[i].numbers,
                                                                all[i].rows, all[i].columns, true);
        if (!item || PyTuple_SetItem(tuple, i, item) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

static PyMethodDef problem_methods[] = {
    {"_make", make, METH_VARARGS, NULL},
    {"_read", read_file, METH_VARARGS, NULL},
    {"_write", write_file, METH_VARARGS, NULL},
    {"_describe", describe, METH_NOARGS, NULL},
    {"_arrays", arrays, METH_NOARGS, NULL},
    {"_judge", tact_py_problem_judge, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot problem_slots[] = {
    {Py_tp_dealloc, problem_deallocate}, {Py_tp_methods, problem_methods}, {0, NULL}};
static PyType_Spec problem_spec = {"tact._tact.Problem", sizeof(TactPyProblem), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, problem_slots};

int tact_py_problem_add(PyObject *module)
{
    problem_type = tact_py_add_type(module, &problem_spec);
    return problem_type ? 0 : -1;
}
