// Baraff's mechanisms: the blockfeeder of figure 1, the double-action jack of figure 2.
#include <math.h>
#include <stdlib.h>

#include "bench/papers/papers_baraff.h"

enum { BLOCKS = 10, COMPARE_EVERY = 50, SHOWN = 4 };

static void picture(const TactMechanism *mechanism, const TactPapersCamera *camera)
{
    char caption[64];
    snprintf(caption, sizeof caption, "%s, %.2f s", mechanism->scene, mechanism->state->time);
    tact_papers_picture(mechanism->papers, mechanism->sim, mechanism->model, camera, caption);
}

static void write_wanted(const TactMechanism *mechanism)
{
    double faster = mechanism->state->time / mechanism->seconds;
    tact_papers_wanted(mechanism->papers, mechanism->certified == mechanism->solves,
                       "`%s`: %d of %d contact problems are certified", mechanism->scene,
                       mechanism->certified, mechanism->solves);
    tact_papers_wanted(mechanism->papers, faster > 1, "`%s`: %.1f times faster than real time",
                       mechanism->scene, faster);
}

/// A step; now and then other methods have its problems too.
static TactStatus step(TactMechanism *mechanism)
{
    TactStatus status = tact_mechanism_step(mechanism);
    return status == TACT_OK && mechanism->steps % COMPARE_EVERY == 0
               ? tact_mechanism_compare(mechanism)
               : status;
}

// ---------------------------------------------------------------------------------------------
// Blockfeeder

static const double MARK = 0.08;   // x that the centres of blocks have to pass, m
static const double START = 0.031; // x of their centres at the start, m
enum { FRAMES = 700, FRAME = 20 };

typedef struct Feed {
    int    joint[BLOCKS]; // where x of the blocks stands in q
    int    pusher;
    int    passed;          // blocks that did, in their order
    bool   in_order;        // none came before its turn
    double passing[BLOCKS]; // when, s
    int    count;
    double time[FRAMES], x[BLOCKS][FRAMES], front[FRAMES]; // every FRAME steps, s and mm
} Feed;

static void find_blocks(const TactMechanism *mechanism, Feed *feed)
{
    feed->in_order = true;
    feed->pusher = tact_mechanism_joint(mechanism, "pusher");
    for (int k = 0; k < BLOCKS; k++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", k + 1);
        feed->joint[k] = tact_mechanism_joint(mechanism, name);
    }
}

static void watch_blocks(const TactMechanism *mechanism, Feed *feed)
{
    const double *q = mechanism->state->q;
    for (int k = feed->passed; k < BLOCKS; k++) {
        if (START + q[feed->joint[k]] > MARK) {
            feed->in_order = feed->in_order && k == feed->passed;
            feed->passing[feed->passed] = mechanism->state->time;
            feed->passed = k + 1;
        }
    }
    if (mechanism->steps % FRAME == 1 && feed->count < FRAMES) {
        feed->time[feed->count] = mechanism->state->time;
        feed->front[feed->count] = 1e3 * (0.0275 + q[feed->pusher]);
        for (int k = 0; k < BLOCKS; k++) {
            feed->x[k][feed->count] = 1e3 * (START + q[feed->joint[k]]);
        }
        feed->count++;
    }
}

static void plot_feed(TactPapers *papers, const Feed *feed)
{
    static const char *const names[BLOCKS] = {"block 1", "block 2", "block 3", "block 4",
                                              "block 5", "block 6", "block 7", "block 8",
                                              "block 9", "block 10"};
    TactSvgSeries            series[BLOCKS + 1];
    for (int k = 0; k < BLOCKS; k++) {
        series[k] = (TactSvgSeries){names[k],    TACT_SVG_CURVE, k % (TACT_SVG_COLOURS - 1),
                                    feed->count, feed->time,     feed->x[k]};
    }
    series[BLOCKS] =
        (TactSvgSeries){"pusher", TACT_SVG_CURVE, 5, feed->count, feed->time, feed->front};
    TactSvgPlot plot = {.title = "Blockfeeder: ten blocks and the pusher's front",
                        .x_label = "time, s",
                        .y_label = "x, mm",
                        .series_count = BLOCKS + 1,
                        .series = series};
    tact_papers_plot(papers, &plot);
}

