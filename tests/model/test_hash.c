// The hash of a model: equal for equal models, and changed by every number and name.
#include "model/build/store.h"
#include "model/made.h"
#include "model/rich.h"

static TactModel *make(void)
{
    TactModel *model;
    if (rich_model(&model) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return model;
}

static void *dirty_allocate(void *context, size_t size)
{
    void *block = (malloc)(size);
    memset(block, *(const int *)context, size);
    return block;
}

static void plain_release(void *context, void *block)
{
    (void)context;
    (free)(block);
}

static void equal_models_have_equal_hashes_whatever_their_memory_held(void **state)
{
    (void)state;
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        int dirt = 0x5a + i;
        tact_allocator_set(&(TactAllocator){dirty_allocate, plain_release, &dirt});
        TactModel *model = make();
        hashes[i] = model->hash;
        assert_true(model->hash == tact_model_hash(model));
        tact_model_destroy(model);
        tact_allocator_set(NULL);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
}

/// Bytes of a struct that are not to be touched: pointers, and the lengths of arrays.
typedef struct Span {
    size_t at, size;
} Span;

#define SPAN(type, member)                                  \
    {                                                       \
        offsetof(type, member), sizeof(((type *)0)->member) \
    }
#define NAME(type) ((const Span[]){SPAN(type, name), {0}})

static const Span nothing[] = {{0}};

/// Flips the lowest bit of every byte of a thing. Those that the hash does not see must be as many
/// as the padding: what no member has.
static void check_seen(const TactModel *model, const void *thing, size_t size, const Span *skip,
                       size_t members, const char *what)
{
    unsigned char *bytes = (unsigned char *)(uintptr_t)thing; // of the model's own memory
    size_t         unseen = 0;
    for (size_t i = 0; i < size; i++) {
        bool skipped = false;
        for (const Span *span = skip; span->size > 0; span++) {
            skipped = skipped || (span->at <= i && i < span->at + span->size);
        }
        if (!skipped) {
            bytes[i] ^= 1;
            unseen += tact_model_hash(model) == model->hash;
            bytes[i] ^= 1;
        }
    }
    if (unseen != size - members) {
        fail_msg("%s: the hash does not see %zu bytes, but %zu are padding", what, unseen,
                 size - members);
    }
}

/// The same of an array of numbers.
static void check_array(const TactModel *model, const void *array, size_t size, const char *what)
{
    check_seen(model, array, size, nothing, size, what);
}

enum { D = sizeof(double), I = sizeof(int), P = sizeof(void *), B = sizeof(bool) };

static void every_number_of_the_tree_changes_the_hash(void **state)
{
    (void)state;
    TactModel *model = make();
    for (int k = 0; k < model->body_count; k++) {
        // name; parent, root, carrier and eight of its parts; pose, inertia, two numbers
        check_seen(model, &model->bodies[k], sizeof(TactBody), NAME(TactBody),
                   P + 11 * I + (7 + 13 + 2) * D, "body");
    }
    for (int k = 0; k < model->joint_count; k++) {
        check_seen(model, &model->joints[k], sizeof(TactJoint), NAME(TactJoint),
                   P + 5 * I + 29 * D + 3 * B, "joint");
    }
    for (int k = 0; k < model->nv; k++) {
        check_seen(model, &model->dofs[k], sizeof(TactDof), nothing, 3 * I + 3 * D, "dof");
    }
    for (int k = 0; k < model->geom_count; k++) {
        check_seen(model, &model->geoms[k], sizeof(TactGeom), NAME(TactGeom),
                   P + 8 * I + (7 + 3 + 6 + 4 + 6 + 5) * D + 2 * B, "geom");
    }
    for (int k = 0; k < model->site_count; k++) {
        check_seen(model, &model->sites[k], sizeof(TactSite), NAME(TactSite), P + 3 * I + 14 * D,
                   "site");
    }
    check_array(model, model->q_reference, (size_t)model->nq * D, "q_reference");
    check_array(model, model->q_spring, (size_t)model->nq * D, "q_spring");
    check_array(model, &model->mass, D, "mass");
    tact_model_destroy(model);
}

static void every_number_of_surfaces_changes_the_hash(void **state)
{
    (void)state;
    TactModel *model = make();
    const Span field[] = {SPAN(TactHeightField, name),
                          SPAN(TactHeightField, rows),
                          SPAN(TactHeightField, columns),
                          SPAN(TactHeightField, height),
                          {0}};
    check_seen(model, model->heightfields, sizeof(TactHeightField), field, 2 * P + 2 * I + 4 * D,
               "height field");
    check_array(model, model->heightfields[0].height, 6 * D, "heights");
    const TactMesh *mesh = model->meshes[0].mesh;
    check_array(model, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices,
                "vertices");
    check_array(model, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles,
                "triangles");
    tact_model_destroy(model);
}

static void every_number_that_refers_to_the_tree_changes_the_hash(void **state)
{
    (void)state;
    TactModel *model = make();
    const Span tendon[] = {SPAN(TactTendon, name),
                           SPAN(TactTendon, count),
                           SPAN(TactTendon, joints),
                           SPAN(TactTendon, coefficients),
                           SPAN(TactTendon, part_count),
                           SPAN(TactTendon, parts),
                           {0}};
    check_seen(model, model->tendons, sizeof(TactTendon), tendon, 4 * P + 2 * I + 15 * D + 2 * B,
               "tendon");
    check_array(model, model->tendons[0].joints, 2 * I, "joints of a tendon");
    check_array(model, model->tendons[0].coefficients, 2 * D, "coefficients of a tendon");
    // two parameters of activations and the nine of a muscle are seen where there is one
    check_seen(model, model->actuators, sizeof(TactActuator), NAME(TactActuator),
               P + 10 * I + 23 * D + 7 * B, "actuator");
    ((TactActuator *)(uintptr_t)model->actuators)->is_muscle = true;
    model->hash = tact_model_hash(model);
    check_seen(model, model->actuators, sizeof(TactActuator), NAME(TactActuator),
               P + 10 * I + 34 * D + 7 * B, "muscle");
    ((TactActuator *)(uintptr_t)model->actuators)->is_muscle = false;
    ((TactActuator *)(uintptr_t)model->actuators)->is_motor = true;
    model->hash = tact_model_hash(model);
    check_seen(model, model->actuators, sizeof(TactActuator), NAME(TactActuator),
               P + 11 * I + (34 + 23) * D + 8 * B, "motor");
    check_seen(model, model->equalities, sizeof(TactEquality), NAME(TactEquality),
               P + 4 * I + B + 20 * D, "equality");
    check_array(model, model->excludes, sizeof(TactExclude), "exclude");
    check_seen(model, model->pairs, sizeof(TactPair), NAME(TactPair), P + 3 * I + 4 * D, "pair");
    for (int k = 0; k < model->sensor_count; k++) {
        check_seen(model, &model->sensors[k], sizeof(TactSensor), NAME(TactSensor), P + 10 * I + D,
                   "sensor");
    }
    check_array(model, &model->sensor_size, I, "sensor size");
    check_array(model, &model->keyframes[0].time, D, "time of a keyframe");
    check_array(model, model->keyframes[0].q, (size_t)model->nq * D, "q of a keyframe");
    check_array(model, model->keyframes[0].v, (size_t)model->nv * D, "v of a keyframe");
    check_array(model, model->keyframes[0].ctrl, D, "ctrl of a keyframe");
    check_array(model, model->customs[1].data, D, "numeric");
    check_seen(model, &model->options, sizeof model->options, nothing, 18 * D + I + 9 * B,
               "options");
    tact_model_destroy(model);
}

static void every_name_changes_the_hash(void **state)
{
    (void)state;
    TactModel *model = make();
    int        names = 0;
    const int  counts[TACT_OBJECT_COUNT] = {
         [TACT_OBJECT_BODY] = model->body_count,
         [TACT_OBJECT_JOINT] = model->joint_count,
         [TACT_OBJECT_GEOM] = model->geom_count,
         [TACT_OBJECT_SITE] = model->site_count,
         [TACT_OBJECT_MESH] = model->mesh_count,
         [TACT_OBJECT_HEIGHTFIELD] = model->heightfield_count,
         [TACT_OBJECT_TENDON] = model->tendon_count,
         [TACT_OBJECT_ACTUATOR] = model->actuator_count,
         [TACT_OBJECT_EQUALITY] = model->equality_count,
         [TACT_OBJECT_SENSOR] = model->sensor_count,
         [TACT_OBJECT_PAIR] = model->pair_count,
         [TACT_OBJECT_KEYFRAME] = model->keyframe_count,
    };
    for (int kind = 0; kind < TACT_OBJECT_COUNT; kind++) {
        for (int i = 0; i < counts[kind]; i++) {
            const char *name = tact_model_name(model, kind, i);
            assert_true(*name != '\0');
            assert_int_equal(tact_model_find(model, (TactObject)kind, name), i);
            check_array(model, name, strlen(name), name);
            names++;
        }
    }
    assert_int_equal(names, 5 + 4 + 4 + 1 + 1 + 1 + 1 + 1 + 1 + 2 + 1 + 1);
    check_array(model, model->name, 4, "name of the model");
    check_array(model, model->customs[0].name, 4, "name of a text");
    check_array(model, model->customs[0].text, 4, "text");
    tact_model_destroy(model);
}

static uint64_t hash_of_numbers(const double *data, int count)
{
    TactModelBuilder *builder = made_builder();
    TactCustom        custom = {.name = "n", .count = count, .data = data};
    assert_int_equal(tact_model_builder_add_custom(builder, &custom, nowhere), TACT_OK);
    TactModel *model = made_compile(builder);
    uint64_t   hash = model->hash;
    tact_model_destroy(model);
    return hash;
}

/// Of every compiler and optimisation: only sums, products, quotients and roots go into this model.
static void the_hash_is_the_same_in_every_build(void **state)
{
    (void)state;
#ifdef TACT_HAVE_QHULL
    TactModel *model = make();
    assert_int_equal(model->hash, 0xb6d4461a6ddf3ce4);
    tact_model_destroy(model);
#else
    skip(); // without hulls it is another model
#endif
}

static void zero_has_no_sign_and_order_and_length_count(void **state)
{
    (void)state;
    uint64_t hash = hash_of_numbers((const double[]){0.0, 1}, 2);
    assert_true(hash == hash_of_numbers((const double[]){-0.0, 1}, 2));
    assert_true(hash != hash_of_numbers((const double[]){1, 0.0}, 2));
    assert_true(hash != hash_of_numbers((const double[]){0.0, 1, 0.0}, 3));
    assert_true(hash != hash_of_numbers((const double[]){0.0}, 1));
}

static int restore(void **state)
{
    (void)state;
    tact_allocator_set(NULL);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(equal_models_have_equal_hashes_whatever_their_memory_held,
                                  restore),
        cmocka_unit_test(every_number_of_the_tree_changes_the_hash),
        cmocka_unit_test(every_number_of_surfaces_changes_the_hash),
        cmocka_unit_test(every_number_that_refers_to_the_tree_changes_the_hash),
        cmocka_unit_test(every_name_changes_the_hash),
        cmocka_unit_test(the_hash_is_the_same_in_every_build),
        cmocka_unit_test(zero_has_no_sign_and_order_and_length_count),
    };
    return cmocka_run_group_tests_name("model/hash", tests, NULL, NULL);
}
