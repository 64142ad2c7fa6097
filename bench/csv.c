#include "bench/csv.h"

#include <stdbool.h>

#include "bench/facts.h"

static void complain(const char *path)
{
    fprintf(stderr, "tact: %s cannot be written\n", path);
}

FILE *tact_bench_csv_open(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        complain(path);
        return NULL;
    }
    tact_bench_write_facts(file, "# ");
    return file;
}

int tact_bench_csv_close(FILE *file, const char *path)
{
    bool failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        complain(path);
        return 2;
    }
    return 0;
}
