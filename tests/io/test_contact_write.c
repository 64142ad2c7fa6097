// Contact problems written as JSON and read back: the same to the bit.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "io/contact_compare.h"

enum { NV = 4, CONTACTS = 3, ROWS = 3 };

/// A problem over arrays of its own, all of whose numbers are random bits.
typedef struct Sample {
    TactContactProblem problem;
    TactContactBody    bodies[2];
    TactContact        contacts[CONTACTS];
    TactContactRow     rows[ROWS];
    double             M[NV * NV], v[NV], tau[NV], J[CONTACTS * 3 * NV], row_J[ROWS * NV];
    double             W[9 * CONTACTS * CONTACTS], u_free[3 * CONTACTS];
    int                parent[NV];
} Sample;

/// Numbers that printing could spoil: zeros of both signs, the smallest and the largest ones.
static double any_real(TactRandom *random)
{
    static const double special[] = {0.0, -0.0, DBL_MIN, DBL_TRUE_MIN, 1e300, -1e300, 1e22, 1e15};

    uint64_t draw = tact_random_next(random);
    if (draw % 4 == 0) {
        return special[(draw / 4) % 8];
    }
    return tact_random_normal(random) * pow(10, tact_random_uniform(random, -30, 30));
}

static void fill(TactRandom *random, double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = any_real(random);
    }
}

static void fill_symmetric(TactRandom *random, double *A, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            A[i * n + j] = A[j * n + i] = tact_random_normal(random);
        }
        A[i * n + i] = 10 + tact_random_uniform(random, 0, 1);
    }
}

static void make_contacts(TactRandom *random, Sample *sample)
{
    TactContactProblem *problem = &sample->problem;
    for (int i = 0; i < CONTACTS; i++) {
        TactContact *contact = &sample->contacts[i];
        contact->a = i - 1;
        contact->b = i == 2 ? -1 : 1;
        fill(random, contact->point, 3);
        contact->normal[i] = i == 1 ? -1 : 1;
        contact->tangent[(i + 1) % 3] = i == 0 ? 0 : any_real(random) + 1e-3;
        contact->mu = fabs(any_real(random));
        contact->directions = 4 * i;
        contact->turn = any_real(random);
        contact->restitution = problem->W ? 0 : tact_random_uniform(random, 0, 1);
        contact->bias = any_real(random);
        fill(random, contact->surface, 2);
        contact->compliance = fabs(any_real(random));
        contact->id = tact_random_next(random) >> (10 * i);
        contact->J = problem->M ? sample->J + 3 * NV * (size_t)i : NULL;
    }
}

static void make_rows(TactRandom *random, Sample *sample)
{
    for (int i = 0; i < ROWS; i++) {
        TactContactRow *row = &sample->rows[i];
        row->kind = (TactContactRowKind)i;
        row->a = i - 1;
        row->b = i == 2 ? -1 : 1;
        fill(random, row->J_a, 6);
        fill(random, row->J_b, 6);
        row->target = any_real(random);
        row->error = any_real(random);
        row->zeta = tact_random_uniform(random, 0, 1);
        row->force_max = fabs(any_real(random));
        row->id = i == 0 ? 0 : tact_random_next(random) >> (10 * (i - 1));
        row->J = sample->problem.M ? sample->row_J + NV * (size_t)i : NULL;
    }
}

typedef enum Form { BODIES, MECHANISM, DELASSUS, FORMS } Form;

static void make_sample(TactRandom *random, Form form, Sample *sample)
{
    *sample = (Sample){0};
    TactContactProblem *problem = &sample->problem;
    *problem = (TactContactProblem){.step = tact_random_uniform(random, 1e-5, 1)};
    fill(random, sample->v, NV);
    fill(random, sample->tau, NV);
    fill(random, sample->J, CONTACTS * 3 * NV);
    fill(random, sample->row_J, ROWS * NV);
    fill(random, sample->u_free, 3 * CONTACTS);
    fill_symmetric(random, sample->M, NV);
    fill_symmetric(random, sample->W, 3 * CONTACTS);
    for (int i = 0; i < NV; i++) {
        sample->parent[i] = i - 1;
    }
    if (form == BODIES) {
        problem->bodies = sample->bodies;
        problem->body_count = 2;
        for (int i = 0; i < 2; i++) {
            fill(random, &sample->bodies[i].mass, sizeof *sample->bodies / sizeof(double));
            sample->bodies[i].mass = tact_random_uniform(random, 1, 2);
            for (int k = 0; k < 6; k++) {
                sample->bodies[i].inertia[k] = k < 3 ? 1 + k : tact_random_uniform(random, 0, 0.1);
            }
        }
    } else if (form == MECHANISM) {
        problem->nv = NV;
        problem->M = sample->M;
        problem->v = sample->v;
        problem->tau = sample->tau;
        problem->parent = tact_random_next(random) % 2 ? sample->parent : NULL;
    } else {
        problem->W = sample->W;
        problem->u_free = sample->u_free;
    }
    problem->contacts = sample->contacts;
    problem->contact_count = CONTACTS;
    make_contacts(random, sample);
    if (form != DELASSUS) {
        problem->rows = sample->rows;
        problem->row_count = ROWS;
        make_rows(random, sample);
    }
    assert_int_equal(tact_contact_check(problem), TACT_OK);
}

