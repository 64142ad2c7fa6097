#!/bin/sh
# A browser drives the page of `tact view`, where there is one. Pictures are kept in the build.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
tact=${TACT_BUILD:?}/tact
chromium=${CHROMIUM:-$(command -v chromium || true)}

case $(basename "$TACT_BUILD") in
    build) ;;
    *) echo "skipped: the page is the same in every build"; exit 0 ;;
esac
for need in node "${chromium:-chromium}"; do
    command -v "$need" >/dev/null || { echo "skipped: there is no $need"; exit 0; }
done
if [ ! -d "$root/view/page/node_modules/playwright-core" ] || ! "$tact" view --help >/dev/null 2>&1; then
    echo "skipped: the viewer was not built"
    exit 0
fi
CHROMIUM=$chromium node "$here/page.mjs" "$tact" "$root/scenes" "$TACT_BUILD/view-pictures"
