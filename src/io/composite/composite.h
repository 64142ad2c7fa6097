// Room "composite": <composite type="cable"> becomes a chain of bodies.
//
//     frame
//       body PB_first     joint PJ_first (ball, free or none)  geom PG0  site PS_first
//         body PB_1       joint PJ_1 (ball)                    geom PG1
//           ...
//             body PB_last  joint PJ_last                      geom PGn  site PS_last
//
// with its prefix P, and excludes of neighbours, as MuJoCo 3 makes them. The element itself stays
// where it is, for who looks at words; the frame stands behind it. Works on trees alone.
#ifndef TACT_IO_COMPOSITE_COMPOSITE_H
#define TACT_IO_COMPOSITE_COMPOSITE_H

#include <tact/math.h>

#include "io/xml/xml.h"

/// What is made has no part in the file's classes of defaults: its class, whose name may have got a
/// prefix, is that of MJCF's own defaults.
#define TACT_COMPOSITE_CLASS " composite"

/// Makes all composites of a tree. TACT_BAD_INPUT with file and line: one that is none.
TactStatus tact_composite_make(TactXml *xml, TactXmlNode *root);

/// The frames along the vertices of a cable (cable_frames.c): x along the piece that begins there,
/// and how long it is.
///   vertices (count)    rotations, lengths out (count - 1)
void tact_composite_frames(const TactVec3 *vertices, int count, TactQuat *rotations,
                           double *lengths);

#endif
