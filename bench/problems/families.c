// The table of families.
#include "bench/problems/families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/problems/families_matrix.h"
#include "bench/problems/scenes.h"

// ---------------------------------------------------------------------------------------------
// Contact families

typedef void Shape(TactScene *scene, TactRandom *random, const TactFamily *family);

static void peg(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_peg(scene, random, family->size, 0);
}

static void peg_jittered(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_peg(scene, random, family->size, 0.4);
}

static void block(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_block(scene, random, family->size);
}

static void corner(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_corner(scene, random, 3, family->size / 3);
}

static void groove(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_corner(scene, random, 2, family->size / 2);
}

static void face(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    (void)family;
    tact_scene_face(scene, random);
}

static void ball(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_ball(scene, random, family->size);
}

static void stack(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_stack(scene, random, family->bodies, family->size, family->masses);
}

static void turned(TactScene *scene, TactRandom *random, const TactFamily *family)
{
    tact_scene_turned_stack(scene, random, family->bodies);
}

static TactStatus friction(Shape *shape, const TactFamily *family, TactRandom *random,
                           TactFamilyProblem *out)
{
    TactScene scene;
    shape(&scene, random, family);
    tact_scene_load(&scene, random);
    return tact_scene_friction(&scene, out);
}

static TactStatus near(Shape *shape, const TactFamily *family, TactRandom *random,
                       TactFamilyProblem *out)
{
    TactScene scene;
    shape(&scene, random, family);
    tact_scene_disturb(&scene, random, pow(10, tact_random_uniform(random, -12, -4)));
    tact_scene_load(&scene, random);
    return tact_scene_friction(&scene, out);
}

/// extra: added to the diagonal
static TactStatus frictionless(Shape *shape, const TactFamily *family, TactRandom *random,
                               TactFamilyProblem *out)
{
    TactScene scene;
    shape(&scene, random, family);
    tact_scene_load(&scene, random);
    return tact_scene_frictionless(&scene, family->extra, out);
}

static TactStatus box(Shape *shape, const TactFamily *family, TactRandom *random,
                      TactFamilyProblem *out)
{
    TactScene scene;
    shape(&scene, random, family);
    tact_scene_load(&scene, random);
    return tact_scene_box(&scene, family->extra, false, out);
}

static TactStatus index_box(Shape *shape, const TactFamily *family, TactRandom *random,
                            TactFamilyProblem *out)
{
    TactScene scene;
    shape(&scene, random, family);
    tact_scene_load(&scene, random);
    return tact_scene_box(&scene, family->extra, true, out);
}

#define MAKE(problem, shape)                                                          \
    static TactStatus problem##_##shape(const TactFamily *family, TactRandom *random, \
                                        TactFamilyProblem *out)                       \
    {                                                                                 \
        return problem(shape, family, random, out);                                   \
    }

MAKE(friction, peg)
MAKE(friction, peg_jittered)
MAKE(friction, block)
MAKE(friction, corner)
MAKE(friction, groove)
MAKE(friction, face)
MAKE(friction, ball)
MAKE(friction, stack)
MAKE(friction, turned)
MAKE(near, peg)
MAKE(near, block)
MAKE(near, corner)
MAKE(near, face)
MAKE(near, ball)
MAKE(near, stack)
MAKE(frictionless, peg)
MAKE(frictionless, block)
MAKE(frictionless, corner)
MAKE(frictionless, face)
MAKE(frictionless, stack)
MAKE(frictionless, turned)
MAKE(box, block)
MAKE(box, stack)
MAKE(index_box, block)
MAKE(index_box, stack)

// ---------------------------------------------------------------------------------------------

static const double light_below[] = {1, 1000};
static const double heavy_below[] = {1000, 1};
static const double rising[] = {1, 10, 100, 1000};
static const double falling[] = {1000, 100, 10, 1};
static const double alternating[] = {1000, 1, 1000, 1};
static const double light_below_6[] = {1, 1e6};
static const double heavy_below_6[] = {1e6, 1};
static const double rising_5[] = {1, 10, 100, 1000, 10000};

