"""Simulations: steps of time, contacts, forces, recordings."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable, Optional

from . import _show, _tact
from ._arrays import contact_array, need, triple, view
from ._model import Key, Model
from ._record import Certificate, Diagnosis, Patch, Record, Report
from .contact import Problem

OPEN, STICK, SLIDE = 0, 1, 2
STATES = ("open", "stick", "slide")
LOADS = ("gravity", "actuators", "springs", "applied", "motion", "friction", "targets")


class Sim(_tact.Sim):
    """A model, its state, and steps of time.

    Options are those of tact's config: method, cone, timestep, tol, integrator, friction_scale,
    restitution, share, threads, ...; what is not given is the model's.

    >>> model = Model.from_string('''<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    ...   <body name="cube" pos="0 0 0.1"><freejoint/>
    ...     <geom type="box" size="0.1 0.1 0.1" mass="1"/></body></worldbody></mujoco>''')
    >>> sim = Sim(model)
    >>> sim.step(100)
    >>> round(float(sim.contacts["force"][:, 0].sum()), 9)   # normal forces carry the weight, N
    9.81
    >>> sim.report.solved
    True
    """

    def __init__(
        self,
        model: Model,
        *,
        keyframe: Optional[Key] = None,
        callback: Optional[Callable[[Sim], object]] = None,
        certify: bool = False,
        **options: Any,
    ) -> None:
        """certify: every step is judged anew from the states before and after it (see certificate)."""
        self._open(model, options)
        if certify:
            self._watch(True)
        self._model = model
        self._views: dict[str, Any] = {}
        self._callback = callback
        if keyframe is not None:
            self.reset(keyframe)
        if callback is not None:
            self._set_callback(callback)

    @property
    def model(self) -> Model:
        """The model that it was made of."""
        return self._model

    # -- the state: views that may be written between steps

    def _state(self, which: str) -> Any:
        array = self._views.get(which)
        if array is None:
            array = self._views[which] = view(self._block(which), "the state")
        return array

    @property
    def qpos(self) -> Any:
        """Positions (nq): a view, to be read and written."""
        return self._views.get("q") if "q" in self._views else self._state("q")

    @qpos.setter
    def qpos(self, values: Any) -> None:
        self._state("q")[:] = values

    @property
    def qvel(self) -> Any:
        """Velocities (nv): a view."""
        return self._state("v")

    @qvel.setter
    def qvel(self, values: Any) -> None:
        self._state("v")[:] = values

    @property
    def ctrl(self) -> Any:
        """Controls of the actuators (nu): a view."""
        return self._state("c")

    @ctrl.setter
    def ctrl(self, values: Any) -> None:
        self._state("c")[:] = values

    @property
    def applied(self) -> Any:
        """Generalized forces that act until they are written again (nv): a view."""
        return self._state("a")

    @applied.setter
    def applied(self, values: Any) -> None:
        self._state("a")[:] = values

    @property
    def external(self) -> Any:
        """Forces and torques on bodies about their centres of mass, world frame (bodies, 6): a view."""
        return self._state("e")

    @external.setter
    def external(self, values: Any) -> None:
        self._state("e")[:] = values

    @property
    def mocap_pos(self) -> Any:
        """Where mocap bodies shall be at the end of the next step (bodies, 3): a view. They go there with the
        velocity that it takes."""
        return self._state("m")[:, 4:]

    @mocap_pos.setter
    def mocap_pos(self, values: Any) -> None:
        self._state("m")[:, 4:] = values

    @property
    def mocap_quat(self) -> Any:
        """How mocap bodies shall be turned at the end of the next step, w x y z (bodies, 4): a view."""
        return self._state("m")[:, :4]

    @mocap_quat.setter
    def mocap_quat(self, values: Any) -> None:
        self._state("m")[:, :4] = values

    @property
    def act(self) -> Any:
        """Activations of the actuators that have one (act_count): a view."""
        return self._state("A")

    @act.setter
    def act(self, values: Any) -> None:
        self._state("A")[:] = values

    # -- things

    def body(self, key: Key) -> BodyState:
        """Where a body is and how it moves."""
        return BodyState(self, self._model.index("body", key))

    def geom(self, key: Key) -> Place:
        """Where a geom is."""
        return Place(self, "geom", self._model.index("geom", key))

    def site(self, key: Key) -> Place:
        """Where a site is."""
        return Place(self, "site", self._model.index("site", key))

    def joint(self, key: Key) -> JointState:
        """Position and velocity of a joint, as views."""
        return JointState(self, self._model.index("joint", key))

    def sensor(self, key: Key) -> Any:
        """Values of a sensor now."""
        sensor = self._model.sensor(key)
        return view(self._sensors(), "a sensor")[sensor.address : sensor.address + sensor.size]

    @property
    def sensors(self) -> Any:
        """Values of all sensors, as the model lays them out."""
        return view(self._sensors(), "sensors")

    @property
    def poses(self) -> Any:
        """Position and quaternion of every body (bodies, 7), world frame."""
        return view(self._poses("body"), "poses")

    # -- contacts

    @property
    def contacts(self) -> Any:
        """Contacts of the last step as one structured array: geom, body, point, normal, force (on b, along
        normal and tangents), force_on_b, force_on_a (world), depth, friction, friction_used, state, ..."""
        return contact_array(self._contacts())

    @property
    def patches(self) -> list[Patch]:
        """Contacts of two geoms together: what they carry and where that comes from."""
        patches, _ = self._patches()
        for patch in patches:
            for name in ("needed_shares", "normal_shares"):
                patch[name] = dict(zip(LOADS, patch[name]))
        return [Patch(**patch) for patch in patches]

    def explain(self, contact: Any = 0) -> str:
        """In words: how near a contact is to slipping, or why it slips. contact: an index, or a row of contacts.

        >>> model = Model.from_string('''<mujoco><worldbody>
        ...   <geom name="floor" type="plane" size="1 1 1"/>
        ...   <body name="cube" pos="0 0 0.1"><freejoint/>
        ...     <geom name="side" type="box" size="0.1 0.1 0.1" mass="1"/></body></worldbody></mujoco>''')
        >>> sim = Sim(model)
        >>> sim.step()
        >>> sim.explain(0)[:34]
        'floor/side holds and uses 0.00 of '
        """
        _, of = self._patches()
        if hasattr(contact, "dtype") and contact.dtype.names:
            same = (self.contacts[["id", "geom"]] == contact[["id", "geom"]]).nonzero()[0]
            if len(same) == 0:
                raise ValueError("explain: this contact is not one of the last step")
            contact = int(same[0])
        if not -len(of) <= contact < len(of):
            raise IndexError(f"there is no contact {contact}: the step has {len(of)}")
        return str(self._explain(of[contact]))

    def diagnose(self) -> list[Diagnosis]:
        """For every contact: open, stick or slide, and whether its force is the only one possible."""
        return [Diagnosis(**d) for d in self._diagnosis()]

    def force_ranges(self) -> list[Record]:
        """For every contact: between what its normal force may lie while the motion stays, N."""
        return [Record(**r) for r in self._ranges()]

    @property
    def wrenches(self) -> Any:
        """Force and torque of all contacts on every body about its centre of mass (bodies, 6)."""
        return view(self._wrenches(), "wrenches")

    @property
    def forces(self) -> dict[str, Any]:
        """Generalized forces of the last step: M acceleration + bias = actuators + passive + applied +
        contacts + loops + limits + friction (nv each)."""
        return {name: view(block, "forces") for name, block in self._forces().items()}

    @property
    def report(self) -> Report:
        """What the last step says of itself: outcome, error, rungs, contacts, certified, times, hash."""
        report = self._report()
        if report is None:
            raise RuntimeError("there was no step yet")
        return Report(outcome="solved" if report["certified"] == report["islands"] else "unverified", **report)

    def certificate(self) -> Certificate:
        """Of all steps since it was asked for last, in a simulation made with certify=True: do momentum,
        positions, contacts and energy hold, recomputed from the states alone? broken: law by law what does not."""
        certified, parts, broken = self._certificate()
        return Certificate(certified=certified, parts=parts, broken=broken)

    def problems(self) -> list[Problem]:
        """The contact problems of the last step, one an island, as they were solved: for another method or
        solver, or to be written to files."""
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "problem")
            return [Problem.read(f"{prefix}{i}.json") for i in range(self._save_problems(prefix))]

    @property
    def energy(self) -> Record:
        """Kinetic and potential energy of the present state, J."""
        return Record(**self._energy())

    # -- questions about geometry

    def ray(self, origin: Any, direction: Any, reach: float = 0.0) -> Optional[Record]:
        """What a ray hits first: geom, distance, point, normal; None if nothing."""
        geom, distance, point, normal = self._ray(triple(origin, "origin"), triple(direction, "direction"), reach)
        return None if geom < 0 else Record(geom=geom, distance=distance, point=point, normal=normal)

    def distance(self, a: Key, b: Key) -> Record:
        """Distance of two geoms and nearest points; negative: the depth of their overlap, m."""
        i, j = self._model.index("geom", a), self._model.index("geom", b)
        distance, on_a, on_b, normal = self._distance(i, j)
        return Record(distance=distance, on_a=on_a, on_b=on_b, normal=normal)

    # -- changing it

    def reset(self, keyframe: Optional[Key] = None) -> None:
        """Back to a keyframe, or to the model's reference."""
        self._reset(-1 if keyframe is None else self._model.index("keyframe", keyframe))

    def configure(self, **options: Any) -> None:
        """Changes timestep, method, cone, tol, friction_scale, ... from the next step on."""
        self._set_config(options)

    @property
    def config(self) -> Record:
        """Options as they are."""
        return Record(**self._config())

    def set(self, path: str, values: Any) -> None:
        """Sets a parameter of this simulation without compiling its model again.

        >>> model = Model.from_string('''<mujoco><worldbody><body name="ball"><freejoint/>
        ...     <geom name="skin" size="0.1" mass="2"/></body></worldbody></mujoco>''')
        >>> sim = Sim(model)
        >>> sim.set("body/ball/mass", 3)
        >>> sim.get("body/ball/mass"), model.get("body/ball/mass")
        (3.0, 2.0)
        """
        from array import array

        numbers = [float(values)] if isinstance(values, (int, float)) else [float(x) for x in values]
        self._set(path, array("d", numbers))

    def get(self, path: str) -> Any:
        """A parameter: a number, or a tuple of several. tact.parameters() lists them."""
        values = self._get(path)
        return values[0] if len(values) == 1 else values

    def apply_force(self, body: Key, force: Any, point: Any = None) -> None:
        """A force in the next step alone, at a point of the world; without one, at the body's origin."""
        index = self._model.index("body", body)
        where = self._body_place(index) if point is None else triple(point, "point")
        self._apply_force(index, triple(force, "force"), where)

    def _body_place(self, index: int) -> tuple[float, float, float]:
        numbers: Any = memoryview(self._poses("body"))
        return numbers[index, 0], numbers[index, 1], numbers[index, 2]

    @property
    def callback(self) -> Optional[Callable[[Sim], object]]:
        """Called with the simulation at the beginning of every step: a controller, which writes ctrl."""
        return self._callback

    @callback.setter
    def callback(self, function: Optional[Callable[[Sim], object]]) -> None:
        self._set_callback(function)
        self._callback = function

    # -- snapshots and recordings

    def snapshot(self) -> bytes:
        """All that makes the steps to come what they are. Going on from it gives the same bits."""
        return bytes(self._snapshot())

    def restore(self, snapshot: bytes) -> None:
        """Back to a snapshot of the same model, options and parameters."""
        self._restore(snapshot)

    def __getstate__(self) -> Any:
        raise TypeError("a simulation is not pickled: pickle sim.model and sim.snapshot()")

    def record(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        csv: str | os.PathLike[str] | None = None,
        csv_contacts: str | os.PathLike[str] | None = None,
        every: float = -1.0,
    ) -> Recording:
        """Records from now on: into a .tact file (`tact view`), CSV files, or both; every: seconds from
        frame to frame (60 frames a second). Ends with the `with` block, stop() or close()."""
        names = [None if p is None else os.fspath(p) for p in (path, csv, csv_contacts)]
        if not any(names):
            raise ValueError("record: no file is named")
        self._record(names[0], names[1], names[2], every, self._model._source[0])
        return Recording(self, names[0])

    def render(
        self,
        width: int = 640,
        height: int = 480,
        *,
        azimuth: float = 120.0,
        elevation: float = -20.0,
        distance: float = 0.0,
        target: Any = None,
        forces: bool = True,
        cones: bool = False,
        metres_per_newton: float = 0.0,
    ) -> Any:
        """A picture without a screen or browser (height, width, 3), of bytes: r, g, b.

        azimuth 0 looks along +x, 90 along +y, elevation -90 straight down, degrees; without distance and
        target everything is in it. forces: arrows of contact forces; cones: friction cones.
        """
        where = None if target is None else triple(target, "target")
        block = self._render(width, height, azimuth, elevation, distance, where, forces, cones, metres_per_newton)
        return view(block, "a picture").reshape(height, width, 3)

    def html(self, recording: str | os.PathLike[str] | None = None) -> str:
        """A page with the scene, or with a recording, as one HTML text that needs no server."""
        return _show.html(self, None if recording is None else os.fspath(recording))

    def _repr_html_(self) -> str:
        return _show.notebook(self)

    def view(self, *, wait: bool = False) -> Any:
        """Opens the live page of the model in a browser (`tact view`)."""
        return _show.live(self._model, wait)

    def __enter__(self) -> Sim:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<tact.Sim of '{self._model.name}' at {self.time:g} s, {self.steps} steps>"


