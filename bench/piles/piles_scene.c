// Scenes of falling bodies as MJCF, so that every engine reads the same one.
#include <math.h>
#include <tact/base.h>

#include "bench/piles/piles.h"

static const double WALL = 0.02; // half its thickness, m

static const char *const names[TACT_PILE_SHAPE_COUNT] = {
    [TACT_PILE_BOXES] = "boxes", [TACT_PILE_SPHERES] = "spheres", [TACT_PILE_CAPSULES] = "capsules",
    [TACT_PILE_MIXED] = "mixed", [TACT_PILE_CHAINS] = "chains",   [TACT_PILE_PARTS] = "parts",
};

const char *tact_pile_shape_name(TactPileShape shape)
{
    return shape < TACT_PILE_SHAPE_COUNT ? names[shape] : NULL;
}

const char *tact_pile_mode(const TactPileScene *scene)
{
    return scene->layers       ? "layers"
           : scene->settle > 0 ? "settled"
           : scene->poured     ? "poured"
           : scene->wedged     ? "wedged"
                               : "falling";
}

static double draw(TactRandom *random, double low, double high)
{
    return tact_random_uniform(random, low, high);
}

double tact_pile_draw_density(const TactPileScene *scene, TactRandom *random)
{
    double exponent = draw(random, -0.5, 0.5) * scene->decades;
    return 1000 * pow(10, exponent);
}

/// From yellow at the bottom of the column to blue at its top.                share: 0 .. 1
static void write_colour(double share, FILE *file)
{
    fprintf(file, " rgba=\"%.3g %.3g %.3g 1\"", 0.95 - 0.8 * share,
            0.75 - 1.1 * (share - 0.4) * (share - 0.4), 0.25 + 0.6 * share);
}

/// Coefficients of a geom; those of spinning and rolling where contacts resist that.
static void write_friction(const TactPileScene *scene, FILE *file)
{
    if (scene->condim > 3) {
        fprintf(file, " condim=\"%d\" friction=\"%.9g %.9g %.9g\"", scene->condim, scene->mu,
                scene->spin, scene->roll);
    } else {
        fprintf(file, " friction=\"%.9g\"", scene->mu);
    }
}

void tact_pile_write_end(const TactPileScene *scene, double density, double share, FILE *file)
{
    if (scene->poured) {
        write_colour(share, file);
    }
    fprintf(file, " density=\"%.9g\"", density);
    write_friction(scene, file);
    fprintf(file, "/>");
}

static void write_geom(const TactPileScene *scene, TactPileShape shape, double share,
                       TactRandom *random, FILE *file)
{
    double density = tact_pile_draw_density(scene, random);
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
    tact_pile_write_end(scene, density, share, file);
}

/// Links along x, each at the end of the last.
static void write_chain(const TactPileScene *scene, TactRandom *random, FILE *file)
{
    double half = draw(random, 0.025, 0.035), radius = draw(random, 0.012, 0.02);
    double density = tact_pile_draw_density(scene, random);
    for (int link = 0; link < 3; link++) {
        if (link > 0) {
            fprintf(file,
                    "<body pos=\"%.9g 0 0\"><joint type=\"hinge\" axis=\"0 %d %d\" pos=\"%.9g 0 "
                    "0\" limited=\"true\" range=\"-60 60\"/>",
                    2 * (half + radius), link % 2, link % 2 == 0, -half - radius);
        }
        fprintf(
            file,
            "<geom type=\"capsule\" fromto=\"%.9g 0 0 %.9g 0 0\" size=\"%.9g\" density=\"%.9g\"",
            -half, half, radius, density);
        write_friction(scene, file);
        fprintf(file, "/>");
    }
    fprintf(file, "</body></body>");
}

/// share: how high it starts, of all
static void write_body(const TactPileScene *scene, const double at[3], double share,
                       TactRandom *random, FILE *file)
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
    } else if (shape == TACT_PILE_PARTS) {
        tact_pile_write_part(scene, share, random, file);
    } else {
        write_geom(scene, shape, share, random, file);
    }
    fprintf(file, "</body>\n");
}

/// Where bodies start, and the walls around them.
typedef struct Grid {
    int    edge;        // bodies along x and y
    double pitch, rise; // m, between them
    double half;        // of the floor between the walls, m
    double height;      // of the walls, m
} Grid;

