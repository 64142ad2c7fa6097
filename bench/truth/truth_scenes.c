// Random scenes as MJCF, so that every engine reads the same one.
//
// A scene is a function of (family, seed, index, attempt). Bodies are drawn one after the other and
// placed by their bounding spheres, a little closer than these allow; what overlaps then by tact's
// collision is drawn again.
#define _GNU_SOURCE // open_memstream()
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>

#include "bench/truth/truth.h"
#include "bench/truth/truth_bodies.h"

enum { MOST_ATTEMPTS = 1000 };

static const char *const family_names[TACT_TRUTH_FAMILY_COUNT] = {
    [TACT_TRUTH_DROP] = "drop",
    [TACT_TRUTH_FREE_SPACE] = "free-space",
    [TACT_TRUTH_IMPACT_64] = "impact-64",
    [TACT_TRUTH_IMPACT_216] = "impact-216",
};

const char *tact_truth_family_name(TactTruthFamily family)
{
    return family == TACT_TRUTH_FILES ? "files" : family_names[family];
}

static TactRandom seed_of(const TactTruthScene *scene, int attempt)
{
    uint64_t key = (uint64_t)scene->seed * 0x9e3779b97f4a7c15u;
    key = (key ^ (uint64_t)scene->family) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (uint64_t)scene->index) * 0x94d049bb133111ebu;
    return tact_random_seed(key ^ (uint64_t)attempt);
}

/// A body that stands somewhere, as a sphere.
typedef struct Placed {
    TactVec3 centre;
    double   radius;
} Placed;

static bool is_clear(const Placed *placed, int count, Placed next, double closeness)
{
    for (int i = 0; i < count; i++) {
        double apart = tact_vec3_norm(tact_vec3_subtract(placed[i].centre, next.centre));
        if (apart < closeness * (placed[i].radius + next.radius)) {
            return false;
        }
    }
    return true;
}

static TactVec3 draw_vector(TactRandom *random, double size)
{
    TactVec3 x;
    x.x = tact_random_uniform(random, -size, size);
    x.y = tact_random_uniform(random, -size, size);
    x.z = tact_random_uniform(random, -size, size);
    return x;
}

/// 2 to 6 bodies, or mechanisms in a third of the scenes, in a column above the floor.
static void draw_drop(TactTruthDrawing *drawing)
{
    TactRandom *random = &drawing->random;
    Placed      placed[6];
    int         count = 2 + (int)tact_random_uniform(random, 0, 5);
    bool        mechanism = tact_random_uniform(random, 0, 3) < 1;
    bool        moving = tact_random_uniform(random, 0, 2) < 1;
    double      closeness = tact_random_uniform(random, 0.65, 1);
    double      lift = tact_random_uniform(random, 0, 0.4);
    drawing->ellipsoids = tact_random_uniform(random, 0, 6) < 1;
    for (int i = 0; i < count; i++) {
        TactTruthBody body = mechanism && i == count / 2 ? tact_truth_draw_mechanism(drawing)
                                                         : tact_truth_draw_body(drawing);
        double        step = tact_random_uniform(random, 0.005, 0.05);
        placed[i].radius = body.radius;
        placed[i].centre = draw_vector(random, 0.08);
        placed[i].centre.z = lift + closeness * body.radius + step;
        while (!is_clear(placed, i, placed[i], closeness)) {
            placed[i].centre.z += step;
        }
        TactTwist motion = {{0, 0, 0}, {0, 0, 0}};
        if (moving) {
            motion.linear = draw_vector(random, 1.5);
            motion.angular = draw_vector(random, 10);
        }
        tact_truth_add_body(drawing, &body, placed[i].centre, motion);
    }
}

/// Bodies around the origin that meet there.
static void draw_free_space(TactTruthDrawing *drawing)
{
    TactRandom *random = &drawing->random;
    Placed      placed[4];
    int         count = 2 + (int)tact_random_uniform(random, 0, 3);
    double      when = tact_random_uniform(random, 0.08, 0.35);
    drawing->ellipsoids = tact_random_uniform(random, 0, 6) < 1;
    for (int i = 0; i < count; i++) {
        TactTruthBody body = tact_truth_draw_body(drawing);
        placed[i].radius = body.radius;
        do {
            double away = tact_random_uniform(random, 0.2, 0.4);
            placed[i].centre = tact_vec3_scale(away, tact_truth_draw_direction(random));
        } while (!is_clear(placed, i, placed[i], 1));
        TactVec3  target = draw_vector(random, 0.03);
        TactTwist motion = {
            tact_vec3_scale(1 / when, tact_vec3_subtract(target, placed[i].centre)),
            draw_vector(random, 10),
        };
        tact_truth_add_body(drawing, &body, placed[i].centre, motion);
    }
}

/// Boxes on a loose grid, at rest, above the floor of a bin.
static void draw_impact(TactTruthDrawing *drawing, int edge)
{
    const double pitch = 0.28, wall = 0.02;
    double       half = edge * pitch / 2 + 0.04 + wall;
    for (int i = 0; i < edge * edge * edge; i++) {
        TactTruthBody body = tact_truth_draw_box(drawing);
        TactVec3      at = draw_vector(&drawing->random, 0.02);
        int           layer = i / edge / edge;
        at.x += pitch * (i % edge - 0.5 * (edge - 1));
        at.y += pitch * (i / edge % edge - 0.5 * (edge - 1));
        at.z += 0.16 + pitch * layer;
        tact_truth_add_body(drawing, &body, at, (TactTwist){{0, 0, 0}, {0, 0, 0}});
    }
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? half : -half;
        fprintf(drawing->bodies,
                "<geom type=\"box\" pos=\"%.9g %.9g 1\" size=\"%.9g %.9g 1\" friction=\"%.9g\"/>\n",
                k < 2 ? side : 0, k < 2 ? 0 : side, k < 2 ? wall : half, k < 2 ? half : wall,
                drawing->mu);
    }
}

