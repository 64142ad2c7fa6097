// Model: a compiled model, read from a file or a text, and all that can be asked of it.
#include <string.h>

#include "common.h"

static PyObject *model_type;

/// Kinds of things, as methods call them.
typedef struct Kind {
    const char        *name;
    TactObject         type;
    const TactPyTable *table;
    size_t             size;
} Kind;

static const Kind kinds[] = {
    {"body", TACT_OBJECT_BODY, &tact_py_body_table, sizeof(TactBody)},
    {"joint", TACT_OBJECT_JOINT, &tact_py_joint_table, sizeof(TactJoint)},
    {"geom", TACT_OBJECT_GEOM, &tact_py_geom_table, sizeof(TactGeom)},
    {"site", TACT_OBJECT_SITE, &tact_py_site_table, sizeof(TactSite)},
    {"actuator", TACT_OBJECT_ACTUATOR, &tact_py_actuator_table, sizeof(TactActuator)},
    {"sensor", TACT_OBJECT_SENSOR, &tact_py_sensor_table, sizeof(TactSensor)},
    {"tendon", TACT_OBJECT_TENDON, &tact_py_tendon_table, sizeof(TactTendon)},
    {"equality", TACT_OBJECT_EQUALITY, &tact_py_equality_table, sizeof(TactEquality)},
    {"pair", TACT_OBJECT_PAIR, &tact_py_pair_table, sizeof(TactPair)},
    {"keyframe", TACT_OBJECT_KEYFRAME, &tact_py_keyframe_table, sizeof(TactKeyframe)},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

TactModel *tact_py_model_of(PyObject *object)
{
    int is = object ? PyObject_IsInstance(object, model_type) : 0;
    if (is <= 0) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "a tact.Model is wanted");
        }
        return NULL;
    }
    TactModel *model = ((TactPyModel *)object)->model;
    if (!model) {
        PyErr_SetString(PyExc_RuntimeError, "this model was never read");
    }
    return model;
}

int tact_py_find_kind(const char *name)
{
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return i;
        }
    }
    PyErr_Format(PyExc_ValueError, "there is no kind '%s'", name);
    return -1;
}

static const char *array_of(const TactModel *model, int kind, int *count)
{
    switch (kinds[kind].type) {
    case TACT_OBJECT_BODY: *count = model->body_count; return (const char *)model->bodies;
    case TACT_OBJECT_JOINT: *count = model->joint_count; return (const char *)model->joints;
    case TACT_OBJECT_GEOM: *count = model->geom_count; return (const char *)model->geoms;
    case TACT_OBJECT_SITE: *count = model->site_count; return (const char *)model->sites;
    case TACT_OBJECT_ACTUATOR:
        *count = model->actuator_count;
        return (const char *)model->actuators;
    case TACT_OBJECT_SENSOR: *count = model->sensor_count; return (const char *)model->sensors;
    case TACT_OBJECT_TENDON: *count = model->tendon_count; return (const char *)model->tendons;
    case TACT_OBJECT_EQUALITY:
        *count = model->equality_count;
        return (const char *)model->equalities;
    case TACT_OBJECT_PAIR: *count = model->pair_count; return (const char *)model->pairs;
    default: *count = model->keyframe_count; return (const char *)model->keyframes;
    }
}

// ---------------------------------------------------------------------------------------------
// Reading

static void forget(TactPyModel *self)
{
    tact_model_notes_destroy(self->notes);
    tact_model_destroy(self->model);
    self->notes = NULL;
    self->model = NULL;
}

