"""Without NumPy the package is imported and steps; what needs arrays says so."""

import subprocess
import sys
import unittest

import support

CODE = """
import sys
sys.modules["numpy"] = None
import tact
model = tact.Model.from_string(sys.argv[1])
assert model.body("cube").mass == 1.0 and model.to_dict()
sim = tact.Sim(model)
sim.set("geom/side/friction", 0.7)
sim.apply_force("cube", (0, 0, 1))
sim.step(10)
assert sim.report.solved and sim.energy.potential > 0 and sim.explain(0)
snapshot = sim.snapshot()
sim.restore(snapshot)
for call in (lambda: sim.qpos, lambda: sim.contacts, lambda: sim.body("cube").pos, lambda: tact.lcp.solve([[1]], [1]),
             lambda: tact.rollout(model, steps=1)):
    try:
        call()
    except ImportError as error:
        assert "python3-numpy" in str(error), error
    else:
        raise AssertionError("no ImportError")
print("fine")
"""


class Without(unittest.TestCase):
    def test_the_package_works_without(self):
        done = subprocess.run([sys.executable, "-c", CODE, support.CUBE], capture_output=True, text=True)
        self.assertEqual(done.stdout, "fine\n", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
