// A world inside.
#ifndef TACT_COLLIDE_WORLD_H
#define TACT_COLLIDE_WORLD_H

#include <tact/collide.h>

const TactWorldShape *tact_world_view_shapes(const TactWorld *world, int *count);

#endif
