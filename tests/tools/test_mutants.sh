#!/bin/sh
# The lists of tests/mutants fit the sources (tools/mutants --check); and a list that does not is noticed.
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 0; }
"${TACT_SOURCE:?}/tools/mutants" --check || exit 1

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/tools" "$folder/tests" "$folder/tests/lcp" "$folder/tests/mutants" "$folder/src" &&
    cp "$TACT_SOURCE/tools/mutants" "$folder/tools" && : >"$folder/tests/lcp/test_one.c" &&
    printf 'twice\ntwice\nonce\n' >"$folder/src/some.c" || exit 1

# What is planted: text, with, tests; then the words of the complaint, none if it is all right.
try()
{
    printf '[it]\nerror = e\nfile = src/some.c\nfind = %s\nwith = %s\ntests = %s\n' "$1" "$2" "$3" \
        >"$folder/tests/mutants/some.list"
    out=$("$folder/tools/mutants" --check)
    status=$?
    if [ -z "$4" ]; then
        [ $status -eq 0 ] && [ -z "$out" ] || { echo "refused without reason: $out"; exit 1; }
    else
        case "$status $out" in "1 "*"$4"*) ;; *) echo "not noticed ($4): $status $out"; exit 1 ;; esac
    fi
}
try once other lcp/ ''
try twice other lcp/ 'exactly once'
try none other lcp/ 'exactly once'
try once once lcp/ 'changes nothing'
try once other lcp/bits 'there is no test'
