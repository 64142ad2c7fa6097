"""What the tests share. A test without NumPy says 'skipped' and ends with status 77."""

from __future__ import annotations

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("TACT_SOURCE", Path(__file__).parents[2]))
SCENES = ROOT / "scenes"

CUBE = """<mujoco model="cube"><option timestep="0.002"/><worldbody>
  <geom name="floor" type="plane" size="1 1 1" friction="0.5"/>
  <body name="cube" pos="0 0 0.1"><freejoint name="free"/>
    <geom name="side" type="box" size="0.1 0.1 0.1" mass="1" friction="0.5"/>
    <site name="top" pos="0 0 0.1"/></body>
</worldbody><sensor><framepos name="where" objtype="body" objname="cube"/></sensor>
<keyframe><key name="high" qpos="0 0 1 1 0 0 0"/></keyframe></mujoco>"""


def main() -> None:
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: NumPy is not installed (Debian: python3-numpy)")
        sys.exit(77)
    unittest.main(verbosity=2)