static void write_feed(const TactMechanism *mechanism, const Feed *feed, int wanted)
{
    tact_papers_table(mechanism->papers, "Blockfeeder: when each block passes x = 80 mm",
                      "block | s | since the last one, s");
    for (int k = 0; k < feed->passed; k++) {
        if (k == 0) {
            tact_papers_row(mechanism->papers, "%d | %.3f | -", k + 1, feed->passing[k]);
        } else {
            tact_papers_row(mechanism->papers, "%d | %.3f | %.3f", k + 1, feed->passing[k],
                            feed->passing[k] - feed->passing[k - 1]);
        }
    }
    tact_papers_wanted(mechanism->papers, feed->in_order && feed->passed >= wanted,
                       "the blockfeeder feeds %d of %d blocks, in their order", feed->passed,
                       wanted);
}

static TactStatus run_feed(TactMechanism *mechanism, Feed *feed)
{
    static const TactPapersCamera camera = {{0.11, 0, 0.32}, 82, -10, 1.65, 0, 0, false};
    static const double           shown[SHOWN] = {0, 0.8, 5.8, 12.5};
    bool                          quick = tact_papers_quick(mechanism->papers);
    double                        end = quick ? 0.8 : 13;
    TactStatus                    status = TACT_OK;
    find_blocks(mechanism, feed);
    tact_papers_begin_strip(mechanism->papers);
    for (int k = 0; status == TACT_OK && mechanism->state->time < end - 1e-9;) {
        if (k < SHOWN && mechanism->state->time > shown[k] - 1e-9) {
            picture(mechanism, &camera);
            k++;
        }
        tact_papers_progress(mechanism->papers, 0.5 * mechanism->state->time / end);
        status = step(mechanism);
        watch_blocks(mechanism, feed);
    }
    tact_papers_end_strip(mechanism->papers);
    return status;
}

