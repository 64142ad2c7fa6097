"""tact: exact frictional contact, proven.

Simulation of robots and scenes, frictional contact problems and linear complementarity problems; every
answer carries a certificate that is recomputed from the raw data.

>>> import tact
>>> model = tact.Model.from_string('''<mujoco><worldbody>
...   <geom name="floor" type="plane" size="1 1 1"/>
...   <body name="cube" pos="0 0 0.1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
... </worldbody></mujoco>''')
>>> sim = tact.Sim(model)
>>> sim.step(10)
>>> len(sim.contacts), sim.report.solved
(4, True)
"""

from __future__ import annotations

from typing import Any

from . import _tact, contact, dynamics, lcp
from ._batch import Rollout, VectorEnv, rollout
from ._model import Model
from ._record import Certificate, Diagnosis, Note, Patch, Proof, Record, Report
from ._show import program
from ._sweep import Sweep, sweep
from ._sim import OPEN, SLIDE, STATES, STICK, Recording, Sim
from ._worlds import Batch, DeviceArray
from ._tact import (
    ArgumentError,
    FileError,
    InputError,
    OutOfMemoryError,
    TactError,
    UnsupportedError,
)

__version__ = "0.1.0"


def version() -> str:
    """Version of the library, and the optional parts that it was built with."""
    return str(_tact.version())


def parameters() -> list[Record]:
    """What can be set without compiling a model again: sim.set("body/NAME/mass", 2).

    >>> [p.path for p in parameters()][:4]
    ['gravity', 'body/NAME/mass', 'body/NAME/gravity_compensation', 'geom/NAME/friction']
    """
    return [
        Record(path=f"{kind}/NAME/{field}" if kind else field, unit=unit, count=count, about=about)
        for kind, field, unit, count, about in _tact.parameters()
    ]


__all__ = [
    "ArgumentError", "Batch", "Certificate", "DeviceArray", "Diagnosis", "FileError", "InputError", "Model", "Note", "OPEN",
    "OutOfMemoryError", "Patch", "Proof", "Record", "Recording", "Report", "Rollout", "SLIDE", "STATES",
    "STICK", "Sim", "Sweep", "TactError", "UnsupportedError", "VectorEnv", "contact", "dynamics", "lcp",
    "parameters", "program", "rollout", "sweep", "version",
]
