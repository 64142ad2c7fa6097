// Bodies of the bin of parts: what hands take and put down, of one geom or several.
#include <tact/base.h>

#include "bench/piles/piles.h"

static double draw(TactRandom *random, double low, double high)
{
    return tact_random_uniform(random, low, high);
}

/// One geom of a body; size: as MJCF has it, with the numbers that the type takes.
static void write_geom(const TactPileScene *scene, const char *words, double density, double share,
                       FILE *file)
{
    fprintf(file, "<geom %s", words);
    tact_pile_write_end(scene, density, share, file);
}

/// A handle of wood, and a head of iron across it.
static void write_hammer(const TactPileScene *scene, double share, TactRandom *random, FILE *file)
{
    char   words[160];
    double half = draw(random, 0.07, 0.1), density = tact_pile_draw_density(scene, random);
    snprintf(words, sizeof words, "type=\"capsule\" size=\"0.012 %.9g\"", half);
    write_geom(scene, words, 0.7 * density, share, file);
    snprintf(words, sizeof words, "type=\"box\" size=\"0.05 0.016 0.016\" pos=\"0 0 %.9g\"", half);
    write_geom(scene, words, 7 * density, share, file);
}

/// A cylinder with a handle at its side.
static void write_mug(const TactPileScene *scene, double share, TactRandom *random, FILE *file)
{
    char   words[160];
    double radius = draw(random, 0.035, 0.045), density = tact_pile_draw_density(scene, random);
    snprintf(words, sizeof words, "type=\"cylinder\" size=\"%.9g %.9g\"", radius,
             draw(random, 0.04, 0.055));
    write_geom(scene, words, density, share, file);
    snprintf(words, sizeof words, "type=\"box\" size=\"0.016 0.006 0.028\" pos=\"%.9g 0 0\"",
             radius + 0.014);
    write_geom(scene, words, 2 * density, share, file);
}

/// Two balls at the ends of a bar.
static void write_dumbbell(const TactPileScene *scene, double share, TactRandom *random, FILE *file)
{
    char   words[160];
    double half = draw(random, 0.05, 0.07), radius = draw(random, 0.03, 0.04);
    double density = tact_pile_draw_density(scene, random);
    snprintf(words, sizeof words, "type=\"capsule\" size=\"0.013 %.9g\"", half);
    write_geom(scene, words, 3 * density, share, file);
    for (int side = -1; side <= 1; side += 2) {
        snprintf(words, sizeof words, "type=\"sphere\" size=\"%.9g\" pos=\"0 0 %.9g\"", radius,
                 side * half);
        write_geom(scene, words, 3 * density, share, file);
    }
}

/// A can, a carton or a ball.
static void write_plain(const TactPileScene *scene, int kind, double share, TactRandom *random,
                        FILE *file)
{
    char   words[160];
    double density = tact_pile_draw_density(scene, random);
    double a = draw(random, 0.025, 0.045), b = draw(random, 0.04, 0.07);
    if (kind == 0) {
        snprintf(words, sizeof words, "type=\"cylinder\" size=\"%.9g %.9g\"", a, b);
    } else if (kind == 1) {
        snprintf(words, sizeof words, "type=\"box\" size=\"%.9g %.9g %.9g\"", a, b,
                 draw(random, 0.015, 0.07));
    } else {
        snprintf(words, sizeof words, "type=\"sphere\" size=\"%.9g\"", a);
    }
    write_geom(scene, words, density, share, file);
}

void tact_pile_write_part(const TactPileScene *scene, double share, TactRandom *random, FILE *file)
{
    int kind = (int)draw(random, 0, 6);
    switch (kind) {
    case 3: write_hammer(scene, share, random, file); break;
    case 4: write_mug(scene, share, random, file); break;
    case 5: write_dumbbell(scene, share, random, file); break;
    default: write_plain(scene, kind, share, random, file);
    }
}
