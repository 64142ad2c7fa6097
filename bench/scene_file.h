// Where the shipped scenes are.
#ifndef TACT_BENCH_SCENE_FILE_H
#define TACT_BENCH_SCENE_FILE_H

#include <stddef.h>

/// Path of a file of scenes/: in the folder if there is one, else beside the program's folder,
/// where it is installed, or here. What is not there is told by whoever reads it.
void tact_bench_find_scene(const char *folder, const char *name, char *path, size_t size);

#endif
