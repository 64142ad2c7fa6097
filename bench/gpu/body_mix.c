#include "bench/gpu/body_mix.h"

#include <math.h>
#include <stddef.h>

#include "bench/gpu/draw.h"

static const double PI = 3.14159265358979323846;

const char *tact_mix_name(TactMixKind kind)
{
    static const char *const names[] = {
        "rock", "block", "peg", "block moved by 1e-4", "peg moved by 1e-4", "jittered peg", "mix",
    };
    return kind >= 0 && kind <= TACT_MIX_ALL ? names[kind] : NULL;
}

// ---------------------------------------------------------------------------------------------
// Geometry: points and normals about a centre at 0

typedef struct Spot {
    double point[3], normal[3];
} Spot;

/// Points of a ball, normals that look up.
static void put_rock(TactDraw *draw, Spot *spot)
{
    double away[3];
    tact_draw_unit(draw, away);
    tact_draw_unit(draw, spot->normal);
    spot->normal[2] += 1.2;
    double length = sqrt(spot->normal[0] * spot->normal[0] + spot->normal[1] * spot->normal[1] +
                         spot->normal[2] * spot->normal[2]);
    for (int k = 0; k < 3; k++) {
        spot->point[k] = tact_draw_between(draw, 0.5, 1) * away[k] - 0.5 * (k == 2);
        spot->normal[k] /= length;
    }
}

/// Along the border of a square face, evenly: the corners first.
static void put_block(int contact, int contacts, Spot *spot)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    int                 edge = contact % 4, per_edge = (contacts + 3) / 4, next = (edge + 1) % 4;
    int                 step = contact / 4;
    double              along = (double)step / per_edge;
    for (int k = 0; k < 2; k++) {
        spot->point[k] = (1 - along) * corner[edge][k] + along * corner[next][k];
    }
    spot->point[2] = -0.5;
    spot->normal[0] = spot->normal[1] = 0;
    spot->normal[2] = 1;
}

/// Two rings of a round hole.
static void put_peg(int contact, int contacts, Spot *spot)
{
    int    per_ring = (contacts + 1) / 2, ring = contact / per_ring;
    double angle = 2 * PI * (contact % per_ring) / per_ring;
    spot->normal[0] = -cos(angle);
    spot->normal[1] = -sin(angle);
    spot->normal[2] = 0;
    for (int k = 0; k < 2; k++) {
        spot->point[k] = -0.5 * spot->normal[k];
    }
    spot->point[2] = ring == 0 ? -1 : 1;
}

static void move(TactDraw *draw, double size, Spot *spot)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        spot->point[k] += tact_draw_between(draw, -size, size);
        spot->normal[k] += tact_draw_between(draw, -size, size);
        square += spot->normal[k] * spot->normal[k];
    }
    for (int k = 0; k < 3; k++) {
        spot->normal[k] /= sqrt(square);
    }
}

// ---------------------------------------------------------------------------------------------
// Problems

static void put_body(TactMixKind kind, TactDraw *draw, const TactMixArrays *to, size_t at)
{
    size_t stride = (size_t)to->stride;
    int    rock = kind == TACT_MIX_ROCK;
    int    peg = kind == TACT_MIX_PEG || kind == TACT_MIX_PEG_NEAR || kind == TACT_MIX_PEG_JITTER;
    double mass = tact_draw_between(draw, 0.5, 2);
    double side[3] = {rock  ? tact_draw_between(draw, 0.8, 1.5)
                      : peg ? 1
                            : 2,
                      rock  ? tact_draw_between(draw, 0.8, 1.5)
                      : peg ? 1
                            : 2,
                      rock  ? tact_draw_between(draw, 0.8, 1.5)
                      : peg ? 2
                            : 1};
    to->mass[at] = mass;
    for (int k = 0; k < 3; k++) {
        double a = side[(k + 1) % 3], b = side[(k + 2) % 3];
        to->inertia[(size_t)k * stride + at] = mass * (a * a + b * b) / 12;
        to->inertia[(size_t)(k + 3) * stride + at] = 0;
        to->centre[(size_t)k * stride + at] = 0;
        to->velocity[(size_t)k * stride + at] = tact_draw_between(draw, -1, 1) - (k == 2 ? 1 : 0);
        to->velocity[(size_t)(k + 3) * stride + at] = tact_draw_between(draw, -1, 1);
        to->force[(size_t)k * stride + at] = k == 2 ? -9.81 * mass : 0;
        to->force[(size_t)(k + 3) * stride + at] = 0;
    }
}

void tact_mix_draw(TactMixKind kind, uint64_t seed, int first, const TactMixArrays *arrays)
{
    size_t stride = (size_t)arrays->stride;
    for (int i = 0; i < arrays->count; i++) {
        int         number = first + i;
        TactDraw    draw = tact_draw_of(seed, (uint64_t)number);
        TactMixKind own = kind == TACT_MIX_ALL ? (TactMixKind)(number % TACT_MIX_KINDS) : kind;
        double      mu = tact_draw_between(&draw, 0.2, 1);
        put_body(own, &draw, arrays, (size_t)i);
        for (int c = 0; c < arrays->contacts; c++) {
            Spot   spot;
            double size = own == TACT_MIX_BLOCK_NEAR || own == TACT_MIX_PEG_NEAR ? 1e-4
                          : own == TACT_MIX_PEG_JITTER                           ? 1e-2
                                                                                 : 0;
            if (own == TACT_MIX_ROCK) {
                put_rock(&draw, &spot);
            } else if (own == TACT_MIX_BLOCK || own == TACT_MIX_BLOCK_NEAR) {
                put_block(c, arrays->contacts, &spot);
            } else {
                put_peg(c, arrays->contacts, &spot);
            }
            if (size > 0) {
                move(&draw, size, &spot);
            }
            for (int k = 0; k < 3; k++) {
                size_t place = ((size_t)(3 * c + k)) * stride + (size_t)i;
                arrays->point[place] = spot.point[k];
                arrays->normal[place] = spot.normal[k];
            }
            arrays->mu[(size_t)c * stride + (size_t)i] = mu;
        }
    }
}

void tact_mix_disturb(double part, uint64_t seed, const TactMixArrays *arrays)
{
    size_t stride = (size_t)arrays->stride;
    for (int i = 0; i < arrays->count; i++) {
        TactDraw draw = tact_draw_of(seed, (uint64_t)i);
        for (int k = 0; k < 6; k++) {
            arrays->velocity[(size_t)k * stride + (size_t)i] +=
                part * tact_draw_between(&draw, -1, 1);
        }
        for (int k = 0; k < 3 * arrays->contacts; k++) {
            arrays->point[(size_t)k * stride + (size_t)i] +=
                0.01 * part * tact_draw_between(&draw, -1, 1);
        }
    }
}
