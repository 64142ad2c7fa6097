#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress/progress.h"

// ---------------------------------------------------------------------------------------------
// Options that all verbs have

static const TactOption common[] = {
    {"--quiet", TACT_OPTION_FLAG, 0, NULL, "no line on the terminal that shows the progress", NULL},
};

enum { COMMON = sizeof common / sizeof common[0] };

int tact_options_count(const TactOptionTable *table)
{
    return table->count + (table->count > 0 ? COMMON : 0);
}

const TactOption *tact_options_at(const TactOptionTable *table, int i)
{
    int last = table->count - 1; // --help
    return i < last            ? &table->options[i]
           : i < last + COMMON ? &common[i - last]
                               : &table->options[last];
}

static bool is_common(const TactOption *option)
{
    return option >= common && option < common + COMMON;
}

// ---------------------------------------------------------------------------------------------
// Values

static bool read_number(const TactOption *option, const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    bool positive = option->kind == TACT_OPTION_POSITIVE;
    if (end == text || *end != '\0' || errno == ERANGE || !isfinite(*number) ||
        !(positive ? *number > 0 : *number >= 0)) {
        tact_cli_bad("%s: '%s' is not a %s", option->name, text,
                     positive ? "positive number" : "number of 0 or more");
        return false;
    }
    return true;
}

static bool read_count(const TactOption *option, const char *text, int *count)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE || number < 1 || number > INT_MAX) {
        tact_cli_bad("%s: '%s' is not a positive whole number", option->name, text);
        return false;
    }
    *count = (int)number;
    return true;
}

static bool read_word(const TactOption *option, const char *text, int *word)
{
    char list[128] = "";
    for (int i = 0; option->words[i]; i++) {
        if (strcmp(text, option->words[i]) == 0) {
            *word = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 i == 0                 ? ""
                 : option->words[i + 1] ? ", "
                                        : " or ",
                 option->words[i]);
    }
    tact_cli_bad("%s is %s, not '%s'", option->name, list, text);
    return false;
}

static bool add_text(const TactOption *option, const char *text, TactOptionTexts *texts)
{
    if (texts->count == TACT_OPTION_MOST_TEXTS) {
        tact_cli_bad("more than %d times %s", TACT_OPTION_MOST_TEXTS, option->name);
        return false;
    }
    texts->texts[texts->count++] = text;
    return true;
}

static bool set_option(const TactOption *option, const char *text, void *values)
{
    void *place = (char *)values + option->place;
    switch (option->kind) {
    case TACT_OPTION_FLAG: *(bool *)place = true; return true;
    case TACT_OPTION_TEXT: *(const char **)place = text; return true;
    case TACT_OPTION_TEXTS: return add_text(option, text, place);
    case TACT_OPTION_WORD: return read_word(option, text, place);
    case TACT_OPTION_POSITIVE:
    case TACT_OPTION_REAL: return read_number(option, text, place);
    case TACT_OPTION_COUNT: return read_count(option, text, place);
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// The line

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

/// The option that a word names, alone or up to '='; NULL: there is none.
static const TactOption *find_option(const TactOptionTable *table, const char *word)
{
    word = strcmp(word, "-h") == 0 ? "--help" : word;
    size_t length = strcspn(word, "=");
    for (int i = 0; i < tact_options_count(table); i++) {
        const char *name = tact_options_at(table, i)->name;
        if (strlen(name) == length && strncmp(word, name, length) == 0) {
            return tact_options_at(table, i);
        }
    }
    return NULL;
}

static void complain_unknown(const TactOptionTable *table, const char *word)
{
    enum { MOST = 64 };
    const char *names[MOST + 1] = {NULL};
    for (int i = 0; i < tact_options_count(table) && i < MOST; i++) {
        names[i] = tact_options_at(table, i)->name;
    }
    const char *nearest = tact_cli_nearest(word, names);
    if (nearest) {
        tact_cli_bad("there is no option '%s'; did you mean '%s'?", word, nearest);
    } else {
        tact_cli_bad("there is no option '%s'; see tact %s --help", word, table->verb);
    }
}

bool tact_options_parse(const TactOptionTable *table, int argc, char **argv, void *values,
                        TactOptionRest *rest)
{
    bool ended = false;
    *rest = (TactOptionRest){.words = argv + 1};
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (ended || !is_option(word)) {
            rest->words[rest->count++] = word; // never past i
            continue;
        }
        if (strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        const TactOption *option = find_option(table, word);
        if (!option) {
            complain_unknown(table, word);
            return false;
        }
        const char *value = strchr(word, '=');
        if (option->kind == TACT_OPTION_FLAG) {
            if (value) {
                tact_cli_bad("%s takes no value", option->name);
                return false;
            }
        } else if (value) {
            value++;
        } else if (i + 1 < argc) {
            value = argv[++i];
        } else {
            tact_cli_bad("%s needs a value: %s %s", word, word, option->value);
            return false;
        }
        if (is_common(option)) {
            tact_progress_silence(); // there is one only
        } else if (!set_option(option, value, values)) {
            return false;
        }
    }
    return true;
}

const char *tact_options_single(const TactOptionTable *table, const TactOptionRest *rest,
                                const char *needs)
{
    if (rest->count == 0) {
        tact_cli_bad("tact %s needs %s; see tact %s --help", table->verb, needs, table->verb);
        return NULL;
    }
    if (rest->count > 1) {
        tact_cli_bad("tact %s takes one file, not '%s' too", table->verb, rest->words[1]);
        return NULL;
    }
    return rest->words[0];
}

// ---------------------------------------------------------------------------------------------
// Help

static int width_of(const TactOption *option)
{
    return (int)(strlen(option->name) + (option->value ? 1 + strlen(option->value) : 0));
}

void tact_options_print(const TactOptionTable *table)
{
    int width = 0;
    for (int i = 0; i < tact_options_count(table); i++) {
        int needed = width_of(tact_options_at(table, i));
        width = needed > width ? needed : width;
    }
    printf("options\n");
    for (int i = 0; i < tact_options_count(table); i++) {
        const TactOption *option = tact_options_at(table, i);
        int               left = printf("  %s%s%s", option->name, option->value ? " " : "",
                          option->value ? option->value : "");
        const char       *line = option->says;
        while (true) {
            int length = (int)strcspn(line, "\n");
            printf("%*s%.*s\n", width + 4 - left, "", length, line);
            if (line[length] == '\0') {
                break;
            }
            line += length + 1;
            left = 0;
        }
    }
}
