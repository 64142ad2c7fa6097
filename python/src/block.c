// Memory that Python sees through the buffer protocol: lent by an owner that is kept alive, or its
// own.
#include <string.h>

#include "common.h"

typedef struct Block {
    PyObject_HEAD PyObject *owner; // NULL: the memory is its own
    void                   *data;
    Py_ssize_t              shape[2], strides[2];
    int                     dimensions;
    Py_ssize_t              size; // bytes
    bool                    readonly, bytes;
} Block;

static PyObject *block_type;

static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Block *block = (Block *)self;
    if (block->readonly && (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "this is read, not written");
        view->obj = NULL;
        return -1;
    }
    *view =
        (Py_buffer){.buf = block->data,
                    .obj = Py_NewRef(self),
                    .len = block->size,
                    .itemsize = block->bytes ? 1 : (Py_ssize_t)sizeof(double),
                    .readonly = block->readonly,
                    .ndim = block->dimensions,
                    .format = (flags & PyBUF_FORMAT) ? (block->bytes ? "B" : "d") : NULL,
                    .shape = (flags & PyBUF_ND) ? block->shape : NULL,
                    .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? block->strides : NULL};
    return 0;
}

static void deallocate(PyObject *self)
{
    Block        *block = (Block *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (block->owner) {
        Py_DECREF(block->owner);
    } else {
        PyMem_Free(block->data);
    }
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_bf_getbuffer, get_buffer},
    {Py_tp_dealloc, deallocate},
    {Py_tp_doc, "Memory of tact, for numpy.asarray()."},
    {0, NULL},
};

static PyType_Spec spec = {"tact._tact.Block", sizeof(Block), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

int tact_py_block_add(PyObject *module)
{
    block_type = tact_py_add_type(module, &spec);
    return block_type ? 0 : -1;
}

static Block *make(Py_ssize_t rows, Py_ssize_t columns, bool bytes)
{
    Block *block = PyObject_New(Block, (PyTypeObject *)block_type);
    if (block) {
        Py_ssize_t item = bytes ? 1 : (Py_ssize_t)sizeof(double);
        Py_ssize_t wide = columns > 0 ? columns : 1;
        block->owner = NULL;
        block->data = NULL;
        block->dimensions = columns > 0 ? 2 : 1;
        block->shape[0] = rows;
        block->shape[1] = columns;
        block->strides[0] = wide * item;
        block->strides[1] = item;
        block->size = rows * wide * item;
        block->readonly = false;
        block->bytes = bytes;
    }
    return block;
}

PyObject *tact_py_block_lend(PyObject *owner, void *data, Py_ssize_t rows, Py_ssize_t columns,
                             bool readonly)
{
    static double nothing; // where there is no memory since there is nothing in it
    Block        *block = make(rows, columns, false);
    if (block) {
        block->owner = Py_NewRef(owner);
        block->data = data ? data : &nothing;
        block->readonly = readonly;
    }
    return (PyObject *)block;
}

static PyObject *make_own(Py_ssize_t rows, Py_ssize_t columns, bool bytes, void **data)
{
    Block *block = make(rows, columns, bytes);
    if (!block) {
        return NULL;
    }
    block->data = PyMem_Calloc(1, (size_t)block->size + 1);
    if (!block->data) {
        Py_DECREF(block);
        return PyErr_NoMemory();
    }
    *data = block->data;
    return (PyObject *)block;
}

PyObject *tact_py_block_new(Py_ssize_t rows, Py_ssize_t columns, double **data)
{
    void     *memory = NULL;
    PyObject *block = make_own(rows, columns, false, &memory);
    *data = memory;
    return block;
}

PyObject *tact_py_block_bytes(Py_ssize_t size, void **data)
{
    return make_own(size, 0, true, data);
}

// ---------------------------------------------------------------------------------------------
// Arguments

static int get_array(PyObject *object, const char *what, const char *formats, Py_ssize_t item,
                     Py_ssize_t count, TactPyArray *array)
{
    *array = (TactPyArray){.held = false};
    if (object == NULL || object == Py_None) {
        return 0;
    }
    if (PyObject_GetBuffer(object, &array->view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: a contiguous array of numbers is wanted", what);
        return -1;
    }
    array->held = true;
    const char *format = array->view.format ? array->view.format : "B";
    if (strlen(format) != 1 || !strchr(formats, format[0]) || array->view.itemsize != item) {
        PyErr_Format(PyExc_TypeError, "%s: numbers of another type (%s)", what, format);
        tact_py_release(array);
        return -1;
    }
    array->count = array->view.len / item;
    if (count >= 0 && array->count != count) {
        PyErr_Format(PyExc_ValueError, "%s: %zd numbers are wanted, not %zd", what, count,
                     array->count);
        tact_py_release(array);
        return -1;
    }
    return 0;
}

int tact_py_get_doubles(PyObject *object, const char *what, Py_ssize_t count, TactPyArray *array)
{
    int result = get_array(object, what, "d", sizeof(double), count, array);
    array->numbers = array->held ? array->view.buf : NULL;
    return result;
}

int tact_py_get_ints(PyObject *object, const char *what, Py_ssize_t count, TactPyArray *array)
{
    int result = get_array(object, what, "il", sizeof(int), count, array);
    array->ints = array->held ? array->view.buf : NULL;
    return result;
}

void tact_py_release(TactPyArray *array)
{
    if (array->held) {
        PyBuffer_Release(&array->view);
    }
    *array = (TactPyArray){.held = false};
}
