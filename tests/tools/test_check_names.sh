#!/bin/sh
# tools/check-names lets three static functions have one name, and no fourth.
set -u
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/base" "$tree/cli/run" "$tree/view"
failed=0

# expect STATUS
expect()
{
    "$TACT_SOURCE/tools/check-names" "$tree" >"$tree/verdict" 2>&1
    status=$?
    if [ $status -ne "$1" ] || { [ "$1" = 1 ] && ! grep -q '^spoil: 4 static functions' "$tree/verdict"; }; then
        echo "expected status $1, got $status: $2"
        cat "$tree/verdict"
        failed=1
    fi
}

printf 'static int spoil(int x)\n{\n    return x;\n}\n' >"$tree/src/base/a.c"
printf 'static int spoil(int x,\n                 int y)\n{\n    return x;\n}\n' >"$tree/cli/run/b.c"
printf '__attribute__((cold)) static inline void\nspoil(int *x)\n{\n    *x = 1;\n}\n' >"$tree/view/c.c"
expect 0 'three'
printf 'static int spoil(int x,\n                 int y);\n' >"$tree/view/d.c"
expect 0 'a declaration is no function'
printf 'int spoil(int x)\n{\n    return x;\n}\n' >"$tree/view/d.c"
expect 0 'not static'
printf 'TACT_CLONES static int *spoil(int x)\n{\n    return x;\n}\n' >"$tree/view/d.c"
expect 1 'four'
exit $failed
