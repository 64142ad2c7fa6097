#!/bin/sh
# tools/check-size fails above 800 lines a file, 120 a function, 30 fields a struct and 25 files a folder, and
# reports above 500 lines a file and 50 a function.
set -u
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/base"
failed=0

# a function of that many lines between its braces, the braces included
body()
{
    echo 'static int grow(int x)'
    echo '{'
    i=2
    while [ $i -lt "$1" ]; do
        echo '    x++;'
        i=$((i + 1))
    done
    echo '}'
}

# expect STATUS PATTERN: verdict on the tree, and a line of it ('-': no line but the total)
expect()
{
    "$TACT_SOURCE/tools/check-size" "$tree" >"$tree/verdict" 2>&1
    status=$?
    lines=$(grep -vc '^sizes:' "$tree/verdict")
    if [ $status -ne "$1" ] || { [ "$2" = - ] && [ "$lines" != 0 ]; } ||
        { [ "$2" != - ] && ! grep -q "$2" "$tree/verdict"; }; then
        echo "expected status $1 and '$2', got $status and:"
        cat "$tree/verdict"
        failed=1
    fi
}

body 50 >"$tree/src/base/a.c"
expect 0 -
body 51 >"$tree/src/base/a.c"
expect 0 'a.c:2: grow(): 51 lines (aim: 50)'
body 120 >"$tree/src/base/a.c"
expect 0 'grow(): 120 lines (aim: 50)'
body 121 >"$tree/src/base/a.c"
expect 1 'grow(): 121 lines, more than 120'
yes '// line' | head -500 >"$tree/src/base/a.c"
expect 0 -
yes '// line' | head -501 >"$tree/src/base/a.c"
expect 0 'a.c: 501 lines (aim: 500)'
yes '// line' | head -801 >"$tree/src/base/a.c"
expect 1 'a.c: 801 lines, more than 800'

# a struct of that many fields, two of them on one line, arrays, and one that is a struct
fields()
{
    echo 'typedef struct Thing {'
    echo '    int a[2], b; // one; two, three'
    echo '    void (*call)(int, int);'
    echo '    struct {'
    echo '        int x, y;'
    echo '    } inner;'
    i=4
    while [ $i -lt "$1" ]; do
        echo "    double field_$i;"
        i=$((i + 1))
    done
    echo '} Thing;'
}
fields 30 >"$tree/src/base/a.c"
expect 0 -
fields 31 >"$tree/src/base/a.c"
expect 1 'a.c:1: struct Thing: 31 fields, more than 30'
rm "$tree/src/base/a.c"

files()
{
    rm -rf "$tree/view"
    mkdir -p "$tree/view/room"
    i=0
    while [ $i -lt "$1" ]; do
        echo "// $i" >"$tree/view/room/f$i.c"
        i=$((i + 1))
    done
}
files 25
expect 0 -
files 26
expect 1 'view/room: 26 files, more than 25'
exit $failed
