"""Your simulator's contact problem: you have M, v, tau and the Jacobians, tact the impulses.

Here a bead of 2 kg in the plane, thrown along a floor: M (v+ - v) = h tau + J' p."""

import tact

M = [[2, 0, 0], [0, 2, 0], [0, 0, 2]]
J = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]  # rows: normal, tangent 1, tangent 2
problem = tact.contact.Problem(
    step=0.01, M=M, v=[1, 0.5, 0], tau=[0, 0, -2 * 9.81], contacts=[{"J": J, "mu": 0.5}]
)
answer = problem.solve(cone="circle")  # the true Coulomb cone
p, v = answer.impulse[0], answer.velocity
print(f"{answer.report.outcome}: impulse {p[0]:.6f} {p[1]:.6f} {p[2]:.6f} N s")
print(f"velocity after the step: {v[0]:.6f} {v[1]:.6f} {v[2] + 0.0:.6f} m/s")
print("error below 1e-10:", "yes" if problem.certify(answer).error < 1e-10 else "no")
