// STL, binary and ASCII.
//
// Binary: 80 bytes of anything, the number of triangles, and 50 bytes for each: its normal and
// three vertices in single precision, and two bytes of anything. ASCII begins with "solid"; so do
// the 80 bytes of many binary files, so that the size decides: if it fits the number it is binary.
//
// Normals are not read: the order of the vertices says what is outside.
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/status.h"
#include "io/mesh/mesh_parts.h"

enum { HEADER = 84, RECORD = 50, LOOKED_AT = 1024 };

static uint32_t read_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_f32(const char *bytes)
{
    uint32_t bits = read_u32(bytes);
    float    value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// ---------------------------------------------------------------------------------------------
// Binary

static TactStatus read_record(const char *name, uint32_t number, const char *record,
                              TactMeshParts *parts)
{
    TACT_TRY(tact_mesh_parts_reserve(parts, 3, 1));
    int first = parts->vertex_count;
    for (int i = 0; i < 3; i++) {
        const char *bytes = record + 12 * (i + 1);
        TactVec3    vertex = {read_f32(bytes), read_f32(bytes + 4), read_f32(bytes + 8)};
        if (!isfinite(vertex.x) || !isfinite(vertex.y) || !isfinite(vertex.z)) {
            return tact_fail(TACT_BAD_INPUT,
                             "%s: triangle %u: vertex %d is (%g, %g, %g), which is not finite",
                             name, number, i + 1, vertex.x, vertex.y, vertex.z);
        }
        parts->vertices[parts->vertex_count++] = vertex;
    }
    return tact_mesh_parts_add_triangle(parts, first, first + 1, first + 2);
}

static TactStatus parse_binary(const char *name, const char *bytes, size_t size,
                               TactMeshParts *parts)
{
    if (size < HEADER) {
        return tact_fail(TACT_BAD_INPUT, "%s: has %zu bytes, too few for an STL file", name, size);
    }
    uint32_t count = read_u32(bytes + 80);
    size_t   room = (size - HEADER) / RECORD;
    if (count > room) {
        return tact_fail(TACT_BAD_INPUT,
                         "%s: ends too early: it has %u triangles, it says, but %zu bytes hold "
                         "only %zu",
                         name, count, size, room);
    }
    if (count == 0) {
        return tact_fail(TACT_BAD_INPUT, "%s: has no triangles, it says, in %zu bytes", name, size);
    }
    size_t used = HEADER + RECORD * (size_t)count;
    if (used < size) {
        tact_log(TACT_LOG_LEVEL_WARNING, "%s: %zu bytes behind its %u triangles are not read", name,
                 size - used, count);
    }
    // count <= 2^30 / 50, so that both fit an int.
    TACT_TRY(tact_mesh_parts_reserve(parts, 3 * (int)count, (int)count));
    for (uint32_t i = 0; i < count; i++) {
        TACT_TRY(read_record(name, i + 1, bytes + HEADER + RECORD * (size_t)i, parts));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// ASCII

static bool is_keyword(TactWord word, const char *keyword)
{
    return word.length == strlen(keyword) && strncasecmp(word.start, keyword, word.length) == 0;
}

static TactStatus expect(TactText *text, const char *keyword)
{
    TactWord word;
    tact_text_word(text, "", &word);
    return is_keyword(word, keyword) ? TACT_OK : tact_text_unexpected(text, keyword, word);
}

static TactStatus read_coordinate(TactText *text, const char *what, double *value)
{
    TactWord word;
    tact_text_word(text, "", &word);
    return tact_mesh_real(text, word, what, value);
}

static TactStatus read_vertex(TactText *text, TactMeshParts *parts)
{
    TactVec3 vertex;
    TACT_TRY(expect(text, "vertex"));
    TACT_TRY(read_coordinate(text, "x of a vertex", &vertex.x));
    TACT_TRY(read_coordinate(text, "y of a vertex", &vertex.y));
    TACT_TRY(read_coordinate(text, "z of a vertex", &vertex.z));
    return tact_mesh_parts_add_vertex(parts, vertex);
}

/// What follows "facet": normal a b c, outer loop, three vertices, endloop, endfacet.
static TactStatus read_facet(TactText *text, TactMeshParts *parts)
{
    TactWord word;
    TACT_TRY(expect(text, "normal"));
    for (int i = 0; i < 3; i++) { // "nan nan nan" in some files
        tact_text_word(text, "", &word);
    }
    TACT_TRY(expect(text, "outer"));
    TACT_TRY(expect(text, "loop"));
    int first = parts->vertex_count;
    for (int i = 0; i < 3; i++) {
        TACT_TRY(read_vertex(text, parts));
    }
    TACT_TRY(expect(text, "endloop"));
    TACT_TRY(expect(text, "endfacet"));
    return tact_mesh_parts_add_triangle(parts, first, first + 1, first + 2);
}

static TactStatus parse_text(TactText *text, TactMeshParts *parts)
{
    TactWord word;
    bool     open = false;
    while (tact_text_word(text, "", &word)) {
        if (is_keyword(word, "facet")) {
            TACT_TRY(read_facet(text, parts));
        } else if (is_keyword(word, "solid") || is_keyword(word, "endsolid")) {
            open = is_keyword(word, "solid");
            tact_text_skip_line(text); // its name
        } else {
            return tact_text_unexpected(text, "facet or endsolid", word);
        }
    }
    if (open) {
        tact_text_warn(text, "the file ends without endsolid: is it complete?");
    }
    return TACT_OK;
}

static TactStatus parse_ascii(const char *name, const char *bytes, size_t size,
                              TactMeshParts *parts)
{
    TactText text;
    TACT_TRY(tact_text_copy(&text, name, bytes, size));
    TactStatus status = parse_text(&text, parts);
    tact_text_close(&text);
    if (status == TACT_OK && parts->triangle_count == 0) {
        status = tact_fail(TACT_BAD_INPUT, "%s: has no triangles", name);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// Which of them

static bool is_ascii(const char *bytes, size_t size)
{
    if (size >= HEADER && size - HEADER == RECORD * (size_t)read_u32(bytes + 80)) {
        return false;
    }
    size_t looked_at = size < LOOKED_AT ? size : LOOKED_AT;
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < looked_at && strchr(" \t\r\n", bytes[at]) && bytes[at]) {
        at++;
    }
    return looked_at - at >= 5 && strncasecmp(bytes + at, "solid", 5) == 0 &&
           !memchr(bytes, '\0', looked_at);
}

TactStatus tact_stl_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts)
{
    return is_ascii(bytes, size) ? parse_ascii(name, bytes, size, parts)
                                 : parse_binary(name, bytes, size, parts);
}
