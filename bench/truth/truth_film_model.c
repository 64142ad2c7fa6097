// The model of a film, and its recording.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/record.h>

#include "bench/truth/truth_film.h"

// Room that a copy has at least and, unless it begins wider, at most; between copies; how far in
// front of where a scene begins its plate may be; m.
static const double NARROW = 0.4, WIDE = 0.9, BETWEEN = 0.1, FRONT = 0.3;
// Half-lengths of the plate with a copy's name, m.
static const double PLATE[3] = {0.12, 0.012, 0.012};

static const TactSource NOWHERE = {NULL, 0};

static bool moves(const TactModel *model, int body)
{
    return model->bodies[model->bodies[body].carrier].joint_count > 0;
}

// ---------------------------------------------------------------------------------------------
// Places

/// Of a sphere about the geom's frame that holds it; 0 for what has no end.
static double geom_radius(const TactModel *model, const TactGeom *geom)
{
    const double *size = geom->size;
    double        radius = 0;
    switch (geom->type) {
    case TACT_GEOM_SPHERE: return size[0];
    case TACT_GEOM_CAPSULE: return size[0] + size[1];
    case TACT_GEOM_CYLINDER: return hypot(size[0], size[1]);
    case TACT_GEOM_BOX: return hypot(hypot(size[0], size[1]), size[2]);
    case TACT_GEOM_ELLIPSOID: return fmax(size[0], fmax(size[1], size[2]));
    case TACT_GEOM_CONVEX:
    case TACT_GEOM_MESH: break;
    default: return 0;
    }
    const TactMesh *mesh = model->meshes[geom->mesh].mesh;
    for (int i = 0; i < mesh->vertex_count; i++) {
        radius = fmax(radius, tact_vec3_norm(mesh->vertices[i]));
    }
    return radius;
}

typedef struct Extent {
    double lo[2], hi[2]; // along x and y
} Extent;

static const Extent NOTHING = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};

static void widen(Extent *extent, TactVec3 at, double radius)
{
    const double x[2] = {at.x, at.y};
    for (int k = 0; k < 2; k++) {
        extent->lo[k] = fmin(extent->lo[k], x[k] - radius);
        extent->hi[k] = fmax(extent->hi[k], x[k] + radius);
    }
}

/// Of all geoms that have an end.
static void add_frame(const TactModel *model, const TactTransform *poses, Extent *extent)
{
    for (int g = 0; g < model->geom_count; g++) {
        const TactGeom *geom = &model->geoms[g];
        double          radius = geom_radius(model, geom);
        TactVec3        at = tact_transform_point(poses[geom->body], geom->pose.position);
        if (radius > 0) {
            widen(extent, at, moves(model, geom->body) ? radius : 0.9 * radius);
        }
    }
}

void tact_film_place(TactFilm *film)
{
    Extent all = NOTHING, begin = NOTHING;
    for (int c = 0; c < film->copies; c++) {
        TactFilmTrack *track = film->copy[c].track;
        for (int i = 0; i < track->frames; i++) {
            add_frame(film->model, tact_film_poses(track, i), i == 0 ? &begin : &all);
        }
    }
    double start = begin.hi[0] - begin.lo[0];
    double pitch = fmax(all.hi[0], begin.hi[0]) - fmin(all.lo[0], begin.lo[0]);
    film->front = fmax(fmin(all.lo[1], begin.lo[1]), begin.lo[1] - FRONT) - BETWEEN;
    pitch = fmax(fmax(start, NARROW), fmin(pitch, WIDE)) + BETWEEN;
    for (int c = 0; c < film->copies; c++) {
        film->copy[c].offset = (TactVec3){(c - 0.5 * (film->copies - 1)) * pitch, 0, 0};
    }
}

// ---------------------------------------------------------------------------------------------
// Model

typedef struct Making {
    const TactFilm   *film;
    TactModelBuilder *builder;
    TactTransform    *poses; // of the scene's bodies at its reference                (bodies)
    int              *mesh;  // of the film, for those of the scene                   (meshes)
} Making;

static TactStatus add_assets(Making *making)
{
    const TactModel *model = making->film->model;
    TactStatus       status = TACT_OK;
    for (int i = 0; i < model->mesh_count && status == TACT_OK; i++) {
        const TactMesh *from = model->meshes[i].mesh;
        TactMesh       *mesh = NULL;
        status = tact_mesh_create(from->vertices, from->vertex_count, from->triangles,
                                  from->triangle_count, &mesh);
        if (status == TACT_OK) {
            status = tact_model_builder_add_mesh(making->builder, model->meshes[i].name, mesh,
                                                 NOWHERE, &making->mesh[i]);
        }
    }
    for (int i = 0; i < model->heightfield_count && status == TACT_OK; i++) {
        status = tact_model_builder_add_heightfield(making->builder, &model->heightfields[i],
                                                    NOWHERE, NULL);
    }
    return status;
}

