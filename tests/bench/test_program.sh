#!/bin/sh
# `tact bench`: tables, CSV, JSON and plots are there and say the same, and bad use is status 2.
tact=${TACT_BUILD:?}/tact
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

expect()
{
    [ "$2" = "$3" ] || { echo "$1: expected '$2', found '$3'"; failed=1; }
}

# A figure that is missed depends on how busy the machine is; that the status says so does not.
expect_verdict()
{
    missed=$(grep -c MISSED "$folder/table")
    expect "status of $1, with $missed lines MISSED" "$([ "$missed" -gt 0 ] && echo 1 || echo 0)" "$2"
}

"$tact" bench lcp --family spd-10 --instances 3 --peers none --csv "$folder/lcp.csv" \
    >"$folder/table" 2>"$folder/errors"
expect "status" 0 $?
expect "errors" "" "$(cat "$folder/errors")"
expect "table" 1 "$(grep -c '^spd-10 (spd, n = 10)' "$folder/table")"
expect "lemke in the CSV" "spd-10,spd,10,lemke,3,3,3,0,0" \
    "$(grep '^spd-10,spd,10,lemke,' "$folder/lcp.csv" | cut -d, -f1-9)"
expect "machines in the CSV" 0 "$(grep -c "$(uname -n)" "$folder/lcp.csv")"

"$tact" bench lcp --family spd-10 --instances 3 --peers none --method lemke --json \
    >"$folder/json" 2>"$folder/errors"
expect "status" 0 $?
expect "lemke in the JSON" 1 \
    "$(grep -c '"name": "lemke", "runs": 3, "claimed": 3, "solved": 3, "wrong": 0' "$folder/json")"

"$tact" bench lloyd --quick --instances 2 --largest 8 --csv "$folder/lloyd.csv" --plots "$folder" \
    >"$folder/table" 2>"$folder/errors"
expect_verdict lloyd $?
expect "errors of lloyd" "" "$(cat "$folder/errors")"
expect "reduced in the CSV" "peg,8,1,8,0,reduced,2,2,0,0" \
    "$(grep '^peg,8,1,8,0,reduced,' "$folder/lloyd.csv" | cut -d, -f1-10)"
expect "plots" "8" "$(find "$folder" -name 'lloyd-*.svg' | wc -l | tr -d ' ')"
expect "points of Fig. 7" 1 "$(grep -c 'ten situations' "$folder/lloyd-fig7.svg")"

"$tact" bench friction --no-peers --quick --csv "$folder/friction.csv" \
    "$(dirname "$0")/../../examples/slope.json" >"$folder/table" 2>"$folder/errors"
expect_verdict friction $?
expect "errors of friction" "" "$(cat "$folder/errors")"
expect "nsgs in the CSV" "slope.json,4,3,nsgs,circle,1,1" \
    "$(grep '^slope.json,' "$folder/friction.csv" | cut -d, -f1-7)"
expect "verdict" 1 "$(grep -c 'on 1 of 1 files' "$folder/table")"

"$tact" bench baraff --instances 1 --peers none >"$folder/table" 2>"$folder/errors"
expect_verdict baraff $?
expect "errors of baraff" "" "$(cat "$folder/errors")"
expect "rows of baraff, without and with friction" "16 9" \
    "$(awk '/^With friction/ { later = 1 } /^(peg|tower)/ { n[later + 0]++ } END { print n[0], n[1] }' \
        "$folder/table")"

"$tact" bench truth --scenes 2 --step 5 --time 0.3 --family drop --csv "$folder/truth.csv" \
    --each "$folder/each.csv" >"$folder/table" 2>"$folder/errors"
expect_verdict truth $?
expect "errors of truth" "" "$(cat "$folder/errors")"
expect "tact in the CSV of truth" "drop,1,0,2,0.3,5,tact" \
    "$(grep '^drop,' "$folder/truth.csv" | cut -d, -f1-7)"
expect "scenes of truth" "0 1" "$(awk -F, '/^drop,/ { printf "%s%s", s, $3; s = " " }' "$folder/each.csv")"
expect "wanted of truth" 1 "$(grep -c 'positions follow velocities' "$folder/table")"

TACT_SHARED='' "$tact" bench dynamics --rounds 1 --peers none --csv "$folder/dynamics.csv" \
    >"$folder/table" 2>"$folder/errors"
