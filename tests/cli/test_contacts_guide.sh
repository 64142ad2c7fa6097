#!/bin/sh
# docs/guide/contacts.md: what it shows of the block is what the program says.
tact=${TACT_BUILD:?}/tact
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
if "$tact" --version | grep -q 'libxml2: no'; then
    echo "skipped: built without libxml2"
    exit 0
fi
cd "${TACT_SOURCE:?}" || exit 1
guide=docs/guide/contacts.md
out=$("$tact" contacts scenes/slope.xml --time 0.1) || exit 1
# Forces of corners are not unique, and may be others one day; their sum and the words are not.
for line in "$(echo "$out" | grep '^  world/block')" "$(echo "$out" | grep '^  slope/block')"; do
    [ -n "$line" ] && grep -qxF -- "$line" $guide || { echo "the guide lacks: $line"; exit 1; }
done
