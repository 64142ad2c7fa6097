// MuJoCo's old binary format: four counts (int32: vertices, normals, texture coordinates, faces),
// then float32 of each, three, three and two a piece, and the faces, three int32 each.
// Little-endian.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "io/mesh/mesh_parts.h"

TactStatus tact_msh_parse(const char *name, const char *bytes, size_t size, TactMeshParts *parts)
{
    int32_t count[4];
    enum { VERTICES, NORMALS, TEXTURE, FACES };
    if (size < sizeof count) {
        return tact_fail(TACT_BAD_INPUT, "%s: is too short", name);
    }
    memcpy(count, bytes, sizeof count);
    for (int k = 0; k < 4; k++) {
        if (count[k] < 0) {
            return tact_fail(TACT_BAD_INPUT, "%s: count %d is %d", name, k, (int)count[k]);
        }
    }
    size_t numbers = 3 * (size_t)count[VERTICES] + 3 * (size_t)count[NORMALS] +
                     2 * (size_t)count[TEXTURE] + 3 * (size_t)count[FACES];
    if (count[VERTICES] < 4 || size != sizeof count + 4 * numbers) {
        return tact_fail(TACT_BAD_INPUT,
                         "%s: is of %zu bytes, not of the %zu that its %d vertices, %d normals, %d "
                         "texture coordinates and %d faces need",
                         name, size, sizeof count + 4 * numbers, (int)count[0], (int)count[1],
                         (int)count[2], (int)count[3]);
    }
    TACT_TRY(tact_mesh_parts_reserve(parts, count[VERTICES], count[FACES]));
    const char *at = bytes + sizeof count;
    for (int i = 0; i < count[VERTICES]; i++, at += 12) {
        float x[3];
        memcpy(x, at, sizeof x);
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
            return tact_fail(TACT_BAD_INPUT, "%s: vertex %d is not finite", name, i);
        }
        TACT_TRY(tact_mesh_parts_add_vertex(parts, (TactVec3){x[0], x[1], x[2]}));
    }
    at += 12 * (size_t)count[NORMALS] + 8 * (size_t)count[TEXTURE];
    for (int i = 0; i < count[FACES]; i++, at += 12) {
        int32_t corner[3];
        memcpy(corner, at, sizeof corner);
        for (int k = 0; k < 3; k++) {
            if (corner[k] < 0 || corner[k] >= count[VERTICES]) {
                return tact_fail(TACT_BAD_INPUT, "%s: face %d has vertex %d of %d", name, i,
                                 (int)corner[k], (int)count[VERTICES]);
            }
        }
        TACT_TRY(tact_mesh_parts_add_triangle(parts, corner[0], corner[1], corner[2]));
    }
    return TACT_OK;
}
