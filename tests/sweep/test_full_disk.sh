#!/bin/sh
# tact sweep on file systems that are really full: a small tmpfs, and where that can be mounted a small ext4. Every trial
# is made once, and the table has the bytes of a sweep that nobody disturbed.
tact=${TACT_BUILD:?}/tact
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
"$tact" --version | grep -q 'jansson: no' && { echo "skipped: a build without jansson"; exit 0; }
# What is mounted is mounted for this script alone, and gone with it.
if [ "${TACT_FULL_DISK:-}" != inside ]; then
    command -v unshare >/dev/null || { echo "skipped: there is no unshare"; exit 0; }
    [ "$(id -u)" -eq 0 ] && own=-m || own=-rm
    unshare $own mount -t tmpfs -o size=64k tact "$(dirname "$0")" 2>/dev/null ||
        { echo "skipped: nothing can be mounted here"; exit 0; }
    TACT_FULL_DISK=inside exec unshare $own sh "$0"
fi
ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # Open MPI itself keeps memory until its end
export ASAN_OPTIONS
folder=$(mktemp -d) || exit 1
disk=$folder/disk
trap 'umount "$disk" 2>/dev/null; rm -rf "$folder"' EXIT
mkdir "$disk"
cd "$folder" || exit 1
failed=0

complain()
{
    echo "$*"
    failed=1
}

# Everything that is left of the disk but so many blocks of 4 KiB goes to a file.
fill()
{
    dd if=/dev/zero of="$disk/filler" bs=4096 2>/dev/null
    size=$(stat -c %s "$disk/filler")
    truncate -s $((size - 4096 * $1)) "$disk/filler"
}

# The table has whole lines only, the first ones of the undisturbed table.
is_prefix()
{
    head -c "$(stat -c %s "$1")" whole.csv | cmp -s - "$1" || complain "$2: the table is not the beginning of the undisturbed one"
    [ ! -s "$1" ] || [ "$(tail -c 1 "$1" | od -An -tx1 | tr -d ' ')" = 0a ] || complain "$2: the last line is cut off"
}

same()
{
    cmp -s whole.csv "$1" || complain "$2: $1 is not the undisturbed table: $(wc -l <"$1") lines"
    cmp -s whole.csv.sweep "$1.sweep" || complain "$2: $1.sweep has rows left"
}

# meet_full WHAT COMMAND...: fails for want of room, goes on when there is some.
meet_full()
{
    what=$1
    shift
    fill 3 # blocks: one for the second file, two for 8 KiB of rows
    "$@" >out 2>err
    status=$?
    [ $status -ne 0 ] && [ $status -ne 124 ] || complain "$what: status $status on a full disk" # 124: it did not end
    grep -q 'full.csv.*a row cannot be written; what is there is safe.*No space left on device' err ||
        complain "$what: $(cat err)"
    is_prefix "$disk/full.csv" "$what"
    rows=$(wc -l <"$disk/full.csv")
    { [ "$rows" -ge 1 ] && [ "$rows" -lt 601 ]; } || complain "$what: $rows lines on the full disk"
    "$@" >out 2>err && complain "$what: status 0 on a disk that is still full"
    is_prefix "$disk/full.csv" "$what, again"
    rm "$disk/filler"
    "$@" --json >told.json 2>err || complain "$what: going on: $(cat err)"
    grep -q '"made": 600' told.json && complain "$what: trials that were there are made again"
    same "$disk/full.csv" "$what"
    rm -f "$disk"/full.csv*
}

# From the very first byte there is no room.
meet_nothing()
{
    fill 0
    "$tact" sweep sweep.json --out "$disk/full.csv" >out 2>err && complain "$1: status 0 without any room"
    grep -q 'No space left on device' err || complain "$1, no room at all: $(cat err)"
    rm "$disk/filler"
    "$tact" sweep sweep.json --out "$disk/full.csv" >out 2>err || complain "$1, no room at all, going on: $(cat err)"
    same "$disk/full.csv" "$1, no room at all"
    rm -f "$disk"/full.csv*
}

# What is written besides the table says so too.
meet_full_besides()
{
    "$tact" sweep sweep.json --out here.csv >out 2>err || complain "$1: $(cat err)"
    fill 0
    for option in --plot --html --hdf5; do
        [ $option = --html ] && [ ! -f "$TACT_BUILD/view-page.html" ] && continue
        "$tact" --version | grep -q 'hdf5: no' && [ $option = --hdf5 ] && continue
        "$tact" sweep sweep.json --out here.csv $option "$disk/file" >out 2>err && complain "$1: $option: status 0 on a full disk"
        [ -s err ] || complain "$1: $option: nothing is said"
    done
    rm -f "$disk/filler" "$disk/file"
}

ranks()
{
    set -- --oversubscribe -n 3 "$@"
    [ "$(id -u)" -ne 0 ] || set -- --allow-run-as-root "$@"
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none timeout 120 mpirun "$@"
}

try_all()
{
    meet_full "$1, 2 threads" "$tact" sweep sweep.json --threads 2 --out "$disk/full.csv"
    meet_full "$1, 5 threads" "$tact" sweep sweep.json --threads 5 --out "$disk/full.csv"
    if [ -f "$TACT_BUILD/tact-mpi.so" ] && mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
        meet_full "$1, 3 ranks" ranks "$tact" sweep sweep.json --out "$disk/full.csv"
    fi
    meet_nothing "$1"
    meet_full_besides "$1"
}

cat >sweep.json <<END
{"format": "tact-sweep/1", "scene": "$TACT_SOURCE/scenes/pinch.xml", "trials": 600, "seed": 3, "time": 0.004,
 "vary": {"mu": {"path": ["geom/left/friction", "geom/right/friction", "geom/capsule/friction"],
                 "uniform": [0.01, 0.1]},
          "body/capsule/mass": {"normal": [0.045, 0.01], "within": [0.01, 0.1]}},
 "measure": {"z": "/bodies/capsule/pos/2"}}
END
"$tact" sweep sweep.json --threads 1 --out whole.csv >/dev/null || complain "the undisturbed sweep: status $?"
[ "$(wc -l <whole.csv)" -eq 601 ] || complain "the undisturbed table has $(wc -l <whole.csv) lines"

mount -t tmpfs -o size=256k tact "$disk" || complain "tmpfs cannot be mounted"
try_all tmpfs
umount "$disk"
if command -v mkfs.ext4 >/dev/null && truncate -s 1M image && mkfs.ext4 -q -b 4096 image 2>/dev/null &&
    mount -o loop image "$disk" 2>/dev/null; then
    try_all ext4
else
    echo "skipped: ext4 cannot be mounted here"
fi
exit $failed
