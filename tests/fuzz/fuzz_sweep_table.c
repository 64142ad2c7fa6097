// Any bytes as the table of a sweep, or as the file beside it: refused with a message, or a table
// that goes on: what is there of it stays, and trials that lack are added once.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/sweep.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] =
    "{\"format\": \"tact-sweep/1\", \"scene\": \"slope.xml\", \"trials\": 6, \"time\": 0.01, "
    "\"vary\": "
    "{\"mu\": {\"path\": \"geom/slope/friction\", \"uniform\": [0.1, 1]}}, \"measure\": {\"x\": "
    "\"/bodies/block/pos/0\"}}";

static void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && (size == 0 || write(file, bytes, size) == (ssize_t)size));
    close(file);
}

static TactSweep *open_sweep(void)
{
    static TactSweep *sweep;
    if (!sweep) {
        require(tact_sweep_read_memory(TACT_SOURCE_DIR "/scenes/fuzz.json", text, strlen(text),
                                       &sweep) == TACT_OK);
    }
    return sweep;
}

static void go_on(const TactSweep *sweep, const char *path)
{
    static const char row[] = "0,0.5,held,0.01,0.25,0,\n";
    TactSweepTable   *table = NULL;
    TactSweepResults *results = NULL;
    TactStatus        status = tact_sweep_table_open(sweep, path, &table);
    require((status == TACT_OK) == (table != NULL));
    require(status == TACT_OK || tact_status_message()[0] != '\0');
    if (!table) {
        return;
    }
    for (int trial = 5; trial >= 0; trial--) {
        char line[64];
        snprintf(line, sizeof line, "%d%s", trial, row + 1);
        require(tact_sweep_table_add(table, trial, line, strlen(line)) == TACT_OK);
    }
    require(tact_sweep_table_count(table) == 6);
    require(tact_sweep_table_close(table) == TACT_OK);
    require(tact_sweep_results_read(sweep, path, &results) == TACT_OK && results->count == 6);
    for (int i = 0; i < results->column_count; i++) {
        tact_sweep_results_moments(results, i);
    }
    tact_sweep_results_destroy(results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // The first byte says how much of it is the table; the rest is the file beside it.
    char       path[64], beside[80];
    TactSweep *sweep = open_sweep();
    size_t     part = size > 0 ? (size - 1) * data[0] / 255 : 0;
    snprintf(path, sizeof path, "/dev/shm/fuzz-sweep-%d.csv", (int)getpid());
    snprintf(beside, sizeof beside, "%s.sweep", path);
    write_bytes(path, size > 0 ? data + 1 : data, part);
    write_bytes(beside, size > 0 ? data + 1 + part : data, size > 0 ? size - 1 - part : 0);
    TactSweepResults *results = NULL;
    if (tact_sweep_results_read(sweep, path, &results) == TACT_OK) {
        tact_sweep_results_moments(results, 0);
    }
    tact_sweep_results_destroy(results);
    go_on(sweep, path);
    unlink(path);
    unlink(beside);
    return 0;
}
