#!/bin/sh
# Every example in C builds without a warning, runs, has less than 60 lines, and prints what its twin
# in Python prints.
set -eu
cd "$TACT_SOURCE"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$TACT_BUILD/CMakeCache.txt")
sanitize=$(sed -n 's/^TACT_SANITIZE:[A-Z]*=//p' "$TACT_BUILD/CMakeCache.txt")
flags="-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror -Iinclude"
[ -z "$sanitize" ] || flags="$flags -fsanitize=$sanitize"
python=/usr/bin/python3
twins=yes
if ! [ -e "$TACT_BUILD/python/tact/_tact.abi3.so" ] || ! $python -c 'import numpy' 2>/dev/null; then
    twins=
    echo 'twins skipped: the Python package was not built, or NumPy is not installed'
fi
case $sanitize in
    *address*) preload=$($cc -print-file-name=libasan.so) ;;
    *) preload= ;;
esac
count=0
for source in examples/c/*.c; do
    name=$(basename "$source" .c)
    lines=$(wc -l <"$source")
    [ "$lines" -lt 60 ] || { echo "$source has $lines lines"; exit 1; }
    # shellcheck disable=SC2086
    $cc $flags "$source" -o "$folder/$name" -L"$TACT_BUILD" -Wl,-rpath,"$TACT_BUILD" -ltact -lm
    "$folder/$name" >"$folder/$name.c.txt"
    [ -s "$folder/$name.c.txt" ]
    if [ -n "$twins" ]; then
        env ${preload:+LD_PRELOAD="$preload"} ASAN_OPTIONS=detect_leaks=0 \
            PYTHONPATH="$TACT_BUILD/python" PYTHONDONTWRITEBYTECODE=1 \
            $python "examples/python/$name.py" >"$folder/$name.py.txt"
        diff "$folder/$name.c.txt" "$folder/$name.py.txt"
    fi
    echo "== $name"
    cat "$folder/$name.c.txt"
    count=$((count + 1))
done
[ "$count" -ge 8 ]
