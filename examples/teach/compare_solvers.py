"""Comparing solvers on your own problem: every method of tact on one file, each answer judged alike.

    python3 examples/teach/compare_solvers.py [problem.json | problem.hdf5 | problem.dat]"""

import sys
import time

import tact


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "examples/slope.json"
    problem = tact.contact.Problem.read(path)
    print(problem, path)
    print(f"{'method':12}{'cone':9}{'outcome':12}{'error':>10}{'pivots':>8}{'sweeps':>8}{'time us':>10}")
    for method in tact.contact.methods():
        for cone in ("pyramid", "circle", "box"):
            solver = tact.contact.Solver(method=method.name, cone=cone)
            try:
                solver.solve(problem)  # once to allocate
                solver.forget()
                start = time.perf_counter()
                answer = solver.solve(problem)
            except tact.UnsupportedError:
                continue  # this method cannot take this cone
            except tact.ArgumentError:
                continue
            took = 1e6 * (time.perf_counter() - start)
            error = problem.certify(answer, cone=cone).error  # recomputed by code that knows no solver
            report = answer.report
            print(f"{method.name:12}{cone:9}{report.outcome:12}{error:10.1e}{report.pivots:8}{report.iterations:8}{took:10.1f}")


if __name__ == "__main__":
    main()