#define PLAIN (TACT_FAMILY_SOLVABLE | TACT_FAMILY_ORDINARY)
#define ONE (PLAIN | TACT_FAMILY_UNIQUE)
#define TOUCH (PLAIN | TACT_FAMILY_CONTACT)
#define EXTREME (TACT_FAMILY_SOLVABLE | TACT_FAMILY_CONTACT)

static const TactFamily table[] = {
    {"spd-10", "spd", ONE, tact_family_spd, .size = 10, .extra = 1e-3},
    {"spd-50", "spd", ONE, tact_family_spd, .size = 50, .extra = 1e-3},
    {"spd-100", "spd", ONE, tact_family_spd, .size = 100, .extra = 1e-3},
    {"spd-150", "spd", ONE, tact_family_spd, .size = 150, .extra = 1e-3},
    {"spd-200", "spd", ONE, tact_family_spd, .size = 200, .extra = 1e-3},
    {"psd-low-rank-12", "spd", PLAIN, tact_family_low_rank, .size = 12},
    {"psd-low-rank-60", "spd", PLAIN, tact_family_low_rank, .size = 60},
    {"asymmetric-20", "spd", ONE, tact_family_asymmetric, .size = 20},
    {"asymmetric-80", "spd", ONE, tact_family_asymmetric, .size = 80},
    {"p-matrix-12", "spd", ONE, tact_family_p_matrix, .size = 12},
    {"p-matrix-40", "spd", ONE, tact_family_p_matrix, .size = 40},

    {"bounded-20", "bounds", ONE, tact_family_bounded, .size = 20},
    {"bounded-100", "bounds", ONE, tact_family_bounded, .size = 100},
    {"mixed-30", "bounds", ONE, tact_family_mixed, .size = 30},
    {"mixed-100", "bounds", ONE, tact_family_mixed, .size = 100},
    {"quadratic-30", "bounds", PLAIN, tact_family_quadratic, .size = 30},
    {"quadratic-90", "bounds", PLAIN, tact_family_quadratic, .size = 90},

    // N'N as it is: singular wherever there are more contacts than degrees of freedom
    {"frictionless-block-4", "frictionless", TOUCH, frictionless_block, .size = 4},
    {"frictionless-block-8", "frictionless", TOUCH, frictionless_block, .size = 8},
    {"frictionless-peg-16", "frictionless", TOUCH, frictionless_peg, .size = 16},
    {"frictionless-peg-32", "frictionless", TOUCH, frictionless_peg, .size = 32},
    {"frictionless-corner-12", "frictionless", TOUCH, frictionless_corner, .size = 12},
    {"frictionless-face-40", "frictionless", TOUCH, frictionless_face, .size = 40},
    {"frictionless-turned-5", "frictionless", TOUCH, frictionless_turned, .bodies = 5},
    {"frictionless-tower-50", "frictionless", TOUCH, frictionless_stack, .size = 5, .bodies = 10},
    {"frictionless-tower-100", "frictionless", TOUCH, frictionless_stack, .size = 5, .bodies = 20},
    {"frictionless-tower-150", "frictionless", TOUCH, frictionless_stack, .size = 5, .bodies = 30},
    {"frictionless-soft-50", "frictionless", TOUCH | TACT_FAMILY_UNIQUE, frictionless_stack,
     .size = 5, .bodies = 10, .extra = 1e-6},
    {"frictionless-soft-100", "frictionless", TOUCH | TACT_FAMILY_UNIQUE, frictionless_stack,
     .size = 5, .bodies = 20, .extra = 1e-6},
    {"frictionless-soft-150", "frictionless", TOUCH | TACT_FAMILY_UNIQUE, frictionless_stack,
     .size = 5, .bodies = 30, .extra = 1e-6},
    {"frictionless-ratio-5", "frictionless", EXTREME | TACT_FAMILY_UNIQUE, frictionless_stack,
     .size = 8, .bodies = 5, .masses = rising_5, .extra = 1e-7},

    {"frictionless-ratio-3", "frictionless", TOUCH, frictionless_stack, .size = 4, .bodies = 3,
     .masses = rising},
    {"frictionless-ratio-4", "frictionless", TOUCH, frictionless_stack, .size = 4, .bodies = 4,
     .masses = rising},

    // Friction box with fixed bounds, and with a friction index
    {"box-block-8", "box", TOUCH, box_block, .size = 8},
    {"box-stack-3", "box", TOUCH, box_stack, .size = 4, .bodies = 3},
    {"box-soft-5", "box", TOUCH | TACT_FAMILY_UNIQUE, box_stack, .size = 4, .bodies = 5,
     .extra = 1e-6},
    {"box-ratio-4", "box", TOUCH | TACT_FAMILY_UNIQUE, box_stack, .size = 4, .bodies = 4,
     .masses = rising, .extra = 1e-6},
    {"box-ratio-3", "box", TOUCH, box_stack, .size = 4, .bodies = 3, .masses = rising},
    {"box-tower-10", "box", TOUCH, box_stack, .size = 4, .bodies = 10},
    {"index-block-4", "box", TACT_FAMILY_CONTACT, index_box_block, .size = 4},
    {"index-stack-2", "box", TACT_FAMILY_CONTACT, index_box_stack, .size = 4, .bodies = 2},

    // Pyramid of 8 directions, one body
    {"peg-4", "friction", TOUCH, friction_peg, .size = 4},
    {"peg-8", "friction", TOUCH, friction_peg, .size = 8},
    {"peg-16", "friction", TOUCH, friction_peg, .size = 16},
    {"peg-32", "friction", TOUCH, friction_peg, .size = 32},
    {"peg-jittered-8", "friction", TOUCH, friction_peg_jittered, .size = 8},
    {"peg-jittered-16", "friction", TOUCH, friction_peg_jittered, .size = 16},
    {"peg-jittered-32", "friction", TOUCH, friction_peg_jittered, .size = 32},
    {"block-4", "friction", TOUCH, friction_block, .size = 4},
    {"block-8", "friction", TOUCH, friction_block, .size = 8},
    {"block-16", "friction", TOUCH, friction_block, .size = 16},
    {"corner-12", "friction", TOUCH, friction_corner, .size = 12},
    {"groove-8", "friction", TOUCH, friction_groove, .size = 8},
    {"groove-16", "friction", TOUCH, friction_groove, .size = 16},
    {"ball-4", "friction", TOUCH, friction_ball, .size = 4},
    {"ball-16", "friction", TOUCH, friction_ball, .size = 16},
    {"face-40", "friction", TOUCH, friction_face, .size = 40},

    // Stacks: name-bodies-contacts
    {"stack-1-4", "friction", TOUCH, friction_stack, .size = 4, .bodies = 1},
    {"stack-2-8", "friction", TOUCH, friction_stack, .size = 4, .bodies = 2},
    {"stack-3-12", "friction", TOUCH, friction_stack, .size = 4, .bodies = 3},
    {"stack-4-16", "friction", TOUCH, friction_stack, .size = 4, .bodies = 4},
    {"stack-5-20", "friction", TOUCH, friction_stack, .size = 4, .bodies = 5},
    {"stack-5-30", "friction", TOUCH, friction_stack, .size = 6, .bodies = 5},
    {"stack-4-32", "friction", TOUCH, friction_stack, .size = 8, .bodies = 4},
    {"turned-2", "friction", TOUCH, friction_turned, .bodies = 2},
    {"turned-4", "friction", TOUCH, friction_turned, .bodies = 4},

    // Mass ratios, from the bottom up
    {"ratio-1-1000", "friction", TOUCH, friction_stack, .size = 4, .bodies = 2,
     .masses = light_below},
    {"ratio-1000-1", "friction", TOUCH, friction_stack, .size = 4, .bodies = 2,
     .masses = heavy_below},
    {"ratio-1-10-100-1000", "friction", TOUCH, friction_stack, .size = 4, .bodies = 4,
     .masses = rising},
    {"ratio-1000-100-10-1", "friction", TOUCH, friction_stack, .size = 4, .bodies = 4,
     .masses = falling},
    {"ratio-1000-1-1000-1", "friction", TOUCH, friction_stack, .size = 4, .bodies = 4,
     .masses = alternating},
    {"ratio-1-1e6", "friction", EXTREME, friction_stack, .size = 4, .bodies = 2,
     .masses = light_below_6},
    {"ratio-1e6-1", "friction", EXTREME, friction_stack, .size = 4, .bodies = 2,
     .masses = heavy_below_6},

    // Points and normals disturbed by 1e-12 to 1e-4: ties that are not quite ties
    {"near-peg-16", "near", EXTREME, near_peg, .size = 16},
    {"near-block-8", "near", EXTREME, near_block, .size = 8},
    {"near-corner-12", "near", EXTREME, near_corner, .size = 12},
    {"near-ball-8", "near", EXTREME, near_ball, .size = 8},
    {"near-face-40", "near", EXTREME, near_face, .size = 40},
    {"near-stack-3-12", "near", EXTREME, near_stack, .size = 4, .bodies = 3},

    // Made to be difficult. Murty's and Fathi's are exponential with the covering vector
    // (1, ..., 1) of the matrix as it stands (config.cover), not with every other.
    {"murty-5", "hard", TACT_FAMILY_SOLVABLE | TACT_FAMILY_UNIQUE, tact_family_murty, .size = 5},
    {"murty-10", "hard", TACT_FAMILY_SOLVABLE | TACT_FAMILY_UNIQUE, tact_family_murty, .size = 10},
    {"murty-20", "hard", TACT_FAMILY_SOLVABLE | TACT_FAMILY_UNIQUE, tact_family_murty, .size = 20},
    {"fathi-5", "hard", TACT_FAMILY_SOLVABLE | TACT_FAMILY_UNIQUE, tact_family_fathi, .size = 5},
    {"fathi-10", "hard", TACT_FAMILY_SOLVABLE | TACT_FAMILY_UNIQUE, tact_family_fathi, .size = 10},
    {"fathi-20", "hard", TACT_FAMILY_SOLVABLE | TACT_FAMILY_UNIQUE, tact_family_fathi, .size = 20},
    {"indefinite-10", "hard", TACT_FAMILY_SOLVABLE, tact_family_indefinite, .size = 10},
    {"indefinite-40", "hard", TACT_FAMILY_SOLVABLE, tact_family_indefinite, .size = 40},
};

