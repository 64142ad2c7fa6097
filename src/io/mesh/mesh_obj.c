// Wavefront OBJ: vertices and faces, line by line. A backslash before the end of a line joins it
// with the next one.
//
// Normals, texture coordinates and materials do not change the shape and are passed over; groups
// and objects are counted; no other file is read. Points, lines, curves and surfaces are told to
// the log once.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/mesh/mesh_parts.h"

enum { MOST_CORNERS = 100000 };

typedef struct Reader {
    TactText      *text;
    TactMeshParts *parts;
    int           *corner; // vertices of the face that is read
    int            room;
    bool           warned;
    int            first; // triangle of the object at hand
} Reader;

/// The next word of the same line; false at its end.
static bool next_word(TactText *text, TactWord *word)
{
    const char *c = text->next;
    for (;; c++) {
        if (*c == '\\' && (c[1] == '\n' || (c[1] == '\r' && c[2] == '\n'))) {
            c += c[1] == '\n' ? 1 : 2;
            text->line++;
        } else if (*c != ' ' && *c != '\t' && *c != '\r' && *c != '\v' && *c != '\f') {
            break;
        }
    }
    const char *first = c;
    while (c < text->end && (*c < '\t' || *c > '\r') && *c != ' ' &&
           (*c != '\\' || (c[1] != '\n' && c[1] != '\r'))) {
        c++;
    }
    text->next = c;
    *word = (TactWord){first, (size_t)(c - first)};
    return word->length > 0;
}

/// Goes to the start of the next line.
static void end_line(TactText *text)
{
    TactWord word;
    while (next_word(text, &word)) {
    }
    if (text->next < text->end) {
        text->next++;
        text->line++;
    }
}

static TactStatus read_vertex(Reader *reader)
{
    static const char *const what[] = {"x of a vertex", "y of a vertex", "z of a vertex"};

    double x[3];
    for (int i = 0; i < 3; i++) {
        TactWord word;
        if (!next_word(reader->text, &word)) {
            return tact_text_fail(reader->text, TACT_BAD_INPUT,
                                  "the line ends where %s was expected", what[i]);
        }
        TACT_TRY(tact_mesh_real(reader->text, word, what[i], &x[i]));
    }
    // A weight or a colour may follow.
    return tact_mesh_parts_add_vertex(reader->parts, (TactVec3){x[0], x[1], x[2]});
}

/// v, v/vt, v//vn or v/vt/vn: the vertex, from 1, or from -1 backwards.
static TactStatus read_corner(Reader *reader, TactWord word, int *vertex)
{
    int         count = reader->parts->vertex_count;
    const char *slash = memchr(word.start, '/', word.length);
    TactWord    number = {word.start, slash ? (size_t)(slash - word.start) : word.length};
    if (number.length == 0) {
        return tact_text_unexpected(reader->text, "a vertex of a face", word);
    }
    // A plain positive number, as nearly all are.
    int index = 0;
    for (size_t i = 0; i < number.length && number.length < 10; i++) {
        int digit = number.start[i] - '0';
        index = digit >= 0 && digit <= 9 && index >= 0 ? 10 * index + digit : -1;
    }
    if (index <= 0) {
        TACT_TRY(tact_word_int(reader->text, number, "a vertex of a face", -INT32_MAX, INT32_MAX,
                               &index));
    }
    if (index == 0 || index > count || index < -count) {
        return tact_text_fail(reader->text, TACT_BAD_INPUT,
                              "a face has vertex %d, but there are %d so far", index, count);
    }
    *vertex = index > 0 ? index - 1 : count + index;
    return TACT_OK;
}

static TactStatus make_room(Reader *reader)
{
    if (reader->room >= MOST_CORNERS) {
        return tact_text_fail(reader->text, TACT_UNSUPPORTED, "a face has more than %d vertices",
                              MOST_CORNERS);
    }
    int   larger = reader->room > 0 ? 4 * reader->room : 64;
    void *moved;
    larger = larger < MOST_CORNERS ? larger : MOST_CORNERS;
    TACT_TRY(tact_allocate((size_t)larger, sizeof(int), &moved));
    if (reader->room > 0) {
        memcpy(moved, reader->corner, (size_t)reader->room * sizeof(int));
    }
    tact_release(reader->corner);
    reader->corner = moved;
    reader->room = larger;
    return TACT_OK;
}

static TactStatus read_face(Reader *reader)
{
    TactWord word;
    int      count = 0;
    while (next_word(reader->text, &word)) {
        if (count == reader->room) {
            TACT_TRY(make_room(reader));
        }
        TACT_TRY(read_corner(reader, word, &reader->corner[count++]));
    }
    if (count < 3) {
        return tact_text_fail(reader->text, TACT_BAD_INPUT, "a face has %d vertices", count);
    }
    return tact_mesh_parts_add_polygon(reader->parts, reader->corner, count);
}

static void pass_over(Reader *reader, TactWord keyword)
{
    static const char *const harmless[] = {"vn", "vt", "o", "g", "s", "usemtl", "mtllib", "mg"};

    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (tact_word_is(keyword, harmless[i])) {
            return;
        }
    }
    if (!reader->warned) {
        tact_text_warn(reader->text, "'%.*s' is passed over, and so are others that are not faces",
                       keyword.length < 20 ? (int)keyword.length : 20, keyword.start);
        reader->warned = true;
    }
}

/// o and g begin another object, once the one before has faces.
static void begin_object(Reader *reader, TactWord keyword)
{
    TactMeshParts *parts = reader->parts;
    bool           begins = tact_word_is(keyword, "o") || tact_word_is(keyword, "g");
    if (begins && parts->triangle_count > reader->first) {
        parts->first_triangles =
            parts->objects == 0 ? parts->triangle_count : parts->first_triangles;
        parts->objects++;
        reader->first = parts->triangle_count;
    }
}

static TactStatus parse_lines(Reader *reader)
{
    TactText *text = reader->text;
    while (text->next < text->end) {
        TactWord keyword;
        if (next_word(text, &keyword) && keyword.start[0] != '#') {
            if (tact_word_is(keyword, "v")) {
                TACT_TRY(read_vertex(reader));
            } else if (tact_word_is(keyword, "f")) {
                TACT_TRY(read_face(reader));
            } else {
                begin_object(reader, keyword);
                pass_over(reader, keyword);
            }
        }
        end_line(text);
    }
    return TACT_OK;
}

TactStatus tact_obj_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts)
{
    TactText text;
    TACT_TRY(tact_text_copy(&text, name, bytes, size));
    Reader     reader = {.text = &text, .parts = parts};
    TactStatus status = parse_lines(&reader);
    parts->objects += parts->triangle_count > reader.first; // the last one
    tact_release(reader.corner);
    tact_text_close(&text);
    if (status == TACT_OK && parts->vertex_count == 0) {
        status = tact_fail(TACT_BAD_INPUT, "%s: has no vertices", name);
    }
    return status;
}
