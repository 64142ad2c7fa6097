// The line of a trial: numbers as short as they can be read again, and words.
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

// Numbers have a decimal point, whatever the program's locale.

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t       plain_locale;

static void make_locale(void)
{
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t use_plain(void)
{
    pthread_once(&locale_once, make_locale);
    return plain_locale ? uselocale(plain_locale) : (locale_t)0;
}

static void use_again(locale_t before)
{
    if (before) {
        uselocale(before);
    }
}

int tact_sweep_print_number(double x, char text[32])
{
    if (isnan(x)) {
        text[0] = 0;
        return 0;
    }
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, 32, "%.*g", digits, x);
        if (digits == 17 || strtod(text, NULL) == x) {
            break;
        }
    }
    return length;
}

/// A text that grows into its room.
typedef struct Line {
    char  *text;
    size_t size, used;
    bool   full;
} Line;

static void put_bytes(Line *line, const char *bytes, size_t count)
{
    line->full = line->full || count >= line->size - line->used;
    if (!line->full) {
        memcpy(line->text + line->used, bytes, count);
        line->used += count;
        line->text[line->used] = 0;
    }
}

/// Words in quotes where they have commas or quotes (RFC 4180); without ends of lines.
static void put_words(Line *line, const char *words)
{
    bool quoted = strpbrk(words, ",\"\n\r");
    put_bytes(line, "\"", quoted);
    for (const char *c = words; *c; c++) {
        char plain = *c == '\n' || *c == '\r' ? ' ' : *c;
        put_bytes(line, "\"", *c == '"');
        put_bytes(line, &plain, 1);
    }
    put_bytes(line, "\"", quoted);
}

static size_t end_line(Line *line)
{
    put_bytes(line, "\n", 1);
    return line->full ? 0 : line->used;
}

size_t tact_sweep_print_header(const TactSweep *sweep, char *text, size_t size)
{
    Line line = {text, size, 0, size == 0};
    for (int i = 0; i < sweep->plan.column_count; i++) {
        put_bytes(&line, ",", i > 0);
        put_words(&line, sweep->plan.columns[i]);
    }
    return end_line(&line);
}

size_t tact_sweep_print_row(const TactSweep *sweep, const TactSweepRow *row, char *text,
                            size_t size)
{
    const TactSweepPlan *plan = &sweep->plan;
    Line                 line = {text, size, 0, size == 0};
    locale_t             before = use_plain();
    for (int i = 0; i < plan->column_count; i++) {
        char number[32];
        put_bytes(&line, ",", i > 0);
        if (i == plan->outcome_column) {
            put_words(&line, plan->outcomes[row->outcome]);
        } else if (i == plan->problem_column) {
            put_words(&line, row->problem);
        } else {
            put_bytes(&line, number, (size_t)tact_sweep_print_number(row->values[i], number));
        }
    }
    use_again(before);
    return end_line(&line);
}

// ---------------------------------------------------------------------------------------------

/// The next field of a line, without its quotes. False: it is not closed, or there is none.
static bool next_field(const char **next, const char *end, char *field, size_t size)
{
    const char *c = *next;
    bool        quoted = c < end && *c == '"';
    size_t      used = 0;
    c += quoted;
    while (c < end && (quoted || *c != ',')) {
        if (quoted && *c == '"') {
            if (c + 1 >= end || c[1] != '"') {
                break;
            }
            c++;
        }
        if (used + 1 >= size) {
            return false;
        }
        field[used++] = *c++;
    }
    if (quoted) {
        if (c >= end) {
            return false;
        }
        c++;
    }
    field[used] = 0;
    *next = c;
    return c == end || *c == ',';
}

static bool read_field(const TactSweep *sweep, int column, const char *field, double *value)
{
    const TactSweepPlan *plan = &sweep->plan;
    if (column == plan->outcome_column) {
        for (int k = 0; k < plan->outcome_count; k++) {
            if (strcmp(field, plan->outcomes[k]) == 0) {
                *value = k;
                return true;
            }
        }
        return false;
    }
    if (column == plan->problem_column || field[0] == 0) {
        *value = column == plan->problem_column ? field[0] != 0 : NAN;
        return true;
    }
    char *end = NULL;
    *value = strtod(field, &end);
    return *end == 0;
}

static bool read_fields(const TactSweep *sweep, const char *line, size_t size, double *values)
{
    const char *next = line, *end = line + size;
    int         columns = sweep->plan.column_count;
    for (int i = 0; i < columns; i++) {
        char field[1024];
        if (!next_field(&next, end, field, sizeof field) ||
            !read_field(sweep, i, field, &values[i])) {
            return false;
        }
        if (i + 1 < columns && (next == end || *next++ != ',')) {
            return false;
        }
    }
    return next == end;
}

bool tact_sweep_read_row(const TactSweep *sweep, const char *line, size_t size, double *values)
{
    locale_t before = use_plain();
    bool     right = read_fields(sweep, line, size, values);
    use_again(before);
    return right;
}
