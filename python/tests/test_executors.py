"""Trials of a sweep by executors of others: MPI's ranks through mpi4py, workers of Dask. Each test says 'skipped' where
its package is not installed (Debian: python3-mpi4py, python3-distributed)."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support
import tact

SWEEP = """
import tact
SWEEP = {{
    "scene": {scene!r}, "trials": 40, "seed": 4, "time": 0.05,
    "vary": {{"mu": {{"path": ["geom/left/friction", "geom/right/friction", "geom/capsule/friction"], "uniform": [0.01, 0.1]}}}},
    "stop": [{{"outcome": "slipped", "moved": "capsule", "above": 1e-4}}],
    "measure": {{"z": "/bodies/capsule/pos/2"}},
}}
"""

MPI = """
import sys
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        result = tact.sweep(SWEEP, sys.argv[1], executor=pool, piece=3)
        ranks = sorted(set(pool.map(rank, range(200), chunksize=1)))
    print("made", result.made, "by ranks", *ranks)
"""

DASK = """
import os, sys
import dask
from distributed import Client, LocalCluster

if __name__ == "__main__":
    dask.config.set({"distributed.worker.daemon": True})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        executor = client if sys.argv[2] == "client" else client.get_executor()
        result = tact.sweep(SWEEP, sys.argv[1], executor=executor, piece=3)
        workers = set(client.run(os.getpid).values())
    print("made", result.made, "workers", len(workers - {os.getpid()}))
"""


def has(*modules):
    return all(importlib.util.find_spec(name) for name in modules)


class Executors(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.head = SWEEP.format(scene=str(support.SCENES / "pinch.xml"))
        space = {}
        exec(self.head, space)
        tact.sweep(space["SWEEP"], self.path / "threads.csv")

    def run_script(self, body, *before, after=()):
        script = self.path / "script.py"
        script.write_text(self.head + body)
        done = subprocess.run(
            [*before, str(script), str(self.path / "table.csv"), *after],
            capture_output=True, text=True, timeout=300, cwd=self.path,
            env=dict(os.environ, OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none"),
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((self.path / "table.csv").read_bytes(), (self.path / "threads.csv").read_bytes())
        return done.stdout

    @unittest.skipUnless(has("mpi4py") and shutil.which("mpirun"), "skipped: there is no mpi4py, or no mpirun")
    def test_ranks_of_mpi(self):
        root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        rank = "\ndef rank(_):\n    from mpi4py import MPI\n    return MPI.COMM_WORLD.Get_rank()\n"
        told = self.run_script(
            rank + MPI, "mpirun", *root, "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures"
        )
        self.assertIn("made 40", told)
        self.assertRegex(told, "by ranks [12]")  # of 3, one of which hands out

    @unittest.skipUnless(has("distributed"), "skipped: there is no distributed")
    def test_workers_of_dask(self):
        for how in ("client", "executor"):
            told = self.run_script(DASK, sys.executable, after=[how])
            self.assertIn("made 40 workers 2", told)
            (self.path / "table.csv").unlink()
            (self.path / "table.csv.sweep").unlink()


if __name__ == "__main__":
    support.main()