static TactStatus add_plate(Making *making, const TactFilmCopy *copy)
{
    TactBodyDesc body = tact_body_default();
    TactGeomDesc plate = tact_geom_default(TACT_GEOM_BOX);
    body.name = copy->label;
    body.pose.position = copy->offset;
    body.pose.position.y = making->film->front;
    body.pose.position.z = PLATE[2];
    TactStatus status =
        tact_model_builder_add_body(making->builder, &body, NOWHERE, &plate.geom.body);
    memcpy(plate.geom.size, PLATE, sizeof PLATE);
    memcpy(plate.geom.rgba, copy->rgb, sizeof copy->rgb);
    plate.geom.rgba[3] = 1;
    plate.geom.contact_type = plate.geom.contact_affinity = 0;
    return status == TACT_OK ? tact_model_builder_add_geom(making->builder, &plate, NOWHERE, NULL)
                             : status;
}

/// The floor is there once; everything else stands beside.
static bool is_floor(const TactGeom *geom, TactTransform pose)
{
    TactVec3 up = tact_quat_rotate(pose.rotation, (TactVec3){0, 0, 1});
    return geom->type == TACT_GEOM_PLANE && up.z > 1 - 1e-9;
}

/// Geom g of the scene, on a body of the film; pose: in that body.
static TactStatus add_geom(Making *making, int g, int body, TactTransform pose,
                           const TactFilmCopy *copy)
{
    const TactGeom *from = &making->film->model->geoms[g];
    TactGeomDesc    desc = tact_geom_default(from->type);
    // neighbours in the column are told apart by how bright they are
    double shade = 1 - 0.18 * (from->body % 3);
    bool   field = from->type == TACT_GEOM_HEIGHTFIELD;
    desc.geom = *from;
    desc.geom.name = NULL;
    desc.geom.body = body;
    desc.geom.pose = pose;
    desc.geom.mesh = from->mesh >= 0 && !field ? making->mesh[from->mesh] : from->mesh;
    desc.geom.contact_type = desc.geom.contact_affinity = 0;
    if (body != 0) {
        for (int k = 0; k < 3; k++) {
            desc.geom.rgba[k] = shade * copy->rgb[k];
        }
        desc.geom.rgba[3] = 1;
    } else if (from->type != TACT_GEOM_PLANE) {
        desc.geom.rgba[3] = 0.15; // walls of a bin hide nothing
    }
    return tact_model_builder_add_geom(making->builder, &desc, NOWHERE, NULL);
}

static TactStatus add_fixed(Making *making, int body, const TactFilmCopy *copy)
{
    const TactModel *model = making->film->model;
    const TactBody  *from = &model->bodies[body];
    TactStatus       status = TACT_OK;
    for (int g = from->first_geom; g < from->first_geom + from->geom_count; g++) {
        const TactGeom *geom = &model->geoms[g];
        TactTransform   pose = tact_transform_multiply(making->poses[body], geom->pose);
        bool            floor = is_floor(geom, pose);
        if (!floor) {
            pose.position = tact_vec3_add(pose.position, copy->offset);
        }
        if (status == TACT_OK && (!floor || copy == making->film->copy)) {
            status = add_geom(making, g, 0, pose, copy);
        }
    }
    return status;
}

static TactStatus add_moving(Making *making, int body, const TactFilmCopy *copy)
{
    const TactModel *model = making->film->model;
    const TactBody  *from = &model->bodies[body];
    TactBodyDesc     desc = tact_body_default();
    TactJoint        joint = tact_joint_default(TACT_JOINT_FREE);
    char             name[TACT_FILM_LABEL + 72], number[64];
    snprintf(name, sizeof name, "%s/%.64s", copy->label,
             tact_model_label(model, TACT_OBJECT_BODY, body, number));
    desc.name = name;
    desc.pose = making->poses[body];
    desc.pose.position = tact_vec3_add(desc.pose.position, copy->offset);
    desc.has_inertia = true;
    desc.inertia = from->inertia;
    TactStatus status = tact_model_builder_add_body(making->builder, &desc, NOWHERE, &joint.body);
    if (status == TACT_OK) {
        status = tact_model_builder_add_joint(making->builder, &joint, NOWHERE, NULL);
    }
    for (int g = from->first_geom; g < from->first_geom + from->geom_count; g++) {
        if (status == TACT_OK) {
            status = add_geom(making, g, joint.body, model->geoms[g].pose, copy);
        }
    }
    return status;
}

static TactStatus add_all(Making *making)
{
    const TactFilm *film = making->film;
    TactStatus      status = add_assets(making);
    for (int c = 0; c < film->copies && status == TACT_OK; c++) {
        status = add_plate(making, &film->copy[c]); // the viewer names the first bodies
    }
    for (int c = 0; c < film->copies; c++) {
        for (int b = 0; b < film->model->body_count && status == TACT_OK; b++) {
            status = moves(film->model, b) ? add_moving(making, b, &film->copy[c])
                                           : add_fixed(making, b, &film->copy[c]);
        }
    }
    return status;
}

