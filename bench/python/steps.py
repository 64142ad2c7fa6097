#!/usr/bin/env python3
"""What Python costs beside C: single steps, reading contacts, rollouts on threads.

    make python                                  # once: the package in build/python
    /usr/bin/python3 bench/python/steps.py [--steps N] [--build FOLDER] [--out bench/results/python.csv]

Times are processor times, the least of several turns that alternate between the two sides, so that other work on the
machine disturbs both alike. Threads are compared by the clock where the machine is idle; elsewhere by processor time,
and the line says so: the speed-up is then what the work of two threads would give on two free processors.
The last lines say what is wanted, `held` or `MISSED`; the exit status is 1 if one is missed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BOX = """<mujoco><option timestep="0.002"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body name="box" pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body>
</worldbody></mujoco>"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=1_000_000, help="of the falling box (1000000)")
    parser.add_argument("--turns", type=int, default=5, help="of which the fastest counts (5)")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="folder of the build (build)")
    parser.add_argument("--out", type=Path, help="a CSV file for the figures")
    return parser.parse_args()


def timed(work):
    """Processor time of all threads, and by the clock, s."""
    cpu, clock = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - clock


def steps_in_python(tact, scene, count):
    sim = tact.Sim(tact.Model.from_path(scene))

    def work():
        step = sim.step
        for _ in range(count):
            step()

    return timed(work)[0], sim.report.hash


def steps_in_c(program, scene, count):
    words = subprocess.run([program, scene, str(count)], check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), int(words[1])


def compare_steps(tact, given, rows):
    subprocess.run(["cmake", "--build", given.build, "--target", "tact_python_steps"], check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "box.xml")
        Path(scene).write_text(BOX)
        python, c = [], []
        for _ in range(given.turns):
            c.append(steps_in_c(given.build / "tact_python_steps", scene, given.steps))
            python.append(steps_in_python(tact, scene, given.steps))
    if len({hash for _, hash in python + c}) != 1:
        sys.exit("steps.py: Python and C do not end in the same state")
    in_c, in_python = (1e6 * min(seconds for seconds, _ in side) / given.steps for side in (c, python))
    rows += [
        (f"falling box, {given.steps} steps: C", in_c, "us a step"),
        (f"falling box, {given.steps} steps: Python", in_python, "us a step"),
        ("falling box: Python over C", 100 * (in_python / in_c - 1), "%"),
    ]
    return in_python / in_c - 1 <= 0.15


def read_contacts(tact, given, rows):
    count = 20_000
    best = {}
    for _ in range(given.turns):
        for reads in (False, True):
            sim = tact.Sim(tact.Model.from_path(ROOT / "scenes/hand.xml"), keyframe="hold")
            sim.step(10)

            def work():
                for _ in range(count):
                    sim.step()
                    if reads:
                        sim.contacts

            best[reads] = min(best.get(reads, 1e9), 1e6 * timed(work)[0] / count)
    rows += [
        ("hand, a step", best[False], "us"),
        (f"hand, reading its {len(sim.contacts)} contacts after a step", best[True] - best[False], "us"),
    ]
    return best[True] - best[False] < 5


def compare_threads(tact, given, rows):
    model = tact.Model.from_path(ROOT / "scenes/hand.xml")
    quiet = os.getloadavg()[0] < 0.3
    best, hashes = {}, set()
    for _ in range(given.turns):
        for threads in (1, 2):
            result = []
            cpu, clock = timed(lambda: result.append(tact.rollout(model, worlds=64, steps=500, every=500, threads=threads)))
            best[threads] = min(best.get(threads, 1e9), clock if quiet else cpu / threads)
            hashes.add(tuple(world.hash for world in result[0].worlds))
    if len(hashes) != 1:
        sys.exit("steps.py: worlds differ with the number of threads")
    speed_up = best[1] / best[2]
    rows.append((f"rollout of 64 hands on two threads, by {'the clock' if quiet else 'processor time'}", speed_up, "times one"))
    return speed_up >= 1.8


def main():
    given = arguments()
    sys.path.insert(0, str(given.build / "python"))
    import tact

    rows = []
    wanted = [
        ("a step from Python costs at most 15 % more than in C", compare_steps(tact, given, rows)),
        ("contacts of a hand are read in less than 5 us", read_contacts(tact, given, rows)),
        ("a rollout on two threads is at least 1.8 times as fast", compare_threads(tact, given, rows)),
    ]
    head = [f"# tact {tact.version()}", f"# load at the end: {', '.join('%.1f' % x for x in os.getloadavg())} in 1, 5, 15 minutes; {os.cpu_count()} processors"]
    print("\n".join(head))
    for what, value, unit in rows:
        print(f"{what:<60} {value:10.4g} {unit}")
    for what, holds in wanted:
        print(f"{'held  ' if holds else 'MISSED'} {what}")
    if given.out:
        lines = head + ["what,value,unit"] + [f'"{what}",{value:.6g},{unit}' for what, value, unit in rows]
        given.out.write_text("\n".join(lines) + "\n")
    sys.exit(0 if all(holds for _, holds in wanted) else 1)


if __name__ == "__main__":
    main()
