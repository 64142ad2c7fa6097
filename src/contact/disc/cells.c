// Cells of a system: built from its items and the discs of its patches, and how they move.
#include <math.h>
#include <string.h>

#include "contact/disc/cell.h"

// Entries of the envelope of a step there is room for.
enum { MOST_ENTRIES = 1 << 24 };

// Compliance of a constraint in a step of Newton's method, in units of w: the first one that is
// tried (disc_run.c has the others).
static const double FIRST_COMPLIANCE = 1e-9;

// Weight in a scale of what moves a component, beside what it carries itself: as the certificate
// has it (certify.h, TACT_CERTIFY_OTHERS).
static const double OTHERS = 1e-2;

void tact_cells_layout(TactCells *cells, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t    items = (size_t)capacity->contacts + (size_t)capacity->rows;
    size_t    n = TACT_CELL_MOST * items, dof = (size_t)capacity->dof;
    size_t    support = (size_t)capacity->support;
    TactCells lent = {
        .cells = tact_arena_take(arena, items, sizeof(TactCell)),
        .support = tact_arena_take(arena, items * support, sizeof(int)),
        .columns = tact_arena_take(arena, n * support, sizeof(double)),
        .item_of = tact_arena_take(arena, 2 * items, sizeof(int)),
        .mark = tact_arena_take(arena, dof, sizeof(int)),
        .x = tact_arena_take(arena, n, sizeof(double)),
        .v = tact_arena_take(arena, n, sizeof(double)),
        .dx = tact_arena_take(arena, n, sizeof(double)),
        .best = tact_arena_take(arena, n, sizeof(double)),
        .start = tact_arena_take(arena, n, sizeof(double)),
        .y = tact_arena_take(arena, dof, sizeof(double)),
        .load = tact_arena_take(arena, dof, sizeof(double)),
        .steps = tact_arena_take(arena, items, sizeof(TactCellStep)),
        .right = tact_arena_take(arena, dof, sizeof(double)),
        .f = tact_arena_take(arena, dof, sizeof(double)),
        .block = tact_arena_take(arena, support, support * sizeof(double)),
    };
    size_t entries = dof * dof < 2 * (size_t)MOST_ENTRIES ? dof * dof / 2 : MOST_ENTRIES;
    tact_envelope_layout(&lent.envelope, (int)dof, entries, arena);
    tact_newton_order_layout(&lent.order, capacity, arena);
    if (arena->block) {
        *cells = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Build

/// What cells are built from.
typedef struct Build {
    TactCells         *cells;
    const TactPatches *patches;
    TactContactCone    cone;
    int               *item_of;          // a contact, or contacts + row; -1: none
    size_t             support, columns; // used
} Build;

/// Component k of the cell is component c of an item.
static void add_component(TactCell *cell, int item, int c, double mu)
{
    cell->place[cell->count] = 3 * item + c;
    cell->mu[cell->count++] = mu;
}

static TactCellDisc *add_disc(const Build *build, TactCell *cell, int dim, int directions,
                              double turn)
{
    TactCellDisc *disc = &cell->disc[cell->disc_count++];
    bool          polygon = build->cone != TACT_CONE_CIRCLE && dim == 2;
    *disc = (TactCellDisc){
        .first = cell->count, .dim = dim, .directions = polygon ? directions : 0, .turn = turn};
    return disc;
}

static int item_at(const Build *build, int place, int *component)
{
    int contacts = build->patches->problem.contact_count;
    *component = place < 3 * contacts ? place % 3 : 1;
    return build->item_of[place < 3 * contacts ? place / 3 : place - 2 * contacts];
}

/// Discs of contact i; *next is the first of them.
static void add_patch(const Build *build, TactCell *cell, int i, int *next)
{
    const TactPatches *patches = build->patches;
    for (; *next < patches->disc_count && patches->discs[*next].contact == i; ++*next) {
        const TactDisc *disc = &patches->discs[*next];
        add_disc(build, cell, disc->dim, disc->directions, disc->turn);
        for (int k = 0; k < disc->dim; k++) {
            int c, item = item_at(build, disc->place[k], &c);
            add_component(cell, item, c, disc->mu[k]);
        }
    }
}

/// Degrees of freedom that any component touches.
static void find_support(Build *build, TactCell *cell)
{
    const TactSystem *system = build->cells->system;
    int              *list = build->cells->support + build->support;
    cell->support = build->support;
    cell->size = 0;
    for (int k = 0; k < cell->count; k++) {
        int                  own = system->items[cell->place[k] / 3].group;
        const TactItemGroup *group = &system->groups[own];
        bool                 same = k > 0 && own == system->items[cell->place[k - 1] / 3].group;
        for (int s = 0; s < group->size && !same; s++) {
            int dof = system->support[group->support + s];
            if (build->cells->mark[dof] < 0) {
                build->cells->mark[dof] = cell->size;
                list[cell->size++] = dof;
            }
        }
    }
    build->support += (size_t)cell->size;
}

static void find_columns(Build *build, TactCell *cell)
{
    const TactSystem *system = build->cells->system;
    cell->column = build->columns;
    for (int k = 0; k < cell->count; k++) {
        int                  i = cell->place[k] / 3, c = cell->place[k] % 3;
        const TactItemGroup *group = &system->groups[system->items[i].group];
        const double *from = system->columns + system->column[i] + (size_t)c * (size_t)group->size;
        double       *to = build->cells->columns + cell->column + (size_t)k * (size_t)cell->size;
        memset(to, 0, (size_t)cell->size * sizeof(double));
        for (int s = 0; s < group->size; s++) {
            to[build->cells->mark[system->support[group->support + s]]] = cell->mu[k] * from[s];
        }
        cell->e[k] = cell->mu[k] * system->e[cell->place[k]];
    }
    build->columns += (size_t)cell->count * (size_t)cell->size;
    for (int s = 0; s < cell->size; s++) {
        build->cells->mark[build->cells->support[cell->support + (size_t)s]] = -1;
    }
}

static void find_blocks(const TactCells *cells, TactCell *cell)
{
    size_t size = (size_t)cell->size;
    for (int i = 0; i < cell->count; i++) {
        const double *a = cells->columns + cell->column + (size_t)i * size;
        for (int k = 0; k <= i; k++) {
            const double *b = cells->columns + cell->column + (size_t)k * size;
            double        sum = 0;
            for (size_t s = 0; s < size; s++) {
                sum += a[s] * b[s];
            }
            cell->W[i][k] = cell->W[k][i] = sum;
        }
    }
    cell->W[0][0] += cell->compliance;
    for (int i = 0; i < cell->disc_count; i++) {
        TactCellDisc *disc = &cell->disc[i];
        disc->w = 0;
        for (int k = disc->first; k < disc->first + disc->dim; k++) {
            disc->w += cell->W[k][k] / disc->dim;
        }
        disc->w = disc->w > 0 ? disc->w : 1;
    }
    cell->w = cell->has_normal ? cell->W[0][0] : cell->disc[0].w;
    cell->w = cell->w > 0 ? cell->w : 1;
}

static void add_cell(Build *build, int i, int *next)
{
    const TactItem *item = &build->cells->system->items[i];
    TactCell       *cell = &build->cells->cells[build->cells->count++];
    *cell = (TactCell){.has_normal = item->kind != TACT_ITEM_MOTOR, .bound = item->bound};
    if (cell->has_normal) {
        add_component(cell, i, 0, 1);
        cell->compliance = item->compliance;
    }
    if (item->kind == TACT_ITEM_MOTOR) {
        add_disc(build, cell, 1, 0, 0);
        add_component(cell, i, 1, 1);
    }
    if (item->kind == TACT_ITEM_CONTACT) {
        if (!build->patches->own[item->source] && item->mu > 0) {
            add_disc(build, cell, 2, item->directions, item->turn);
            add_component(cell, i, 1, item->mu);
            add_component(cell, i, 2, item->mu);
        }
        add_patch(build, cell, item->source, next);
    }
    find_support(build, cell);
    find_columns(build, cell);
    find_blocks(build->cells, cell);
}

static void count_work(TactCells *cells)
{
    double square = 0;
    cells->sweep_work = 0;
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        cells->sweep_work += 400 + 4.0 * cell->count * cell->size;
        square += 4.0 * cell->count * cell->size * cell->size;
    }
    cells->step_work = square + (double)cells->system->dof * 40;
}

void tact_cells_begin(TactCells *cells, const TactSystem *system, const TactPatches *patches,
                      TactContactCone cone)
{
    int   sources = patches->problem.contact_count + patches->problem.row_count;
    Build build = {.cells = cells, .patches = patches, .cone = cone, .item_of = cells->item_of};
    cells->system = system;
    cells->count = 0;
    for (int k = 0; k < sources; k++) {
        build.item_of[k] = -1;
    }
    for (int j = 0; j < system->dof; j++) {
        cells->mark[j] = -1;
    }
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        bool            row = item->kind != TACT_ITEM_CONTACT;
        build.item_of[item->source + (row ? patches->problem.contact_count : 0)] = i;
    }
    // In the order of the problem: discs come in that order too.
    for (int k = 0, next = 0; k < sources; k++) {
        int  row = k - patches->problem.contact_count;
        bool moment = row >= 0 ? row >= patches->rows : k >= patches->contacts;
        if (build.item_of[k] >= 0 && !moment) {
            add_cell(&build, build.item_of[k], &next);
        }
    }
    cells->best_error = HUGE_VAL;
    cells->compliance = FIRST_COMPLIANCE;
    memset(cells->x, 0, TACT_CELL_MOST * (size_t)cells->count * sizeof(double));
    TactCoupling coupling = {.system = system};
    tact_newton_order_begin(&cells->order, &coupling);
    count_work(cells);
}

