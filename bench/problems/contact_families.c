// The table of contact families.
#include "bench/problems/contact_families.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Shapes

static TactStatus finish(TactScene *scene, TactRandom *random, TactContactCase *out)
{
    tact_scene_load(scene, random);
    return tact_case_from_scene(scene, out);
}

/// extra: jitter
static TactStatus peg(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactScene scene;
    tact_scene_peg(&scene, random, family->size, family->extra);
    return finish(&scene, random, out);
}

static TactStatus block(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactScene scene;
    tact_scene_block(&scene, random, family->size);
    return finish(&scene, random, out);
}

/// extra: faces, 3 or 2
static TactStatus corner(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactScene scene;
    tact_scene_corner(&scene, random, (int)family->extra, family->size / (int)family->extra);
    return finish(&scene, random, out);
}

/// size = side^2
static TactStatus face(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactScene scene;
    int       side = (int)lround(sqrt(family->size));
    tact_scene_grid(&scene, random, side, family->size / side);
    return finish(&scene, random, out);
}

static TactStatus ball(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactScene scene;
    tact_scene_ball(&scene, random, family->size);
    return finish(&scene, random, out);
}

static TactStatus stack(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactScene scene;
    tact_scene_stack(&scene, random, family->bodies, family->size, family->masses);
    return finish(&scene, random, out);
}

static TactStatus turned(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactScene scene;
    tact_scene_turned_stack(&scene, random, family->bodies);
    return finish(&scene, random, out);
}

/// extra: 1 on rails
static TactStatus grasp(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactGrasp shape = {family->bodies, family->size, family->extra > 0};
    return tact_case_grasp(random, &shape, out);
}

static TactStatus wedge(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    return tact_case_wedge(random, family->size, out);
}

static TactStatus rod(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    return tact_case_rod(random, family->size, out);
}

/// extra: ratio of masses
static TactStatus pile(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactPile shape = {family->bodies, family->size, family->extra};
    return tact_case_pile(random, &shape, out);
}

static TactStatus chain(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    return tact_case_chain(random, family->bodies, out);
}

static TactStatus few(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    return tact_case_few(random, family->size, out);
}

/// size: contacts; bodies: joints; extra: 1 with rows, 2 with joints locked by them
static TactStatus tree(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactTree shape = {family->bodies, family->size, family->extra > 0, family->extra > 1};
    return tact_case_tree(random, &shape, out);
}

/// size: contacts a finger; bodies: fingers
static TactStatus hand(const TactCaseFamily *family, TactRandom *random, TactContactCase *out)
{
    TactHand shape = {family->bodies, 4, family->size};
    return tact_case_hand(random, &shape, out);
}

// ---------------------------------------------------------------------------------------------
// Table

static const double heavier[] = {1, 10, 100, 1000};
static const double lighter[] = {1000, 100, 10, 1};
static const double by_turns[] = {1000, 1, 1000, 1};
static const double heavy_top[] = {1, 1e6};
static const double light_top[] = {1e6, 1};
static const double heavy_third[] = {1, 1, 1e6};

#define OWN TACT_CASE_MU_OWN
#define ZERO TACT_CASE_MU_ZERO
#define EQUAL TACT_CASE_MU_EQUAL
#define MIXED TACT_CASE_MU_MIXED
#define TURN TACT_CASE_TURN
#define DISTURB TACT_CASE_DISTURB
#define FREE_OF_FRICTION TACT_CASE_FRICTIONLESS
#define SMALL TACT_CASE_SMALL
#define NEAR TACT_CASE_NEAR

