#!/bin/sh
# docs/guide/info.md shows what the program prints.
tact=${TACT_BUILD:?}/tact
guide=${TACT_SOURCE:?}/docs/guide/info.md
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
if "$tact" --version | grep -q 'libxml2: no\|qhull: no'; then
    echo "skipped: built without libxml2 or qhull"
    exit 0
fi
cd "$TACT_SOURCE" || exit 1
shown=$(mktemp) || exit 1
trap 'rm -f "$shown"' EXIT
sed -n '/^```console$/,/^```$/{/^[`$]/d;p}' "$guide" >"$shown"
[ -s "$shown" ] || { echo "the guide shows nothing"; exit 1; }
lines=$(wc -l <"$shown")
"$tact" info tests/models/arm.urdf 2>/dev/null | head -n "$lines" | diff "$shown" -
