"""A humanoid's squat: what the floor must carry while prescribed joints go down and up.

The motion is prescribed; contact forces of the feet follow from it. Their sum is weight plus inertia, m (g + a)."""

import numpy as np

import tact

model = tact.Model.from_path("scenes/squat.xml")
sim = tact.Sim(model)
weight = model.mass * 9.81
print(f"{model.mass:.1f} kg, {model.nv} degrees of freedom; the floor carries {weight:.0f} N at rest")
h = sim.config.timestep
times, carried, proven, solves = [], [], 0, 0
for _ in range(int(2.0 / h)):
    sim.step()
    forces = sim.contacts["force_on_b"]
    to_robot = np.where(sim.contacts["body"][:, 1] > 0, 1.0, -1.0)  # b is the robot, or a is
    times.append(sim.time)
    carried.append(float((forces[:, 2] * to_robot).sum()) if len(forces) else 0.0)
    proven += sim.report.certified
    solves += sim.report.islands
for at in np.arange(0.25, 2.01, 0.25):
    i = min(int(at / h), len(carried)) - 1
    bar = "#" * int(40 * max(carried[i], 0) / (2 * weight))
    print(f"{times[i]:5.2f} s {carried[i]:8.1f} N {bar}")
print(f"mean {np.mean(carried):.1f} N; {proven} of {solves} contact problems proven")
