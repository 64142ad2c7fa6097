"""Whole worlds in batches, on threads or on a GPU."""

from __future__ import annotations

from typing import Any, Optional

from . import _tact
from ._arrays import doubles, need, view
from ._model import Model
from ._record import Record
from ._sim import Sim


class DeviceArray:
    """An array of all worlds where the device has it: torch.from_dlpack(batch.qpos) reads and writes it
    there, without a copy; so do JAX and, on a processor, numpy.from_dlpack."""

    def __init__(self, worlds: "Batch", name: str, shape: tuple[int, int]) -> None:
        self._worlds, self._name, self.shape = worlds, name, shape

    def __dlpack__(self, **_: Any) -> Any:
        return self._worlds._dlpack(self._name)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2 if self._worlds.device == "cuda" else 1, 0)


class Batch(_tact.Worlds):
    """P worlds of one model that are stepped together: on a processor's threads, or on a GPU.

    Steps are those of Sim.step(), every contact certified; what a GPU does not make of them is handed to
    the processor, world by world, and counted in the report. What a model asks for that the GPU does not
    have is refused here, with the list. On a GPU cone="pyramid" is faster than the circle, found from it.

    >>> model = Model.from_string('''<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
    ...   <geom size="0.1" mass="1"/></body></worldbody><actuator><motor joint="x"/></actuator></mujoco>''')
    >>> batch = Batch(model, worlds=3)
    >>> report = batch.step(10, ctrl=[[1.0], [0.0], [-1.0]])
    >>> batch.fetch()[1].round(6).tolist()      # F t / m after 20 ms
    [[0.02], [0.0], [-0.02]]
    >>> report.steps, report.uncertified
    (30, 0)
    """

    def __init__(
        self,
        model: Model,
        worlds: int,
        device: str = "cpu",
        *,
        threads: int = 0,
        sliding_only: bool = False,
        other_shapes: bool = False,
        sensors: bool = False,
        **options: Any,
    ) -> None:
        """device: "cpu" or "cuda". sliding_only: contacts do not resist spinning and rolling, whatever the
        model says. other_shapes: a GPU takes pairs whose points it does not find as well; steps in which
        they come near are the processor's. sensors: the model's are read after every call of step(). options:
        those of Sim."""
        self._open(model, options, worlds, device, threads, sliding_only, other_shapes, sensors)
        self.model, self.worlds, self.device, self.sensors = model, worlds, device, sensors
        self._options = options

    @property
    def qpos(self) -> DeviceArray:
        """(worlds, nq), of the device."""
        return DeviceArray(self, "qpos", (self.worlds, self.model.nq))

    @property
    def qvel(self) -> DeviceArray:
        """(worlds, nv), of the device."""
        return DeviceArray(self, "qvel", (self.worlds, self.model.nv))

    @property
    def ctrl(self) -> DeviceArray:
        """(worlds, nu), of the device."""
        return DeviceArray(self, "ctrl", (self.worlds, self.model.nu))

    @property
    def sensordata(self) -> DeviceArray:
        """(worlds, nsensor), of the device: those of Sim.sensors after the last step of the last call, or after a
        reset. step(0) reads them anew, for states that were written."""
        if not self.sensors:
            raise ValueError("sensordata: the batch was made without sensors=True")
        return DeviceArray(self, "sensordata", (self.worlds, self.model.nsensor))

    def fetch_sensors(self) -> Any:
        """Sensors of all worlds, copied from the device.

        >>> model = Model.from_string('''<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
        ...   <geom size="0.1" mass="2"/></body></worldbody><actuator><motor name="f" joint="x"/></actuator>
        ...   <sensor><jointvel joint="x"/><actuatorfrc actuator="f"/></sensor></mujoco>''')
        >>> batch = Batch(model, worlds=2, sensors=True)
        >>> report = batch.step(10, ctrl=[[1.0], [-2.0]])
        >>> batch.fetch_sensors().round(6).tolist()
        [[0.01, 1.0], [-0.02, -2.0]]
        """
        return view(self._fetch_sensors())

    def send(self, qpos: Any = None, qvel: Any = None, ctrl: Any = None) -> None:
        """Copies arrays of all worlds to the device."""
        self._send(doubles(qpos, "qpos"), doubles(qvel, "qvel"), doubles(ctrl, "ctrl"))

    def fetch(self) -> tuple[Any, Any]:
        """qpos and qvel of all worlds, copied from the device."""
        q, v = self._fetch()
        return view(q), view(v)

    def step(self, steps: int = 1, ctrl: Any = None) -> Record:
        """Steps of all worlds, with controls that are copied first if they are given."""
        if ctrl is not None:
            self.send(ctrl=ctrl)
        told = self._step(steps)
        told["reasons"] = Record(**told["reasons"])
        return Record(**told)

    def set(self, path: str, values: Any) -> None:
        """A parameter of the model ("body/trunk/mass", "geom/foot/friction", "actuator/knee/kp") in every
        world from the next step on: an array of all worlds, (worlds,) or (worlds, numbers)."""
        self._set(path, doubles(values, path))

    def sim(self, world: int) -> Sim:
        """A simulation of the processor in the state of a world, with its parameters: to look at what it
        touches, to record it, to make its steps once more and compare.

        >>> model = Model.from_string('<mujoco><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 .1">'
        ...     '<freejoint/><geom size="0.1" mass="1"/></body></worldbody></mujoco>')
        >>> batch = Batch(model, worlds=2)
        >>> sim = batch.sim(1)
        >>> report, told = batch.step(5), [sim.step() for _ in range(5)]
        >>> bool((sim.qpos == batch.fetch()[0][1]).all())
        True
        """
        sim = Sim(self.model, **self._options)
        self._copy(world, sim)
        return sim

    def contacts(self, world: int) -> Any:
        """What a world touches in the step that follows, by the processor: as Sim.contacts."""
        sim = self.sim(world)
        sim.step()
        return sim.contacts

    def reset(self, which: Optional[Any] = None) -> None:
        """Worlds for which `which` is true (None: all) at the model's reference, at rest."""
        np = need("Batch.reset")
        self._reset(None if which is None else np.asarray(which, dtype=bool).tobytes())
