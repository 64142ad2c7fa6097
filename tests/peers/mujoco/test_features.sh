#!/bin/sh
# Small models, each with one feature of MJCF, move as they do in MuJoCo.
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
failed=0
for model in "$here"/../../models/features/*.xml; do
    if ! "$tact" check "$model" >/dev/null; then
        echo "$model: tact check says that something is not honoured"
        "$tact" check "$model" | grep '\*'
        failed=1
    fi
    if ! "$tact" info "$model" --json >/dev/null; then
        echo "$model: tact info --json fails"
        failed=1
    fi
done
node "$here/features.mjs" "$tact" "$here"/../../models/features/*.xml || failed=1
exit $failed
