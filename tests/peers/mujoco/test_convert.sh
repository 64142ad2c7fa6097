#!/bin/sh
# What tact convert writes is read by tact and by MuJoCo, and is the same robot in both: our URDFs, all of
# TACT_SHARED, and scenes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tact=${TACT_BUILD:?}/tact

if ! command -v node >/dev/null; then
    echo "skipped: there is no node"
    exit 0
fi
if [ ! -x "$tact" ]; then
    echo "skipped: there is no program"
    exit 0
fi
root=$here/../../..
files="$root/tests/models/arm.urdf $root/tests/models/urdf/everything.urdf $root/scenes/hand.xml $root/scenes/hoist.xml"
if [ -d "${TACT_SHARED:-}/models" ]; then
    files="$files $(find "$TACT_SHARED/models" -name '*.urdf' | LC_ALL=C sort)"
else
    echo "skipped: the robots of TACT_SHARED, which is not there"
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# shellcheck disable=SC2086 # a list of files
node "$here/convert.mjs" "$tact" "$folder" $files || exit 1
node "$here/compare.mjs" "$tact" "$folder"/*.xml
