// The module tact._tact.
#include "common.h"

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(tact_version());
}

/// The table of parameters: what can be set without compiling a model again.
static PyObject *parameters(PyObject *module, PyObject *unused)
{
    int                  count = 0;
    const TactParameter *table = tact_parameter_table(&count);
    PyObject            *list = PyList_New(0);
    (void)module;
    (void)unused;
    for (int i = 0; list && i < count; i++) {
        PyObject *item = Py_BuildValue("(sssis)", table[i].kind, table[i].field, table[i].unit,
                                       table[i].count, table[i].about);
        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyMethodDef methods[] = {
    {"version", version, METH_NOARGS, "Version of tact, and the optional parts it was built with."},
    {"parameters", parameters, METH_NOARGS,
     "(kind, field, unit, count, about) of every parameter."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "tact._tact",
    .m_doc = "The C library of tact; see the package tact.",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__tact(void);

PyMODINIT_FUNC PyInit__tact(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module) {
        return NULL;
    }
    if (tact_py_errors_add(module) < 0 || tact_py_block_add(module) < 0 ||
        tact_py_model_add(module) < 0 || tact_py_sim_add(module) < 0 ||
        tact_py_dynamics_add(module) < 0 || tact_py_lcp_add(module) < 0 ||
        tact_py_problem_add(module) < 0 || tact_py_solver_add(module) < 0 ||
        tact_py_batch_add(module) < 0 || tact_py_sweep_add(module) < 0 ||
        tact_py_worlds_add(module) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
