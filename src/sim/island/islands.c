// Islands: which trees of bodies touch each other, through contacts or rows.
#include <string.h>

#include "base/status.h"
#include "sim/sim.h"

void tact_sim_islands_layout(TactSimIslands *islands, const TactModel *model, int rows,
                             TactArena *arena)
{
    size_t trees = 0;
    for (int i = 1; i < model->body_count; i++) {
        trees += model->bodies[i].parent == 0;
    }
    islands->tree_of_body =
        tact_arena_take(arena, (size_t)model->body_count, sizeof *islands->tree_of_body);
    islands->first_dof = tact_arena_take(arena, trees + 1, sizeof *islands->first_dof);
    islands->joined = tact_arena_take(arena, trees, sizeof *islands->joined);
    islands->island_of = tact_arena_take(arena, trees, sizeof *islands->island_of);
    islands->islands = tact_arena_take(arena, trees, sizeof *islands->islands);
    islands->trees = tact_arena_take(arena, trees, sizeof *islands->trees);
    islands->rows = tact_arena_take(arena, (size_t)rows, sizeof *islands->rows);
    islands->local = tact_arena_take(arena, (size_t)model->nv, sizeof *islands->local);
    islands->body_place =
        tact_arena_take(arena, (size_t)model->body_count, sizeof *islands->body_place);
    islands->row_tree = tact_arena_take(arena, (size_t)rows, sizeof *islands->row_tree);
}

void tact_sim_islands_find_trees(TactSimIslands *islands, const TactModel *model)
{
    islands->tree_count = 0;
    islands->tree_of_body[0] = -1;
    int dofs = 0;
    for (int i = 1; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        if (body->parent == 0) {
            islands->first_dof[islands->tree_count++] = dofs;
        }
        dofs += body->dof_count;
        islands->tree_of_body[i] =
            model->bodies[body->carrier].joint_count > 0 ? islands->tree_count - 1 : -1;
    }
    islands->first_dof[islands->tree_count] = dofs;
}

static int find_root(TactSimIslands *islands, int tree)
{
    while (islands->joined[tree] != tree) {
        islands->joined[tree] = islands->joined[islands->joined[tree]];
        tree = islands->joined[tree];
    }
    return tree;
}

/// Joins two trees, -1 being none; the smaller index names both.
static void unite_trees(TactSimIslands *islands, int a, int b)
{
    if (a < 0 || b < 0) {
        a = a < 0 ? b : a;
        if (a >= 0) {
            islands->island_of[a] = 0; // touched
        }
        return;
    }
    islands->island_of[a] = islands->island_of[b] = 0;
    a = find_root(islands, a);
    b = find_root(islands, b);
    islands->joined[a > b ? a : b] = a < b ? a : b;
}

/// Trees that a row moves; that of a joint moves its own.
static int join_row(TactSim *sim, int row)
{
    TactSimIslands      *islands = &sim->islands;
    const TactRowSource *source = &sim->rows.sources[row];
    const double        *J = sim->rows.rows[row].J;
    int                  first = -1;
    if (source->type == TACT_OBJECT_JOINT) {
        const TactJoint *joint = &sim->model->joints[source->index];
        int              own = islands->tree_of_body[joint->body];
        if (J[joint->dof] != 0) {
            unite_trees(islands, -1, own);
            return own;
        }
    }
    for (int t = 0; t < islands->tree_count; t++) {
        for (int i = islands->first_dof[t]; i < islands->first_dof[t + 1]; i++) {
            if (J[i] != 0) {
                unite_trees(islands, first, t);
                first = first < 0 ? t : first;
                break;
            }
        }
    }
    return first;
}

/// Numbers the islands by their first tree and lists their trees.
static void list_islands(TactSimIslands *islands)
{
    islands->count = 0;
    for (int t = 0; t < islands->tree_count; t++) {
        if (islands->island_of[t] >= 0 && find_root(islands, t) == t) {
            islands->islands[islands->count] = (TactSimIsland){0};
            islands->island_of[t] = islands->count++;
        }
    }
    for (int t = 0; t < islands->tree_count; t++) {
        if (islands->island_of[t] >= 0) {
            islands->island_of[t] = islands->island_of[find_root(islands, t)];
            TactSimIsland *island = &islands->islands[islands->island_of[t]];
            island->tree_count++;
            island->dof_count += islands->first_dof[t + 1] - islands->first_dof[t];
        }
    }
    int place = 0;
    for (int i = 0; i < islands->count; i++) {
        islands->islands[i].first_tree = place;
        for (int t = 0; t < islands->tree_count; t++) {
            if (islands->island_of[t] == i) {
                islands->trees[place++] = t;
            }
        }
    }
}

/// Deals contacts and rows out to the islands, in their order.
static void deal_out(TactSim *sim, const int *row_tree)
{
    TactSimIslands *islands = &sim->islands;
    for (int c = 0; c < sim->contact_count; c++) {
        islands->islands[islands->island_of[islands->contact_tree[c]]].contact_count++;
    }
    for (int r = 0; r < sim->rows.count; r++) {
        if (row_tree[r] >= 0) {
            islands->islands[islands->island_of[row_tree[r]]].row_count++;
        }
    }
    int contacts = 0, rows = 0;
    for (int i = 0; i < islands->count; i++) {
        TactSimIsland *island = &islands->islands[i];
        island->first_contact = contacts;
        island->first_row = rows;
        contacts += island->contact_count;
        rows += island->row_count;
        island->contact_count = island->row_count = 0;
    }
    for (int c = 0; c < sim->contact_count; c++) {
        TactSimIsland *island = &islands->islands[islands->island_of[islands->contact_tree[c]]];
        islands->contacts[island->first_contact + island->contact_count++] = c;
    }
    for (int r = 0; r < sim->rows.count; r++) {
        if (row_tree[r] >= 0) {
            TactSimIsland *island = &islands->islands[islands->island_of[row_tree[r]]];
            islands->rows[island->first_row + island->row_count++] = r;
        }
    }
}

TactStatus tact_sim_islands_find(TactSim *sim)
{
    TactSimIslands *islands = &sim->islands;
    if (sim->contact_count > islands->contact_capacity) {
        tact_release(islands->contacts);
        islands->contact_capacity = 0;
        size_t room = 2 * (size_t)sim->contact_count;
        TACT_TRY(tact_allocate(2 * room, sizeof *islands->contacts, (void **)&islands->contacts));
        islands->contact_tree = islands->contacts + room;
        islands->contact_capacity = (int)room;
    }
    for (int t = 0; t < islands->tree_count; t++) {
        islands->joined[t] = t;
        islands->island_of[t] = -1;
    }
    for (int c = 0; c < sim->contact_count; c++) {
        int a = islands->tree_of_body[sim->contacts[c].body[0]];
        int b = islands->tree_of_body[sim->contacts[c].body[1]];
        islands->contact_tree[c] = a >= 0 ? a : b;
        unite_trees(islands, a, b);
    }
    islands->idle_rows = 0;
    for (int r = 0; r < sim->rows.count; r++) {
        bool sleeps = tact_sim_row_sleeps(sim, r);
        sim->islands.row_tree[r] = sleeps ? -1 : join_row(sim, r);
        islands->idle_rows +=
            !sleeps && sim->islands.row_tree[r] < 0 && sim->rows.rows[r].kind == TACT_ROW_BILATERAL;
    }
    list_islands(islands);
    deal_out(sim, sim->islands.row_tree);
    return TACT_OK;
}
