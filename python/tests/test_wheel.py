"""The wheel is built without a network, installed into a fresh environment, and works there."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

CODE = """
import tact, sys
assert sys.prefix in tact.__file__, tact.__file__
sim = tact.Sim(tact.Model.from_string(sys.argv[1]))
sim.step(10)
print(len(sim.contacts), sim.report.solved)
"""


def run(*words: object) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LD_PRELOAD")}
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


class Wheel(unittest.TestCase):
    def test_it_installs_and_runs(self):
        if os.environ.get("TACT_SANITIZED"):
            self.skipTest("a sanitized build is not for wheels")
        build = os.environ["TACT_BUILD"]
        with tempfile.TemporaryDirectory() as folder:
            wheel = run(sys.executable, support.ROOT / "tools/make-wheel", build, folder).strip()
            again = run(sys.executable, support.ROOT / "tools/make-wheel", build, Path(folder, "again")).strip()
            self.assertEqual(Path(wheel).read_bytes(), Path(again).read_bytes())
            place = Path(folder, "venv")
            run(sys.executable, "-m", "venv", "--system-site-packages", place)
            run(place / "bin/python", "-m", "pip", "install", "--no-index", "--quiet", wheel)
            self.assertEqual(run(place / "bin/python", "-c", CODE, support.CUBE), "4 True\n")
            if Path(build, "tact").is_file():
                self.assertIn("tact", run(place / "bin/tact", "--version"))
                self.assertIn("tact", run(place / "bin/python", "-m", "tact", "--version"))


if __name__ == "__main__":
    support.main()
