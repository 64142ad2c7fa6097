// Triangles to pixels: which triangle each pixel sees, by a depth buffer; then its colour, with the
// shadow of one light by a second depth buffer from the light.
#include <math.h>
#include <stdbool.h>
#include <tact/picture.h>

#include "base/memory.h"
#include "base/status.h"
#include "picture/facets.h"

enum { FINER = 2, SHADOW = 1536 }; // samples along a pixel's edge; samples of the shadow's edge
enum { MOST = 8192 };              // pixels along an edge

/// Which facet a sample sees, and how near it is: 1 / depth in perspective, -depth without it.
typedef struct Buffer {
    int     width, height;
    double *near;  // -HUGE_VAL: nothing                                    (height x width)
    int    *facet; // -1: nothing                                           (height x width)
} Buffer;

/// A view: rows are right, down, forward.
typedef struct View {
    TactVec3 eye, right, down, forward;
    bool     perspective;
    double   scale; // samples for a slope of 1, or for a metre
} View;

typedef struct Scene {
    const TactPicture *picture;
    TactFacets         facets;
    View               view, light;
    Buffer             solid, clear, shadow; // opaque facets, transparent ones, from the light
} Scene;

// ---------------------------------------------------------------------------------------------
// Views

static View look_along(TactVec3 eye, TactVec3 forward, bool perspective, double scale)
{
    TactVec3 up = {0, 0, 1};
    TactVec3 right = tact_vec3_cross(forward, up);
    if (tact_vec3_norm(right) < 1e-6) {
        right = (TactVec3){0, -1, 0};
    }
    right = tact_vec3_normalise(right);
    return (View){eye, right, tact_vec3_cross(forward, right), forward, perspective, scale};
}

/// In the view's own axes.
static TactVec3 view_point(const View *view, TactVec3 x)
{
    TactVec3 r = tact_vec3_subtract(x, view->eye);
    return (TactVec3){tact_vec3_dot(view->right, r), tact_vec3_dot(view->down, r),
                      tact_vec3_dot(view->forward, r)};
}

/// x, y in samples from the middle, z its nearness.
static TactVec3 project(const View *view, TactVec3 p)
{
    double s = view->perspective ? view->scale / p.z : view->scale;
    return (TactVec3){s * p.x, s * p.y, view->perspective ? 1 / p.z : -p.z};
}

// ---------------------------------------------------------------------------------------------
// Which facet a sample sees

static double cross2(TactVec3 a, TactVec3 b, double x, double y)
{
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/// A projected triangle, moved to the buffer's corner.
static void fill(Buffer *buffer, TactVec3 a, TactVec3 b, TactVec3 c, int facet)
{
    double area = cross2(a, b, c.x, c.y);
    if (area == 0 || !isfinite(area)) {
        return;
    }
    int x0 = (int)fmax(0, floor(fmin(a.x, fmin(b.x, c.x))));
    int y0 = (int)fmax(0, floor(fmin(a.y, fmin(b.y, c.y))));
    int x1 = (int)fmin(buffer->width - 1, ceil(fmax(a.x, fmax(b.x, c.x))));
    int y1 = (int)fmin(buffer->height - 1, ceil(fmax(a.y, fmax(b.y, c.y))));
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            double px = x + 0.5, py = y + 0.5;
            double u = cross2(b, c, px, py) / area, v = cross2(c, a, px, py) / area, w = 1 - u - v;
            if (u < 0 || v < 0 || w < 0) {
                continue;
            }
            double near = u * a.z + v * b.z + w * c.z;
            size_t at = (size_t)y * (size_t)buffer->width + (size_t)x;
            if (near > buffer->near[at]) {
                buffer->near[at] = near;
                buffer->facet[at] = facet;
            }
        }
    }
}

/// Cuts away what is behind the eye.                          Returns the corners left, 0, 3 or 4
static int clip(const TactVec3 p[3], double least, TactVec3 out[4])
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        TactVec3 a = p[k], b = p[(k + 1) % 3];
        if (a.z >= least) {
            out[count++] = a;
        }
        if ((a.z >= least) != (b.z >= least)) {
            double t = (least - a.z) / (b.z - a.z);
            out[count++] = tact_vec3_add_scaled(a, t, tact_vec3_subtract(b, a));
        }
    }
    return count;
}

static void see(const View *view, Buffer *buffer, const TactFacet *facet, int index)
{
    TactVec3 p[3], kept[4];
    int      count = 3;
    for (int k = 0; k < 3; k++) {
        kept[k] = p[k] = view_point(view, facet->corner[k]);
    }
    if (view->perspective) {
        count = clip(p, 1e-4 * view->scale / buffer->width, kept);
    }
    for (int k = 0; k < count; k++) {
        kept[k] = project(view, kept[k]);
        kept[k].x += 0.5 * buffer->width;
        kept[k].y += 0.5 * buffer->height;
    }
    for (int k = 2; k < count; k++) {
        fill(buffer, kept[0], kept[k - 1], kept[k], index);
    }
}