const TactFamily *tact_families(int *count)
{
    *count = (int)(sizeof table / sizeof table[0]);
    return table;
}

const TactFamily *tact_family_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(name, table[i].name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------

TactStatus tact_family_problem_create(int n, bool bounds, TactFamilyProblem *out)
{
    size_t size = (size_t)n;
    out->M = calloc(size * size, sizeof *out->M);
    out->q = calloc(size, sizeof *out->q);
    out->lo = bounds ? calloc(size, sizeof *out->lo) : NULL;
    out->hi = bounds ? calloc(size, sizeof *out->hi) : NULL;
    if (!out->M || !out->q || (bounds && (!out->lo || !out->hi))) {
        return TACT_NO_MEMORY;
    }
    out->problem = (TactLcpProblem){.n = n, .M = out->M, .q = out->q, .lo = out->lo, .hi = out->hi};
    return TACT_OK;
}

void tact_family_problem_destroy(TactFamilyProblem *problem)
{
    free(problem->M);
    free(problem->q);
    free(problem->lo);
    free(problem->hi);
    free(problem->f_index);
    *problem = (TactFamilyProblem){0};
}

TactStatus tact_family_generate(const TactFamily *family, uint64_t seed, TactFamilyProblem *out)
{
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a of the name: families do not share their numbers
    for (const char *c = family->name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    }
    TactRandom random = tact_random_seed(hash ^ (seed * 0x9e3779b97f4a7c15u));
    *out = (TactFamilyProblem){0};
    TactStatus status = family->make(family, &random, out);
    if (status != TACT_OK) {
        tact_family_problem_destroy(out);
    }
    return status;
}
