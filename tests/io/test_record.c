// Recordings: what is read is what was written; cut off, damaged, and on a full disk.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/record_repair.h"
#include "io/record_sample.h"
#include "io/scratch.h"

enum { FRAMES = 9 };

static TactModel *model;

/// The bytes of a file, to be freed.
static unsigned char *load(const char *path, size_t *size)
{
    struct stat about;
    FILE       *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fstat(fileno(stream), &about), 0);
    *size = (size_t)about.st_size;
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}

/// 0xcbf43926 is the check value by which CRC-32 is known ("123456789").
static void the_checksum_is_that_of_zlib(void **state)
{
    (void)state;
    assert_int_equal(tact_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(tact_crc32(tact_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
    assert_int_equal(tact_crc32(0, "", 0), 0);
}

// ---------------------------------------------------------------------------------------------
// What is read is what was written

static void frames_are_read_as_they_were_written_in_any_order(void **state)
{
    (void)state;
    TactRecording *recording = NULL;
    const char    *path = tact_record_sample_write(model, "whole.tact", FRAMES);
    assert_true(tact_recording_is_file(path));
    assert_int_equal(tact_recording_open(path, &recording), TACT_OK);
    assert_true(recording->complete);
    assert_true(recording->indexed);
    assert_true(recording->lost == 0);
    assert_int_equal(recording->frame_count, FRAMES);
    assert_true(recording->start == 0);
    assert_true(recording->end == 0.25 * (FRAMES - 1));
    for (int i = 0; i < 2 * FRAMES; i++) {
        int             k = i * 5 % FRAMES;
        TactRecordFrame expected = tact_record_sample_frame(model, k), frame;
        assert_int_equal(tact_recording_read(recording, k, &frame), TACT_OK);
        tact_record_sample_same(model, &expected, &frame);
    }
    TactRecordFrame frame;
    assert_int_equal(tact_recording_read(recording, FRAMES, &frame), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_recording_read(recording, -1, &frame), TACT_BAD_ARGUMENT);
    tact_recording_close(recording);
}

static void the_run_and_the_model_are_read_as_they_were_written(void **state)
{
    (void)state;
    TactRecording *recording = NULL;
    const char    *path = tact_record_sample_write(model, "model.tact", 1);
    assert_int_equal(tact_recording_open(path, &recording), TACT_OK);
    const TactRecordRun *run = &recording->run;
    assert_string_equal(run->scene, "sample.xml");
    assert_string_equal(run->method, "ladder");
    assert_string_equal(run->cone, "circle");
    assert_true(run->timestep == 0.002);
    assert_int_equal(run->word_count, 4);
    assert_string_equal(run->words[2], "--time");
    assert_non_null(strstr(run->program, "tact "));
    const TactRecordModel *m = &recording->model;
    assert_string_equal(m->name, "sample");
    assert_true(m->hash == model->hash);
    assert_int_equal(m->nq, model->nq);
    assert_int_equal(m->nv, model->nv);
    assert_int_equal(m->body_count, 4);
    assert_string_equal(m->bodies[2].name, "post");
    assert_false(m->bodies[0].moves);
    assert_true(m->bodies[1].moves);
    assert_false(m->bodies[2].moves);
    int arm = tact_model_find(model, TACT_OBJECT_BODY, "arm");
    assert_true(m->bodies[arm].moves);
    assert_int_equal(m->bodies[arm].parent, 2);
    assert_true(m->bodies[arm].pose.position.y == 1 && m->bodies[arm].pose.position.z == 3);
    int elbow = tact_model_find(model, TACT_OBJECT_JOINT, "elbow");
    assert_string_equal(m->joints[elbow].name, "elbow");
    assert_true(m->joints[elbow].limited && m->joints[elbow].range[1] == 2);
    assert_int_equal(m->joints[elbow].q, model->joints[elbow].q);
    int wedge = tact_model_find(model, TACT_OBJECT_GEOM, "wedge");
    assert_int_equal(m->geoms[wedge].type, TACT_GEOM_MESH);
    assert_int_equal(m->geoms[wedge].body, arm);
    assert_true(m->geoms[wedge].rgba[0] == 0.25);
    assert_string_equal(m->sites[0].name, "tip");
    assert_string_equal(m->actuators[0].name, "motor");
    assert_true(m->actuators[0].range[0] == -3);
    assert_string_equal(m->sensors[0].name, "angle");
    assert_int_equal(m->sensor_size, 1);
    tact_recording_close(recording);
}

static void meshes_and_height_fields_are_there_to_be_drawn(void **state)
{
    (void)state;
    TactRecording *recording = NULL;
    const char    *path = tact_record_sample_write(model, "drawn.tact", 0);
    assert_int_equal(tact_recording_open(path, &recording), TACT_OK);
    assert_int_equal(recording->frame_count, 0);
    assert_int_equal(tact_recording_find(recording, 1), -1);
    const TactRecordMesh *mesh = &recording->model.meshes[0];
    const TactMesh       *made = model->meshes[0].mesh;
    assert_string_equal(mesh->name, "corner");
    assert_int_equal(mesh->vertex_count, made->vertex_count);
    assert_int_equal(mesh->triangle_count, made->triangle_count);
    for (int i = 0; i < made->vertex_count; i++) {
        assert_true((double)mesh->vertices[3 * i + 2] == made->vertices[i].z);
    }
    for (int i = 0; i < made->triangle_count; i++) {
        assert_int_equal(mesh->triangles[3 * i + 1], made->triangles[i].vertex[1]);
    }
    const TactRecordField *field = &recording->model.fields[0];
    assert_string_equal(field->name, "hills");
    assert_int_equal(field->rows, 2);
    assert_int_equal(field->columns, 3);
    assert_true(field->half[1] == 2 && field->top == 0.5 && field->base == 0.1);
    assert_true(field->height[2] == 1.0F && field->height[5] == 0.75F);
    tact_recording_close(recording);
}

static void a_time_is_found(void **state)
{
    (void)state;
    TactRecording *recording = NULL;
    const char    *path = tact_record_sample_write(model, "times.tact", FRAMES);
    assert_int_equal(tact_recording_open(path, &recording), TACT_OK);
    assert_int_equal(tact_recording_find(recording, -1), 0);
    assert_int_equal(tact_recording_find(recording, 0), 0);
    assert_int_equal(tact_recording_find(recording, 0.24), 0);
    assert_int_equal(tact_recording_find(recording, 0.25), 1);
    assert_int_equal(tact_recording_find(recording, 0.74), 2);
    assert_int_equal(tact_recording_find(recording, 99), FRAMES - 1);
    tact_recording_close(recording);
}

// ---------------------------------------------------------------------------------------------
// Cut off, and damaged

/// Reads all frames of some bytes; fails if one is another than was written. Returns how many are
/// whole, -1 if it is not opened.
static int read_whole(const unsigned char *bytes, size_t size, bool *complete)
{
    TactRecording *recording = NULL;
    int            whole = 0;
    *complete = false;
    if (tact_recording_open_memory("bytes", bytes, size, &recording) != TACT_OK) {
        assert_null(recording);
        return -1;
    }
    *complete = recording->complete;
    assert_in_range(recording->frame_count, 0, FRAMES);
    for (int i = 0; i < recording->frame_count; i++) {
        TactRecordFrame frame;
        if (tact_recording_read(recording, i, &frame) == TACT_OK) {
            TactRecordFrame expected = tact_record_sample_frame(model, i);
            tact_record_sample_same(model, &expected, &frame);
            whole++;
        } else {
            *complete = false;
        }
    }
    tact_recording_close(recording);
    return whole;
}

static void a_file_that_was_cut_off_anywhere_is_read_up_to_there(void **state)
{
    (void)state;
    size_t         size;
    unsigned char *bytes = load(tact_record_sample_write(model, "cut.tact", FRAMES), &size);
    int            before = -1;
    bool           complete;
    for (size_t length = 0; length < size; length++) {
        unsigned char *part = malloc(length + 1); // so that reading past the end is seen
        assert_non_null(part);
        memcpy(part, bytes, length);
        int whole = read_whole(part, length, &complete);
        assert_false(complete);
        assert_true(whole >= before && whole <= before + 1);
        before = whole;
        free(part);
    }
    assert_int_equal(before, FRAMES);
    assert_int_equal(read_whole(bytes, size, &complete), FRAMES);
    assert_true(complete);
    free(bytes);
}

/// Every byte in turn is changed; padding may be, without a loss.
static void a_changed_byte_is_noticed_and_never_read_as_data(void **state)
{
    (void)state;
    size_t         size;
    unsigned char *bytes = load(tact_record_sample_write(model, "damaged.tact", FRAMES), &size);
    int            unnoticed = 0;
    for (size_t i = 0; i < size; i++) {
        bool complete;
        bytes[i] ^= (unsigned char)(1 << i % 8);
        int whole = read_whole(bytes, size, &complete);
        unnoticed += complete && whole == FRAMES;
        bytes[i] ^= (unsigned char)(1 << i % 8);
    }
    // 4 unused bytes of the head, and what fills up the two blocks before the frames
    assert_in_range(unnoticed, 4, 18);
    free(bytes);
}

/// Nonsense with right checksums: whatever comes of it, nothing is read that is not there.
static void nonsense_inside_whole_blocks_does_no_harm(void **state)
{
    (void)state;
    size_t         size;
    unsigned char *bytes = load(tact_record_sample_write(model, "nonsense.tact", 3), &size);
    unsigned char *wrong = malloc(size);
    TactRandom     random = tact_random_seed(7);
    int            refused = 0, shortened = 0;
    assert_non_null(wrong);
    for (int i = 0; i < 4000; i++) {
        memcpy(wrong, bytes, size);
        for (int k = 0; k <= i % 4; k++) {
            static const unsigned char extreme[] = {0, 1, 0x7f, 0x80, 0xff};
            size_t                     at = (size_t)(tact_random_next(&random) % size);
            wrong[at] = extreme[tact_random_next(&random) % sizeof extreme];
        }
        repair_recording(wrong, size);
        int read = read_everything(wrong, size);
        assert_true(read >= -1 && read <= 3);
        refused += read == -1;
        shortened += read >= 0 && read < 3;
    }
    assert_true(refused > 100 && shortened > 100); // both were met
    free(bytes);
    free(wrong);
}

static void what_is_no_recording_is_refused(void **state)
{
    (void)state;
    TactRecording *recording = NULL;
    const char    *text = tact_scratch_write("text.tact", "tactrec but not really");
    assert_false(tact_recording_is_file(text));
    assert_int_equal(tact_recording_open(text, &recording), TACT_BAD_INPUT);
    tact_scratch_said("no recording");
    assert_int_equal(tact_recording_open(tact_scratch_path("none.tact"), &recording),
                     TACT_IO_ERROR);
    tact_scratch_said("none.tact: cannot be read: No such file");
    size_t         size;
    unsigned char *bytes = load(tact_record_sample_write(model, "later.tact", 1), &size);
    bytes[8] = 2;
    assert_int_equal(tact_recording_open_memory("later", bytes, size, &recording),
                     TACT_UNSUPPORTED);
    tact_scratch_said("version 2");
    free(bytes);
}

// ---------------------------------------------------------------------------------------------
// Files that cannot be written

static void a_full_device_is_an_error_at_once(void **state)
{
    (void)state;
    TactRecordWriter *writer = NULL;
    TactRecordConfig  config = tact_record_config_default();
    TactRecordRun     run = {0};
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: there is no /dev/full\n");
        return;
    }
    assert_int_equal(tact_record_writer_create("/dev/full", model, &run, &config, &writer),
                     TACT_IO_ERROR);
    assert_null(writer);
    tact_scratch_said("/dev/full: cannot be written: No space left on device");
}

/// A file may not grow past a limit, as on a disk that is full.
static void a_disk_that_fills_up_leaves_the_frames_until_then(void **state)
{
    (void)state;
    TactRecordWriter *writer = NULL;
    TactRecordConfig  config = tact_record_config_default();
    TactRecordRun     run = {0};
    TactRecordFrame   frame;
    struct rlimit     old;
    const char       *path = tact_scratch_path("full.tact");
    size_t            most = 7000;
    config.flush = 0;
    config.sensors = true;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {most, old.rlim_max};
    assert_int_equal(tact_record_writer_create(path, model, &run, &config, &writer), TACT_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int        added = 0;
    TactStatus status = TACT_OK;
    while (status == TACT_OK && added < 1000) {
        frame = tact_record_sample_frame(model, added);
        status = tact_record_writer_add(writer, &frame);
        added += status == TACT_OK;
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, TACT_IO_ERROR);
    char held[64];
    snprintf(held, sizeof held, "it holds %d frames, up to %g s", added, 0.25 * (added - 1));
    tact_scratch_said("full.tact: cannot be written: File too large");
    tact_scratch_said(held);
    // nothing is added any more, though there would be room again
    assert_int_equal(tact_record_writer_add(writer, &frame), TACT_IO_ERROR);
    assert_int_equal(tact_record_writer_destroy(writer), TACT_IO_ERROR);

    TactRecording *recording = NULL;
    assert_int_equal(tact_recording_open(path, &recording), TACT_OK);
    assert_int_equal(recording->frame_count, added);
    assert_true(added > 1);
    assert_true(recording->lost == 0); // it ends with a whole frame
    assert_false(recording->complete);
    for (int i = 0; i < added; i++) {
        TactRecordFrame expected = tact_record_sample_frame(model, i);
        assert_int_equal(tact_recording_read(recording, i, &frame), TACT_OK);
        tact_record_sample_same(model, &expected, &frame);
    }
    tact_recording_close(recording);
}

/// Whoever kills the program leaves a file that can be read: frames do not wait for the end.
static void frames_are_in_the_file_before_it_is_closed(void **state)
{
    (void)state;
    TactRecordWriter *writer = NULL;
    TactRecording    *recording = NULL;
    TactRecordConfig  config = tact_record_config_default();
    TactRecordRun     run = {0};
    const char       *path = tact_scratch_path("open.tact");
    config.flush = 0;
    config.sensors = true;
    assert_int_equal(tact_record_writer_create(path, model, &run, &config, &writer), TACT_OK);
    for (int k = 0; k < 3; k++) {
        TactRecordFrame frame = tact_record_sample_frame(model, k);
        assert_int_equal(tact_record_writer_add(writer, &frame), TACT_OK);
        assert_int_equal(tact_recording_open(path, &recording), TACT_OK);
        assert_int_equal(recording->frame_count, k + 1);
        assert_false(recording->complete);
        tact_recording_close(recording);
    }
    assert_int_equal(tact_record_writer_destroy(writer), TACT_OK);
}

static void bad_use_is_told(void **state)
{
    (void)state;
    TactRecordWriter *writer = NULL;
    TactRecordConfig  config = {0};
    TactRecordRun     run = {0};
    const char       *path = tact_scratch_path("use.tact");
    assert_int_equal(tact_record_writer_create(path, model, &run, &config, &writer),
                     TACT_BAD_ARGUMENT);
    tact_scratch_said("tact_record_config_default");
    config = tact_record_config_default();
    config.sensors = true;
    assert_int_equal(tact_record_writer_create(path, model, &run, &config, &writer), TACT_OK);
    TactRecordFrame frame = tact_record_sample_frame(model, 1);
    frame.sensors = NULL;
    assert_int_equal(tact_record_writer_add(writer, &frame), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_record_writer_destroy(writer), TACT_OK);
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
        cmocka_unit_test(the_checksum_is_that_of_zlib),
        cmocka_unit_test(frames_are_read_as_they_were_written_in_any_order),
        cmocka_unit_test(the_run_and_the_model_are_read_as_they_were_written),
        cmocka_unit_test(meshes_and_height_fields_are_there_to_be_drawn),
        cmocka_unit_test(a_time_is_found),
        cmocka_unit_test(a_file_that_was_cut_off_anywhere_is_read_up_to_there),
        cmocka_unit_test(a_changed_byte_is_noticed_and_never_read_as_data),
        cmocka_unit_test(nonsense_inside_whole_blocks_does_no_harm),
        cmocka_unit_test(what_is_no_recording_is_refused),
        cmocka_unit_test(a_full_device_is_an_error_at_once),
        cmocka_unit_test(a_disk_that_fills_up_leaves_the_frames_until_then),
        cmocka_unit_test(frames_are_in_the_file_before_it_is_closed),
        cmocka_unit_test(bad_use_is_told),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
