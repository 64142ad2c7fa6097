// Linear complementarity problems: solved, certified, proven, read and written.
#include <stdbool.h>
#include <string.h>

#include "common.h"

/// A problem from arguments; arrays are held until it is released.
typedef struct Arguments {
    TactPyArray    M, q, lo, hi, friction, start, row_start, column, value;
    TactLcpCsr     csr;
    TactLcpProblem problem;
} Arguments;

static void release(Arguments *a)
{
    TactPyArray *arrays[] = {&a->M,     &a->q,         &a->lo,     &a->hi,   &a->friction,
                             &a->start, &a->row_start, &a->column, &a->value};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        tact_py_release(arrays[i]);
    }
}

/// M: a dense block, or (row_start, column, value).
static int get_matrix(PyObject *M, Py_ssize_t n, Arguments *a)
{
    if (!PyTuple_Check(M)) {
        if (tact_py_get_doubles(M, "M", n * n, &a->M) < 0) {
            return -1;
        }
        a->problem.M = a->M.numbers;
        return 0;
    }
    if (PyTuple_Size(M) != 3 ||
        tact_py_get_ints(PyTuple_GetItem(M, 0), "M: row starts", n + 1, &a->row_start) < 0 ||
        tact_py_get_ints(PyTuple_GetItem(M, 1), "M: columns", -1, &a->column) < 0 ||
        tact_py_get_doubles(PyTuple_GetItem(M, 2), "M: values", a->column.count, &a->value) < 0) {
        return -1;
    }
    // The library takes the lengths of the arrays from the last row start.
    for (Py_ssize_t i = 0; i <= n; i++) {
        int start = a->row_start.ints[i], before = i > 0 ? a->row_start.ints[i - 1] : 0;
        if (start < before || start > a->column.count || (i == n && start != a->column.count)) {
            PyErr_Format(PyExc_ValueError, "M: row start %zd is %d", i, start);
            return -1;
        }
    }
    a->csr = (TactLcpCsr){a->row_start.ints, a->column.ints, a->value.numbers};
    a->problem.M_csr = &a->csr;
    return 0;
}

static int get_problem(PyObject *M, PyObject *q, PyObject *lo, PyObject *hi, PyObject *friction,
                       Arguments *a)
{
    if (q == Py_None || tact_py_get_doubles(q, "q", -1, &a->q) < 0) {
        return -1;
    }
    Py_ssize_t n = a->q.count;
    if (get_matrix(M, n, a) < 0 ||
        tact_py_get_doubles(lo, "lo", lo == Py_None ? -1 : n, &a->lo) < 0 ||
        tact_py_get_doubles(hi, "hi", hi == Py_None ? -1 : n, &a->hi) < 0 ||
        tact_py_get_ints(friction, "f_index", friction == Py_None ? -1 : n, &a->friction) < 0) {
        return -1;
    }
    a->problem.n = (int)n;
    a->problem.q = a->q.numbers;
    a->problem.lo = a->lo.numbers;
    a->problem.hi = a->hi.numbers;
    a->problem.f_index = a->friction.ints;
    return 0;
}

static TactStatus run(const Arguments *a, const TactLcpConfig *config, double *z,
                      TactLcpReport *report)
{
    TactLcpSolver *solver = NULL;
    TactStatus     status = tact_lcp_check(&a->problem);
    status = status == TACT_OK ? tact_lcp_solver_create(a->problem.n, config, &solver) : status;
    if (status == TACT_OK && a->start.held) {
        status = tact_lcp_solver_set_start(solver, a->problem.n, a->start.numbers, NULL);
    }
    if (status == TACT_OK) {
        status = tact_lcp_solve(solver, &a->problem, z, report);
    }
    tact_lcp_solver_destroy(solver);
    return status;
}

/// lcp_solve(M, q, lo, hi, f_index, start, options) -> (z, report)
static PyObject *solve(PyObject *module, PyObject *args)
{
    PyObject *M = NULL, *q = NULL, *lo = NULL, *hi = NULL, *f = NULL, *start = NULL, *dict = NULL;
    Arguments a = {.problem = {0}};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOOO", &M, &q, &lo, &hi, &f, &start, &dict)) {
        return NULL;
    }
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
    // The method first: the other defaults are its own.
    if (tact_py_from_dict(&tact_py_lcp_config_table, dict, &config, "lcp.solve") < 0) {
        return NULL;
    }
    config = tact_lcp_config_default(config.method);
    PyObject     *block = NULL, *report_dict = NULL;
    double       *z = NULL;
    TactLcpReport report;
    if (tact_py_from_dict(&tact_py_lcp_config_table, dict, &config, "lcp.solve") == 0 &&
        get_problem(M, q, lo, hi, f, &a) == 0 &&
        tact_py_get_doubles(start, "start", start == Py_None ? -1 : a.problem.n, &a.start) == 0) {
        config.storage = a.problem.M_csr ? TACT_LCP_STORAGE_SPARSE : TACT_LCP_STORAGE_DENSE;
        block = tact_py_block_new(a.problem.n, 0, &z);
    }
    if (block) {
        PyThreadState *saved = PyEval_SaveThread();
        TactStatus     status = run(&a, &config, z, &report);
        PyEval_RestoreThread(saved);
        report_dict = status == TACT_OK ? tact_py_to_dict(&tact_py_lcp_report_table, &report)
                                        : tact_py_raise(status);
    }
    release(&a);
    if (!report_dict) {
        Py_XDECREF(block);
        return NULL;
    }
    return Py_BuildValue("(NN)", block, report_dict);
}

