#!/bin/sh
# What a bad hand can send to `tact view`: the server lives and the simulation goes on.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tact=${TACT_BUILD:?}/tact

command -v node >/dev/null || { echo "skipped: there is no node"; exit 0; }
if ! "$tact" view --help >/dev/null 2>&1 || [ ! -d "$here/../../view/page/node_modules/esbuild" ]; then
    echo "skipped: the viewer was not built"
    exit 0
fi
node "$here/socket.mjs" "$tact" "$here/../../scenes/hand.xml"