static void deallocate(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    forget((TactPyModel *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/// load(name, text or None, strict, urdf_free, package_paths)
static PyObject *load(PyObject *self, PyObject *args)
{
    TactPyModel        *own = (TactPyModel *)self;
    PyObject           *path = NULL, *packages = NULL;
    const char         *text = NULL, *folders[16];
    Py_ssize_t          size = 0;
    int                 strict = 0, urdf_free = 0, count = 0;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    TactModelNotes     *notes = NULL;
    if (!PyArg_ParseTuple(args, "O&z#ppO!", PyUnicode_FSConverter, &path, &text, &size, &strict,
                          &urdf_free, &PyTuple_Type, &packages)) {
        return NULL;
    }
    for (; count < PyTuple_Size(packages) && count < 16; count++) {
        PyObject *item = PyTuple_GetItem(packages, count);
        folders[count] = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        if (!folders[count]) {
            Py_DECREF(path);
            PyErr_SetString(PyExc_TypeError, "package_paths: strings are wanted");
            return NULL;
        }
    }
    config.strict = strict != 0;
    config.urdf_free = urdf_free != 0;
    config.package_path_count = count;
    config.package_paths = folders;
    TactStatus     status = TACT_OK;
    PyThreadState *saved = PyEval_SaveThread();
    if (text) {
        status = tact_model_load_memory(PyBytes_AsString(path), text, (size_t)size, &config, &model,
                                        &notes);
    } else {
        status = tact_model_load(PyBytes_AsString(path), &config, &model, &notes);
    }
    PyEval_RestoreThread(saved);
    Py_DECREF(path);
    if (status != TACT_OK) {
        tact_model_notes_destroy(notes);
        return tact_py_raise(status);
    }
    if (own->model) { // views may look at it
        tact_model_notes_destroy(notes);
        tact_model_destroy(model);
        PyErr_SetString(PyExc_RuntimeError, "this model was read before");
        return NULL;
    }
    own->model = model;
    own->notes = notes;
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------
// Questions

static PyObject *thing_at(PyObject *self, PyObject *args)
{
    const char *kind_name = NULL;
    int         index = 0, count = 0;
    TactModel  *model = tact_py_model_of(self);
    if (!model || !PyArg_ParseTuple(args, "si", &kind_name, &index)) {
        return NULL;
    }
    int kind = tact_py_find_kind(kind_name);
    if (kind < 0) {
        return NULL;
    }
    const char *array = array_of(model, kind, &count);
    if (index < 0 || index >= count) {
        return PyErr_Format(PyExc_IndexError, "there is no %s %d", kind_name, index);
    }
    return tact_py_to_dict(kinds[kind].table, array + (size_t)index * kinds[kind].size);
}

static PyObject *find(PyObject *self, PyObject *args)
{
    const char *kind_name = NULL, *name = NULL;
    TactModel  *model = tact_py_model_of(self);
    if (!model || !PyArg_ParseTuple(args, "ss", &kind_name, &name)) {
        return NULL;
    }
    int kind = tact_py_find_kind(kind_name);
    return kind < 0 ? NULL : PyLong_FromLong(tact_model_find(model, kinds[kind].type, name));
}

static PyObject *count_things(PyObject *self, PyObject *args)
{
    const char *kind_name = NULL;
    int         count = 0;
    TactModel  *model = tact_py_model_of(self);
    if (!model || !PyArg_ParseTuple(args, "s", &kind_name)) {
        return NULL;
    }
    int kind = tact_py_find_kind(kind_name);
    if (kind < 0) {
        return NULL;
    }
    array_of(model, kind, &count);
    return PyLong_FromLong(count);
}

static PyObject *get_notes(PyObject *self, PyObject *unused)
{
    const TactModelNotes *notes = ((TactPyModel *)self)->notes;
    PyObject             *list = PyList_New(0);
    (void)unused;
    for (int i = 0; list && notes && i < notes->count; i++) {
        PyObject *note = tact_py_to_dict(&tact_py_note_table, &notes->items[i]);
        if (!note || PyList_Append(list, note) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(note);
    }
    return list;
}

static PyObject *get_options(PyObject *self, PyObject *unused)
{
    TactModel *model = tact_py_model_of(self);
    (void)unused;
    return model ? tact_py_to_dict(&tact_py_options_table, &model->options) : NULL;
}

static PyObject *get_sizes(PyObject *self, PyObject *unused)
{
    TactModel *m = tact_py_model_of(self);
    (void)unused;
    return m ? Py_BuildValue("{s:s,s:i,s:i,s:i,s:i,s:i,s:d,s:K}", "name", m->name, "nq", m->nq,
                             "nv", m->nv, "na", m->act_count, "nu", m->actuator_count, "nsensor",
                             m->sensor_size, "mass", m->mass, "hash", (unsigned long long)m->hash)
             : NULL;
}

/// The state of a keyframe (-1: the reference) as three blocks.
static PyObject *get_state(PyObject *self, PyObject *args)
{
    int        key = -1;
    TactModel *m = tact_py_model_of(self);
    if (!m || !PyArg_ParseTuple(args, "i", &key)) {
        return NULL;
    }
    if (key < -1 || key >= m->keyframe_count) {
        return PyErr_Format(PyExc_IndexError, "there is no keyframe %d", key);
    }
    double   *q = NULL, *v = NULL, *ctrl = NULL;
    PyObject *Q = tact_py_block_new(m->nq, 0, &q), *V = tact_py_block_new(m->nv, 0, &v);
    PyObject *C = tact_py_block_new(m->actuator_count, 0, &ctrl);
    if (!Q || !V || !C) {
        Py_XDECREF(Q);
        Py_XDECREF(V);
        Py_XDECREF(C);
        return NULL;
    }
    memcpy(q, key < 0 ? m->q_reference : m->keyframes[key].q, (size_t)m->nq * sizeof *q);
    if (key >= 0) {
        memcpy(v, m->keyframes[key].v, (size_t)m->nv * sizeof *v);
        memcpy(ctrl, m->keyframes[key].ctrl, (size_t)m->actuator_count * sizeof *ctrl);
    }
    return Py_BuildValue("(NNN)", Q, V, C);
}

static PyObject *get_parameter(PyObject *self, PyObject *args)
{
    const char          *path = NULL;
    const TactParameter *parameter = NULL;
    int                  index = 0;
    double               values[TACT_PARAMETER_MOST];
    TactModel           *model = tact_py_model_of(self);
    if (!model || !PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    TactStatus status = tact_parameter_find(model, path, &parameter, &index);
    status = status == TACT_OK ? tact_model_get(model, path, values, parameter->count) : status;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    PyObject *tuple = PyTuple_New(parameter->count);
    for (int i = 0; tuple && i < parameter->count; i++) {
        PyTuple_SetItem(tuple, i, PyFloat_FromDouble(values[i]));
    }
    return tuple;
}

static PyObject *save(PyObject *self, PyObject *args)
{
    PyObject  *path = NULL;
    TactModel *model = tact_py_model_of(self);
    if (!model || !PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) {
        return NULL;
    }
    TactStatus     status = TACT_OK;
    PyThreadState *saved = PyEval_SaveThread();
    status = tact_model_save(model, PyBytes_AsString(path));
    PyEval_RestoreThread(saved);
    Py_DECREF(path);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"_load", load, METH_VARARGS, NULL},
    {"_save", save, METH_VARARGS, NULL},
    {"_at", thing_at, METH_VARARGS, NULL},
    {"_find", find, METH_VARARGS, NULL},
    {"_count", count_things, METH_VARARGS, NULL},
    {"_notes", get_notes, METH_NOARGS, NULL},
    {"_options", get_options, METH_NOARGS, NULL},
    {"_sizes", get_sizes, METH_NOARGS, NULL},
    {"_state", get_state, METH_VARARGS, NULL},
    {"_parameter", get_parameter, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, deallocate},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {"tact._tact.Model", sizeof(TactPyModel), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int tact_py_model_add(PyObject *module)
{
    model_type = tact_py_add_type(module, &spec);
    return model_type ? 0 : -1;
}