static void draw_family(TactTruthDrawing *drawing, TactTruthFamily family)
{
    switch (family) {
    case TACT_TRUTH_DROP: draw_drop(drawing); break;
    case TACT_TRUTH_FREE_SPACE: draw_free_space(drawing); break;
    case TACT_TRUTH_IMPACT_64: draw_impact(drawing, 4); break;
    case TACT_TRUTH_IMPACT_216: draw_impact(drawing, 6); break;
    case TACT_TRUTH_FAMILY_COUNT: break;
    }
}

/// The file, from its parts. MuJoCo 2 must be told how much memory contacts may take.
static void write_scene(FILE *file, const TactTruthScene *scene, double step,
                        const TactTruthDrawing *drawing, const char *parts[3])
{
    bool floats = scene->family == TACT_TRUTH_FREE_SPACE;
    int  contacts = 200 + 12 * drawing->count;
    fprintf(file, "<mujoco model=\"%s %d/%d\">\n", family_names[scene->family], scene->seed,
            scene->index);
    fprintf(file, "<option timestep=\"%.9g\" gravity=\"0 0 %s\"/>\n", step, floats ? "0" : "-9.81");
    fprintf(file, "<size njmax=\"%d\" nconmax=\"%d\" nstack=\"%d\"/>\n", 4 * contacts, contacts,
            2000000 + 1200 * drawing->count * drawing->count);
    fprintf(file, "<asset>\n%s</asset>\n<worldbody>\n", parts[0]);
    if (!floats) {
        fprintf(file, "<geom type=\"plane\" size=\"20 20 0.1\" friction=\"%.9g\"/>\n", drawing->mu);
    }
    fprintf(file, "%s</worldbody>\n", parts[1]);
    if (drawing->moves) { // MuJoCo 2 takes no keyframe of 216 bodies; those of bins are at rest
        fprintf(file, "<keyframe>\n<key name=\"start\" qvel=\"%s\"/>\n</keyframe>\n", parts[2]);
    }
    fprintf(file, "</mujoco>\n");
}

/// One attempt. False: no memory.
static bool draw(const TactTruthScene *scene, double step, int attempt, char **text, size_t *size)
{
    char            *part[3] = {NULL, NULL, NULL};
    size_t           length[3];
    TactTruthDrawing drawing = {.random = seed_of(scene, attempt)};
    drawing.assets = open_memstream(&part[0], &length[0]);
    drawing.bodies = open_memstream(&part[1], &length[1]);
    drawing.velocities = open_memstream(&part[2], &length[2]);
    FILE *file = open_memstream(text, size);
    bool  good = drawing.assets && drawing.bodies && drawing.velocities && file;
    if (good) {
        drawing.mu = tact_random_uniform(&drawing.random, 0, 1);
        draw_family(&drawing, scene->family);
    }
    FILE *const made[] = {drawing.assets, drawing.bodies, drawing.velocities};
    for (int k = 0; k < 3; k++) {
        good = made[k] && fclose(made[k]) == 0 && good;
    }
    if (good) {
        write_scene(file, scene, step, &drawing, (const char *[]){part[0], part[1], part[2]});
    }
    good = file && fclose(file) == 0 && good;
    for (int k = 0; k < 3; k++) {
        free(part[k]);
    }
    return good;
}

/// Does anything overlap, or nearly so, where it starts?
static TactStatus is_free(const TactModel *model, bool *is)
{
    TactTruthMeasure *measure = NULL;
    TactTruthState    state = {0};
    double            depth = 0;
    TactStatus        status = tact_truth_measure_create(model, &measure);
    if (status == TACT_OK) {
        status = tact_truth_state_create(model, &state);
    }
    if (status == TACT_OK) {
        const double *v = model->keyframe_count > 0 ? model->keyframes[0].v : state.v;
        status = tact_truth_set_coordinates(measure, model->q_reference, v, &state);
    }
    if (status == TACT_OK) {
        status = tact_truth_depth(measure, &state, &depth);
    }
    *is = depth < -5e-4;
    tact_truth_state_destroy(&state);
    tact_truth_measure_destroy(measure);
    return status;
}

TactStatus tact_truth_make_scene(const TactTruthScene *scene, double step, char **text,
                                 TactModel **model)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        size_t size = 0;
        bool   good = false;
        *text = NULL;
        *model = NULL;
        if (!draw(scene, step, attempt, text, &size)) {
            free(*text);
            return TACT_NO_MEMORY;
        }
        TactStatus status = tact_model_load_memory("scene.xml", *text, size, &config, model, NULL);
        if (status == TACT_OK) {
            status = is_free(*model, &good);
        }
        if (status == TACT_OK && good) {
            return TACT_OK;
        }
        tact_model_destroy(*model);
        free(*text);
        *text = NULL;
        *model = NULL;
        if (status != TACT_OK) {
            return status;
        }
    }
    return TACT_BAD_INPUT;
}
