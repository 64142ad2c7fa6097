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

# Every command of a console block ends with status 0, and the table has the rows that are shown.
sed -n 's/^\$ tact //p' "$guide" >"$folder/commands"
[ -s "$folder/commands" ] || complain "the guide has no commands"
while read -r words; do
    # shellcheck disable=SC2086 # the words of a command
    "$tact" $words >"$folder/out" 2>"$folder/err" </dev/null || complain "tact $words: status $?"
    [ ! -s "$folder/err" ] || complain "tact $words: $(cat "$folder/err")"
done <"$folder/commands"
"$tact" solve examples/two.dat >"$folder/out"
for i in 0 1; do
    row=$(grep "^      $i " "$folder/out")
    grep -qxF -- "$row" "$guide" || complain "the guide lacks: $row"
done

# The sanitizers' libraries are not linked to a program of one's own.
if grep -q '^TACT_SANITIZE:STRING=.' "$TACT_BUILD/CMakeCache.txt"; then
    echo "skipped: the C program, in a build with sanitizers"
    exit $failed
fi
# shellcheck disable=SC2016 # fences, not commands
sed -n '/^```c$/,/^```$/p' "$guide" | sed '/^```/d' >"$folder/example.c"
${CC:-cc} -std=c11 -Wall -Wextra -Werror -I include "$folder/example.c" -o "$folder/example" \
    -L "$TACT_BUILD" -ltact -Wl,-rpath,"$TACT_BUILD",--allow-shlib-undefined ||
    complain "the C program does not compile"
"$folder/example" examples/two.dat >"$folder/out" || complain "the C program: status $?"
printf 'solved\nz[0] = 1.333333\nz[1] = 2.333333\n' | cmp -s - "$folder/out" ||
    complain "the C program prints: $(cat "$folder/out")"
"$folder/example" "$guide" 2>"$folder/err"
[ $? -eq 2 ] || complain "the C program takes a guide for a problem"
grep -q "solve.md:1: expected the size of the problem" "$folder/err" ||
    complain "$(cat "$folder/err")"
exit $failed