void tact_cells_offsets(TactCells *cells)
{
    for (int c = 0; c < cells->count; c++) {
        TactCell *cell = &cells->cells[c];
        for (int k = 0; k < cell->count; k++) {
            cell->e[k] = cell->mu[k] * cells->system->e[cell->place[k]];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Impulses and motion

void tact_cells_take(TactCells *cells, const double *p)
{
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        for (int k = 0; k < cell->count; k++) {
            cells->x[TACT_CELL_MOST * c + k] = p[cell->place[k]] / cell->mu[k];
        }
    }
}

void tact_cells_give(const TactCells *cells, const double *x, double *p)
{
    memset(p, 0, 3 * (size_t)cells->system->item_count * sizeof(double));
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        for (int k = 0; k < cell->count; k++) {
            p[cell->place[k]] = cell->mu[k] * x[TACT_CELL_MOST * c + k];
        }
    }
}

/// y += C dx of one cell.
static void add_motion(const TactCells *cells, const TactCell *cell, const double *dx, double *y)
{
    const int    *support = cells->support + cell->support;
    const double *column = cells->columns + cell->column;
    for (int k = 0; k < cell->count; k++, column += cell->size) {
        for (int s = 0; s < cell->size && dx[k] != 0; s++) {
            y[support[s]] += column[s] * dx[k];
        }
    }
}

void tact_cell_velocity(const TactCells *cells, int c, double v[TACT_CELL_MOST])
{
    const TactCell *cell = &cells->cells[c];
    const int      *support = cells->support + cell->support;
    const double   *column = cells->columns + cell->column;
    for (int k = 0; k < cell->count; k++, column += cell->size) {
        double sum = cell->e[k];
        for (int s = 0; s < cell->size; s++) {
            sum += column[s] * cells->y[support[s]];
        }
        v[k] = sum;
    }
    v[0] += cell->compliance * cells->x[TACT_CELL_MOST * c];
}

void tact_cell_push(TactCells *cells, int c, const double dx[TACT_CELL_MOST])
{
    for (int k = 0; k < cells->cells[c].count; k++) {
        cells->x[TACT_CELL_MOST * c + k] += dx[k];
    }
    add_motion(cells, &cells->cells[c], dx, cells->y);
}

void tact_cells_move(TactCells *cells)
{
    if (cells->system->dof > 0) {
        memcpy(cells->y, cells->system->y0, (size_t)cells->system->dof * sizeof(double));
    }
    for (int c = 0; c < cells->count; c++) {
        add_motion(cells, &cells->cells[c], cells->x + TACT_CELL_MOST * c, cells->y);
    }
    for (int c = 0; c < cells->count; c++) {
        tact_cell_velocity(cells, c, cells->v + TACT_CELL_MOST * c);
    }
}

// ---------------------------------------------------------------------------------------------
// Error

/// |C| |x| of all cells, and |y0|: what rounding is measured by.
static void sum_loads(TactCells *cells)
{
    for (int j = 0; j < cells->system->dof; j++) {
        cells->load[j] = fabs(cells->system->y0[j]);
    }
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        const int      *support = cells->support + cell->support;
        const double   *column = cells->columns + cell->column;
        for (int k = 0; k < cell->count; k++, column += cell->size) {
            double size = fabs(cells->x[TACT_CELL_MOST * c + k]);
            for (int s = 0; s < cell->size && size > 0; s++) {
                cells->load[support[s]] += fabs(column[s]) * size;
            }
        }
    }
}

