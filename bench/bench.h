// The experiments of `tact bench`.
#ifndef TACT_BENCH_H
#define TACT_BENCH_H

#include <stdbool.h>

/// argv[0] is "bench", argv[1] the experiment. Returns the exit status of the program: 0 done and
/// proven, 1 done but an answer was wrongly called solved, 2 bad use.
int tact_bench_main(int argc, char **argv);

/// Writes a page that shows a recording, as `tact run --html` does; false, with a word on stderr,
/// if it cannot be written. The program hands it over, because the viewer is its own.
typedef bool TactBenchPage(const char *recording, const char *page);
void         tact_bench_set_page(TactBenchPage *write);
bool         tact_bench_can_write_page(void);
bool         tact_bench_write_page(const char *recording, const char *page);

/// Every LCP method and every peer on every family; argv[0] is "lcp".
int tact_bench_lcp(int argc, char **argv);

/// The experiments of Lloyd's paper; argv[0] is "lloyd".
int tact_bench_lloyd(int argc, char **argv);

/// Contact problem files by tact and by Siconos; argv[0] is "friction".
int tact_bench_friction(int argc, char **argv);

/// What Baraff's paper measures; argv[0] is "baraff".
int tact_bench_baraff(int argc, char **argv);

/// Dynamics of mechanisms by tact, MuJoCo and DART; argv[0] is "dynamics".
int tact_bench_dynamics(int argc, char **argv);

/// Collision by tact, ODE and Bullet; argv[0] is "collide".
int tact_bench_collide(int argc, char **argv);

/// Whole simulations by tact and by other engines; argv[0] is "sim".
int tact_bench_sim(int argc, char **argv);

/// Batches of contact problems on a GPU; argv[0] is "gpu".
int tact_bench_gpu(int argc, char **argv);

/// Heaps of bodies that fall; argv[0] is "piles".
int tact_bench_piles(int argc, char **argv);

/// Model files that others wrote; argv[0] is "robots".
int tact_bench_robots(int argc, char **argv);

/// Steps of random scenes, judged by their states; argv[0] is "truth".
int tact_bench_truth(int argc, char **argv);

/// Many trials of a scene: what a trial costs beside its steps, threads, ranks; argv[0] is "sweep".
int tact_bench_sweep(int argc, char **argv);

/// Every experiment of the five papers, and one report; argv[0] is "papers".
int tact_bench_papers(int argc, char **argv);

#endif
