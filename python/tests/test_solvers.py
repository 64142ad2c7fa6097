"""LCPs, contact problems and dynamics, judged by formulas that know no solver."""

import tempfile
import unittest
from pathlib import Path

import support

try:
    import numpy as np
except ImportError:
    pass
import tact

G = 9.81


def block(**more):
    """A block on a floor, four corners."""
    body = dict(mass=2, inertia=(0.1, 0.1, 0.1, 0, 0, 0), force=(0, 0, -2 * G), **more)
    corners = [
        dict(a=-1, b=0, point=(x, y, -0.1), normal=(0, 0, 1), mu=0.5, id=1 + 2 * i + j)
        for i, x in enumerate((-0.1, 0.1))
        for j, y in enumerate((-0.1, 0.1))
    ]
    return tact.contact.Problem(step=0.01, bodies=[body], contacts=corners)


class Lcps(unittest.TestCase):
    def test_every_method_solves_a_small_one(self):
        M, q = np.array([[2.0, 1], [1, 2]]), np.array([-5.0, -6])
        for method in tact.lcp.methods():
            result = tact.lcp.solve(M, q, method=method.name)
            self.assertTrue(result.solved, method.name)
            self.assertLess(abs(M @ result.z + q).max(), 1e-6)
            self.assertLess(tact.lcp.certify(M, q, result.z).error, 1e-6)

    def test_random_ones_are_complementary(self):
        random = np.random.default_rng(3)
        for n in (1, 3, 10, 30):
            A = random.normal(size=(n, n))
            M, q = A @ A.T + 0.1 * np.eye(n), random.normal(size=n)
            result = tact.lcp.solve(M, q)
            w = M @ result.z + q
            self.assertTrue(result.solved)
            self.assertGreaterEqual(result.z.min(), 0)
            self.assertGreater(w.min(), -1e-9)
            self.assertLess(abs(result.z * w).max(), 1e-9)

    def test_bounds_and_free_variables(self):
        result = tact.lcp.solve([[1.0]], [-5.0], [0.0], [2.0], method="dantzig")
        self.assertEqual(result.z.tolist(), [2.0])
        result = tact.lcp.solve([[2.0]], [3.0], [-np.inf], [np.inf])
        self.assertAlmostEqual(result.z[0], -1.5, delta=1e-12)

    def test_no_solution_is_an_outcome(self):
        result = tact.lcp.solve([[0.0]], [-1.0])
        self.assertFalse(result.solved)
        self.assertEqual(result.report.outcome, "ray")

    def test_files_go_both_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = str(Path(folder, "p"))
            tact.lcp.write(prefix, [[2, 1], [1, 2]], [-5, -6])
            back = tact.lcp.read(prefix + "_M.mtx", prefix + "_q.mtx")
            self.assertEqual(back.M.tolist(), [[2, 1], [1, 2]])
            self.assertTrue(back.solve().solved)
        self.assertTrue(tact.lcp.read(support.ROOT / "examples/two.dat").solve().solved)
        with self.assertRaises(tact.FileError):
            tact.lcp.read("/nowhere.dat")

    def test_an_answer_is_proven(self):
        result = tact.lcp.solve([[2, 1], [1, 2]], [-5, -6])
        try:
            proof = tact.lcp.prove([[2, 1], [1, 2]], [-5, -6], result.z)
        except tact.UnsupportedError:
            self.skipTest("built without GMP")
        self.assertTrue(proof)
        self.assertEqual(proof.kind, "rational")


