// Contact problems made to be hard, of each of which it is known whether it has an answer.
//
//     planted  an answer is chosen first: motion, states of the contacts, impulses. The applied
//              forces are then those that make it one, rounded to doubles. The answer is right for
//              the pyramid and for the circle: slip lies along a direction of the pyramid.
//     free     nothing but forces is given, and what joints and contacts ask for can be had by
//              standing still: then the LCP of the pyramid has a solution [Stewart, Trinkle 1996].
//              Of the circle that is not known.
//     none     two contacts, or two joint rows, contradict each other by construction, and by more
//              than anything moves; in small problems (nasty_make_small()) by 1e-5 of that or more.
//
// A problem is a function of its seed alone. Bodies are pinched by contacts that face each other,
// or doubled, within 0 to 1e-4; masses 1e-9 to 1e9, lengths 1e-6 to 1e6, friction 0 to 1e6, slim
// bodies, redundant rows, motors, limits, compliance, restitution, belts; given as bodies, as a
// mechanism or by W.
#ifndef TESTS_CONTACT_NASTY_H
#define TESTS_CONTACT_NASTY_H

#include <tact/contact.h>

enum { NASTY_BODIES = 4, NASTY_CONTACTS = 14, NASTY_ROWS = 6 };
enum { NASTY_DOF = 6 * NASTY_BODIES, NASTY_SIDE = 3 * NASTY_CONTACTS };

typedef enum NastyTruth { NASTY_PLANTED, NASTY_FREE, NASTY_NONE, NASTY_TRUTHS } NastyTruth;
typedef enum NastyForm { NASTY_BY_BODIES, NASTY_BY_M, NASTY_BY_W, NASTY_FORMS } NastyForm;

/// Points into itself: made in place.
typedef struct Nasty {
    TactContactProblem problem;
    NastyTruth         truth;
    NastyForm          form;
    double             impulse[NASTY_SIDE];     // planted
    double             row_impulse[NASTY_ROWS]; //
    double             velocity[NASTY_DOF];     //

    // What the problem is made of.
    TactContactBody bodies[NASTY_BODIES];
    TactContact     contacts[NASTY_CONTACTS];
    TactContactRow  rows[NASTY_ROWS];
    double          M[NASTY_DOF * NASTY_DOF];
    double          J[NASTY_SIDE * NASTY_DOF];
    double          J_rows[NASTY_ROWS * NASTY_DOF];
    double          v[NASTY_DOF], tau[NASTY_DOF];
    double          W[NASTY_SIDE * NASTY_SIDE], u_free[NASTY_SIDE];
} Nasty;

void nasty_make(uint64_t seed, Nasty *nasty);

/// The same with one or two bodies and few contacts, 15 in 16 of them with masses from 1e-2 to 1e2,
/// lengths and speeds from 0.1 to 10 and friction up to 2: many more can be looked at.
void nasty_make_small(uint64_t seed, Nasty *nasty);

extern const char *const nasty_truths[NASTY_TRUTHS];

/// A bound on the speed at any contact or row before the step, and without impulses, but those of
/// motors, after it.
double nasty_fastest(Nasty *nasty);

/// The same problem in another form (nasty_forms.c).
void nasty_set_form(Nasty *nasty, NastyForm form);

#endif
