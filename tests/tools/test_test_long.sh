#!/bin/sh
# tools/test-long: ranges follow each other without a gap, failures are recorded and can be repeated.
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 0; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tests" "$folder/results" || exit 1
long="${TACT_SOURCE:?}/tools/test-long"
export TACT_RESULTS="$folder/results"
failed=0

complain()
{
    echo "$1"
    failed=1
}

# A program that fails on the range that holds seed 42.
cat >"$folder/tests/test_sim_random" <<'END'
#!/bin/sh
echo "| $2 | 7 | scenes |"
[ "$1" -gt 42 ] || [ $(($1 + $2)) -le 42 ]
END
chmod +x "$folder/tests/test_sim_random"
"$long" --build "$folder" --seconds 200 random-scenes >"$folder/out" && complain "a failure gives status 0"
ledger=$folder/results/long.csv
awk -F, 'NR == 1 { next } $4 != next_seed && NR > 2 { bad = 1 } { next_seed = $4 + $5; lines++ }
    END { exit bad || next_seed != 1001 || lines != 200 }' "$ledger" || complain "1000 seeds are not run once each: $(wc -l <"$ledger") lines"
[ "$(awk -F, 'NR > 1 { sum += $6 } END { print sum }' "$ledger")" = 1 ] || complain "one range should have failed"
grep -q ',random-scenes,41,5,1,' "$ledger" || complain "it is not the range of seed 42"
[ -s "$folder/long/random-scenes-41-5.txt" ] || complain "the output of the range that failed is not kept"
"$long" --build "$folder" --seconds 200 random-scenes >"$folder/out" || complain "nothing is left to be run, and it fails"
[ "$(wc -l <"$ledger")" = 201 ] || complain "ranges are run twice"
printf '#!/bin/sh\n' >"$folder/tests/test_sim_random"
"$long" --build "$folder" --again random-scenes >"$folder/out" || complain "the range that failed cannot be repeated"
[ "$(grep -c ',random-scenes,41,5,' "$ledger")" = 2 ] || complain "the repeated range is not recorded"
"$long" --build "$folder" no-such-check 2>/dev/null
[ $? = 2 ] || complain "status of a check that does not exist"
exit $failed
