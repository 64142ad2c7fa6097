#include "gpu/batch_layout.h"

/// Numbers of a body in front of those of its contacts: mass, inertia, centre, velocity, force.
enum { BODY_NUMBERS = 1 + 6 + 3 + 6 + 6, CONTACT_NUMBERS = 3 + 3 + 1 + 1 };

static size_t triangle(int dof)
{
    return (size_t)dof * ((size_t)dof + 1) / 2;
}

size_t tact_batch_problem_numbers(TactBatchShape shape)
{
    size_t n = (size_t)shape.contacts, dof = (size_t)shape.dof;
    return shape.dof == 0 ? BODY_NUMBERS + CONTACT_NUMBERS * n
                          : triangle(shape.dof) + 2 * dof + 3 * n * dof + 2 * n;
}

size_t tact_batch_answer_numbers(TactBatchShape shape)
{
    return 3 * (size_t)shape.contacts + (size_t)(shape.dof > 0 ? shape.dof : 6) + 1;
}

size_t tact_batch_answer_integers(TactBatchShape shape)
{
    return 1 + (size_t)shape.contacts;
}

size_t tact_batch_bytes(TactBatchShape shape, size_t count)
{
    size_t doubles = tact_batch_problem_numbers(shape) + tact_batch_answer_numbers(shape);
    size_t integers = (tact_batch_answer_integers(shape) + 1 + 2) * count + TACT_BODY_WORK;
    return doubles * count * sizeof(double) + integers * sizeof(int);
}

/// Takes rows of so many doubles each from a block.
static double *carve(double **block, size_t rows, size_t count)
{
    double *out = *block;
    *block += rows * count;
    return out;
}

static void place_bodies(double **block, size_t n, size_t count, TactBodyProblems *problems)
{
    problems->mass = carve(block, 1, count);
    problems->inertia = carve(block, 6, count);
    problems->centre = carve(block, 3, count);
    problems->velocity = carve(block, 6, count);
    problems->force = carve(block, 6, count);
    problems->point = carve(block, 3 * n, count);
    problems->normal = carve(block, 3 * n, count);
    problems->mu = carve(block, n, count);
}

static void place_mechanisms(double **block, TactBatchShape shape, size_t count,
                             TactMechanismProblems *problems)
{
    size_t n = (size_t)shape.contacts, dof = (size_t)shape.dof;
    problems->M = carve(block, triangle(shape.dof), count);
    problems->velocity = carve(block, dof, count);
    problems->force = carve(block, dof, count);
    problems->J = carve(block, 3 * n * dof, count);
    problems->mu = carve(block, n, count);
    problems->dof = shape.dof;
    problems->contacts = shape.contacts;
}

void tact_batch_place(TactBatchShape shape, size_t count, void *block, TactBodyBatch *batch,
                      TactBatchOptional *optional)
{
    double *at = block;
    size_t  n = (size_t)shape.contacts;
    batch->dof = shape.dof;
    if (shape.dof == 0) {
        place_bodies(&at, n, count, &batch->problems);
    } else {
        place_mechanisms(&at, shape, count, &batch->mechanisms);
    }
    optional->bias = carve(&at, n, count);
    TactBodyAnswers *answers = &batch->answers;
    answers->impulse = carve(&at, 3 * n, count);
    answers->velocity = carve(&at, (size_t)(shape.dof > 0 ? shape.dof : 6), count);
    answers->error = carve(&at, 1, count);
    answers->pivots = (int *)at;
    answers->basis = (unsigned *)(answers->pivots + count);
    optional->active = (int *)(answers->basis + n * count);
    batch->work = optional->active + count;
}

// ---------------------------------------------------------------------------------------------
// Beside each other

/// Leaves out what the host does not have.
static int keep_given(const TactBatchArrays *all, int count, TactBatchArrays *out)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (all[k].of[1]) {
            out[kept++] = all[k];
        }
    }
    return kept;
}

int tact_batch_list_bodies(const TactBodyProblems *device, const TactBodyProblems *host,
                           TactBatchArrays out[TACT_BATCH_MOST_ARRAYS])
{
    size_t                n = (size_t)host->contacts, size = sizeof(double);
    const TactBatchArrays all[TACT_BATCH_MOST_ARRAYS] = {
        {{device->mass, host->mass}, 1, size},
        {{device->inertia, host->inertia}, 6, size},
        {{device->centre, host->centre}, 3, size},
        {{device->velocity, host->velocity}, 6, size},
        {{device->force, host->force}, 6, size},
        {{device->point, host->point}, 3 * n, size},
        {{device->normal, host->normal}, 3 * n, size},
        {{device->mu, host->mu}, n, size},
        {{device->bias, host->bias}, n, size},
    };
    return keep_given(all, TACT_BATCH_MOST_ARRAYS, out);
}

int tact_batch_list_mechanisms(const TactMechanismProblems *device,
                               const TactMechanismProblems *host,
                               TactBatchArrays              out[TACT_BATCH_MOST_ARRAYS])
{
    size_t n = (size_t)host->contacts, dof = (size_t)host->dof, size = sizeof(double);
    const TactBatchArrays all[] = {
        {{device->M, host->M}, triangle(host->dof), size},
        {{device->velocity, host->velocity}, dof, size},
        {{device->force, host->force}, dof, size},
        {{device->J, host->J}, 3 * n * dof, size},
        {{device->mu, host->mu}, n, size},
        {{device->bias, host->bias}, n, size},
        {{device->active, host->active}, 1, sizeof(int)},
    };
    return keep_given(all, (int)(sizeof all / sizeof *all), out);
}

int tact_batch_list_answers(TactBatchShape shape, const TactBodyAnswers *device,
                            const TactBodyAnswers *host,
                            TactBatchArrays        out[TACT_BATCH_MOST_ARRAYS])
{
    size_t                n = (size_t)shape.contacts;
    const TactBatchArrays all[] = {
        {{device->impulse, host->impulse}, 3 * n, sizeof(double)},
        {{device->velocity, host->velocity},
         (size_t)(shape.dof > 0 ? shape.dof : 6),
         sizeof(double)},
        {{device->error, host->error}, 1, sizeof(double)},
        {{device->pivots, host->pivots}, 1, sizeof(int)},
        {{device->basis, host->basis}, n, sizeof(unsigned)},
    };
    return keep_given(all, (int)(sizeof all / sizeof *all), out);
}
