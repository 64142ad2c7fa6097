// The set of visited bases: what was added is there, nothing else is, and it never grows.
#include "lcp/pivot/visited.h"

#include "linalg/matrices.h"

static TactArena arena;

static TactVisited new_visited(size_t most)
{
    TactVisited visited = {0};
    arena = (TactArena){0};
    tact_visited_layout(&visited, most, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_visited_layout(&visited, most, &arena);
    return visited;
}

static void every_hash_is_new_once(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    TactVisited visited = new_visited(MANY);
    TactRandom  random = tact_random_seed(1);
    uint64_t    hash[MANY];
    for (int i = 0; i < MANY; i++) {
        // Every tenth one has the lowest bits of another, so that slots collide; 0 is one of them.
        hash[i] = i % 10 ? tact_random_next(&random) : (uint64_t)i << 40;
        assert_int_equal(tact_visited_add(&visited, hash[i]), TACT_VISIT_FIRST);
    }
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(tact_visited_add(&visited, hash[i]), TACT_VISIT_AGAIN);
    }
    tact_arena_destroy(&arena);
}

static void a_full_set_says_so_and_still_knows_what_it_holds(void **state)
{
    (void)state;
    TactVisited visited = new_visited(3);
    for (uint64_t hash = 10; hash < 13; hash++) {
        assert_int_equal(tact_visited_add(&visited, hash), TACT_VISIT_FIRST);
    }
    assert_int_equal(tact_visited_add(&visited, 13), TACT_VISIT_NO_ROOM);
    assert_int_equal(tact_visited_add(&visited, 11), TACT_VISIT_AGAIN);
    tact_arena_destroy(&arena);
}

static void a_cleared_set_is_empty(void **state)
{
    (void)state;
    TactVisited visited = new_visited(8);
    for (int round = 0; round < 3; round++) {
        for (uint64_t hash = 20; hash < 28; hash++) {
            assert_int_equal(tact_visited_add(&visited, hash), TACT_VISIT_FIRST);
        }
        tact_visited_clear(&visited);
    }
    for (size_t i = 0; i < visited.capacity; i++) {
        assert_true(visited.table[i] == 0);
    }
    tact_arena_destroy(&arena);
}

static void memory_is_bounded_whatever_is_asked_for(void **state)
{
    (void)state;
    TactArena   measuring = {0};
    TactVisited visited = {0};
    tact_visited_layout(&visited, SIZE_MAX, &measuring);
    assert_true(measuring.used > 0 && measuring.used <= 21 * 1024 * 1024);
}

static void bases_that_differ_have_different_hashes(void **state)
{
    (void)state;
    // All bases of n = 12 that are made of one variable of each pair: 4096 hashes, none twice.
    enum { N = 12 };
    TactVisited visited = new_visited(1 << N);
    for (unsigned basis = 0; basis < 1u << N; basis++) {
        uint64_t hash = 0;
        for (int j = 0; j < N; j++) {
            hash ^= tact_visited_key(basis >> j & 1 ? j : N + 1 + j);
        }
        assert_int_equal(tact_visited_add(&visited, hash), TACT_VISIT_FIRST);
    }
    tact_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hash_is_new_once),
        cmocka_unit_test(a_full_set_says_so_and_still_knows_what_it_holds),
        cmocka_unit_test(a_cleared_set_is_empty),
        cmocka_unit_test(memory_is_bounded_whatever_is_asked_for),
        cmocka_unit_test(bases_that_differ_have_different_hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
