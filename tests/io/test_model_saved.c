// Compiled models as files: the same model again, and no damage that goes unnoticed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>
#include <tact/sim.h>

#include "base/memory.h"
#include "model/packed/packed.h"
#include "tests/io/scratch.h"
#include "tests/model/rich.h"

static TactModel *load(const char *path)
{
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *model = NULL;
    assert_int_equal(tact_model_load(path, &config, &model, NULL), TACT_OK);
    return model;
}

/// Packed again they are the same bytes; names and pairs are found as before.
static void check_same(const TactModel *a, const TactModel *b)
{
    unsigned char *bytes[2] = {0};
    size_t         size[2] = {0};
    assert_true(a->hash == b->hash);
    assert_int_equal(tact_model_pack(a, &bytes[0], &size[0]), TACT_OK);
    assert_int_equal(tact_model_pack(b, &bytes[1], &size[1]), TACT_OK);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    for (int i = 0; i < a->geom_count; i++) {
        assert_string_equal(a->geoms[i].name, b->geoms[i].name);
        if (*a->geoms[i].name) {
            assert_int_equal(tact_model_find(b, TACT_OBJECT_GEOM, a->geoms[i].name), i);
        }
        for (int j = 0; j < a->geom_count; j++) {
            int pair[2] = {0, 0};
            assert_int_equal(tact_model_may_touch(a, i, j, &pair[0]),
                             tact_model_may_touch(b, i, j, &pair[1]));
            assert_int_equal(pair[0], pair[1]);
        }
    }
    tact_release(bytes[0]);
    tact_release(bytes[1]);
}

static void save_and_read(const TactModel *model)
{
    const char *path = tact_scratch_path("model.tmodel");
    assert_int_equal(tact_model_save(model, path), TACT_OK);
    TactModel *again = load(path);
    check_same(model, again);
    tact_model_destroy(again);
}

static void test_rich_model_is_the_same_again(void **state)
{
    TactModel *model = NULL;
    (void)state;
    assert_int_equal(rich_model(&model), TACT_OK);
    save_and_read(model);
    tact_model_destroy(model);
}

/// Every model file at hand that can be read.
static void test_robots_are_the_same_again(void **state)
{
    static const char *const files[] = {
        "franka_emika_panda/scene.xml", "mujoco_humanoid/humanoid.xml", "robotis_op3/scene.xml",
        "shadow_hand/scene_right.xml",  "skydio_x2/scene.xml",          "kinova_gen3/scene.xml",
        "robotiq_2f85/scene.xml"};
    const char *shared = tact_scratch_shared();
    int         read = 0;
    (void)state;
    for (size_t k = 0; k < sizeof files / sizeof *files && shared; k++) {
        TactModelLoadConfig config = tact_model_load_config_default();
        TactModel          *model = NULL;
        char                path[512];
        snprintf(path, sizeof path, "%s/../models/%s", shared, files[k]);
        if (tact_model_load(path, &config, &model, NULL) == TACT_OK) {
            save_and_read(model);
            read++;
        }
        tact_model_destroy(model);
    }
    if (shared) {
        assert_true(read >= 4);
    }
}

/// A simulation of the one goes as that of the other, bit by bit.
static void test_steps_are_the_same(void **state)
{
    TactModel *model = load(TACT_SOURCE_DIR "/examples/quadruped.xml");
    TactSim   *sims[2] = {0};
    (void)state;
    assert_int_equal(tact_model_save(model, tact_scratch_path("q.tmodel")), TACT_OK);
    TactModel       *again = load(tact_scratch_path("q.tmodel"));
    const TactModel *models[2] = {model, again};
    for (int k = 0; k < 2; k++) {
        TactSimConfig config = tact_sim_config_default(models[k]);
        TactSimReport report;
        assert_int_equal(tact_sim_create(models[k], &config, &sims[k]), TACT_OK);
        for (int step = 0; step < 50; step++) {
            assert_int_equal(tact_sim_step(sims[k], &report), TACT_OK);
        }
    }
    assert_memory_equal(tact_sim_view_state(sims[0])->q, tact_sim_view_state(sims[1])->q,
                        sizeof(double) * (size_t)model->nq);
    for (int k = 0; k < 2; k++) {
        tact_sim_destroy(sims[k]);
    }
    tact_model_destroy(again);
    tact_model_destroy(model);
}

