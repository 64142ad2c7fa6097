"""The scripts that teach say what is true."""

import os
import re
import subprocess
import sys
import unittest

import support


def run(name: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(support.ROOT / "examples/teach" / name), *words],
        capture_output=True, text=True, cwd=support.ROOT, env=dict(os.environ),
    )
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout


class Teach(unittest.TestCase):
    def numbers(self, text: str, start: str) -> list[float]:
        line = next(line for line in text.splitlines() if line.startswith(start))
        return [float(x) for x in re.findall(r"-?\d+\.\d+", line)]

    def test_friction_cone(self):
        text = run("friction_cone.py")
        self.assertEqual(self.numbers(text, "circle"), [1, 1, 1, 1])
        # a pyramid of d directions holds 1 / (cos + tan(pi/d) sin) of it: at 45 degrees cos 45 for 4
        self.assertEqual(self.numbers(text, "pyramid of 4"), [1, 0.816, 0.732, 0.707])
        self.assertEqual(self.numbers(text, "friction box"), [1, 1.035, 1.155, 1.414])

    def test_grasp(self):
        text = run("grasp_slips.py")
        sinks = {float(m[0]): float(m[1]) for m in re.findall(r"friction (\S+): the ball sinks +(\S+) mm", text)}
        self.assertEqual(sinks[0.8], 0)
        self.assertGreater(sinks[0.1], 100)
        self.assertIn("slides at", text)

    def test_squat(self):
        text = run("squat.py")
        self.assertRegex(text, r"2000 of 2000 contact problems proven")
        rest = float(re.search(r"carries (\d+) N", text)[1])
        mean = float(re.search(r"mean (\S+) N", text)[1])
        self.assertAlmostEqual(mean, rest, delta=1)

    def test_compare(self):
        text = run("compare_solvers.py")
        self.assertGreaterEqual(len(re.findall(r"\bsolved\b", text)), 8)

    def test_identify(self):
        text = run("identify_friction.py")
        self.assertAlmostEqual(float(re.search(r"refined: (\S+);", text)[1]), 0.437, delta=0.002)


if __name__ == "__main__":
    support.main()