expect_verdict dynamics $?
expect "errors of dynamics" "" "$(cat "$folder/errors")"
expect "models and parts in the CSV" "6 8" \
    "$(awk -F, '/,tact,/ { m[$1]; p[$4] } END { print length(m), length(p) }' "$folder/dynamics.csv")"
expect "dofs of the humanoid" 27 "$(awk -F, '/^humanoid,/ { print $2; exit }' "$folder/dynamics.csv")"
expect "factor of M against ABA on a chain of 10" "" \
    "$(awk -F, '/^chain-10,/ && !($9 < 1e-9)' "$folder/dynamics.csv")"

# MuJoCo and DART, where they are, find the same forces, mass matrices and accelerations.
if [ -e "$TACT_BUILD/tact-peers.so" ]; then
    for model in humanoid chain-10 comb-100; do
        TACT_SHARED='' "$tact" bench dynamics --rounds 1 --model $model >"$folder/table" 2>"$folder/errors"
        expect_verdict "dynamics on $model with peers" $?
        expect "peers that differ on $model" 0 "$(grep -c DIFFERS "$folder/table")"
        expect "errors of dynamics on $model" "" "$(cat "$folder/errors")"
    done
fi

# Two thirds of the pairs touch, as they were placed; ODE, where it is, says the same of boxes.
peers=$([ -e "$TACT_BUILD/tact-peers.so" ] && echo --peers)
for case in box capsule pile-125; do
    # shellcheck disable=SC2086
    "$tact" bench collide --budget 0.001 $peers --case $case --csv "$folder/$case.csv" \
        >"$folder/table" 2>"$folder/errors"
    expect_verdict "collide $case" $?
    expect "errors of collide $case" "" "$(cat "$folder/errors")"
done
expect "boxes that touch" "box 1000" \
    "$(awk -F, '/,(tact|ode),pairs,/ { seen[$1 " " $9] } END { for (i in seen) print i }' "$folder/box.csv")"
expect "capsules that touch" "capsule 1000" \
    "$(awk -F, '/,tact,pairs,/ { print $1, $9 }' "$folder/capsule.csv")"
expect "other numbers of pairs, or of those that touch, in the pile" 2 \
    "$(awk -F, '/,(tact|ode),/ { seen[$5 " " $8 * ($5 == "broad") " " $9] } END { print length(seen) }' "$folder/pile-125.csv")"

"$tact" bench sim --rounds 1 --budget 0.05 --scene stack --scenes "$(dirname "$0")/../../scenes" \
    --csv "$folder/sim.csv" >"$folder/table" 2>"$folder/errors"
expect_verdict sim $?
expect "errors of sim" "" "$(cat "$folder/errors")"
expect "the stack in the CSV, with no joint and hardly any drift" "stack 10 60 1 1" \
    "$(awk -F, '/^stack,/ { print $1, $2, $3, $9 < 1e-9, $10 == 0 }' "$folder/sim.csv")"

# A film: tact at 5 ms and at 0.1 ms, and a page where the program has one.
"$tact" bench truth --films "$folder/films" --scenes 1 --first 3 --time 0.3 >"$folder/table" 2>"$folder/errors"
expect "status of a film" 0 $?
expect "errors of a film" "" "$(cat "$folder/errors")"
expect "copies in the film" 2 "$(grep -c '^  tact ' "$folder/table")"
"$tact" info "$folder/films/drop-1-3-5ms.tact" >"$folder/table" 2>"$folder/errors"
expect "status of info on a film" 0 $?
expect "frames of the film" 1 "$(grep -c '0.3 s in 21 frames' "$folder/table")"

"$tact" bench papers --quick --only lloyd --scenes "$(dirname "$0")/../../scenes" --out "$folder/papers" \
    >"$folder/table" 2>"$folder/errors"
expect_verdict papers $?
expect "errors of papers" "" "$(cat "$folder/errors")"
expect "what holds of Lloyd's experiments" "6 0" \
    "$(awk '/^holds:/ { h++ } /^MISSED:/ { m++ } END { print h + 0, m + 0 }' "$folder/table")"
expect "rows of situations" 25 "$(grep -c '^| .* 2 of 2 |$' "$folder/papers/results.md")"
expect "plots" 3 "$(grep -l '</svg>' "$folder"/papers/results/plot-*.svg | wc -l)"
expect "images in one file" "$(find "$folder/papers/results" -type f | wc -l)" \
    "$(grep -o 'src="data:image' "$folder/papers/results.html" | wc -l)"

