// Pictures of the report: contacts with friction cones and forces, numbers beside things, strips.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/papers_report.h"
#include "bench/picture/picture.h"

enum { WIDTH = 720, HEIGHT = 480, PANEL_WIDTH = 480, PANEL_HEIGHT = 400, MOST_MARKS = 200 };

// Radius of an arrow's shaft over the height of a cone.
static const double SHAFT = 0.1;

// ---------------------------------------------------------------------------------------------
// Contacts

/// Does a body move freely, as what is grasped does?
static bool is_free(const TactModel *model, int body)
{
    const TactBody *b = &model->bodies[body];
    return b->joint_count > 0 && model->joints[b->first_joint].type == TACT_JOINT_FREE;
}

/// On which body of a contact forces are shown: that which is free or moves at all; b if both do.
static double find_side(const TactModel *model, const TactSimContact *c)
{
    bool free[2] = {is_free(model, c->body[0]), is_free(model, c->body[1])};
    bool fixed = model->bodies[c->body[1]].carrier == 0 && model->bodies[c->body[0]].carrier != 0;
    return (free[0] && !free[1]) || fixed ? -1 : 1;
}

/// A cone opens away from the body that forces are shown on, into which one cannot look; arrows are
/// forces on it, and end where they act. Inward, both begin at the contact and go into that body.
static int mark_contacts(TactSim *sim, const TactModel *model, const TactPapersCamera *camera,
                         TactPictureMark *marks)
{
    int                   contact_count, count = 0;
    const TactSimContact *contacts = tact_sim_view_contacts(sim, &contact_count);
    for (int i = 0; i < contact_count && count + 2 <= MOST_MARKS && camera->cone > 0; i++) {
        const TactSimContact *c = &contacts[i];
        double                side = find_side(model, c);
        if (c->force[0] <= 0) {
            continue;
        }
        TactPictureMark *cone = &marks[count++];
        *cone = (TactPictureMark){.kind = TACT_PICTURE_MARK_CONE,
                                  .from = c->point,
                                  .radius = c->mu * camera->cone,
                                  .rgba = {0.98, 0.78, 0.1, 1}};
        double away = camera->inward ? side : -side;
        cone->to = tact_vec3_add_scaled(c->point, away * camera->cone, c->normal);
        TactVec3 force = tact_sim_contact_get_force(c);
        if (camera->force * tact_vec3_norm(force) > 2 * SHAFT * camera->cone) {
            TactPictureMark *arrow = &marks[count++];
            *arrow = (TactPictureMark){.kind = TACT_PICTURE_MARK_ARROW,
                                       .radius = SHAFT * camera->cone,
                                       .rgba = {0.1, 0.2, 0.75, 1}};
            TactVec3 end = tact_vec3_add_scaled(c->point, away * camera->force, force);
            arrow->to = camera->inward ? end : c->point;
            arrow->from = camera->inward ? c->point : end;
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Numbers

// Digits of 3 x 5, a bit for each point, rows from the top.
static const unsigned short digits[10] = {075557, 026227, 071747, 071717, 055711,
                                          074717, 074757, 071111, 075757, 075717};
enum { POINT = 4, DIGIT_WIDTH = 4 * POINT };

typedef struct Canvas {
    unsigned char *rgb;
    int            width, height;
} Canvas;

static void fill(const Canvas *canvas, int x, int y, int width, int height, unsigned char grey)
{
    for (int r = y < 0 ? 0 : y; r < y + height && r < canvas->height; r++) {
        for (int c = x < 0 ? 0 : x; c < x + width && c < canvas->width; c++) {
            memset(canvas->rgb + 3 * ((size_t)r * (size_t)canvas->width + (size_t)c), grey, 3);
        }
    }
}

/// Black on white, its top left corner there.
static void write_number(const Canvas *canvas, int x, int y, int number)
{
    char text[8];
    int  length = snprintf(text, sizeof text, "%d", number);
    fill(canvas, x - POINT, y - POINT, length * DIGIT_WIDTH + POINT, 7 * POINT, 255);
    for (int k = 0; k < length; k++) {
        unsigned bits = digits[text[k] - '0'];
        for (int p = 0; p < 15; p++) {
            if (bits >> (14 - p) & 1) {
                fill(canvas, x + k * DIGIT_WIDTH + p % 3 * POINT, y + p / 3 * POINT, POINT, POINT,
                     20);
            }
        }
    }
}

/// Where a place is seen: the camera of picture.h, whose eye sees 1 / 1.6 of the height at depth 1.
static void see(const TactPicture *picture, TactVec3 place, int *x, int *y)
{
    const double degree = 3.14159265358979323846 / 180;
    double       a = degree * picture->azimuth, e = degree * picture->elevation;
    TactVec3     forward = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
    TactVec3     right = tact_vec3_normalise(tact_vec3_cross(forward, (TactVec3){0, 0, 1}));
    TactVec3     up = tact_vec3_cross(right, forward);
    TactVec3     eye = tact_vec3_add_scaled(picture->target, -picture->distance, forward);
    TactVec3     d = tact_vec3_subtract(place, eye);
    double       scale = 1.6 * picture->height / tact_vec3_dot(d, forward);
    *x = (int)(0.5 * picture->width + scale * tact_vec3_dot(d, right));
    *y = (int)(0.5 * picture->height - scale * tact_vec3_dot(d, up));
}

void tact_papers_label(TactPapers *papers, TactVec3 place, int number)
{
    if (papers->label_count < TACT_PAPERS_MOST_LABELS) {
        papers->labels[papers->label_count++] = (TactPapersLabel){place, number};
    }
}

// ---------------------------------------------------------------------------------------------
// Strips

static void tell_missing(TactPapers *papers, TactStatus status)
{
    tact_papers_text(papers, "(No picture: %s.)",
                     status == TACT_UNSUPPORTED ? "built without libpng" : "out of memory");
}

static void add_picture(TactPapers *papers, const Canvas *canvas, const char *caption)
{
    unsigned char *bytes;
    size_t         size;
    TactStatus     status =
        tact_picture_encode(canvas->rgb, canvas->width, canvas->height, &bytes, &size);
    if (status == TACT_OK) {
        tact_papers_add_bytes(papers, TACT_BLOCK_PICTURE, caption, bytes, size);
    } else {
        tell_missing(papers, status);
    }
}

void tact_papers_begin_strip(TactPapers *papers)
{
    papers->strip = (TactPapersStrip){.open = true};
}

/// Takes the picture into the strip.
static void add_panel(TactPapersStrip *strip, Canvas *canvas, const char *caption)
{
    size_t used = strlen(strip->caption);
    write_number(canvas, 3 * POINT, 3 * POINT, strip->count + 1);
    snprintf(strip->caption + used, sizeof strip->caption - used, "%s%d: %s",
             strip->count > 0 ? "; " : "", strip->count + 1, caption);
    strip->rgb[strip->count++] = canvas->rgb;
    canvas->rgb = NULL;
}

void tact_papers_end_strip(TactPapers *papers)
{
    TactPapersStrip *strip = &papers->strip;
    size_t           row = 3 * (size_t)PANEL_WIDTH;
    Canvas           canvas = {.width = strip->count * PANEL_WIDTH, .height = PANEL_HEIGHT};
    canvas.rgb = malloc(row * (size_t)strip->count * PANEL_HEIGHT + 1);
    for (int k = 0; k < strip->count; k++) {
        for (size_t y = 0; y < PANEL_HEIGHT && canvas.rgb; y++) {
            memcpy(canvas.rgb + (y * (size_t)strip->count + (size_t)k) * row,
                   strip->rgb[k] + y * row, row);
        }
        free(strip->rgb[k]);
    }
    for (int k = 1; k < strip->count && canvas.rgb; k++) {
        fill(&canvas, k * PANEL_WIDTH - 1, 0, 2, PANEL_HEIGHT, 255);
    }
    if (strip->count > 0 && canvas.rgb) {
        add_picture(papers, &canvas, strip->caption);
    }
    papers->full |= !canvas.rgb;
    free(canvas.rgb);
    papers->strip = (TactPapersStrip){0};
}

void tact_papers_picture(TactPapers *papers, TactSim *sim, const TactModel *model,
                         const TactPapersCamera *camera, const char *caption)
{
    TactPictureMark  marks[MOST_MARKS];
    TactPapersStrip *strip = &papers->strip;
    bool             panel = strip->open && strip->count < TACT_PAPERS_MOST_PANELS;
    TactPicture      picture = {.model = model,
                                .q = tact_sim_view_state(sim)->q,
                                .target = camera->target,
                                .azimuth = camera->azimuth,
                                .elevation = camera->elevation,
                                .distance = camera->distance,
                                .width = panel ? PANEL_WIDTH : WIDTH,
                                .height = panel ? PANEL_HEIGHT : HEIGHT,
                                .marks = marks};
    Canvas           canvas = {.width = picture.width, .height = picture.height};
    picture.mark_count = mark_contacts(sim, model, camera, marks);
    canvas.rgb = malloc(3 * (size_t)canvas.width * (size_t)canvas.height);
    TactStatus status = canvas.rgb ? tact_picture_draw(&picture, canvas.rgb) : TACT_NO_MEMORY;
    for (int i = 0; i < papers->label_count && status == TACT_OK; i++) {
        int x, y;
        see(&picture, papers->labels[i].place, &x, &y);
        write_number(&canvas, x, y, papers->labels[i].number);
    }
    papers->label_count = 0;
    if (status != TACT_OK) {
        tell_missing(papers, status);
    } else if (panel) {
        add_panel(strip, &canvas, caption);
    } else {
        add_picture(papers, &canvas, caption);
    }
    free(canvas.rgb);
}
