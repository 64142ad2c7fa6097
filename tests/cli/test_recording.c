// Recordings by the program: written by `tact run`, told by `tact info`, proven by `tact check`.
#define _XOPEN_SOURCE 700 // posix_openpt
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tact/load.h>
#include <tact/record.h>
#include <time.h>
#include <unistd.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define SCENES TACT_SOURCE_DIR "/scenes/"

static void a_recorded_run_can_be_told_and_made_again(void **state)
{
    (void)state;
    tact_program_expect(0, "run --time 0.5 --record run.tact " SCENES "slope.xml --cone=circle");
    tact_program_expect(0, "info run.tact");
    tact_program_words(tact_program_out,
                       "tact run --time 0.5 --record run.tact " SCENES "slope.xml --cone=circle");
    tact_program_words(tact_program_out, "a recording of " SCENES "slope.xml, 0.5 s in 33 frames");
    tact_program_words(tact_program_out, "250 of 2 ms, by ladder with the circle");
    tact_program_words(tact_program_out, "32 in the frames, 32 certified");
    tact_program_expect(0, "check run.tact");
    tact_program_words(tact_program_out, "33 frames, up to 0.5 s");
    tact_program_words(tact_program_out, "bit for bit");
    tact_program_expect(0, "check run.tact --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_number(tact_program_out, "compared") == 33);
}

/// 0, 16, ..., 496 ms of 500 by default (8 steps of 2 ms are nearest to 1/60 s), and the end.
static void frames_are_as_far_apart_as_asked(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        int         frames;
    } cases[] = {
        {"", 33}, {"--record-every 0", 251}, {"--record-every 0.1", 6}, {"--record-every 9", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[256];
        snprintf(words, sizeof words, "run " SCENES "slope.xml --time 0.5 --record every.tact %s",
                 cases[i].option);
        tact_program_expect(0, words);
        tact_program_expect(0, "info every.tact --json");
        assert_true(tact_json_is_valid(tact_program_out));
        assert_true(tact_json_number(tact_program_out, "frames") == cases[i].frames);
        assert_true(fabs(tact_json_number(tact_program_out, "end") - 0.5) < 1e-12);
    }
}

static void a_recording_that_was_cut_off_says_so_and_proves_the_rest(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SCENES "slope.xml --time 0.5 --record cut.tact");
    assert_int_equal(truncate(tact_scratch_path("cut.tact"), 9000), 0);
    tact_program_expect(1, "info cut.tact");
    tact_program_words(tact_program_out, "cut off");
    tact_program_expect(1, "check cut.tact");
    tact_program_words(tact_program_out, "bit for bit");
    tact_program_words(tact_program_out, "cut off");
    assert_int_equal(truncate(tact_scratch_path("cut.tact"), 100), 0);
    tact_program_expect(2, "info cut.tact");
    tact_program_words(tact_program_err, "before its first frame");
}

static void another_model_cannot_prove_a_run(void **state)
{
    (void)state;
    tact_scratch_write("ball.xml", "<mujoco><worldbody><body name='b' pos='0 0 5'><freejoint/>"
                                   "<geom size='.1'/></body></worldbody></mujoco>");
    tact_program_expect(0, "run ball.xml --time 0.1 --record ball.tact");
    tact_program_expect(0, "check ball.tact");
    tact_scratch_write("ball.xml", "<mujoco><worldbody><body name='b' pos='0 0 5'><freejoint/>"
                                   "<geom size='.2'/></body></worldbody></mujoco>");
    tact_program_expect(2, "check ball.tact");
    tact_program_words(tact_program_err, "ball.xml is another model now");
}

/// A copy in which the state of one frame, and its hash, are others.
static void write_lie(const char *from, const char *to, int liar)
{
    TactModelLoadConfig load = tact_model_load_config_default();
    TactRecordConfig    config = tact_record_config_default();
    TactModel          *model = NULL;
    TactRecording      *recording = NULL;
    TactRecordWriter   *writer = NULL;
    assert_int_equal(tact_model_load(SCENES "slope.xml", &load, &model, NULL), TACT_OK);
    assert_int_equal(tact_recording_open(tact_scratch_path(from), &recording), TACT_OK);
    assert_int_equal(
        tact_record_writer_create(tact_scratch_path(to), model, &recording->run, &config, &writer),
        TACT_OK);
    for (int i = 0; i < recording->frame_count; i++) {
        TactRecordFrame frame;
        assert_int_equal(tact_recording_read(recording, i, &frame), TACT_OK);
        frame.hash += i == liar;
        assert_int_equal(tact_record_writer_add(writer, &frame), TACT_OK);
    }
    assert_int_equal(tact_record_writer_destroy(writer), TACT_OK);
    tact_recording_close(recording);
    tact_model_destroy(model);
}

