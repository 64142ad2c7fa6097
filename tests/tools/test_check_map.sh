#!/bin/sh
# tools/check-map fails where a room is not in the tables of docs/architecture.md. The walk itself is compared by
# `tools/check-map --walk`, which needs gdb and a build with debug information.
set -u
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/contact/pivot" "$tree/src/contact/newton" "$tree/src/lcp/pivot" "$tree/cli/run" "$tree/docs"
failed=0

# expect STATUS PATTERN: verdict on the tree, and a line of it
expect()
{
    "$TACT_SOURCE/tools/check-map" "$tree" >"$tree/verdict" 2>&1
    status=$?
    if [ $status -ne "$1" ] || ! grep -q "$2" "$tree/verdict"; then
        echo "expected status $1 and '$2', got $status and:"
        cat "$tree/verdict"
        failed=1
    fi
}

cat >"$tree/docs/architecture.md" <<'MAP'
## Rooms
| module | room | holds |
|---|---|---|
| `contact` | `pivot` | pivots |
| | `newton`, `other` | Newton's method |
| `lcp` | `pivot` | Lemke |

| folder | room | holds |
|---|---|---|
| `cli` | (itself) | `main.c` |
| | `run` | a verb |
MAP
expect 0 'map: 4 rooms'
mkdir "$tree/src/lcp/newton" # a room of that name stands in the map, of another module
expect 1 'room src/lcp/newton is not in the map'
rmdir "$tree/src/lcp/newton"
mkdir "$tree/cli/solve"
expect 1 'room cli/solve is not in the map'
exit $failed
