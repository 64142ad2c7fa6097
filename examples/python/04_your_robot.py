"""Your robot: an MJCF or URDF file, what tact does with it, and two seconds under its servos."""

import sys

import tact

model = tact.Model.from_path(sys.argv[1] if len(sys.argv) > 1 else "scenes/hand.xml")
bodies = list(model.all("body"))
print(f"{len(bodies) - 1} bodies of {model.mass:.3f} kg, {model.nv} degrees of freedom, {model.nu} actuators")
for note in model.check():  # what the motion would notice
    if note.verdict != "honoured" and note.physics:
        print(f"{note.file}:{note.line}: {note.element} {note.attribute}: {note.text}")

sim = tact.Sim(model, keyframe=0 if list(model.all("keyframe")) else None)
sim.step(int(2 / sim.config.timestep + 0.5))
report = sim.report
print(f"after {sim.time:.1f} s: {report.contacts} contacts, {report.certified} of {report.islands} contact problems proven")
