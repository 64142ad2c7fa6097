"""Many worlds of one model on threads."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

from . import _tact
from ._arrays import doubles, need, view
from ._model import Model
from ._record import Record


class Rollout(Record):
    """qpos (worlds, frames, nq), qvel, sensors, and a record a world."""


def rollout(
    model: Model,
    qpos: Any = None,
    qvel: Any = None,
    ctrl: Any = None,
    steps: Optional[int] = None,
    *,
    worlds: Optional[int] = None,
    every: int = 1,
    hold: int = 1,
    threads: int = 0,
    parameters: Optional[Mapping[str, Any]] = None,
    **options: Any,
) -> Rollout:
    """Simulates many worlds from arrays: qpos (worlds, nq), qvel (worlds, nv), ctrl (worlds, controls, nu).

    steps: of each world; without it, as many as there are controls. every: steps between two frames of
    the result. hold: steps for which a control is held. parameters: numbers of each world by path, e.g.
    {"geom/floor/friction": [0.2, 0.4, 0.6]}. threads: 0, as many as there are processors; the bits are
    the same for any number of them.

    >>> model = Model.from_string('<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>')
    >>> result = rollout(model, worlds=3, steps=500, every=500, parameters={"gravity": [[0, 0, -1], [0, 0, -2], [0, 0, -3]]})
    >>> result.qvel[:, 0, 2].round(9).tolist()
    [-1.0, -2.0, -3.0]
    """
    np = need("rollout")
    q, v, u = doubles(qpos, "qpos"), doubles(qvel, "qvel"), doubles(ctrl, "ctrl")
    paths, values = [], []
    for path, numbers in (parameters or {}).items():
        array = np.asarray(numbers, dtype=float)
        paths.append(path)
        values.append(array.reshape(len(array), -1))
    given = [len(a) for a, width in ((q, 2), (v, 2), (u, 3)) if a is not None and a.ndim == width]
    given += [len(a) for a in values]
    count = worlds if worlds is not None else given[0] if given else 1
    if any(n != count for n in given):
        raise ValueError(f"rollout: arrays have {given} worlds, not {count} each")
    controls = u.shape[-2] if u is not None and u.ndim >= 2 else 0
    total = steps if steps is not None else controls * hold
    # what is given once is that of every world
    q = q if q is None or q.ndim == 2 else np.ascontiguousarray(np.broadcast_to(q, (count, q.size)))
    v = v if v is None or v.ndim == 2 else np.ascontiguousarray(np.broadcast_to(v, (count, v.size)))
    if u is not None and u.ndim < 3:
        u = np.ascontiguousarray(np.broadcast_to(u, (count, max(-(-total // hold), 0) if u.ndim < 2 else controls, model.nu)))
    Q, V, S, told = _tact.rollout(
        model,
        options,
        count,
        total,
        every,
        hold,
        threads,
        q,
        v,
        u,
        tuple(paths),
        np.ascontiguousarray(np.concatenate(values, axis=1)) if values else None,
    )
    frames = total // every
    return Rollout(
        qpos=view(Q).reshape(count, frames, model.nq),
        qvel=view(V).reshape(count, frames, model.nv),
        sensors=view(S).reshape(count, frames, model.nsensor) if model.nsensor else np.zeros((count, frames, 0)),
        worlds=[Record(**w) for w in told],
    )


class VectorEnv(_tact.Batch):
    """Worlds that are stepped together, with the conventions of gymnasium and without needing it.

    Observations are (worlds, n): qpos and qvel, unless `observe` makes others of qpos, qvel and sensors.
    `reward` and `terminated` are functions of the observation and the action. Worlds that have ended are
    reset by the next step, as gymnasium's next-step mode does.

    >>> model = Model.from_string('''<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
    ...   <geom size="0.1" mass="1"/></body></worldbody><actuator><motor joint="x"/></actuator></mujoco>''')
    >>> env = VectorEnv(model, 4, steps=10, terminated=lambda o, a: o[:, 0] > 1.0)
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step([[1.0], [0.0], [-1.0], [2.0]])
    >>> observation[:, 1].round(6).tolist()      # F t / m after 20 ms
    [0.02, 0.0, -0.02, 0.04]
    """

    def __init__(
        self,
        model: Model,
        num_envs: int,
        *,
        steps: int = 1,
        threads: int = 0,
        horizon: Optional[int] = None,
        start: Optional[Callable[[Any], tuple[Any, Any]]] = None,
        observe: Optional[Callable[[Any, Any, Any], Any]] = None,
        reward: Optional[Callable[[Any, Any], Any]] = None,
        terminated: Optional[Callable[[Any, Any], Any]] = None,
        **options: Any,
    ) -> None:
        """start: qpos and qvel of a world that begins, from a random generator. horizon: steps of the
        environment after which a world is cut off."""
        np = need("VectorEnv")
        self._open(model, options, num_envs, threads)
        self.model, self.num_envs, self.steps, self.horizon = model, num_envs, steps, horizon
        self._start, self._observe, self._reward, self._terminated = start, observe, reward, terminated
        self._random = np.random.default_rng()
        self._age = np.zeros(num_envs, int)
        self._over = np.zeros(num_envs, bool)

    @property
    def single_action_shape(self) -> tuple[int, ...]:
        """Of the action of one world."""
        return (self.model.nu,)

    @property
    def single_observation_shape(self) -> tuple[int, ...]:
        """Of the observation of one world."""
        np, m = need("VectorEnv"), self.model
        if not self._observe:
            return (m.nq + m.nv,)
        q, v, _ = m.keyframe()
        return tuple(np.asarray(self._observe(q[None], v[None], np.zeros((1, m.nsensor)))).shape[1:])

    def _begin(self, world: int) -> None:
        q, v = self._start(self._random) if self._start else (None, None)
        self._reset(world, -1, doubles(q, "qpos"), doubles(v, "qvel"))
        self._age[world] = 0
        self._over[world] = False

    def _look(self, q: Any, v: Any, sensors: Any) -> Any:
        np, n = need("VectorEnv"), self.num_envs
        q, v = view(q).reshape(n, self.model.nq), view(v).reshape(n, self.model.nv)
        values = view(sensors).reshape(n, self.model.nsensor) if self.model.nsensor else np.zeros((n, 0))
        return self._observe(q, v, values) if self._observe else np.concatenate([q, v], axis=1)

    def set(self, path: str, values: Any) -> None:
        """A parameter of every world: one row a world."""
        np = need("set")
        for world, row in enumerate(np.asarray(values, float).reshape(self.num_envs, -1)):
            self._set(world, path, np.ascontiguousarray(row))

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None) -> tuple[Any, dict[str, Any]]:
        """All worlds begin again."""
        if seed is not None:
            self._random = need("VectorEnv").random.default_rng(seed)
        for world in range(self.num_envs):
            self._begin(world)
        q, v, sensors, _ = self._step(None, 0, None)
        return self._look(q, v, sensors), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One step of all environments: observation, reward, terminated, truncated, info.
        info["certified"] says of which worlds all contact problems were proven."""
        np, n = need("VectorEnv"), self.num_envs
        actions = doubles(actions, "action").reshape(n, -1) if self.model.nu else None
        fresh = self._over.copy()
        for world in np.flatnonzero(fresh):
            self._begin(int(world))
        q, v, sensors, certified = self._step(actions, self.steps, fresh.astype("u1").tobytes())
        observation = self._look(q, v, sensors)
        self._age[~fresh] += 1
        zero = np.zeros(n)
        reward = np.where(fresh, 0.0, self._reward(observation, actions)) if self._reward else zero
        ended = np.asarray(self._terminated(observation, actions), bool) & ~fresh if self._terminated else zero > 0
        cut = (self._age >= self.horizon) & ~fresh & ~ended if self.horizon else zero > 0
        self._over = ended | cut
        return observation, reward, ended, cut, {"certified": np.asarray(certified, bool)}

    def close(self) -> None:
        """For gymnasium's sake: there is nothing to close."""
