// One contact with all its friction, solved for itself, against the law: within the bound, and
// taking the most out of the motion that any friction within it can.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tact/base.h>

#include "contact/disc/cell.h"

static const double PI = 3.14159265358979323846;

/// W = G'G of full rank, with coefficients of friction over a decade in it.
static void fill_cell(TactRandom *random, TactCell *cell)
{
    double G[8][TACT_CELL_MOST];
    for (int k = 0; k < cell->count; k++) {
        double size = k == 0 ? 1 : pow(10, tact_random_uniform(random, -1.2, -0.2));
        for (int r = 0; r < 8; r++) {
            G[r][k] = size * tact_random_normal(random);
        }
    }
    for (int i = 0; i < cell->count; i++) {
        for (int k = 0; k < cell->count; k++) {
            cell->W[i][k] = 0;
            for (int r = 0; r < 8; r++) {
                cell->W[i][k] += G[r][i] * G[r][k];
            }
        }
    }
    cell->w = cell->W[0][0];
    for (int i = 0; i < cell->disc_count; i++) {
        TactCellDisc *disc = &cell->disc[i];
        disc->w = 0;
        for (int k = disc->first; k < disc->first + disc->dim; k++) {
            disc->w += cell->W[k][k] / disc->dim;
        }
    }
}

/// Sliding, and with parts > 1 spinning, > 2 rolling. directions: of polygons; 0: discs.
static TactCell make_cell(int parts, int directions, double turn)
{
    static const int dim[3] = {2, 1, 2};
    TactCell         cell = {.has_normal = true, .count = 1};
    for (int i = 0; i < parts; i++) {
        cell.disc[cell.disc_count++] = (TactCellDisc){.first = cell.count,
                                                      .dim = dim[i],
                                                      .directions = dim[i] == 2 ? directions : 0,
                                                      .turn = turn};
        cell.count += dim[i];
    }
    return cell;
}

/// The largest -v'y over the disc, interval or polygon of size 1; the gauge of x in it: 1 on its
/// border.
static double most_taken(const TactCellDisc *disc, const double *v)
{
    double most = disc->dim == 1 ? fabs(v[0]) : hypot(v[0], v[1]);
    for (int j = 0; j < disc->directions; j++) {
        double a = disc->turn + 2 * PI * j / disc->directions;
        double taken = -(v[0] * cos(a) + v[1] * sin(a));
        most = j == 0 || taken > most ? taken : most;
    }
    return most;
}

static double gauge(const TactCellDisc *disc, const double *x)
{
    double size = disc->dim == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
    for (int j = 0; j < disc->directions; j++) { // sides lie cos(pi / n) from the middle
        double half = PI / disc->directions, a = disc->turn + (2 * j + 1) * half;
        double out = (x[0] * cos(a) + x[1] * sin(a)) / cos(half);
        size = j == 0 || out > size ? out : size;
    }
    return size;
}

static void check_law(const TactCell *cell, const double *b, const double *x)
{
    double v[TACT_CELL_MOST], size = 0, load = 0;
    for (int i = 0; i < cell->count; i++) {
        v[i] = b[i];
        for (int k = 0; k < cell->count; k++) {
            v[i] += cell->W[i][k] * x[k];
        }
        size = fmax(size, fabs(b[i]));
        load = fmax(load, fabs(x[i]));
    }
    assert_true(x[0] >= 0 && v[0] >= -1e-10 * size && fabs(x[0] * v[0]) <= 1e-10 * load * size);
    for (int i = 0; i < cell->disc_count; i++) {
        const TactCellDisc *disc = &cell->disc[i];
        const double       *xd = x + disc->first, *vd = v + disc->first;
        double              power = xd[0] * vd[0] + (disc->dim > 1 ? xd[1] * vd[1] : 0);
        assert_true(disc->w * (gauge(disc, xd) - x[0]) <= 1e-10 * size);
        assert_true(fabs(power + x[0] * most_taken(disc, vd)) <= 1e-9 * load * size);
    }
}

static void single_contacts_obey_the_law_with_discs_and_polygons(void **state)
{
    (void)state;
    static const int directions[] = {0, 4, 6, 8};
    TactRandom       random = tact_random_seed(11);
    int              missed = 0, tried = 0, lifted = 0;
    for (int k = 0; k < 6000; k++) {
        TactCell cell =
            make_cell(1 + k % 3, directions[k / 3 % 4], tact_random_uniform(&random, 0, 1));
        double b[TACT_CELL_MOST], x[TACT_CELL_MOST] = {0};
        fill_cell(&random, &cell);
        for (int i = 0; i < cell.count; i++) {
            b[i] = sqrt(cell.W[i][i]) * tact_random_normal(&random);
        }
        b[0] = k % 5 == 0 ? b[0] : -fabs(b[0]);
        tried++;
        if (!tact_cell_solve(&cell, b, x)) {
            missed++; // such problems may have no solution, or one that is hard to find
            continue;
        }
        lifted += x[0] == 0;
        check_law(&cell, b, x);
    }
    print_message("%d of %d not solved, %d without load\n", missed, tried, lifted);
    assert_true(200 * missed <= tried && lifted > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_contacts_obey_the_law_with_discs_and_polygons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
