#!/bin/sh
# What `make install` puts down can be used: by CMake and by pkg-config, shared and static.
set -eu
if grep -q '^TACT_SANITIZE:.*=.' "$TACT_BUILD/CMakeCache.txt"; then
    echo 'skipped: a library with sanitizers is not for others'
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$TACT_BUILD" --prefix "$folder/first" >/dev/null
mv "$folder/first" "$folder/prefix" # an installed tree may be moved
prefix=$folder/prefix
consumer=$TACT_SOURCE/tests/install/consumer

echo '== cmake'
cmake -S "$consumer" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$folder/build" >/dev/null
"$folder/build/with_shared"
"$folder/build/with_static"

echo '== pkg-config'
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tact.pc)")
export PKG_CONFIG_PATH
pkg-config --modversion tact
cc "$consumer/main.c" $(pkg-config --cflags --libs tact) -o "$folder/a"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir tact) "$folder/a"
cc "$consumer/main.c" $(pkg-config --cflags tact) "$(pkg-config --variable=libdir tact)/libtact.a" \
    $(pkg-config --static --libs tact | sed 's/-ltact//') -o "$folder/b"
"$folder/b"

echo '== every public header alone, as C and as C++'
for header in "$prefix"/include/tact/*.h; do
    echo "#include <tact/$(basename "$header")>" >"$folder/alone.c"
    cc -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$folder/alone.c"
    if command -v c++ >/dev/null; then
        c++ -std=c++17 -Wall -Wextra -Werror -x c++ -I"$prefix/include" -fsyntax-only \
            "$folder/alone.c"
    fi
done
