// The queue of search: nodes come out in the order that the theory page gives.
#include "lcp/pivot/queue.h"

#include "linalg/matrices.h"

static TactArena arena;

static TactSearchQueue new_queue(int capacity)
{
    TactSearchQueue queue = {0};
    arena = (TactArena){0};
    tact_search_queue_layout(&queue, capacity, &arena);
    assert_int_equal(tact_arena_create(&arena), TACT_OK);
    tact_search_queue_layout(&queue, capacity, &arena);
    tact_search_queue_clear(&queue, 1e-8);
    return queue;
}

static TactSearchNode pop(TactSearchQueue *queue)
{
    TactSearchNode node;
    assert_true(tact_search_queue_pop(queue, &node));
    return node;
}

static void the_cheapest_node_comes_first(void **state)
{
    (void)state;
    TactSearchQueue queue = new_queue(3);
    tact_search_queue_push(&queue, (TactSearchNode){.cost = 2e-4, .depth = 9, .leaving = 1});
    tact_search_queue_push(&queue, (TactSearchNode){.cost = 1e-4, .depth = 1, .leaving = 2});
    tact_search_queue_push(&queue, (TactSearchNode){.cost = 3e-4, .depth = 5, .leaving = 3});
    assert_int_equal(pop(&queue).leaving, 2);
    assert_int_equal(pop(&queue).leaving, 1);
    assert_int_equal(pop(&queue).leaving, 3);
    TactSearchNode node;
    assert_false(tact_search_queue_pop(&queue, &node));
    tact_arena_destroy(&arena);
}

static void among_equal_costs_depth_then_pivot_size_then_age_decide(void **state)
{
    (void)state;
    // 1e-13 apart is rounding: the same cost.
    TactSearchQueue queue = new_queue(8);
    const double    cost[] = {0, 1e-13, 0, 2e-13, 0};
    const double    size[] = {1, 1, 5, 1, 5};
    const int       depth[] = {3, 7, 7, 7, 7};
    const int       expected[] = {2, 4, 1, 3, 0};
    for (int i = 0; i < 5; i++) {
        tact_search_queue_push(
            &queue,
            (TactSearchNode){.cost = cost[i], .size = size[i], .depth = depth[i], .leaving = i});
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(pop(&queue).leaving, expected[i]);
    }
    tact_arena_destroy(&arena);
}

static void with_a_finer_unit_a_small_difference_of_cost_decides(void **state)
{
    (void)state;
    TactSearchQueue queue = new_queue(4);
    for (int fine = 0; fine < 2; fine++) {
        tact_search_queue_clear(&queue, fine ? 1e-12 : 1e-8);
        tact_search_queue_push(&queue, (TactSearchNode){.cost = 5e-9, .depth = 9, .leaving = 0});
        tact_search_queue_push(&queue, (TactSearchNode){.cost = 0, .depth = 1, .leaving = 1});
        assert_int_equal(pop(&queue).leaving, fine ? 1 : 0);
    }
    tact_arena_destroy(&arena);
}

static void all_nodes_come_out_once_and_in_order(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    TactSearchQueue queue = new_queue(MANY);
    TactRandom      random = tact_random_seed(2);
    bool            seen[MANY] = {0};
    for (int i = 0; i < MANY; i++) {
        TactSearchNode node = {.cost = (double)(tact_random_next(&random) % 20) * 1e-6,
                               .size = (double)(tact_random_next(&random) % 5),
                               .depth = (int)(tact_random_next(&random) % 10),
                               .leaving = i};
        tact_search_queue_push(&queue, node);
    }
    TactSearchNode last = pop(&queue);
    seen[last.leaving] = true;
    for (int i = 1; i < MANY; i++) {
        TactSearchNode node = pop(&queue);
        assert_false(seen[node.leaving]);
        seen[node.leaving] = true;
        assert_true(last.cost < node.cost ||
                    (last.cost == node.cost &&
                     (last.depth > node.depth ||
                      (last.depth == node.depth &&
                       (last.size > node.size ||
                        (last.size == node.size && last.leaving < node.leaving))))));
        last = node;
    }
    tact_arena_destroy(&arena);
}

static void what_finds_no_room_is_counted(void **state)
{
    (void)state;
    TactSearchQueue queue = new_queue(2);
    for (int i = 0; i < 5; i++) {
        tact_search_queue_push(&queue, (TactSearchNode){.leaving = i});
    }
    assert_int_equal(queue.count, 2);
    assert_int_equal(queue.dropped, 3);
    tact_search_queue_clear(&queue, 1e-8);
    assert_int_equal(queue.count, 0);
    assert_int_equal(queue.dropped, 0);
    tact_arena_destroy(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheapest_node_comes_first),
        cmocka_unit_test(among_equal_costs_depth_then_pivot_size_then_age_decide),
        cmocka_unit_test(with_a_finer_unit_a_small_difference_of_cost_decides),
        cmocka_unit_test(all_nodes_come_out_once_and_in_order),
        cmocka_unit_test(what_finds_no_room_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
