// A path from an answer to an exact solution of the problem, in 106 bits.
//
// With t from 1 to 0, follow the solutions of
//
//     law of every contact holds for (p + t s, u + t a),    u = W p + u_free                (6)
//
// where s and a are such that the answer is one at t = 1, in the states that were read from it. As
// long as no state changes, p is linear in t; where an inequality reaches 0, the contact goes to
// the state on its other side, in which a new inequality leaves 0, and its sign says in which
// direction t goes on. This is Lemke's method, begun at the answer instead of at a ray, with a
// contact's three impulses in place of the 2 + d unknowns of its LCP. docs/theory/proof.md
#ifndef TACT_PROVE_SEARCH_PATH_H
#define TACT_PROVE_SEARCH_PATH_H

#ifdef TACT_HAVE_GMP

#include "prove/search/lemke.h"
#include "prove/search/rows.h"

/// p' x + u' y + constant, of one item's (p, u).
typedef struct TactPathForm {
    TactFour p[3], u[3], constant;
} TactPathForm;

/// An inequality of the present state, form >= 0, and the state behind it.
typedef struct TactPathSide {
    TactPathForm form;
    TactState    next;
} TactPathSide;

enum { TACT_PATH_SIDES = 64 };   // of one item, most
enum { TACT_PATH_CHANGED = 60 }; // rows that may differ from the reference, besides redundant ones

/// A contact, a joint row, or a disc of a patch: component 0 is the load of its contact, the others
/// are x_k = p_k / mu_k and y_k = mu_k u_k.
typedef struct TactPathItem {
    int source; // contact, contact_count + row, and then discs
    int first;  // of its unknowns
    int size;   // components: 3, or 1 without friction; 1 + dimensions of a disc
    int from;   // its first component that is an unknown of its own: 1 of a disc
    const struct TactPathItem *load; // of a disc: the item of its contact; NULL: none
    const TactDisc            *disc;
    TactState                  state;    // now
    TactState                  start;    // at the beginning of the path
    TactState                  answered; // of the answer
    TactState                  kept;     // at the end of the last stage
    TactPolygon                polygon;
    double                     mu;
    double                     bound;     // of a motor's impulse; < 0: it is no motor
    bool                       bilateral; // its equation always holds
    double                     s[3], a[3];
} TactPathItem;

/// Unknown of a component.
static inline int tact_path_at(const TactPathItem *item, int k)
{
    return k < item->from ? item->load->first : item->first + k - item->from;
}

/// Component of an unknown of its own.
static inline int tact_path_component(const TactPathItem *item, int at)
{
    return at - item->first + item->from;
}

/// Has a disc no load to be bounded by?
static inline bool tact_path_is_unloaded(const TactPathItem *item)
{
    return item->load && item->load->state.kind == TACT_PROVE_OPEN;
}

/// A regular basis whose inverse is known, and the rows in which the present equations differ.
typedef struct TactPathReference {
    TactRow        inverse; // of a reference, transposed: B'           (n x n)
    TactRow        moves;   // W B e_r as row r, where it is known      (n x n)
    TactRow        S;       // (7)                                      (changed x changed)
    TactPathForm  *taken;   // rows of the reference                    (n)
    unsigned char *unit;    // the reference gives the value of an unknown    (n)
    unsigned char *known;   // row of moves                                   (n)
    int           *list;    // rows that differ from the reference            (changed)
    int           *owner;   // their items                                    (changed)
    int            changed, redundant;
    int            references; // how often it was made
    int           *swapped;    // work                                     (n)
} TactPathReference;

typedef struct TactPath {
    const TactSearch *search;
    int               parts; // doubles of a number, 2 or 4
    int               n;     // unknowns
    int               count; // items
    TactPathItem     *items;
    TactRow           W;        // (n x n), row-major
    TactRow           diagonal; // of W, exactly                           (n)
    TactRow           kept;     // p at the end of the last stage               (n)
    TactRow           u_free;   // (n)
    TactRow           p[2];     // p = p[0] + t p[1]                        (n)
    TactRow           u[2];     // the same of u                            (n)
    TactRow           right;    // work                                     (n)
    TactRow           row[4];   // work                                     (n)
    TactPathReference reference;
    double           *memory;
    int              *lists;
    double            pushing, moving; // sizes of impulses and velocities
    bool              quiet;           // a path is continued: nothing is left to chance
    double            lighter;         // part of the loads that is missing at t = 1
    double            left; // what the equations left in the last solution, of what they sum up
    TactRandom        random;
    int               bits; // W_ii is larger by 2^-bits of it
    int               events;
} TactPath;

/// Room and numbers of all items; W and u_free. parts: doubles of a number, 2 or 4.
TactStatus tact_path_create(const TactSearch *search, int parts, TactPath *path);
void       tact_path_destroy(TactPath *path);

/// Which of the impulses of contacts and rows a component of its own is.
int tact_path_place(const TactLaws *laws, const TactPathItem *item, int k);

/// W_ii becomes larger by 2^-bits of what it is: contacts that are redundant share their load.
void tact_path_soften(TactPath *path, int bits);

/// Equation k of an item in its state, = 0: of a disc from 1 on.
TactPathForm tact_path_equation(const TactPathItem *item, int k);
/// Inequalities of an item in its state; how many.                     sides: (TACT_PATH_SIDES)
int tact_path_sides(const TactPathItem *item, TactPathSide *sides);
/// The side of the item's present state that leads back to `from`.
TactPathForm tact_path_way_back(const TactPathItem *item, const TactState *from);

/// Value of a form at t^degree, degree 0 or 1: value = value_0 + t value_1.
TactFour tact_path_value(const TactPath *path, const TactPathItem *item, const TactPathForm *form,
                         int degree);

/// Makes the present states the reference, as far as they are regular.
void tact_path_refer(TactPath *path);
/// p and u of the present states; false: they are singular.
bool tact_path_solve(TactPath *path);

/// Follows the path from t = 1; true: to t = 0, before the time `end` (0: any).
bool tact_path_follow(TactPath *path, double end);

/// Sets s and a so that the impulses p of the answer are a solution at t = 1; the answer is moved
/// to what obeys the equations of its states first, as far as these do not contradict.
///   p  in and out (n)
TactStatus tact_path_start(TactPath *path, TactRow p);

#endif
#endif
