// Tables and CSV of `tact bench dynamics`.
#include <math.h>
#include <string.h>

#include "bench/csv.h"
#include "bench/dynamics/dynamics.h"
#include "bench/wanted.h"

static const char *const part_names[TACT_PART_COUNT] = {
    "position",     "velocity", "inverse",    "mass + factor",
    "acceleration", "forward",  "assembly 1", "assembly 2",
};

const char *tact_dynamics_part_name(int part)
{
    return part_names[part];
}

bool tact_dynamics_agrees(const TactDynamicsCell *cell)
{
    const double tol = 1e-9;
    return cell->error[0] <= tol && cell->error[1] <= tol && cell->error[2] <= tol;
}

void tact_dynamics_print_model(const TactDynamicsBench *bench, int model)
{
    printf("\n%s, %d dof; us, best of all rounds\n  %-8s", bench->shape[model]->name,
           bench->nv[model], "");
    for (int part = 0; part < TACT_PART_COUNT; part++) {
        printf(" %13s", part_names[part]);
    }
    printf("\n");
    for (int e = 0; e < bench->engines; e++) {
        const TactDynamicsCell *cell = &bench->cell[model][e];
        printf("  %-8s", bench->engine[e]->name);
        for (int part = 0; part < TACT_PART_COUNT; part++) {
            if (cell->taken && cell->best[part] < HUGE_VAL) {
                printf(" %13.2f", 1e6 * cell->best[part]);
            } else {
                printf(" %13s", "");
            }
        }
        if (!cell->taken) {
            printf("  does not take this model");
        } else if (e == 0) {
            printf("  by factor of M: qacc %.0e", cell->error[2]);
        } else {
            printf("  tau %.0e M %.0e qacc %.0e%s", cell->error[0], cell->error[1], cell->error[2],
                   tact_dynamics_agrees(cell) ? "" : ": DIFFERS");
        }
        printf("\n");
    }
}

// ---------------------------------------------------------------------------------------------
// Growth

/// Slope of the least-squares line through (log nv, log time) of the models of a kind.
static double slope(const TactDynamicsBench *bench, const char *kind, int engine, int part)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int m = 0; m < bench->models; m++) {
        const TactDynamicsCell *cell = &bench->cell[m][engine];
        if (strncmp(bench->shape[m]->name, kind, strlen(kind)) == 0 && cell->taken &&
            cell->best[part] < HUGE_VAL) {
            double a = log(bench->nv[m]), b = log(cell->best[part]);
            n += 1;
            x += a;
            y += b;
            xx += a * a;
            xy += a * b;
        }
    }
    return n > 1 ? (n * xy - x * y) / (n * xx - x * x) : NAN;
}

void tact_dynamics_print_growth(const TactDynamicsBench *bench)
{
    static const char *const kinds[] = {"chain", "comb"};
    printf("\nTime grows with the number of links to the power of\n  %-16s", "");
    for (int part = 0; part < TACT_PART_COUNT; part++) {
        printf(" %13s", part_names[part]);
    }
    printf("\n");
    for (int k = 0; k < 2; k++) {
        for (int e = 0; e < bench->engines; e++) {
            if (isnan(slope(bench, kinds[k], e, TACT_PART_FORWARD))) {
                continue; // fewer than two models of this kind
            }
            printf("  %-6s %-9s", kinds[k], bench->engine[e]->name);
            for (int part = 0; part < TACT_PART_COUNT; part++) {
                double power = slope(bench, kinds[k], e, part);
                if (isnan(power)) {
                    printf(" %13s", "");
                } else {
                    printf(" %13.2f", power);
                }
            }
            printf("\n");
        }
    }
}

// ---------------------------------------------------------------------------------------------
// What is wanted

/// How many times as long as tact an engine may take at least.
static double wanted(const char *engine)
{
    return strcmp(engine, "dart") == 0 ? 3 : 1;
}

void tact_dynamics_print_wanted(const TactDynamicsBench *bench)
{
    static const int parts[] = {TACT_PART_INVERSE, TACT_PART_MASS, TACT_PART_FORWARD};
    if (bench->engines > 1) {
        printf("\nTimes as fast as the others       wanted     got\n");
    }
    for (int m = 0; m < bench->models; m++) {
        for (int e = 1; e < bench->engines; e++) {
            const TactDynamicsCell *own = &bench->cell[m][0], *cell = &bench->cell[m][e];
            for (int k = 0; k < 3 && cell->taken; k++) {
                double got = cell->best[parts[k]] / own->best[parts[k]];
                double least = wanted(bench->engine[e]->name);
                printf("  %-9s %-8s %-14s %5.0f %7.2f  %s\n", bench->shape[m]->name,
                       bench->engine[e]->name, part_names[parts[k]], least, got,
                       tact_bench_wanted(got >= least));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// CSV

static void csv_cell(const TactDynamicsBench *bench, int m, int e, FILE *file)
{
    const TactDynamicsCell *cell = &bench->cell[m][e];
    for (int part = 0; part < TACT_PART_COUNT && cell->taken; part++) {
        if (cell->best[part] < HUGE_VAL) {
            fprintf(file, "%s,%d,%s,%s,%.3f,%.2f,", bench->shape[m]->name, bench->nv[m],
                    bench->engine[e]->name, part_names[part], 1e6 * cell->best[part],
                    cell->best[part] / bench->cell[m][0].best[part]);
            fprintf(file, "%.1e,%.1e,%.1e\n", cell->error[0], cell->error[1], cell->error[2]);
        }
    }
}

int tact_dynamics_write_csv(const TactDynamicsBench *bench, const char *path)
{
    FILE *file = tact_bench_csv_open(path);
    if (!file) {
        return 2;
    }
    for (int e = 1; e < bench->engines; e++) {
        fprintf(file, "# peer: %s %s; timed: %s\n", bench->engine[e]->name,
                bench->engine[e]->version, bench->engine[e]->timed);
    }
    fprintf(file, "model,nv,engine,part,best_us,times_tact,tau_error,M_error,qacc_error\n");
    for (int m = 0; m < bench->models; m++) {
        for (int e = 0; e < bench->engines; e++) {
            csv_cell(bench, m, e, file);
        }
    }
    return tact_bench_csv_close(file, path);
}
