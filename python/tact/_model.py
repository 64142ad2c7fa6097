"""Models: robots and scenes, read from MJCF or URDF."""

from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, Union

from . import _tact
from ._arrays import view
from ._record import Actuator, Body, Equality, Geom, Joint, Note, Record, Sensor, Site, Tendon

Key = Union[str, int]

_CLASSES: dict[str, type[Record]] = {
    "body": Body,
    "joint": Joint,
    "geom": Geom,
    "site": Site,
    "actuator": Actuator,
    "sensor": Sensor,
    "tendon": Tendon,
    "equality": Equality,
    "pair": Record,
    "keyframe": Record,
}


class Model(_tact.Model):
    """A compiled model: constant data, shared by any number of simulations and threads.

    >>> model = Model.from_string('<mujoco><worldbody><body name="ball"><freejoint/>'
    ...     '<geom name="skin" size="0.1" mass="2"/></body></worldbody></mujoco>')
    >>> model.body("ball").mass
    2.0
    >>> model.nq, model.nv, model.nbody          # the world is a body too
    (7, 6, 2)
    """

    def __init__(self) -> None:
        self._source: tuple[str, str | None] = ("", None)
        self._facts: dict[str, Any] = {}

    @classmethod
    def from_path(
        cls,
        path: str | os.PathLike[str],
        *,
        strict: bool = False,
        urdf_free: bool = False,
        package_paths: Iterable[str] = (),
    ) -> Model:
        """Reads an MJCF or URDF file, or a compiled model (`save`).

        strict: physics that is approximated or ignored is an error. urdf_free: the root link of a
        URDF floats. package_paths: folders that hold URDF packages.
        """
        return cls._read(os.fspath(path), None, strict, urdf_free, package_paths)

    @classmethod
    def from_string(
        cls,
        text: str,
        *,
        name: str = "model.xml",
        strict: bool = False,
        urdf_free: bool = False,
        package_paths: Iterable[str] = (),
    ) -> Model:
        """Reads MJCF or URDF from a text; files that it names are looked for from the folder of `name`."""
        return cls._read(name, text, strict, urdf_free, package_paths)

    @classmethod
    def _read(
        cls, name: str, text: str | None, strict: bool, urdf_free: bool, packages: Iterable[str]
    ) -> Model:
        model = cls()
        model._load(name, text, strict, urdf_free, tuple(packages))
        model._source = (name, text)
        model._facts = model._sizes()
        return model

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the compiled model, to the last bit: `from_path` reads it, also without libxml2 and qhull."""
        self._save(os.fspath(path))

    # -- sizes

    @property
    def name(self) -> str:
        """The model's name."""
        return str(self._facts["name"])

    @property
    def nq(self) -> int:
        """Numbers of a position."""
        return int(self._facts["nq"])

    @property
    def nv(self) -> int:
        """Degrees of freedom."""
        return int(self._facts["nv"])

    @property
    def nu(self) -> int:
        """Actuators."""
        return int(self._facts["nu"])

    @property
    def na(self) -> int:
        """Activations of actuators."""
        return int(self._facts["na"])

    @property
    def nbody(self) -> int:
        """Bodies, with the world."""
        return self._count("body")

    @property
    def njoint(self) -> int:
        """Joints."""
        return self._count("joint")

    @property
    def ngeom(self) -> int:
        """Geoms."""
        return self._count("geom")

    @property
    def nsite(self) -> int:
        """Sites."""
        return self._count("site")

    @property
    def nsensor(self) -> int:
        """Numbers of all sensors together."""
        return int(self._facts["nsensor"])

    @property
    def mass(self) -> float:
        """Of all bodies, kg."""
        return float(self._facts["mass"])

    @property
    def hash(self) -> int:
        """Equal models have equal hashes."""
        return int(self._facts["hash"])

    @property
    def options(self) -> Record:
        """timestep, gravity, integrator."""
        return Record(**self._options())

    # -- things by name or index

    def index(self, kind: str, key: Key) -> int:
        """Index of a thing by its name; an index is checked.

        >>> model = Model.from_string('<mujoco><worldbody><body name="a"/></worldbody></mujoco>')
        >>> model.index("body", "a")
        1
        """
        count = self._count(kind)
        if isinstance(key, str):
            found = self._find(kind, key)
            if found < 0:
                raise KeyError(f"the model has no {kind} '{key}'; it has: {', '.join(self.names(kind)) or 'none with a name'}")
            return found
        found = key.__index__()
        if not -count <= found < count:
            raise IndexError(f"there is no {kind} {found}: the model has {count}")
        return found % count

    def names(self, kind: str) -> list[str]:
        """Names of all things of a kind that have one, in their order."""
        return [thing.name for thing in self.all(kind) if thing.name]

    def all(self, kind: str) -> Iterator[Any]:
        """All things of a kind, in their order."""
        make = _CLASSES[kind] if kind in _CLASSES else Record
        for i in range(self._count(kind)):
            yield make(index=i, **self._at(kind, i))

    def _thing(self, kind: str, key: Key) -> Any:
        i = self.index(kind, key)
        return _CLASSES[kind](index=i, **self._at(kind, i))

    def body(self, key: Key) -> Body:
        """A body by name or index; body 0 is the world."""
        return self._thing("body", key)  # type: ignore[no-any-return]

    def joint(self, key: Key) -> Joint:
        """A joint by name or index."""
        return self._thing("joint", key)  # type: ignore[no-any-return]

    def geom(self, key: Key) -> Geom:
        """A geom by name or index."""
        return self._thing("geom", key)  # type: ignore[no-any-return]

    def site(self, key: Key) -> Site:
        """A site by name or index."""
        return self._thing("site", key)  # type: ignore[no-any-return]

    def actuator(self, key: Key) -> Actuator:
        """An actuator by name or index."""
        return self._thing("actuator", key)  # type: ignore[no-any-return]

    def sensor(self, key: Key) -> Sensor:
        """A sensor by name or index."""
        return self._thing("sensor", key)  # type: ignore[no-any-return]

    def tendon(self, key: Key) -> Tendon:
        """A tendon by name or index."""
        return self._thing("tendon", key)  # type: ignore[no-any-return]

    def equality(self, key: Key) -> Equality:
        """A loop or coupling by name or index."""
        return self._thing("equality", key)  # type: ignore[no-any-return]

    @property
    def bodies(self) -> list[Body]:
        """All bodies, the world first."""
        return list(self.all("body"))

    @property
    def joints(self) -> list[Joint]:
        """All joints."""
        return list(self.all("joint"))

    @property
    def geoms(self) -> list[Geom]:
        """All geoms."""
        return list(self.all("geom"))

    @property
    def sites(self) -> list[Site]:
        """All sites."""
        return list(self.all("site"))

    @property
    def actuators(self) -> list[Actuator]:
        """All actuators."""
        return list(self.all("actuator"))

    @property
    def sensors(self) -> list[Sensor]:
        """All sensors."""
        return list(self.all("sensor"))

    def get(self, path: str) -> Any:
        """A parameter by its path (tact.parameters()): a number, or a tuple of several."""
        values = self._parameter(path)
        return values[0] if len(values) == 1 else values

    # -- the file

    def check(self) -> list[Note]:
        """What became of every element and attribute of the file: honoured, approximated, ignored.

        >>> text = '<mujoco><worldbody><geom size="1" solref="0.01 1"/></worldbody></mujoco>'
        >>> [(n.attribute, n.verdict) for n in Model.from_string(text).check() if n.verdict != "honoured"]
        [('solref', 'ignored')]
        """
        return [Note(**note) for note in self._notes()]

    def to_dict(self) -> dict[str, Any]:
        """Everything as dicts and lists, for json.dumps()."""
        out: dict[str, Any] = dict(self._facts)
        out["options"] = self._options()
        for kind in _CLASSES:
            out[kind] = [self._at(kind, i) for i in range(self._count(kind))]
        return out

    def keyframe(self, key: Key = -1) -> tuple[Any, Any, Any]:
        """qpos, qvel and ctrl of a keyframe; without one, of the reference."""
        i = -1 if key == -1 else self.index("keyframe", key)
        q, v, ctrl = self._state(i)
        return view(q, "a keyframe"), view(v), view(ctrl)

    def __repr__(self) -> str:
        return f"<tact.Model '{self.name}': {self._count('body')} bodies, nq={self.nq}, nv={self.nv}, nu={self.nu}>"

    # pickled as the text or path that it was read from
    def __reduce__(self) -> Any:
        name, text = self._source
        if text is None:
            return (Model.from_path, (name,))
        return (_from_text, (text, name))


def _from_text(text: str, name: str) -> Model:
    return Model.from_string(text, name=name)