static Grid make_grid(const TactPileScene *scene)
{
    if (scene->poured) { // the bin is half full when they lie
        double half = scene->bin > 0 ? scene->bin / 2 : 0.09 * cbrt(scene->number);
        int    edge = (int)fmax(1, floor((2 * half - 0.2) / 0.22));
        return (Grid){edge, 0.22, 0.25, half, 1.2 * 0.09 * cbrt(scene->number)};
    }
    int  edge = (int)ceil(cbrt(scene->number) - 1e-9);
    Grid grid = {edge, scene->wedged ? 0.16 : 0.22, scene->wedged ? 0.17 : 0.25, 0, 0};
    grid.half = edge * grid.pitch / 2 + 0.1;
    grid.height = 2 * fmax(1, grid.rise * edge);
    return grid;
}

/// Four walls that keep the pile together; those of a bin can be seen through.
static void write_walls(const TactPileScene *scene, const Grid *grid, FILE *file)
{
    double half = grid->half, height = grid->height;
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? half : -half;
        fprintf(file, "<geom type=\"box\" pos=\"%.9g %.9g %.9g\" size=\"%.9g %.9g %.9g\"",
                k < 2 ? side : 0, k < 2 ? 0 : side, height / 2, k < 2 ? WALL : half,
                k < 2 ? half : WALL, height / 2);
        write_friction(scene, file);
        fprintf(file, "%s/>\n", scene->poured ? " rgba=\"0.7 0.8 0.9 0.15\"" : "");
    }
}

/// Boxes with edges of 0.1 m, gaps of 0.01 m; every other layer is shifted so that most boxes of it
/// lie on four below.
static void write_layers(const TactPileScene *scene, FILE *file)
{
    int edge = (int)ceil(cbrt(scene->number) - 1e-9);
    fprintf(file, "<worldbody>\n<geom type=\"plane\" size=\"10 10 0.1\"");
    write_friction(scene, file);
    fprintf(file, "/>\n");
    for (int i = 0; i < edge * edge * edge; i++) {
        int    x = i % edge, y = i / edge % edge, z = i / edge / edge;
        double shift = z % 2 ? 0.02 : 0;
        fprintf(file,
                "<body pos=\"%.17g %.17g %.17g\"><freejoint/><geom type=\"box\" "
                "size=\"0.05 0.05 0.05\" mass=\"1\"",
                0.11 * x + shift, 0.11 * y + shift, 0.05 + 0.1 * z);
        write_friction(scene, file);
        fprintf(file, "/></body>\n");
    }
    fprintf(file, "</worldbody>\n</mujoco>\n");
}

void tact_pile_write(const TactPileScene *scene, FILE *file)
{
    TactRandom random =
        tact_random_seed((uint64_t)scene->seed * 0x9e3779b97f4a7c15u + (uint64_t)scene->shape);
    Grid   grid = make_grid(scene);
    int    edge = grid.edge, layers = (scene->number + edge * edge - 1) / (edge * edge);
    double middle = 0.5 * (edge - 1);
    fprintf(file, "<mujoco model=\"%s %d/%d\">\n<option timestep=\"%.9g\"/>\n", names[scene->shape],
            scene->number, scene->seed, scene->step);
    int contacts = 500 + 14 * scene->number; // MuJoCo 2 must be told how much memory they may take
    fprintf(file, "<size njmax=\"%d\" nconmax=\"%d\" nstack=\"%d\"/>\n", 4 * contacts, contacts,
            4000000 + 2400 * scene->number * (scene->number < 400 ? scene->number : 400));
    if (scene->layers) {
        write_layers(scene, file);
        return;
    }
    fprintf(file, "<worldbody>\n<geom type=\"plane\" size=\"20 20 0.1\"");
    write_friction(scene, file);
    fprintf(file, "/>\n");
    for (int i = 0; i < scene->number; i++) {
        int    x = i % edge, y = i / edge % edge, z = i / edge / edge;
        double at[3] = {grid.pitch * (x - middle) + draw(&random, -0.02, 0.02),
                        grid.pitch * (y - middle) + draw(&random, -0.02, 0.02),
                        0.12 + grid.rise * z};
        write_body(scene, at, (double)z / layers, &random, file);
    }
    write_walls(scene, &grid, file);
    fprintf(file, "</worldbody>\n</mujoco>\n");
}
