// The table of robots, and the same as CSV.
#include <math.h>
#include <string.h>

#include "bench/csv.h"
#include "bench/robots/robots.h"

static double step_us(const TactRobotRun *run)
{
    return run->steps > 0 ? 1e6 * run->seconds / run->steps : 0;
}

static const char *honours(const TactRobotRun *run)
{
    return run->in_full ? "full" : run->soft_only ? "rigid" : "part";
}

static const char *peer_name(TactRobotPeer peer)
{
    return peer == TACT_ROBOT_PEER_NATIVE ? "" : peer == TACT_ROBOT_PEER_NODE ? "n" : "-";
}

void tact_robots_print_head(void)
{
    printf("%-44s %4s %5s  %15s %7s %8s %6s %8s  %8s %8s %6s\n", "robot", "dof", "says",
           "certified", "speed", "contacts", "still", "us", "mujoco", "contacts", "ratio");
}

void tact_robots_print(const TactRobot *robot)
{
    const TactRobotRun *own = &robot->own, *peer = &robot->peer;
    if (!own->loaded) {
        printf("%-44s refused: %s\n", robot->name, own->said);
        fflush(stdout);
        return;
    }
    char label[TACT_ROBOTS_TEXT];
    snprintf(label, sizeof label, "%s%s%s", robot->name, own->keyframe[0] ? " @" : "",
             own->keyframe);
    printf("%-44s %4d %5s  %7ld/%-7ld %7.3g %8.1f %6d %8.1f", label, own->nv, honours(own),
           own->certified, own->solves, own->speed, own->contacts, own->still, step_us(own));
    if (robot->by != TACT_ROBOT_PEER_NONE) {
        printf(" %8.1f%-1s %8.1f %6.2f", step_us(peer), peer_name(robot->by), peer->contacts,
               step_us(own) > 0 ? step_us(peer) / step_us(own) : 0);
    }
    if (!own->finished) {
        printf("  UNFINISHED at step %d of %d %s", own->steps, own->wanted, own->said);
    }
    printf("\n");
    fflush(stdout);
}

/// Geometric mean of the peer's time over tact's; 0: none.
static double mean_ratio(const TactRobot *robots, int count, TactRobotPeer by, int *number)
{
    double sum = 0;
    *number = 0;
    for (int i = 0; i < count; i++) {
        double own = step_us(&robots[i].own), peer = step_us(&robots[i].peer);
        if (robots[i].by == by && own > 0 && peer > 0) {
            sum += log(peer / own);
            ++*number;
        }
    }
    return *number > 0 ? exp(sum / *number) : 0;
}

void tact_robots_print_sum(const TactRobot *robots, int count)
{
    int loaded = 0, full = 0, rigid = 0, proven = 0, finished = 0, native, node;
    for (int i = 0; i < count; i++) {
        const TactRobotRun *run = &robots[i].own;
        loaded += run->loaded;
        full += run->loaded && run->in_full;
        rigid += run->loaded && run->soft_only && !run->in_full;
        proven += run->finished && run->certified == run->solves;
        finished += run->finished;
    }
    printf("\n%d rows: %d accepted, %d honoured in full and %d but for softness, %d finished, %d "
           "with every solve certified\n",
           count, loaded, full, rigid, finished, proven);
    double by_library = mean_ratio(robots, count, TACT_ROBOT_PEER_NATIVE, &native);
    double by_node = mean_ratio(robots, count, TACT_ROBOT_PEER_NODE, &node);
    if (native > 0) {
        printf("MuJoCo's time over tact's, geometric mean: %.2f (library, %d files)\n", by_library,
               native);
    }
    if (node > 0) {
        printf("MuJoCo's time over tact's, geometric mean: %.2f (Node, marked n, %d files)\n",
               by_node, node);
    }
}

int tact_robots_write_csv(const char *path, const TactRobot *robots, int count)
{
    FILE *csv = tact_bench_csv_open(path);
    if (!csv) {
        return 2;
    }
    fprintf(csv, "robot,accepted,honoured,dofs,steps,wanted,solves,certified,error,speed,contacts,"
                 "us,peer,peer_us,peer_contacts,peer_speed,keyframe,still\n");
    for (int i = 0; i < count; i++) {
        const TactRobotRun      *own = &robots[i].own, *peer = &robots[i].peer;
        static const char *const by[] = {"", "library", "node"};
        fprintf(csv, "%s,%d,%s,%d,%d,%d,%ld,%ld,%.3g,%.4g,%.4g,%.4g,%s,%.4g,%.4g,%.4g,%s,%d\n",
                robots[i].name, own->loaded, own->loaded ? honours(own) : "", own->nv, own->steps,
                own->wanted, own->solves, own->certified, own->error, own->speed, own->contacts,
                step_us(own), by[robots[i].by], step_us(peer), peer->contacts, peer->speed,
                own->keyframe, own->still);
    }
    return tact_bench_csv_close(csv, path);
}
