"""Worlds in batches: tact.Batch."""

import unittest

import support

try:
    import numpy as np
except ImportError:
    pass
import tact


class Worlds(unittest.TestCase):
    def test_each_world_steps_as_a_simulation(self):
        model = tact.Model.from_string(support.CUBE)
        batch = tact.Batch(model, 3, threads=2)
        v = np.zeros((3, model.nv))
        v[:, 0] = [0.5, 1.0, 2.0]
        batch.send(qvel=v)
        report = batch.step(30)
        q, after = batch.fetch()
        self.assertEqual(report.steps, 90)
        self.assertEqual(report.uncertified, 0)
        self.assertEqual(report.handed_over, 0)
        for i in range(3):
            sim = tact.Sim(model)
            sim.qvel = v[i]
            sim.step(30)
            self.assertEqual(q[i].tobytes(), sim.qpos.tobytes())
            self.assertEqual(after[i].tobytes(), sim.qvel.tobytes())

    def test_a_world_goes_on_as_a_simulation(self):
        model = tact.Model.from_string(support.CUBE)
        batch = tact.Batch(model, 3, cone="pyramid")
        v = np.zeros((3, model.nv))
        v[:, 0] = [0.5, 1.0, 2.0]
        batch.send(qvel=v)
        sim = batch.sim(2)
        batch.step(20)
        sim.step(20)
        self.assertEqual(batch.fetch()[0][2].tobytes(), sim.qpos.tobytes())
        self.assertEqual(len(batch.contacts(2)), 4)
        with self.assertRaisesRegex(ValueError, "no world 3 among 3"):
            batch.sim(3)

    def test_arrays_of_the_device_are_shared(self):
        model = tact.Model.from_string(support.CUBE)
        batch = tact.Batch(model, 2)
        self.assertEqual(batch.qpos.__dlpack_device__(), (1, 0))
        self.assertEqual(batch.qpos.shape, (2, model.nq))
        shared = np.from_dlpack(batch.qpos)
        self.assertEqual(shared.shape, (2, model.nq))
        before = shared.copy()
        batch.step(5)
        self.assertEqual(shared.tobytes(), batch.fetch()[0].tobytes())
        batch.reset([False, True])
        self.assertEqual(shared[1].tobytes(), before[1].tobytes())
        del batch  # the array keeps its worlds alive
        self.assertEqual(shared[1].tobytes(), before[1].tobytes())

    def test_each_world_has_its_own_parameters(self):
        model = tact.Model.from_string(support.CUBE)
        batch = tact.Batch(model, 3)
        gravity = np.zeros((3, 3))
        gravity[:, 2] = [-1.0, -5.0, -10.0]
        batch.set("gravity", gravity)
        batch.set("body/1/mass", [1.0, 2.0, 3.0])
        batch.step(20)
        q, _ = batch.fetch()
        for i in range(3):
            sim = tact.Sim(model)
            sim.set("gravity", gravity[i])
            sim.set("body/1/mass", 1.0 + i)
            sim.step(20)
            self.assertEqual(q[i].tobytes(), sim.qpos.tobytes())
        with self.assertRaises(ValueError):
            batch.set("body/1/mass", [1.0])
        with self.assertRaises(tact.ArgumentError):
            batch.set("body/1/colour", [1.0, 2.0, 3.0])

    def test_sensors_are_those_of_a_simulation(self):
        model = tact.Model.from_string(
            """<mujoco><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 0.1"><freejoint/>
            <geom size="0.1" mass="1"/><site name="s" size="0.2"/></body></worldbody><sensor>
            <touch site="s"/><accelerometer site="s"/><framepos objtype="site" objname="s"/><clock/></sensor></mujoco>"""
        )
        batch = tact.Batch(model, 2, sensors=True)
        shared = np.from_dlpack(batch.sensordata)
        self.assertEqual(shared.shape, (2, 8))
        self.assertEqual(shared[0, 6], 0.1)
        self.assertEqual(shared[0, 0], 0)
        sim = tact.Sim(model)
        batch.step(20)
        sim.step(20)
        self.assertEqual(batch.fetch_sensors()[1].tobytes(), np.asarray(sim.sensors).tobytes())
        self.assertEqual(shared.tobytes(), batch.fetch_sensors().tobytes())
        self.assertAlmostEqual(shared[1, 0], 9.81, places=9)
        with self.assertRaises(ValueError):
            tact.Batch(model, 2).sensordata
        with self.assertRaises(tact.ArgumentError):
            tact.Batch(model, 2).fetch_sensors()

    def test_what_is_wrong_is_said(self):
        model = tact.Model.from_string(support.CUBE)
        with self.assertRaises(tact.ArgumentError):
            tact.Batch(model, 0)
        with self.assertRaises(tact.TactError):
            tact.Batch(model, 1, device="abacus")
        batch = tact.Batch(model, 2)
        with self.assertRaises(ValueError):
            batch.reset([True])
        with self.assertRaises(ValueError):
            batch.send(qpos=[1.0, 2.0])


if __name__ == "__main__":
    unittest.main()