/// Scale of components first .. first + count: what they carry, and a hundredth of all that moves
/// them.
static double scale_of(const TactCells *cells, int c, int first, int count)
{
    const TactCell *cell = &cells->cells[c];
    const int      *support = cells->support + cell->support;
    double          most = 0;
    for (int k = first; k < first + count; k++) {
        const double *column = cells->columns + cell->column + (size_t)k * (size_t)cell->size;
        double        sum = fabs(cell->e[k]);
        for (int s = 0; s < cell->size; s++) {
            sum += fabs(column[s]) * cells->load[support[s]];
        }
        sum = cell->W[k][k] * fabs(cells->x[TACT_CELL_MOST * c + k]) + OTHERS * sum;
        most = sum > most ? sum : most;
    }
    return most;
}

static double part_error(const TactCells *cells, int c, const double *residual, int first,
                         int count)
{
    double worst = 0;
    for (int k = first; k < first + count; k++) {
        worst = fabs(residual[k]) > worst ? fabs(residual[k]) : worst;
    }
    return worst > 0 ? worst / scale_of(cells, c, first, count) : worst;
}

double tact_cells_error(TactCells *cells)
{
    double worst = 0;
    sum_loads(cells);
    for (int c = 0; c < cells->count; c++) {
        const TactCell *cell = &cells->cells[c];
        double          residual[TACT_CELL_MOST];
        tact_cell_residual(cell, cells->x + TACT_CELL_MOST * c, cells->v + TACT_CELL_MOST * c,
                           residual);
        double error = cell->has_normal ? part_error(cells, c, residual, 0, 1) : 0;
        worst = error > worst ? error : worst;
        for (int i = 0; i < cell->disc_count; i++) {
            error = part_error(cells, c, residual, cell->disc[i].first, cell->disc[i].dim);
            worst = error > worst ? error : worst;
        }
    }
    if (worst < cells->best_error) {
        cells->best_error = worst;
        memcpy(cells->best, cells->x, TACT_CELL_MOST * (size_t)cells->count * sizeof(double));
    }
    return worst;
}
