"""Frictional contact problems: M (v+ - v) = h f + J' p, with Coulomb's law at every contact."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence

from . import _tact
from ._arrays import doubles, need, view
from ._record import Certificate, Diagnosis, Proof, Record, Report

LEVELS = ("velocity", "acceleration")


class Answer(Record):
    """impulse (contacts, 3) along normal and tangents on body b, N s; row_impulse; velocity v+;
    u (contacts, 3), relative velocities after the step; moment (contacts, 3) about normal and tangents on
    body b, N m s, and spin (contacts, 3), relative angular velocities, of contacts with mu_spin or mu_roll
    (0 of others); report; words: why it is not solved."""

    @property
    def solved(self) -> bool:
        """Proven: the certified error is within the tolerance."""
        return bool(self.report.outcome == "solved")


def _height(contact: Mapping[str, Any]) -> int:
    """Rows of a contact: n 1 2, and three angular ones if it resists spinning or rolling."""
    return 6 if contact.get("mu_spin") or contact.get("mu_roll") else 3


def _split(items: Sequence[Mapping[str, Any]], nv: int, heights: Sequence[int], what: str) -> tuple[list[dict[str, Any]], Any]:
    """Dicts without their J, and all J one after the other."""
    plain, stacked = [], []
    for i, (item, rows) in enumerate(zip(items, heights)):
        copy = {key: value for key, value in dict(item).items() if key != "J"}
        plain.append(copy)
        if item.get("J") is not None:
            J = doubles(item["J"], f"{what} {i}: J")
            if J.size != rows * nv:
                raise ValueError(f"{what} {i}: J has {J.size} numbers, not {rows} x {nv}")
            stacked.append(J.reshape(-1))
    if stacked and len(stacked) != len(plain):
        raise ValueError(f"{what}: some have a J, and some have none")
    return plain, need("J").concatenate(stacked) if stacked else None


class Problem(_tact.Problem):
    """A contact problem: from bodies, from M and J, or from W.

    bodies: dicts of mass, inertia (ixx iyy izz ixy ixz iyz), position, velocity, omega, force, torque.
    contacts: dicts of a, b (-1: the world), point, normal (from a to b), mu, tangent, restitution, bias,
    ...; with M also J (3, nv). mu_spin and mu_roll, m, resist spinning about the normal and rolling about the
    tangents (J has then six rows, and W too: three angular ones below); mu2: the coefficient along tangent 2;
    friction_law: "separate", or "ellipsoid" for one bound of all parts. rows: dicts of kind (bilateral, unilateral, motor), J or J_a, J_b, target, error and zeta, force_max, id.
    An id joins a contact or row to the one of the last solve; a row without id to that of the same number.

    >>> block = dict(mass=1, inertia=(.1, .1, .1, 0, 0, 0), force=(0, 0, -9.81))
    >>> corners = [dict(a=-1, b=0, point=(x, y, -.1), normal=(0, 0, 1), mu=0.5) for x in (-1, 1) for y in (-1, 1)]
    >>> answer = Problem(step=0.01, bodies=[block], contacts=corners).solve()
    >>> answer.solved, round(float(answer.impulse[:, 0].sum()), 12)   # h m g
    (True, 0.0981)

    A ball that spins about the normal is braked by the moment mu_spin p_n:

    >>> ball = dict(mass=1, inertia=(.004, .004, .004, 0, 0, 0), force=(0, 0, -9.81), omega=(0, 0, 10))
    >>> point = dict(a=-1, b=0, point=(0, 0, -.1), normal=(0, 0, 1), mu=0.5, mu_spin=0.01)
    >>> answer = Problem(step=0.01, bodies=[ball], contacts=[point]).solve(cone="circle")
    >>> answer.solved, answer.moment.round(9).tolist()                # N m s
    (True, [[-0.000981, 0.0, 0.0]])
    """

    def __init__(
        self,
        *,
        step: float = 1.0,
        contacts: Sequence[Mapping[str, Any]] = (),
        bodies: Sequence[Mapping[str, Any]] = (),
        rows: Sequence[Mapping[str, Any]] = (),
        M: Any = None,
        v: Any = None,
        tau: Any = None,
        W: Any = None,
        u_free: Any = None,
        level: str = "velocity",
    ) -> None:
        if level not in LEVELS:
            raise ValueError(f"level: '{level}' is none of: {', '.join(LEVELS)}")
        self.format, self.title = "", ""
        matrix = doubles(M, "M")
        nv = 0 if matrix is None else len(matrix)
        plain, J = _split(contacts, nv, [_height(c) for c in contacts], "contact")
        plain_rows, row_J = _split(rows, nv, [1] * len(rows), "row")
        np = need("v") if matrix is not None else None
        self._make(
            float(step),
            LEVELS.index(level),
            [dict(b) for b in bodies],
            plain,
            plain_rows,
            matrix,
            np.zeros(nv) if np is not None and v is None else doubles(v, "v"),
            np.zeros(nv) if np is not None and tau is None else doubles(tau, "tau"),
            doubles(W, "W"),
            doubles(u_free, "u_free"),
            J,
            row_J,
            nv,
        )

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Problem:
        """Reads JSON of tact, FCLIB (HDF5), or a Siconos .dat file."""
        problem = cls.__new__(cls)
        problem.format, problem.title = problem._read(os.fspath(path))
        return problem

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes JSON (.json), FCLIB (.hdf5) or a file of Siconos (.dat)."""
        self._write(os.fspath(path))

    def to_dict(self) -> dict[str, Any]:
        """step, bodies, contacts, rows and sizes, for json.dumps()."""
        return dict(self._describe())

    @property
    def arrays(self) -> Record:
        """M, v, tau, W, u_free, J (all contacts, one below the other) and row_J as they are given; None where
        they are not."""
        names = ("M", "v", "tau", "W", "u_free", "J", "row_J")
        blocks = self._arrays()
        return Record(**{n: None if b is None else view(b, n) for n, b in zip(names, blocks)})

    def solve(self, *, method: str = "ladder", **options: Any) -> Answer:
        """Solves it once. Options: cone (pyramid, circle, box), tol, max_time, ... To solve one after the
        other from the last answer, use a Solver."""
        return Solver(method=method, **options).solve(self)

    def _ask(self, what: str, answer: Any, cone: str) -> Any:
        given = answer if isinstance(answer, Answer) else Record(**{"row_impulse": None, "velocity": None, "moment": None, **answer})
        return self._judge(
            what,
            cone,
            doubles(given.impulse, "impulse"),
            doubles(given.row_impulse, "row_impulse"),
            doubles(given.velocity, "velocity") if len(given.velocity if given.velocity is not None else ()) else None,
            doubles(given.moment, "moment"),
        )

    def certify(self, answer: Answer | Mapping[str, Any], *, cone: str = "circle") -> Certificate:
        """Recomputes all errors of an answer, whoever made it, from the problem alone: an Answer, or a dict of
        impulse, velocity (not with W), row_impulse (with rows), moment (with mu_spin or mu_roll)."""
        return Certificate(**self._ask("certify", answer, cone))

    def diagnose(self, answer: Answer | Mapping[str, Any]) -> list[Diagnosis]:
        """For every contact: open, stick or slide, friction used, slip, and whether its force is unique."""
        return [Diagnosis(**d) for d in self._ask("diagnose", answer, "circle")]

    def ranges(self, answer: Answer | Mapping[str, Any], *, cone: str = "circle") -> list[Record]:
        """Normal impulses of every contact, least and most, over all that give the same motion."""
        return [Record(**r) for r in self._ask("ranges", answer, cone)]

    def prove(self, answer: Answer | Mapping[str, Any], *, cone: str = "circle") -> Proof:
        """Is there an exact solution next to the answer? In rationals (pyramid) or intervals (circle)."""
        report, why = self._ask("prove", answer, cone)
        return Proof(why=why, **report)

    def __repr__(self) -> str:
        facts = self._describe()
        return f"<tact.contact.Problem: {facts['contact_count']} contacts, {facts['dof']} dof>"


class Solver(_tact.Solver):
    """Solves one problem after the other; contacts with the same id start from the last answer."""

    def __init__(self, *, method: str = "ladder", **options: Any) -> None:
        self.config = Record(**self._configure(dict(options, method=method)))

    def solve(self, problem: Problem) -> Answer:
        """Solves it, and says how: what is not proven is never called solved."""
        blocks, report, words = self._solve(problem)
        report["certificate"] = Certificate(**report["certificate"])
        report["rungs"] = [Record(**rung) for rung in report["rungs"]]
        impulse, rows, velocity, u, moment, spin = [view(block, "an answer") for block in blocks]
        return Answer(
            impulse=impulse,
            row_impulse=rows,
            velocity=velocity,
            u=u,
            moment=moment,
            spin=spin,
            report=Report(**report),
            words=words,
        )


def methods() -> list[Record]:
    """The table of methods.

    >>> [m.name for m in methods()][:2]
    ['ladder', 'reduced']
    """
    return [Record(**method) for method in _tact.contact_methods()]