static const TactCaseFamily table[] = {
    // name, group, flags, make, size, bodies, extra, masses, mu, options
    {"peg-8", "one", 0, peg, 8, 1, 0, NULL, OWN, 0},
    {"peg-16", "one", 0, peg, 16, 1, 0, NULL, OWN, TURN},
    {"peg-32-mu", "one", 0, peg, 32, 1, 0, NULL, EQUAL, 0},
    {"peg-jittered-32", "one", 0, peg, 32, 1, 0.4, NULL, OWN, 0},
    {"block-4", "one", 0, block, 4, 1, 0, NULL, OWN, 0},
    {"block-16", "one", 0, block, 16, 1, 0, NULL, EQUAL, TURN},
    {"corner-12", "one", 0, corner, 12, 1, 3, NULL, OWN, TURN},
    {"groove-16", "one", 0, corner, 16, 1, 2, NULL, OWN, 0},
    {"ball-3", "one", 0, ball, 3, 1, 0, NULL, OWN, TURN},
    {"ball-16", "one", 0, ball, 16, 1, 0, NULL, EQUAL, 0},
    {"face-16", "one", 0, face, 16, 1, 0, NULL, MIXED, 0},
    {"face-36", "one", 0, face, 36, 1, 0, NULL, EQUAL, TURN},
    {"face-64", "one", 0, face, 64, 1, 0, NULL, OWN, 0},
    {"face-64-mu", "one", 0, face, 64, 1, 0, NULL, MIXED, 0},

    {"stack-2-8", "stack", 0, stack, 4, 2, 0, NULL, OWN, 0},
    {"stack-3-12", "stack", 0, stack, 4, 3, 0, NULL, MIXED, TURN},
    {"stack-5-20", "stack", 0, stack, 4, 5, 0, NULL, OWN, 0},
    {"stack-4-32", "stack", 0, stack, 8, 4, 0, NULL, EQUAL, 0},
    {"stack-8-32", "stack", 0, stack, 4, 8, 0, NULL, OWN, 0},
    {"turned-5", "stack", 0, turned, 0, 5, 0, NULL, OWN, TURN},

    {"ratio-1-10-100-1000", "ratio", 0, stack, 4, 4, 0, heavier, OWN, 0},
    {"ratio-1000-100-10-1", "ratio", 0, stack, 4, 4, 0, lighter, OWN, 0},
    {"ratio-1000-1-1000-1", "ratio", 0, stack, 4, 4, 0, by_turns, EQUAL, 0},
    {"ratio-1-1e6", "ratio", 0, stack, 4, 2, 0, heavy_top, OWN, 0},
    {"ratio-1e6-1", "ratio", 0, stack, 4, 2, 0, light_top, OWN, TURN},
    {"ratio-1-1-1e6", "ratio", 0, stack, 8, 3, 0, heavy_third, OWN, 0},
    {"pile-5-32-1e6", "ratio", 0, pile, 32, 5, 1e6, NULL, MIXED, 0},

    {"wedge-2", "wedge", 0, wedge, 2, 1, 0, NULL, OWN, TURN},
    {"wedge-3", "wedge", 0, wedge, 3, 1, 0, NULL, EQUAL, 0},
    {"wedge-8", "wedge", 0, wedge, 8, 1, 0, NULL, OWN, TURN},
    {"grasp-2-1", "wedge", 0, grasp, 1, 2, 0, NULL, OWN, 0},
    {"grasp-2-4", "wedge", 0, grasp, 4, 2, 0, NULL, OWN, TURN},
    {"grasp-3-4", "wedge", 0, grasp, 4, 3, 0, NULL, OWN, 0},
    {"rod-1", "painleve", 0, rod, 1, 1, 0, NULL, OWN, TURN},
    {"rod-2", "painleve", 0, rod, 2, 1, 0, NULL, OWN, 0},

    {"pile-4-12", "pile", 0, pile, 12, 4, 4, NULL, OWN, 0},
    {"pile-6-32", "pile", 0, pile, 32, 6, 4, NULL, EQUAL, 0},
    {"pile-10-64", "pile", 0, pile, 64, 10, 4, NULL, MIXED, 0},

    {"tree-6-8", "tree", 0, tree, 8, 6, 0, NULL, OWN, 0},
    {"tree-20-24", "tree", 0, tree, 24, 20, 0, NULL, EQUAL, 0},
    {"tree-12-rows", "tree", 0, tree, 8, 12, 1, NULL, OWN, 0},
    {"tree-12-locked", "tree", 0, tree, 8, 12, 2, NULL, OWN, 0},
    {"hand-3-2", "tree", 0, hand, 2, 3, 0, NULL, OWN, 0},
    {"hand-4-1", "tree", 0, hand, 1, 4, 0, NULL, OWN, 0},
    {"grasp-rails", "rows", 0, grasp, 4, 2, 1, NULL, OWN, TURN},
    {"chain-4", "rows", 0, chain, 4, 4, 0, NULL, OWN, TURN},
    {"chain-8", "rows", 0, chain, 4, 8, 0, NULL, EQUAL, 0},

    {"W-peg-16", "forms", 0, peg, 16, 1, 0, NULL, OWN, TACT_CASE_DELASSUS},
    {"W-stack-3", "forms", 0, stack, 4, 3, 0, NULL, MIXED, TACT_CASE_DELASSUS},
    {"units-stack-3", "forms", 0, stack, 4, 3, 0, NULL, EQUAL, TACT_CASE_RESCALE | TURN},
    {"units-face-36", "forms", 0, face, 36, 1, 0, NULL, EQUAL, TACT_CASE_RESCALE},
    {"bounce-stack-3", "forms", 0, stack, 4, 3, 0, NULL, EQUAL, TACT_CASE_BOUNCE | TURN},
    {"bias-block-8", "forms", 0, block, 8, 1, 0, NULL, EQUAL, TACT_CASE_SEPARATE},
    {"soft-stack-3", "forms", 0, stack, 8, 3, 0, NULL, EQUAL, TACT_CASE_COMPLIANT | TURN},

    {"smooth-peg-16", "smooth", FREE_OF_FRICTION, peg, 16, 1, 0, NULL, ZERO, 0},
    {"smooth-face-64", "smooth", FREE_OF_FRICTION, face, 64, 1, 0, NULL, ZERO, TURN},
    {"smooth-stack-5", "smooth", FREE_OF_FRICTION, stack, 4, 5, 0, NULL, ZERO, TURN},
    {"smooth-ratio", "smooth", FREE_OF_FRICTION, stack, 4, 4, 0, heavier, ZERO, 0},
    {"smooth-pile-6", "smooth", FREE_OF_FRICTION, pile, 32, 6, 100, NULL, ZERO, 0},
    {"smooth-tree", "smooth", FREE_OF_FRICTION, tree, 6, 12, 0, NULL, ZERO, 0},
    {"smooth-chain", "smooth", FREE_OF_FRICTION, chain, 4, 4, 0, NULL, ZERO, TURN},
    {"jammed-tree", "smooth", 0, tree, 12, 12, 1, NULL, ZERO, 0},

    {"few-1", "small", SMALL, few, 1, 0, 0, NULL, OWN, TURN},
    {"few-2", "small", SMALL, few, 2, 0, 0, NULL, OWN, TURN},
    {"few-2-mu", "small", SMALL, few, 2, 0, 0, NULL, MIXED, 0},
    {"few-4", "small", 0, few, 4, 0, 0, NULL, EQUAL, TURN},
    {"few-rod", "small", SMALL, rod, 2, 1, 0, NULL, OWN, TURN},
    {"few-smooth-8", "small", SMALL | FREE_OF_FRICTION, pile, 8, 3, 10, NULL, ZERO, 0},

    {"near-peg-16", "near", NEAR, peg, 16, 1, 0, NULL, OWN, DISTURB},
    {"near-peg-32", "near", NEAR, peg, 32, 1, 0, NULL, EQUAL, DISTURB},
    {"near-block-16", "near", NEAR, block, 16, 1, 0, NULL, OWN, DISTURB},
    {"near-corner-12", "near", NEAR, corner, 12, 1, 3, NULL, OWN, DISTURB},
    {"near-face-36", "near", NEAR, face, 36, 1, 0, NULL, OWN, DISTURB},
    {"near-face-64", "near", NEAR, face, 64, 1, 0, NULL, MIXED, DISTURB},
    {"near-stack-3", "near", NEAR, stack, 8, 3, 0, NULL, OWN, DISTURB},
    {"near-stack-5", "near", NEAR, stack, 4, 5, 0, NULL, OWN, DISTURB},
    {"near-ratio", "near", NEAR, stack, 4, 4, 0, heavier, OWN, DISTURB},
    {"near-wedge-8", "near", NEAR, wedge, 8, 1, 0, NULL, OWN, DISTURB},
};

