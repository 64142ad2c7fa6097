// Dynamics: mass matrix, bias, Jacobians, inverse and forward dynamics of a model at a state.
#include <string.h>

#include "common.h"

typedef struct Dynamics {
    PyObject_HEAD PyObject *model;
    TactDynamics           *dynamics;
    bool                    placed; // a state is set
} Dynamics;

static PyObject *type;

static void deallocate(PyObject *self)
{
    Dynamics     *own = (Dynamics *)self;
    PyTypeObject *its = Py_TYPE(self);
    tact_dynamics_destroy(own->dynamics);
    Py_XDECREF(own->model);
    freefunc release = (freefunc)PyType_GetSlot(its, Py_tp_free);
    release(self);
    Py_DECREF(its);
}

static PyObject *open_dynamics(PyObject *self, PyObject *model_object)
{
    Dynamics  *own = (Dynamics *)self;
    TactModel *model = tact_py_model_of(model_object);
    if (!model) {
        return NULL;
    }
    if (own->dynamics) {
        PyErr_SetString(PyExc_RuntimeError, "this was made before");
        return NULL;
    }
    TactStatus status = tact_dynamics_create(model, &own->dynamics);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    own->model = Py_NewRef(model_object);
    Py_RETURN_NONE;
}

/// The model, if a state is set (or need not be); NULL and an exception.
static TactModel *check(Dynamics *own, bool needs_state)
{
    if (!own->dynamics || (needs_state && !own->placed)) {
        PyErr_SetString(PyExc_RuntimeError, "set a state first");
        return NULL;
    }
    return tact_py_model_of(own->model);
}

static PyObject *set_state(PyObject *self, PyObject *args)
{
    Dynamics   *own = (Dynamics *)self;
    PyObject   *Q = NULL, *V = NULL;
    TactPyArray q, v;
    TactModel  *model = check(own, false);
    if (!model || !PyArg_ParseTuple(args, "OO", &Q, &V) ||
        tact_py_get_doubles(Q, "qpos", model->nq, &q) < 0) {
        return NULL;
    }
    if (tact_py_get_doubles(V, "qvel", model->nv, &v) < 0) {
        tact_py_release(&q);
        return NULL;
    }
    TactStatus status = tact_dynamics_set_position(own->dynamics, q.numbers);
    status = status == TACT_OK ? tact_dynamics_set_velocity(own->dynamics, v.numbers) : status;
    own->placed = status == TACT_OK;
    tact_py_release(&q);
    tact_py_release(&v);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    tact_dynamics_compute_mass(own->dynamics, NULL);
    Py_RETURN_NONE;
}

static PyObject *get_mass(PyObject *self, PyObject *unused)
{
    Dynamics  *own = (Dynamics *)self;
    TactModel *model = check(own, true);
    double    *M = NULL;
    (void)unused;
    PyObject *block = model ? tact_py_block_new(model->nv, model->nv, &M) : NULL;
    if (block && model->nv > 0) {
        tact_dynamics_get_mass(own->dynamics, M);
    }
    return block;
}

/// M acceleration + bias; None: no acceleration.
static PyObject *inverse(PyObject *self, PyObject *args)
{
    Dynamics   *own = (Dynamics *)self;
    PyObject   *A = NULL;
    TactPyArray a;
    TactModel  *model = check(own, true);
    if (!model || !PyArg_ParseTuple(args, "O", &A) ||
        tact_py_get_doubles(A, "qacc", A == Py_None ? -1 : model->nv, &a) < 0) {
        return NULL;
    }
    double   *tau = NULL;
    PyObject *block = tact_py_block_new(model->nv, 0, &tau);
    if (block) {
        tact_dynamics_compute_inverse(own->dynamics, a.numbers, NULL, tau);
    }
    tact_py_release(&a);
    return block;
}

static PyObject *forward(PyObject *self, PyObject *args)
{
    Dynamics   *own = (Dynamics *)self;
    PyObject   *T = NULL;
    TactPyArray tau;
    TactModel  *model = check(own, true);
    if (!model || !PyArg_ParseTuple(args, "O", &T) ||
        tact_py_get_doubles(T, "tau", T == Py_None ? -1 : model->nv, &tau) < 0) {
        return NULL;
    }
    double   *a = NULL;
    PyObject *block = tact_py_block_new(model->nv, 0, &a);
    if (block) {
        tact_dynamics_compute_forward(own->dynamics, tau.numbers, NULL, NULL, a);
    }
    tact_py_release(&tau);
    return block;
}

static PyObject *passive(PyObject *self, PyObject *unused)
{
    Dynamics  *own = (Dynamics *)self;
    TactModel *model = check(own, true);
    double    *tau = NULL;
    (void)unused;
    PyObject *block = model ? tact_py_block_new(model->nv, 0, &tau) : NULL;
    if (block) {
        tact_dynamics_compute_passive(own->dynamics, tau);
    }
    return block;
}

/// jacobian(body, point or None)                                                    (6 x nv)
static PyObject *jacobian(PyObject *self, PyObject *args)
{
    Dynamics  *own = (Dynamics *)self;
    int        body = 0;
    PyObject  *where = NULL;
    TactVec3   point = {0, 0, 0};
    TactModel *model = check(own, true);
    if (!model || !PyArg_ParseTuple(args, "iO", &body, &where)) {
        return NULL;
    }
    if (body < 0 || body >= model->body_count) {
        return PyErr_Format(PyExc_IndexError, "there is no body %d", body);
    }
    if (where == Py_None) {
        point = tact_dynamics_view_poses(own->dynamics)[body].position;
    } else if (!PyTuple_Check(where) ||
               !PyArg_ParseTuple(where, "ddd", &point.x, &point.y, &point.z)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "a point has 3 numbers");
        }
        return NULL;
    }
    double   *J = NULL;
    PyObject *block =
        model->nv > 0 ? tact_py_block_new(6, model->nv, &J) : tact_py_block_new(0, 0, &J);
    if (block && model->nv > 0) {
        tact_dynamics_compute_jacobian(own->dynamics, body, point, J);
    }
    return block;
}

static PyObject *numbers(PyObject *self, PyObject *unused)
{
    Dynamics  *own = (Dynamics *)self;
    TactModel *model = check(own, true);
    (void)unused;
    if (!model) {
        return NULL;
    }
    TactVec3 com = tact_dynamics_compute_com(own->dynamics, 0);
    return Py_BuildValue("(dd(ddd))", tact_dynamics_compute_kinetic_energy(own->dynamics),
                         tact_dynamics_compute_potential_energy(own->dynamics), com.x, com.y,
                         com.z);
}

static PyMethodDef methods[] = {
    {"_open", open_dynamics, METH_O, NULL},
    {"_set", set_state, METH_VARARGS, NULL},
    {"_mass", get_mass, METH_NOARGS, NULL},
    {"_inverse", inverse, METH_VARARGS, NULL},
    {"_forward", forward, METH_VARARGS, NULL},
    {"_passive", passive, METH_NOARGS, NULL},
    {"_jacobian", jacobian, METH_VARARGS, NULL},
    {"_numbers", numbers, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_dealloc, deallocate}, {Py_tp_methods, methods}, {0, NULL}};
static PyType_Spec spec = {"tact._tact.Dynamics", sizeof(Dynamics), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

int tact_py_dynamics_add(PyObject *module)
{
    type = tact_py_add_type(module, &spec);
    return type ? 0 : -1;
}