static void test_damage_is_told(void **state)
{
    TactModel     *model = NULL, *read = NULL;
    unsigned char *bytes = NULL;
    size_t         size = 0;
    (void)state;
    assert_int_equal(rich_model(&model), TACT_OK);
    assert_int_equal(tact_model_pack(model, &bytes, &size), TACT_OK);
    for (size_t cut = 0; cut < size; cut += 1 + size / 400) { // cut off
        unsigned char *part = malloc(cut + 1);
        assert_non_null(part);
        memcpy(part, bytes, cut);
        assert_int_equal(tact_model_unpack("cut", part, cut, true, &read), TACT_BAD_INPUT);
        assert_null(read);
        free(part);
    }
    for (size_t at = 8; at < size; at += 1 + size / 700) { // one bit
        bytes[at] ^= (unsigned char)(1u << (at % 8));
        TactStatus status = tact_model_unpack("bit", bytes, size, true, &read);
        assert_true(status == TACT_BAD_INPUT || (at < 12 && status == TACT_UNSUPPORTED));
        bytes[at] ^= (unsigned char)(1u << (at % 8));
    }
    bytes[8] = 3;
    assert_int_equal(tact_model_unpack("later", bytes, size, true, &read), TACT_UNSUPPORTED);
    tact_scratch_said("version 3");
    bytes[8] = 2;
    unsigned char *longer = calloc(size + 1, 1);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    assert_int_equal(tact_model_unpack("longer", longer, size + 1, true, &read), TACT_BAD_INPUT);
    tact_scratch_said("follows its end");
    free(longer);
    tact_release(bytes);
    tact_model_destroy(model);
}

/// With checksum and hash set aside, as a file that was made to deceive has them: whatever is read
/// is refused, or is a model in which every index leads to something.
static void test_nonsense_is_refused_or_whole(void **state)
{
    TactModel     *model = NULL;
    unsigned char *bytes = NULL;
    size_t         size = 0;
    int            taken = 0, refused = 0;
    TactRandom     random = tact_random_seed(11);
    (void)state;
    assert_int_equal(rich_model(&model), TACT_OK);
    assert_int_equal(tact_model_pack(model, &bytes, &size), TACT_OK);
    for (int k = 0; k < 3000; k++) {
        TactModel    *read = NULL;
        size_t        at[3];
        unsigned char kept[3];
        for (int j = 0; j < 3; j++) {
            at[j] = 32 + tact_random_next(&random) % (size - 40);
            kept[j] = bytes[at[j]];
            bytes[at[j]] =
                k % 2 ? (unsigned char)tact_random_next(&random) : (unsigned char)(j - 1);
        }
        if (tact_model_unpack("nonsense", bytes, size, false, &read) == TACT_OK) {
            taken++;
            for (int g = 0; g < read->geom_count; g++) {
                tact_model_may_touch(read, g, read->geom_count - 1 - g, NULL);
            }
            tact_model_find(read, TACT_OBJECT_BODY, "no such name");
        } else {
            refused++;
        }
        tact_model_destroy(read);
        for (int j = 2; j >= 0; j--) {
            bytes[at[j]] = kept[j];
        }
    }
    assert_true(taken > 100 && refused > 100);
    tact_release(bytes);
    tact_model_destroy(model);
}

/// An allocator with so many blocks to give.
static void *give(void *context, size_t size)
{
    int *left = context;
    return (*left)-- > 0 ? malloc(size) : NULL;
}

static void take_back(void *context, void *block)
{
    (void)context;
    free(block);
}

static void test_without_memory(void **state)
{
    TactModel  *model = NULL, *read = NULL;
    const char *path = tact_scratch_path("short.tmodel");
    int         failed[2] = {0, 0};
    (void)state;
    assert_int_equal(rich_model(&model), TACT_OK);
    for (int what = 0; what < 2; what++) { // saving, reading
        TactStatus status = TACT_NO_MEMORY;
        for (int blocks = 0; status != TACT_OK; blocks++) {
            TactModelLoadConfig config = tact_model_load_config_default();
            int                 left = blocks;
            tact_allocator_set(&(TactAllocator){give, take_back, &left});
            status = what == 0 ? tact_model_save(model, path)
                               : tact_model_load(path, &config, &read, NULL);
            tact_model_destroy(read);
            read = NULL;
            tact_allocator_set(NULL);
            if (status != TACT_OK && status != TACT_NO_MEMORY) {
                fail_msg("%d blocks, what %d: %s", blocks, what, tact_status_message());
            }
            failed[what] += status != TACT_OK;
            assert_true(blocks < 1000);
        }
    }
    assert_true(failed[0] >= 1 && failed[1] >= 4);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rich_model_is_the_same_again),
        cmocka_unit_test(test_robots_are_the_same_again),
        cmocka_unit_test(test_steps_are_the_same),
        cmocka_unit_test(test_damage_is_told),
        cmocka_unit_test(test_nonsense_is_refused_or_whole),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
