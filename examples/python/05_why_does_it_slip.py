"""Why does it slip? The same slope with less and less friction, each answer in words."""

import tact

model = tact.Model.from_path("scenes/slope.xml")
sim = tact.Sim(model)
mu = 0.5
while mu > 0.2:
    for geom in model.all("geom"):
        sim.set(f"geom/{geom.index}/friction", mu)  # without compiling the model again
    sim.reset()
    sim.step(50)
    print(f"friction {mu:.1f}: {sim.explain(0)}")
    mu -= 0.1