// ---------------------------------------------------------------------------------------------
// Colours

static double shadow_at(const Scene *scene, TactVec3 x)
{
    const Buffer *buffer = &scene->shadow;
    TactVec3      p = project(&scene->light, view_point(&scene->light, x));
    double        bias = 5 / scene->light.scale, sum = 0;
    int           px = (int)floor(p.x + 0.5 * SHADOW), py = (int)floor(p.y + 0.5 * SHADOW);
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int  sx = px + dx, sy = py + dy;
            bool inside = sx >= 0 && sy >= 0 && sx < SHADOW && sy < SHADOW;
            sum += !inside || buffer->near[(size_t)sy * SHADOW + (size_t)sx] < p.z + bias;
        }
    }
    return sum / 9;
}

/// Of a facet at a point of it, turned to the eye.
static TactVec3 normal_at(const TactFacet *facet, TactVec3 x, TactVec3 forward)
{
    const TactVec3 *c = facet->corner;
    TactVec3        e = tact_vec3_subtract(c[1], c[0]), f = tact_vec3_subtract(c[2], c[0]);
    TactVec3        r = tact_vec3_subtract(x, c[0]), n = tact_vec3_cross(e, f);
    double          nn = tact_vec3_dot(n, n);
    double          v = tact_vec3_dot(tact_vec3_cross(r, f), n) / nn;
    double          w = tact_vec3_dot(tact_vec3_cross(e, r), n) / nn;
    TactVec3        sum = tact_vec3_scale(1 - v - w, facet->normal[0]);
    sum = tact_vec3_add_scaled(tact_vec3_add_scaled(sum, v, facet->normal[1]), w, facet->normal[2]);
    sum = tact_vec3_normalise(sum);
    return tact_vec3_dot(sum, forward) > 0 ? tact_vec3_scale(-1, sum) : sum;
}

/// Squares of a round number of metres, about ten across the picture.
static double pattern(const Scene *scene, TactVec3 x)
{
    double cell = pow(10, floor(log10(0.3 * scene->picture->distance)));
    cell *= cell < 0.06 * scene->picture->distance ? 2 : 1;
    long i = (long)floor(x.x / cell), j = (long)floor(x.y / cell);
    return (i + j) % 2 == 0 ? 1 : 0.93;
}

static void background(double height, double rgb[3])
{
    static const double top[3] = {.80, .86, .93}, bottom[3] = {.96, .97, .98};
    for (int k = 0; k < 3; k++) {
        rgb[k] = top[k] + (bottom[k] - top[k]) * height;
    }
}

/// What a facet shows along a ray of direction `ray` (its part along forward is 1) at a depth.
static void shade(const Scene *scene, const TactFacet *facet, TactVec3 ray, double depth,
                  double rgb[3])
{
    TactVec3 x = tact_vec3_add_scaled(scene->view.eye, depth, ray);
    TactVec3 normal = normal_at(facet, x, ray), sun = tact_vec3_scale(-1, scene->light.forward);
    double   lit = fmax(0, tact_vec3_dot(normal, sun));
    lit = lit > 0 ? lit * shadow_at(scene, x) : 0;
    TactVec3 half = tact_vec3_normalise(tact_vec3_subtract(sun, tact_vec3_normalise(ray)));
    double   shine = lit > 0 ? 0.18 * pow(fmax(0, tact_vec3_dot(normal, half)), 40) : 0;
    double   ambient = 0.48 + 0.12 * normal.z, fade = 0;
    double   tone = facet->floor ? pattern(scene, x) : 1;
    if (facet->floor) { // into the distance
        fade = fmin(1, fmax(0, depth / scene->picture->distance - 1.5) / 3);
        shine = 0;
    }
    double far[3];
    background(0.5, far);
    for (int k = 0; k < 3; k++) {
        double base = facet->floor ? 0.35 * facet->rgba[k] + 0.58 : facet->rgba[k];
        double colour = base * tone * (ambient + 0.52 * lit) + shine;
        rgb[k] = colour + fade * (far[k] - colour);
    }
}

static void colour_sample(const Scene *scene, int x, int y, double rgb[3])
{
    const View *view = &scene->view;
    size_t      at = (size_t)y * (size_t)scene->solid.width + (size_t)x;
    double      sx = (x + 0.5 - 0.5 * scene->solid.width) / view->scale;
    double      sy = (y + 0.5 - 0.5 * scene->solid.height) / view->scale;
    TactVec3    ray = tact_vec3_add_scaled(view->forward, sx, view->right);
    ray = tact_vec3_add_scaled(ray, sy, view->down);
    background((y + 0.5) / scene->solid.height, rgb);
    if (scene->solid.facet[at] >= 0) {
        shade(scene, &scene->facets.facets[scene->solid.facet[at]], ray, 1 / scene->solid.near[at],
              rgb);
    }
    if (scene->clear.facet[at] >= 0 && scene->clear.near[at] > scene->solid.near[at]) {
        const TactFacet *facet = &scene->facets.facets[scene->clear.facet[at]];
        double           over[3];
        shade(scene, facet, ray, 1 / scene->clear.near[at], over);
        for (int k = 0; k < 3; k++) {
            rgb[k] += facet->rgba[3] * (over[k] - rgb[k]);
        }
    }
}

