// What a simulation can be asked: poses, contacts, forces, sensors, reports.
#include <string.h>

#include "sim.h"

/// A contact as NumPy sees it; python/tact/_arrays.py has the same layout.
typedef struct Record {
    int32_t  geom[2], body[2];
    uint64_t id;
    double   point[3], normal[3], tangent1[3], tangent2[3];
    double   depth, friction, friction2, restitution; // friction2: along tangent 2
    double   mu_spin, mu_roll;                        // m
    double   force[3];                                // on b along normal and tangents
    double   force_on_b[3];                           // world frame
    double   force_on_a[3];
    double   velocity[3];
    double   friction_used;
    double   moment[3]; // on b about normal and tangents, N m
    double   spin[3];   // of b against a about these, rad/s
    double   spin_used, roll_used;
    int32_t  state, pad;
} Record;

_Static_assert(sizeof(Record) == 16 + 8 + 39 * 8 + 8, "as in _arrays.py");

static void put(double to[3], TactVec3 from, double sign)
{
    to[0] = sign * from.x;
    to[1] = sign * from.y;
    to[2] = sign * from.z;
}

static PyObject *get_contacts(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    int         count = 0;
    void       *memory = NULL;
    (void)unused;
    if (!core) {
        return NULL;
    }
    const TactSimContact *contacts = tact_sim_view_contacts(core->sim, &count);
    PyObject             *block = tact_py_block_bytes(count * (Py_ssize_t)sizeof(Record), &memory);
    Record               *records = memory;
    for (int i = 0; block && i < count; i++) {
        const TactSimContact *c = &contacts[i];
        Record               *r = &records[i];
        TactVec3              force = tact_sim_contact_get_force(c);
        r->geom[0] = c->geom[0];
        r->geom[1] = c->geom[1];
        r->body[0] = c->body[0];
        r->body[1] = c->body[1];
        r->id = c->id;
        put(r->point, c->point, 1);
        put(r->normal, c->normal, 1);
        put(r->tangent1, c->tangent[0], 1);
        put(r->tangent2, c->tangent[1], 1);
        r->depth = c->depth;
        r->friction = c->mu;
        r->friction2 = c->mu2;
        r->restitution = c->restitution;
        r->mu_spin = c->mu_spin;
        r->mu_roll = c->mu_roll;
        memcpy(r->force, c->force, sizeof r->force);
        put(r->force_on_b, force, 1);
        put(r->force_on_a, force, -1);
        memcpy(r->velocity, c->velocity, sizeof r->velocity);
        r->friction_used = c->friction_used;
        memcpy(r->moment, c->moment, sizeof r->moment);
        memcpy(r->spin, c->spin, sizeof r->spin);
        r->spin_used = c->spin_used;
        r->roll_used = c->roll_used;
        r->state = (int32_t)c->state;
    }
    return block;
}

/// Poses of bodies, geoms or sites: position, quaternion.                          (count x 7)
static PyObject *get_poses(PyObject *self, PyObject *args)
{
    const char *kind = NULL;
    TactPyCore *core = tact_py_sim_read(self);
    if (!core || !PyArg_ParseTuple(args, "s", &kind)) {
        return NULL;
    }
    const TactModel *model = tact_sim_view_model(core->sim);
    int              count = kind[0] == 'b'   ? model->body_count
                             : kind[0] == 'g' ? model->geom_count
                                              : model->site_count;
    TactTransform   *poses = PyMem_Calloc((size_t)count + 1, sizeof *poses);
    double          *out = NULL;
    if (!poses) {
        return PyErr_NoMemory();
    }
    TactStatus status = kind[0] == 'b'   ? tact_sim_compute_poses(core->sim, poses)
                        : kind[0] == 'g' ? tact_sim_compute_geom_poses(core->sim, poses)
                                         : tact_sim_compute_site_poses(core->sim, poses);
    PyObject *block = status == TACT_OK ? tact_py_block_new(count, 7, &out) : tact_py_raise(status);
    for (int i = 0; block && i < count; i++) {
        memcpy(out + 7 * i, &poses[i].position, sizeof poses[i].position);
        memcpy(out + 7 * i + 3, &poses[i].rotation, sizeof poses[i].rotation);
    }
    PyMem_Free(poses);
    return block;
}

