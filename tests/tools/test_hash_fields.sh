#!/bin/sh
# Every field of the structs of a model goes into its hash (src/model/hash.c), or is one of those that only say
# where a file was found.
set -u
failed=0

# fields_of STRUCT: names of its members, one a line
fields_of()
{
    sed -n "/^typedef struct $1 {/,/^}/p" "$TACT_SOURCE/include/tact/model.h" |
        sed -n 's|//.*||; s/^ \{4\}\(const \)*[A-Za-z0-9_]*[ *][ *]*\([a-z].*\);.*/\2/p' | tr ',' '\n' |
        sed 's/\[.*//; s/[ *]//g; /^$/d'
}

# check HASH STRUCT VARIABLE LEFT_OUT...: fields are in the hash as VARIABLE->field or VARIABLE.field
check()
{
    hash=$1
    struct=$2
    variable=$3
    shift 3
    count=0
    for field in $(fields_of "$struct"); do
        count=$((count + 1))
        case " $* " in
        *" $field "*) continue ;;
        esac
        if ! grep -qE "\b$variable(->|\.)$field\b" "$hash"; then
            echo "$struct.$field is not in the hash of a model"
            return 1
        fi
    done
    [ $count -gt 1 ] || { echo "no fields of $struct found"; return 1; }
}

check_all()
{
    wrong=0
    check "$1" TactBody body || wrong=1
    check "$1" TactJoint joint || wrong=1
    check "$1" TactDof dof || wrong=1
    check "$1" TactGeom geom || wrong=1
    check "$1" TactSite site || wrong=1
    check "$1" TactHeightField field || wrong=1
    check "$1" TactTendon tendon || wrong=1
    check "$1" TactActuator actuator || wrong=1
    check "$1" TactEquality equality || wrong=1
    check "$1" TactPair pair || wrong=1
    check "$1" TactSensor sensor || wrong=1
    check "$1" TactKeyframe key || wrong=1
    check "$1" TactCustom custom path || wrong=1
    check "$1" TactModelOptions options || wrong=1
    return $wrong
}

check_all "$TACT_SOURCE/src/model/hash.c" || failed=1

# It notices a field that is forgotten.
without=$(mktemp)
trap 'rm -f "$without"' EXIT
for field in joint-\>armature geom-\>torsional options-\>friction_off; do
    sed "s/$field\\b/0/" "$TACT_SOURCE/src/model/hash.c" >"$without"
    if check_all "$without" >/dev/null; then
        echo "not noticed: $field left out"
        failed=1
    fi
done
exit $failed
