// Scenes of bench/problems/scenes.h as contact problems.
#ifndef TESTS_CONTACT_PEGS_H
#define TESTS_CONTACT_PEGS_H

#include "scenes.h"
// clang-format off
#include "bench/problems/scenes.h"
// clang-format on

typedef struct Shape {
    TactContactProblem problem;
    TactContactBody    bodies[TACT_SCENE_MAX_BODIES];
    TactContact        contacts[TACT_SCENE_MAX_CONTACTS];
} Shape;

enum { SHAPE_PEG, SHAPE_JITTERED, SHAPE_BLOCK, SHAPE_CORNER, SHAPE_FACE, SHAPE_BALL, SHAPE_STACK };
enum { SHAPE_TURNED_STACK = SHAPE_STACK + 1, SHAPE_COUNT };

static inline void shape_draw(TactScene *scene, TactRandom *random, int kind)
{
    switch (kind) {
    case SHAPE_PEG: tact_scene_peg(scene, random, 16, 0); break;
    case SHAPE_JITTERED: tact_scene_peg(scene, random, 24, 0.4); break;
    case SHAPE_BLOCK: tact_scene_block(scene, random, 16); break;
    case SHAPE_CORNER: tact_scene_corner(scene, random, 3, 4); break;
    case SHAPE_FACE: tact_scene_face(scene, random); break;
    case SHAPE_BALL: tact_scene_ball(scene, random, 16); break;
    case SHAPE_STACK: tact_scene_stack(scene, random, 4, 4, NULL); break;
    default: tact_scene_turned_stack(scene, random, 4); break;
    }
}

/// Contacts have the ids 1, 2, 3, ...
static inline void shape_make(Shape *shape, int kind, uint64_t seed)
{
    TactRandom random = tact_random_seed(seed);
    TactScene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    shape_draw(scene, &random, kind);
    tact_scene_load(scene, &random);
    *shape = (Shape){0};
    for (int k = 0; k < scene->bodies; k++) {
        const TactSceneBody *from = &scene->body[k];
        TactContactBody     *body = &shape->bodies[k];
        body->mass = from->mass;
        for (int j = 0; j < 3; j++) {
            body->inertia[j] = from->inertia[j];
            body->position[j] = from->position[j];
            body->velocity[j] = from->momentum[j] / from->mass;
            body->omega[j] = from->momentum[3 + j] / from->inertia[j];
        }
    }
    for (int k = 0; k < scene->contacts; k++) {
        const TactSceneContact *from = &scene->contact[k];
        TactContact            *contact = &shape->contacts[k];
        *contact = (TactContact){.a = from->a, .b = from->b, .mu = from->mu, .directions = 8};
        contact->id = (uint64_t)k + 1;
        memcpy(contact->point, from->point, sizeof contact->point);
        memcpy(contact->normal, from->normal, sizeof contact->normal);
    }
    shape->problem = (TactContactProblem){
        .step = 1e-3,
        .body_count = scene->bodies,
        .bodies = shape->bodies,
        .contact_count = scene->contacts,
        .contacts = shape->contacts,
    };
    free(scene);
}

/// A solver of one problem and its answer.
typedef struct Solving {
    TactContactSolver *solver;
    TactContactReport  report;
    double             impulse[3 * TACT_SCENE_MAX_CONTACTS];
    double             velocity[6 * TACT_SCENE_MAX_BODIES];
    double             u[3 * TACT_SCENE_MAX_CONTACTS];
    double             row_impulse[SCENE_ROWS];
} Solving;

static inline void solving_begin(Solving *solving, const TactContactProblem *problem,
                                 const TactContactConfig *config)
{
    TactContactCapacity capacity = tact_contact_get_capacity(problem);
    *solving = (Solving){0};
    assert_int_equal(tact_contact_solver_create(&capacity, config, &solving->solver), TACT_OK);
}

static inline TactContactOutcome solving_run(Solving *solving, const TactContactProblem *problem)
{
    TactContactAnswer answer = {.impulse = solving->impulse,
                                .row_impulse = solving->row_impulse,
                                .velocity = solving->velocity,
                                .u = solving->u};
    TactStatus status = tact_contact_solve(solving->solver, problem, &answer, &solving->report);
    if (status != TACT_OK) {
        print_error("%s\n", tact_status_message());
    }
    assert_int_equal(status, TACT_OK);
    return solving->report.outcome;
}

static inline void solving_end(Solving *solving)
{
    tact_contact_solver_destroy(solving->solver);
}

static inline TactContactConfig solving_config(TactContactMethod method, TactContactCone cone)
{
    TactContactConfig config = tact_contact_config_default(method);
    config.cone = cone;
    return config;
}

#endif