static void json_is_read_back_to_the_bit(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(11);
    const char *path = tact_scratch_path("random.json");
    if (strstr(tact_version(), "jansson: no")) {
        skip();
    }
    for (int round = 0; round < 300; round++) {
        Sample           sample;
        TactContactFile *file = NULL;
        make_sample(&random, (Form)(round % FORMS), &sample);
        assert_int_equal(tact_contact_write(&sample.problem, path), TACT_OK);
        tact_scratch_listen();
        if (tact_contact_read(path, &file) != TACT_OK) {
            fail_msg("%s", tact_status_message());
        }
        assert_int_equal(tact_scratch_warnings(), 0);
        same_problem(&sample.problem, &file->problem);
        tact_contact_file_destroy(file);
    }
}

static void accelerations_and_empty_problems_are_read_back(void **state)
{
    (void)state;
    TactRandom       random = tact_random_seed(12);
    const char      *path = tact_scratch_path("other.json");
    TactContactFile *file = NULL;
    Sample           sample;
    if (strstr(tact_version(), "jansson: no")) {
        skip();
    }
    make_sample(&random, BODIES, &sample);
    sample.problem.level = TACT_LEVEL_ACCELERATION;
    for (int i = 0; i < CONTACTS; i++) {
        sample.contacts[i].restitution = 0;
        sample.rows[i].zeta = 0;
    }
    assert_int_equal(tact_contact_write_json(&sample.problem, path), TACT_OK);
    assert_int_equal(tact_contact_read(path, &file), TACT_OK);
    same_problem(&sample.problem, &file->problem);
    tact_contact_file_destroy(file);

    TactContactProblem empty = {.step = 1, .bodies = sample.bodies};
    assert_int_equal(tact_contact_write_json(&empty, path), TACT_OK);
    assert_int_equal(tact_contact_read(path, &file), TACT_OK);
    assert_int_equal(file->problem.body_count, 0);
    assert_int_equal(file->problem.contact_count, 0);
    tact_contact_file_destroy(file);
}

static void a_file_that_cannot_be_written_is_told_and_leaves_nothing(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(13);
    Sample     sample;
    make_sample(&random, DELASSUS, &sample);
    int before = tact_scratch_count();
    assert_int_equal(tact_contact_write(&sample.problem, "/nowhere/p.json"), TACT_IO_ERROR);
    tact_scratch_said("/nowhere/p.json: cannot be written");
    assert_int_equal(tact_contact_write(&sample.problem, tact_scratch_path("p.txt")),
                     TACT_BAD_ARGUMENT);
    tact_scratch_said(".json, .hdf5, .h5 or .dat");
    assert_int_equal(tact_contact_write(&sample.problem, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_write_json(&sample.problem, NULL), TACT_BAD_ARGUMENT);
    sample.contacts[1].mu = NAN;
    assert_int_equal(tact_contact_write(&sample.problem, tact_scratch_path("p.json")),
                     TACT_BAD_INPUT);
    assert_int_equal(tact_scratch_count(), before);
    sample.contacts[1].mu = 1;
    assert_int_equal(tact_contact_write(&sample.problem, "/dev/full"), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_contact_write_json(&sample.problem, "/dev/full"), TACT_IO_ERROR);
    tact_scratch_said("/dev/full: cannot be written: No space left");
}

static void the_old_file_stays_until_the_new_one_is_complete(void **state)
{
    (void)state;
    TactRandom  random = tact_random_seed(14);
    Sample      sample;
    const char *path = tact_scratch_write("old.json", "old");
    make_sample(&random, DELASSUS, &sample);
    sample.problem.step = -1;
    assert_int_equal(tact_contact_write(&sample.problem, path), TACT_BAD_INPUT);
    char *text = tact_scratch_read(path);
    assert_string_equal(text, "old");
    free(text);
    sample.problem.step = 1;
    assert_int_equal(tact_contact_write(&sample.problem, path), TACT_OK);
    text = tact_scratch_read(path);
    assert_non_null(strstr(text, "tact-contact/1"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_read_back_to_the_bit),
        cmocka_unit_test(accelerations_and_empty_problems_are_read_back),
        cmocka_unit_test(a_file_that_cannot_be_written_is_told_and_leaves_nothing),
        cmocka_unit_test(the_old_file_stays_until_the_new_one_is_complete),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
