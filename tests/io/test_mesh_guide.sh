#!/bin/sh
# docs/guide/meshes.md: its C program compiles and prints what it should.
guide=${TACT_SOURCE:?}/docs/guide/meshes.md
if grep -q '^TACT_SANITIZE:STRING=.' "${TACT_BUILD:?}/CMakeCache.txt"; then
    echo "skipped: a build with sanitizers"
    exit 0
fi
if grep -Eq '^(QHULL_LIBRARY:.*NOTFOUND|TACT_QHULL:STRING=OFF)' "$TACT_BUILD/CMakeCache.txt"; then
    echo "skipped: a build without qhull"
    exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
sed -n '/^```c$/,/^```$/{/^```/!p}' "$guide" >"$folder/example.c"
${CC:-cc} -std=c11 -Wall -Wextra -Werror -I "$TACT_SOURCE/include" "$folder/example.c" -o "$folder/example" \
    -L "$TACT_BUILD" -ltact -Wl,-rpath,"$TACT_BUILD",--allow-shlib-undefined || exit 1
"$folder/example" "$TACT_SOURCE/tests/fuzz/corpus/mesh_obj/quads.obj" >"$folder/out" || exit 1
printf '8 vertices, 12 triangles, watertight\n1000 kg at (0.5, 0.5, 0.5)\nhull: 6 faces\n' >"$folder/expected"
cmp "$folder/expected" "$folder/out" || { cat "$folder/out"; exit 1; }
