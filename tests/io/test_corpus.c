// The seeds of the fuzz targets, and what fuzzing has found, read by every reader.
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <tact/record.h>

#include "io/problem/mtx.h"
#include "io/scratch.h"

static void read_everyhow(const char *path)
{
    TactLcpFile *file = NULL;
    TactText     text;
    if (tact_lcp_read(path, &file) == TACT_OK) {
        assert_int_equal(tact_lcp_check(&file->problem), TACT_OK);
    } else {
        assert_null(file);
        tact_scratch_said(path);
    }
    tact_lcp_file_destroy(file);
    TactContactFile *contact = NULL;
    if (tact_contact_read(path, &contact) == TACT_OK) {
        assert_int_equal(tact_contact_check(&contact->problem), TACT_OK);
    } else {
        assert_null(contact);
        tact_scratch_said(path);
    }
    tact_contact_file_destroy(contact);
    TactRecording *recording = NULL;
    if (tact_recording_open(path, &recording) == TACT_OK) {
        assert_true(recording->frame_count > 0);
    } else {
        assert_null(recording);
        tact_scratch_said(path);
    }
    tact_recording_close(recording);
    if (tact_text_load(&text, path) == TACT_OK) {
        TactMatrix matrix = {0};
        if (tact_mtx_parse(&text, TACT_INFINITY_TOO, &matrix) != TACT_OK) {
            tact_scratch_said(path);
        }
        tact_matrix_destroy(&matrix);
        tact_text_close(&text);
    }
}

static void every_seed_is_read_or_refused_with_its_name(void **state)
{
    (void)state;
    glob_t found = {0};
    assert_int_equal(glob(TACT_SOURCE_DIR "/tests/fuzz/corpus/*/*", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 40);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        read_everyhow(found.gl_pathv[i]);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_seed_is_read_or_refused_with_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
