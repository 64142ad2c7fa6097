#!/bin/sh
# On a terminal, what takes longer than a second has a line with the time left; elsewhere, and with --quiet, there is
# none. What the program prints is not touched by it.
set -eu
tact=$TACT_BUILD/tact
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail()
{
    echo "FAILED: $1"
    [ ! -f "$folder/seen" ] || od -c "$folder/seen" | tail -20
    exit 1
}
if ! command -v script >/dev/null; then
    echo 'skipped: script is not installed'
    exit 0
fi
escape=$(printf '\033')

# What a terminal of $1 columns sees of a command until the words $2 are there (a minute at most), and while it
# ends; into $folder/seen. No clock decides: a busy machine takes longer, and sees the same.
on_terminal()
{
    columns=$1 words=$2
    shift 2
    rm -f "$folder/seen" "$folder/id"
    TERM=xterm script -qefc "stty cols $columns; echo \$\$ >$folder/id; exec $*" "$folder/seen" >/dev/null 2>&1 </dev/null &
    terminal=$!
    tries=0
    until grep -q "$words" "$folder/seen" 2>/dev/null || [ $tries -ge 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -TERM "$(cat "$folder/id")" 2>/dev/null || true # it may have ended by itself
    wait $terminal || true
}

scene=$TACT_SOURCE/scenes/hand.xml
on_terminal 120 'left' "$tact" run "$scene" --time 100000
grep -q '%  .* left, .* of 100000 s, .* contacts' "$folder/seen" || fail 'run has no line'
grep -q 'solves .* certified' "$folder/seen" || fail 'the report of the run is not there'
tail -c 200 "$folder/seen" | grep -q 'left' && fail 'the line is still there at the end'
on_terminal 60 'left' "$tact" run "$scene" --time 100000
grep -q '%  [0-9:]* left' "$folder/seen" || fail 'the time left does not fit into 60 columns'
echo 'ok    run'

on_terminal 120 'left' "$tact" contacts "$scene" --time 100000
grep -q 'left, .* of 100000 s, .* contacts' "$folder/seen" || fail 'contacts has no line'
echo 'ok    contacts'

# How long one solve takes nobody knows: the line says for how long it has been going on.
problem=$TACT_SOURCE/examples/slope.json
on_terminal 120 'so far' "$tact" solve "$problem" --method ladder --repeat 1000000000
grep -q 'slope.json by ladder, [0-9:]* so far' "$folder/seen" || fail 'solve has no line'
on_terminal 120 'left' "$tact" solve "$problem" --method ladder,nsgs --repeat 1000000000
grep -q '0 %  .* left, slope.json by ladder' "$folder/seen" || fail 'solve by two methods has no line'
echo 'ok    solve'

if "$tact" --help | grep -q '^  bench'; then
    on_terminal 120 'left' "$tact" bench collide
    grep -q '%  .* left, ' "$folder/seen" || fail 'bench has no line'
    echo 'ok    bench'
fi

# The viewer waits for people: no line once its address is there.
if "$tact" --version | grep -q 'viewer: yes'; then
    on_terminal 120 '^http://' "$tact" view "$scene" --no-open
    grep -q '^http://' "$folder/seen" || fail 'view prints no address'
    grep -q 'so far' "$folder/seen" && fail 'view has a line while it serves'
    echo 'ok    view'
fi

NO_COLOR=1 on_terminal 120 'left' "$tact" run "$scene" --time 100000
grep -q 'left' "$folder/seen" || fail 'no line with NO_COLOR'
grep -q "$escape\[[0-9;]*m" "$folder/seen" && fail 'colours in spite of NO_COLOR'
echo 'ok    NO_COLOR'

on_terminal 120 'hash' "$tact" run "$scene" --time 200 --quiet
grep -q 'solves .* certified' "$folder/seen" || fail 'no report with --quiet'
grep -q 'left' "$folder/seen" && fail 'a line in spite of --quiet'
echo 'ok    --quiet'

"$tact" run "$scene" --time 200 >"$folder/out" 2>"$folder/seen"
grep -q "$escape" "$folder/seen" "$folder/out" && fail 'a line without a terminal'
grep -q certified "$folder/out" || fail 'no report without a terminal'
echo 'ok    files'
