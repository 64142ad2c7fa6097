#!/bin/sh
# tact sweep over ranks of MPI: whatever is killed on the way, every trial is in the table once, and the table has the
# bytes of a sweep that nobody disturbed.
tact=${TACT_BUILD:?}/tact
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
"$tact" --version | grep -q 'jansson: no' && { echo "skipped: a build without jansson"; exit 0; }
[ -f "$TACT_BUILD/tact-mpi.so" ] || { echo "skipped: a build without MPI"; exit 0; }
command -v mpirun >/dev/null || { echo "skipped: there is no mpirun"; exit 0; }
case "$(mpirun --version)" in *"Open MPI"*) ;; *) echo "skipped: not Open MPI"; exit 0 ;; esac
# Open MPI itself keeps memory until its end.
ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

complain()
{
    echo "$*"
    failed=1
}

# ranks N OPTIONS: mpirun as root too, with more ranks than processors
ranks()
{
    count=$1
    shift
    set -- --oversubscribe -n "$count" "$@"
    [ "$(id -u)" -ne 0 ] || set -- --allow-run-as-root "$@"
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none timeout 120 mpirun "$@"
}

# The process of `tact sweep ... --out NAME` of this folder whose rank is $2. One grep looks through all processes: on a
# machine that is busy the sweep would be over otherwise.
process()
{
    for entry in $(grep -la -- "--out.$1" /proc/[0-9]*/cmdline 2>/dev/null); do
        entry=${entry%/cmdline}
        [ "$(readlink "$entry/cwd" 2>/dev/null)" = "$folder" ] || continue
        if grep -qa "OMPI_COMM_WORLD_RANK=$2" "$entry/environ" 2>/dev/null; then
            echo "${entry#/proc/}"
        fi
    done
}

# Waits until the table $1 has $2 rows.
grows()
{
    for _ in $(seq 600); do
        [ -f "$1" ] && [ "$(wc -l <"$1")" -gt "$2" ] && return 0
        sleep 0.05
    done
    complain "$1 does not grow to $2 rows"
    return 1
}

# Every trial once, in order, and the bytes of the undisturbed table.
same()
{
    cmp -s whole.csv "$1" || complain "$2: $1 is not the undisturbed table: $(wc -l <"$1") lines"
    cmp -s whole.csv.sweep "$1.sweep" || complain "$2: $1.sweep has rows left"
    awk -F, 'NR > 1 && $1 != NR - 2 { print "row " NR ": trial " $1; bad = 1 } END { exit bad }' "$1" ||
        complain "$2: trials are missing or twice"
}

cat >sweep.json <<END
{"format": "tact-sweep/1", "scene": "$TACT_SOURCE/scenes/pinch.xml", "trials": 240, "seed": 3, "time": 0.02,
 "vary": {"mu": {"path": ["geom/left/friction", "geom/right/friction", "geom/capsule/friction"],
                 "uniform": [0.01, 0.1]},
          "body/capsule/mass": {"normal": [0.045, 0.01], "within": [0.01, 0.1]}},
 "stop": [{"outcome": "slipped", "moved": "capsule", "above": 1e-4}],
 "measure": {"z": "/bodies/capsule/pos/2"}}
END
"$tact" sweep sweep.json --threads 1 --out whole.csv >/dev/null || complain "the undisturbed sweep: status $?"
[ "$(wc -l <whole.csv)" -eq 241 ] || complain "the undisturbed table has $(wc -l <whole.csv) lines"

for count in 2 4; do
    ranks $count "$tact" sweep sweep.json --out "ranks$count.csv" --json >told.json 2>err ||
        complain "$count ranks: status $?: $(cat err)"
    grep -q '"made": 240' told.json || complain "$count ranks: $(cat told.json)"
    same "ranks$count.csv" "$count ranks"
done

# A rank is killed: the others make its trials, in the same run.
ranks 4 --enable-recovery "$tact" sweep sweep.json --out killed.csv --pause 0.1 --silence 2 >out 2>err &
job=$!
grows killed.csv 20 && kill -9 "$(process killed.csv 2)"
wait $job
grep -q 'lost          [1-3] ranks' out || complain "a killed rank is not told of: $(cat out err)"
same killed.csv "a killed rank"

# One that only stands still for a while is lost too, and what it says later changes nothing.
ranks 3 --enable-recovery "$tact" sweep sweep.json --out stopped.csv --pause 0.05 --silence 1 >out 2>err &
job=$!
if grows stopped.csv 20; then
    sleeper=$(process stopped.csv 1)
    kill -STOP "$sleeper"
    sleep 2.5
    kill -CONT "$sleeper"
fi
wait $job
same stopped.csv "a rank that stood still"

# Without recovery mpirun ends all of them, and so it is when rank 0 dies: the same command goes on.
ranks 3 "$tact" sweep sweep.json --out all.csv --pause 0.05 >out 2>err &
job=$!
grows all.csv 20 && kill -9 "$(process all.csv 0)"
wait $job && complain "rank 0 was killed, and mpirun says that all is well"
[ "$(wc -l <all.csv)" -lt 241 ] || complain "the sweep was over before rank 0 was killed"
ranks 3 "$tact" sweep sweep.json --out all.csv --json >told.json 2>err || complain "going on: $(cat err)"
grep -q '"made": 240' told.json && complain "trials that were there are made again"
same all.csv "all ranks killed"

# The disk is full: here a limit on the size of files, which writes meet in the same way. It comes when MPI has started,
# which has files of its own.
if command -v prlimit >/dev/null; then
    ranks 3 "$tact" sweep sweep.json --out full.csv --pause 0.05 >out 2>err &
    job=$!
    grows full.csv 20 && prlimit --fsize=6000 --pid "$(process full.csv 0)"
    wait $job && complain "a full disk: status 0"
    grep -q 'full.csv.*a row cannot be written; what is there is safe' err || complain "a full disk: $(cat err)"
    [ "$(wc -l <full.csv)" -lt 241 ] || complain "the sweep was over before the disk was full"
    ranks 3 "$tact" sweep sweep.json --out full.csv >out 2>err || complain "after a full disk: $(cat err)"
    same full.csv "a full disk"
fi

# A table of another sweep is refused by rank 0, and the others do not wait for ever.
sed 's/"seed": 3/"seed": 4/' sweep.json >other.json
ranks 2 "$tact" sweep other.json --out whole.csv >out 2>err && complain "another sweep's table is taken"
grep -q 'whole.csv.*not .* of this sweep' err || complain "another sweep's table: $(cat err)"
exit $failed
