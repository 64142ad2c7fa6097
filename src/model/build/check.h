// Checks of what a builder is given; each failure says where and of which thing.
#ifndef TACT_MODEL_BUILD_CHECK_H
#define TACT_MODEL_BUILD_CHECK_H

#include <tact/model.h>

/// Kinds of things that a builder holds and that have no TactObject of their own.
enum { TACT_ITEM_EXCLUDE = TACT_OBJECT_COUNT, TACT_ITEM_TEXT, TACT_ITEM_NUMERIC, TACT_ITEM_COUNT };

/// "joint"; of TACT_ITEM_... too.
const char *tact_item_kind_name(int kind);

/// The thing that is spoken of.
typedef struct TactPlace {
    TactSource  source;
    int         kind;
    const char *name;  // NULL or "": it has none, and the index stands for it
    int         index; // -1: the kind says enough
} TactPlace;

/// "robot.xml:12: joint 'hip': ..." as this thread's message; returns the status.
__attribute__((format(printf, 3, 4))) TactStatus
tact_place_fail(const TactPlace *place, TactStatus status, const char *format, ...);

TactStatus tact_check_finite(const TactPlace *place, const char *what, const double *x, int count);
TactStatus tact_check_vec3(const TactPlace *place, const char *what, TactVec3 x);
TactStatus tact_check_positive(const TactPlace *place, const char *what, double x);
TactStatus tact_check_not_negative(const TactPlace *place, const char *what, double x);

/// Finite, and lo <= hi if it is in use.
TactStatus tact_check_range(const TactPlace *place, const char *what, const double range[2],
                            bool used);

/// Of length 1. What has it already, to rounding, keeps its bits: so it does not matter whether a
/// maker normalises too.
TactQuat tact_check_unit_quat(TactQuat q);
TactVec3 tact_check_unit_vec3(TactVec3 v);

/// Finite; the quaternion, of any length but zero, is normalised.
TactStatus tact_check_pose(const TactPlace *place, const char *what, TactTransform *pose);

/// 0 <= index < count of things of a kind
TactStatus tact_check_index(const TactPlace *place, int kind, int index, int count);

#endif
