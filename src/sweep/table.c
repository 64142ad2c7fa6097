// The table of a sweep: a CSV file that grows in the order of the trials, and beside it PATH.sweep.
//
//     PATH         names, then the rows of trials 0 .. next - 1
//     PATH.sweep   "tact-sweep/1 IDENTITY", then rows that came before their turn
//
// A row goes to the table when all before it are there, and to the second file until then. So
// whenever the process ends, each row that was told is in one of the two; a line that was cut off
// is taken back when they are opened again. At the end the second file is its first line alone.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/status.h"
#include "sweep/sweep.h"

enum { LONGEST_PATH = 4096, LONGEST_HEADER = 128 * 1024, FIRST_LINE = 64 };

/// A file that grows by whole lines.
typedef struct Lines {
    char  path[LONGEST_PATH + 8];
    int   handle; // -1: not open
    off_t size;   // of its whole lines
} Lines;

/// A row that waits for its turn.
typedef struct Waiting {
    char  *text; // NULL: it has not come
    size_t size;
} Waiting;

struct TactSweepTable {
    const TactSweep *sweep;
    Lines            rows, ahead;
    off_t            ahead_start; // of the rows in the second file
    int              next;        // trial whose turn it is
    Waiting         *waiting;     // trial next + i, in a ring                       (room)
    int              first, room; // place of trial next
    int              waiting_count;
};

// ---------------------------------------------------------------------------------------------
// Files

static TactStatus fail_file(const Lines *lines, const char *what)
{
    return tact_fail(TACT_IO_ERROR, "%s: %s%s", lines->path, what, strerror(errno));
}

static TactStatus open_lines(Lines *lines)
{
    lines->handle = open(lines->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return lines->handle >= 0 ? TACT_OK : fail_file(lines, "");
}

/// All of it or nothing: what was written of it is taken back.
static TactStatus append_lines(Lines *lines, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t wrote = pwrite(lines->handle, bytes + done, size - done, lines->size + (off_t)done);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            errno = wrote == 0 ? ENOSPC : errno;
            TactStatus status =
                fail_file(lines, "a row cannot be written; what is there is safe, and the same "
                                 "command goes on from it: ");
            tact_status_ignore(ftruncate(lines->handle, lines->size) == 0 ? TACT_OK : status);
            return status;
        }
        done += (size_t)wrote;
    }
    lines->size += (off_t)size;
    return TACT_OK;
}

/// Told about each whole line, without its end; false: it is no line of this table.
typedef bool LineFunction(TactSweepTable *table, const char *line, size_t size, long number);

