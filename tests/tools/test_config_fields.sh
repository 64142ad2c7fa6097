#!/bin/sh
# Every field of TactSimConfig stands in the list of src/sim/config_fields.h, or is one of the two that
# no list goes through: the number of threads and the cookie.
set -u
fields=$(sed -n '/^typedef struct TactSimConfig {/,/^}/p' "$TACT_SOURCE/include/tact/sim.h" |
    sed -n 's/^  *[A-Za-z_0-9]* *\([a-z_]*\);.*/\1/p')
count=0
failed=0
for field in $fields; do
    count=$((count + 1))
    case $field in
    threads | cookie) continue ;;
    esac
    if ! grep -qE "(NUMBER|WORD)\($field\)" "$TACT_SOURCE/src/sim/config_fields.h"; then
        echo "TactSimConfig.$field is not in src/sim/config_fields.h"
        failed=1
    fi
done
if [ $count -lt 15 ]; then
    echo "only $count fields found in include/tact/sim.h"
    failed=1
fi
exit $failed
