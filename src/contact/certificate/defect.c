#include "contact/certificate/defect.h"

#include <math.h>
#include <string.h>

#include "contact/problem/problem.h"

// Changes of a velocity below this, relative to the terms it is the sum of, are rounding.
static const double ROUNDING = 1e-14;

void tact_defect_layout(TactDefect *defect, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t     n = 3 * (size_t)(capacity->dense ? capacity->contacts : 0);
    TactDefect lent = {
        .e = tact_arena_take(arena, n, sizeof(double)),
        .b = tact_arena_take(arena, n, sizeof(double)),
    };
    if (arena->block) {
        *defect = lent;
    }
}

void tact_defect_begin(TactDefect *defect, const TactSystem *system)
{
    memcpy(defect->e, system->e, 3 * (size_t)system->item_count * sizeof(double));
    memcpy(defect->b, system->b, 3 * (size_t)system->item_count * sizeof(double));
}

void tact_defect_end(const TactDefect *defect, TactSystem *system)
{
    memcpy(system->e, defect->e, 3 * (size_t)system->item_count * sizeof(double));
    memcpy(system->b, defect->b, 3 * (size_t)system->item_count * sizeof(double));
}

/// u of row k of W, items in the order of the system, and the sum of the magnitudes of its terms.
static double velocity(const TactSystem *system, const TactContactProblem *problem, size_t k,
                       const double *p, double *size)
{
    size_t        n = 3 * (size_t)problem->contact_count;
    const double *W = problem->W + k * n;
    double        u = problem->u_free[k];
    *size = fabs(u);
    for (int j = 0; j < system->item_count; j++) {
        const double *block = W + 3 * (size_t)system->items[j].source;
        for (int c = 0; c < 3; c++) {
            double part = block[c] * p[3 * j + c];
            u += part;
            *size += fabs(part);
        }
    }
    return u;
}

bool tact_defect_correct(TactSystem *system, const TactContactProblem *problem, const double *p)
{
    double *y = system->scratch;
    bool    changed = false;
    tact_system_move(system, p, y, NULL);
    for (int i = 0; i < system->item_count; i++) {
        const TactContact *contact = &problem->contacts[system->items[i].source];
        double             u[3];
        tact_system_pull(system, i, y, u);
        for (int c = 0; c < 3; c++) {
            double  size;
            size_t  row = 3 * (size_t)system->items[i].source + (size_t)c;
            double  given = velocity(system, problem, row, p, &size);
            double *e = system->e + 3 * i + c;
            given +=
                c == 0 ? contact->bias : tact_contact_surface(problem, system->items[i].source, c);
            double lacks = given - (u[c] + *e);
            changed = changed || fabs(lacks) > ROUNDING * size;
            *e += lacks;
            system->b[3 * i + c] += lacks;
        }
    }
    return changed;
}
