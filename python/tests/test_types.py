"""mypy --strict finds nothing wrong in the package and in the examples."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import support


class Types(unittest.TestCase):
    def test_strict(self):
        examples = sorted((support.ROOT / "examples").glob("*/*.py"))
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(
                ["mypy", "--strict", "--ignore-missing-imports", "--python-executable", sys.executable, "--cache-dir", cache, "-p", "tact"],
                capture_output=True, text=True, cwd=support.ROOT / "python",
            )
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for example in examples:
                done = subprocess.run(
                    ["mypy", "--strict", "--ignore-missing-imports", "--python-executable", sys.executable, "--cache-dir", cache, str(example)],
                    capture_output=True, text=True, env=dict(os.environ, MYPYPATH=str(support.ROOT / "python")),
                )
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    if not shutil.which("mypy"):
        print("skipped: mypy is not installed (Debian: mypy)")
        sys.exit(77)
    unittest.main(verbosity=2)
