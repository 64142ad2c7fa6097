"""Why a grasp slips: a hand holds a ball; friction is lowered until it cannot.

tact says of every contact how much of its friction is used, and in words where the load comes from. No creep: as
long as the forces fit into the cones the ball does not move at all."""

import tact

model = tact.Model.from_path("scenes/hand.xml")


def held(mu: float) -> tuple[float, float, str]:
    """How far the ball falls in a second, the largest share of friction used, and why."""
    sim = tact.Sim(model, keyframe="hold")
    sim.step(250)  # the fingers come to rest
    for geom in model.all("geom"):
        sim.set(f"geom/{geom.index}/friction", mu)
    before = sim.body("ball").pos[2]
    used, why = 0.0, ""
    for _ in range(500):
        sim.step()
        contacts = sim.contacts
        if len(contacts) and (not why or used < 1):
            used = max(used, float(contacts["friction_used"].max()))
            why = sim.explain(int(contacts["friction_used"].argmax()))
    return float(before - sim.body("ball").pos[2]), used, why


def main() -> None:
    for mu in (0.8, 0.4, 0.2, 0.17, 0.15, 0.1):
        fall, used, why = held(mu)
        print(f"friction {mu:.2f}: the ball sinks {fall * 1000:8.4f} mm in a second; friction used {used:.2f}")
        print(f"    {why}")


if __name__ == "__main__":
    main()