class Contacts(unittest.TestCase):
    def test_weight_is_carried(self):
        answer = block().solve(cone="circle")
        self.assertTrue(answer.solved)
        self.assertAlmostEqual(answer.impulse[:, 0].sum(), 0.01 * 2 * G, delta=1e-12)
        self.assertLess(abs(answer.velocity).max(), 1e-12)

    def test_coulomb_in_every_direction(self):
        for angle in (0.0, 0.3, 1.1, 2.5):
            v = (np.cos(angle), np.sin(angle), 0)
            problem = block(velocity=v)
            answer = problem.solve(cone="circle")
            self.assertTrue(answer.solved)
            self.assertTrue(np.allclose(answer.velocity[:2], (1 - 0.5 * G * 0.01) * np.array(v[:2]), atol=1e-9))
            states = {d.state for d in problem.diagnose(answer)}
            self.assertLessEqual(states, {"slide", "open"})  # of redundant contacts some carry nothing
            self.assertIn("slide", states)

    def test_bodies_M_and_W_say_the_same(self):
        body = block(velocity=(0.3, 0, 0))
        wanted = body.solve(cone="circle").velocity
        M = np.diag([2, 2, 2, 0.1, 0.1, 0.1])
        contacts = []
        for c in body.to_dict()["contacts"]:
            x, y, z = c["point"]
            arm = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])  # velocity of the point: v + w x r
            J = np.hstack([np.eye(3), arm])
            contacts.append(dict(mu=0.5, J=J[[2, 0, 1]]))
        by_M = tact.contact.Problem(step=0.01, M=M, v=[0.3, 0, 0, 0, 0, 0], tau=[0, 0, -2 * G, 0, 0, 0], contacts=contacts)
        answer = by_M.solve(cone="circle")
        self.assertTrue(answer.solved)
        self.assertTrue(np.allclose(answer.velocity, wanted, atol=1e-10))
        J = np.vstack([c["J"] for c in contacts])
        free = np.array([0.3, 0, -G * 0.01, 0, 0, 0])
        by_W = tact.contact.Problem(W=J @ np.linalg.solve(M, J.T), u_free=J @ free, contacts=[dict(mu=0.5)] * 4)
        answer = by_W.solve(cone="circle")
        self.assertTrue(answer.solved)
        self.assertTrue(np.allclose(free + np.linalg.solve(M, J.T @ answer.impulse.reshape(-1)), wanted, atol=1e-9))

    def test_a_wrong_answer_is_not_certified(self):
        problem = block()
        answer = problem.solve()
        self.assertLess(problem.certify(answer).error, 1e-8)
        wrong = dict(impulse=answer.impulse * 1.5, velocity=answer.velocity)
        self.assertGreater(problem.certify(wrong).error, 0.1)
        self.assertFalse(problem.diagnose(answer)[0].unique)

    def test_warm_starts(self):
        solver = tact.contact.Solver(method="reduced", cone="pyramid")
        first = solver.solve(block())
        again = solver.solve(block())
        self.assertTrue(first.solved and again.solved)
        self.assertLess(again.report.pivots, first.report.pivots)
        solver.forget()
        self.assertEqual(solver.solve(block()).report.pivots, first.report.pivots)

    def test_rows_are_found_by_their_ids(self):
        def limits(order, ids):
            """Six joints, each pressed against a limit or away from it, in some order."""
            rows = [dict(kind="unilateral", J=np.eye(6)[k]) for k in order]
            for k, row in zip(order, rows):
                row.update(dict(id=2**63 + 10 + k) if ids else {})
            load = [-1, 1, -1, 1, -1, 1]
            return tact.contact.Problem(step=0.01, M=np.eye(6) + 0.1, v=np.zeros(6), tau=load, rows=rows)

        order, other = [0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]
        self.assertEqual(limits(order, True).to_dict()["rows"][1]["id"], 2**63 + 11)
        pivots = {}
        for ids in (True, False):
            solver = tact.contact.Solver(method="reduced", cone="pyramid")
            self.assertTrue(solver.solve(limits(order, ids)).solved)
            again = solver.solve(limits(other, ids))
            self.assertTrue(again.solved)
            pivots[ids] = again.report.pivots
        self.assertEqual(pivots[True], 0)
        self.assertGreater(pivots[False], 0)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "rows.json")
            limits(order, True).write(path)
            self.assertEqual(tact.contact.Problem.read(path).to_dict(), limits(order, True).to_dict())

    def test_files_and_proofs(self):
        problem = tact.contact.Problem.read(support.ROOT / "examples/slope.json")
        answer = problem.solve(cone="pyramid")
        self.assertTrue(answer.solved)
        try:
            self.assertTrue(problem.prove(answer, cone="pyramid"))
        except tact.UnsupportedError:
            pass
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "p.json")
            problem.write(path)
            back = tact.contact.Problem.read(path)
            self.assertEqual(back.to_dict(), problem.to_dict())
        with self.assertRaises(tact.TactError):
            tact.contact.Problem.read(support.ROOT / "README.md")

    def ball(self, **more):
        """A ball of 1 kg and 0.1 m that spins about the normal and rolls, and its contact with the floor."""
        body = dict(mass=1, inertia=(0.004, 0.004, 0.004, 0, 0, 0), position=(0, 0, 0.1), force=(0, 0, -G))
        spin = dict(velocity=(1, 0, 0), omega=(0, 10, 10))
        contact = dict(a=-1, b=0, point=(0, 0, 0), normal=(0, 0, 1), tangent=(1, 0, 0), mu=0.5, **more)
        return dict(body, **spin), contact

    def test_moments_brake_spinning_and_rolling(self):
        h, weight = 0.01, 0.01 * G
        body, contact = self.ball(mu_spin=0.01, mu_roll=0.002)
        problem = tact.contact.Problem(step=h, bodies=[body], contacts=[contact])
        answer = problem.solve(cone="circle")
        self.assertTrue(answer.solved)
        # it rolls without slipping (v = w r) and goes on rolling and spinning: moments at their bounds
        self.assertTrue(np.allclose(answer.moment, [[-0.01 * weight, 0, -0.002 * weight]], atol=1e-10))
        self.assertTrue(np.allclose(answer.spin[0], answer.velocity[[5, 3, 4]], atol=1e-12))
        self.assertAlmostEqual(answer.velocity[5], 10 - 0.01 * weight / 0.004, delta=1e-9)
        # about the point of contact: (I + m r^2) dw = the moment
        self.assertAlmostEqual(answer.velocity[4], 10 - 0.002 * weight / (0.004 + 0.01), delta=1e-9)
        (d,) = problem.diagnose(answer)
        self.assertAlmostEqual(d.spin_used, 1, delta=1e-9)
        self.assertAlmostEqual(d.roll_used, 1, delta=1e-9)
        self.assertAlmostEqual(d.spin, answer.velocity[5], delta=1e-9)

        certificate = problem.certify(answer)
        self.assertLess(certificate.error, 1e-8)
        wrong = dict(impulse=answer.impulse, velocity=answer.velocity, moment=2 * answer.moment)
        self.assertAlmostEqual(problem.certify(wrong).spin_excess, 0.01 * weight, delta=1e-9)
        with self.assertRaisesRegex(ValueError, "moment is missing"):
            problem.certify(dict(impulse=answer.impulse, velocity=answer.velocity))
        with self.assertRaises(tact.TactError):
            tact.contact.Problem(step=h, bodies=[body], contacts=[dict(contact, mu_spin=-1)])

    def test_moments_by_M_and_by_W(self):
        h = 0.01
        body, contact = self.ball(mu_spin=0.01, mu_roll=0.002)
        wanted = tact.contact.Problem(step=h, bodies=[body], contacts=[contact]).solve(cone="circle")
        M = np.diag([1, 1, 1, 0.004, 0.004, 0.004])
        arm = np.array([[0, -0.1, 0], [0.1, 0, 0], [0, 0, 0]])  # w x (0, 0, -0.1)
        point, angular = np.hstack([np.eye(3), arm]), np.hstack([np.zeros((3, 3)), np.eye(3)])
        J = np.vstack([point[[2, 0, 1]], angular[[2, 0, 1]]])
        v, tau = [1, 0, 0, 0, 10, 10], [0, 0, -G, 0, 0, 0]
        laws = dict(mu=0.5, mu_spin=0.01, mu_roll=0.002)
        by_M = tact.contact.Problem(step=h, M=M, v=v, tau=tau, contacts=[dict(laws, J=J)])
        answer = by_M.solve(cone="circle")
        self.assertTrue(answer.solved)
        self.assertTrue(np.allclose(answer.velocity, wanted.velocity, atol=1e-9))
        self.assertTrue((by_M.arrays.J == J).all())
        free = np.array(v) + h * np.linalg.solve(M, tau)
        by_W = tact.contact.Problem(step=h, W=J @ np.linalg.solve(M, J.T), u_free=J @ free, contacts=[laws])
        answer = by_W.solve(cone="circle")
        self.assertTrue(answer.solved)
        self.assertEqual(by_W.arrays.W.shape, (6, 6))
        self.assertTrue(np.allclose(answer.moment, wanted.moment, atol=1e-9))
        with self.assertRaisesRegex(ValueError, "contact 0: J has 18 numbers, not 6 x 6"):
            tact.contact.Problem(M=M, contacts=[dict(laws, J=J[:3])])

    def test_a_solver_goes_from_plain_contacts_to_moments(self):
        solver = tact.contact.Solver(cone="circle")
        plain, contact = self.ball()
        self.assertTrue(solver.solve(tact.contact.Problem(step=0.01, bodies=[plain], contacts=[contact] * 3)).solved)
        body, contact = self.ball(mu_spin=0.01)
        answer = solver.solve(tact.contact.Problem(step=0.01, bodies=[body], contacts=[contact]))
        self.assertTrue(answer.solved)
        self.assertAlmostEqual(answer.moment[0, 0], -0.01 * 0.01 * G, delta=1e-10)

    def test_friction_by_direction_and_by_an_ellipsoid(self):
        for law in ("separate", "ellipsoid"):
            body, contact = self.ball(mu2=0.1, friction_law=law)
            body.update(velocity=(0, 2, 0), omega=(0, 0, 0), inertia=(1e6, 1e6, 1e6, 0, 0, 0))  # it cannot roll
            problem = tact.contact.Problem(step=0.01, bodies=[body], contacts=[contact])
            answer = problem.solve(cone="circle")
            self.assertTrue(answer.solved)
            # tangent 2 is normal x tangent 1 = y: there the coefficient is 0.1 by either law
            self.assertAlmostEqual(answer.impulse[0, 2], -0.1 * 0.01 * G, delta=1e-8)
            self.assertEqual(problem.to_dict()["contacts"][0]["friction_law"], law)
        with self.assertRaises(tact.TactError):
            tact.contact.Problem(step=0.01, bodies=[body], contacts=[dict(contact, friction_law="round")])


