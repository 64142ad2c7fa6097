#!/bin/sh
# `tact view` where memory lacks: it says so or serves, and ends in order.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tact=${TACT_BUILD:?}/tact

[ -e "$TACT_BUILD/tests/tact-starve.so" ] || { echo "skipped: a sanitizer has a heap of its own"; exit 0; }
command -v node >/dev/null || { echo "skipped: there is no node"; exit 0; }
if ! "$tact" view --help >/dev/null 2>&1 || [ ! -d "$here/../../view/page/node_modules/esbuild" ]; then
    echo "skipped: the viewer was not built"
    exit 0
fi
node "$here/starve.mjs" "$tact" "$here/../../scenes/hand.xml" "$TACT_BUILD/tests/tact-starve.so"
