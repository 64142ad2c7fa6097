#!/bin/sh
# tools/check-layers accepts what the table allows and names every kind of violation.
set -u
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/include/tact" "$tree/src/base" "$tree/src/lcp" "$tree/src/linalg" "$tree/cli" \
    "$tree/bench"
failed=0

# expect STATUS FILE LINE: a tree with that one line in that file gets that verdict.
expect()
{
    echo "$3" >"$tree/$2"
    "$TACT_SOURCE/tools/check-layers" "$tree" >"$tree/verdict" 2>&1
    status=$?
    if [ $status -ne "$1" ] || { [ "$1" = 1 ] && ! grep -q "^$2:1:" "$tree/verdict"; }; then
        echo "expected status $1, got $status, for '$3' in $2:"
        cat "$tree/verdict"
        failed=1
    fi
    rm "$tree/$2"
}

expect 0 src/lcp/a.c '#include "linalg/lu.h"'
expect 0 src/lcp/a.c '#include <tact/lcp.h>'
expect 0 src/lcp/a.c '#include <math.h>'
expect 0 include/tact/lcp.h '#include <tact/base.h>'
expect 0 include/tact/tact.h '#include <tact/lcp.h>'
expect 0 cli/a.c '#include "cli/print.h"'
expect 0 bench/a.c '#include <tact/tact.h>'

expect 1 src/linalg/a.c '#include "lcp/solver.h"'
expect 1 src/lcp/a.c '#include "io/reader.h"'
expect 1 src/lcp/a.c '#include <tact/io.h>'
expect 1 src/lcp/a.c '#include "solver.h"'
expect 1 src/lcp/a.c '#include "../io/reader.h"'
expect 1 src/base/a.h '#  include "lcp/solver.h"'
expect 1 include/tact/lcp.h '#include <tact/io.h>'
expect 1 include/tact/lcp.h '#include "lcp/solver.h"'
expect 1 cli/a.c '#include "lcp/solver.h"'
expect 1 cli/a.c '#include "../src/lcp/solver.h"'
expect 1 bench/a.c '#include <lcp/solver.h>'
mkdir -p "$tree/src/sim/free" "$tree/src/sim/island"
expect 0 src/sim/free/a.c '#include "sim/free/inner.h"'
expect 0 src/sim/island/a.c '#include "sim/free/free.h"'
expect 0 src/sim/a.c '#include "contact/system/system.h"'
expect 1 src/sim/island/a.c '#include "sim/free/inner.h"'
expect 1 src/sim/a.c '#include "sim/free/inner.h"'
expect 1 src/sim/a.c '#include "contact/system/inner.h"'
expect 1 src/sim/a.c '#include "sim/free/deep/deep.h"'
mkdir -p "$tree/cli/run" "$tree/cli/solve" "$tree/bench/sim" "$tree/bench/peers" "$tree/view/live"
expect 0 cli/run/a.c '#include "cli/run/inner.h"'
expect 0 cli/run/a.c '#include "cli/solve/solve.h"'
expect 0 cli/run/a.c '#include "cli/options.h"'
expect 0 cli/a.c '#include "bench/bench.h"'
expect 0 cli/a.c '#include "view/view.h"'
expect 0 bench/sim/a.c '#include "bench/peers.h"'
expect 0 bench/peers/a.cpp '#include "bench/peers/peer.hpp"'
expect 0 view/live/a.c '#include "cli/json/json.h"'
expect 1 cli/a.c '#include "print.h"'
expect 1 cli/run/a.c '#include "cli/solve/inner.h"'
expect 1 cli/a.c '#include "cli/run/inner.h"'
expect 1 cli/a.c '#include "bench/sim/inner.h"'
expect 1 cli/a.c '#include "src/lcp/solver.h"'
expect 1 cli/run/a.c '#include "cli/run/deep/deep.h"'
expect 1 bench/a.c '#include "bench/sim/inner.h"'
expect 1 bench/a.c '#include <bench/sim/inner.h>'
expect 1 bench/sim/a.c '#include "cli/cli.h"'
expect 1 bench/sim/a.c '#include "view/view.h"'
expect 1 bench/sim/a.c '#include "sim.h"'
expect 1 bench/peers/a.hpp '#include "bench/sim/inner.h"'
expect 1 view/live/a.c '#include "cli/json/json_build.h"'
expect 1 view/live/a.c '#include "cli/cli.h"'
expect 1 view/live/a.c '#include "bench/bench.h"'
expect 0 src/sim/a.c '#include "dynamics/links.h"'
expect 1 src/sim/a.c '#include "dynamics/workspace.h"'
mkdir "$tree/src/misc"
expect 1 src/misc/a.c 'int x;'
exit $failed
