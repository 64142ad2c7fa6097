#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

/// An allocator that counts, and that has no memory once its calls are used up.
typedef struct Counter {
    int    allocations;
    int    releases;
    int    calls_left;
    size_t bytes;
} Counter;

static void *count_allocate(void *context, size_t size)
{
    Counter *counter = context;
    if (counter->calls_left-- <= 0) {
        return NULL;
    }
    counter->allocations++;
    counter->bytes += size;
    void *block = (malloc)(size);
    memset(block, 0xa5, size); // memory is dirty: the library must not rely on zeros
    return block;
}

static void count_release(void *context, void *block)
{
    Counter *counter = context;
    counter->releases += block != NULL;
    (free)(block);
}

static void use(Counter *counter)
{
    tact_allocator_set(&(TactAllocator){count_allocate, count_release, counter});
}

static int restore(void **state)
{
    (void)state;
    tact_allocator_set(NULL);
    return 0;
}

static void the_hook_sees_every_block_and_its_release(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 10};
    use(&counter);
    void *a = NULL;
    void *b = NULL;
    assert_int_equal(tact_allocate(3, 8, &a), TACT_OK);
    assert_int_equal(tact_allocate(5, 1, &b), TACT_OK);
    assert_int_equal(counter.allocations, 2);
    assert_int_equal(counter.bytes, 3 * 8 + 5);
    tact_release(a);
    tact_release(b);
    tact_release(NULL);
    assert_int_equal(counter.releases, 2);
}

static void without_a_hook_memory_comes_from_malloc_again(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 10};
    use(&counter);
    tact_allocator_set(NULL);
    void *block = NULL;
    assert_int_equal(tact_allocate(1, 1, &block), TACT_OK);
    tact_release(block);
    assert_int_equal(counter.allocations, 0);
    assert_int_equal(counter.releases, 0);
}

static void a_block_is_zeroed(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 1};
    use(&counter);
    void *block = NULL;
    assert_int_equal(tact_allocate(100, 1, &block), TACT_OK);
    const unsigned char zeros[100] = {0};
    assert_memory_equal(block, zeros, sizeof zeros);
    tact_release(block);
}

static void no_memory_is_a_status_with_the_size(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 0};
    use(&counter);
    void *block = &counter;
    assert_int_equal(tact_allocate(10, 123, &block), TACT_NO_MEMORY);
    assert_null(block);
    assert_non_null(strstr(tact_status_message(), "1230"));
}

static void a_product_that_overflows_never_reaches_the_allocator(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 10};
    use(&counter);
    void *block = &counter;
    assert_int_equal(tact_allocate(SIZE_MAX / 8 + 1, 8, &block), TACT_NO_MEMORY);
    assert_null(block);
    assert_int_equal(counter.allocations, 0);
}

static void an_empty_block_can_be_had_and_released(void **state)
{
    (void)state;
    void *block = NULL;
    assert_int_equal(tact_allocate(0, 8, &block), TACT_OK);
    assert_non_null(block);
    tact_release(block);
}

// ---------------------------------------------------------------------------------------------
// Arena

typedef struct Arrays {
    double        *a; // (n)
    unsigned char *b; // (n)
    int           *c; // (0)
    double        *d; // (n x n)
} Arrays;

static void layout(Arrays *arrays, size_t n, TactArena *arena)
{
    arrays->a = tact_arena_take(arena, n, sizeof *arrays->a);
    arrays->b = tact_arena_take(arena, n, sizeof *arrays->b);
    arrays->c = tact_arena_take(arena, 0, sizeof *arrays->c);
    arrays->d = tact_arena_take(arena, n * n, sizeof *arrays->d);
}

static void a_measuring_arena_lends_nothing(void **state)
{
    (void)state;
    TactArena arena = {0};
    Arrays    arrays;
    layout(&arrays, 5, &arena);
    assert_null(arrays.a);
    assert_null(arrays.b);
    assert_null(arrays.c);
    assert_null(arrays.d);
    assert_int_equal(arena.used, 64 + 64 + 0 + 256); // 40, 5, 0 and 200 bytes in units of 64
}

