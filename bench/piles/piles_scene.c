// Scenes of falling bodies as MJCF, so that every engine reads the same one.
#include <math.h>
#include <tact/base.h>

#include "bench/piles/piles.h"

static const double WALL = 0.02; // half its thickness, m

static const char *const names[TACT_PILE_SHAPE_COUNT] = {
    [TACT_PILE_BOXES] = "boxes", [TACT_PILE_SPHERES] = "spheres", [TACT_PILE_CAPSULES] = "capsules",
    [TACT_PILE_MIXED] = "mixed", [TACT_PILE_CHAINS] = "chains",
};

const char *tact_pile_shape_name(TactPileShape shape)
{
    return shape < TACT_PILE_SHAPE_COUNT ? names[shape] : NULL;
}

static double draw(TactRandom *random, double low, double high)
{
    return tact_random_uniform(random, low, high);
}

static double draw_density(const TactPileScene *scene, TactRandom *random)
{
    double exponent = draw(random, -0.5, 0.5) * scene->decades;
    return 1000 * pow(10, exponent);
}

static void write_geom(const TactPileScene *scene, TactPileShape shape, TactRandom *random,
                       FILE *file)
{
    double density = draw_density(scene, random);
    double size[3];
    for (int k = 0; k < 3; k++) {
        size[k] = draw(random, 0.03, 0.07);
    }
    switch (shape) {
    case TACT_PILE_SPHERES: fprintf(file, "<geom type=\"sphere\" size=\"%.9g\"", size[0]); break;
    case TACT_PILE_CAPSULES:
        fprintf(file, "<geom type=\"capsule\" size=\"%.9g %.9g\"", 0.6 * size[0], size[1]);
        break;
    default: fprintf(file, "<geom type=\"box\" size=\"%.9g %.9g %.9g\"", size[0], size[1], size[2]);
    }
    fprintf(file, " density=\"%.9g\" friction=\"%.9g\"/>", density, scene->mu);
}

/// Links along x, each at the end of the last.
static void write_chain(const TactPileScene *scene, TactRandom *random, FILE *file)
{
    double half = draw(random, 0.025, 0.035), radius = draw(random, 0.012, 0.02);
    double density = draw_density(scene, random);
    for (int link = 0; link < 3; link++) {
        if (link > 0) {
            fprintf(file,
                    "<body pos=\"%.9g 0 0\"><joint type=\"hinge\" axis=\"0 %d %d\" pos=\"%.9g 0 "
                    "0\" limited=\"true\" range=\"-60 60\"/>",
                    2 * (half + radius), link % 2, link % 2 == 0, -half - radius);
        }
        fprintf(
            file,
            "<geom type=\"capsule\" fromto=\"%.9g 0 0 %.9g 0 0\" size=\"%.9g\" density=\"%.9g\" "
            "friction=\"%.9g\"/>",
            -half, half, radius, density, scene->mu);
    }
    fprintf(file, "</body></body>");
}

static void write_body(const TactPileScene *scene, const double at[3], TactRandom *random,
                       FILE *file)
{
    TactPileShape shape = scene->shape;
    double        turn[3] = {draw(random, -40, 40), draw(random, -40, 40), draw(random, -90, 90)};
    double        kind = draw(random, 0, 3);
    if (shape == TACT_PILE_MIXED) {
        shape = kind < 1 ? TACT_PILE_BOXES : kind < 2 ? TACT_PILE_SPHERES : TACT_PILE_CAPSULES;
    }
    fprintf(file, "<body pos=\"%.9g %.9g %.9g\" euler=\"%.9g %.9g %.9g\"><freejoint/>", at[0],
            at[1], at[2], turn[0], turn[1], turn[2]);
    if (shape == TACT_PILE_CHAINS) {
        write_chain(scene, random, file);
    } else {
        write_geom(scene, shape, random, file);
    }
    fprintf(file, "</body>\n");
}

/// Four walls that keep the pile together.
static void write_walls(double half, double height, double mu, FILE *file)
{
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? half : -half;
        fprintf(file,
                "<geom type=\"box\" pos=\"%.9g %.9g %.9g\" size=\"%.9g %.9g %.9g\" "
                "friction=\"%.9g\"/>\n",
                k < 2 ? side : 0, k < 2 ? 0 : side, height / 2, k < 2 ? WALL : half,
                k < 2 ? half : WALL, height / 2, mu);
    }
}

void tact_pile_write(const TactPileScene *scene, FILE *file)
{
    TactRandom random =
        tact_random_seed((uint64_t)scene->seed * 0x9e3779b97f4a7c15u + (uint64_t)scene->shape);
    int    edge = (int)ceil(cbrt(scene->number) - 1e-9);
    double pitch = scene->wedged ? 0.16 : 0.22, rise = scene->wedged ? 0.17 : 0.25;
    double half = edge * pitch / 2 + 0.1;
    fprintf(file, "<mujoco model=\"%s %d/%d\">\n<option timestep=\"%.9g\"/>\n", names[scene->shape],
            scene->number, scene->seed, scene->step);
    int contacts = 500 + 14 * scene->number; // MuJoCo 2 must be told how much memory they may take
    fprintf(file, "<size njmax=\"%d\" nconmax=\"%d\" nstack=\"%d\"/>\n", 4 * contacts, contacts,
            4000000 + 2400 * scene->number * (scene->number < 400 ? scene->number : 400));
    fprintf(file, "<worldbody>\n<geom type=\"plane\" size=\"20 20 0.1\" friction=\"%.9g\"/>\n",
            scene->mu);
    for (int i = 0; i < scene->number; i++) {
        int    x = i % edge, y = i / edge % edge, z = i / edge / edge;
        double at[3] = {pitch * (x - 0.5 * (edge - 1)) + draw(&random, -0.02, 0.02),
                        pitch * (y - 0.5 * (edge - 1)) + draw(&random, -0.02, 0.02),
                        0.12 + rise * z};
        write_body(scene, at, &random, file);
    }
    write_walls(half, 2 * fmax(1, rise * edge), scene->mu, file);
    fprintf(file, "</worldbody>\n</mujoco>\n");
}
