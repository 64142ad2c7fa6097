"""Linear complementarity problems: find z in [lo, hi] with w = M z + q, w >= 0 at lo, w <= 0 at hi, else w = 0."""

from __future__ import annotations

import os
from typing import Any, Optional

from . import _tact
from ._arrays import doubles, ints, need, view
from ._record import Certificate, Proof, Record, Report


class Result(Record):
    """z, w, and the report; `solved` is proven, not claimed."""

    @property
    def solved(self) -> bool:
        """Is the certified error within the tolerance?"""
        return bool(self.report.outcome == "solved")


class Problem(Record):
    """M, q, lo, hi of a file."""

    def solve(self, **options: Any) -> Result:
        """As tact.lcp.solve()."""
        return solve(self.M, self.q, self.lo, self.hi, **options)


def _matrix(M: Any) -> Any:
    """A dense matrix, or one of compressed sparse rows (scipy.sparse.csr_matrix)."""
    if hasattr(M, "indptr") and hasattr(M, "indices") and hasattr(M, "data") and hasattr(M, "tocsr"):
        rows = M.tocsr()
        rows.sort_indices()
        return ints(rows.indptr, "M"), ints(rows.indices, "M"), doubles(rows.data, "M")
    return doubles(M, "M")


def _problem(M: Any, q: Any, lo: Any, hi: Any, f_index: Any) -> tuple[Any, ...]:
    return _matrix(M), doubles(q, "q"), doubles(lo, "lo"), doubles(hi, "hi"), ints(f_index, "f_index")


def solve(
    M: Any,
    q: Any,
    lo: Any = None,
    hi: Any = None,
    *,
    f_index: Any = None,
    start: Any = None,
    method: str = "lemke-lex",
    **options: Any,
) -> Result:
    """Solves one problem. lo None: all 0; hi None: all +infinity; both infinite: a free variable.

    f_index: row i with f_index[i] = j >= 0 is friction with coefficient hi[i] on the force z[j].
    start: a guess of z (pgs, pgs-sm). Options: residual_tol, max_pivots, max_iterations, max_time, ...

    >>> result = solve([[2, 1], [1, 2]], [-5, -6])
    >>> result.solved, result.z.tolist()
    (True, [1.3333333333333333, 2.3333333333333335])
    """
    np = need("lcp.solve")
    problem = _problem(M, q, lo, hi, f_index)
    z, report = _tact.lcp_solve(*problem, doubles(start, "start"), dict(options, method=method))
    report["certificate"] = Certificate(**report["certificate"])
    answer = view(z)
    w = (M @ answer if hasattr(M, "tocsr") else problem[0].reshape(len(answer), -1) @ answer) + problem[1] if len(answer) else np.zeros(0)
    return Result(z=answer, w=w, report=Report(**report))


def certify(M: Any, q: Any, z: Any, lo: Any = None, hi: Any = None, *, f_index: Any = None) -> Certificate:
    """Certifies z, whoever made it: recomputed from M, q and the bounds in double-double arithmetic."""
    return Certificate(**_tact.lcp_certify(*_problem(M, q, lo, hi, f_index), doubles(z, "z")))


def prove(M: Any, q: Any, z: Any, lo: Any = None, hi: Any = None, *, f_index: Any = None) -> Proof:
    """Is there an exact solution next to z? Found in rationals."""
    report, why = _tact.lcp_prove(*_problem(M, q, lo, hi, f_index), doubles(z, "z"))
    return Proof(why=why, **report)


def read(
    path: str | os.PathLike[str],
    q: Optional[str | os.PathLike[str]] = None,
    lo: Optional[str | os.PathLike[str]] = None,
    hi: Optional[str | os.PathLike[str]] = None,
) -> Problem:
    """Reads a Siconos .dat file, or Matrix Market files of M, q, lo and hi."""
    names = [None if p is None else os.fspath(p) for p in (path, q, lo, hi)]
    M, vector, lower, upper, form = _tact.lcp_read(*names)
    arrays = [None if block is None else view(block, "lcp.read") for block in (M, vector, lower, upper)]
    return Problem(M=arrays[0], q=arrays[1], lo=arrays[2], hi=arrays[3], format=form)


def write(prefix: str | os.PathLike[str], M: Any, q: Any, lo: Any = None, hi: Any = None) -> None:
    """Writes PREFIX_M.mtx, PREFIX_q.mtx, and PREFIX_lo.mtx, PREFIX_hi.mtx if there are bounds.

    A name that ends with .dat is one file, as Siconos has them: an LCP, or an MLCP if some variables are free.
    """
    M, q, lo, hi, _ = _problem(M, q, lo, hi, None)
    _tact.lcp_write(os.fspath(prefix), M, q, lo, hi)


def methods() -> list[Record]:
    """The table of methods: name, source, guarantee.

    >>> [m.name for m in methods()][:3]
    ['lemke', 'lemke-lex', 'search']
    """
    return [Record(**method) for method in _tact.lcp_methods()]
