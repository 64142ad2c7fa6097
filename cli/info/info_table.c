// Tables of `tact info`.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/info/info.h"

TactInfoTable tact_info_table(const TactInfoColumn *columns, int column_count)
{
    return (TactInfoTable){.columns = columns, .column_count = column_count};
}

void tact_info_cell(TactInfoTable *table, const char *format, ...)
{
    char    text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    if (table->cell_count == table->capacity) {
        int    capacity = table->capacity ? 2 * table->capacity : 256;
        char **cells = (char **)realloc((void *)table->cells, (size_t)capacity * sizeof *cells);
        if (!cells) {
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    table->cells[table->cell_count++] = strdup(text);
}

static const char *cell(const TactInfoTable *table, int i)
{
    return table->cells[i] ? table->cells[i] : "";
}

/// Columns of a terminal that a text in UTF-8 takes, but for wide and combining characters.
static int width(const char *text)
{
    int count = 0;
    for (; *text; text++) {
        count += (*text & 0xc0) != 0x80;
    }
    return count;
}

/// Width of a column; 0: left out.
static int measure_column(const TactInfoTable *table, int column)
{
    int  widest = width(table->columns[column].head);
    bool empty = table->columns[column].optional;
    for (int i = column; i < table->cell_count; i += table->column_count) {
        const char *text = cell(table, i);
        int         wide = width(text);
        widest = wide > widest ? wide : widest;
        empty = empty && (text[0] == '\0' || strcmp(text, "0") == 0);
    }
    return empty ? 0 : widest;
}

static void print_row(const TactInfoTable *table, const int *widths, int first)
{
    int owed = 0; // blanks that are printed only if something follows
    for (int k = 0; k < table->column_count; k++) {
        const char *text = first < 0 ? table->columns[k].head : cell(table, first + k);
        int         fill = widths[k] - width(text);
        if (widths[k] == 0) {
            continue;
        }
        int before = owed + (table->columns[k].right ? fill : 0);
        if (text[0] == '\0') {
            owed += widths[k] + 2;
            continue;
        }
        printf("%*s%s", before, "", text);
        owed = 2 + (table->columns[k].right ? 0 : fill);
    }
    printf("\n");
}

void tact_info_table_print(TactInfoTable *table)
{
    int widths[TACT_INFO_MAX_COLUMNS];
    int rows = table->cell_count / table->column_count;
    for (int k = 0; k < table->column_count; k++) {
        widths[k] = measure_column(table, k);
    }
    if (rows > 0) {
        printf("\n%s", tact_cli_colour(stdout, TACT_BOLD));
        print_row(table, widths, -1);
        printf("%s", tact_cli_colour(stdout, TACT_PLAIN));
    }
    for (int i = 0; i < rows; i++) {
        print_row(table, widths, i * table->column_count);
    }
    for (int i = 0; i < table->cell_count; i++) {
        free(table->cells[i]);
    }
    free((void *)table->cells);
    table->cells = NULL;
}
