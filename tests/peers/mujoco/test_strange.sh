#!/bin/sh
# Files that use many features of MJCF in odd combinations are read and move as they do in MuJoCo.
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
node "$here/features.mjs" "$tact" "$here"/../../models/strange/*.xml "$here"/../../models/strange/*.urdf
