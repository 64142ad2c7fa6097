#!/bin/sh
# docs/guide/models.md (or $TACT_GUIDE): its C program compiles and prints what the guide says.
guide=${TACT_SOURCE:?}/docs/guide/${TACT_GUIDE:-models.md}
# The sanitizers' libraries are not linked to a program of one's own.
if grep -q '^TACT_SANITIZE:STRING=.' "${TACT_BUILD:?}/CMakeCache.txt"; then
    echo "skipped: the C program, in a build with sanitizers"
    exit 0
fi
[ -e "$TACT_BUILD/libtact.so" ] || { echo "skipped: there is no $TACT_BUILD/libtact.so"; exit 0; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$TACT_SOURCE" || exit 1

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$guide" >"$folder/example.c"
${CC:-cc} -std=c11 -Wall -Wextra -Werror -I include "$folder/example.c" -o "$folder/example" \
    -L "$TACT_BUILD" -ltact -Wl,-rpath,"$TACT_BUILD",--allow-shlib-undefined || exit 1
"$folder/example" >"$folder/out" || exit 1
awk '/^It prints$/ { now = 1 } now && /^```$/ { inside = !inside; if (!inside) exit; next } inside' \
    "$guide" >"$folder/expected"
[ -s "$folder/expected" ] || { echo "the guide says nothing"; exit 1; }
diff "$folder/expected" "$folder/out"