/// Velocities of bodies' origins, and angular.                                     (bodies x 6)
static PyObject *get_twists(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    double     *out = NULL;
    (void)unused;
    if (!core) {
        return NULL;
    }
    PyObject *block = tact_py_block_new(tact_sim_view_model(core->sim)->body_count, 6, &out);
    if (!block) {
        return NULL;
    }
    TactStatus status = tact_sim_compute_velocities(core->sim, (TactTwist *)(void *)out);
    if (status != TACT_OK) {
        Py_DECREF(block);
        return tact_py_raise(status);
    }
    return block;
}

static PyObject *get_sensors(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    (void)unused;
    if (!core) {
        return NULL;
    }
    TactSimSensors sensed;
    double        *out = NULL;
    int            size = tact_sim_view_model(core->sim)->sensor_size;
    TactStatus     status = tact_sim_compute_sensors(core->sim, &sensed);
    PyObject *block = status == TACT_OK ? tact_py_block_new(size, 0, &out) : tact_py_raise(status);
    if (block && size > 0) {
        memcpy(out, sensed.values, (size_t)size * sizeof *out);
    }
    return block;
}

static PyObject *get_report(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    (void)unused;
    if (!core) {
        return NULL;
    }
    if (!core->stepped) {
        Py_RETURN_NONE;
    }
    PyObject *dict = tact_py_to_dict(&tact_py_sim_report_table, &core->report);
    PyObject *rungs = dict ? PyDict_New() : NULL;
    for (int i = 0; rungs && i < core->report.rung_count; i++) {
        PyObject *number = PyLong_FromLong(core->report.rungs[i].count);
        if (!number || PyDict_SetItemString(rungs, core->report.rungs[i].name, number) < 0) {
            Py_CLEAR(rungs);
        }
        Py_XDECREF(number);
    }
    if (!rungs || PyDict_SetItemString(dict, "rungs", rungs) < 0) {
        Py_CLEAR(dict);
    }
    Py_XDECREF(rungs);
    return dict;
}

static PyObject *get_energy(PyObject *self, PyObject *unused)
{
    TactPyCore   *core = tact_py_sim_read(self);
    TactSimEnergy energy;
    (void)unused;
    TactStatus status = core ? tact_sim_compute_energy(core->sim, &energy) : TACT_OK;
    return !core               ? NULL
           : status == TACT_OK ? tact_py_to_dict(&tact_py_energy_table, &energy)
                               : tact_py_raise(status);
}

static PyObject *get_patches(PyObject *self, PyObject *unused)
{
    TactPyCore    *core = tact_py_sim_read(self);
    TactSimPatches patches;
    (void)unused;
    if (!core) {
        return NULL;
    }
    TactStatus status = tact_sim_compute_patches(core->sim, &patches);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    int       count = 0;
    PyObject *of = PyList_New(0);
    PyObject *list = tact_py_list_of(patches.patches, patches.count, sizeof *patches.patches,
                                     &tact_py_patch_table);
    tact_sim_view_contacts(core->sim, &count);
    for (int i = 0; of && i < count; i++) {
        PyObject *item = PyLong_FromLong(patches.of_contact[i]);
        if (!item || PyList_Append(of, item) < 0) {
            Py_CLEAR(of);
        }
        Py_XDECREF(item);
    }
    if (!list || !of) {
        Py_XDECREF(list);
        Py_XDECREF(of);
        return NULL;
    }
    return Py_BuildValue("(NN)", list, of);
}

