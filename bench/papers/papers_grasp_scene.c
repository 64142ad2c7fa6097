// What a hand does: it closes, is lifted, and holds what it grasps or loses it.
#include "bench/papers/papers_grasp_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 400 };

static const double SAMPLE_EVERY = 0.01; // s
static const double MOST_CREEP = 1e-6;   // m

/// What a hand did.
typedef struct Story {
    double hand, object; // how far each was lifted, m
    double creep;        // in the hand's frame, of origin and rim, m
    int    solves, certified;
    int    count;                                                        // samples
    double time[MOST_SAMPLES], height[MOST_SAMPLES], lift[MOST_SAMPLES]; // s, mm, mm
} Story;

TactStatus tact_grasp_scene_open(const TactPapers *papers, const TactGraspHand *hand,
                                 const TactGraspWay *way, TactGraspScene *scene)
{
    *scene = (TactGraspScene){0};
    TactStatus status = tact_papers_load_scene(papers, hand->scene, &scene->model);
    if (status == TACT_OK && way->maximal) {
        TactModel *maximal = NULL;
        status = tact_model_create_maximal(scene->model, &maximal);
        tact_model_destroy(scene->model);
        scene->model = maximal;
    }
    if (status != TACT_OK) {
        return status;
    }
    TactSimConfig config = tact_sim_config_default(scene->model);
    config.zeta = way->maximal ? way->zeta : config.zeta;
    if (way->given) {
        config.method = way->method;
        config.cone = way->cone;
        config.lcp_method = way->lcp;
    }
    status = tact_sim_create(scene->model, &config, &scene->sim);
    status = status == TACT_OK ? tact_sim_reset(scene->sim, 0) : status;
    scene->object = tact_model_find(scene->model, TACT_OBJECT_BODY, hand->object);
    scene->palm = tact_model_find(scene->model, TACT_OBJECT_BODY, "palm");
    scene->poses = calloc((size_t)scene->model->body_count, sizeof *scene->poses);
    if (status == TACT_OK && (scene->object < 0 || scene->palm < 0)) {
        return TACT_BAD_INPUT;
    }
    if (!scene->poses) {
        return TACT_NO_MEMORY;
    }
    scene->state = status == TACT_OK ? tact_sim_view_state(scene->sim) : NULL;
    return status == TACT_OK ? tact_grasp_scene_look(scene) : status;
}

void tact_grasp_scene_close(TactGraspScene *scene)
{
    tact_sim_destroy(scene->sim);
    tact_model_destroy(scene->model);
    free(scene->poses);
}

TactStatus tact_grasp_scene_look(TactGraspScene *scene)
{
    return tact_sim_compute_poses(scene->sim, scene->poses);
}

TactVec3 tact_grasp_scene_place(const TactGraspScene *scene, TactVec3 point)
{
    TactVec3 at = tact_transform_point(scene->poses[scene->object], point);
    return tact_transform_point_back(scene->poses[scene->palm], at);
}

// ---------------------------------------------------------------------------------------------
// What the hand does

static double find_creep(const TactGraspScene *scene, TactVec3 rim, const TactVec3 start[2])
{
    TactVec3 origin = {0};
    double a = tact_vec3_norm(tact_vec3_subtract(tact_grasp_scene_place(scene, origin), start[0]));
    double b = tact_vec3_norm(tact_vec3_subtract(tact_grasp_scene_place(scene, rim), start[1]));
    return fmax(a, b);
}

/// How far a body has been lifted since the start, m.
static double find_lift(const TactGraspScene *scene, int body, double start)
{
    return scene->poses[body].position.z - start;
}

static void sample(const TactGraspScene *scene, const double start[2], Story *story)
{
    int k = story->count;
    if (k < MOST_SAMPLES && scene->state->time >= SAMPLE_EVERY * k) {
        story->time[k] = scene->state->time;
        story->height[k] = 1e3 * find_lift(scene, scene->object, start[0]);
        story->lift[k] = 1e3 * find_lift(scene, scene->palm, start[1]);
        story->count++;
    }
}

