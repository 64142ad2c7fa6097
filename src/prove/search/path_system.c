// W and u_free of the items of a path, in 106 bits, from the exact equations.
//
//     u = J v+ + C p + c,   M v+ = b + J' p     ->    W = J M^-1 J' + C,  u_free = J M^-1 b + c
#include <tact/base.h>

#include "prove/search/path.h"

#ifdef TACT_HAVE_GMP

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct Making {
    TactPath       *path;
    const TactLaws *laws;
    int            *index;   // unknown of an impulse; -1: it is 0        (3 contacts + rows)
    int             block;   // degrees of freedom that M couples: 6 of a body, or all
    TactRow         M;       // its inverse, block by block                (dof x block)
    TactRow         v;       // M^-1 b                                     (dof)
    TactRow         answers; // M^-1 J'                                    (n x dof)
    TactRow         work;    //                                            (block x 2 block)
    double         *memory;
} Making;

static TactFour four_of(const mpq_t x)
{
    TactFour four = {{0, 0, 0, 0}};
    mpq_t    rest, part;
    mpq_inits(rest, part, NULL);
    mpq_set(rest, x);
    for (int k = 0; k < 4; k++) {
        four.x[k] = mpq_get_d(rest);
        mpq_set_d(part, four.x[k]);
        mpq_sub(rest, rest, part);
    }
    mpq_clears(rest, part, NULL);
    return tact_four_sum(four.x, 4);
}

/// x += y z
static void add_product(TactRow x, int i, TactFour y, TactFour z)
{
    tact_row_set(x, i, tact_four_add(tact_row_get(x, i), tact_four_multiply(y, z)));
}

/// M^-1 of the block that begins at d, from the exact dynamics.
static bool make_inverse(Making *making, int d, TactRow work)
{
    int    n = making->block;
    size_t ld = 2 * (size_t)n;
    tact_row_clear(2 * n * n, work);
    for (int i = 0; i < n; i++) {
        const TactExactForm *form = &making->laws->dynamics.forms[d + i];
        TactRow              row = tact_row_at(work, (size_t)i * ld);
        for (int k = 0; k < form->count; k++) {
            int at = form->column[k] - d;
            tact_row_set(row, at, tact_four_add(tact_row_get(row, at), four_of(form->value[k])));
        }
        row.part[0][n + i] = 1;
    }
    if (!tact_row_invert(n, work)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            tact_row_set(tact_row_at(making->M, (size_t)(d + i) * (size_t)n), j,
                         tact_row_get(tact_row_at(work, (size_t)i * ld), n + j));
        }
    }
    return true;
}

/// x += M^-1 e_d f
static void add_answer(const Making *making, TactRow x, int d, TactFour f)
{
    int n = making->block, first = d / n * n;
    for (int i = 0; i < n; i++) {
        TactRow row = tact_row_at(making->M, (size_t)(first + i) * (size_t)n);
        add_product(x, first + i, tact_row_get(row, d - first), f);
    }
}

static const TactExactForm *form_of(const Making *making, const TactPathItem *item, int k)
{
    return &making->laws->u.forms[tact_path_place(making->laws, item, k)];
}

int tact_path_place(const TactLaws *laws, const TactPathItem *item, int k)
{
    int contacts = laws->contacts;
    if (item->disc) {
        return item->disc->place[k - 1];
    }
    return item->source < contacts ? 3 * item->source + k : 2 * contacts + item->source;
}

static bool make_motion(Making *making)
{
    const TactLaws *laws = making->laws;
    size_t          dof = (size_t)laws->dof;
    TactRow         work = making->work;
    for (int d = 0; d < laws->dof; d += making->block) {
        if (!make_inverse(making, d, work)) {
            return false;
        }
    }
    for (int d = 0; d < laws->dof; d++) {
        TactFour b = tact_four_minus(four_of(laws->dynamics.forms[d].constant));
        add_answer(making, making->v, d, b);
    }
    for (int i = 0; i < making->path->count; i++) {
        const TactPathItem *item = &making->path->items[i];
        for (int k = item->from; k < item->size; k++) {
            const TactExactForm *form = form_of(making, item, k);
            TactRow row = tact_row_at(making->answers, (size_t)tact_path_at(item, k) * dof);
            for (int c = 0; c < form->count; c++) {
                if (form->column[c] < laws->dof) {
                    add_answer(making, row, form->column[c], four_of(form->value[c]));
                }
            }
        }
    }
    return true;
}

