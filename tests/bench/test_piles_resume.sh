#!/bin/sh
# `tact bench piles --resume`: a run that is killed in the middle of a row goes on from what it has
# kept, to the figures of a run in one piece.
tact=${TACT_BUILD:?}/tact
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

expect()
{
    [ "$2" = "$3" ] || { echo "$1: expected '$2', found '$3'"; failed=1; }
}

# All figures of the row but times and memory.
figures()
{
    grep '^tact,boxes,' "$1" | cut -d, -f1-13,18-21,24,26-
}

words="bench piles --number 64 --wedged --condim 4 --time 0.7 --keep 0.02 --csv"

# shellcheck disable=SC2086
"$tact" $words "$folder/whole.csv" --save "$folder/all" >/dev/null 2>&1
expect "status of one piece" 0 $?

# Killed as soon as something is kept; it may have ended by then, on a machine that is slow to look.
tries=0
while [ "$tries" -lt 5 ]; do
    rm -f "$folder"/cut.csv*
    # shellcheck disable=SC2086
    "$tact" $words "$folder/cut.csv" --resume >/dev/null 2>&1 & # itself, not a shell around it
    child=$!
    while [ ! -f "$folder/cut.csv.part" ] && kill -0 "$child" 2>/dev/null; do
        sleep 0.02
    done
    kill -9 "$child" 2>/dev/null
    wait "$child" 2>/dev/null
    killed=$?
    [ -f "$folder/cut.csv.part" ] && [ "$killed" = 137 ] && break
    tries=$((tries + 1))
done
expect "status of what was killed" 137 "$killed"
expect "rows of what was killed" "" "$(figures "$folder/cut.csv")"
kept=$(wc -c <"$folder/cut.csv.part")
[ "$kept" -gt 1000 ] || { echo "only $kept bytes were kept"; failed=1; }

# shellcheck disable=SC2086
"$tact" $words "$folder/cut.csv" --resume --save "$folder/rest" >/dev/null 2>&1
expect "status of what went on" 0 $?
expect "figures" "$(figures "$folder/whole.csv")" "$(figures "$folder/cut.csv")"
all=$(find "$folder/all" -name '*.json' | wc -l) rest=$(find "$folder/rest" -name '*.json' | wc -l)
[ "$rest" -gt 0 ] && [ "$rest" -lt "$all" ] ||
    { echo "$rest of $all problems were solved again: it began anew"; failed=1; }
expect "what was kept is done" "" "$(ls "$folder" | grep part)"
exit $failed
