"""Dynamics of a model at a state: M(q) a + bias(q, v) = tau + J' f."""

from __future__ import annotations

from typing import Any, Optional

from . import _tact
from ._arrays import doubles, triple, view
from ._model import Key, Model


class Dynamics(_tact.Dynamics):
    """Mass matrix, bias, Jacobians, inverse and forward dynamics at one state at a time.

    >>> model = Model.from_string('''<mujoco><worldbody><body><joint axis="0 1 0"/>
    ...     <geom type="sphere" size="0.01" pos="1 0 0" mass="2"/></body></worldbody></mujoco>''')
    >>> d = Dynamics(model)
    >>> bool(abs(d.M[0, 0] - 2) < 1e-3)       # m l^2, kg m^2
    True
    >>> round(float(d.bias[0]), 2)            # the torque that holds it: m g l, about y downwards
    -19.62
    """

    def __init__(self, model: Model, qpos: Any = None, qvel: Any = None) -> None:
        self._open(model)
        self._of = model
        self.set(qpos, qvel)

    @property
    def model(self) -> Model:
        """The model."""
        return self._of

    def set(self, qpos: Any = None, qvel: Any = None) -> None:
        """Sets the state; without positions the reference, without velocities at rest."""
        q, v, _ = self._of.keyframe()
        self._set(q if qpos is None else doubles(qpos, "qpos"), v if qvel is None else doubles(qvel, "qvel"))

    @property
    def M(self) -> Any:
        """Mass matrix with armature (nv, nv)."""
        return view(self._mass(), "M").reshape(self._of.nv, self._of.nv)

    @property
    def bias(self) -> Any:
        """Coriolis, centrifugal and gravity forces (nv)."""
        return view(self._inverse(None), "bias")

    @property
    def passive(self) -> Any:
        """Springs, dampers and weight that is carried (nv)."""
        return view(self._passive(), "passive")

    def inverse(self, qacc: Any) -> Any:
        """The forces that make these accelerations: M qacc + bias."""
        return view(self._inverse(doubles(qacc, "qacc")), "inverse")

    def forward(self, tau: Any = None) -> Any:
        """Accelerations under these forces, without contacts."""
        return view(self._forward(doubles(tau, "tau")), "forward")

    def jacobian(self, body: Key, point: Any = None) -> Any:
        """Velocity of a body's point (its origin), and angular, for a unit of each qvel (6, nv)."""
        where = None if point is None else triple(point, "point")
        return view(self._jacobian(self._of.index("body", body), where), "a Jacobian").reshape(6, self._of.nv)

    @property
    def kinetic(self) -> float:
        """Kinetic energy, J."""
        return float(self._numbers()[0])

    @property
    def potential(self) -> float:
        """Potential energy of gravity and springs, J."""
        return float(self._numbers()[1])

    @property
    def com(self) -> tuple[float, float, float]:
        """Centre of mass of everything, world frame."""
        x, y, z = self._numbers()[2]
        return x, y, z


def at(model: Model, qpos: Any = None, qvel: Any = None) -> Dynamics:
    """The dynamics of a model at a state."""
    return Dynamics(model, qpos, qvel)


def mass_matrix(model: Model, qpos: Any = None) -> Any:
    """M(q)."""
    return Dynamics(model, qpos).M


def bias(model: Model, qpos: Any = None, qvel: Any = None) -> Any:
    """Coriolis, centrifugal and gravity forces."""
    return Dynamics(model, qpos, qvel).bias


def inverse(model: Model, qpos: Any, qvel: Any, qacc: Any) -> Any:
    """The forces that make these accelerations."""
    return Dynamics(model, qpos, qvel).inverse(qacc)


def forward(model: Model, qpos: Any, qvel: Any, tau: Optional[Any] = None) -> Any:
    """Accelerations under these forces."""
    return Dynamics(model, qpos, qvel).forward(tau)