const TactCaseFamily *tact_case_families(int *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

const TactCaseFamily *tact_case_family_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------

static void set_friction(TactContactCase *out, TactRandom *random, TactCaseMu mode)
{
    double equal = tact_random_uniform(random, 0, 2);
    for (int i = 0; i < out->problem.contact_count && mode != TACT_CASE_MU_OWN; i++) {
        double own = fmax(tact_random_uniform(random, -0.5, 2), 0);
        out->contacts[i].mu = mode == TACT_CASE_MU_ZERO    ? 0
                              : mode == TACT_CASE_MU_EQUAL ? equal
                                                           : own;
    }
}

static void set_normal_law(TactContactCase *out, TactRandom *random, unsigned options)
{
    for (int i = 0; i < out->problem.contact_count; i++) {
        TactContact *contact = &out->contacts[i];
        if (options & TACT_CASE_BOUNCE) {
            contact->restitution = tact_random_uniform(random, 0, 1);
        }
        if (options & TACT_CASE_SEPARATE) {
            contact->bias = 0.05 * tact_random_normal(random);
        }
        if (options & TACT_CASE_COMPLIANT) {
            contact->compliance = pow(10, tact_random_uniform(random, -6, 0));
        }
    }
}

TactStatus tact_case_generate(const TactCaseFamily *family, uint64_t seed, int directions,
                              TactContactCase *out)
{
    TactRandom random = tact_random_seed(seed);
    *out = (TactContactCase){0};
    TactStatus status = family->make(family, &random, out);
    if (status != TACT_OK) {
        return status;
    }
    set_friction(out, &random, family->mu);
    set_normal_law(out, &random, family->options);
    if (family->options & TACT_CASE_TURN && seed % 2 == 1) {
        tact_case_turn(out, &random);
    }
    if (family->options & TACT_CASE_DISTURB) {
        tact_case_disturb(out, &random, pow(10, tact_random_uniform(&random, -12, -5)));
    }
    if (family->options & TACT_CASE_RESCALE) {
        tact_case_rescale(out, &random);
    }
    for (int i = 0; i < out->problem.contact_count; i++) {
        out->contacts[i].directions = directions;
    }
    if (family->options & TACT_CASE_DELASSUS) {
        TactContactCase bodies = *out;
        status = tact_case_to_delassus(&bodies, out);
        tact_case_destroy(&bodies);
    }
    return status;
}
