// The face of the room: whole steps of worlds on a GPU.
//
//     step_check.c     what a model asks for that is not there, as a list
//     step_compile.c, step_compile_extra.c, step_compile_shapes.c     the model as kernels read it
//     step_room.h      a world in fast memory, and what the lanes of its warp do together
//     step_tree.h, step_free.h      motion of its links
//     step_touch.h     contacts of pairs of geoms, which gpu/touch finds
//     step_rows.h      rows of contacts and limits
//     step_extra.h     rows of dry friction, loops and couplings
//     step_sense.h     sensors of a world
//     step_begin.h, step_end.h, step_again.h     its problem, where it ends, what follows
//     step_batch.cu    all worlds of a batch
#ifndef TACT_GPU_STEP_STEP_H
#define TACT_GPU_STEP_STEP_H

#include "gpu/step/step_batch.h"
#include "gpu/step/step_compile.h"

#endif