static void colour_pixel(const Scene *scene, int x, int y, unsigned char *rgb)
{
    double sum[3] = {0};
    for (int j = 0; j < FINER; j++) {
        for (int i = 0; i < FINER; i++) {
            double one[3];
            colour_sample(scene, FINER * x + i, FINER * y + j, one);
            for (int k = 0; k < 3; k++) {
                sum[k] += fmin(1, fmax(0, one[k]));
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        rgb[k] = (unsigned char)(255 * sum[k] / (FINER * FINER) + 0.5);
    }
}

// ---------------------------------------------------------------------------------------------

static bool make_buffer(int width, int height, Buffer *buffer)
{
    size_t count = (size_t)width * (size_t)height;
    *buffer = (Buffer){.width = width, .height = height};
    if (tact_allocate(count, sizeof *buffer->near, (void **)&buffer->near) != TACT_OK ||
        tact_allocate(count, sizeof *buffer->facet, (void **)&buffer->facet) != TACT_OK) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        buffer->near[i] = -HUGE_VAL;
        buffer->facet[i] = -1;
    }
    return true;
}

static void free_buffer(Buffer *buffer)
{
    tact_release(buffer->near);
    tact_release(buffer->facet);
}

static void aim(Scene *scene)
{
    const TactPicture *picture = scene->picture;
    const double       degree = 3.14159265358979323846 / 180;
    double             a = degree * picture->azimuth, e = degree * picture->elevation;
    TactVec3           forward = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
    TactVec3           eye = tact_vec3_add_scaled(picture->target, -picture->distance, forward);
    scene->view = look_along(eye, forward, true, 1.6 * FINER * picture->height);
    // The light comes from above, over the left shoulder.
    TactVec3 sun = tact_vec3_add_scaled((TactVec3){0, 0, -1}, 0.8, forward);
    sun = tact_vec3_normalise(tact_vec3_add_scaled(sun, 0.35, scene->view.right));
    double reach = 0.9 * picture->distance;
    scene->light = look_along(tact_vec3_add_scaled(picture->target, -2 * reach, sun), sun, false,
                              0.5 * SHADOW / reach);
}

static void see_all(Scene *scene)
{
    for (int i = 0; i < scene->facets.count; i++) {
        const TactFacet *facet = &scene->facets.facets[i];
        bool             clear = facet->rgba[3] < 1;
        see(&scene->view, clear ? &scene->clear : &scene->solid, facet, i);
        if (!clear && !facet->floor) {
            see(&scene->light, &scene->shadow, facet, i);
        }
    }
}

static TactStatus check_picture(const TactPicture *picture)
{
    TactVec3 t = picture->target;
    double   sum = t.x + t.y + t.z + picture->azimuth + picture->elevation + picture->distance;
    if (picture->width < 1 || picture->height < 1 || picture->width > MOST ||
        picture->height > MOST) {
        return tact_fail(TACT_BAD_ARGUMENT, "picture: %d x %d pixels are not 1 to %d each",
                         picture->width, picture->height, MOST);
    }
    if (!isfinite(sum) || !(picture->distance > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "picture: the camera is nowhere");
    }
    for (int i = 0; i < picture->model->nq; i++) {
        if (!isfinite(picture->q[i])) {
            return tact_fail(TACT_BAD_INPUT, "picture: q[%d] is not finite", i);
        }
    }
    return TACT_OK;
}

TactStatus tact_picture_draw(const TactPicture *picture, unsigned char *rgb)
{
    TACT_NEED(picture && picture->model && picture->q && rgb, "tact_picture_draw");
    TACT_TRY(check_picture(picture));
    Scene scene = {.picture = picture};
    int   width = FINER * picture->width, height = FINER * picture->height;
    tact_facets_of_model(picture->model, picture->q, 8 * picture->distance, &scene.facets);
    for (int i = 0; i < picture->mark_count; i++) {
        tact_facets_add_mark(&scene.facets, &picture->marks[i]);
    }
    bool made = make_buffer(width, height, &scene.solid);
    made = make_buffer(width, height, &scene.clear) && made;
    made = make_buffer(SHADOW, SHADOW, &scene.shadow) && made && !scene.facets.full;
    if (made) {
        aim(&scene);
        see_all(&scene);
        for (int y = 0; y < picture->height; y++) {
            for (int x = 0; x < picture->width; x++) {
                colour_pixel(&scene, x, y,
                             rgb + 3 * ((size_t)y * (size_t)picture->width + (size_t)x));
            }
        }
    }
    free_buffer(&scene.solid);
    free_buffer(&scene.clear);
    free_buffer(&scene.shadow);
    tact_release(scene.facets.facets);
    return made ? TACT_OK : tact_fail(TACT_NO_MEMORY, "picture: out of memory");
}
