"""NumPy, if it is there: arrays as views of the library's memory."""

from __future__ import annotations

from typing import Any

try:
    import numpy
except ImportError:  # the package works without; what needs arrays says so
    numpy = None  # type: ignore[assignment]

#: A contact of the last step. State is OPEN, STICK or SLIDE; the normal points from a to b; `force` is
#: that on b along normal and tangents, force_on_b and force_on_a are in the world's axes; `moment` is that on b
#: about normal and tangents, against `spin`. friction2 is the coefficient along tangent 2. SI units.
CONTACT_FIELDS = [
    ("geom", "i4", (2,)),
    ("body", "i4", (2,)),
    ("id", "u8"),
    ("point", "f8", (3,)),
    ("normal", "f8", (3,)),
    ("tangent1", "f8", (3,)),
    ("tangent2", "f8", (3,)),
    ("depth", "f8"),
    ("friction", "f8"),
    ("friction2", "f8"),
    ("restitution", "f8"),
    ("mu_spin", "f8"),
    ("mu_roll", "f8"),
    ("force", "f8", (3,)),
    ("force_on_b", "f8", (3,)),
    ("force_on_a", "f8", (3,)),
    ("velocity", "f8", (3,)),
    ("friction_used", "f8"),
    ("moment", "f8", (3,)),
    ("spin", "f8", (3,)),
    ("spin_used", "f8"),
    ("roll_used", "f8"),
    ("state", "i4"),
    ("_pad", "i4"),
]

if numpy is not None:
    CONTACT_DTYPE: Any = numpy.dtype(CONTACT_FIELDS)
    _frombuffer: Any = numpy.frombuffer


def need(what: str) -> Any:
    """NumPy, or an ImportError that says what needs it."""
    if numpy is None:
        raise ImportError(f"{what} needs NumPy, which is not installed (Debian: python3-numpy)")
    return numpy


def view(block: Any, what: str = "this array") -> Any:
    """A block of the library as an array, without copying."""
    return need(what).asarray(block)


def doubles(values: Any, what: str) -> Any:
    """Numbers as the library takes them: contiguous doubles; None stays None."""
    if values is None:
        return None
    np = need(what)
    try:
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what}: numbers are wanted ({error})") from None


def ints(values: Any, what: str) -> Any:
    """The same of integers."""
    return None if values is None else need(what).ascontiguousarray(values, dtype="i4")


def triple(values: Any, what: str) -> tuple[float, float, float]:
    """Three numbers, from any sequence; works without NumPy."""
    numbers = [float(x) for x in values]
    if len(numbers) != 3:
        raise ValueError(f"{what}: 3 numbers are wanted, not {len(numbers)}")
    return numbers[0], numbers[1], numbers[2]


def contact_array(block: Any) -> Any:
    """Contacts as a structured array: a view of the block, which holds their copy."""
    if numpy is None:
        need("contacts")
    return _frombuffer(block, CONTACT_DTYPE)
