// A builder without memory: fails as it should, wherever it happens, and leaks nothing.
#include "model/made.h"
#include "model/rich.h"

typedef struct Counter {
    long allocations, releases, calls_left;
} Counter;

static void *count_allocate(void *context, size_t size)
{
    Counter *counter = context;
    if (counter->calls_left-- <= 0) {
        return NULL;
    }
    counter->allocations++;
    void *block = (malloc)(size);
    memset(block, 0xa5, size);
    return block;
}

static void count_release(void *context, void *block)
{
    Counter *counter = context;
    counter->releases += block != NULL;
    (free)(block);
}

static int restore(void **state)
{
    (void)state;
    tact_allocator_set(NULL);
    return 0;
}

static TactStatus try_model(Counter *counter)
{
    TactModel *model;
    tact_allocator_set(&(TactAllocator){count_allocate, count_release, counter});
    TactStatus status = rich_model(&model);
    assert_true((model != NULL) == (status == TACT_OK));
    tact_model_destroy(model);
    tact_allocator_set(NULL);
    return status;
}

static void every_block_is_released(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 1000000};
    assert_int_equal(try_model(&counter), TACT_OK);
    assert_int_equal(counter.allocations, counter.releases);
}

static void no_memory_at_any_call_is_a_status_and_no_leak(void **state)
{
    (void)state;
    Counter all = {.calls_left = 1000000};
    assert_int_equal(try_model(&all), TACT_OK);
    assert_true(all.allocations > 20);
    for (long k = 0; k < all.allocations; k++) {
        Counter    counter = {.calls_left = k};
        TactStatus status = try_model(&counter);
        if (status != TACT_NO_MEMORY || counter.allocations != counter.releases) {
            fail_msg("call %ld: %s (%s), %ld blocks, %ld released", k, tact_status_name(status),
                     tact_status_message(), counter.allocations, counter.releases);
        }
    }
}

static void a_model_is_two_blocks_without_meshes(void **state)
{
    (void)state;
    // The model lives on after its builder: its head and its arena.
    Counter counter = {.calls_left = 1000000};
    tact_allocator_set(&(TactAllocator){count_allocate, count_release, &counter});
    TactModelBuilder *builder = made_builder();
    for (int i = 0; i < 100; i++) {
        char name[20];
        snprintf(name, sizeof name, "body%d", i);
        made_add_body(builder, name, i);
    }
    TactModel *model = made_compile(builder);
    assert_int_equal(counter.allocations - counter.releases, 2);
    tact_model_destroy(model);
    assert_int_equal(counter.allocations, counter.releases);
}

static void asking_a_model_allocates_nothing(void **state)
{
    (void)state;
    TactModel *model;
    assert_int_equal(rich_model(&model), TACT_OK);
    Counter counter = {.calls_left = 1000000};
    tact_allocator_set(&(TactAllocator){count_allocate, count_release, &counter});
    char text[64];
    assert_int_equal(tact_model_find(model, TACT_OBJECT_GEOM, "hull"), 3);
    assert_string_equal(tact_model_label(model, TACT_OBJECT_SITE, 0, text), "tip");
    assert_true(tact_model_may_touch(model, 0, 3, NULL));
    assert_true(tact_model_get_friction(model, 0, 3) == 1);
    tact_allocator_set(NULL);
    assert_int_equal(counter.allocations, 0);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_block_is_released, restore),
        cmocka_unit_test_teardown(no_memory_at_any_call_is_a_status_and_no_leak, restore),
        cmocka_unit_test_teardown(a_model_is_two_blocks_without_meshes, restore),
        cmocka_unit_test_teardown(asking_a_model_allocates_nothing, restore),
    };
    return cmocka_run_group_tests_name("model/memory", tests, NULL, NULL);
}
