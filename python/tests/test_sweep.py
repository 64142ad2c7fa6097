"""Sweeps: the same bytes on threads, in processes and from the program; columns as arrays."""

import tempfile
import unittest
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import support

try:
    import numpy as np
except ImportError:
    pass
import tact



def pinch(trials=30):
    return {
        "scene": str(support.SCENES / "pinch.xml"),
        "vary": {
            "mu": {"path": ["geom/left/friction", "geom/right/friction", "geom/capsule/friction"], "uniform": [0.01, 0.1]},
            "force": {"path": ["ctrl/left", "ctrl/right"], "uniform": [1, 6]},
        },
        "trials": trials,
        "seed": 4,
        "time": 0.05,
        "stop": [{"outcome": "slipped", "moved": "capsule", "above": 1e-4}],
        "measure": {"z": "/bodies/capsule/pos/2"},
    }


class Sweeps(unittest.TestCase):
    def test_threads_and_executors_make_the_same_table(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{i}.csv" for i in range(4)]
            one = tact.sweep(pinch(), paths[0], threads=1)
            tact.sweep(pinch(), paths[1], threads=3)
            with ThreadPoolExecutor(3) as pool:
                tact.sweep(pinch(), paths[2], executor=pool, piece=4)
            with ProcessPoolExecutor(2) as pool:
                other = tact.sweep(pinch(), paths[3], executor=pool, piece=7)
            for path in paths[1:]:
                self.assertEqual(path.read_bytes(), paths[0].read_bytes())
            self.assertEqual((len(one), one.made, other.made), (30, 30, 30))
            again = tact.sweep(pinch(), paths[2])
            self.assertEqual((again.made, len(again)), (0, 30))
            counts = {name: share.count for name, share in one.shares.items()}
            self.assertEqual(sum(counts.values()), 30)
            self.assertTrue(counts["held"] > 0 and counts["slipped"] > 0 and counts["failed"] == 0)

    def test_columns(self):
        result = tact.sweep(pinch(8))
        self.assertIsNone(result.table)
        self.assertEqual(result.varied, ["mu", "force"])
        self.assertEqual(result.measured, ["z"])
        self.assertEqual(result["trial"].tolist(), list(range(8)))
        self.assertTrue(np.all((result["mu"] > 0.01) & (result["mu"] < 0.1)))
        self.assertEqual(set(result["outcome"]) - {"held", "slipped"}, set())
        with self.assertRaisesRegex(KeyError, "no column is called 'mass'"):
            result["mass"]

    def test_a_squat_slides_where_coulomb_says(self):
        # On a floor with friction mu the robot holds as long as gravity along it is below mu times that
        # across; the squat's own motion adds accelerations of a few percent in between.
        result = tact.sweep(support.ROOT / "examples" / "sweeps" / "squat.json")
        ratio = result["along"] / (0.7 * result["friction"] * 9.81)
        slid = np.array([word == "slid" for word in result["outcome"]])
        self.assertTrue(np.all(slid[ratio > 1.05]))
        self.assertFalse(np.any(slid[ratio < 0.9]))
        self.assertTrue(slid.any() and not slid.all())

    def test_misuse(self):
        with self.assertRaisesRegex(tact.InputError, "vary.geom/cup/friction"):
            tact.sweep({**pinch(), "vary": {"geom/cup/friction": [1]}})
        with self.assertRaisesRegex(tact.InputError, "trials: is missing"):
            tact.sweep({key: value for key, value in pinch().items() if key != "trials"})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "other.csv"
            path.write_text("a,b\n")
            with self.assertRaisesRegex(tact.InputError, "other.csv"):
                tact.sweep(pinch(), path)
            with ThreadPoolExecutor(1) as pool, self.assertRaisesRegex(tact.InputError, "other.csv"):
                tact.sweep(pinch(), path, executor=pool)
            self.assertEqual(path.read_text(), "a,b\n")


if __name__ == "__main__":
    support.main()
