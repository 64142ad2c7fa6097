"""What the library reports, as objects with names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class Record(SimpleNamespace):
    """Named values that were read once: they do not change with the simulation."""

    def to_dict(self) -> dict[str, Any]:
        """As a dict, records inside of it too."""
        return {
            key: value.to_dict() if isinstance(value, Record) else value
            for key, value in vars(self).items()
        }


class Body(Record):
    """A body of a model."""

    index: int
    name: str
    parent: int
    mass: float
    pos: tuple[float, float, float]
    quat: tuple[float, float, float, float]
    com: tuple[float, float, float]
    inertia: tuple[float, ...]
    subtree_mass: float
    gravity_compensation: float
    first_joint: int
    joint_count: int
    first_dof: int
    dof_count: int
    first_geom: int
    geom_count: int


class Joint(Record):
    """A joint of a model."""

    index: int
    name: str
    type: str
    body: int
    pos: tuple[float, float, float]
    axis: tuple[float, float, float]
    q: int
    dof: int
    reference: float
    limited: bool
    range: tuple[float, float]
    stiffness: float
    damping: float
    armature: float
    friction: float


class Geom(Record):
    """A geom of a model."""

    index: int
    name: str
    type: str
    body: int
    pos: tuple[float, float, float]
    quat: tuple[float, float, float, float]
    size: tuple[float, float, float]
    friction: float
    margin: float
    mass: float
    rgba: tuple[float, float, float, float]
    group: int
    visual: bool


class Site(Record):
    """A site of a model."""

    index: int
    name: str
    body: int
    pos: tuple[float, float, float]
    quat: tuple[float, float, float, float]
    size: tuple[float, float, float]


class Actuator(Record):
    """An actuator of a model."""

    index: int
    name: str
    drives: str
    target: int
    gear: tuple[float, ...]
    gain: tuple[float, ...]
    bias: tuple[float, ...]
    ctrl_limited: bool
    ctrl_range: tuple[float, float]
    force_limited: bool
    force_range: tuple[float, float]


class Sensor(Record):
    """A sensor of a model."""

    index: int
    name: str
    type: str
    address: int
    size: int
    cutoff: float


class Tendon(Record):
    """A tendon of a model."""

    index: int
    name: str
    count: int
    limited: bool
    range: tuple[float, float]
    stiffness: float
    damping: float
    friction: float


class Equality(Record):
    """A loop or coupling of a model."""

    index: int
    name: str
    type: str
    a: int
    b: int
    active: bool


class Note(Record):
    """What became of an attribute of a model file: honoured, approximated or ignored, and why."""

    def __str__(self) -> str:
        what = f"{self.element} {self.attribute}".strip()
        return f"{self.file}:{self.line}: {what}: {self.verdict}" + (f": {self.text}" if self.text else "")


class Report(Record):
    """What a step, or a solve, says of itself: outcome, error, rungs, ...

    outcome: "solved" means proven. Of a step `islands` counts its contact problems, `certified` those that are
    proven; error is the largest; rungs says how many were solved by which rung of the ladder."""

    outcome: str
    error: float

    @property
    def solved(self) -> bool:
        """Is everything proven?"""
        return self.outcome == "solved"

    @property
    def rung(self) -> str:
        """Of a step: the rung that solved most of its contact problems. Of a solve: the one that ended it. "" if
        there was none."""
        rungs = getattr(self, "rungs", ())
        if isinstance(rungs, dict):
            return str(max(rungs, key=rungs.__getitem__, default=""))
        return str(rungs[-1].name) if rungs else ""


class Certificate(Record):
    """Errors of an answer, recomputed from the problem by code that knows no solver."""


class Diagnosis(Record):
    """What a contact does: open, stick or slide; how much of its friction it uses; is its force unique?"""


class Proof(Record):
    """Does an exact solution exist next to the answer?"""

    def __bool__(self) -> bool:
        return bool(self.proved)


class Patch(Record):
    """The contacts of two geoms that share a normal: what they carry together, and why."""
