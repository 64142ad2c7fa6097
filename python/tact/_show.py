"""Looking at a simulation: one page, in a notebook, in the browser."""

from __future__ import annotations

import base64
import html as _html
import importlib.resources
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from ._arrays import need

if TYPE_CHECKING:
    from ._model import Model
    from ._sim import Sim

_MARK = 'id="recording">'
_FILE_HEAD = _BLOCK_HEAD = 16


def _pack(file: bytes) -> bytes:
    """As the page unpacks it: frames as differences to the one before, byte planes, deflated
    (docs/guide/recordings.md has the blocks)."""
    np = need("a page")
    out = bytearray(file)
    before = np.zeros(0, "<u4")
    at = _FILE_HEAD
    while len(file) - at >= _BLOCK_HEAD:
        length = int.from_bytes(file[at + 8 : at + 16], "little")
        start = at + _BLOCK_HEAD
        if length > len(file) - start:
            break
        if file[at : at + 4] == b"fram":
            words = np.frombuffer(file, "<u4", length // 4, start)
            change = words.copy()
            known = min(len(words), len(before))
            change[:known] -= before[:known]
            planes = change.view("u1").reshape(-1, 4).T
            out[start : start + 4 * len(words)] = planes.tobytes()
            before = words
        at = start + (length + 7) // 8 * 8
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, 9)  # without head and checksum
    return squeeze.compress(bytes(out)) + squeeze.flush()


def page() -> str:
    """The viewer's page; UnsupportedError if it was not built."""
    from . import UnsupportedError

    file = importlib.resources.files("tact").joinpath("page.html")
    if not file.is_file():
        raise UnsupportedError("this package was built without the page of the viewer (Node was not there)")
    return file.read_text(encoding="utf-8")


def html(sim: Sim, recording: Optional[str]) -> str:
    """The page with a recording inside; without one, with the scene as it is now."""
    text = page()
    if recording is None:
        with tempfile.TemporaryDirectory() as folder:
            recording = os.path.join(folder, "now.tact")
            sim._record_now(recording, sim.model._source[0])
            return html(sim, recording)
    head, mark, tail = text.partition(_MARK)
    if not mark:
        raise ValueError("the page has no place for a recording")
    return head + mark + base64.b64encode(_pack(Path(recording).read_bytes())).decode("ascii") + tail


def notebook(sim: Sim) -> str:
    """The scene as it is now, as notebooks show it."""
    return frame(html(sim, None))


def frame(page: str) -> str:
    """A page in a frame of its own, as notebooks show it."""
    inside = _html.escape(page, quote=True)
    return f'<iframe srcdoc="{inside}" width="100%" height="480" style="border:0"></iframe>'


def program() -> str:
    """The program `tact`: that of the package, else the one that the shell would find."""
    own = importlib.resources.files("tact").joinpath("bin", "tact")  # of a wheel
    found = str(own) if own.is_file() else shutil.which("tact")
    if not found:
        from . import UnsupportedError

        raise UnsupportedError("the program `tact` is neither in the package nor in the PATH")
    return found


def live(model: Model, wait: bool) -> Any:
    """`tact view` of the model's file in a process of its own."""
    name, text = model._source
    if text is not None:
        handle, path = tempfile.mkstemp(suffix=".xml", dir=os.path.dirname(name) or None)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        name = path
    process = subprocess.Popen([program(), "view", name], stdout=sys.stderr)
    if wait:
        process.wait()
    return process
