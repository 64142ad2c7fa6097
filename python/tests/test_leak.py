"""10,000 simulations, problems and models are made and ended: memory does not grow."""

import gc
import resource
import unittest

import support

import tact


def resident() -> int:
    """Bytes in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def grown(make, times: int) -> int:
    for _ in range(times // 10):
        make()
    gc.collect()
    before = resident()
    for _ in range(times):
        make()
    gc.collect()
    return resident() - before


MODEL = tact.Model.from_string(support.CUBE)


def use_sim() -> None:
    sim = tact.Sim(MODEL, callback=lambda s: None)
    sim.set("body/cube/mass", 2.0)
    sim.step(2)
    sim.qpos, sim.contacts, sim.report, sim.snapshot()


def use_model() -> None:
    model = tact.Model.from_string(support.CUBE)
    model.body("cube"), model.check(), tact.dynamics.at(model).M


def use_errors() -> None:
    for bad in (lambda: tact.Sim(MODEL, method="no"), lambda: tact.contact.Problem(bodies=[dict(mass=0)])):
        try:
            bad()
        except ValueError:
            pass


def use_solvers() -> None:
    tact.lcp.solve([[2.0]], [-1.0])
    body = dict(mass=1, force=(0, 0, -9.81))
    problem = tact.contact.Problem(step=0.01, bodies=[body], contacts=[dict(b=0, normal=(0, 0, 1))])
    problem.certify(problem.solve())
    tact.rollout(MODEL, worlds=2, steps=1, threads=2)


class Leaks(unittest.TestCase):
    def test_memory_does_not_grow(self):
        for use, times in ((use_sim, 10000), (use_model, 2000), (use_errors, 10000), (use_solvers, 2000)):
            # a leak grows in every round; an arena that Python takes for itself, in one
            more = min(grown(use, times) for _ in range(2))
            print(f"{use.__name__}: {times} times, {more / 1024:.0f} KiB more")
            # 64 bytes leaked each time would be 625 KiB for 10,000
            self.assertLess(more, 512 * 1024, use.__name__)


if __name__ == "__main__":
    support.main()
