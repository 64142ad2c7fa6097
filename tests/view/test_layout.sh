#!/bin/sh
# Messages and recordings are laid out by C and read by TypeScript: places, sizes and orders are the same in both.
set -u
failed=0

# The words of an enum of C between two of its values, or of a TypeScript enum, one a line, in lower case without _.
words_of_c()
{
    awk -v first="$2" -v last="$3" '
        index($1, first) == 1 { on = 1 }
        on { sub(/,.*/, "", $1); print $1 }
        index($1, last) == 1 { on = 0 }' "$1" | sed "s/^$4//" | tr -d _ | tr '[:upper:]' '[:lower:]'
}

# The number behind a name: "NAME = 7"
number_of()
{
    sed -n "s/.*\\b$2 = \\([0-9][0-9]*\\).*/\\1/p" "$1" | head -1
}

# same WHAT A B: both are there and equal
same()
{
    if [ -z "$2" ] || [ "$2" != "$3" ]; then
        printf '%s:\n  C:    %s\n  page: %s\n' "$1" "$(echo "$2" | tr '\n' ' ')" "$(echo "$3" | tr '\n' ' ')"
        return 1
    fi
}

compare()
{
    frame=$1/view/protocol/view_frame.h
    record=$1/src/io/record
    page=$1/view/page/src
    wrong=0
    same 'numbers of a contact' \
        "$(words_of_c "$frame" TACT_VIEW_CONTACT_GEOM_A TACT_VIEW_CONTACT_MU_ROLL TACT_VIEW_CONTACT_)" \
        "$(sed -n '/enum C {/,/^}/s/^ *\([A-Za-z]*\),.*/\1/p' "$page/types.ts" | tr '[:upper:]' '[:lower:]')" || wrong=1
    same 'how many they are' \
        "$(words_of_c "$frame" TACT_VIEW_CONTACT_GEOM_A TACT_VIEW_CONTACT_MU_ROLL TACT_VIEW_CONTACT_ | grep -c .)" \
        "$(number_of "$page/types.ts" CONTACT_SIZE)" || wrong=1
    for size in POSE_SIZE VELOCITY_SIZE; do
        same "$size" "$(number_of "$frame" "TACT_VIEW_$size")" "$(number_of "$page/types.ts" $size)" || wrong=1
    done
    for name in recording pack; do
        same "head of a file, $name.ts" "$(number_of "$record/record_parts.h" TACT_RECORD_HEAD)" \
            "$(number_of "$page/$name.ts" HEAD)" || wrong=1
        same "head of a block, $name.ts" "$(number_of "$record/record_parts.h" TACT_RECORD_BLOCK_HEAD)" \
            "$(number_of "$page/$name.ts" BLOCK_HEAD)" || wrong=1
    done
    same 'head of a file, pack.c' "$(number_of "$record/record_parts.h" TACT_RECORD_HEAD)" \
        "$(number_of "$1/view/html/pack.c" FILE_HEAD)" || wrong=1
    same 'head of a block, pack.c' "$(number_of "$record/record_parts.h" TACT_RECORD_BLOCK_HEAD)" \
        "$(number_of "$1/view/html/pack.c" BLOCK_HEAD)" || wrong=1
    same 'bytes of a recorded contact' "$(number_of "$record/record_frame.c" CONTACT_BYTES)" \
        "$(number_of "$page/recording.ts" CONTACT_BYTES)" || wrong=1
    same 'bytes of recorded moments' "$(number_of "$record/record_frame.c" MOMENT_BYTES)" \
        "$(number_of "$page/recording.ts" MOMENT_BYTES)" || wrong=1
    same 'bytes of the name of a rung' \
        "$(sed -n '/typedef struct TactRecordRung/,/}/s/.*name\[\([0-9]*\)\].*/\1/p' "$1/include/tact/record.h")" \
        "$(number_of "$page/recording.ts" RUNG_NAME)" || wrong=1
    same 'least bytes of the parts of a model' \
        "$(sed -n 's/.*model->[a-z]*_count = tact_get_count(r, \([0-9]*\)).*/\1/p' "$record/record_model.c")" \
        "$(sed -n 's/.*r\.list(\([0-9]*\),.*/\1/p' "$page/recording.ts")" || wrong=1
    same 'types of geoms' \
        "$(words_of_c "$1/include/tact/model.h" TACT_GEOM_PLANE TACT_GEOM_HEIGHTFIELD TACT_GEOM_)" \
        "$(sed -n 's/^const GEOM_TYPES = \[\(.*\)\];/\1/p' "$page/recording.ts" | tr -d '" ' | tr ',' '\n')" || wrong=1
    return $wrong
}

compare "${TACT_SOURCE:?}" || failed=1

# The comparison notices what it is for.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/view" "$tree/src/io" "$tree/include"
# plant FILE COMMAND: a copy of the sources with one change by sed
plant()
{
    rm -rf "$tree/view" "$tree/src/io/record" "$tree/include/tact"
    mkdir -p "$tree/view/page"
    cp -R "$TACT_SOURCE/view/protocol" "$TACT_SOURCE/view/html" "$tree/view/"
    cp -R "$TACT_SOURCE/view/page/src" "$tree/view/page/"
    cp -R "$TACT_SOURCE/src/io/record" "$tree/src/io/"
    cp -R "$TACT_SOURCE/include/tact" "$tree/include/"
    sed -i "$2" "$tree/$1"
    if cmp -s "$tree/$1" "$TACT_SOURCE/$1" || compare "$tree" >/dev/null; then
        echo "not noticed: $2 in $1"
        failed=1
    fi
}
plant view/protocol/view_frame.h 's/TACT_VIEW_POSE_SIZE = 7/TACT_VIEW_POSE_SIZE = 8/'
plant view/protocol/view_frame.h '/TACT_VIEW_CONTACT_DEPTH,/d'
plant view/page/src/types.ts 's/^  Mu,/  Depth2,/'
plant view/page/src/types.ts 's/CONTACT_SIZE = 28/CONTACT_SIZE = 29/'
plant view/page/src/pack.ts 's/BLOCK_HEAD = 16/BLOCK_HEAD = 24/'
plant src/io/record/record_frame.c 's/CONTACT_BYTES = 96/CONTACT_BYTES = 104/'
plant src/io/record/record_frame.c 's/MOMENT_BYTES = 40/MOMENT_BYTES = 48/'
plant src/io/record/record_model.c 's/tact_get_count(r, 136)/tact_get_count(r, 144)/'
plant include/tact/record.h 's/name\[12\]/name[20]/'
plant view/page/src/recording.ts 's/"capsule", "cylinder"/"cylinder", "capsule"/'
exit $failed
