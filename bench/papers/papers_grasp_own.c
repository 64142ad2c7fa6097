// One task, one run for each solver and for each kind of coordinates: does what is grasped go where
// the paper says, whoever solves?
#include "bench/papers/papers_grasp_own.h"

#include <math.h>
#include <stdio.h>

static const double ZETA = 0.2;
static const double MOST_SLIP = 1e-3;  // m in the palm's frame, of what is held
static const double MOST_APART = 1e-3; // m, of the heights by different solvers

typedef struct Method {
    const char       *name;
    TactContactMethod method;
    TactContactCone   cone;
    TactLcpMethod     lcp;
} Method;

static const Method methods[] = {
    {"lemke", TACT_METHOD_LCP, TACT_CONE_PYRAMID, TACT_LCP_METHOD_LEMKE},
    {"pgs", TACT_METHOD_BOX, TACT_CONE_BOX, TACT_LCP_METHOD_PGS},
    {"pgs-sm", TACT_METHOD_BOX, TACT_CONE_BOX, TACT_LCP_METHOD_PGS_SM},
    {"ladder", TACT_METHOD_LADDER, TACT_CONE_CIRCLE, TACT_LCP_METHOD_LEMKE_LEX},
};

enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct Own {
    double lifted; // of the object, m
    double slip;   // in the palm's frame once it is lifted, at the most, m
    double joints; // how far loops and joints are off, at the most, m or rad
    double error;  // of certificates, at the most
    double solve;  // mean time of the solves of a step, s
    int    solves, certified;
} Own;

static TactStatus run_own(TactPapers *papers, const TactGraspHand *hand, const TactGraspWay *way,
                          Own *own)
{
    bool           quick = tact_papers_quick(papers);
    double         settle = quick ? 0.3 : 2, end = quick ? 0.4 : 3, start = 0;
    TactGraspScene scene;
    TactVec3       held = {0};
    bool           settled = false;
    long           steps = 0;
    TactStatus     status = tact_grasp_scene_open(papers, hand, way, &scene);
    if (status == TACT_OK) {
        start = scene.poses[scene.object].position.z;
    }
    while (status == TACT_OK && scene.state->time < end) {
        TactSimReport report;
        status = tact_sim_step(scene.sim, &report);
        status = status == TACT_OK ? tact_grasp_scene_look(&scene) : status;
        if (status != TACT_OK) {
            break;
        }
        TactVec3 at = tact_grasp_scene_place(&scene, (TactVec3){0});
        if (!settled && scene.state->time >= settle) {
            settled = true;
            held = at;
        }
        own->slip = settled ? fmax(own->slip, tact_vec3_norm(tact_vec3_subtract(at, held))) : 0;
        own->joints = fmax(own->joints, report.loop_error);
        own->error = fmax(own->error, report.error);
        own->solve += report.solve_time;
        own->solves += report.islands;
        own->certified += report.certified;
        steps++;
    }
    own->solve /= steps > 0 ? (double)steps : 1;
    if (status == TACT_OK) {
        own->lifted = scene.poses[scene.object].position.z - start;
    }
    tact_grasp_scene_close(&scene);
    return status;
}

/// What does not rest on a certificate: heights and slip, from poses.
static void want_own(TactPapers *papers, const TactGraspHand hands[2], Own own[2][2][METHODS])
{
    double lowest = INFINITY, highest = -INFINITY, slip = 0, lost = 0;
    for (int c = 0; c < 2; c++) {
        for (int m = 0; m < METHODS; m++) {
            lowest = fmin(lowest, own[0][c][m].lifted);
            highest = fmax(highest, own[0][c][m].lifted);
            slip = fmax(slip, own[0][c][m].slip);
            lost = fmax(lost, fabs(own[1][c][m].lifted));
        }
    }
    tact_papers_wanted(papers, slip < MOST_SLIP && lowest > 0.05,
                       "the paper's finding, whoever solves and in both coordinates: %s holds: "
                       "lifted by %.1f to %.1f mm, and in the next second it slips in the hand by "
                       "%.1e m at most (1e-3)",
                       hands[0].fingers, 1e3 * lowest, 1e3 * highest, slip);
    tact_papers_wanted(papers, highest - lowest < MOST_APART,
                       "the heights of these %d runs are within 1 mm of each other: %.2f mm",
                       2 * METHODS, 1e3 * (highest - lowest));
    tact_papers_wanted(papers, lost < 0.01,
                       "the paper's finding, whoever solves and in both coordinates: %s slips: "
                       "lifted by %.1f mm at most (10)",
                       hands[1].fingers, 1e3 * lost);
}

TactStatus tact_grasp_own_runs(TactPapers *papers, const TactGraspHand hands[2])
{
    static Own own[2][2][METHODS];
    TactStatus status = TACT_OK;
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < 2; c++) {
            for (int m = 0; m < METHODS && status == TACT_OK; m++) {
                TactGraspWay way = {.maximal = c == 1,
                                    .zeta = ZETA,
                                    .given = true,
                                    .method = methods[m].method,
                                    .cone = methods[m].cone,
                                    .lcp = methods[m].lcp};
                own[i][c][m] = (Own){0};
                status = run_own(papers, &hands[i], &way, &own[i][c][m]);
            }
        }
    }
    if (status != TACT_OK) {
        return status;
    }
    tact_papers_table(
        papers,
        "The same task once more with every solver, each a run of its own of 3 s, and "
        "in both coordinates: reduced, and maximal with joints as bilateral rows and "
        "drift correction zeta = 0.2 (eq. 10); slip in the palm's frame from 2 s on",
        "fingers | coordinates | method | cone | object lifted, mm | slip, m | "
        "joints and couplings off, m or rad | certified | worst error | solves of a "
        "step, us");
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < 2; c++) {
            for (int m = 0; m < METHODS; m++) {
                const Own *o = &own[i][c][m];
                char       slip[32] = "lost";
                if (o->lifted > 0.05) {
                    snprintf(slip, sizeof slip, "%.1e", o->slip);
                }
                tact_papers_row(papers,
                                "%s | %s | %s | %s | %.2f | %s | %.1e | %d of %d | %.1e | "
                                "%.0f",
                                hands[i].fingers, c ? "maximal" : "reduced", methods[m].name,
                                tact_contact_cone_name(methods[m].cone), 1e3 * o->lifted, slip,
                                o->joints, o->certified, o->solves, o->error, 1e6 * o->solve);
            }
        }
    }
    want_own(papers, hands, own);
    return TACT_OK;
}
