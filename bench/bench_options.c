#include "bench/bench_options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tact_bench_refuse(const char *experiment, const char *what, const char *word)
{
    fprintf(stderr, "tact: bench %s: %s '%s'; see tact bench %s --help\n", experiment, what, word,
            experiment);
    return 2;
}

static const TactBenchOption *find(const TactBenchOption *options, const char *word)
{
    for (; options->word; options++) {
        if (strcmp(options->word, word) == 0) {
            return options;
        }
    }
    return NULL;
}

static bool read_number(const TactBenchOption *option, const char *word)
{
    char  *end;
    double number = strtod(word, &end);
    if (end == word || *end != '\0' || !(number >= option->least && number <= option->most)) {
        return false;
    }
    if (option->kind == TACT_BENCH_NUMBER) {
        *(double *)option->value = number;
        return true;
    }
    *(int *)option->value = (int)number;
    return (int)number == number;
}

int tact_bench_read_options(const TactBenchOptionList *list, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            fputs(list->help, stdout);
            return -1;
        }
        const TactBenchOption *option = find(list->options, word);
        if (!option && list->file && strncmp(word, "--", 2) != 0) {
            int status = list->file(list->context, word);
            if (status != 0) {
                return status;
            }
            continue;
        }
        if (!option) {
            return tact_bench_refuse(list->experiment, "there is no option", word);
        }
        if (option->kind == TACT_BENCH_FLAG) {
            *(bool *)option->value = true;
            continue;
        }
        if (++i == argc) {
            return tact_bench_refuse(list->experiment, "a value must follow", word);
        }
        if (option->kind == TACT_BENCH_TEXT) {
            *(const char **)option->value = argv[i];
        } else if (!read_number(option, argv[i])) {
            return tact_bench_refuse(list->experiment, "not a number in range:", argv[i]);
        }
    }
    return 0;
}
