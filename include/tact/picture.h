// Pictures of a model in a state, drawn without a screen: triangles, a depth buffer, one light with
// its shadow; with arrows and cones for forces and friction.
#ifndef TACT_PICTURE_H
#define TACT_PICTURE_H

#include <tact/base.h>
#include <tact/math.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Marks drawn in addition to the model.
typedef enum TactPictureMarkKind {
    TACT_PICTURE_MARK_ARROW, // from `from` to `to`, which its head touches; radius: of its shaft
    TACT_PICTURE_MARK_CONE,  // its apex at `from`, the middle of its base at `to`; radius: of its
                             // base
} TactPictureMarkKind;

/// "arrow" or "cone"; TACT_BAD_ARGUMENT with all names if there is no such mark.
TACT_API const char               *tact_picture_mark_kind_name(TactPictureMarkKind kind);
TACT_API TACT_NODISCARD TactStatus tact_picture_mark_kind_find(const char          *name,
                                                               TactPictureMarkKind *kind);

typedef struct TactPictureMark {
    TactPictureMarkKind kind;
    TactVec3            from, to;
    double              radius;  // m
    double              rgba[4]; // alpha less than 1: transparent
} TactPictureMark;

typedef struct TactPicture {
    const TactModel *model;
    const double    *q;                   //                                            (nq)
    TactVec3         target;              // in the middle of the picture
    double           azimuth, elevation;  // deg; azimuth 0 looks along +x, 90 along +y; elevation
                                          //   -90 looks straight down
    double                 distance;      // of the eye from the target, m
    int                    width, height; // pixels
    int                    mark_count;
    const TactPictureMark *marks; //                                              (mark_count)
} TactPicture;

/// Chooses target and distance so that all geoms except planes are in the picture.
TACT_API TACT_NODISCARD TactStatus tact_picture_fit(TactPicture *picture);

/// As rows of r, g, b from the top. TACT_BAD_ARGUMENT if a size is invalid, or a number of the
/// picture is not finite.                                                (height x width x 3)
TACT_API TACT_NODISCARD TactStatus tact_picture_draw(const TactPicture *picture,
                                                     unsigned char     *rgb);

#ifdef __cplusplus
}
#endif
#endif
