#!/bin/sh
# The manual has every verb and option that --help has, man reads it without a warning, and shells
# complete what the tables say.
set -eu
tact=$TACT_BUILD/tact
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail()
{
    echo "FAILED: $1"
    exit 1
}

verbs=$("$tact" --help | sed -n 's/^  \([a-z][a-z]*\)  *[[A-Z].*/\1/p')
[ "$(echo "$verbs" | wc -w)" -ge 9 ] || fail 'the help lists fewer verbs than there are'
for verb in $verbs; do
    "$tact" manual $verb >"$folder/$verb.1"
    # what is installed
    [ ! -d "$TACT_BUILD/manual" ] || [ -s "$TACT_BUILD/manual/tact-$verb.1" ] ||
        fail "$verb is not in the list of cmake/TactManual.cmake"
    [ $verb != bench ] || continue # its experiments have options of their own
    "$tact" $verb --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort -u >"$folder/options"
    [ -s "$folder/options" ] || fail "$verb has no options"
    while read -r option; do
        plain=$(echo "$option" | sed 's/-/\\\\-/g')
        grep -q -- "^\.B $plain" "$folder/$verb.1" || fail "$option of $verb is not in its page"
    done <"$folder/options"
done
"$tact" manual >"$folder/tact.1"
grep -q '^\.SH EXIT STATUS' "$folder/tact.1" || fail 'exit codes are not on the page'
grep -q NO_COLOR "$folder/tact.1" || fail 'NO_COLOR is not on the page'
if command -v man >/dev/null; then
    for page in "$folder"/*.1; do
        warnings=$(man --warnings -l "$page" 2>&1 >/dev/null) || fail "man cannot read $page"
        [ -z "$warnings" ] || fail "$page: $warnings"
    done
    echo 'ok    manual pages'
else
    echo 'skipped: man is not installed'
fi
if "$tact" manual nothing 2>/dev/null; then
    fail 'a verb that is not there has a page'
fi

if command -v bash >/dev/null; then
    "$tact" manual --completion bash >"$folder/tact.bash"
    cat >"$folder/try.bash" <<'END'
source "$1"
try() { COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tact; echo "${COMPREPLY[@]}"; }
[[ $(try tact so) == solve ]] || exit 1
[[ " $(try tact run --) " == *" --time "* ]] || exit 2
[[ $(try tact view --cone ci) == circle ]] || exit 3
cd "$2/scenes" && [[ $(try tact run slop) == slope.xml ]] || exit 4
[[ -z $(try tact solve slop) ]] || exit 5
END
    bash "$folder/try.bash" "$folder/tact.bash" "$TACT_SOURCE" || fail "bash completes wrongly ($?)"
    echo 'ok    bash'
fi
for shell in zsh fish; do
    if command -v $shell >/dev/null; then
        "$tact" manual --completion $shell >"$folder/tact.$shell"
        $shell -n "$folder/tact.$shell" || fail "$shell cannot read its completion"
        echo "ok    $shell"
    else
        echo "skipped: $shell is not installed"
    fi
done
if command -v fish >/dev/null; then
    fish -c "source $folder/tact.fish; complete -C 'tact so'" | grep -q '^solve' || fail 'fish: verbs'
    fish -c "source $folder/tact.fish; complete -C 'tact view --cone c'" | grep -q '^circle' || fail 'fish: words'
fi
