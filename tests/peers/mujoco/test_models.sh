#!/bin/sh
# What tact reads from model files is what MuJoCo reads: our own models, and those of TACT_SHARED.
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

models=$(find "$here/../../models" -maxdepth 1 -name '*.xml' | LC_ALL=C sort)
own=$here/../../models/mjcf
models="$models $own/orientations.xml $own/replicate.xml"
# MuJoCo refuses keyframes of a file with replicates: this one is compared without.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cp -R "$own/." "$folder"
sed '/<keyframe>/,/<\/keyframe>/d' "$own/everything.xml" >"$folder/everything.xml"
models="$models $folder/everything.xml"
if [ -d "${TACT_SHARED:-}/models" ]; then
    # keyframes.xml is a part of others, and no model alone.
    models="$models $(find "$TACT_SHARED/models" -name '*.xml' ! -name keyframes.xml | LC_ALL=C sort)"
else
    echo "skipped: the models of TACT_SHARED, which is not there"
fi
# shellcheck disable=SC2086 # a list of files
node "$here/compare.mjs" "$tact" $models
