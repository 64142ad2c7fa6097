// `tact bench robots`: model files that others wrote, run as they come.
#ifndef TACT_BENCH_ROBOTS_ROBOTS_H
#define TACT_BENCH_ROBOTS_ROBOTS_H

#include <stdbool.h>
#include <stdio.h>
#include <tact/model.h>

enum { TACT_ROBOTS_TEXT = 200 };

/// A run of one engine on one file; written by a process of its own.
typedef struct TactRobotRun {
    bool   loaded;
    bool   finished;               // all steps, in the time there is
    bool   in_full;                // tact: all that bears on the physics is honoured
    bool   soft_only;              // tact: and what is not is softness alone
    int    nv;                     // degrees of freedom
    int    keyframes;              // tact: of the model
    int    steps, wanted;          // made, and asked for
    int    still;                  // tact: of these, repeated because nothing moved, not computed
    long   solves, certified;      // tact
    double error;                  // tact: worst of a contact problem
    double speed;                  // largest |v_i| of all steps, m/s or rad/s
    double contacts;               // mean of a step
    double seconds;                // processor time of all steps
    char   keyframe[64];           // tact: that it began with; "": it has no name
    char   said[TACT_ROBOTS_TEXT]; // what went wrong; "": nothing
} TactRobotRun;

typedef enum TactRobotPeer {
    TACT_ROBOT_PEER_NONE,
    TACT_ROBOT_PEER_NATIVE, // MuJoCo's library
    TACT_ROBOT_PEER_NODE,   // its package for Node, where the library does not know the file
} TactRobotPeer;

/// One file, from one of its keyframes on.
typedef struct TactRobot {
    const char   *path;
    const char   *name; // the end of it
    int           keyframe;
    TactRobotRun  own;
    TactRobotRun  peer;
    TactRobotPeer by;
} TactRobot;

typedef struct TactRobotsOptions {
    const char *folder, *csv, *module;
    double      time;   // s to be simulated
    double      budget; // s of the processor for each run
    int         rounds; // of which the best counts
    bool        peers;
    bool        all;       // parts of scenes too
    bool        computed;  // steps of a world that stands still too
    const char *keyframes; // "first" or "all"
    int         keyframe;  // that a run begins with
    int         file_count;
    char      **files;
} TactRobotsOptions;

/// Files below a folder that are models, in the order of their names; NULL: no memory.
char **tact_robots_find(const char *folder, bool all, int *count);
void   tact_robots_free(char **files, int count);

void tact_robots_run_own(const char *path, const TactRobotsOptions *options, TactRobotRun *run);
/// MuJoCo on the same file: its library first, then the package for Node.
TactRobotPeer tact_robots_run_peer(const char *path, const TactRobotsOptions *options,
                                   TactRobotRun *run);
/// The package for Node alone; false: there is none, or it does not take the file.
bool tact_robots_run_node(const char *path, const TactRobotsOptions *options, TactRobotRun *run);

void tact_robots_print_head(void);
void tact_robots_print(const TactRobot *robot);
void tact_robots_print_sum(const TactRobot *robots, int count);
int  tact_robots_write_csv(const char *path, const TactRobot *robots, int count);

#endif
