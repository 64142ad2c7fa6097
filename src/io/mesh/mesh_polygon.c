// Polygons cut into triangles.
#include <math.h>

#include "base/status.h"
#include "io/mesh/mesh_parts.h"

// Cutting off ears costs O(n^2) at best and O(n^3) at worst, so larger polygons that are not convex
// become fans, which is right for all sums over them but may make triangles overlap.
enum { MOST_CORNERS_CUT = 500 };

static TactVec3 corner(const TactMeshParts *parts, const int *list, int i)
{
    return parts->vertices[list[i]];
}

/// Twice the area vector of the polygon.
static TactVec3 area_vector(const TactMeshParts *parts, const int *list, int n)
{
    TactVec3 sum = {0, 0, 0};
    TactVec3 first = corner(parts, list, 0);
    for (int i = 1; i + 1 < n; i++) {
        sum = tact_vec3_add(sum,
                            tact_vec3_cross(tact_vec3_subtract(corner(parts, list, i), first),
                                            tact_vec3_subtract(corner(parts, list, i + 1), first)));
    }
    return sum;
}

/// Twice the area of a triangle seen along a normal: positive if it turns left.
static double turn_of_corner(TactVec3 normal, TactVec3 a, TactVec3 b, TactVec3 c)
{
    return tact_vec3_dot(normal,
                         tact_vec3_cross(tact_vec3_subtract(b, a), tact_vec3_subtract(c, a)));
}

static bool is_convex(const TactMeshParts *parts, const int *list, int n, TactVec3 normal)
{
    for (int i = 0; i < n; i++) {
        if (turn_of_corner(normal, corner(parts, list, i), corner(parts, list, (i + 1) % n),
                           corner(parts, list, (i + 2) % n)) < 0) {
            return false;
        }
    }
    return true;
}

static TactStatus add_fan(TactMeshParts *parts, const int *list, int n)
{
    for (int i = 1; i + 1 < n; i++) {
        TACT_TRY(tact_mesh_parts_add_triangle(parts, list[0], list[i], list[i + 1]));
    }
    return TACT_OK;
}

/// Is corner i of the list an ear: turning left, with no other corner inside?
static bool is_ear(const TactMeshParts *parts, const int *list, int n, int i, TactVec3 normal)
{
    int      before = (i + n - 1) % n;
    int      after = (i + 1) % n;
    TactVec3 a = corner(parts, list, before);
    TactVec3 b = corner(parts, list, i);
    TactVec3 c = corner(parts, list, after);
    if (!(turn_of_corner(normal, a, b, c) > 0)) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        TactVec3 x = corner(parts, list, k);
        if (list[k] != list[before] && list[k] != list[i] && list[k] != list[after] &&
            turn_of_corner(normal, a, b, x) >= 0 && turn_of_corner(normal, b, c, x) >= 0 &&
            turn_of_corner(normal, c, a, x) >= 0) {
            return false;
        }
    }
    return true;
}

static TactStatus cut_ears(TactMeshParts *parts, int *list, int n, TactVec3 normal)
{
    int at = 0;
    while (n > 3) {
        int tried = 0;
        while (tried < n && !is_ear(parts, list, n, at % n, normal)) {
            at++;
            tried++;
        }
        if (tried == n) { // it crosses itself
            break;
        }
        int i = at % n;
        TACT_TRY(
            tact_mesh_parts_add_triangle(parts, list[(i + n - 1) % n], list[i], list[(i + 1) % n]));
        for (int k = i; k + 1 < n; k++) {
            list[k] = list[k + 1];
        }
        n--;
        at = i;
    }
    return add_fan(parts, list, n);
}

/// Along the shorter diagonal, or the one that is inside.
static TactStatus add_quadrangle(TactMeshParts *parts, const int *list, TactVec3 normal)
{
    TactVec3 a = corner(parts, list, 0);
    TactVec3 b = corner(parts, list, 1);
    TactVec3 c = corner(parts, list, 2);
    TactVec3 d = corner(parts, list, 3);
    bool ac_inside = turn_of_corner(normal, a, b, c) >= 0 && turn_of_corner(normal, a, c, d) >= 0;
    bool bd_inside = turn_of_corner(normal, a, b, d) >= 0 && turn_of_corner(normal, b, c, d) >= 0;
    TactVec3 ac = tact_vec3_subtract(c, a);
    TactVec3 bd = tact_vec3_subtract(d, b);
    bool     shorter = tact_vec3_dot(ac, ac) < tact_vec3_dot(bd, bd);
    int      first = ac_inside == bd_inside ? !shorter : !ac_inside;
    for (int i = 0; i < 2; i++) { // from corner `first`, and from the one opposite
        int k = first + 2 * i;
        TACT_TRY(
            tact_mesh_parts_add_triangle(parts, list[k % 4], list[(k + 1) % 4], list[(k + 2) % 4]));
    }
    return TACT_OK;
}

TactStatus tact_mesh_parts_add_polygon(TactMeshParts *parts, int *list, int n)
{
    if (n == 3) {
        return tact_mesh_parts_add_triangle(parts, list[0], list[1], list[2]);
    }
    TactVec3 normal = tact_vec3_normalise(area_vector(parts, list, n));
    if (n == 4) {
        return add_quadrangle(parts, list, normal);
    }
    if (n > MOST_CORNERS_CUT || is_convex(parts, list, n, normal)) {
        return add_fan(parts, list, n);
    }
    return cut_ears(parts, list, n, normal);
}