/// Row `at` of W, and u_free.
static void make_row(Making *making, const TactExactForm *form, int at)
{
    TactPath *path = making->path;
    int       dof = making->laws->dof;
    TactRow   row = tact_row_at(path->W, (size_t)at * (size_t)path->n);
    TactFour  free = four_of(form->constant);
    for (int c = 0; c < form->count; c++) {
        TactFour value = four_of(form->value[c]);
        int      d = form->column[c];
        if (d >= dof) {
            int to = making->index[d - dof];
            if (to >= 0) {
                tact_row_set(row, to, tact_four_add(tact_row_get(row, to), value));
            }
            continue;
        }
        free = tact_four_add(free, tact_four_multiply(value, tact_row_get(making->v, d)));
        for (int j = 0; j < path->n; j++) {
            TactRow answer = tact_row_at(making->answers, (size_t)j * (size_t)dof);
            if (answer.part[0][d] != 0) {
                add_product(row, j, value, tact_row_get(answer, d));
            }
        }
    }
    tact_row_set(path->u_free, at, free);
    tact_row_set(path->diagonal, at, tact_row_get(row, at));
}

/// x / mu in place of an impulse, mu u in place of its velocity.
static void scale_unknown(TactPath *path, int at, double mu)
{
    TactFour factor = tact_four_of(mu);
    size_t   n = (size_t)path->n;
    for (size_t j = 0; j < n; j++) {
        TactRow row = tact_row_at(path->W, (size_t)at * n), other = tact_row_at(path->W, j * n);
        tact_row_set(row, (int)j, tact_four_multiply(factor, tact_row_get(row, (int)j)));
        tact_row_set(other, at, tact_four_multiply(factor, tact_row_get(other, at)));
    }
    tact_row_set(path->u_free, at, tact_four_multiply(factor, tact_row_get(path->u_free, at)));
    tact_row_set(path->diagonal, at, tact_row_get(tact_row_at(path->W, (size_t)at * n), at));
}

static TactStatus make_system(TactPath *path)
{
    const TactLaws *laws = path->search->laws;
    Making          making = {.path = path, .laws = laws};
    size_t          dof = (size_t)laws->dof, n = (size_t)path->n;
    void           *index = NULL, *memory = NULL;
    making.block = laws->problem->bodies ? 6 : laws->dof > 0 ? laws->dof : 1;
    size_t block = (size_t)making.block, parts = (size_t)path->parts;
    TACT_TRY(
        tact_allocate(3 * (size_t)laws->contacts + (size_t)laws->rows + 1, sizeof(int), &index));
    TactStatus status = tact_allocate(parts * (dof * (block + 1 + n) + 2 * block * block) + 1,
                                      sizeof(double), &memory);
    making.index = index;
    making.memory = memory;
    if (status == TACT_OK) {
        making.M = tact_row_in(making.memory, dof * block, path->parts);
        making.v = tact_row_in(making.memory + parts * dof * block, dof, path->parts);
        making.answers =
            tact_row_in(making.memory + parts * dof * (block + 1), dof * n, path->parts);
        making.work = tact_row_in(making.memory + parts * dof * (block + 1 + n), 2 * block * block,
                                  path->parts);
        memset(making.index, 0xff, (3 * (size_t)laws->contacts + (size_t)laws->rows) * sizeof(int));
        for (int i = 0; i < path->count; i++) {
            const TactPathItem *item = &path->items[i];
            for (int k = item->from; k < item->size; k++) {
                making.index[tact_path_place(laws, item, k)] = tact_path_at(item, k);
            }
        }
        if (laws->dof > 0 && !make_motion(&making)) {
            status = tact_fail(TACT_UNSUPPORTED, "the mass matrix is singular");
        }
    }
    for (int i = 0; i < path->count && status == TACT_OK; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = item->from; k < item->size; k++) {
            make_row(&making, form_of(&making, item, k), tact_path_at(item, k));
        }
    }
    for (int i = 0; i < path->count && status == TACT_OK; i++) {
        const TactPathItem *item = &path->items[i];
        for (int k = 1; k < item->size && item->disc; k++) {
            scale_unknown(path, tact_path_at(item, k), item->disc->mu[k - 1]);
        }
    }
    tact_release(index);
    tact_release(memory);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Items

static void add_item(TactPath *path, TactPathItem item)
{
    item.first = path->n;
    path->items[path->count++] = item;
    path->n += item.size - item.from;
}

/// Does a contact or row only stand for moments?
static bool is_moment(const TactSearch *search, int source)
{
    int contacts = search->laws->contacts;
    if (!search->patches) {
        return false;
    }
    return source < contacts ? source >= search->patches->contacts
                             : source - contacts >= search->patches->rows;
}