class Recording:
    """A recording that runs, until its `with` block ends or stop() is called. A notebook then shows it as a film."""

    def __init__(self, sim: Sim, path: Optional[str]) -> None:
        self._sim, self._runs = sim, True
        self.path = path

    def stop(self) -> None:
        """Writes the last frame and closes the files."""
        self._sim._end_record()
        self._runs = False

    def html(self) -> str:
        """A page with the film, as one HTML text that needs no server."""
        if self._runs or self.path is None:
            raise RuntimeError("a recording is shown after its end" if self._runs else "there is no .tact file to show")
        return _show.html(self._sim, self.path)

    def _repr_html_(self) -> Optional[str]:
        return None if self._runs or self.path is None else _show.frame(self.html())

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


class Place:
    """Where a thing is now: asked anew each time."""

    def __init__(self, sim: Sim, kind: str, index: int) -> None:
        self._sim, self._kind, self.index = sim, kind, index

    @property
    def pos(self) -> Any:
        """Position, world frame."""
        return view(self._sim._poses(self._kind), "pos")[self.index, :3]

    @property
    def quat(self) -> Any:
        """Orientation: quaternion w x y z."""
        return view(self._sim._poses(self._kind), "quat")[self.index, 3:]

    @property
    def mat(self) -> Any:
        """Orientation: rotation matrix."""
        np = need("mat")
        w, x, y, z = self.quat
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )


class BodyState(Place):
    """A body now."""

    def __init__(self, sim: Sim, index: int) -> None:
        super().__init__(sim, "body", index)

    @property
    def vel(self) -> Any:
        """Velocity of its origin, world frame."""
        return view(self._sim._twists(), "vel")[self.index, :3]

    @property
    def omega(self) -> Any:
        """Angular velocity, world frame."""
        return view(self._sim._twists(), "omega")[self.index, 3:]

    @property
    def wrench(self) -> Any:
        """Force and torque of all its contacts in the last step, about its centre of mass."""
        return self._sim.wrenches[self.index]


_WIDTH = {"free": (7, 6), "ball": (4, 3), "hinge": (1, 1), "slide": (1, 1)}


class JointState:
    """A joint now: views of its numbers."""

    def __init__(self, sim: Sim, index: int) -> None:
        joint = sim.model.joint(index)
        nq, nv = _WIDTH[joint.type]
        self.index = index
        self._sim, self._q, self._v = sim, slice(joint.q, joint.q + nq), slice(joint.dof, joint.dof + nv)

    @property
    def qpos(self) -> Any:
        """Its numbers of qpos: a view."""
        return self._sim.qpos[self._q]

    @qpos.setter
    def qpos(self, values: Any) -> None:
        self._sim.qpos[self._q] = values

    @property
    def qvel(self) -> Any:
        """Its numbers of qvel: a view."""
        return self._sim.qvel[self._v]

    @qvel.setter
    def qvel(self, values: Any) -> None:
        self._sim.qvel[self._v] = values
