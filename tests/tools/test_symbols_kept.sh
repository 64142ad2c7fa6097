#!/bin/sh
# A name or the number of a value does not vanish from libtact without the steps of docs/versions.md: within one
# MAJOR.MINOR all that its list has is still there; what an earlier list has and the library has not is in the CHANGELOG.
set -u
lists=${TACT_SYMBOL_LISTS:-$TACT_SOURCE/tests/tools}
version=$(sed -n 's/^project(tact VERSION \([0-9]*\.[0-9]*\)\..*/\1/p' "$TACT_SOURCE/CMakeLists.txt")
now=$(mktemp) && trap 'rm -f "$now"' EXIT
failed=0
"$TACT_SOURCE/tools/keep-symbols" "$TACT_BUILD" >"$now" || exit 1
[ "$(grep -c '^function ' "$now")" -gt 200 ] || { echo "only $(grep -c '^function ' "$now") functions found"; exit 1; }
[ "$(grep -c '^value ' "$now")" -gt 150 ] || { echo "only $(grep -c '^value ' "$now") values found"; exit 1; }
[ -f "$lists/symbols-$version.txt" ] || {
    echo "there is no list of version $version: tools/keep-symbols --write makes it (docs/versions.md)"
    exit 1
}
for list in "$lists"/symbols-*.txt; do
    gone=$(grep -vxFf "$now" "$list")
    [ -n "$gone" ] || continue
    if [ "$(basename "$list")" = "symbols-$version.txt" ]; then
        echo "vanished within version $version, which docs/versions.md does not allow:"
        echo "$gone"
        failed=1
    else
        unsaid=$(echo "$gone" | while read -r kind name number; do
            grep -qw -- "$name" "$TACT_SOURCE/CHANGELOG.md" || echo "$kind $name $number"
        done)
        [ -z "$unsaid" ] || {
            echo "$(basename "$list") has what the library has not, and CHANGELOG.md says nothing of it:"
            echo "$unsaid"
            failed=1
        }
    fi
done
[ $failed = 0 ] && echo "version $version: $(wc -l <"$lists/symbols-$version.txt") names and values kept," \
    "$(grep -cvxFf "$lists/symbols-$version.txt" "$now") new"

# The check itself: a list with a name too many fails.
if [ $failed = 0 ] && [ -z "${TACT_SYMBOL_LISTS:-}" ]; then
    planted=$(mktemp -d) && trap 'rm -rf "$now" "$planted"' EXIT
    cp "$lists/symbols-$version.txt" "$planted"
    echo "function tact_that_is_gone" >>"$planted/symbols-$version.txt"
    if TACT_SYMBOL_LISTS=$planted "$0" >/dev/null; then
        echo "a name that vanished is not noticed"
        failed=1
    fi
fi
exit $failed
