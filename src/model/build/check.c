#include "model/build/check.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/status.h"

const char *tact_item_kind_name(int kind)
{
    static const char *const names[TACT_ITEM_COUNT] = {
        [TACT_OBJECT_NONE] = "nothing",      [TACT_OBJECT_BODY] = "body",
        [TACT_OBJECT_XBODY] = "body",        [TACT_OBJECT_JOINT] = "joint",
        [TACT_OBJECT_GEOM] = "geom",         [TACT_OBJECT_SITE] = "site",
        [TACT_OBJECT_MESH] = "mesh",         [TACT_OBJECT_HEIGHTFIELD] = "height field",
        [TACT_OBJECT_TENDON] = "tendon",     [TACT_OBJECT_ACTUATOR] = "actuator",
        [TACT_OBJECT_EQUALITY] = "equality", [TACT_OBJECT_SENSOR] = "sensor",
        [TACT_OBJECT_PAIR] = "pair",         [TACT_OBJECT_KEYFRAME] = "keyframe",
        [TACT_ITEM_EXCLUDE] = "exclude",     [TACT_ITEM_TEXT] = "text",
        [TACT_ITEM_NUMERIC] = "numeric",
    };
    return kind >= 0 && kind < TACT_ITEM_COUNT ? names[kind] : "unknown kind";
}

TactStatus tact_place_fail(const TactPlace *place, TactStatus status, const char *format, ...)
{
    char    text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    char where[200] = "";
    if (place->source.file && *place->source.file) {
        snprintf(where, sizeof where, "%s:%d: ", place->source.file, place->source.line);
    }
    const char *kind = tact_item_kind_name(place->kind);
    if (place->name && *place->name) {
        return tact_fail(status, "%s%s '%.80s': %s", where, kind, place->name, text);
    }
    if (place->index >= 0) {
        return tact_fail(status, "%s%s %d: %s", where, kind, place->index, text);
    }
    return tact_fail(status, "%s%s: %s", where, kind, text);
}

TactStatus tact_check_finite(const TactPlace *place, const char *what, const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return count == 1 ? tact_place_fail(place, TACT_BAD_INPUT, "its %s is %g", what, x[i])
                              : tact_place_fail(place, TACT_BAD_INPUT, "number %d of its %s is %g",
                                                i + 1, what, x[i]);
        }
    }
    return TACT_OK;
}

TactStatus tact_check_vec3(const TactPlace *place, const char *what, TactVec3 x)
{
    return tact_check_finite(place, what, (double[]){x.x, x.y, x.z}, 3);
}

TactStatus tact_check_positive(const TactPlace *place, const char *what, double x)
{
    TACT_TRY(tact_check_finite(place, what, &x, 1));
    if (x <= 0) {
        return tact_place_fail(place, TACT_BAD_INPUT, "its %s is %g, not positive", what, x);
    }
    return TACT_OK;
}

TactStatus tact_check_not_negative(const TactPlace *place, const char *what, double x)
{
    TACT_TRY(tact_check_finite(place, what, &x, 1));
    if (x < 0) {
        return tact_place_fail(place, TACT_BAD_INPUT, "its %s is %g, negative", what, x);
    }
    return TACT_OK;
}

TactStatus tact_check_range(const TactPlace *place, const char *what, const double range[2],
                            bool used)
{
    TACT_TRY(tact_check_finite(place, what, range, 2));
    if (used && range[0] > range[1]) {
        return tact_place_fail(place, TACT_BAD_INPUT, "its %s is empty: from %g to %g", what,
                               range[0], range[1]);
    }
    return TACT_OK;
}

// Squares of unit vectors and quaternions that were rounded once differ from 1 by less than this.
static const double unit_rounding = 8 * DBL_EPSILON;

TactQuat tact_check_unit_quat(TactQuat q)
{
    double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return fabs(square - 1) <= unit_rounding ? q : tact_quat_normalise(q);
}

TactVec3 tact_check_unit_vec3(TactVec3 v)
{
    return fabs(tact_vec3_dot(v, v) - 1) <= unit_rounding ? v : tact_vec3_normalise(v);
}

TactStatus tact_check_pose(const TactPlace *place, const char *what, TactTransform *pose)
{
    TactQuat q = pose->rotation;
    TACT_TRY(tact_check_vec3(place, what, pose->position));
    TACT_TRY(tact_check_finite(place, what, (double[]){q.w, q.x, q.y, q.z}, 4));
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) {
        return tact_place_fail(place, TACT_BAD_INPUT, "the quaternion of its %s is zero", what);
    }
    pose->rotation = tact_check_unit_quat(q);
    return TACT_OK;
}

TactStatus tact_check_index(const TactPlace *place, int kind, int index, int count)
{
    if (index < 0 || index >= count) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "there is no %s %d",
                               tact_item_kind_name(kind), index);
    }
    return TACT_OK;
}
