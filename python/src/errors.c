// Exceptions by status, types, and Ctrl-C.
#include "common.h"

static PyObject *errors[TACT_IO_ERROR + 1]; // by status
static PyObject *base_error;

static PyObject *make(PyObject *module, const char *name, const char *about, PyObject *other)
{
    char full[64];
    PyOS_snprintf(full, sizeof full, "tact.%s", name);
    PyObject *bases = other ? PyTuple_Pack(2, base_error, other) : NULL;
    PyObject *made = PyErr_NewExceptionWithDoc(full, about, bases, NULL);
    Py_XDECREF(bases);
    return made && PyModule_AddObjectRef(module, name, made) == 0 ? made : NULL;
}

int tact_py_errors_add(PyObject *module)
{
    base_error = make(module, "TactError",
                      "Something that tact refuses; the text says what and "
                      "where. The parent of all others.",
                      NULL);
    errors[TACT_BAD_ARGUMENT] =
        make(module, "ArgumentError", "The call is wrong.", PyExc_ValueError);
    errors[TACT_BAD_INPUT] = make(module, "InputError",
                                  "The data are wrong: NaN, a malformed "
                                  "file.",
                                  PyExc_ValueError);
    errors[TACT_UNSUPPORTED] = make(module, "UnsupportedError",
                                    "The data are fine, but this "
                                    "method or build cannot take them.",
                                    PyExc_NotImplementedError);
    errors[TACT_NO_MEMORY] = make(module, "OutOfMemoryError", "Memory ran out.", PyExc_MemoryError);
    errors[TACT_IO_ERROR] =
        make(module, "FileError", "A file cannot be opened, read or written.", PyExc_OSError);
    for (int i = TACT_BAD_ARGUMENT; i <= TACT_IO_ERROR; i++) {
        if (!errors[i]) {
            return -1;
        }
    }
    return 0;
}

PyObject *tact_py_raise(TactStatus status)
{
    if (!PyErr_Occurred()) {
        bool known = status > TACT_OK && status <= TACT_IO_ERROR;
        PyErr_SetString(known ? errors[status] : base_error, tact_status_message());
    }
    return NULL;
}

int tact_py_fail(TactStatus status)
{
    tact_py_raise(status);
    return -1;
}

PyObject *tact_py_add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, (PyTypeObject *)type) < 0) {
        Py_CLEAR(type);
    }
    return type;
}

// ---------------------------------------------------------------------------------------------
// Ctrl-C while the GIL is given away

static const double WAIT = 0.05; // s

void tact_py_watch_begin(TactPyWatch *watch)
{
    watch->next = tact_time_now() + WAIT;
    watch->saved = PyEval_SaveThread();
}

TactStatus tact_py_watch_ask(void *context)
{
    TactPyWatch *watch = context;
    double       now = tact_time_now();
    if (now < watch->next) {
        return TACT_OK;
    }
    watch->next = now + WAIT;
    PyEval_RestoreThread(watch->saved);
    int interrupted = PyErr_CheckSignals();
    watch->saved = PyEval_SaveThread();
    return interrupted ? TACT_BAD_ARGUMENT : TACT_OK;
}

void tact_py_watch_end(TactPyWatch *watch)
{
    PyEval_RestoreThread(watch->saved);
}
