"""System identification: the friction coefficient of a floor, from where a cube came to rest.

Somebody threw a cube at 6 m/s and measured its path at some moments. Many worlds with a friction each are simulated
at once; the one whose path fits best is the answer, refined by Newton steps on the error."""

from typing import Any

import numpy as np

import tact

model = tact.Model.from_path("scenes/slide.xml")
START = [6.0, 0, 0, 0, 0, 0]
STEPS, EVERY = 900, 100


def paths(mu: Any) -> Any:
    """x of the cube at every tenth of a second, for each friction."""
    both = {"geom/floor/friction": mu, "geom/cube/friction": mu}
    result = tact.rollout(model, qvel=START, worlds=len(mu), steps=STEPS, every=EVERY, parameters=both)
    return result.qpos[:, :, 0]


def main() -> None:
    truth = 0.437
    noise = 0.002 * np.random.default_rng(7).standard_normal(STEPS // EVERY)
    measured = paths(np.array([truth]))[0] + noise  # m, with 2 mm of noise
    mu = np.linspace(0.1, 1.0, 91)
    error = ((paths(mu) - measured) ** 2).sum(axis=1)
    best = float(mu[error.argmin()])
    print(f"91 worlds at once: friction {best:.2f} fits best")
    for _ in range(4):  # Gauss and Newton, with differences
        low, here, high = paths(np.array([best - 1e-4, best, best + 1e-4]))
        slope = (high - low) / 2e-4
        best -= float(slope @ (here - measured) / (slope @ slope))
    print(f"refined: {best:.4f}; it was {truth}; noise explains {1e3 * 0.002 / np.sqrt(slope @ slope):.2f}e-3")


if __name__ == "__main__":
    main()
