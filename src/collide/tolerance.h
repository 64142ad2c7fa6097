// Tolerances that files of this module share. Lengths are in units of the size of the shapes, to
// which coordinates are rounded by 1e-16.
#ifndef TACT_COLLIDE_TOLERANCE_H
#define TACT_COLLIDE_TOLERANCE_H

/// Normals whose cosine is above are one: 1.4e-3 rad, what a face of a fine mesh may be off by.
#define TACT_SAME_NORMAL (1 - 1e-6)
/// Depths and heights that differ by less are one. GJK and EPA end at 1e-12; the rest is for what
/// transforms and clipping add.
#define TACT_SAME_DEPTH 1e-9
/// What counts as on an edge, of the size of the faces.
#define TACT_TOUCH_TOL 1e-9
/// Points that are nearer to each other are one: two triangles find a corner that they share to
/// TACT_SAME_DEPTH each.
#define TACT_SAME_POINT 1e-8
/// What is no longer than this is rounding: where GJK, EPA and Newton's method end.
#define TACT_NO_LENGTH 1e-12
/// A tenth of TACT_NO_LENGTH: what one support point in a simplex is off by.
#define TACT_SUPPORT_TOL 1e-13
/// The least that can be told apart from nothing.
#define TACT_LAST_BITS 1e-15
/// Sine of the slope of what is level: heights of its ends are then known to 1e4 times rounding.
#define TACT_LEVEL 1e-4

#endif
