#include "io/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];
static char heard[8192];
static int  warnings;

int tact_scratch_setup(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tact-test-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

int tact_scratch_teardown(void **state)
{
    (void)state;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] != '.') {
            unlink(tact_scratch_path(entry->d_name));
        }
    }
    if (directory) {
        closedir(directory);
    }
    tact_log_set(NULL, NULL, TACT_LOG_LEVEL_WARNING);
    return rmdir(folder);
}

const char *tact_scratch_path(const char *name)
{
    static char path[8][600];
    static int  next;
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

const char *tact_scratch_write(const char *name, const char *text)
{
    const char *path = tact_scratch_path(name);
    FILE       *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, strlen(text), stream), strlen(text));
    assert_int_equal(fclose(stream), 0);
    return path;
}

char *tact_scratch_read(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        return NULL;
    }
    size_t room = 1 << 20;
    char  *text = calloc(room, 1);
    assert_non_null(text);
    size_t size = fread(text, 1, room - 1, stream);
    assert_true(size < room - 1);
    fclose(stream);
    return text;
}

int tact_scratch_count(void)
{
    int  count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

const char *tact_scratch_shared(void)
{
    static char path[600];
    const char *shared = getenv("TACT_SHARED");
    snprintf(path, sizeof path, "%s/problems", shared ? shared : TACT_SOURCE_DIR "/../shared");
    if (access(path, R_OK) == 0) {
        return path;
    }
    printf("skipped: there are no sample problems at %s\n", path);
    return NULL;
}

static void listen(void *context, TactLogLevel level, const char *text)
{
    (void)context;
    (void)level;
    warnings++;
    size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%s\n", text);
}

void tact_scratch_listen(void)
{
    warnings = 0;
    heard[0] = '\0';
    tact_log_set(listen, NULL, TACT_LOG_LEVEL_WARNING);
}

bool tact_scratch_heard(const char *words)
{
    return strstr(heard, words) != NULL;
}

int tact_scratch_warnings(void)
{
    return warnings;
}

void tact_scratch_said(const char *words)
{
    if (!strstr(tact_status_message(), words)) {
        fail_msg("the message is \"%s\", without \"%s\"", tact_status_message(), words);
    }
}
