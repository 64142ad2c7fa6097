"""Misuse raises; nothing crashes."""

import gc
import threading
import unittest

import support

try:
    import numpy as np
except ImportError:
    pass
import tact


def cube(**options):
    return tact.Sim(tact.Model.from_string(support.CUBE), **options)


class Misuse(unittest.TestCase):
    def test_wrong_shapes(self):
        sim = cube()
        for bad in ([1, 2], np.zeros((7, 2)), "text"):
            with self.assertRaises((ValueError, TypeError)):
                sim.qpos = bad
        model = sim.model
        with self.assertRaisesRegex(ValueError, "qpos: 7 numbers are wanted, not 3"):
            tact.dynamics.at(model, [1, 2, 3])
        with self.assertRaises(ValueError):
            tact.rollout(model, np.zeros((2, 6)), steps=1)
        with self.assertRaises(ValueError):
            tact.rollout(model, np.zeros((2, 7)), np.zeros((3, 6)), steps=1)
        with self.assertRaises(ValueError):
            tact.lcp.solve(np.eye(3), [1, 2])
        with self.assertRaises(ValueError):
            tact.contact.Problem(M=np.eye(2), contacts=[dict(J=np.zeros((3, 3)))])
        with self.assertRaises(ValueError):
            sim.apply_force("cube", [1, 2])

    def test_numbers_that_are_none(self):
        sim = cube()
        sim.qpos[0] = np.nan
        with self.assertRaisesRegex(tact.InputError, "free"):
            sim.step()
        sim.reset()
        sim.step()
        with self.assertRaises(tact.InputError):
            sim.set("body/cube/mass", float("nan"))
        with self.assertRaises(tact.InputError):
            tact.lcp.solve([[float("nan")]], [1])
        with self.assertRaises(tact.TactError):
            sim.apply_force("cube", [float("inf"), 0, 0])
        with self.assertRaises(tact.InputError):
            tact.rollout(sim.model, np.full((2, 7), np.nan), steps=3)
        with self.assertRaises(tact.InputError):
            tact.contact.Problem(bodies=[dict(mass=-1)])

    def test_sparse_matrices_that_cannot_be(self):
        class Rows:
            def __init__(self, indptr, indices):
                self.indptr, self.indices, self.data = indptr, indices, [1.0, 1.0]

            def tocsr(self):
                return self

            def sort_indices(self):
                pass

        for indptr, indices in (([0, 1000000, 2], [0, 1]), ([0, -5, 2], [0, 1]), ([0, 1, 2], [0, 77]), ([2, 1, 2], [0, 1]), ([0, 2], [0, 1])):
            with self.assertRaises(ValueError):
                tact.lcp.solve(Rows(indptr, indices), [-1.0, -1.0], method="pgs")

    def test_models_with_nothing_in_them(self):
        for text in ("<mujoco/>", '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>'):
            model = tact.Model.from_string(text)
            sim = tact.Sim(model)
            sim.step(3)
            self.assertEqual((sim.qpos.shape, sim.contacts.shape, sim.render(8, 6).shape), ((0,), (0,), (6, 8, 3)))
            self.assertEqual(tact.dynamics.at(model).M.shape, (0, 0))
            self.assertEqual(tact.rollout(model, worlds=3, steps=2).qpos.shape, (3, 2, 0))
            self.assertEqual(tact.rollout(model, worlds=0, steps=2).qpos.shape, (0, 2, 0))
            self.assertEqual(tact.VectorEnv(model, 2).step(None)[0].shape, (2, 0))
        self.assertTrue(tact.lcp.solve(np.zeros((0, 0)), np.zeros(0)).solved)

    def test_types_that_do_not_fit(self):
        for call in (
            lambda: tact.Sim("model"),
            lambda: tact.Sim(None),
            lambda: cube().step("x"),
            lambda: cube().step(1.5),
            lambda: cube(timestep="long"),
            lambda: cube(method=3),
            lambda: cube(callback=7),
            lambda: tact.contact.Solver().solve("problem"),
            lambda: tact.contact.Problem(contacts=[dict(normal=3)]),
            lambda: tact.rollout(None, steps=1),
            lambda: cube().restore(7),
        ):
            with self.assertRaises((TypeError, ValueError, AttributeError)):
                call()
        with self.assertRaises(ValueError):
            cube().step(-1)
        with self.assertRaises(tact.TactError):
            cube().restore(b"nonsense")
        with self.assertRaises(tact.TactError):
            cube(timestep=-1)

    def test_things_that_were_never_made(self):
        from tact import _tact

        for empty in (_tact.Model(), _tact.Sim(), _tact.Dynamics(), _tact.Problem(), _tact.Batch()):
            for name in dir(empty):
                if not name.startswith("__") and callable(getattr(type(empty), name)):
                    for arguments in ((), (0,), ("x",), (None, None), (0, 0, 0)):
                        try:
                            getattr(empty, name)(*arguments)
                        except Exception:
                            pass
        with self.assertRaises(RuntimeError):
            _tact.Sim().step()
        with self.assertRaises(RuntimeError):
            tact.Sim(_tact.Model())
        with self.assertRaises(RuntimeError):
            _tact.Sim().time
        with self.assertRaises(TypeError):
            _tact.Block()

    def test_views_outlive_their_simulation(self):
        sim = cube(keyframe="high")
        q, contacts, forces = sim.qpos, sim.contacts, sim.external
        sim.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            sim.step()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            sim.contacts
        sim.close()
        del sim
        gc.collect()
        junk = [np.ones(7) for _ in range(1000)]
        self.assertEqual(q.tolist(), [0, 0, 1, 1, 0, 0, 0])
        q[:] = 5
        forces[:] = 1
        self.assertEqual(len(contacts), 0)
        self.assertEqual(len(junk), 1000)

    def test_contacts_are_of_their_step(self):
        sim = cube()
        sim.step()
        before = sim.contacts
        kept = before.copy()
        sim.qpos[2] = 3
        sim.step(10)
        self.assertEqual(len(sim.contacts), 0)
        self.assertTrue((before == kept).all())

    def test_two_threads_do_not_step_one_simulation(self):
        sim = tact.Sim(tact.Model.from_path(support.SCENES / "hand.xml"))
        errors, done = [], []

        def run():
            for _ in range(300):
                try:
                    sim.step(3)
                    sim.contacts
                    done.append(1)
                except RuntimeError as error:
                    errors.append(str(error))

        threads = [threading.Thread(target=run) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertTrue(done)
        self.assertTrue(all("another thread" in e for e in errors))
        self.assertEqual(sim.steps % 3, 0)

    def test_threads_have_simulations_of_their_own(self):
        model = tact.Model.from_path(support.SCENES / "hand.xml")
        hashes = []

        def run():
            sim = tact.Sim(model)
            sim.step(100)
            hashes.append(sim.report.hash)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(set(hashes)), 1)

    def test_a_callback_does_not_step_or_set(self):
        said = []

        def bad(s):
            for call in (s.step, s.reset, s.close, lambda: s.set("gravity", [0, 0, 0]), lambda: s.restore(b"")):
                try:
                    call()
                except RuntimeError as error:
                    said.append(str(error))
            s.contacts, s.energy, s.poses

        sim = cube(callback=bad)
        sim.step()
        self.assertEqual(len(said), 5)

    def test_a_callback_and_its_simulation_are_collected(self):
        import weakref

        class Marker:
            pass

        marker = Marker()
        gone = weakref.ref(marker)

        def make(kept):
            sim = cube()
            sim.callback = lambda s: (sim, kept)  # a cycle
            sim.step()

        make(marker)
        del marker
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    support.main()
