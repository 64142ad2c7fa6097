"""Warm start in a loop: contacts that keep their ids start from the last answer."""

import tact

corners = [
    {"a": -1, "b": 0, "point": (x, y, -0.1), "normal": (0, 0, 1), "mu": 0.5, "id": i + 1}
    for i, (y, x) in enumerate([(-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)])
]  # the same corner, the same id
solver = tact.contact.Solver(method="reduced")
for step in range(4):
    if step == 3:
        solver.forget()  # as if it were the first
    block = {"mass": 1, "inertia": (0.1, 0.1, 0.1, 0, 0, 0), "force": (1 + 0.1 * step, 0, -9.81)}
    answer = solver.solve(tact.contact.Problem(step=0.01, bodies=[block], contacts=corners))
    print(f"step {step}: {answer.report.outcome} in {answer.report.pivots} pivots{', cold again' if step == 3 else ''}")
