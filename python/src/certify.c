// Certificates of steps: momentum, positions, contacts and energy, judged from states alone.
#include "sim.h"

static void stop(TactPyCore *core)
{
    tact_sim_set_observer(core->sim, NULL, NULL);
    tact_sim_certifier_destroy(core->certifier);
    core->certifier = NULL;
}

static TactStatus start(TactPyCore *core)
{
    TactStatus status = tact_sim_certifier_create(core->sim, NULL, &core->certifier);
    if (status == TACT_OK) {
        tact_sim_set_observer(core->sim, tact_sim_certifier_observe, core->certifier);
    }
    return status;
}

TactStatus tact_py_sim_judge_anew(TactPyCore *core)
{
    if (!core->certifier) {
        return TACT_OK;
    }
    stop(core);
    return start(core);
}

PyObject *tact_py_sim_watch(PyObject *self, PyObject *on)
{
    TactPyCore *core = tact_py_sim_write(self);
    int         wanted = core ? PyObject_IsTrue(on) : -1;
    if (wanted < 0) {
        return NULL;
    }
    stop(core);
    TactStatus status = wanted ? start(core) : TACT_OK;
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    Py_RETURN_NONE;
}

/// Of all steps since it was asked for last: (certified, parts, {law: sentence of what does not
/// hold}).
PyObject *tact_py_sim_certificate(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    (void)unused;
    if (!core) {
        return NULL;
    }
    if (!core->certifier) {
        PyErr_SetString(PyExc_RuntimeError, "steps are not certified: make the simulation with "
                                            "certify=True");
        return NULL;
    }
    TactSimStepCertificate step = tact_sim_certifier_take(core->certifier);
    PyObject              *broken = PyDict_New();
    for (int i = 0; broken && i < TACT_STEP_LAW_COUNT; i++) {
        char words[512];
        if (step.parts == 0 || step.certificate.laws[i].holds) {
            continue;
        }
        tact_step_certificate_explain(tact_sim_view_model(core->sim), &step.certificate,
                                      (TactStepLaw)i, words, sizeof words);
        PyObject *text = PyUnicode_FromString(words);
        if (!text || PyDict_SetItemString(broken, tact_step_law_name((TactStepLaw)i), text) < 0) {
            Py_CLEAR(broken);
        }
        Py_XDECREF(text);
    }
    bool certified = step.parts > 0 && step.certificate.certified;
    return broken ? Py_BuildValue("(NiN)", PyBool_FromLong(certified), step.parts, broken) : NULL;
}
