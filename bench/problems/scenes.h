// Rigid bodies in contact as LCPs: geometry of real shapes in, M and q out.
//
// All bodies stand in frames in which their inertia is diagonal; a scene of one body is written
// in the frame of that body, and gravity turned instead.
#ifndef TACT_BENCH_PROBLEMS_SCENES_H
#define TACT_BENCH_PROBLEMS_SCENES_H

#include "bench/problems/families.h"

enum { TACT_SCENE_MAX_BODIES = 32, TACT_SCENE_MAX_CONTACTS = 160, TACT_SCENE_DIRECTIONS = 8 };

typedef struct TactSceneBody {
    double mass;
    double inertia[3];  // about the centre of mass
    double position[3]; // centre of mass
    double radius;      // of its size, in metres: lever of random torques
    double momentum[6]; // M v + h f: linear, angular about the centre
} TactSceneBody;

typedef struct TactSceneContact {
    int    a, b; // bodies; -1: the fixed world
    double point[3];
    double normal[3]; // from a to b
    double mu;
} TactSceneContact;

typedef struct TactScene {
    int              bodies;
    int              contacts;
    double           gravity[3];
    double           mu; // of contacts added next
    TactSceneBody    body[TACT_SCENE_MAX_BODIES];
    TactSceneContact contact[TACT_SCENE_MAX_CONTACTS];
} TactScene;

// Shapes. Contacts are those of the exact geometry.

/// A peg through a hole: contacts evenly around the hole's top and bottom rim; jitter moves each
/// by up to this part of their distance along the rim.
void tact_scene_peg(TactScene *scene, TactRandom *random, int contacts, double jitter);

/// A block on a plane: contacts evenly along the edge of its face, from a corner on.
void tact_scene_block(TactScene *scene, TactRandom *random, int contacts);

/// A block in a corner: faces = 3 (a corner) or 2 (a groove), so many contacts a face.
void tact_scene_corner(TactScene *scene, TactRandom *random, int faces, int contacts_a_face);

/// A face of columns x rows contacts on a plane, two at least of each.
void tact_scene_grid(TactScene *scene, TactRandom *random, int columns, int rows);

/// A face of 8 x 5 contacts on a plane.
void tact_scene_face(TactScene *scene, TactRandom *random);

/// A ball in the rim of a hole.
void tact_scene_ball(TactScene *scene, TactRandom *random, int contacts);

/// Prisms with k corners on each other, bottom to top; masses may be NULL (all 1).
void tact_scene_stack(TactScene *scene, TactRandom *random, int bodies, int corners,
                      const double *masses);

/// Square prisms, each turned about the vertical and moved a little: the contacts of an interface
/// are the corners of the overlap of two squares, 4 to 8.
void tact_scene_turned_stack(TactScene *scene, TactRandom *random, int bodies);

/// Moves all contact points by up to eps of the bodies' size, and their normals by up to eps.
void tact_scene_disturb(TactScene *scene, TactRandom *random, double eps);

/// One step's gravity, a random wrench on every body, and, for every second seed, a velocity.
void tact_scene_load(TactScene *scene, TactRandom *random);

// Problems

/// N'N theta + N'k: normals only                                        (n = contacts)
TactStatus tact_scene_frictionless(const TactScene *scene, double diagonal, TactFamilyProblem *out);

/// Normals and pyramids of 8 directions, theta, phi, lambda: [Lloyd04, eq. 8]  (n = 10 contacts)
TactStatus tact_scene_friction(const TactScene *scene, TactFamilyProblem *out);

/// Normal and two tangents a contact, friction bounded by a box. With friction index the bounds
/// follow the normal force, without it they are those of an even share of all weight.
/// diagonal is added to that of M.                                      (n = 3 contacts)
TactStatus tact_scene_box(const TactScene *scene, double diagonal, bool friction_index,
                          TactFamilyProblem *out);

/// Arrays of a problem with n unknowns, zeroed; lo, hi with +-infinity allowed, if asked for.
TactStatus tact_family_problem_create(int n, bool bounds, TactFamilyProblem *out);

#endif
