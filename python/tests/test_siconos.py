"""Siconos reads the files that tact writes: it prints each again, and tact compares. It says 'skipped' where Siconos is
not installed (Debian: libsiconos-numerics6). Siconos ends the process where a file is wrong, so it runs in one of its own."""

import ctypes.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support
import tact

# Reads argv[2] as a problem of kind argv[1] and prints it to argv[3].
AGAIN = """
import ctypes, ctypes.util, sys
siconos = ctypes.CDLL(ctypes.util.find_library("siconos_numerics"))
libc = ctypes.CDLL(None)
kind, source, target = sys.argv[1], sys.argv[2].encode(), sys.argv[3].encode()
pointer = ctypes.c_void_p
def function(name, *arguments, result=ctypes.c_int):
    f = getattr(siconos, name)
    f.restype, f.argtypes = result, arguments
    return f
if kind.endswith("inearComplementarity"):
    maker = "newLCP" if kind[0] == "l" else "mixedLinearComplementarity_new"
    problem = function(maker, result=pointer)()
    function(kind + "_newFromFilename", pointer, ctypes.c_char_p)(problem, source)
else:
    problem = function(kind + "_new_from_filename", ctypes.c_char_p, result=pointer)(source)
libc.fopen.restype = pointer
file = libc.fopen(target, b"w")
function(kind + "_printInFile", pointer, pointer)(problem, pointer(file))
libc.fclose(pointer(file))
"""

BODIES = [
    dict(mass=2, inertia=(0.008, 0.009, 0.01, 0.001, 0, 0), position=(0, 0, 0.1), force=(0, 0, -19.62), velocity=(1 / 3, 0, 0)),
    dict(mass=1, inertia=(0.004, 0.004, 0.004, 0, 0, 0), position=(0, 0, 0.3), force=(0, 0, -9.81), omega=(1, -2, 0)),
]
CONTACTS = [
    dict(a=-1, b=0, point=(0.01, 0, 0), normal=(0, 0, 1), mu=0.5),
    dict(a=0, b=1, point=(0, 0, 0.2), normal=(0, 0, 1), mu=0.4),
]


@unittest.skipUnless(ctypes.util.find_library("siconos_numerics"), "skipped: Siconos is not installed")
class Siconos(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def again(self, kind, source):
        target = self.path / "again.dat"
        run = subprocess.run([sys.executable, "-c", AGAIN, kind, source, target], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return target

    def compare(self, one, two, digits=1e-15):
        import numpy as np

        for name in ("M", "q", "lo", "W", "u_free", "tau", "J", "v"):
            x, y = getattr(one, name, None), getattr(two, name, None)
            self.assertEqual(x is None, y is None, name)
            if x is not None and np.size(x):
                x, y = np.asarray(x, float), np.asarray(y, float)
                self.assertEqual(x.shape, y.shape, name)
                finite = np.isfinite(x)
                self.assertTrue((finite == np.isfinite(y)).all())
                self.assertLessEqual(np.abs(x[finite] - y[finite]).max(initial=0), digits * np.abs(x[finite]).max(initial=0), name)

    def test_lcp(self):
        M, q = [[2, 1, 1 / 3], [1, 2, 0], [0.1, 0, 3]], [-5, -6, 0.7]
        source = self.path / "lcp.dat"
        tact.lcp.write(source, M, q)
        self.compare(tact.lcp.read(source), tact.lcp.read(self.again("linearComplementarity", source)))

    def test_mixed_lcp(self):
        inf = float("inf")
        M, q = [[2, 1, 1 / 3], [1, 2, 0], [0.1, 0, 3]], [-5, -6, 0.7]
        source = self.path / "mlcp.dat"
        tact.lcp.write(source, M, q, [0, -inf, 0], [inf, inf, inf])
        first = tact.lcp.read(source)
        self.assertEqual(first.lo.tolist(), [-inf, 0, 0])  # free ones first
        self.compare(first, tact.lcp.read(self.again("mixedLinearComplementarity", source)))

    def test_local_friction(self):
        W = [[2, 0.1, 0, 0.3, 0, 0], [0.1, 1, 0, 0, 0, 0], [0, 0, 1 / 3, 0, 0, 0], [0.3, 0, 0, 2, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
        problem = tact.contact.Problem(step=1, W=W, u_free=[-1, 0.1, 0, -0.7, 0, 0.2], contacts=[dict(mu=0.5), dict(mu=0.3)])
        source = self.path / "local.dat"
        problem.write(source)
        back = tact.contact.Problem.read(self.again("frictionContact", source))
        self.assertEqual(back.format, "Siconos friction, sparse block")
        self.compare(problem.arrays, back.arrays)
        self.assertEqual([c["mu"] for c in back.to_dict()["contacts"]], [0.5, 0.3])

    def test_global_friction(self):
        source = self.path / "global.dat"
        tact.contact.Problem(step=0.01, bodies=BODIES, contacts=CONTACTS).write(source)
        back = tact.contact.Problem.read(self.again("globalFrictionContact", source))
        self.assertEqual(back.format, "Siconos global friction, sparse")
        self.compare(tact.contact.Problem.read(source).arrays, back.arrays, digits=1e-5)  # Siconos prints six

    def test_rolling_friction(self):
        rolling = [CONTACTS[0], dict(CONTACTS[1], mu_roll=0.002)]
        source = self.path / "rolling.dat"
        problem = tact.contact.Problem(step=0.01, bodies=BODIES, contacts=rolling)
        problem.write(source)
        first = tact.contact.Problem.read(source)
        back = tact.contact.Problem.read(self.again("globalRollingFrictionContact", source))
        self.compare(first.arrays, back.arrays, digits=1e-5)
        answer, again = problem.solve(cone="circle"), first.solve(cone="circle")
        self.assertTrue(answer.solved and again.solved)
        self.assertLess(abs(answer.impulse - again.impulse).max() + abs(answer.moment - again.moment).max(), 1e-9)


if __name__ == "__main__":
    support.main()