static void a_state_that_differs_is_found(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SCENES "slope.xml --time 0.5 --record true.tact");
    write_lie("true.tact", "lie.tact", 20); // step 160
    tact_program_expect(1, "check lie.tact");
    tact_program_words(tact_program_out, "the state after step 160, at 0.32 s, is another");
    tact_program_words(tact_program_out, "20 frames before it are the same");
    tact_program_expect(1, "check lie.tact --json");
    assert_true(tact_json_number(tact_program_out, "step") == 160);
}

static void csv_files_have_a_line_a_step_and_a_line_a_contact(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SCENES
                           "slope.xml --time 0.02 --csv states.csv --csv-contacts contacts.csv");
    char *states = tact_scratch_read(tact_scratch_path("states.csv"));
    char *contacts = tact_scratch_read(tact_scratch_path("contacts.csv"));
    int   lines[2] = {0, 0};
    for (const char *at = states; *at; at++) {
        lines[0] += *at == '\n';
    }
    for (const char *at = contacts; *at; at++) {
        lines[1] += *at == '\n';
    }
    assert_int_equal(lines[0], 1 + 11);
    assert_int_equal(lines[1], 1 + 4 * 10);
    tact_program_words(contacts, ",stick,");
    free(states);
    free(contacts);
}

/// The angle of a hinge, and the clock, are the state's own.
static void sensors_are_recorded(void **state)
{
    (void)state;
    TactRecording  *recording = NULL;
    TactRecordFrame frame;
    tact_scratch_write("sensors.xml",
                       "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/>"
                       "<geom size='.1' pos='1 0 0'/></body></worldbody><sensor>"
                       "<jointpos name='angle' joint='hinge'/><clock name='time'/></sensor>"
                       "</mujoco>");
    tact_program_expect(0, "run sensors.xml --time 0.1 --record sensors.tact --csv sensors.csv");
    assert_int_equal(tact_recording_open(tact_scratch_path("sensors.tact"), &recording), TACT_OK);
    assert_int_equal(recording->model.sensor_size, 2);
    assert_string_equal(recording->model.sensors[0].name, "angle");
    for (int i = 0; i < recording->frame_count; i++) {
        assert_int_equal(tact_recording_read(recording, i, &frame), TACT_OK);
        assert_true(frame.sensors[0] == frame.q[0]);
        assert_true(frame.sensors[1] == frame.time);
    }
    assert_true(frame.q[0] > 0.01); // it falls
    tact_recording_close(recording);
    char *csv = tact_scratch_read(tact_scratch_path("sensors.csv"));
    tact_program_words(csv, "v:hinge,sensor:angle,sensor:time,contacts");
    free(csv);
}

static void hashes_are_told_every_so_often(void **state)
{
    (void)state;
    tact_program_expect(0, "run " SCENES "slope.xml --time 0.1 --hash-every 20");
    tact_program_words(tact_program_out, "after step 20\n");
    tact_program_words(tact_program_out, "after step 40\n");
    assert_null(strstr(tact_program_out, "after step 60"));
    tact_program_expect(0, "run " SCENES "slope.xml --time 0.1 --hash-every 25 --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_int_equal(tact_json_count(tact_program_out, "hashes"), 2);
    assert_true(tact_json_number(tact_program_out, "hashes.1.step") == 50);
}

/// Beyond the size that the shell allows, writing fails, and the signal does not end the program.
static void a_file_beyond_its_limit_ends_the_run_with_a_message(void **state)
{
    (void)state;
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 8192;
    char words[512];
    snprintf(words, sizeof words, "run " SCENES "slope.xml --time 2 --csv %s",
             tact_scratch_path("large.csv"));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    tact_program_expect(2, words);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    tact_program_words(tact_program_err, "large.csv: cannot be written: File too large");
}

static void a_file_that_cannot_be_written_ends_the_run(void **state)
{
    (void)state;
    tact_program_expect(2, "run " SCENES "slope.xml --record /not/there/run.tact");
    tact_program_words(tact_program_err, "/not/there/run.tact: cannot be written");
    tact_program_expect(2, "run " SCENES "slope.xml --html /not/there/run.html");
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: there is no /dev/full\n");
        return;
    }
    tact_program_expect(2, "run " SCENES "slope.xml --record /dev/full");
    tact_program_words(tact_program_err, "/dev/full: cannot be written: No space left on device");
    tact_program_expect(2, "run " SCENES "slope.xml --csv /dev/full");
    tact_program_words(tact_program_err, "/dev/full: cannot be written: No space left on device");
}

// ---------------------------------------------------------------------------------------------
// Ctrl-C, and a terminal

