#!/bin/sh
# tools/check-symbols accepts a clean library and finds each thing it looks for.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# expect STATUS CODE: the verdict on a library of that code
expect()
{
    rm -f libtact.*
    printf '%s\n' '#include <assert.h>' '#include <stdio.h>' '#include <stdlib.h>' "$2" >a.c
    ${CC:-cc} -fPIC -fvisibility=hidden -c a.c -o a.o && ar rc libtact.a a.o &&
        ${CC:-cc} -shared a.o -o libtact.so || failed=1
    "$TACT_SOURCE/tools/check-symbols" "$folder" >verdict 2>&1
    status=$?
    if [ $status -ne "$1" ]; then
        echo "expected status $1, got $status, for: $2"
        cat verdict
        failed=1
    fi
}

api='__attribute__((visibility("default")))'
expect 0 "$api int tact_a(int x) { return x; }"
expect 0 "static int b(int x) { return x + 1; } $api int tact_a(int x) { return b(x); }"
expect 0 "$api int tact_a(FILE *f) { return fprintf(f, \"%d\", 1); }"
expect 1 "$api int a(int x) { return x; }"
expect 1 "int tact_b(int x); $api int tact_a(int x) { return tact_b(x); }"
expect 1 "int a(int x) { return x; }"
expect 1 "$api void tact_a(int x) { if (x) exit(1); }"
expect 1 "$api void tact_a(int x) { if (x) abort(); }"
expect 1 "$api void tact_a(int x) { assert(x); }"
expect 1 "$api void tact_a(int x) { printf(\"%d\", x); }"
expect 1 "$api void tact_a(void) { printf(\"a\\n\"); }"
expect 1 "$api void tact_a(int x) { fprintf(stderr, \"%d\", x); }"
exit $failed
