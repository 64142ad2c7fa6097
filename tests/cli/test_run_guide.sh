#!/bin/sh
# docs/guide/run.md: where the door comes to rest, and its C program. What it shows: tests/docs/test_documents.sh.
tact=${TACT_BUILD:?}/tact
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
if "$tact" --version | grep -q 'libxml2: no\|jansson: no'; then
    echo "skipped: built without libxml2 or jansson"
    exit 0
fi
cd "${TACT_SOURCE:?}" || exit 1
guide=docs/guide/run.md
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

complain()
{
    echo "$1"
    failed=1
}

# The angle of the hinge and its velocity at the end.
hinge()
{
    "$tact" run examples/door.xml --time 3 --keyframe "$1" --json >"$folder/json" || complain "$1: status $?"
    sed -n 's/.*"hinge": {"qpos": \[\([^]]*\)\], "qvel": \[\([^]]*\)\]}.*/\1 \2/p' "$folder/json"
}

# The door has I = m (l^2 + t^2) / 12 + m l^2 / 4; dry friction c and damping d stop a door of the
# speed s after the angle I/d (s - c/d log(1 + d s / c)), of which a step may add h s.
hinge pushed | awk '{ I = 8 * (0.64 + 0.0016) / 12 + 8 * 0.16; c = 0.5; d = 0.1; s = 0.7
    rest = 1 - I / d * (s - c / d * log(1 + d * s / c)); off = $1 - rest; off = off < 0 ? -off : off
    exit !(NF == 2 && off < 0.002 * s && $2 == 0) }' || complain "the pushed door rests at $(hinge pushed)"
# Thrown, it ends at its stop.
hinge thrown | awk '{ off = $1 < 0 ? -$1 : $1; exit !(NF == 2 && off < 1e-12 && $2 == 0) }' ||
    complain "the thrown door rests at $(hinge thrown)"

for words in "" "/no/such/file" "examples/door.xml --keyframe no-such-one" "examples/door.xml --cone square" \
             "examples/door.xml --method no-such-one" "examples/door.xml --time -1" "examples/door.xml --no-such-option"; do
    # shellcheck disable=SC2086
    "$tact" run $words >"$folder/out" 2>"$folder/errors"
    [ $? = 2 ] || complain "status of run $words"
    [ -s "$folder/errors" ] || complain "run $words says nothing"
done

if [ ! -e "$TACT_BUILD/libtact.so" ] || grep -q '^TACT_SANITIZE:STRING=.' "$TACT_BUILD/CMakeCache.txt"; then
    echo "skipped: the C program, without a shared library or with sanitizers"
    exit $failed
fi
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' $guide >"$folder/example.c"
${CC:-cc} -std=c11 -Wall -Wextra -Werror -I include "$folder/example.c" -o "$folder/example" \
    -L "$TACT_BUILD" -ltact -Wl,-rpath,"$TACT_BUILD",--allow-shlib-undefined || complain "the C program does not compile"
"$folder/example" >"$folder/out" || complain "the C program: status $?"
# x = a t^2 cos(15) / 2 with m a = m g sin(15) + F cos(15) - mu (m g cos(15) - F sin(15)), m = 1.2, F = 0.5
grep -q '^brick at x = 0.063 m$' "$folder/out" || complain "the C program prints: $(cat "$folder/out")"
exit $failed
