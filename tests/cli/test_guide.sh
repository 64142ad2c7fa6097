#!/bin/sh
# docs/guide/solve.md: its C program compiles and prints what it should, and its commands work.
tact=${TACT_BUILD:?}/tact
guide=${TACT_SOURCE:?}/docs/guide/solve.md
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0
cd "$TACT_SOURCE" || exit 1

complain()
{
    echo "$1"
    failed=1
}

# A build without jansson has no contact problems in JSON.
without_json=$("$tact" --version | grep 'jansson: no')

# Every command of a console block ends with status 0, and the table has the rows that are shown.
sed -n 's/^\$ tact //p' "$guide" >"$folder/commands"
[ -s "$folder/commands" ] || complain "the guide has no commands"
while read -r words; do
    case "$without_json$words" in *jansson*.json*) continue ;; esac
    # shellcheck disable=SC2086 # the words of a command
    "$tact" $words >"$folder/out" 2>"$folder/err" </dev/null || complain "tact $words: status $?"
    [ ! -s "$folder/err" ] || complain "tact $words: $(cat "$folder/err")"
done <"$folder/commands"
"$tact" solve examples/two.dat >"$folder/out"
for i in 0 1; do
    row=$(grep "^      $i " "$folder/out")
    grep -qxF -- "$row" "$guide" || complain "the guide lacks: $row"
done
if [ -z "$without_json" ]; then # forces on four corners are not unique: only what is
    "$tact" solve examples/slope.json >"$folder/out"
    row=$(head -n 1 "$folder/out")
    grep -qxF -- "$row" "$guide" || complain "the guide lacks: $row"
fi

# The sanitizers' libraries are not linked to a program of one's own.
if grep -q '^TACT_SANITIZE:STRING=.' "$TACT_BUILD/CMakeCache.txt"; then
    echo "skipped: the C program, in a build with sanitizers"
    exit $failed
fi
# Two programs: an LCP, a contact problem.
awk -v folder="$folder" '/^```c$/ { inside = 1; count++; next } /^```$/ { inside = 0 }
    inside { print > (folder "/example" count ".c") }' "$guide"
for i in 1 2; do
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -I include "$folder/example$i.c" -o "$folder/example$i" \
        -L "$TACT_BUILD" -ltact -Wl,-rpath,"$TACT_BUILD",--allow-shlib-undefined ||
        complain "C program $i does not compile"
done
"$folder/example1" examples/two.dat >"$folder/out" || complain "the C program: status $?"
printf 'solved\nz[0] = 1.333333\nz[1] = 2.333333\n' | cmp -s - "$folder/out" ||
    complain "the C program prints: $(cat "$folder/out")"
if [ -z "$without_json" ]; then
    "$folder/example2" examples/slope.json >"$folder/out" || complain "the second C program: status $?"
    [ "$(cat "$folder/out")" = "solved: normal forces add up to 9.218 N" ] ||
        complain "the second C program prints: $(cat "$folder/out")"
fi
"$folder/example1" "$guide" 2>"$folder/err"
[ $? -eq 2 ] || complain "the C program takes a guide for a problem"
grep -q "solve.md:1: expected the size of the problem" "$folder/err" ||
    complain "$(cat "$folder/err")"
exit $failed
