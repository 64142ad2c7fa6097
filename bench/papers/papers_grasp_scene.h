// Inside of the grasping experiment: a hand of scenes/, what it does, and how that is told.
#ifndef TACT_BENCH_PAPERS_PAPERS_GRASP_SCENE_H
#define TACT_BENCH_PAPERS_PAPERS_GRASP_SCENE_H

#include "bench/papers/papers.h"

typedef struct TactGraspHand {
    const char      *scene, *object; // file, and the free body
    const char      *fingers;        // what they are made of
    double           mu;             //
    double           settle;         // when it is lifted and at rest, s
    double           hold;           // how long it is watched then, s; 0: it is not held
    TactVec3         rim;            // a point far from the object's origin
    TactPapersCamera camera;
    double           moments[3]; // of pictures, s; ends with 0
    const char      *captions[3];
} TactGraspHand;

/// A hand that is simulated.
typedef struct TactGraspScene {
    TactModel     *model;
    TactSim       *sim;
    TactSimState  *state;
    TactTransform *poses;        // of bodies, by tact_grasp_scene_look()           (bodies)
    int            object, palm; // bodies
} TactGraspScene;

/// How a scene is opened: with the program's defaults if all is 0.
typedef struct TactGraspWay {
    bool              maximal; // coordinates, with drift correction zeta
    double            zeta;
    bool              given; // method, cone and what it uses inside
    TactContactMethod method;
    TactContactCone   cone;
    TactLcpMethod     lcp;
} TactGraspWay;

TactStatus tact_grasp_scene_open(const TactPapers *papers, const TactGraspHand *hand,
                                 const TactGraspWay *way, TactGraspScene *scene);
void       tact_grasp_scene_close(TactGraspScene *scene);

/// Where the bodies are now.
TactStatus tact_grasp_scene_look(TactGraspScene *scene);
/// A point of the object in the frame of the palm.
TactVec3 tact_grasp_scene_place(const TactGraspScene *scene, TactVec3 point);

/// Runs up to two hands that grasp the same and tells what they did: pictures, a plot, a table,
/// what is wanted.
TactStatus tact_grasp_tell(TactPapers *papers, const TactGraspHand *hands, int count,
                           const char *title, const char *caption);

#endif
