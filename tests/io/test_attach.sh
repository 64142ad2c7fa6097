#!/bin/sh
# Models that are attached: what is wrong with one is told with file and line, and nothing goes round.
set -u
tact=${TACT_BUILD:?}/tact
if [ ! -x "$tact" ]; then
    echo "skipped: there is no program"
    exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

part='<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1" pos=".1 0 0"/></body></worldbody></mujoco>'
echo "$part" >part.xml

# refuses WORDS ATTACH [MODEL]
refuses() {
    printf '<mujoco>\n<asset>%s</asset>\n<worldbody>%s</worldbody>\n</mujoco>\n' \
        "${3-<model name=\"m\" file=\"part.xml\"/>}" "$2" >whole.xml
    said=$("$tact" check whole.xml 2>&1)
    status=$?
    case $status:$said in
    2:*"$1"*) ;;
    *)
        echo "wanted '$1', status 2; got status $status: $said"
        failed=1
        ;;
    esac
}

refuses "whole.xml:3: attach: model: there is no model 'n'" '<attach model="n" prefix="p"/>'
refuses "whole.xml:3: attach" '<attach prefix="p"/>'
refuses "whole.xml:3: attach: body: there is no body 'leg' in 'part.xml'" '<attach model="m" body="leg" prefix="p"/>'
refuses "whole.xml:3: attach: frame: there is no frame 'arm'" '<attach model="m" frame="arm" prefix="p"/>'
refuses "whole.xml:3: attach: frame: there is a body too" '<attach model="m" frame="arm" body="arm" prefix="p"/>'
refuses "whole.xml:2: model: file: 'none.xml' cannot be opened" '<attach model="m" prefix="p"/>' '<model name="m" file="none.xml"/>'
refuses "'whole.xml' would be attached to itself" '<attach model="m" prefix="p"/>' '<model name="m" file="whole.xml"/>'
refuses "arm" '<attach model="m"/><attach model="m"/>' # names are there twice

# Two files that attach each other, under other paths every time.
mkdir a
for name in one two; do
    other=$([ $name = one ] && echo two || echo one)
    printf '<mujoco><asset><model name="m" file="a/../%s.xml"/></asset><worldbody><attach model="m" prefix="p"/></worldbody></mujoco>' \
        "$other" >$name.xml
done
said=$("$tact" check one.xml 2>&1) && {
    echo "models that attach each other are taken"
    failed=1
}
case $said in
*"do they go round?"* | *"attached to itself"*) ;;
*)
    echo "models that attach each other: $said"
    failed=1
    ;;
esac

# What is not attached takes its actuators and sensors along; names get the prefix.
cat >whole.xml <<'X'
<mujoco><asset><model name="m" file="part2.xml"/></asset>
<worldbody><attach model="m" body="arm" prefix="p/"/></worldbody></mujoco>
X
cat >part2.xml <<'X'
<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1" pos=".1 0 0"/></body><body name="leg"><joint name="k"/><geom size=".1" pos=".1 0 0"/></body></worldbody>
<actuator><motor name="one" joint="j"/><motor name="two" joint="k"/></actuator>
<sensor><jointpos name="s" joint="j"/><jointpos name="t" joint="k"/></sensor></mujoco>
X
said=$("$tact" info whole.xml)
for word in p/arm p/j p/one; do
    case $said in *"$word"*) ;; *) echo "there is no $word"; failed=1 ;; esac
done
for word in p/leg p/k p/two; do
    case $said in *"$word"*) echo "there is $word"; failed=1 ;; *) ;; esac
done
exit $failed
