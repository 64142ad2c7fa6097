#!/bin/sh
# Names of the public enums follow one scheme (docs/design/0018): the value's family is the name of its type, without
# Contact in front and, unless another family begins so, without Type or Kind at the end. Every enum has names both ways
# and is tested; every call that returns a status says that it must be looked at; the table of old and new names in the
# CHANGELOG is that of tools/new-names.sed.
set -u
failed=0

complain()
{
    echo "$*"
    failed=1
}

families=$(cat "$TACT_SOURCE"/include/tact/*.h | awk '
    function capitals(word,    out, i, c) {
        out = ""
        for (i = 1; i <= length(word); i++) {
            c = substr(word, i, 1)
            out = out (c ~ /[A-Z]/ && i > 1 ? "_" : "") toupper(c)
        }
        return out
    }
    /^typedef enum / {
        type = $3 == "TACT_NODISCARD_TYPE" ? $4 : $3
        inside = 1
        sub(/^[^{]*\{/, "")
    }
    inside {
        sub(/\/\/.*/, "")
        n = split($0, words, /[ ,{}=;]+/)
        for (i = 1; i <= n; i++) if (words[i] ~ /^TACT_[A-Z0-9_]+$/) values[type] = values[type] " " words[i]
        if ($0 ~ /\}/) {
            inside = 0
            name = substr(type, 5)
            sub(/^Contact/, "", name)
            long[type] = "TACT_" capitals(name) "_"
            sub(/(Type|Kind)$/, "", name)
            short[type] = "TACT_" capitals(name) "_"
            order[++count] = type
        }
    }
    END {
        for (i = 1; i <= count; i++) {
            t = order[i]
            family = short[t]
            for (j = 1; j <= count; j++)
                if (j != i && index(short[order[j]], family) == 1) family = long[t]
            print t, capitals(substr(t, 5)), family, values[t]
        }
    }')

count=0
while read -r type noun family values; do
    count=$((count + 1))
    noun=$(echo "$noun" | tr 'A-Z' 'a-z')
    for value in $values; do
        case $type:$value in
        TactStatus:*) ;; # the values of a status have no family: they are in every line of every program
        *:"$family"?*) ;;
        *) complain "$type has a value $value, which does not begin with $family" ;;
        esac
    done
    for verb in name find; do
        cat "$TACT_SOURCE"/include/tact/*.h | grep -q "tact_${noun}_$verb(" || complain "$type has no tact_${noun}_$verb()"
    done
    grep -q "CHECK($type, $noun," "$TACT_SOURCE/tests/base/test_public_names.c" ||
        complain "$type is not in tests/base/test_public_names.c"
done <<END
$families
END
[ $count -ge 30 ] || complain "only $count enums found in include/tact"

bare=$(grep -n 'TACT_API TactStatus' "$TACT_SOURCE"/include/tact/*.h)
[ -z "$bare" ] || complain "without TACT_NODISCARD: $bare"

table=$(sed -n 's/^| `\([A-Za-z_0-9]*\)` | `\([A-Za-z_0-9]*\)` |$/\1 \2/p' "$TACT_SOURCE/CHANGELOG.md" | sort)
script=$(sed -n 's|^s/\\b\([A-Za-z_0-9]*\)\\b/\([A-Za-z_0-9]*\)/g$|\1 \2|p' "$TACT_SOURCE/tools/new-names.sed" | sort)
[ -n "$script" ] && [ "$table" = "$script" ] || complain "the table of names in CHANGELOG.md is not that of tools/new-names.sed"
stale=$(echo "$script" | while read -r old new; do
    grep -qw "$old" "$TACT_SOURCE"/include/tact/*.h && echo "$old"
    grep -qw "$new" "$TACT_SOURCE"/include/tact/*.h || echo "$new"
done)
[ -z "$stale" ] || complain "tools/new-names.sed has names that the headers do not bear out:" $stale

[ $failed = 0 ] && echo "$count enums, $(echo "$script" | wc -l) names that changed"
exit $failed