TactStatus tact_papers_blockfeeder(TactMechanism *mechanism)
{
    Feed *feed = calloc(1, sizeof *feed);
    if (!feed) {
        return TACT_NO_MEMORY;
    }
    TactStatus status = run_feed(mechanism, feed);
    if (status == TACT_OK) {
        plot_feed(mechanism->papers, feed);
        write_feed(mechanism, feed, tact_papers_quick(mechanism->papers) ? 1 : BLOCKS);
        write_wanted(mechanism);
    }
    free(feed);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Jack

enum { STROKES = 12, STILL = 100 };
static const double ARM = 0.1; // of the lever, from its pin to that of a pawl, m

typedef struct Lift {
    int    load, lever;
    int    strokes;
    double height[STROKES]; // at the end of each, m
    double lever_end[STROKES];
    int    still;     // steps since the lever has moved
    bool   moved;     // since the last stroke ended
    double top, sunk; // highest so far, and the most that it came down from there, m
    int    count;
    double time[FRAMES], mm[FRAMES], pin[FRAMES];
} Lift;

static void find_load(const TactMechanism *mechanism, Lift *lift)
{
    lift->load = tact_mechanism_joint(mechanism, "load z");
    lift->lever = tact_mechanism_joint(mechanism, "lever");
}

/// A stroke has ended when nothing has touched the lever for STILL steps.
static void watch_load(const TactMechanism *mechanism, Lift *lift)
{
    double load = mechanism->state->q[lift->load], lever = mechanism->state->q[lift->lever];
    double speed = fabs(mechanism->state->v[lift->lever]);
    lift->top = fmax(lift->top, load);
    lift->sunk = fmax(lift->sunk, lift->top - load);
    lift->still = speed < 1e-9 ? lift->still + 1 : 0;
    lift->moved = lift->moved || speed > 0.1;
    if (lift->moved && lift->still == STILL && lift->strokes < STROKES) {
        lift->lever_end[lift->strokes] = lever;
        lift->height[lift->strokes++] = load;
        lift->moved = false;
    }
    if (mechanism->steps % FRAME == 1 && lift->count < FRAMES) {
        lift->time[lift->count] = mechanism->state->time;
        lift->mm[lift->count] = 1e3 * load;
        lift->pin[lift->count++] = 1e3 * ARM * sin(lever);
    }
}

static void write_lift(const TactMechanism *mechanism, const Lift *lift)
{
    TactSvgSeries series[] = {
        {"load", TACT_SVG_CURVE, 0, lift->count, lift->time, lift->mm},
        {"pin of the right pawl", TACT_SVG_CURVE, 1, lift->count, lift->time, lift->pin},
    };
    TactSvgPlot plot = {.title = "Double-action jack: height of load and lever",
                        .x_label = "time, s",
                        .y_label = "height, mm",
                        .series_count = 2,
                        .series = series};
    bool        rises = lift->strokes > 0;
    tact_papers_plot(mechanism->papers, &plot);
    tact_papers_table(mechanism->papers,
                      "Jack: every stroke, down and up; a lever that goes from one turning point "
                      "to the other lifts by 2 arm sin(angle) if no pawl slips",
                      "stroke | height, mm | rise, mm | closed form, mm");
    for (int k = 0; k < lift->strokes; k++) {
        double rise = lift->height[k] - (k > 0 ? lift->height[k - 1] : 0);
        rises = rises && rise > 0.01;
        if (k == 0) { // from the middle, after a piece of the way in which the bar lay on its rest
            tact_papers_row(mechanism->papers, "1 | %.3f | %.3f | -", 1e3 * rise, 1e3 * rise);
        } else {
            tact_papers_row(mechanism->papers, "%d | %.3f | %.3f | %.3f", k + 1,
                            1e3 * lift->height[k], 1e3 * rise,
                            2e3 * ARM * sin(fabs(lift->lever_end[k])));
        }
    }
    tact_papers_wanted(mechanism->papers, rises, "the jack lifts its load with each of %d strokes",
                       lift->strokes);
    tact_papers_wanted(mechanism->papers, lift->sunk < 1e-6,
                       "in strokes, and by friction alone between them, the load sinks by %.0e m",
                       lift->sunk);
}

static TactStatus run_lift(TactMechanism *mechanism, Lift *lift, double end)
{
    static const TactPapersCamera camera = {{0.12, 0, 0.62}, 84, -8, 2.3, 0, 0, false};
    static const double           shown[SHOWN] = {0, 0.7, 1.7, 9.7};
    TactStatus                    status = TACT_OK;
    find_load(mechanism, lift);
    tact_papers_begin_strip(mechanism->papers);
    for (int k = 0; status == TACT_OK && mechanism->state->time < end - 1e-9;) {
        if (k < SHOWN && mechanism->state->time > shown[k] - 1e-9) {
            picture(mechanism, &camera);
            k++;
        }
        tact_papers_progress(mechanism->papers, 0.5 + 0.1 * mechanism->state->time / end);
        status = step(mechanism);
        watch_load(mechanism, lift);
    }
    tact_papers_end_strip(mechanism->papers);
    return status;
}

TactStatus tact_papers_jack(TactMechanism *mechanism)
{
    Lift *lift = calloc(1, sizeof *lift);
    if (!lift) {
        return TACT_NO_MEMORY;
    }
    TactStatus status = run_lift(mechanism, lift, tact_papers_quick(mechanism->papers) ? 2 : 10);
    if (status == TACT_OK) {
        write_lift(mechanism, lift);
        write_wanted(mechanism);
    }
    free(lift);
    return status;
}

// ---------------------------------------------------------------------------------------------
// In other ways

static TactStatus feed_again(TactMechanism *mechanism, double end, char *found, size_t size)
{
    Feed      *feed = calloc(1, sizeof *feed);
    TactStatus status = feed ? TACT_OK : TACT_NO_MEMORY;
    if (feed) {
        find_blocks(mechanism, feed);
    }
    while (status == TACT_OK && mechanism->state->time < end - 1e-9) {
        status = tact_mechanism_step(mechanism);
        watch_blocks(mechanism, feed);
    }
    if (status == TACT_OK) {
        snprintf(found, size, "%d blocks%s, the last one at %.3f s", feed->passed,
                 feed->in_order ? " in order" : "",
                 feed->passed > 0 ? feed->passing[feed->passed - 1] : 0);
    }
    free(feed);
    return status;
}

static TactStatus lift_again(TactMechanism *mechanism, double end, char *found, size_t size)
{
    Lift      *lift = calloc(1, sizeof *lift);
    TactStatus status = lift ? TACT_OK : TACT_NO_MEMORY;
    if (lift) {
        find_load(mechanism, lift);
    }
    while (status == TACT_OK && mechanism->state->time < end - 1e-9) {
        status = tact_mechanism_step(mechanism);
        watch_load(mechanism, lift);
    }
    if (status == TACT_OK) {
        snprintf(found, size, "lifts by %.1f mm, sinks by %.0e m", 1e3 * lift->top, lift->sunk);
    }
    free(lift);
    return status;
}

TactStatus tact_papers_mechanisms_again(TactPapers *papers)
{
    static const struct {
        const char      *name;
        TactMechanismWay way;
    } ways[] = {
        {"ladder", {.method = TACT_METHOD_LADDER}},
        {"baraff, the paper's", {.method = TACT_METHOD_BARAFF}},
        {"ladder", {.method = TACT_METHOD_LADDER, .step = 0.002}},
        {"ladder", {.method = TACT_METHOD_LADDER, .step = 0.005}},
    };
    enum { WAYS = sizeof ways / sizeof *ways };
    TactStatus status = TACT_OK;
    tact_papers_table(papers,
                      "The mechanisms by the paper's own algorithm in every step, and with "
                      "longer steps",
                      "scene | method | step, ms | certified | found | steps/s | times real time");
    for (int i = 0; i < 2 * WAYS && status == TACT_OK; i++) {
        TactMechanism mechanism;
        const bool    feeds = i < WAYS;
        const double  end = tact_papers_quick(papers) ? 0.6 : feeds ? 12.5 : 10;
        char          found[128];
        status = tact_mechanism_open(papers, feeds ? "blockfeeder.xml" : "jack.xml",
                                     &ways[i % WAYS].way, &mechanism);
        tact_papers_progress(papers, 0.6 + 0.1 * i / (2 * WAYS));
        if (status == TACT_OK) {
            status = feeds ? feed_again(&mechanism, end, found, sizeof found)
                           : lift_again(&mechanism, end, found, sizeof found);
        }
        if (status == TACT_OK) {
            tact_papers_row(papers, "%s | %s | %g | %d of %d | %s | %.0f | %.1f", mechanism.scene,
                            ways[i % WAYS].name, 1e3 * end / mechanism.steps, mechanism.certified,
                            mechanism.solves, found, mechanism.steps / mechanism.seconds,
                            end / mechanism.seconds);
        }
        tact_mechanism_close(&mechanism);
    }
    return status;
}

TactStatus tact_papers_jack_friction(TactPapers *papers)
{
    static const double mus[] = {0.6, 0.5, 0.4, 0.3, 0.2};
    const double        scene = 0.6;
    double              time = tact_papers_quick(papers) ? 0.1 : 6;
    TactStatus          status = TACT_OK;
    tact_papers_table(papers,
                      "Jack: friction of the pawls, which need 0.34 to 0.40 as the lever goes; "
                      "height of the load after six seconds",
                      "friction | height, mm");
    for (size_t i = 0; status == TACT_OK && i < sizeof mus / sizeof *mus; i++) {
        TactMechanism    mechanism;
        TactMechanismWay way = {.method = TACT_METHOD_LADDER, .friction = mus[i] / scene};
        status = tact_mechanism_open(papers, "jack.xml", &way, &mechanism);
        while (status == TACT_OK && mechanism.state->time < time) {
            status = tact_mechanism_step(&mechanism);
        }
        if (status == TACT_OK) {
            int load = tact_mechanism_joint(&mechanism, "load z");
            tact_papers_row(papers, "%.1f | %.1f", mus[i], 1e3 * mechanism.state->q[load]);
        }
        tact_mechanism_close(&mechanism);
    }
    return status;
}
