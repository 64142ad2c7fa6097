"""Contact forces: on which body, in which frame, with which sign; stick or slide. A block on a slope."""

import tact

model = tact.Model.from_path("scenes/slope.xml")
sim = tact.Sim(model)
sim.step(100)
contacts = sim.contacts  # one structured array: forces are those on body b; minus them act on a
for i, c in enumerate(contacts):
    a, b = (model.body(int(k)).name for k in c["body"])
    state = tact.STATES[c["state"]]
    print(f"contact {i} of {a} and {b}: normal {c['force'][0]:.3f} N, friction used {c['friction_used']:.2f}, {state}")
x, y, z = (0 if abs(f) < 1e-6 else f for f in contacts["force_on_b"].sum(axis=0))
print(f"sum on the block, world frame: {x:.3f} {y:.3f} {z:.3f} N")
