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


class Joint(Record):
    """A joint of a model."""


class Geom(Record):
    """A geom of a model."""


class Site(Record):
    """A site of a model."""


class Actuator(Record):
    """An actuator of a model."""


class Sensor(Record):
    """A sensor of a model."""


class Tendon(Record):
    """A tendon of a model."""


class Equality(Record):
    """A loop or coupling of a model."""


class Note(Record):
    """What became of an attribute of a model file: honoured, approximated or ignored, and why."""

    def __str__(self) -> str:
        what = f"{self.element} {self.attribute}".strip()
        return f"{self.file}:{self.line}: {what}: {self.verdict}" + (f": {self.text}" if self.text else "")


class Report(Record):
    """What a step, or a solve, says of itself. `certified` counts contact problems that are proven."""

    @property
    def solved(self) -> bool:
        """Is everything proven?"""
        if hasattr(self, "outcome"):
            return bool(self.outcome == "solved")
        return bool(self.certified == self.islands)


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