static TactStatus run_hand(TactPapers *papers, const TactGraspHand *hand, TactGraspScene *scene,
                           Story *story)
{
    bool       quick = tact_papers_quick(papers);
    double     settle = quick ? fmin(hand->settle, 0.6) : hand->settle;
    double     end = settle + (quick ? fmin(hand->hold, 0.1) : hand->hold);
    double     height[2] = {scene->poses[scene->object].position.z,
                            scene->poses[scene->palm].position.z};
    TactVec3   start[2];
    int        pictures = 0;
    TactStatus status = TACT_OK;
    bool       settled = false;
    tact_papers_begin_strip(papers);
    while (status == TACT_OK && scene->state->time < end) {
        TactSimReport report;
        double        time = scene->state->time;
        if (pictures < 3 && hand->captions[pictures] && time >= hand->moments[pictures]) {
            tact_papers_picture(papers, scene->sim, scene->model, &hand->camera,
                                hand->captions[pictures]);
            pictures++;
        }
        if (!settled && time >= settle) {
            start[0] = tact_grasp_scene_place(scene, (TactVec3){0});
            start[1] = tact_grasp_scene_place(scene, hand->rim);
            settled = true;
        }
        sample(scene, height, story);
        status = tact_sim_step(scene->sim, &report);
        status = status == TACT_OK ? tact_grasp_scene_look(scene) : status;
        story->solves += report.islands;
        story->certified += report.certified;
        if (settled) {
            story->creep = fmax(story->creep, find_creep(scene, hand->rim, start));
        }
    }
    tact_papers_end_strip(papers);
    story->hand = find_lift(scene, scene->palm, height[1]);
    story->object = find_lift(scene, scene->object, height[0]);
    return status;
}

static void write_story(TactPapers *papers, const TactGraspHand *hand, const Story *story)
{
    char creep[32] = "slips";
    if (hand->hold > 0) {
        snprintf(creep, sizeof creep, "%.1e", story->creep);
    }
    tact_papers_row(papers, "%s | %g | %.1f | %.1f | %s | %d of %d", hand->fingers, hand->mu,
                    1e3 * story->hand, 1e3 * story->object, creep, story->certified, story->solves);
}

static void want_story(TactPapers *papers, const TactGraspHand *hand, const Story *story)
{
    if (hand->hold > 0) {
        double hold = tact_papers_quick(papers) ? fmin(hand->hold, 0.1) : hand->hold;
        tact_papers_wanted(papers, story->object > 0.5 * story->hand && story->creep < MOST_CREEP,
                           "%s, mu = %g: lifted by %.0f mm and held for %g s with less than "
                           "1e-6 m of creep: %.1e m",
                           hand->fingers, hand->mu, 1e3 * story->object, hold, story->creep);
    } else {
        tact_papers_wanted(papers, story->object < 0.1 * story->hand,
                           "%s, mu = %g: slips; the hand is lifted by %.0f mm, the %s by %.1f mm",
                           hand->fingers, hand->mu, 1e3 * story->hand, hand->object,
                           1e3 * story->object);
    }
    tact_papers_wanted(papers, story->certified == story->solves, "%d of %d solves are certified",
                       story->certified, story->solves);
}

static void plot_stories(TactPapers *papers, const TactGraspHand *hands, const Story *stories,
                         int count)
{
    char          names[2][64];
    TactSvgSeries series[3];
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "%s, mu = %g", hands[i].fingers, hands[i].mu);
        series[i] = (TactSvgSeries){names[i],         TACT_SVG_CURVE,  i,
                                    stories[i].count, stories[i].time, stories[i].height};
    }
    series[count] = (TactSvgSeries){"hand",           TACT_SVG_CURVE,  2,
                                    stories[0].count, stories[0].time, stories[0].lift};
    TactSvgPlot plot = {.title = "How far the hand and what it grasps are lifted",
                        .x_label = "time, s",
                        .y_label = "mm",
                        .series_count = count + 1,
                        .series = series};
    tact_papers_plot(papers, &plot);
}

TactStatus tact_grasp_tell(TactPapers *papers, const TactGraspHand *hands, int count,
                           const char *title, const char *caption)
{
    static Story       stories[2];
    const TactGraspWay way = {0};
    TactStatus         status = TACT_OK;
    tact_papers_section(papers, title);
    for (int i = 0; i < count && status == TACT_OK; i++) {
        TactGraspScene scene = {0};
        stories[i] = (Story){0};
        status = tact_grasp_scene_open(papers, &hands[i], &way, &scene);
        status = status == TACT_OK ? run_hand(papers, &hands[i], &scene, &stories[i]) : status;
        tact_grasp_scene_close(&scene);
    }
    if (status != TACT_OK) {
        return status;
    }
    plot_stories(papers, hands, stories, count);
    tact_papers_table(papers, caption,
                      "fingers | mu | hand lifted, mm | object lifted, mm | creep in the hand's "
                      "frame, m | certified");
    for (int i = 0; i < count; i++) {
        write_story(papers, &hands[i], &stories[i]);
    }
    for (int i = 0; i < count; i++) {
        want_story(papers, &hands[i], &stories[i]);
    }
    return TACT_OK;
}
