"""Friction cone and pyramid: push a block in every direction, and see when it begins to slide.

Coulomb's law allows |f_t| <= mu f_n, whichever way: a circle. Many simulators use a pyramid instead, whose
corners point in some directions; the friction that one gets then depends on the direction of the push."""

import numpy as np

import tact

MU, WEIGHT = 0.5, 9.81


def largest_hold(angle: float, cone: str, directions: int) -> float:
    """The largest push in this direction that the block withstands, over mu m g."""
    low, high = 0.0, 2.0
    for _ in range(24):
        middle = 0.5 * (low + high)
        push = middle * MU * WEIGHT * np.array([np.cos(angle), np.sin(angle), 0.0])
        block = {"mass": 1.0, "force": tuple(push - [0, 0, WEIGHT])}
        contact = {"a": -1, "b": 0, "point": (0, 0, 0), "normal": (0, 0, 1), "tangent": (1, 0, 0), "mu": MU, "directions": directions}
        answer = tact.contact.Problem(step=0.01, bodies=[block], contacts=[contact]).solve(method="box" if cone == "box" else "ladder", cone=cone)
        assert answer.solved
        slides = np.linalg.norm(answer.velocity[:3]) > 1e-9
        low, high = (low, middle) if slides else (middle, high)
    return 0.5 * (low + high)


def main() -> None:
    angles = np.radians([0, 15, 30, 45])
    print("largest push that holds, over mu m g, by direction")
    print(f"{'':24}" + "".join(f"{np.degrees(a):7.0f} deg" for a in angles))
    for name, cone, directions in (("circle", "circle", 0), ("pyramid of 4", "pyramid", 4), ("pyramid of 8", "pyramid", 8), ("friction box", "box", 4)):
        method = "the true cone" if cone == "circle" else ""
        print(f"{name:14}{method:10}" + "".join(f"{largest_hold(a, cone, max(directions, 4)):11.3f}" for a in angles))
    print("A pyramid of 4 holds cos 45 = 0.707 of what it should at 45 degrees; the box holds 1.414 times it.")


if __name__ == "__main__":
    main()
