#include "cli/json/json_read.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Where memory lacks while jansson reads a string it overlooks that, and an assertion ends the
// program. So it is given memory from a reserve then, and the text ends for it. It has asked for a
// block of at most 1024 characters before that, and may be in the middle of a string whose room it
// doubles.
enum { BLOCK_RESERVE = 512 << 10, STRING_RESERVE = 4, ALIGN = 16 };

static _Thread_local struct {
    unsigned char *reserve;
    size_t         size, used;
    bool           over;
} room;

static bool is_reserved(const void *block)
{
    const unsigned char *at = block;
    return room.reserve && at >= room.reserve && at < room.reserve + room.size;
}

static void *allocate(size_t size)
{
    void *block = malloc(size);
    if (block || !room.reserve) {
        return block;
    }
    size_t whole = (size + ALIGN - 1) / ALIGN * ALIGN;
    room.over = true;
    if (whole < size || whole > room.size - room.used) {
        return NULL;
    }
    block = room.reserve + room.used;
    room.used += whole;
    return block;
}

static void give_back(void *block)
{
    if (!is_reserved(block)) {
        free(block);
    }
}

static void install(void)
{
    json_set_alloc_funcs(allocate, give_back);
}

typedef struct Text {
    const char *next;
    size_t      left;
} Text;

static size_t feed(void *buffer, size_t length, void *data)
{
    Text  *text = data;
    size_t count = room.over ? 0 : length < text->left ? length : text->left;
    if (count > 0) {
        memcpy(buffer, text->next, count);
        text->next += count;
        text->left -= count;
    }
    return count;
}

json_t *tact_json_read(const char *text, size_t size, size_t flags, json_error_t *error,
                       bool *lacks)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    Text                  whole = {text, size};
    json_t               *root = NULL;
    pthread_once(&once, install);
    room.size = size < SIZE_MAX / (2 * STRING_RESERVE) ? BLOCK_RESERVE + STRING_RESERVE * size : 0;
    room.used = 0;
    room.reserve = room.size > 0 ? malloc(room.size) : NULL;
    room.over = !room.reserve;
    if (room.reserve) {
        root = json_load_callback(feed, &whole, flags, error);
        if (room.over) {
            json_decref(root); // before the reserve, in which parts of it may be
            root = NULL;
        }
    }
    if (lacks) {
        *lacks = room.over;
    }
    free(room.reserve);
    room.reserve = NULL;
    return root;
}

/// All of a file, to be freed; NULL: it is none (devices have no end), cannot be read, or memory
/// lacks.
static char *read_all(FILE *file, size_t *size, bool *lacks)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode)) {
        return NULL;
    }
    char *text = malloc((size_t)about.st_size + 1);
    if (!text) {
        *lacks = true;
        return NULL;
    }
    *size = fread(text, 1, (size_t)about.st_size, file);
    if (ferror(file)) {
        free(text);
        return NULL;
    }
    return text;
}

json_t *tact_json_read_file(const char *path, size_t flags, json_error_t *error, bool *lacks)
{
    size_t  size = 0;
    json_t *root = NULL;
    FILE   *file = fopen(path, "rb");
    bool    none = !file && errno == ENOMEM;
    char   *text = file ? read_all(file, &size, &none) : NULL;
    if (error) {
        *error = (json_error_t){.line = -1}; // there is no text
    }
    if (text) {
        root = tact_json_read(text, size, flags, error, &none);
    }
    free(text);
    if (file) {
        fclose(file);
    }
    if (lacks) {
        *lacks = none;
    }
    return root;
}
