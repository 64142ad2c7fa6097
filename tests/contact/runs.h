// Every contact method with every cone and LCP method that it takes: one list for all tests.
#ifndef TESTS_CONTACT_RUNS_H
#define TESTS_CONTACT_RUNS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/contact.h>

enum { MAX_RUNS = 32 };

typedef struct Run {
    char              name[32]; // "ladder circle", "box dantzig"
    TactContactConfig config;
} Run;

static inline void runs_add(Run *runs, int *count, TactContactMethod method, TactContactCone cone,
                            TactLcpMethod lcp)
{
    static const char *const cones[] = {"pyramid", "circle", "box"};
    bool                     inner = method == TACT_METHOD_BOX || method == TACT_METHOD_LCP;
    if (*count >= MAX_RUNS) {
        fprintf(stderr, "runs.h: more than MAX_RUNS = %d runs: make it larger\n", MAX_RUNS);
        abort();
    }
    Run *run = &runs[(*count)++];
    run->config = tact_contact_config_default(method);
    run->config.cone = cone;
    run->config.lcp_method = inner ? lcp : run->config.lcp_method;
    const char *name = tact_contact_method_info(method)->name;
    if (inner) {
        snprintf(run->name, sizeof run->name, "%s %s%s", name, tact_lcp_method_info(lcp)->name,
                 method == TACT_METHOD_LCP && cone == TACT_CONE_BOX ? " box" : "");
    } else {
        snprintf(run->name, sizeof run->name, "%s %s", name, cones[cone]);
    }
}

/// Fills runs (MAX_RUNS) and says how many there are.
static inline int runs_list(Run *runs)
{
    static const struct {
        TactContactCone cone;
        unsigned        takes;
    } cones[] = {
        {TACT_CONE_PYRAMID, TACT_CONTACT_TAKES_PYRAMID},
        {TACT_CONE_CIRCLE, TACT_CONTACT_TAKES_CIRCLE},
        {TACT_CONE_BOX, TACT_CONTACT_TAKES_BOX},
    };
    int count = 0;
    for (int m = 0; m < TACT_METHOD_COUNT; m++) {
        TactContactMethod            method = (TactContactMethod)m;
        const TactContactMethodInfo *info = tact_contact_method_info(method);
        for (size_t c = 0; info && c < sizeof cones / sizeof *cones; c++) {
            if (!(info->takes & cones[c].takes)) {
                continue;
            }
            if (method == TACT_METHOD_BOX) {
                runs_add(runs, &count, method, cones[c].cone, TACT_LCP_METHOD_PGS_SM);
                runs_add(runs, &count, method, cones[c].cone, TACT_LCP_METHOD_DANTZIG);
            } else {
                runs_add(runs, &count, method, cones[c].cone, TACT_LCP_METHOD_LEMKE_LEX);
            }
            if (method == TACT_METHOD_LCP && cones[c].cone == TACT_CONE_PYRAMID) {
                runs_add(runs, &count, method, cones[c].cone, TACT_LCP_METHOD_SEARCH);
            }
        }
    }
    return count;
}

/// A solver that grows with the problems it meets.
typedef struct RunSolver {
    TactContactSolver  *solver;
    TactContactCapacity capacity;
} RunSolver;

static inline int runs_most(int a, int b)
{
    return a > b ? a : b;
}

static inline bool runs_grow(TactContactCapacity *have, const TactContactCapacity *need)
{
    TactContactCapacity most = {
        .contacts = runs_most(have->contacts, need->contacts),
        .rows = runs_most(have->rows, need->rows),
        .dof = runs_most(have->dof, need->dof),
        .support = runs_most(have->support, need->support),
        .dense = have->dense || need->dense,
        .directions = runs_most(have->directions, need->directions),
    };
    bool same = most.contacts == have->contacts && most.rows == have->rows &&
                most.dof == have->dof && most.support == have->support &&
                most.dense == have->dense && most.directions == have->directions;
    *have = most;
    return !same;
}

/// NULL: the solver could not be made; tact_status_message() says why.
static inline TactContactSolver *runs_solver(RunSolver *own, const Run *run,
                                             const TactContactProblem *problem)
{
    TactContactCapacity need = tact_contact_get_capacity(problem);
    if (runs_grow(&own->capacity, &need) || !own->solver) {
        tact_contact_solver_destroy(own->solver);
        own->solver = NULL;
        if (tact_contact_solver_create(&own->capacity, &run->config, &own->solver) != TACT_OK) {
            own->solver = NULL;
        }
    }
    return own->solver;
}

/// Room for the largest answer met so far.
typedef struct RunAnswer {
    double *block;
    size_t  size;
} RunAnswer;

static inline TactContactAnswer runs_answer(RunAnswer *own, const TactContactProblem *problem)
{
    size_t contacts = 3 * (size_t)problem->contact_count, rows = (size_t)problem->row_count;
    size_t dof = (size_t)tact_contact_get_dof(problem);
    size_t size = 3 * contacts + 2 * rows + dof + 1;
    if (size > own->size) {
        free(own->block);
        own->block = calloc(size, sizeof(double));
        own->size = size;
        if (!own->block) {
            fprintf(stderr, "no memory\n");
            exit(1);
        }
    }
    double *x = own->block;
    return (TactContactAnswer){.impulse = x,
                               .row_impulse = x + 2 * contacts,
                               .velocity = x + 2 * contacts + rows,
                               .u = x + contacts,
                               .low = x + 2 * contacts + rows + dof};
}

#endif
