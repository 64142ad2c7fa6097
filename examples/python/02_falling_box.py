"""A box falls on a floor: a model from a text, a simulation, steps."""

import tact

SCENE = """<mujoco><option timestep='0.002'/><worldbody>
  <geom type='plane' size='1 1 1'/>
  <body name='box' pos='0 0 0.5'><freejoint/>
    <geom type='box' size='0.1 0.1 0.1' mass='1'/></body>
</worldbody></mujoco>"""

sim = tact.Sim(tact.Model.from_string(SCENE))
solved = solves = 0
for i in range(1, 501):
    sim.step()
    solves += sim.report.islands
    solved += sim.report.certified
    if i % 100 == 0:
        height, speed = sim.body("box").pos[2], -sim.qvel[2] + 0.0
        print(f"{sim.time:.1f} s: height {height:.4f} m, speed {speed:.4f} m/s, {sim.report.contacts} contacts")
print(f"{solved} of {solves} contact problems proven")
