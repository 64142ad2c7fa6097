#!/bin/sh
# README, guide and theory show what the program prints (tools/check-documents); and a document that does not is noticed.
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 0; }
tact=${TACT_BUILD:?}/tact
[ -x "$tact" ] || { echo "skipped: there is no $tact"; exit 0; }
lacking=$("$tact" --version | grep -oE '(jansson|libxml2|qhull|gmp): no')
[ -z "$lacking" ] || { echo "skipped: built without" $lacking; exit 0; }
"${TACT_SOURCE:?}/tools/check-documents" "$TACT_BUILD" || exit 1

# One digit of one line, in a copy of the tree's documents: the check must fail on it and name the line.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/docs" "$folder/docs/guide" "$folder/docs/theory" "$folder/tools" &&
    cp "$TACT_SOURCE"/docs/*.md "$folder/docs" && cp "$TACT_SOURCE"/docs/guide/*.md "$folder/docs/guide" &&
    cp "$TACT_SOURCE/CONTRIBUTING.md" "$folder" && cp "$TACT_SOURCE/tools/check-documents" "$folder/tools" &&
    ln -s "$TACT_SOURCE/examples" "$TACT_SOURCE/scenes" "$TACT_SOURCE/tests" "$TACT_SOURCE/include" "$folder" &&
    sed 's/  ladder      solved      pyramid   \(.\)/  ladder      solved      pyramid  1\1/' "$TACT_SOURCE/README.md" >"$folder/README.md" || exit 1
cmp -s "$folder/README.md" "$TACT_SOURCE/README.md" && { echo "nothing was planted"; exit 1; }
rm "$folder"/docs/guide/*.md # the README is enough
sed -i 's/^NOT_RUN = {$/NOT_RUN = {}\nUNUSED = {/' "$folder/tools/check-documents"
if "$folder/tools/check-documents" "$TACT_BUILD" >"$folder/out"; then
    echo "a wrong digit in the README is not noticed"
    exit 1
fi
grep -q 'shown:   ladder' "$folder/out" || { cat "$folder/out"; exit 1; }
