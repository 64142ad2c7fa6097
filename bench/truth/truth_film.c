// Films of `tact bench truth`: runs all engines, and writes what they did side by side.
#define _GNU_SOURCE // mmap()
#include "bench/truth/truth_film.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "bench/bench.h"

// Frames a second of simulated time, rounded to whole steps.
static const double RATE = 60;
// Step of the run that the others are compared with, s.
static const double FINE = 1e-4;
// tact may take as many times as long as others: its run at 0.1 ms has many steps.
static const double OWN = 20;

// ---------------------------------------------------------------------------------------------
// Tracks

static size_t track_size(int bodies, int room)
{
    return sizeof(TactFilmTrack) +
           (size_t)bodies * (size_t)room * (sizeof(TactTransform) + sizeof(TactTwist));
}

TactTransform *tact_film_poses(TactFilmTrack *track, int frame)
{
    return track->poses + (size_t)frame * (size_t)track->bodies;
}

TactTwist *tact_film_twists(TactFilmTrack *track, int frame)
{
    TactTwist *twists = (TactTwist *)(track->poses + (size_t)track->room * (size_t)track->bodies);
    return twists + (size_t)frame * (size_t)track->bodies;
}

static TactFilmTrack *create_track(int bodies, int room, int stride)
{
    TactFilmTrack *track = mmap(NULL, track_size(bodies, room), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (track == MAP_FAILED) {
        return NULL;
    }
    track->bodies = bodies;
    track->room = room;
    track->stride = stride;
    return track;
}

static void destroy_track(TactFilmTrack *track)
{
    if (track) {
        munmap(track, track_size(track->bodies, track->room));
    }
}

/// Keeps every state that is a frame.
static void keep_frame(void *context, int step, const TactTruthState *state)
{
    TactFilmTrack *track = context;
    int            frame = step / track->stride;
    size_t         bodies = (size_t)track->bodies;
    if (step % track->stride == 0 && frame < track->room) {
        memcpy(tact_film_poses(track, frame), state->poses, bodies * sizeof *state->poses);
        memcpy(tact_film_twists(track, frame), state->twists, bodies * sizeof *state->twists);
        track->frames = frame + 1;
    }
}

// ---------------------------------------------------------------------------------------------
// Engines

typedef struct Paint {
    const char *engine, *label;
    double      rgb[3];
} Paint;

// Every engine has its colour in all films; the first one is tact at the step of the film.
static const Paint paints[] = {
    {"tact", "tact", {0.30, 0.60, 1.00}},           {"mujoco", "MuJoCo", {1.00, 0.65, 0.20}},
    {"bullet", "Bullet", {0.95, 0.35, 0.35}},       {"ode", "ODE", {0.70, 0.55, 0.95}},
    {"ode-quick", "ODE quick", {0.90, 0.65, 0.85}},
};
static const double FINE_RGB[3] = {0.35, 0.80, 0.45};

/// An engine without a colour is grey.
static Paint find_paint(const char *engine)
{
    for (size_t i = 0; i < sizeof paints / sizeof paints[0]; i++) {
        if (strcmp(paints[i].engine, engine) == 0) {
            return paints[i];
        }
    }
    return (Paint){engine, engine, {0.5, 0.5, 0.5}};
}

static void print_time(const char *what, double time)
{
    if (time < HUGE_VAL) {
        printf("  %s %.3f s", what, time);
    } else {
        printf("  no %s", what);
    }
}

static void print_copy(const TactFilmCopy *copy)
{
    static const char *const ends[] = {
        [TACT_TRUTH_COMPLETE] = "",         [TACT_TRUTH_CANNOT] = "",
        [TACT_TRUTH_GAVE_UP] = "gave up, ", [TACT_TRUTH_TIME_OVER] = "out of time, ",
        [TACT_TRUTH_DIED] = "died, ",
    };
    const TactTruthRun *run = &copy->run;
    if (run->end == TACT_TRUTH_CANNOT) {
        printf("  %-16s cannot take this scene: left out\n", copy->label);
        return;
    }
    printf("  %-16s %sdeepest %.4f mm at %.3f s, off its velocity by %.4f mm", copy->label,
           ends[run->end], 1e3 * fmax(run->depth, 0), run->depth_time, 1e3 * run->part_departure);
    print_time("impact", run->impact);
    print_time("rest", run->rest);
    printf("\n");
}

/// Runs an engine, and adds it to the picture if it takes the scene.
static TactStatus add_copy(TactFilm *film, const TactTruthTask *task, const char *label,
                           const double rgb[3])
{
    TactFilmCopy *copy = &film->copy[film->copies];
    TactTruthTask watched = *task;
    *copy = (TactFilmCopy){.rgb = {rgb[0], rgb[1], rgb[2]}};
    snprintf(copy->label, sizeof copy->label, "%s %g ms", label, 1e3 * task->step);
    copy->track =
        create_track(task->model->body_count, film->frames, (int)lround(film->every / task->step));
    if (!copy->track) {
        return TACT_NO_MEMORY;
    }
    watched.watch = keep_frame;
    watched.watcher = copy->track;
    TactStatus status = tact_truth_run_apart(&watched, &copy->run);
    if (status == TACT_OK) {
        print_copy(copy);
    }
    if (status == TACT_OK && copy->track->frames > 0) {
        film->copies++;
        return TACT_OK;
    }
    destroy_track(copy->track);
    return status;
}

static TactStatus run_engines(TactFilm *film, const TactTruthBench *bench,
                              const TactTruthTask *task)
{
    TactTruthTask one = *task;
    TactStatus    status = TACT_OK;
    for (int e = 0; e < bench->engines && status == TACT_OK; e++) {
        Paint paint = find_paint(bench->engine[e]->name);
        one.engine = bench->engine[e];
        one.budget = e == 0 ? OWN * task->budget : task->budget;
        status = add_copy(film, &one, paint.label, paint.rgb);
        if (e == 0 && status == TACT_OK) {
            one.step = task->step / ceil(task->step / FINE - 1e-6);
            status = add_copy(film, &one, paint.label, FINE_RGB);
            one.step = task->step;
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------

/// The film's files: a recording, and a page where there is a writer of pages.
static TactStatus write_film(TactFilm *film, const char *scene, const char *base)
{
    char recording[PATH_MAX + NAME_MAX + 8], page[PATH_MAX + NAME_MAX + 8];
    snprintf(recording, sizeof recording, "%s.tact", base);
    snprintf(page, sizeof page, "%s.html", base);
    TactStatus status = tact_film_record(film, scene, recording);
    if (status == TACT_OK) {
        printf("  -> %s\n", recording);
    }
    if (status == TACT_OK && tact_bench_can_write_page()) {
        status = tact_bench_write_page(recording, page) ? TACT_OK : TACT_IO_ERROR;
        printf("  -> %s\n", page);
    }
    fflush(stdout);
    return status;
}

TactStatus tact_film_make(const TactTruthBench *bench, const TactTruthTask *task, const char *name,
                          const char *folder)
{
    TactFilm film = {.model = task->model, .step = task->step};
    char     title[NAME_MAX], base[PATH_MAX + NAME_MAX];
    film.every = fmax(round(1 / RATE / task->step), 1) * task->step;
    film.frames = (int)floor(task->time / film.every + 1e-6) + 1;
    snprintf(title, sizeof title, "%.200s-%gms", name, 1e3 * task->step);
    snprintf(base, sizeof base, "%s/%s", folder, title);
    film.name = title;
    mkdir(folder, 0777); // it may be there; if it cannot be made, the recording says so
    printf("%s: %g s in steps of %g ms, %d frames\n", name, task->time, 1e3 * task->step,
           film.frames);
    TactStatus status = run_engines(&film, bench, task);
    if (status == TACT_OK && film.copies > 0) {
        tact_film_place(&film);
        status = write_film(&film, task->path, base);
    }
    for (int c = 0; c < film.copies; c++) {
        destroy_track(film.copy[c].track);
    }
    return status;
}