/// Goes through the lines of a file in pieces, and cuts off what has no end.
static TactStatus read_lines(TactSweepTable *table, Lines *lines, LineFunction *function)
{
    enum { ROOM = 1 << 20 };
    char      *room = NULL;
    size_t     held = 0;
    long       number = 0;
    off_t      at = 0;
    TactStatus status = tact_allocate(ROOM, 1, (void **)&room);
    while (status == TACT_OK) {
        ssize_t got = pread(lines->handle, room + held, ROOM - held, at + (off_t)held);
        if (got < 0) {
            status = fail_file(lines, "");
        }
        if (got <= 0) {
            break;
        }
        held += (size_t)got;
        char *start = room, *end = NULL;
        while (status == TACT_OK && (end = memchr(start, '\n', held - (size_t)(start - room)))) {
            number++;
            if (!function(table, start, (size_t)(end - start), number)) {
                status = tact_fail(TACT_BAD_INPUT,
                                   "%s:%ld: this is not a row of this sweep; name another file, or "
                                   "remove it",
                                   lines->path, number);
            }
            start = end + 1;
        }
        size_t used = (size_t)(start - room);
        at += (off_t)used;
        held -= used;
        memmove(room, start, held);
        if (held == ROOM) {
            status = tact_fail(TACT_BAD_INPUT, "%s: a line is too long", lines->path);
        }
    }
    tact_release(room);
    lines->size = at;
    if (status == TACT_OK && ftruncate(lines->handle, at) != 0) {
        status = fail_file(lines, "");
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Rows that wait

static Waiting *place_of(const TactSweepTable *table, int trial)
{
    return &table->waiting[(table->first + (trial - table->next)) % table->room];
}

/// Room for the row of this trial.
static TactStatus grow(TactSweepTable *table, int trial)
{
    int      wanted = trial - table->next + 1, room = table->room;
    Waiting *grown = NULL;
    if (wanted <= room) {
        return TACT_OK;
    }
    room = room < 64 ? 64 : room;
    while (room < wanted) {
        room = room > wanted / 2 ? wanted + 64 : 2 * room;
    }
    TACT_TRY(tact_allocate((size_t)room, sizeof *grown, (void **)&grown));
    for (int i = 0; i < table->room; i++) {
        grown[i] = table->waiting[(table->first + i) % table->room];
    }
    tact_release(table->waiting);
    table->waiting = grown;
    table->room = room;
    table->first = 0;
    return TACT_OK;
}

static TactStatus let_wait(TactSweepTable *table, int trial, const char *text, size_t size)
{
    TACT_TRY(grow(table, trial));
    Waiting *place = place_of(table, trial);
    TACT_TRY(tact_allocate(size + 1, 1, (void **)&place->text));
    memcpy(place->text, text, size);
    place->size = size;
    table->waiting_count++;
    return TACT_OK;
}

/// The turn goes to the next trial.
static void advance_turn(TactSweepTable *table)
{
    if (table->room > 0) {
        Waiting *place = &table->waiting[table->first];
        table->waiting_count -= place->text != NULL;
        tact_release(place->text);
        *place = (Waiting){0};
        table->first = (table->first + 1) % table->room;
    }
    table->next++;
}

/// Rows whose turn it is now; then the second file is emptied if none waits any more.
static TactStatus write_waiting(TactSweepTable *table)
{
    enum { PIECE = 1 << 20 };
    while (table->waiting_count > 0 && table->waiting[table->first].text) {
        TACT_TRY(append_lines(&table->rows, table->waiting[table->first].text,
                              table->waiting[table->first].size));
        advance_turn(table);
    }
    bool last = table->next == table->sweep->plan.trials;
    if (table->waiting_count == 0 && table->ahead.size > table->ahead_start &&
        (last || table->ahead.size > PIECE)) {
        if (fsync(table->rows.handle) != 0 ||
            ftruncate(table->ahead.handle, table->ahead_start) != 0) {
            return fail_file(&table->ahead, "");
        }
        table->ahead.size = table->ahead_start;
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// What is there

static void first_line(const TactSweep *sweep, char text[FIRST_LINE])
{
    snprintf(text, FIRST_LINE, "tact-sweep/1 %016llx\n", (unsigned long long)sweep->plan.identity);
}

/// The number that a line begins with; -1: none.
static int trial_of(const TactSweepTable *table, const char *line, size_t size)
{
    long   trial = 0;
    size_t i = 0;
    while (i < size && i < 10 && line[i] >= '0' && line[i] <= '9') {
        trial = 10 * trial + (line[i++] - '0');
    }
    bool right = i > 0 && i < size && line[i] == ',' && trial < table->sweep->plan.trials;
    return right ? (int)trial : -1;
}

/// Is it a whole row of this sweep?
static bool is_row(const TactSweepTable *table, const char *line, size_t size)
{
    double values[TACT_SWEEP_MOST_COLUMNS];
    return tact_sweep_read_row(table->sweep, line, size, values);
}

static bool take_row(TactSweepTable *table, const char *line, size_t size, long number)
{
    if (number == 1) {
        static _Thread_local char header[LONGEST_HEADER];
        size_t length = tact_sweep_print_header(table->sweep, header, sizeof header);
        return length == size + 1 && memcmp(header, line, size) == 0;
    }
    bool right = trial_of(table, line, size) == table->next && is_row(table, line, size);
    if (right) {
        advance_turn(table);
    }
    return right;
}

static bool take_ahead(TactSweepTable *table, const char *line, size_t size, long number)
{
    char first[FIRST_LINE];
    if (number == 1) {
        first_line(table->sweep, first);
        return strlen(first) == size + 1 && memcmp(first, line, size) == 0;
    }
    int trial = trial_of(table, line, size);
    if (trial < 0 || !is_row(table, line, size)) {
        return false;
    }
    return tact_sweep_table_has(table, trial) ||
           let_wait(table, trial, line, size + 1) == TACT_OK; // its '\n' follows
}

static TactStatus begin_table(TactSweepTable *table)
{
    char  first[FIRST_LINE];
    char *header = NULL;
    first_line(table->sweep, first);
    if (table->ahead.size == 0) {
        TACT_TRY(append_lines(&table->ahead, first, strlen(first)));
    }
    table->ahead_start = (off_t)strlen(first);
    if (table->rows.size > 0) {
        return TACT_OK;
    }
    TACT_TRY(tact_allocate(LONGEST_HEADER, 1, (void **)&header));
    size_t     length = tact_sweep_print_header(table->sweep, header, LONGEST_HEADER);
    TactStatus status = append_lines(&table->rows, header, length);
    tact_release(header);
    return status;
}

static TactStatus open_files(TactSweepTable *table)
{
    struct stat about;
    TACT_TRY(open_lines(&table->ahead));
    if (flock(table->ahead.handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return tact_fail(TACT_IO_ERROR, "%s: another process is writing it", table->rows.path);
    }
    TACT_TRY(open_lines(&table->rows));
    bool fresh = fstat(table->ahead.handle, &about) == 0 && about.st_size == 0;
    if (fresh && fstat(table->rows.handle, &about) == 0 && about.st_size > 0) {
        tact_status_ignore(unlink(table->ahead.path) == 0 ? TACT_OK : TACT_IO_ERROR);
        return tact_fail(
            TACT_BAD_INPUT,
            "%s: there is no %s beside it that says which sweep it is of; name another "
            "file, or remove it",
            table->rows.path, strrchr(table->ahead.path, '.'));
    }
    TactStatus status = read_lines(table, &table->rows, take_row);
    if (status == TACT_OK) {
        status = read_lines(table, &table->ahead, take_ahead);
    }
    return status;
}

TactStatus tact_sweep_table_open(const TactSweep *sweep, const char *path, TactSweepTable **table)
{
    TACT_NEED(sweep && path && table, "tact_sweep_table_open");
    *table = NULL;
    if (strlen(path) >= LONGEST_PATH) {
        return tact_fail(TACT_IO_ERROR, "%.80s...: the name is too long", path);
    }
    TactSweepTable *made = NULL;
    TACT_TRY(tact_allocate(1, sizeof *made, (void **)&made));
    made->sweep = sweep;
    made->rows.handle = made->ahead.handle = -1;
    snprintf(made->rows.path, sizeof made->rows.path, "%s", path);
    snprintf(made->ahead.path, sizeof made->ahead.path, "%s.sweep", path);
    TactStatus status = open_files(made);
    if (status == TACT_OK) {
        status = begin_table(made);
    }
    if (status == TACT_OK) {
        status = write_waiting(made);
    }
    if (status != TACT_OK) {
        tact_status_ignore(tact_sweep_table_close(made)); // what failed first counts
        return status;
    }
    *table = made;
    return TACT_OK;
}

bool tact_sweep_table_has(const TactSweepTable *table, int trial)
{
    return trial < table->next ||
           (trial - table->next < table->room && place_of(table, trial)->text != NULL);
}

int tact_sweep_table_count(const TactSweepTable *table)
{
    return table->next + table->waiting_count;
}

TactStatus tact_sweep_table_add(TactSweepTable *table, int trial, const char *text, size_t size)
{
    TACT_NEED(table && text, "tact_sweep_table_add");
    if (trial < 0 || trial >= table->sweep->plan.trials || size == 0 || text[size - 1] != '\n') {
        return tact_fail(TACT_BAD_ARGUMENT, "table: that is no row of trial %d", trial);
    }
    if (tact_sweep_table_has(table, trial)) {
        return TACT_OK;
    }
    if (trial > table->next) {
        TACT_TRY(append_lines(&table->ahead, text, size));
        return let_wait(table, trial, text, size);
    }
    TACT_TRY(append_lines(&table->rows, text, size));
    advance_turn(table);
    return write_waiting(table);
}

TactStatus tact_sweep_table_close(TactSweepTable *table)
{
    TactStatus status = TACT_OK;
    if (!table) {
        return TACT_OK;
    }
    Lines *files[] = {&table->rows, &table->ahead};
    for (int i = 0; i < 2; i++) {
        if (files[i]->handle >= 0 && close(files[i]->handle) != 0 && status == TACT_OK) {
            status = fail_file(files[i], "");
        }
    }
    for (int i = 0; i < table->room; i++) {
        tact_release(table->waiting[i].text);
    }
    tact_release(table->waiting);
    tact_release(table);
    return status;
}
