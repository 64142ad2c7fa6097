#include "io/mesh/mesh_parts.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

void tact_mesh_parts_destroy(TactMeshParts *parts)
{
    tact_release(parts->vertices);
    tact_release(parts->triangles);
    *parts = (TactMeshParts){0};
}

/// An array that is full becomes twice as large, or as large as it must be.
static TactStatus grow_array(void **array, size_t size, int used, int more, int *room)
{
    if (more <= *room - used) {
        return TACT_OK;
    }
    if (more > INT_MAX - used) {
        return tact_fail(TACT_UNSUPPORTED, "the mesh has more than %d vertices or triangles",
                         INT_MAX);
    }
    int larger = *room > INT_MAX / 2 ? INT_MAX : 2 * *room;
    larger = larger < used + more ? used + more : larger;
    void *moved;
    TACT_TRY(tact_allocate((size_t)larger, size, &moved));
    if (used > 0) {
        memcpy(moved, *array, (size_t)used * size);
    }
    tact_release(*array);
    *array = moved;
    *room = larger;
    return TACT_OK;
}

TactStatus tact_mesh_parts_reserve(TactMeshParts *parts, int vertices, int triangles)
{
    void *array = parts->vertices;
    TACT_TRY(
        grow_array(&array, sizeof(TactVec3), parts->vertex_count, vertices, &parts->vertex_room));
    parts->vertices = array;
    array = parts->triangles;
    TACT_TRY(grow_array(&array, sizeof(TactTriangle), parts->triangle_count, triangles,
                        &parts->triangle_room));
    parts->triangles = array;
    return TACT_OK;
}

TactStatus tact_mesh_parts_add_vertex(TactMeshParts *parts, TactVec3 vertex)
{
    TACT_TRY(tact_mesh_parts_reserve(parts, 1, 0));
    parts->vertices[parts->vertex_count++] = vertex;
    return TACT_OK;
}

TactStatus tact_mesh_parts_add_triangle(TactMeshParts *parts, int a, int b, int c)
{
    TACT_TRY(tact_mesh_parts_reserve(parts, 0, 1));
    parts->triangles[parts->triangle_count++] = (TactTriangle){{a, b, c}};
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Numbers

/// digits * 10^exponent, correctly rounded because both factors are exact and one rounding follows.
static bool compose(uint64_t digits, int exponent, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    if (digits > (uint64_t)1 << 53 || exponent < -22 || exponent > 22) {
        return false;
    }
    *value = exponent < 0 ? (double)digits / power[-exponent] : (double)digits * power[exponent];
    return true;
}

/// [+-]digits[.digits][e[+-]digits] whose value is exact enough to be composed.
static bool read_plain(TactWord word, double *value)
{
    const char *c = word.start;
    const char *end = c + word.length;
    uint64_t    digits = 0;
    int         count = 0;
    int         exponent = 0;
    bool        negative = c < end && *c == '-';
    c += c < end && (*c == '-' || *c == '+');
    for (; c < end && *c >= '0' && *c <= '9'; c++, count++) {
        digits = 10 * digits + (uint64_t)(*c - '0');
    }
    if (c < end && *c == '.') {
        for (c++; c < end && *c >= '0' && *c <= '9'; c++, count++, exponent--) {
            digits = 10 * digits + (uint64_t)(*c - '0');
        }
    }
    if (count == 0 || count > 19) {
        return false;
    }
    if (c < end && (*c == 'e' || *c == 'E')) {
        bool down = ++c < end && *c == '-';
        int  shift = 0;
        c += c < end && (*c == '-' || *c == '+');
        const char *first = c;
        for (; c < end && *c >= '0' && *c <= '9' && c - first < 4; c++) {
            shift = 10 * shift + (*c - '0');
        }
        if (c == first) {
            return false;
        }
        exponent += down ? -shift : shift;
    }
    if (c != end || !compose(digits, exponent, value)) {
        return false;
    }
    *value = negative ? -*value : *value;
    return true;
}

TactStatus tact_mesh_real(const TactText *text, TactWord word, const char *what, double *value)
{
    if (read_plain(word, value)) {
        return TACT_OK;
    }
    return tact_word_real(text, word, what, TACT_FINITE_ONLY, value);
}