TactStatus tact_film_model(const TactFilm *film, TactModel **model)
{
    Making making = {
        .film = film,
        .poses = calloc((size_t)film->model->body_count, sizeof *making.poses),
        .mesh = calloc((size_t)film->model->mesh_count + 1, sizeof *making.mesh),
    };
    TactModelConfig config = tact_model_config_default();
    TactStatus      status =
        making.poses && making.mesh ? tact_model_builder_create(&making.builder) : TACT_NO_MEMORY;
    config.name = film->name;
    config.options = film->model->options;
    config.inertia_rule = TACT_INERTIA_RULE_AS_STATED;
    config.mass_min = config.inertia_min = 1e-9; // parts that others carry may have none
    if (status == TACT_OK) {
        tact_model_compute_poses(film->model, film->model->q_reference, making.poses);
        status = tact_model_builder_set_config(making.builder, &config);
    }
    if (status == TACT_OK) {
        status = add_all(&making);
    }
    if (status == TACT_OK) {
        status = tact_model_builder_compile(making.builder, model);
    }
    tact_model_builder_destroy(making.builder);
    free(making.poses);
    free(making.mesh);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Recording

/// Coordinates of all free bodies, in the order in which tact_film_model() adds them.
static void fill_coordinates(const TactFilm *film, int frame, double *q, double *v)
{
    const TactModel *model = film->model;
    for (int c = 0; c < film->copies; c++) {
        const TactFilmCopy  *copy = &film->copy[c];
        int                  last = copy->track->frames - 1; // an engine may have given up
        const TactTransform *poses = tact_film_poses(copy->track, frame < last ? frame : last);
        const TactTwist     *twists = tact_film_twists(copy->track, frame < last ? frame : last);
        for (int b = 0; b < model->body_count; b++) {
            if (!moves(model, b)) {
                continue;
            }
            TactQuat R = poses[b].rotation;
            TactVec3 x = tact_vec3_add(poses[b].position, copy->offset), w = twists[b].angular;
            TactVec3 arm = tact_quat_rotate(R, model->bodies[b].inertia.com);
            TactVec3 u = tact_vec3_subtract(twists[b].linear, tact_vec3_cross(w, arm));
            TactVec3 spin = tact_quat_rotate_back(R, w);
            memcpy(q, (double[]){x.x, x.y, x.z, R.w, R.x, R.y, R.z}, 7 * sizeof *q);
            memcpy(v, (double[]){u.x, u.y, u.z, spin.x, spin.y, spin.z}, 6 * sizeof *v);
            q += 7;
            v += 6;
        }
    }
}

static TactStatus write_frames(const TactFilm *film, const TactModel *model,
                               TactTruthMeasure *measure, TactTruthState *state,
                               TactRecordWriter *writer)
{
    TactStatus status = TACT_OK;
    int        stride = (int)lround(film->every / film->step);
    for (int i = 0; i < film->frames && status == TACT_OK; i++) {
        fill_coordinates(film, i, state->q, state->v);
        status = tact_truth_set_coordinates(measure, state->q, state->v, state);
        TactTruthEnergy energy = tact_truth_energy(model, state);
        TactRecordFrame frame = {
            .time = i * film->every,
            .step = (uint64_t)i * (uint64_t)stride,
            .kinetic = energy.kinetic,
            .potential = energy.potential,
            .q = state->q,
            .v = state->v,
            .poses = state->poses,
        };
        if (status == TACT_OK) {
            status = tact_record_writer_add(writer, &frame);
        }
    }
    return status;
}

TactStatus tact_film_record(TactFilm *film, const char *scene, const char *path)
{
    TactModel        *model = NULL;
    TactTruthMeasure *measure = NULL;
    TactTruthState    state = {0};
    TactRecordWriter *writer = NULL;
    TactRecordConfig  config = tact_record_config_default();
    TactRecordRun     run = {.scene = scene,
                             .method = "several engines",
                             .cone = "cone of each",
                             .timestep = film->step};
    TactStatus        status = tact_film_model(film, &model);
    if (status == TACT_OK) {
        status = tact_truth_measure_create(model, &measure);
    }
    if (status == TACT_OK) {
        status = tact_truth_state_create(model, &state);
    }
    if (status == TACT_OK) {
        status = tact_record_writer_create(path, model, &run, &config, &writer);
    }
    if (status == TACT_OK) {
        status = write_frames(film, model, measure, &state, writer);
    }
    TactStatus closed = tact_record_writer_destroy(writer);
    tact_truth_state_destroy(&state);
    tact_truth_measure_destroy(measure);
    tact_model_destroy(model);
    return status == TACT_OK ? closed : status;
}
