// What FCL and Bullet say of two convex shapes: the same question to both.
#ifndef TACT_TESTS_COLLIDE_PEERS_H
#define TACT_TESTS_COLLIDE_PEERS_H

#include <tact/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PeerAnswer {
    double   distance;  // < 0: depth
    TactVec3 normal[2]; // one of them is meant: FCL gives that of its EPA in the frame of a
} PeerAnswer;

/// False: the peer does not know the shapes, or gave up.
typedef bool PeerQuestion(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                          const TactTransform *pose_b, PeerAnswer *answer);

#ifdef TACT_HAVE_FCL
PeerQuestion ask_fcl;

/// Distance of two meshes, 0 if their surfaces cross.
double ask_fcl_meshes(const TactMesh *a, const TactTransform *pose_a, const TactMesh *b,
                      const TactTransform *pose_b);
#endif
#ifdef TACT_HAVE_BULLET
PeerQuestion ask_bullet;
#endif

#ifdef __cplusplus
}
#endif
#endif
