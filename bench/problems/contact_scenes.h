// Contact problems of real shapes: scenes as TactContactProblem, and what scenes.h does not have.
#ifndef TACT_BENCH_PROBLEMS_CONTACT_SCENES_H
#define TACT_BENCH_PROBLEMS_CONTACT_SCENES_H

#include <tact/contact.h>

#include "bench/problems/scenes.h"

/// A contact problem that owns its arrays; `problem` points into them, and its counts say how much
/// of them is used.
typedef struct TactContactCase {
    TactContactProblem problem;
    TactContactBody   *bodies;   // (bodies)
    TactContact       *contacts; // (contacts)
    TactContactRow    *rows;     // (rows)
    double            *M;        // (nv x nv)
    double            *v;        // (nv)
    double            *tau;      // (nv)
    int               *parent;   // (nv)
    double            *J;        // of the contacts   (contacts x 3 x nv)
    double            *row_J;    // (rows x nv)
    double            *W;        // (3 contacts x 3 contacts)
    double            *u_free;   // (3 contacts)
} TactContactCase;

/// Room of a case: of bodies or nv one is 0, of both if the case is given by W.
typedef struct TactCaseSize {
    int bodies;
    int nv;
    int contacts;
    int rows;
} TactCaseSize;

/// Zeroed arrays and an empty problem with a step of 0.01 s. TACT_NO_MEMORY is the only failure of
/// all that makes cases; free with tact_case_destroy() in any event.
TactStatus tact_case_create(const TactCaseSize *size, TactContactCase *out);
void       tact_case_destroy(TactContactCase *out);

/// A scene with its load. v = momentum / mass, no forces.
TactStatus tact_case_from_scene(const TactScene *scene, TactContactCase *out);

/// The same problem given by its Delassus matrix.
TactStatus tact_case_to_delassus(const TactContactCase *bodies, TactContactCase *out);

/// Turns the world about a random axis by a random angle (bodies only).
void tact_case_turn(TactContactCase *out, TactRandom *random);

/// Moves points by up to eps of the arms, normals and entries of J by up to eps.
void tact_case_disturb(TactContactCase *out, TactRandom *random, double eps);

/// Other units: lengths, masses and times by random powers of ten (bodies without rows).
void tact_case_rescale(TactContactCase *out, TactRandom *random);

// ---------------------------------------------------------------------------------------------
// Parts

TactContactBody *tact_case_add_box(TactContactCase *out, double mass, const double half[3],
                                   const double position[3]);
/// The normal need not be of unit length. Ids are 1, 2, ...
TactContact    *tact_case_add_contact(TactContactCase *out, int a, int b, const double point[3],
                                      const double normal[3], double mu);
TactContactRow *tact_case_add_row(TactContactCase *out, TactContactRowKind kind, int a, int b);
/// The velocity of b against a along a direction at a point.
void tact_case_point_row(const TactContactCase *out, TactContactRow *row, const double point[3],
                         const double direction[3]);
/// The angular velocity of b against a about a direction.
void tact_case_turn_row(TactContactRow *row, const double direction[3]);

// ---------------------------------------------------------------------------------------------
// Shapes of free bodies

/// An object between fingers that push inwards, so many contacts each: friction alone holds it.
/// rails: the fingers only move along their push, by bilateral rows, some of them given twice, and
/// are driven by motors.
typedef struct TactGrasp {
    int  fingers; // 2, 3
    int  contacts_each;
    bool rails;
} TactGrasp;
TactStatus tact_case_grasp(TactRandom *random, const TactGrasp *grasp, TactContactCase *out);

/// One body wedged between fixed walls whose normals lie near a plane: contacts evenly around it.
TactStatus tact_case_wedge(TactRandom *random, int contacts, TactContactCase *out);

/// Painleve's rod: it slides on its tip, steep enough for friction to jam it; contacts = 2: its
/// other end leans on a wall.
TactStatus tact_case_rod(TactRandom *random, int contacts, TactContactCase *out);

/// Boxes in a heap, turned at random, contacts at random with what lies below. ratio: of masses.
typedef struct TactPile {
    int    bodies;
    int    contacts;
    double ratio;
} TactPile;
TactStatus tact_case_pile(TactRandom *random, const TactPile *pile, TactContactCase *out);

/// Boxes on a plane in a chain of ball joints that have drifted, with a motor and a limit at each;
/// one row in three is given twice.
TactStatus tact_case_chain(TactRandom *random, int bodies, TactContactCase *out);

/// One contact to four at random places of one or two bodies: small enough to enumerate.
TactStatus tact_case_few(TactRandom *random, int contacts, TactContactCase *out);

// ---------------------------------------------------------------------------------------------
// Mechanisms: M, v, tau and J from the kinematics of a tree of turning joints

typedef struct TactTree {
    int  joints;
    int  contacts; // of its links with the world
    bool rows;     // limits, motors, and a loop closed twice
    bool locks;    // the loop locks joints that have limits, motors and contacts
} TactTree;
TactStatus tact_case_tree(TactRandom *random, const TactTree *tree, TactContactCase *out);

/// Fingers of turning joints on a fixed palm around a free object, motors closing them.
typedef struct TactHand {
    int fingers;
    int joints_each;
    int contacts_each;
} TactHand;
TactStatus tact_case_hand(TactRandom *random, const TactHand *hand, TactContactCase *out);

#endif
