// Answers to contact problems judged: certified, diagnosed, their ranges, their proofs.
#include "problem.h"

/// An answer from arguments; what is judged of it.
typedef struct Given {
    TactPyArray       impulse, row_impulse, velocity, moment;
    TactContactAnswer answer;
    TactContactCone   cone;
} Given;

static void given_release(Given *g)
{
    tact_py_release(&g->impulse);
    tact_py_release(&g->row_impulse);
    tact_py_release(&g->velocity);
    tact_py_release(&g->moment);
}

/// Numbers that may be missing.
static int get_some(PyObject *object, const char *what, Py_ssize_t count, TactPyArray *array)
{
    return tact_py_get_doubles(object, what, object == Py_None ? -1 : count, array);
}

/// arrays: impulse, row_impulse, velocity, moment
static int given_get(const TactContactProblem *q, PyObject *const arrays[4], Given *g)
{
    Py_ssize_t forces = 3 * (Py_ssize_t)q->contact_count;
    if (arrays[0] == Py_None) {
        PyErr_SetString(PyExc_TypeError, "impulse: an array is wanted");
        return -1;
    }
    if (get_some(arrays[0], "impulse", forces, &g->impulse) < 0 ||
        get_some(arrays[1], "row_impulse", q->row_count, &g->row_impulse) < 0 ||
        get_some(arrays[2], "velocity", tact_contact_get_dof(q), &g->velocity) < 0 ||
        get_some(arrays[3], "moment", forces, &g->moment) < 0) {
        return -1;
    }
    const char *missing = q->row_count > 0 && !g->row_impulse.held ? "row_impulse"
                          : !q->W && !g->velocity.held             ? "velocity"
                          : tact_py_problem_count_rows(q) > forces && !g->moment.held ? "moment"
                                                                                      : NULL;
    if (missing) {
        PyErr_Format(PyExc_ValueError, "%s is missing", missing);
        return -1;
    }
    g->answer = (TactContactAnswer){.impulse = g->impulse.numbers,
                                    .row_impulse = g->row_impulse.numbers,
                                    .velocity = g->velocity.numbers,
                                    .moment = g->moment.numbers};
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What can be asked. Each call gives the GIL away while the library works.

static PyObject *certify(const TactContactProblem *problem, const Given *g)
{
    TactContactCertificate certificate;
    PyThreadState         *saved = PyEval_SaveThread();
    TactStatus status = tact_contact_certify_answer(problem, g->cone, &g->answer, &certificate);
    PyEval_RestoreThread(saved);
    return status == TACT_OK ? tact_py_to_dict(&tact_py_certificate_table, &certificate)
                             : tact_py_raise(status);
}

static PyObject *diagnose(const TactContactProblem *problem, const Given *g)
{
    size_t                count = (size_t)problem->contact_count;
    TactContactDiagnosis *diagnosis = PyMem_Calloc(count + 1, sizeof *diagnosis);
    if (!diagnosis) {
        return PyErr_NoMemory();
    }
    PyThreadState *saved = PyEval_SaveThread();
    TactStatus     status = tact_contact_diagnose(problem, &g->answer, diagnosis);
    PyEval_RestoreThread(saved);
    PyObject *list = status == TACT_OK
                         ? tact_py_list_of(diagnosis, problem->contact_count, sizeof *diagnosis,
                                           &tact_py_diagnosis_table)
                         : tact_py_raise(status);
    PyMem_Free(diagnosis);
    return list;
}

static PyObject *compute_ranges(const TactContactProblem *problem, const Given *g)
{
    size_t            count = (size_t)problem->contact_count;
    TactContactRange *range = PyMem_Calloc(count + 1, sizeof *range);
    if (!range) {
        return PyErr_NoMemory();
    }
    PyThreadState *saved = PyEval_SaveThread();
    TactStatus     status = tact_contact_compute_ranges(problem, g->cone, &g->answer, range);
    PyEval_RestoreThread(saved);
    PyObject *list = status == TACT_OK ? tact_py_list_of(range, problem->contact_count,
                                                         sizeof *range, &tact_py_range_table)
                                       : tact_py_raise(status);
    PyMem_Free(range);
    return list;
}

/// (report, why)
static PyObject *prove(const TactContactProblem *problem, const Given *g)
{
    TactProof     *proof = NULL;
    PyObject      *result = NULL;
    PyThreadState *saved = PyEval_SaveThread();
    TactStatus     status = tact_prove_contact(problem, g->cone, &g->answer, NULL, &proof);
    PyEval_RestoreThread(saved);
    if (status == TACT_OK) {
        const TactProofReport *report = tact_proof_view_report(proof);
        result = Py_BuildValue("(Ns)", tact_py_to_dict(&tact_py_proof_table, report), report->why);
    } else {
        tact_py_raise(status);
    }
    tact_proof_destroy(proof);
    return result;
}

PyObject *tact_py_problem_judge(PyObject *self, PyObject *args)
{
    const char *what = NULL, *cone_name = NULL;
    PyObject   *arrays[4], *result = NULL;
    Given       g = {.answer = {0}};
    if (!tact_py_problem_of(self) ||
        !PyArg_ParseTuple(args, "ssOOOO", &what, &cone_name, &arrays[0], &arrays[1], &arrays[2],
                          &arrays[3])) {
        return NULL;
    }
    const TactContactProblem *problem = &tact_py_problem_of(self)->problem;
    TactStatus                status = tact_contact_cone_find(cone_name, &g.cone);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    if (given_get(problem, arrays, &g) == 0) {
        result = what[0] == 'c'   ? certify(problem, &g)
                 : what[0] == 'd' ? diagnose(problem, &g)
                 : what[0] == 'r' ? compute_ranges(problem, &g)
                                  : prove(problem, &g);
    }
    given_release(&g);
    return result;
}
