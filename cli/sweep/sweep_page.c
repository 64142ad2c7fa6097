// A page about a sweep: its figures, its picture, its worst and failed trials; one file.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/sweep/sweep.h"

static const char HEAD[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>tact sweep</title>\n"
    "<style>:root{color-scheme:light dark}body{font-family:sans-serif;max-width:75rem;margin:2rem "
    "auto;padding:0 1rem}pre{overflow-x:auto}svg{max-width:100%;height:auto}</style>"
    "</head><body>\n";

static void put_words(FILE *file, const char *text)
{
    for (const char *c = text; *c; c++) {
        const char *escaped = *c == '<' ? "&lt;" : *c == '&' ? "&amp;" : *c == '>' ? "&gt;" : NULL;
        if (escaped) {
            fputs(escaped, file);
        } else {
            fputc(*c, file);
        }
    }
}

static void put_trials(FILE *file, const TactSweepTold *told, const char *title, const int *rows,
                       int count)
{
    const TactSweepResults *r = told->results;
    if (count == 0) {
        return;
    }
    fprintf(file, "<h2>%s</h2>\n<ul>\n", title);
    for (int i = 0; i < count; i++) {
        const double *row = r->values + (size_t)rows[i] * (size_t)r->column_count;
        int           trial = (int)row[0];
        fprintf(file, "<li>trial %d: ", trial);
        put_words(file, told->plan->outcomes[(int)row[told->plan->outcome_column]]);
        for (int k = 0; k < told->plan->varied_count; k++) {
            fputs(", ", file);
            put_words(file, told->plan->columns[told->plan->first_varied + k]);
            fprintf(file, " %.6g", row[told->plan->first_varied + k]);
        }
        fprintf(file, "<br><code>tact sweep ");
        put_words(file, told->options->file);
        fprintf(file, " --trial %d --html trial-%d.html</code></li>\n", trial, trial);
    }
    fputs("</ul>\n", file);
}

static bool write_page(const TactSweepTold *told, FILE *file)
{
    enum { LISTED = 20 };
    char  *words = NULL;
    size_t size = 0;
    int    rows[LISTED];
    FILE  *memory = open_memstream(&words, &size);
    if (!memory) {
        return false;
    }
    tact_sweep_print(told, memory);
    bool whole = fclose(memory) == 0;
    fputs(HEAD, file);
    fputs("<h1>", file);
    put_words(file, told->options->file);
    fputs("</h1>\n<pre>", file);
    put_words(file, whole ? words : "");
    fputs("</pre>\n", file);
    free(words);
    if (told->plan->varied_count > 0) {
        tact_sweep_draw_plot(told, file);
    }
    put_trials(file, told, "Worst trials", rows, tact_sweep_find_worst(told, rows, 10));
    int failed = tact_sweep_find_failed(told, rows, LISTED);
    put_trials(file, told, "Failed trials", rows, failed < LISTED ? failed : LISTED);
    fputs("</body></html>\n", file);
    return whole;
}

bool tact_sweep_write_page(const TactSweepTold *told, const char *path)
{
    FILE *file = fopen(path, "w");
    bool  done = file && write_page(told, file) && !ferror(file);
    done = file && fclose(file) == 0 && done;
    if (!done) {
        tact_cli_bad("--html %s: %s", path, strerror(errno));
    }
    return done;
}
