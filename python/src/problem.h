// Contact problems inside of the extension.
#ifndef TACT_PYTHON_PROBLEM_H
#define TACT_PYTHON_PROBLEM_H

#include "common.h"

typedef struct TactPyProblem {
    PyObject_HEAD TactContactProblem problem;
    TactContactFile                 *file; // NULL: it was made here, and these are its arrays
    void                            *bodies, *contacts, *rows, *numbers;
} TactPyProblem;

/// Of a problem object; NULL and an exception if it is none, or was never made.
TactPyProblem *tact_py_problem_of(PyObject *object);
/// Rows of W: three a contact, six of one that resists spinning or rolling.
Py_ssize_t tact_py_problem_count_rows(const TactContactProblem *problem);

/// _judge(what, cone, impulse, row_impulse, velocity, moment) (judge.c)
PyObject *tact_py_problem_judge(PyObject *self, PyObject *args);

#endif
