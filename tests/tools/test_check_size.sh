#!/bin/sh
# tools/check-size fails above 800 lines a file and 120 a function, and reports above 500 and 50.
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
exit $failed