/// lcp_certify(M, q, lo, hi, f_index, z) -> certificate
static PyObject *certify(PyObject *module, PyObject *args)
{
    PyObject          *M = NULL, *q = NULL, *lo = NULL, *hi = NULL, *f = NULL, *z = NULL;
    Arguments          a = {.problem = {0}};
    TactLcpCertificate certificate;
    PyObject          *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOO", &M, &q, &lo, &hi, &f, &z)) {
        return NULL;
    }
    if (get_problem(M, q, lo, hi, f, &a) == 0 &&
        tact_py_get_doubles(z, "z", a.problem.n, &a.start) == 0) {
        TactStatus status = tact_lcp_check(&a.problem);
        status = status == TACT_OK ? tact_lcp_certify(&a.problem, a.start.numbers, &certificate)
                                   : status;
        result = status == TACT_OK ? tact_py_to_dict(&tact_py_lcp_certificate_table, &certificate)
                                   : tact_py_raise(status);
    }
    release(&a);
    return result;
}

static PyObject *prove(PyObject *module, PyObject *args)
{
    PyObject  *M = NULL, *q = NULL, *lo = NULL, *hi = NULL, *f = NULL, *z = NULL, *result = NULL;
    Arguments  a = {.problem = {0}};
    TactProof *proof = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOO", &M, &q, &lo, &hi, &f, &z)) {
        return NULL;
    }
    if (get_problem(M, q, lo, hi, f, &a) == 0 &&
        tact_py_get_doubles(z, "z", a.problem.n, &a.start) == 0) {
        PyThreadState *saved = PyEval_SaveThread();
        TactStatus     status = tact_lcp_check(&a.problem);
        if (status == TACT_OK) {
            status = tact_prove_lcp(&a.problem, a.start.numbers, NULL, &proof);
        }
        PyEval_RestoreThread(saved);
        result = status == TACT_OK ? Py_BuildValue("(Ns)",
                                                   tact_py_to_dict(&tact_py_proof_table,
                                                                   tact_proof_view_report(proof)),
                                                   tact_proof_view_report(proof)->why)
                                   : tact_py_raise(status);
        tact_proof_destroy(proof);
    }
    release(&a);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Files

static PyObject *copy_of(const double *numbers, Py_ssize_t rows, Py_ssize_t columns)
{
    double *out = NULL;
    if (!numbers) {
        Py_RETURN_NONE;
    }
    PyObject *block = tact_py_block_new(rows, columns, &out);
    if (block) {
        memcpy(out, numbers, (size_t)(rows * (columns > 0 ? columns : 1)) * sizeof *out);
    }
    return block;
}

static PyObject *file_to_python(TactLcpFile *file)
{
    TactLcpProblem problem;
    TactStatus     status = tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &problem);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    return Py_BuildValue("(NNNNs)", copy_of(problem.M, problem.n, problem.n),
                         copy_of(problem.q, problem.n, 0), copy_of(problem.lo, problem.n, 0),
                         copy_of(problem.hi, problem.n, 0), file->format);
}

static PyObject *read_file(PyObject *module, PyObject *args)
{
    const char  *path = NULL, *q = NULL, *lo = NULL, *hi = NULL;
    TactLcpFile *file = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "szzz", &path, &q, &lo, &hi)) {
        return NULL;
    }
    TactStatus status = q ? tact_lcp_read_mtx(path, q, lo, hi, &file) : tact_lcp_read(path, &file);
    PyObject  *result = status == TACT_OK ? file_to_python(file) : tact_py_raise(status);
    tact_lcp_file_destroy(file);
    return result;
}

static PyObject *write_file(PyObject *module, PyObject *args)
{
    PyObject   *M = NULL, *q = NULL, *lo = NULL, *hi = NULL;
    const char *prefix = NULL;
    Arguments   a = {.problem = {0}};
    TactStatus  status = TACT_BAD_ARGUMENT;
    (void)module;
    if (!PyArg_ParseTuple(args, "sOOOO", &prefix, &M, &q, &lo, &hi)) {
        return NULL;
    }
    if (get_problem(M, q, lo, hi, Py_None, &a) == 0) {
        status = tact_lcp_check(&a.problem);
        size_t length = strlen(prefix);
        bool   dat = length > 4 && strcmp(prefix + length - 4, ".dat") == 0;
        status = status != TACT_OK ? status
                 : dat             ? tact_lcp_write_dat(&a.problem, prefix)
                                   : tact_lcp_write_mtx(&a.problem, prefix);
    }
    release(&a);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyObject *list_methods(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module;
    (void)unused;
    for (int i = 0; list && i < TACT_LCP_METHOD_COUNT; i++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)i);
        PyObject                *item =
            Py_BuildValue("{s:s,s:s,s:s,s:I,s:i}", "name", info->name, "source", info->source,
                          "guarantee", info->guarantee, "takes", info->takes, "max_n", info->max_n);
        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

PyMethodDef tact_py_lcp_methods[] = {
    {"lcp_solve", solve, METH_VARARGS, NULL},
    {"lcp_certify", certify, METH_VARARGS, NULL},
    {"lcp_prove", prove, METH_VARARGS, NULL},
    {"lcp_read", read_file, METH_VARARGS, NULL},
    {"lcp_write", write_file, METH_VARARGS, NULL},
    {"lcp_methods", list_methods, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int tact_py_lcp_add(PyObject *module)
{
    return PyModule_AddFunctions(module, tact_py_lcp_methods);
}
