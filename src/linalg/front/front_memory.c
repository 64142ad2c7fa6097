// Memory of the values of fronts: kept from one shape to the next, and larger where that needs
// more.
#include <math.h>

#include "base/status.h"
#include "linalg/front/front_internal.h"

void tact_front_release_values(TactFronts *fronts)
{
    tact_release(fronts->kept.value);
    tact_release(fronts->kept.stack);
    tact_release(fronts->kept.room);
    tact_release(fronts->kept.at);
    tact_release(fronts->kept.given);
    tact_release(fronts->kept.offset);
    tact_release(fronts->kept.x);
    tact_release(fronts->kept.rest);
    tact_release(fronts->kept.shares);
}

size_t tact_fronts_bytes(const TactFronts *fronts)
{
    size_t threads = fronts->threads > 0 ? (size_t)fronts->threads : 1;
    return (fronts->value_count + fronts->stack_count + threads * fronts->largest +
            (size_t)fronts->b * ((size_t)fronts->n + fronts->row_count)) *
               sizeof(double) +
           fronts->entries * (2 * sizeof(int) + sizeof(size_t)) +
           2 * fronts->row_count * sizeof(int) +
           (size_t)fronts->n * (sizeof(size_t) + 6 * sizeof(int) + sizeof(TactFront));
}

double tact_fronts_work(const TactFronts *fronts)
{
    return fronts->work;
}

bool tact_fronts_is_reserved(const TactFronts *fronts, int threads)
{
    return fronts->reserved && fronts->threads >= threads;
}

/// Room for so many elements; what was there is lost where it was too small.
static TactStatus grow_array(size_t count, size_t size, size_t *room, void **array)
{
    if (*array && count <= *room) {
        return TACT_OK;
    }
    tact_release(*array);
    *array = NULL;
    *room = 0;
    size_t more = count + count / 4;
    TACT_TRY(tact_allocate(more, size, array));
    *room = more;
    return TACT_OK;
}

static TactStatus make_node_room(TactFronts *fronts)
{
    size_t need = (size_t)fronts->n + 1, more = need + need / 4;
    if (need <= fronts->kept.node_room) {
        return TACT_OK;
    }
    tact_release(fronts->kept.at);
    tact_release(fronts->kept.given);
    tact_release(fronts->kept.x);
    fronts->kept.at = fronts->kept.given = NULL;
    fronts->kept.x = NULL;
    fronts->kept.node_room = 0;
    TACT_TRY(tact_allocate(more, sizeof(int), (void **)&fronts->kept.at));
    TACT_TRY(tact_allocate(more, sizeof(int), (void **)&fronts->kept.given));
    TACT_TRY(tact_allocate(more * TACT_FRONT_ROWS, sizeof(double), (void **)&fronts->kept.x));
    fronts->kept.node_room = more;
    return TACT_OK;
}

/// Subtrees belong to threads, the largest first to the one that has least to do.
static void find_homes(TactFronts *fronts, int threads)
{
    for (int t = 0; t < fronts->task_count; t++) {
        fronts->task[t].home = -1;
    }
    for (int k = 0; k < fronts->task_count; k++) {
        TactFrontTask *task = &fronts->task[fronts->urgent[k]];
        double         least = HUGE_VAL;
        for (int thread = 0; thread < threads && !task->beyond; thread++) {
            double load = 0;
            for (int other = 0; other < fronts->task_count; other++) {
                load += fronts->task[other].home == thread ? fronts->task[other].work : 0;
            }
            task->home = load < least ? thread : task->home;
            least = load < least ? load : least;
        }
    }
}

TactStatus tact_fronts_reserve(TactFronts *fronts, int threads)
{
    if (tact_fronts_is_reserved(fronts, threads)) {
        return TACT_OK;
    }
    size_t count = (size_t)threads;
    fronts->reserved = false;
    TACT_TRY(grow_array(fronts->value_count, sizeof(double), &fronts->kept.value_room,
                        (void **)&fronts->kept.value));
    TACT_TRY(grow_array(fronts->stack_count, sizeof(double), &fronts->kept.stack_room,
                        (void **)&fronts->kept.stack));
    TACT_TRY(grow_array(count * fronts->largest, sizeof(double), &fronts->kept.room_room,
                        (void **)&fronts->kept.room));
    TACT_TRY(grow_array(count * ((size_t)fronts->widest + 1), sizeof(int),
                        &fronts->kept.offset_room, (void **)&fronts->kept.offset));
    TACT_TRY(grow_array((size_t)fronts->b * fronts->row_count, sizeof(double),
                        &fronts->kept.rest_room, (void **)&fronts->kept.rest));
    TACT_TRY(make_node_room(fronts));
    if (fronts->kept.share_room < threads) {
        tact_release(fronts->kept.shares);
        fronts->kept.shares = NULL;
        fronts->kept.share_room = 0;
        TACT_TRY(tact_allocate(count, sizeof *fronts->kept.shares, (void **)&fronts->kept.shares));
        fronts->kept.share_room = threads;
    }
    find_homes(fronts, threads);
    fronts->threads = threads;
    fronts->reserved = true;
    return TACT_OK;
}