static PyObject *explain(PyObject *self, PyObject *args)
{
    int            patch = 0;
    TactSimPatches patches;
    char           words[1024];
    TactPyCore    *core = tact_py_sim_read(self);
    if (!core || !PyArg_ParseTuple(args, "i", &patch)) {
        return NULL;
    }
    TactStatus status = tact_sim_compute_patches(core->sim, &patches);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    if (patch < 0 || patch >= patches.count) {
        return PyUnicode_FromString("This contact was of an earlier part of the step.");
    }
    tact_sim_explain_patch(tact_sim_view_model(core->sim), &patches.patches[patch], words,
                           sizeof words);
    return PyUnicode_FromString(words);
}

/// For every contact: the list of what a call writes for each.
static PyObject *per_contact(PyObject *self, const TactPyTable *table, size_t size,
                             TactStatus (*ask)(TactSim *sim, void *items))
{
    TactPyCore *core = tact_py_sim_read(self);
    int         count = 0;
    if (!core) {
        return NULL;
    }
    tact_sim_view_contacts(core->sim, &count);
    char *items = PyMem_Calloc((size_t)count + 1, size);
    if (!items) {
        return PyErr_NoMemory();
    }
    TactStatus status = ask(core->sim, items);
    PyObject  *list =
        status == TACT_OK ? tact_py_list_of(items, count, size, table) : tact_py_raise(status);
    PyMem_Free(items);
    return list;
}

static TactStatus ask_diagnosis(TactSim *sim, void *items)
{
    return tact_sim_compute_diagnosis(sim, items);
}

static TactStatus ask_ranges(TactSim *sim, void *items)
{
    return tact_sim_compute_ranges(sim, items);
}

static PyObject *get_diagnosis(PyObject *self, PyObject *unused)
{
    (void)unused;
    return per_contact(self, &tact_py_diagnosis_table, sizeof(TactContactDiagnosis), ask_diagnosis);
}

static PyObject *get_ranges(PyObject *self, PyObject *unused)
{
    (void)unused;
    return per_contact(self, &tact_py_range_table, sizeof(TactContactRange), ask_ranges);
}

static PyObject *get_wrenches(PyObject *self, PyObject *unused)
{
    TactPyCore *core = tact_py_sim_read(self);
    double     *out = NULL;
    (void)unused;
    if (!core) {
        return NULL;
    }
    PyObject *block = tact_py_block_new(tact_sim_view_model(core->sim)->body_count, 6, &out);
    if (!block) {
        return NULL;
    }
    TactStatus status = tact_sim_compute_wrenches(core->sim, (TactWrench *)(void *)out);
    if (status != TACT_OK) {
        Py_DECREF(block);
        return tact_py_raise(status);
    }
    return block;
}

/// Generalized forces of the last step by name, copied.                                  (nv)
static PyObject *get_forces(PyObject *self, PyObject *unused)
{
    TactPyCore   *core = tact_py_sim_read(self);
    TactSimForces f;
    (void)unused;
    if (!core) {
        return NULL;
    }
    TactStatus status = tact_sim_compute_forces(core->sim, &f);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    const TactModel *model = tact_sim_view_model(core->sim);
    const struct {
        const char   *name;
        const double *values;
        int           count;
    } parts[] = {
        {"acceleration", f.acceleration, model->nv},
        {"inertia", f.inertia, model->nv},
        {"bias", f.bias, model->nv},
        {"actuators", f.actuators, model->nv},
        {"passive", f.passive, model->nv},
        {"applied", f.applied, model->nv},
        {"contacts", f.contacts, model->nv},
        {"loops", f.loops, model->nv},
        {"limits", f.limits, model->nv},
        {"friction", f.friction, model->nv},
        {"actuator_force", f.actuator_force, model->actuator_count},
    };
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < sizeof parts / sizeof *parts; i++) {
        double   *out = NULL;
        PyObject *block = tact_py_block_new(parts[i].count, 0, &out);
        if (block && parts[i].count > 0) {
            memcpy(out, parts[i].values, (size_t)parts[i].count * sizeof *out);
        }
        if (!block || PyDict_SetItemString(dict, parts[i].name, block) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(block);
    }
    return dict;
}