static void a_real_arena_lends_aligned_arrays_that_do_not_overlap(void **state)
{
    (void)state;
    for (size_t n = 1; n < 40; n++) {
        Counter counter = {.calls_left = 1};
        use(&counter);
        TactArena arena = {0};
        Arrays    arrays;
        layout(&arrays, n, &arena);
        size_t measured = arena.used;
        assert_int_equal(tact_arena_create(&arena), TACT_OK);
        layout(&arrays, n, &arena);

        assert_int_equal(arena.used, measured);
        assert_int_equal((uintptr_t)arrays.a % 64, 0);
        assert_int_equal((uintptr_t)arrays.b % 64, 0);
        assert_int_equal((uintptr_t)arrays.d % 64, 0);
        for (size_t i = 0; i < n * n; i++) {
            assert_true(arrays.d[i] == 0);
            arrays.d[i] = 3;
        }
        for (size_t i = 0; i < n; i++) {
            assert_true(arrays.a[i] == 0 && arrays.b[i] == 0);
            arrays.a[i] = 1;
            arrays.b[i] = 2;
        }
        for (size_t i = 0; i < n; i++) {
            assert_true(arrays.a[i] == 1 && arrays.b[i] == 2 && arrays.d[i * n] == 3);
        }
        tact_arena_destroy(&arena);
        assert_null(arena.block);
        assert_int_equal(counter.allocations, 1);
        assert_int_equal(counter.releases, 1);
    }
}

static void the_last_byte_of_an_arena_belongs_to_its_block(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 1};
    use(&counter);
    TactArena arena = {0};
    tact_arena_take(&arena, 64, 1);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    unsigned char *array = tact_arena_take(&arena, 64, 1);
    size_t         end = (size_t)(array - (unsigned char *)arena.base) + 64;
    assert_true(end <= counter.bytes);
    tact_arena_destroy(&arena);
}

static void a_workspace_too_large_fails_when_it_is_created(void **state)
{
    (void)state;
    const size_t counts[][2] = {
        {SIZE_MAX / 8 + 1, 8}, // the product overflows
        {SIZE_MAX - 10, 1},    // rounding up to 64 overflows
        {SIZE_MAX / 2, 2},     // fits a size_t, but not with its alignment
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Counter counter = {.calls_left = 10};
        use(&counter);
        TactArena arena = {0};
        tact_arena_take(&arena, 10, 1);
        assert_null(tact_arena_take(&arena, counts[i][0], counts[i][1]));
        assert_null(tact_arena_take(&arena, 1, 1)); // an overflow is not forgotten
        assert_int_equal(tact_arena_create(&arena), TACT_NO_MEMORY);
        assert_int_equal(counter.allocations, 0);
        tact_arena_destroy(&arena);
    }
}

static void a_sum_that_overflows_fails_when_it_is_created(void **state)
{
    (void)state;
    TactArena arena = {0};
    tact_arena_take(&arena, SIZE_MAX / 2, 1);
    tact_arena_take(&arena, SIZE_MAX / 2, 1);
    assert_int_equal(tact_arena_create(&arena), TACT_NO_MEMORY);
}

static void an_arena_without_memory_can_still_be_destroyed(void **state)
{
    (void)state;
    Counter counter = {.calls_left = 0};
    use(&counter);
    TactArena arena = {0};
    tact_arena_take(&arena, 10, 8);
    assert_int_equal(tact_arena_create(&arena), TACT_NO_MEMORY);
    tact_arena_destroy(&arena);
    assert_int_equal(counter.releases, 0);
}

static void an_arena_that_is_touched_stays_as_it_is(void **state)
{
    (void)state;
    enum { BYTES = 10000 };
    TactArena arena = {0};
    tact_arena_touch(&arena, BYTES); // nothing there yet
    tact_arena_take(&arena, BYTES, 1);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    unsigned char *bytes = tact_arena_take(&arena, BYTES, 1);
    memset(bytes, 7, BYTES);
    tact_arena_touch(&arena, arena.used);
    for (int i = 0; i < BYTES; i++) {
        assert_int_equal(bytes[i], 7);
    }
    tact_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_hook_sees_every_block_and_its_release, restore),
        cmocka_unit_test_teardown(without_a_hook_memory_comes_from_malloc_again, restore),
        cmocka_unit_test_teardown(a_block_is_zeroed, restore),
        cmocka_unit_test_teardown(no_memory_is_a_status_with_the_size, restore),
        cmocka_unit_test_teardown(a_product_that_overflows_never_reaches_the_allocator, restore),
        cmocka_unit_test_teardown(an_empty_block_can_be_had_and_released, restore),
        cmocka_unit_test_teardown(a_measuring_arena_lends_nothing, restore),
        cmocka_unit_test_teardown(a_real_arena_lends_aligned_arrays_that_do_not_overlap, restore),
        cmocka_unit_test_teardown(the_last_byte_of_an_arena_belongs_to_its_block, restore),
        cmocka_unit_test_teardown(a_workspace_too_large_fails_when_it_is_created, restore),
        cmocka_unit_test_teardown(a_sum_that_overflows_fails_when_it_is_created, restore),
        cmocka_unit_test_teardown(an_arena_that_is_touched_stays_as_it_is, restore),
        cmocka_unit_test_teardown(an_arena_without_memory_can_still_be_destroyed, restore),
    };
    return cmocka_run_group_tests_name("base/memory", tests, NULL, NULL);
}
