#!/bin/sh
# `tact check` on our own models prints the lists that are kept beside them. To write them anew
# after a change that was meant: TACT_BUILD=build sh tests/cli/test_check_lists.sh write
tact=${TACT_BUILD:?}/tact
here=$(cd "$(dirname "$0")" && pwd)
case $tact in /*) ;; *) tact=$PWD/$tact ;; esac
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
if "$tact" --version | grep -q 'libxml2: no\|qhull: no'; then
    echo "skipped: built without libxml2 or qhull"
    exit 0
fi
failed=0
for folder in "$here/../models/mjcf" "$here/../models/urdf"; do
    cd "$folder" || exit 1
    for list in *.check; do
        model=$(ls "${list%.check}.xml" "${list%.check}.urdf" 2>/dev/null)
        if [ "${1:-}" = write ]; then
            "$tact" check "$model" >"$list"
        else
            "$tact" check "$model" | diff -u "$list" - || { echo "$model: other lists"; failed=1; }
        fi
    done
done
exit $failed