static void add_discs(TactPath *path)
{
    const TactSearch *search = path->search;
    int               sources = search->laws->contacts + search->laws->rows;
    for (int d = 0; search->patches && d < search->patches->disc_count; d++) {
        const TactDisc *disc = &search->patches->discs[d];
        for (int i = 0; i < path->count; i++) {
            if (path->items[i].source == disc->contact) {
                add_item(path, (TactPathItem){.source = sources + d,
                                              .size = 1 + disc->dim,
                                              .from = 1,
                                              .load = &path->items[i],
                                              .disc = disc,
                                              .state = search->states[sources + d],
                                              .polygon = tact_polygon_of_disc(disc),
                                              .mu = 1,
                                              .bound = -1});
                break;
            }
        }
    }
}

static void make_items(TactPath *path)
{
    const TactSearch         *search = path->search;
    const TactLaws           *laws = search->laws;
    const TactContactProblem *problem = laws->problem;
    for (int i = 0; i < laws->contacts; i++) {
        const TactContact *contact = &problem->contacts[i];
        bool               own = search->patches && search->patches->own[i];
        if (search->near[i] && !is_moment(search, i)) {
            add_item(path, (TactPathItem){.source = i,
                                          .size = contact->mu > 0 && !own ? 3 : 1,
                                          .state = search->states[i],
                                          .polygon = tact_polygon_of(contact, search->cone),
                                          .mu = contact->mu,
                                          .bound = -1});
        }
    }
    for (int r = 0; r < laws->rows; r++) {
        const TactContactRow *row = &problem->rows[r];
        bool                  motor = row->kind == TACT_ROW_MOTOR;
        if (is_moment(search, laws->contacts + r)) {
            continue;
        }
        add_item(path,
                 (TactPathItem){.source = laws->contacts + r,
                                .size = 1,
                                .state = search->states[laws->contacts + r],
                                .bound = motor ? tact_laws_step(problem) * row->force_max : -1,
                                .bilateral = row->kind == TACT_ROW_BILATERAL});
    }
    add_discs(path);
    for (int i = 0; i < path->count; i++) {
        TactPathItem *item = &path->items[i];
        int           corners = item->polygon.count > 0 ? item->polygon.count : 1;
        item->state.j = (item->state.j % corners + corners) % corners;
        item->answered = item->state;
    }
}

TactStatus tact_path_create(const TactSearch *search, int parts, TactPath *path)
{
    const TactLaws *laws = search->laws;
    void           *items = NULL, *memory = NULL, *lists = NULL, *taken = NULL;
    *path = (TactPath){.search = search, .parts = parts};
    size_t discs = search->patches ? (size_t)search->patches->disc_count : 0;
    TACT_TRY(tact_allocate((size_t)(laws->contacts + laws->rows) + discs + 1, sizeof(TactPathItem),
                           &items));
    path->items = items;
    make_items(path);
    size_t n = (size_t)path->n, rows = 12;
    TACT_TRY(tact_allocate((size_t)parts * (4 * n * n + rows * n) + 1, sizeof(double), &memory));
    path->memory = memory;
    TACT_TRY(tact_allocate(4 * n + 1, sizeof(int), &lists));
    path->lists = lists;
    TACT_TRY(tact_allocate(n + 1, sizeof(TactPathForm), &taken));
    path->reference.taken = taken;
    path->reference.list = path->lists;
    path->reference.owner = path->lists + n;
    path->reference.swapped = path->lists + 2 * n;
    path->reference.unit = (unsigned char *)(path->lists + 3 * n);
    path->reference.known = path->reference.unit + n;
    TactRow *squares[] = {&path->W, &path->reference.inverse, &path->reference.moves,
                          &path->reference.S};
    for (size_t k = 0; k < 4; k++) {
        *squares[k] = tact_row_in(path->memory + k * (size_t)parts * n * n, n * n, parts);
    }
    double  *next = path->memory + 4 * (size_t)parts * n * n;
    TactRow *all[] = {&path->kept,   &path->diagonal, &path->u_free, &path->p[0],
                      &path->p[1],   &path->u[0],     &path->u[1],   &path->right,
                      &path->row[0], &path->row[1],   &path->row[2], &path->row[3]};
    for (size_t k = 0; k < rows; k++) {
        *all[k] = tact_row_in(next, n, parts);
        next += (size_t)parts * n;
    }
    return make_system(path);
}

void tact_path_soften(TactPath *path, int bits)
{
    for (int i = 0; i < path->n; i++) {
        TactFour exact = tact_row_get(path->diagonal, i);
        TactFour soft = tact_four_of(ldexp(fabs(exact.x[0]), -bits));
        tact_row_set(tact_row_at(path->W, (size_t)i * (size_t)path->n), i,
                     tact_four_add(exact, soft));
    }
    path->bits = bits;
}

void tact_path_destroy(TactPath *path)
{
    tact_release(path->items);
    tact_release(path->memory);
    tact_release(path->lists);
    tact_release(path->reference.taken);
}

#endif