"$tact" bench papers --quick --only baraff --scenes "$(dirname "$0")/../../scenes" --out "$folder/baraff" \
    >"$folder/table" 2>"$folder/errors"
expect_verdict "Baraff's experiments" $?
expect "errors of Baraff's experiments" "" "$(cat "$folder/errors")"
expect "what holds of Baraff's paper, times aside" "8 0" \
    "$(awk '/real time|elimination|quadratic/ { next } /^holds:/ { h++ } /^MISSED:/ { m++ } END { print h + 0, m + 0 }' "$folder/table")"
expect "rows without and with friction" "16 9" \
    "$(awk '/^\*\*With friction/ { later = 1 } /^\| (peg|tower)/ { n[later + 0]++ } END { print n[0], n[1] }' \
        "$folder/baraff/results.md")"

# Heaps: rows of the CSV are kept, and a run that goes on reads them.
"$tact" bench piles --number 8,27 --settled --time 0.05 --settle 0.05 --csv "$folder/piles.csv" \
    >"$folder/table" 2>"$folder/errors"
expect "status of piles" 0 $?
expect "rows of piles" 2 "$(grep -c '^boxes .* layers .* 20/20 ' "$folder/table")"
expect "growth of piles" 1 "$(grep -c '^from 8 to 27 bodies a step grows' "$folder/table")"
expect "piles in the CSV" "tact,boxes,27,1,layers,0,0,0.5,0.05,0.005,10" \
    "$(grep '^tact,boxes,27,' "$folder/piles.csv" | cut -d, -f1-11)"
cp "$folder/piles.csv" "$folder/before.csv"
"$tact" bench piles --number 8,27 --settled --time 0.05 --settle 0.05 --csv "$folder/piles.csv" \
    --resume >"$folder/again" 2>"$folder/errors"
expect "status of piles that go on" 0 $?
expect "rows that are read" "" "$(diff "$folder/table" "$folder/again")"
expect "the CSV of piles that go on" "" "$(diff "$folder/before.csv" "$folder/piles.csv")"
"$tact" bench piles --number 6 --shape parts --time 0.05 --sleep --csv "$folder/piles.csv" --resume \
    >"$folder/table" 2>"$folder/errors"
expect "status of parts" 0 $?
expect "rows of the CSV" 3 "$(grep -c '^tact,' "$folder/piles.csv")"
for shape in boxes spheres capsules mixed chains parts; do
    "$tact" bench piles --number 7 --shape $shape --poured --scene "$folder/scene.xml"
    expect "bodies of $shape" 7 "$(grep -c '<freejoint/>' "$folder/scene.xml")"
    "$tact" check "$folder/scene.xml" >/dev/null
    expect "$shape can be read" 0 $?
done

for words in "piles --number 0" "piles --number 8,x" "piles --shape no-such-shape" "piles --resume" \
             "papers --only no-such-paper" "papers --no-such-option" "papers --out" \
             "papers --quick --only lloyd --out /no/such/folder" "collide --budget 0" "collide --no-such-option 1" "collide --csv" "collide --case no-such-case" \
             "collide --peers --module /no/such/file" "dynamics --rounds 0" "dynamics --no-such-option 1" "dynamics --csv" "dynamics --model no-such-model" \
             "truth --films" "truth --films /no/such/folder/films --scenes 1 --time 0.02" \
             "sim --rounds 0" "sim --no-such-option 1" "sim --csv" "sim --scene no-such-scene" \
             "dynamics --peers none --humanoid /no/such/file" "baraff --instances 0" "baraff --no-such-option 1" "baraff --budget" "friction /no/such/file" "friction --budget 0" "friction --no-such-option" \
             "lloyd --instances 0" "lloyd --no-such-option" "lloyd --csv" \
             "lloyd --instances 2 --largest 4 --plots /no/such/folder" \
             "lcp --family no-such-family" "lcp --method no-such-method" "lcp --instances 0" \
             "lcp --csv" "lcp --no-such-option" "no-such-experiment" ""; do
    # shellcheck disable=SC2086
    "$tact" bench $words >"$folder/out" 2>"$folder/errors"
    expect "status of bench $words" 2 $?
    [ -s "$folder/errors" ] || { echo "bench $words says nothing"; failed=1; }
done
exit $failed
