// The friction box [Arechavaleta, eq. 15 to 17, corrected: A5 to A8].
#include <math.h>
#include <string.h>

#include "contact/assembled/assemble.h"

void tact_assemble_box_number(TactAssembleBox *box, const TactSystem *system,
                              const TactContactProblem *problem)
{
    box->system = system;
    box->problem = problem;
    // z = (c_l, c_n, beta, motors)
    int count = 0;
    for (int pass = 0; pass < 4; pass++) {
        for (int i = 0; i < system->item_count; i++) {
            const TactItem *item = &system->items[i];
            if (pass == 0) {
                box->first[i] = box->slide[i] = -1;
            }
            if ((pass == 0 && item->kind == TACT_ITEM_UNILATERAL) ||
                (pass == 1 && item->kind == TACT_ITEM_CONTACT)) {
                box->first[i] = count++;
            } else if (pass == 2 && item->kind == TACT_ITEM_CONTACT && item->mu > 0) {
                box->slide[i] = count;
                count += 2;
            } else if (pass == 3 && item->kind == TACT_ITEM_MOTOR) {
                box->slide[i] = count++;
            }
        }
    }
    box->n = count;
}

/// Unknowns of an item and the component of the block that each belongs to; returns how many.
static int list_unknowns(const TactAssembleBox *box, int i, int unknown[3], int component[3])
{
    int count = 0;
    if (box->first[i] >= 0) {
        unknown[count] = box->first[i];
        component[count++] = 0;
    }
    int slides = box->slide[i] < 0 ? 0 : box->system->items[i].kind == TACT_ITEM_MOTOR ? 1 : 2;
    for (int k = 0; k < slides; k++) {
        unknown[count] = box->slide[i] + k;
        component[count++] = 1 + k;
    }
    return count;
}

void tact_assemble_box(const TactAssembleBox *box, double *G, double *g)
{
    const TactSystem *system = box->system;
    TactAssembleMap   map = {.system = system, .problem = box->problem};
    size_t            n = (size_t)box->n;
    for (int i = 0; i < system->item_count; i++) {
        int row[3], row_component[3];
        int rows = list_unknowns(box, i, row, row_component);
        for (int j = 0; j < system->item_count; j++) {
            int    column[3], column_component[3];
            int    columns = list_unknowns(box, j, column, column_component);
            double block[3][3];
            tact_assemble_block(&map, i, j, block);
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < columns; c++) {
                    G[(size_t)row[r] * n + (size_t)column[c]] =
                        block[row_component[r]][column_component[c]];
                }
            }
        }
        for (int r = 0; r < rows; r++) {
            g[row[r]] = system->b[3 * i + row_component[r]];
        }
    }
}

void tact_assemble_box_skew(const TactAssembleBox *box, const double *p, double *g)
{
    const TactSystem *system = box->system;
    TactAssembleMap   map = {.system = system, .problem = box->problem};
    for (int i = 0; i < system->item_count; i++) {
        int row[3], component[3];
        int rows = list_unknowns(box, i, row, component);
        for (int j = 0; j < system->item_count; j++) {
            double there[3][3], back[3][3];
            tact_assemble_block(&map, i, j, there);
            tact_assemble_block(&map, j, i, back);
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < 3; c++) {
                    g[row[r]] += (there[component[r]][c] - back[c][component[r]]) / 2 *
                                 p[3 * (size_t)j + (size_t)c];
                }
            }
        }
    }
}

void tact_assemble_box_bounds(const TactAssembleBox *box, const double *p, double *lo, double *hi)
{
    for (int i = 0; i < box->system->item_count; i++) {
        const TactItem *item = &box->system->items[i];
        int             unknown[3], component[3];
        int             count = list_unknowns(box, i, unknown, component);
        double          bound =
            item->kind == TACT_ITEM_MOTOR ? item->bound : item->mu * fmax(p[3 * (size_t)i], 0);
        for (int k = 0; k < count; k++) {
            lo[unknown[k]] = component[k] == 0 ? 0 : -bound;
            hi[unknown[k]] = component[k] == 0 ? HUGE_VAL : bound;
        }
    }
}

void tact_assemble_box_impulse(const TactAssembleBox *box, const double *z, const double *d,
                               double *p)
{
    memset(p, 0, 3 * (size_t)box->system->item_count * sizeof(double));
    for (int i = 0; i < box->system->item_count; i++) {
        int unknown[3], component[3];
        int count = list_unknowns(box, i, unknown, component);
        for (int k = 0; k < count; k++) {
            p[3 * i + component[k]] = z[unknown[k]] * (d ? d[unknown[k]] : 1);
        }
    }
}

void tact_assemble_box_unknowns(const TactAssembleBox *box, const double *p, double *z)
{
    for (int i = 0; i < box->system->item_count; i++) {
        int unknown[3], component[3];
        int count = list_unknowns(box, i, unknown, component);
        for (int k = 0; k < count; k++) {
            z[unknown[k]] = p[3 * i + component[k]];
        }
    }
}
