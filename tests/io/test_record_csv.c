// Frames as CSV: names, numbers, contacts.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/record_sample.h"
#include "io/scratch.h"

static TactModel *model;

/// Frames 0 .. count - 1 as CSV, to be freed.
static char *write_csv(TactRecordCsvKind kind, int count)
{
    const char    *path = tact_scratch_path("frames.csv");
    TactRecordCsv *csv = NULL;
    assert_int_equal(tact_record_csv_create(path, model, kind, &csv), TACT_OK);
    for (int k = 0; k < count; k++) {
        TactRecordFrame frame = tact_record_sample_frame(model, k);
        assert_int_equal(tact_record_csv_add(csv, &frame), TACT_OK);
    }
    assert_int_equal(tact_record_csv_destroy(csv), TACT_OK);
    char *text = tact_scratch_read(path);
    assert_non_null(text);
    return text;
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++) {
        lines += *text == '\n';
    }
    return lines;
}

/// Cell i of a line without quotes.
static const char *cell(const char *line, int i)
{
    for (; i > 0; i--) {
        line = strchr(line, ',');
        assert_non_null(line);
        line++;
    }
    return line;
}

static void the_head_names_every_number_by_its_joint(void **state)
{
    (void)state;
    char *text = write_csv(TACT_RECORD_CSV_STATES, 0);
    assert_non_null(strstr(text, "step,time,\"q:a,\"\"b\"\".x\",\"q:a,\"\"b\"\".y\","));
    assert_non_null(strstr(text, "\"q:a,\"\"b\"\".qz\",q:elbow,\"v:a,\"\"b\"\".x\","));
    assert_non_null(strstr(text, "\"v:a,\"\"b\"\".wz\",v:elbow,ctrl:motor,sensor:angle,contacts,"));
    assert_non_null(strstr(text, ",kinetic,potential,"));
    assert_int_equal(count_lines(text), 1);
    free(text);
}

static void numbers_come_back_bit_for_bit_whatever_the_locale(void **state)
{
    (void)state;
    const char *comma = setlocale(LC_ALL, "de_DE.UTF-8"); // where there is one
    char       *text = write_csv(TACT_RECORD_CSV_STATES, 5);
    setlocale(LC_ALL, "C");
    print_message("%s\n", comma ? "decimal commas outside" : "skipped: no locale with a comma");
    assert_int_equal(count_lines(text), 6);
    const char *line = text;
    for (int k = 0; k < 5; k++) {
        TactRecordFrame frame = tact_record_sample_frame(model, k);
        line = strchr(line, '\n') + 1;
        assert_true(strtod(cell(line, 1), NULL) == frame.time);
        for (int i = 0; i < model->nq; i++) {
            assert_true(strtod(cell(line, 2 + i), NULL) == frame.q[i]);
        }
        for (int i = 0; i < model->nv; i++) {
            assert_true(strtod(cell(line, 2 + model->nq + i), NULL) == frame.v[i]);
        }
        int after = 2 + model->nq + model->nv + model->actuator_count;
        assert_true(strtod(cell(line, after), NULL) == frame.sensors[0]);
        after += model->sensor_size;
        assert_int_equal(strtol(cell(line, after), NULL, 10), frame.contact_count);
        assert_true(strtod(cell(line, after + 6), NULL) == frame.kinetic);
        assert_true(strtoull(cell(line, after + 9), NULL, 16) == frame.hash);
    }
    free(text);
}

/// The force on b in the world: f_n n + f_1 t + f_2 n x t.
static void contacts_have_a_line_each_with_the_force_in_the_world(void **state)
{
    (void)state;
    char       *text = write_csv(TACT_RECORD_CSV_CONTACTS, 4); // 0, 1, 2 and 3 contacts
    const char *line = text;
    assert_int_equal(count_lines(text), 1 + 6);
    for (int k = 1; k < 4; k++) {
        TactRecordFrame frame = tact_record_sample_frame(model, k);
        for (int i = 0; i < frame.contact_count; i++) {
            const TactRecordContact *c = &frame.contacts[i];
            TactVec3                 f = tact_vec3_scale(c->force[0], c->normal);
            TactVec3                 other = tact_vec3_cross(c->normal, c->tangent);
            line = strchr(line, '\n') + 1;
            f = tact_vec3_add(f, tact_vec3_scale(c->force[1], c->tangent));
            f = tact_vec3_add(f, tact_vec3_scale(c->force[2], other));
            assert_memory_equal(cell(line, 2), "ground,", 7);
            assert_memory_equal(cell(line, 3), i % 2 == 0 ? "geom 1," : "wedge,", 6);
            assert_true(fabs(strtod(cell(line, 11), NULL) - f.x) < 1e-8 * (1 + fabs(f.x)));
            assert_true(fabs(strtod(cell(line, 13), NULL) - f.z) < 1e-8 * (1 + fabs(f.z)));
            assert_true(fabs(strtod(cell(line, 20), NULL) - c->moment[0]) <
                        1e-8 * (1 + fabs(c->moment[0])));
            assert_true(strtod(cell(line, 22), NULL) == c->mu_spin);
            assert_memory_equal(cell(line, 18), i == 0 ? "open," : i == 1 ? "stick," : "slide,", 5);
        }
    }
    free(text);
}

static void a_file_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    TactRecordCsv *csv = NULL;
    assert_int_equal(
        tact_record_csv_create("/not/there/x.csv", model, TACT_RECORD_CSV_STATES, &csv),
        TACT_IO_ERROR);
    tact_scratch_said("/not/there/x.csv: cannot be written");
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: there is no /dev/full\n");
        return;
    }
    assert_int_equal(tact_record_csv_create("/dev/full", model, TACT_RECORD_CSV_STATES, &csv),
                     TACT_OK);
    TactRecordFrame frame = tact_record_sample_frame(model, 1);
    for (int i = 0; i < 100; i++) {
        tact_status_ignore(tact_record_csv_add(csv, &frame)); // told at the end too
    }
    assert_int_equal(tact_record_csv_destroy(csv), TACT_IO_ERROR);
    tact_scratch_said("/dev/full: cannot be written: No space left on device");
}

static int setup(void **state)
{
    model = tact_record_sample_model();
    return tact_scratch_setup(state);
}

static int teardown(void **state)
{
    tact_model_destroy(model);
    return tact_scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_names_every_number_by_its_joint),
        cmocka_unit_test(numbers_come_back_bit_for_bit_whatever_the_locale),
        cmocka_unit_test(contacts_have_a_line_each_with_the_force_in_the_world),
        cmocka_unit_test(a_file_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
