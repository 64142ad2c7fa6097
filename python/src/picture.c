// Pictures: a simulation as rows of pixels, with contacts and forces.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/// What is asked for.
typedef struct Camera {
    double azimuth, elevation, distance;
    double target[3];
    int    width, height;
    int    forces, cones;
    double newton; // m that an arrow has for each; 0: chosen
} Camera;

static const double ARROW[4] = {.85, .15, .10, 1}, CONE[4] = {.15, .45, .85, .35};

/// Arrows of the forces on b, and friction cones; returns how many.
static int mark(TactPyCore *core, const Camera *camera, double size, TactPictureMark *marks)
{
    int                   count = 0, made = 0;
    double                most = 0, scale = camera->newton;
    const TactSimContact *contacts = tact_sim_view_contacts(core->sim, &count);
    for (int i = 0; i < count; i++) {
        double f = tact_vec3_norm(tact_sim_contact_get_force(&contacts[i]));
        most = f > most ? f : most;
    }
    scale = scale > 0 ? scale : most > 0 ? 0.25 * size / most : 0;
    for (int i = 0; i < count; i++) {
        const TactSimContact *c = &contacts[i];
        TactVec3              force = tact_sim_contact_get_force(c);
        TactPictureMark       m = {.from = c->point};
        if (camera->forces) {
            m.kind = TACT_PICTURE_MARK_ARROW;
            m.to = tact_vec3_add_scaled(c->point, scale, force);
            m.radius = 0.008 * size;
            memcpy(m.rgba, ARROW, sizeof m.rgba);
            marks[made++] = m;
        }
        if (camera->cones && c->mu > 0) {
            double height = 0.1 * size;
            m.kind = TACT_PICTURE_MARK_CONE;
            m.to = tact_vec3_add_scaled(c->point, height, c->normal);
            m.radius = height * fmin(c->mu, 2);
            memcpy(m.rgba, CONE, sizeof m.rgba);
            marks[made++] = m;
        }
    }
    return made;
}

static TactStatus draw(TactPyCore *core, const Camera *camera, bool placed, unsigned char *rgb)
{
    TactPicture picture = {.model = tact_sim_view_model(core->sim),
                           .q = tact_sim_view_state(core->sim)->q,
                           .azimuth = camera->azimuth,
                           .elevation = camera->elevation,
                           .width = camera->width,
                           .height = camera->height};
    TactStatus  status = tact_picture_fit(&picture);
    int         count = 0;
    tact_sim_view_contacts(core->sim, &count);
    TactPictureMark *marks = calloc(2 * (size_t)count + 1, sizeof *marks);
    if (status == TACT_OK && marks) {
        double size = picture.distance / 1.9;
        if (placed) {
            picture.target = (TactVec3){camera->target[0], camera->target[1], camera->target[2]};
        }
        picture.distance = camera->distance > 0 ? camera->distance : picture.distance;
        picture.mark_count = mark(core, camera, size, marks);
        picture.marks = marks;
        status = tact_picture_draw(&picture, rgb);
    }
    free(marks);
    return marks ? status : TACT_NO_MEMORY;
}

/// _render(width, height, azimuth, elevation, distance, target or None, forces, cones, newton)
PyObject *tact_py_sim_render(PyObject *self, PyObject *args)
{
    Camera    camera;
    PyObject *target = NULL;
    if (!PyArg_ParseTuple(args, "iidddOppd", &camera.width, &camera.height, &camera.azimuth,
                          &camera.elevation, &camera.distance, &target, &camera.forces,
                          &camera.cones, &camera.newton)) {
        return NULL;
    }
    if (target != Py_None &&
        (!PyTuple_Check(target) || !PyArg_ParseTuple(target, "ddd", &camera.target[0],
                                                     &camera.target[1], &camera.target[2]))) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "a target has 3 numbers");
        }
        return NULL;
    }
    if (camera.width < 1 || camera.height < 1 || camera.width > 8192 || camera.height > 8192) {
        PyErr_SetString(PyExc_ValueError, "render: 1 to 8192 pixels along an edge");
        return NULL;
    }
    TactPyCore *core = tact_py_sim_write(self);
    void       *rgb = NULL;
    PyObject   *block =
        core ? tact_py_block_bytes(3 * (Py_ssize_t)camera.width * camera.height, &rgb) : NULL;
    if (!block) {
        return NULL;
    }
    core->busy = true; // nobody steps it meanwhile
    core->thread = PyThread_get_thread_ident();
    PyThreadState *saved = PyEval_SaveThread();
    TactStatus     status = draw(core, &camera, target != Py_None, rgb);
    PyEval_RestoreThread(saved);
    core->busy = false;
    if (status != TACT_OK) {
        Py_DECREF(block);
        return tact_py_raise(status);
    }
    return block;
}