/// Starts the program with these words; standard error goes to a descriptor.
static pid_t start(char *const words[], int error)
{
    const char *program = tact_program_path();
    pid_t       child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int out = open(tact_scratch_path("out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out, STDOUT_FILENO);
        dup2(error, STDERR_FILENO);
        setenv("TERM", "xterm", 1); // a dumb one is told nothing
        alarm(300);                 // a test that fails leaves no program behind
        execv(program, words);
        _exit(99);
    }
    return child;
}

/// Waits until a file has so many bytes, or a minute.
static void wait_for(const char *path, off_t size)
{
    struct stat about = {0};
    for (int i = 0; i < 6000 && (stat(path, &about) != 0 || about.st_size < size); i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_true(about.st_size >= size);
}

static void ctrl_c_ends_a_run_with_its_report_and_a_whole_recording(void **state)
{
    (void)state;
    const char *path = tact_scratch_path("stopped.tact");
    char        record[600];
    snprintf(record, sizeof record, "--record=%s", path);
    char *const words[] = {"tact", "run", SCENES "slope.xml", "--time", "10000", record, NULL};
    int         error = open(tact_scratch_path("err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t       child = start(words, error);
    int         status = 0;
    wait_for(path, 20000);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(error);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
    char *out = tact_scratch_read(tact_scratch_path("out"));
    tact_program_words(out, "stopped       before its time, 10000 s");
    tact_program_words(out, "certified");
    free(out);
    TactRecording *recording = NULL;
    assert_int_equal(tact_recording_open(path, &recording), TACT_OK);
    assert_true(recording->complete);
    assert_true(recording->frame_count > 10);
    tact_recording_close(recording);
}

static void a_terminal_sees_how_far_a_run_is_and_a_file_does_not(void **state)
{
    (void)state;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        print_message("skipped: there are no terminals here\n");
        return;
    }
    fcntl(terminal, F_SETFD, FD_CLOEXEC); // the program has its own end of it alone
    int slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    const struct winsize wide = {.ws_row = 24, .ws_col = 200}; // no line is cut
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &wide), 0);
    // so long that it is on its way when it is told to end, at rest as it is
    char        seen[4096] = "";
    char *const words[] = {"tact", "run", SCENES "slope.xml", "--time", "1e9", NULL};
    pid_t       child = start(words, slave);
    close(slave); // a program that ends is an error of read then, not a wait for ever
    size_t used = 0;
    while (!strstr(seen, "left") && used < sizeof seen - 1) {
        ssize_t size = read(terminal, seen + used, sizeof seen - 1 - used);
        assert_true(size > 0);
        used += (size_t)size;
    }
    tact_program_words(seen, "of 1e+09 s");
    tact_program_words(seen, "x real time, 4 contacts");
    assert_int_equal(kill(child, SIGTERM), 0);
    // its last words are read, so that it never waits for room in the terminal
    char last[256];
    while (read(terminal, last, sizeof last) > 0) {
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM);
    close(terminal);

    tact_program_expect(0, "run " SCENES "slope.xml --time 2");
    assert_string_equal(tact_program_err, "");
}

/// An arm that is thrown so fast that no number holds what follows.
static void motion_that_leaves_the_numbers_names_its_joint(void **state)
{
    (void)state;
    tact_scratch_write("wild.xml",
                       "<mujoco><worldbody><body name='arm'><joint name='shoulder'/>"
                       "<geom type='capsule' size='.1' fromto='0 0 0 1 0 0'/>"
                       "<body name='hand' pos='1 0 0'><joint name='wrist' axis='0 1 0'/>"
                       "<geom size='.1' pos='.3 0 0'/></body></body></worldbody>"
                       "<keyframe><key qvel='1e300 1e300'/></keyframe></mujoco>");
    tact_program_expect(2, "run wild.xml --time 1 --record wild.tact");
    tact_program_words(tact_program_err, "wild.xml: at 0 s: ");
    tact_program_words(tact_program_err, "shoulder");
    // what was good is on record
    tact_program_expect(0, "info wild.tact --json");
    assert_true(tact_json_number(tact_program_out, "frames") == 1);
}

int main(void)
{
#if !defined(TACT_HAVE_LIBXML2)
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_run_can_be_told_and_made_again),
        cmocka_unit_test(frames_are_as_far_apart_as_asked),
        cmocka_unit_test(a_recording_that_was_cut_off_says_so_and_proves_the_rest),
        cmocka_unit_test(another_model_cannot_prove_a_run),
        cmocka_unit_test(a_state_that_differs_is_found),
        cmocka_unit_test(csv_files_have_a_line_a_step_and_a_line_a_contact),
        cmocka_unit_test(sensors_are_recorded),
        cmocka_unit_test(hashes_are_told_every_so_often),
        cmocka_unit_test(a_file_that_cannot_be_written_ends_the_run),
        cmocka_unit_test(a_file_beyond_its_limit_ends_the_run_with_a_message),
        cmocka_unit_test(ctrl_c_ends_a_run_with_its_report_and_a_whole_recording),
        cmocka_unit_test(a_terminal_sees_how_far_a_run_is_and_a_file_does_not),
        cmocka_unit_test(motion_that_leaves_the_numbers_names_its_joint),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_program_teardown);
}