static PyObject *cast_ray(PyObject *self, PyObject *args)
{
    TactRay     ray = {.reach = 0};
    TactSimHit  hit;
    TactPyCore *core = tact_py_sim_read(self);
    if (!core ||
        !PyArg_ParseTuple(args, "(ddd)(ddd)d", &ray.origin.x, &ray.origin.y, &ray.origin.z,
                          &ray.direction.x, &ray.direction.y, &ray.direction.z, &ray.reach)) {
        return NULL;
    }
    TactStatus status = tact_sim_cast_ray(core->sim, &ray, &hit);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    return Py_BuildValue("(id(ddd)(ddd))", hit.geom, hit.distance, hit.point.x, hit.point.y,
                         hit.point.z, hit.normal.x, hit.normal.y, hit.normal.z);
}

static PyObject *get_distance(PyObject *self, PyObject *args)
{
    int          a = 0, b = 0;
    TactDistance d;
    TactPyCore  *core = tact_py_sim_read(self);
    if (!core || !PyArg_ParseTuple(args, "ii", &a, &b)) {
        return NULL;
    }
    TactStatus status = tact_sim_compute_distance(core->sim, a, b, &d);
    if (status != TACT_OK) {
        return tact_py_raise(status);
    }
    return Py_BuildValue("(d(ddd)(ddd)(ddd))", d.distance, d.on_a.x, d.on_a.y, d.on_a.z, d.on_b.x,
                         d.on_b.y, d.on_b.z, d.normal.x, d.normal.y, d.normal.z);
}

/// Where the problems of the last step are written: PREFIX0.json, PREFIX1.json, ...
typedef struct Saving {
    const char *prefix;
    int         count;
} Saving;

static TactStatus save_problem(void *context, const TactContactProblem *problem, double error)
{
    Saving *saving = context;
    char    path[4096];
    (void)error;
    PyOS_snprintf(path, sizeof path, "%s%d.json", saving->prefix, saving->count++);
    return tact_contact_write_json(problem, path);
}

static PyObject *save_problems(PyObject *self, PyObject *args)
{
    Saving      saving = {.count = 0};
    TactPyCore *core = tact_py_sim_read(self);
    if (!core || !PyArg_ParseTuple(args, "s", &saving.prefix)) {
        return NULL;
    }
    TactStatus status = tact_sim_visit_problems(core->sim, save_problem, &saving);
    return status == TACT_OK ? PyLong_FromLong(saving.count) : tact_py_raise(status);
}

PyMethodDef tact_py_sim_read_methods[] = {
    {"_contacts", get_contacts, METH_NOARGS, NULL},
    {"_poses", get_poses, METH_VARARGS, NULL},
    {"_twists", get_twists, METH_NOARGS, NULL},
    {"_sensors", get_sensors, METH_NOARGS, NULL},
    {"_report", get_report, METH_NOARGS, NULL},
    {"_energy", get_energy, METH_NOARGS, NULL},
    {"_patches", get_patches, METH_NOARGS, NULL},
    {"_explain", explain, METH_VARARGS, NULL},
    {"_diagnosis", get_diagnosis, METH_NOARGS, NULL},
    {"_ranges", get_ranges, METH_NOARGS, NULL},
    {"_wrenches", get_wrenches, METH_NOARGS, NULL},
    {"_forces", get_forces, METH_NOARGS, NULL},
    {"_ray", cast_ray, METH_VARARGS, NULL},
    {"_distance", get_distance, METH_VARARGS, NULL},
    {"_save_problems", save_problems, METH_VARARGS, NULL},
    {"_render", tact_py_sim_render, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
