#!/bin/sh
# Spinning and rolling die as fast as in MuJoCo where the laws coincide.
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
node "$here/spin.mjs" "$tact"
