#!/bin/sh
# The program begins without the large libraries that few runs need, and in less than 3 ms.
set -u
tact=${TACT_BUILD:?}/tact
if grep -q '^TACT_LOAD_LATER:BOOL=OFF' "$TACT_BUILD/CMakeCache.txt"; then
    echo 'skipped: libraries are linked'
    exit 0
fi
libraries=$(ldd "$tact") || exit 1
for name in libhdf5 libassimp libopenblas libwebsockets; do
    if echo "$libraries" | grep -q "$name"; then
        echo "FAILED: $name is loaded at the start"
        exit 1
    fi
done
echo "ok    $(echo "$libraries" | wc -l) libraries at the start"

# What is loaded later is there when it is needed.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if "$tact" --version | grep -q 'hdf5: yes'; then
    "$tact" solve "$TACT_SOURCE/examples/slope.json" --save "$folder/slope.hdf5" >/dev/null &&
        "$tact" solve "$folder/slope.hdf5" >/dev/null || { echo 'FAILED: an FCLIB file'; exit 1; }
    echo 'ok    an FCLIB file is written and read'
fi

if grep -q '^TACT_SANITIZE:.*=.' "$TACT_BUILD/CMakeCache.txt" ||
    ! grep -q '^CMAKE_BUILD_TYPE:.*=Release' "$TACT_BUILD/CMakeCache.txt"; then
    echo 'skipped: the time of a start, in this build'
    exit 0
fi
command -v python3 >/dev/null || { echo 'skipped: the time of a start, without python3'; exit 0; }
# The fastest of many: what else the machine does is not the program's.
python3 - "$tact" <<'END'
import subprocess, sys, time
best = 1.0
for _ in range(300):
    begin = time.perf_counter()
    subprocess.run([sys.argv[1], "--version"], stdout=subprocess.DEVNULL, check=True)
    best = min(best, time.perf_counter() - begin)
print(f"{'ok   ' if best < 3e-3 else 'FAILED:'} tact --version takes {1e3 * best:.2f} ms at best, 3 wanted")
sys.exit(best >= 3e-3)
END
