// Arrows and cones, as triangles; and where the camera stands.
#include <math.h>
#include <stdbool.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/words.h"
#include "picture/facets.h"

TACT_WORDS(TactPictureMarkKind, picture_mark_kind,
           "mark", [TACT_PICTURE_MARK_ARROW] = "arrow", [TACT_PICTURE_MARK_CONE] = "cone")

enum { AROUND = 20 };

static const double PI = 3.14159265358979323846;

/// A ring about an axis.
typedef struct Ring {
    TactVec3 centre;
    double   radius;
    double   lean; // part of the normal along the axis
} Ring;

typedef struct Axes {
    TactVec3 along, side[2];
} Axes;

static Axes axes_of(TactVec3 from, TactVec3 to)
{
    TactVec3 along = tact_vec3_normalise(tact_vec3_subtract(to, from));
    TactVec3 other = fabs(along.x) < 0.7 ? (TactVec3){1, 0, 0} : (TactVec3){0, 1, 0};
    TactVec3 first = tact_vec3_normalise(tact_vec3_cross(along, other));
    return (Axes){along, {first, tact_vec3_cross(along, first)}};
}

static TactVec3 outwards(const Axes *axes, double angle)
{
    return tact_vec3_add_scaled(tact_vec3_scale(cos(angle), axes->side[0]), sin(angle),
                                axes->side[1]);
}

/// The surface between two rings.
static void add_band(TactFacets *facets, const Axes *axes, const Ring *a, const Ring *b,
                     const double rgba[4])
{
    for (int i = 0; i < AROUND; i++) {
        TactFacet facet = {.rgba = {rgba[0], rgba[1], rgba[2], rgba[3]}};
        TactVec3  p[4], n[4];
        for (int k = 0; k < 4; k++) {
            const Ring *ring = k < 2 ? a : b;
            TactVec3    out = outwards(axes, 2 * PI * (i + (k == 1 || k == 2)) / AROUND);
            p[k] = tact_vec3_add_scaled(ring->centre, ring->radius, out);
            n[k] = tact_vec3_normalise(tact_vec3_add_scaled(out, ring->lean, axes->along));
        }
        for (int half = 0; half < 2; half++) {
            const int corners[2][3] = {{0, 1, 2}, {0, 2, 3}};
            for (int k = 0; k < 3; k++) {
                facet.corner[k] = p[corners[half][k]];
                facet.normal[k] = n[corners[half][k]];
            }
            TactVec3 e = tact_vec3_subtract(facet.corner[1], facet.corner[0]);
            TactVec3 f = tact_vec3_subtract(facet.corner[2], facet.corner[0]);
            if (tact_vec3_norm(tact_vec3_cross(e, f)) > 0) {
                tact_facets_add(facets, &facet);
            }
        }
    }
}

void tact_facets_add_mark(TactFacets *facets, const TactPictureMark *mark)
{
    double length = tact_vec3_norm(tact_vec3_subtract(mark->to, mark->from));
    if (!(length > 0) || !isfinite(length) || !(mark->radius > 0) || !isfinite(mark->radius)) {
        return; // nothing to see
    }
    Axes axes = axes_of(mark->from, mark->to);
    Ring start = {mark->from, 0, 0}, end = {mark->to, 0, 0};
    if (mark->kind == TACT_PICTURE_MARK_CONE) {
        end.radius = mark->radius;
        start.lean = end.lean = -mark->radius / length;
        add_band(facets, &axes, &start, &end, mark->rgba);
        return;
    }
    double   head = tact_larger(0, length - 5 * mark->radius);
    TactVec3 neck = tact_vec3_add_scaled(mark->from, head, axes.along);
    Ring     low = {mark->from, mark->radius, 0}, high = {neck, mark->radius, 0};
    Ring     wide = {neck, 2.2 * mark->radius, 0.4}, under = {neck, 0, -1};
    end.lean = 0.4;
    add_band(facets, &axes, &low, &high, mark->rgba);
    add_band(facets, &axes, &under, &wide, mark->rgba);
    add_band(facets, &axes, &wide, &end, mark->rgba);
}

// ---------------------------------------------------------------------------------------------
// The camera

TactStatus tact_picture_fit(TactPicture *picture)
{
    TACT_NEED(picture && picture->model && picture->q, "tact_picture_fit");
    TactFacets facets = {0};
    TactVec3   low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    tact_facets_of_model(picture->model, picture->q, 1, &facets);
    for (int i = 0; i < facets.count; i++) {
        for (int k = 0; k < 3 && !facets.facets[i].floor; k++) {
            TactVec3 x = facets.facets[i].corner[k];
            low = (TactVec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
            high = (TactVec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
        }
    }
    tact_release(facets.facets);
    if (facets.full) {
        return tact_fail(TACT_NO_MEMORY, "picture: out of memory");
    }
    bool seen = low.x <= high.x;
    picture->target = seen ? tact_vec3_scale(0.5, tact_vec3_add(low, high)) : (TactVec3){0, 0, 0};
    double size = seen ? tact_vec3_norm(tact_vec3_subtract(high, low)) : 1;
    picture->distance = tact_larger(1.9 * size, 1e-3);
    return TACT_OK;
}