class Dynamics(unittest.TestCase):
    def test_forward_is_the_inverse_of_inverse(self):
        model = tact.Model.from_path(support.SCENES / "hand.xml")
        random = np.random.default_rng(1)
        q, _, _ = model.keyframe()
        v, a = random.normal(size=model.nv), random.normal(size=model.nv)
        d = tact.dynamics.at(model, q, v)
        tau = d.inverse(a)
        self.assertTrue(np.allclose(d.forward(tau), a, atol=1e-9))
        self.assertTrue(np.allclose(d.M @ a + d.bias, tau, atol=1e-12))
        self.assertTrue(np.allclose(d.M, d.M.T, atol=0))
        self.assertAlmostEqual(d.kinetic, 0.5 * v @ d.M @ v, delta=1e-12)

    def test_a_jacobian_is_a_derivative(self):
        model = tact.Model.from_path(support.SCENES / "hand.xml")
        q, _, _ = model.keyframe()
        joint = model.joint("base0")
        J = tact.dynamics.at(model, q).jacobian("distal0")

        def place(x):
            sim = tact.Sim(model)
            sim.qpos[joint.q] += x
            return sim.body("distal0").pos

        slope = (place(1e-6) - place(-1e-6)) / 2e-6
        self.assertTrue(np.allclose(J[:3, joint.dof], slope, atol=1e-9))


if __name__ == "__main__":
    support.main()
