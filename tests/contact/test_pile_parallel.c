// Spots of a pile side by side: the same bits as one after the other, on any number of threads.
#include "contact/pile/parallel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/budget.h"
#include "contact/bricks.h"
#include "contact/pile/pile.h"

/// A heap with impulses, and spots that were drawn.
typedef struct Heap {
    Bricks         bricks;
    TactArena      arena;
    TactSystem     system;
    TactCoupling   coupling;
    TactPileSolver pile;
    double        *p, *motion, *bad;
    size_t         p_size, y_size;
} Heap;

static void layout(Heap *heap, const TactContactCapacity *capacity)
{
    size_t items = (size_t)capacity->contacts;
    tact_system_layout(&heap->system, capacity, &heap->arena);
    tact_coupling_layout(&heap->coupling, capacity, &heap->arena);
    tact_pile_layout(&heap->pile, capacity, &heap->arena);
    heap->p = tact_arena_take(&heap->arena, 3 * items, sizeof(double));
    heap->motion = tact_arena_take(&heap->arena, items, sizeof(double));
    heap->bad = tact_arena_take(&heap->arena, items, sizeof(double));
}

/// 16 x 16 x 3 bricks; impulses are random, and one contact in 40 is bad.
static void heap_begin(Heap *heap)
{
    TactRandom random = tact_random_seed(11);
    *heap = (Heap){0};
    make_bricks(&heap->bricks, 3, 16, 3);
    const TactContactProblem *problem = &heap->bricks.problem;
    TactContactCapacity       capacity = tact_contact_get_capacity(problem);
    layout(heap, &capacity);
    assert_int_equal(tact_arena_create(&heap->arena), TACT_OK);
    layout(heap, &capacity);
    assert_int_equal(tact_system_build(&heap->system, problem, false), TACT_OK);
    tact_coupling_begin(&heap->coupling, &heap->system, problem, TACT_CONE_CIRCLE, heap->motion);
    for (int i = 0; i < heap->system.item_count; i++) {
        heap->p[3 * i] = tact_random_uniform(&random, 0, 1);
        heap->p[3 * i + 1] = tact_random_uniform(&random, -0.2, 0.2);
        heap->bad[i] = tact_random_uniform(&random, 0, 1) < 0.025;
    }
    tact_coupling_set(&heap->coupling, heap->p);
    tact_pile_spots_find(&heap->pile.spots, &heap->system, heap->bad, 0, 0,
                         heap->pile.local.most_items);
    heap->p_size = 3 * (size_t)heap->system.item_count * sizeof(double);
    heap->y_size = (size_t)heap->system.dof * sizeof(double);
}

static void heap_end(Heap *heap)
{
    tact_pile_destroy(&heap->pile);
    tact_arena_destroy(&heap->arena);
    free_bricks(&heap->bricks);
}

static void *copy(const void *from, size_t size)
{
    void *to = malloc(size);
    assert_non_null(to);
    return memcpy(to, from, size);
}

/// What a round leaves.
typedef struct End {
    double *p, *y;
    int     solved;
    double  work;
    bool    over;
} End;

/// By a parallel of so many threads, under a budget of so many operations (0: any).
static End solve_by(Heap *heap, int count, double max_work)
{
    TactThreads *threads = NULL;
    TactBudget   budget;
    End end = {.p = copy(heap->p, heap->p_size), .y = copy(heap->coupling.y, heap->y_size)};
    assert_int_equal(tact_threads_create(count, "test", &threads), TACT_OK);
    TactPileRound round = {
        &heap->coupling, &heap->pile.spots, &heap->pile.local, threads, 1e-9, end.p, end.y};
    tact_budget_begin(&budget, max_work, 0);
    end.solved = tact_pile_parallel_solve(&heap->pile.parallel, &round);
    end.work = budget.work;
    end.over = budget.over;
    tact_budget_end(&budget);
    tact_threads_destroy(threads);
    return end;
}

static void assert_same(const Heap *heap, const End *a, const End *b)
{
    assert_int_equal(a->solved, b->solved);
    assert_memory_equal(a->p, b->p, heap->p_size);
    assert_memory_equal(a->y, b->y, heap->y_size);
}

static void free_end(End *end)
{
    free(end->p);
    free(end->y);
}

static void spots_side_by_side_have_the_bits_of_one_after_the_other(void **state)
{
    (void)state;
    Heap heap;
    heap_begin(&heap);
    const TactPileSpots *spots = &heap.pile.spots;
    End end = {.p = copy(heap.p, heap.p_size), .y = copy(heap.coupling.y, heap.y_size)};
    for (int spot = 0; spot < spots->count; spot++) {
        end.solved += tact_pile_local_solve(&heap.pile.local, &heap.coupling, spots, spot, 1e-9,
                                            end.p, end.y);
    }
    int most = 0;
    for (int count = 1; count <= 4; count *= 2) {
        End other = solve_by(&heap, count, 0);
        assert_same(&heap, &end, &other);
        free_end(&other);
        for (int spot = 0; spot < spots->count; spot++) {
            most = heap.pile.parallel.level[spot] > most ? heap.pile.parallel.level[spot] : most;
        }
    }
    print_message("%d spots in %d levels, %d solved\n", spots->count, most + 1, end.solved);
    assert_true(spots->count >= 20 && most >= 1 && end.solved >= 10);
    assert_memory_not_equal(end.p, heap.p, heap.p_size);
    free_end(&end);
    heap_end(&heap);
}

/// Half of what all spots take: it ends between two levels, in the same place for all.
static void a_budget_ends_in_the_same_place_on_any_threads(void **state)
{
    (void)state;
    Heap heap;
    heap_begin(&heap);
    End all = solve_by(&heap, 1, 0), one = solve_by(&heap, 1, 0.5 * all.work);
    assert_false(all.over);
    assert_true(one.over && one.work < all.work && one.solved < all.solved);
    for (int count = 2; count <= 4; count += 2) {
        End other = solve_by(&heap, count, 0.5 * all.work);
        assert_same(&heap, &one, &other);
        assert_true(other.work == one.work && other.over);
        free_end(&other);
    }
    free_end(&all);
    free_end(&one);
    heap_end(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spots_side_by_side_have_the_bits_of_one_after_the_other),
        cmocka_unit_test(a_budget_ends_in_the_same_place_on_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
