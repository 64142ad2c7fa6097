#!/bin/sh
# The library alone, static and without optional parts, builds and needs nothing but libc and libm.
set -eu
if grep -q -E '^TACT_SANITIZE:.*=.|^CMAKE_C_COMPILER:.*clang' "$TACT_BUILD/CMakeCache.txt"; then
    echo 'skipped: once is enough, by gcc without sanitizers'
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
off=
for part in LAPACK JANSSON HDF5 LIBXML2 QHULL ASSIMP GMP PYTHON PROGRAM PEERS TESTS; do
    off="$off -DTACT_$part=OFF"
done
# shellcheck disable=SC2086
cmake -S "$TACT_SOURCE" -B "$folder" $off -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O0 \
    ${CMAKE_C_COMPILER_LAUNCHER:+-DCMAKE_C_COMPILER_LAUNCHER="$CMAKE_C_COMPILER_LAUNCHER"} >/dev/null
cmake --build "$folder" --target tact_static -j "$(nproc)" >/dev/null
cc -std=c17 -I"$TACT_SOURCE/include" "$TACT_SOURCE/examples/c/01_hello_lcp.c" "$folder/libtact.a" -lm \
    -o "$folder/hello"
"$folder/hello"
libraries=$(ldd "$folder/hello" | grep -c -v -E 'libc\.so|libm\.so|ld-linux|linux-vdso') || true
[ "$libraries" = 0 ] || { ldd "$folder/hello"; exit 1; }
cc -std=c17 -static -I"$TACT_SOURCE/include" "$TACT_SOURCE/examples/c/06_your_contact_problem.c" \
    "$folder/libtact.a" -lm -o "$folder/bead"
"$folder/bead"
