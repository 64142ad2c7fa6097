"""Threads: 32 worlds of one model, each with a friction of its own, the same bits on 1 to 4 threads."""

import numpy as np

import tact

model = tact.Model.from_path("scenes/slide.xml")
mu = 0.5 + 0.05 * np.arange(32)  # of two geoms the larger one counts: that of the cube is 0.5
results = {}
for threads in (1, 2, 4):
    results[threads] = tact.rollout(
        model, qvel=[6, 0, 0, 0, 0, 0], worlds=32, steps=300, every=300, threads=threads,
        parameters={"geom/floor/friction": mu},
    )
    same = sum(a.hash == b.hash for a, b in zip(results[1].worlds, results[threads].worlds))
    print(f"{threads} threads: {same} of 32 worlds as on one")
x = results[1].qpos[:, -1, 0]
print(f"friction {mu[0]:.2f} slid {x[0]:.3f} m, friction {mu[-1]:.2f} slid {x[-1]:.3f} m")
