// Open structs of the headers as Python values, by tables of their fields.
#include <string.h>

#include "common.h"

static PyObject *get_one(const TactPyField *field, const char *at, int i)
{
    switch (field->kind) {
    case TACT_PY_INT: return PyLong_FromLong(((const int *)(const void *)at)[i]);
    case TACT_PY_BOOL: return PyBool_FromLong(((const bool *)at)[i]);
    case TACT_PY_DOUBLE: return PyFloat_FromDouble(((const double *)(const void *)at)[i]);
    case TACT_PY_U64: return PyLong_FromUnsignedLongLong(((const uint64_t *)(const void *)at)[i]);
    case TACT_PY_TEXT: {
        const char *text = ((const char *const *)(const void *)at)[i];
        return PyUnicode_DecodeUTF8(text ? text : "", (Py_ssize_t)strlen(text ? text : ""),
                                    "replace");
    }
    case TACT_PY_ENUM: return PyUnicode_FromString(field->word(((const int *)(const void *)at)[i]));
    default: return tact_py_to_dict(field->table, at);
    }
}

PyObject *tact_py_get_field(const TactPyField *field, const void *object)
{
    const char *at = (const char *)object + field->offset;
    if (field->count == 1) {
        return get_one(field, at, 0);
    }
    PyObject *tuple = PyTuple_New(field->count);
    for (int i = 0; tuple && i < field->count; i++) {
        PyObject *item = get_one(field, at, i);
        if (!item || PyTuple_SetItem(tuple, i, item) < 0) {
            Py_CLEAR(tuple);
        }
    }
    return tuple;
}

PyObject *tact_py_to_dict(const TactPyTable *table, const void *object)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < table->count; i++) {
        PyObject *value = tact_py_get_field(&table->fields[i], object);
        if (!value || PyDict_SetItemString(dict, table->fields[i].name, value) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *tact_py_list_of(const void *array, int count, size_t size, const TactPyTable *table)
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

// ---------------------------------------------------------------------------------------------
// Setting

/// 0 if it was set, -1 with an exception.
static int set_one(const TactPyField *field, PyObject *value, char *at, int i, const char *what)
{
    if (field->kind == TACT_PY_ENUM) {
        PyObject *bytes = PyUnicode_Check(value) ? PyUnicode_AsUTF8String(value) : NULL;
        if (!bytes) {
            PyErr_Format(PyExc_TypeError, "%s: %s is a word", what, field->name);
            return -1;
        }
        int        found = 0;
        TactStatus status = field->find(PyBytes_AsString(bytes), &found);
        Py_DECREF(bytes);
        ((int *)(void *)at)[i] = found;
        return status == TACT_OK ? 0 : tact_py_fail(status);
    }
    if (field->kind == TACT_PY_DOUBLE) {
        ((double *)(void *)at)[i] = PyFloat_AsDouble(value);
    } else if (field->kind == TACT_PY_BOOL) {
        int truth = PyObject_IsTrue(value);
        ((bool *)at)[i] = truth > 0;
    } else if (field->kind == TACT_PY_U64) {
        ((uint64_t *)(void *)at)[i] = PyLong_AsUnsignedLongLong(value);
    } else {
        PyObject *index = PyNumber_Index(value);
        long      number = index ? PyLong_AsLong(index) : -1;
        Py_XDECREF(index);
        if (!PyErr_Occurred() && (number > INT_MAX || number < INT_MIN)) {
            PyErr_Format(PyExc_OverflowError, "%s: %s is too large", what, field->name);
        }
        ((int *)(void *)at)[i] = (int)number;
    }
    if (PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s: %s cannot be %R", what, field->name, value);
        }
        return -1;
    }
    return 0;
}

static int set_field(const TactPyField *field, PyObject *value, void *object, const char *what)
{
    char *at = (char *)object + field->offset;
    if (field->count == 1) {
        return set_one(field, value, at, 0, what);
    }
    Py_ssize_t count = PySequence_Size(value);
    if (count < 0) {
        PyErr_Clear();
    }
    if (count != field->count) {
        PyErr_Format(PyExc_ValueError, "%s: %s has %d numbers", what, field->name, field->count);
        return -1;
    }
    for (int i = 0; i < field->count; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        int       result = item ? set_one(field, item, at, i, what) : -1;
        Py_XDECREF(item);
        if (result < 0) {
            return -1;
        }
    }
    return 0;
}

static int refuse(const TactPyTable *table, PyObject *key, const char *what)
{
    PyObject *names = PyUnicode_FromString("");
    for (int i = 0; names && i < table->count; i++) {
        PyObject *longer =
            PyUnicode_FromFormat("%U%s%s", names, i > 0 ? ", " : "", table->fields[i].name);
        Py_DECREF(names);
        names = longer;
    }
    if (names) {
        PyErr_Format(PyExc_TypeError, "%s: there is no '%U'; there are: %U", what, key, names);
        Py_DECREF(names);
    }
    return -1;
}

int tact_py_from_dict(const TactPyTable *table, PyObject *dict, void *object, const char *what)
{
    PyObject  *key = NULL, *value = NULL;
    Py_ssize_t place = 0;
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%s: a dict is wanted", what);
        return -1;
    }
    while (PyDict_Next(dict, &place, &key, &value)) {
        int i = 0;
        if (!PyUnicode_Check(key)) {
            PyErr_Format(PyExc_TypeError, "%s: names are strings", what);
            return -1;
        }
        while (i < table->count &&
               PyUnicode_CompareWithASCIIString(key, table->fields[i].name) != 0) {
            i++;
        }
        if (i == table->count) {
            return refuse(table, key, what);
        }
        if (set_field(&table->fields[i], value, object, what) < 0) {
            return -1;
        }
    }
    return 0;
}
