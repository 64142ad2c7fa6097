// Simulations inside of the extension.
#ifndef TACT_PYTHON_SIM_H
#define TACT_PYTHON_SIM_H

#include "common.h"

/// What views of arrays keep alive: the simulation and its model. Sim objects hold it, and so do
/// their arrays, so that an array may outlive its simulation.
typedef struct TactPyCore {
    PyObject_HEAD PyObject *model; // a Model
    TactSim                *sim;
    TactSimReport           report; // of the last step
    bool                    stepped;
    bool                    closed;
    bool                    busy;        // a step is under way
    bool                    in_callback; // and asks Python
    unsigned long           thread;      // that steps
    TactWrench             *lasting;     // external forces without those of apply_force (bodies)
    bool                    pushed;      // apply_force was called since the last step
    TactSimRecorder        *recorder;    // NULL: none
    TactSimCertifier       *certifier;   // of steps; NULL: none
    long                    steps;       // made
} TactPyCore;

typedef struct TactPySim {
    PyObject_HEAD TactPyCore *core;
    PyObject                 *callback; // NULL: none
} TactPySim;

/// The core of a simulation that may be read; NULL and an exception if it may not: it is closed, or
/// another thread steps it.
TactPyCore *tact_py_sim_read(PyObject *self);
/// The same for what changes it: not from a callback either.
TactPyCore *tact_py_sim_write(PyObject *self);

extern PyMethodDef tact_py_sim_read_methods[];

/// A picture as bytes r, g, b (picture.c).
PyObject *tact_py_sim_render(PyObject *self, PyObject *args);

/// Options and parameters (sim_config.c).
PyObject *tact_py_sim_get_config(PyObject *self, PyObject *unused);
PyObject *tact_py_sim_set_config(PyObject *self, PyObject *dict);
PyObject *tact_py_sim_get_parameter(PyObject *self, PyObject *args);
PyObject *tact_py_sim_set_parameter(PyObject *self, PyObject *args);

/// Snapshots and recordings (sim_keep.c).
PyObject  *tact_py_sim_snapshot(PyObject *self, PyObject *unused);
PyObject  *tact_py_sim_restore(PyObject *self, PyObject *args);
PyObject  *tact_py_sim_record(PyObject *self, PyObject *args);
PyObject  *tact_py_sim_end_record(PyObject *self, PyObject *unused);
PyObject  *tact_py_sim_record_now(PyObject *self, PyObject *args);
TactStatus tact_py_sim_stop_recording(TactPyCore *core);

/// Certificates of steps (certify.c): judged from now on, or not; asked for; made anew after the
/// model was changed.
PyObject  *tact_py_sim_watch(PyObject *self, PyObject *on);
PyObject  *tact_py_sim_certificate(PyObject *self, PyObject *unused);
TactStatus tact_py_sim_judge_anew(TactPyCore *core);

#endif
