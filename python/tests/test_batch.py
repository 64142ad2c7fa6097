"""Rollouts and vector environments."""

import os
import signal
import threading
import time
import unittest

import support

try:
    import numpy as np
except ImportError:
    pass
import tact


class Rollouts(unittest.TestCase):
    def test_the_same_bits_for_any_number_of_threads(self):
        model = tact.Model.from_path(support.SCENES / "hand.xml")
        q = np.tile(model.keyframe()[0], (9, 1)) + np.linspace(0, 0.01, 9)[:, None]
        ctrl = np.random.default_rng(2).uniform(0, 0.2, (9, 40, model.nu))
        one = tact.rollout(model, q, None, ctrl, threads=1)
        for threads in (2, 3, 8):
            other = tact.rollout(model, q, None, ctrl, threads=threads)
            self.assertEqual(other.qpos.tobytes(), one.qpos.tobytes())
            self.assertEqual(other.worlds, one.worlds)
        sim = tact.Sim(model)
        sim.qpos = q[4]
        for u in ctrl[4]:
            sim.ctrl = u
            sim.step()
        self.assertEqual(one.qpos[4, -1].tobytes(), sim.qpos.tobytes())
        self.assertEqual(one.worlds[4].hash, sim.report.hash)

    def test_parameters_of_each_world(self):
        model = tact.Model.from_string(support.CUBE)
        mu = np.array([0.1, 0.2, 0.3])
        result = tact.rollout(
            model, qvel=[1, 0, 0, 0, 0, 0], worlds=3, steps=20, every=20,
            parameters={"geom/floor/friction": mu, "geom/side/friction": mu},
        )
        self.assertTrue(np.allclose(result.qvel[:, 0, 0], 1 - mu * 9.81 * 0.04, atol=1e-9))
        self.assertEqual(result.qpos.shape, (3, 1, 7))
        self.assertEqual(result.sensors.shape, (3, 1, 3))

    def test_ctrl_c_ends_it(self):
        model = tact.Model.from_path(support.SCENES / "hand.xml")
        for call in (
            lambda: tact.rollout(model, worlds=2, steps=100_000_000, every=100_000_000, threads=2),
            lambda: tact.Sim(model).step(100_000_000),
        ):
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            start = time.monotonic()
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                call()
            self.assertLess(time.monotonic() - start, 20)


class Environments(unittest.TestCase):
    MODEL = """<mujoco><option timestep="0.01"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="2"/></body></worldbody><actuator><motor joint="x"/></actuator></mujoco>"""

    def test_newton_in_every_world(self):
        env = tact.VectorEnv(tact.Model.from_string(self.MODEL), 3, steps=5, reward=lambda o, a: o[:, 1])
        env.reset()
        observation, reward, terminated, truncated, info = env.step([[2.0], [0.0], [-4.0]])
        self.assertTrue(np.allclose(observation[:, 1], [0.05, 0, -0.1], atol=1e-15))
        self.assertTrue((reward == observation[:, 1]).all())
        self.assertFalse(terminated.any() or truncated.any())
        self.assertTrue(info["certified"].all())

    def test_worlds_that_ended_begin_again(self):
        env = tact.VectorEnv(
            tact.Model.from_string(self.MODEL), 2, horizon=3,
            start=lambda random: ([random.uniform(0, 1)], [0.0]),
            terminated=lambda o, a: o[:, 1] > 0.015,
        )
        first, _ = env.reset(seed=5)
        again, _ = env.reset(seed=5)
        self.assertEqual(first.tobytes(), again.tobytes())
        env.step([[2.0], [0.0]])
        _, _, terminated, truncated, _ = env.step([[2.0], [0.0]])  # 0.02 m/s
        self.assertEqual(terminated.tolist(), [True, False])
        observation, reward, terminated, truncated, _ = env.step([[2.0], [0.0]])
        self.assertEqual(observation[0, 1], 0)  # it stands at its start: the action was not for it
        self.assertEqual(truncated.tolist(), [False, True])


if __name__ == "__main__":
    support.main()
