// `tact run`: its options, a run, and what it found out.
#ifndef TACT_CLI_RUN_RUN_H
#define TACT_CLI_RUN_RUN_H

#include <tact/load.h>
#include <tact/prove.h>
#include <tact/sim.h>

#include "cli/json/json.h"
#include "cli/options.h"

/// How contact points give way and bounce.
typedef struct TactRunTouch {
    double restitution;     // < 0: not given
    int    restitution_law; // < 0: not given
    double stiffness;       // N/m; < 0: not given
    double damping;         // N s/m; < 0: not given
} TactRunTouch;

/// Files that a run writes, and how often.
typedef struct TactRunOutput {
    const char *record, *csv, *csv_contacts, *html; // NULL: not given
    double      record_every;                       // s; < 0: not given
    int         hash_every;                         // steps; 0: never
} TactRunOutput;

/// What the method lcp does, and box: cfm.
typedef struct TactRunLcp {
    const char *method;          // of lcp.h; NULL: not given
    int         start, fallback; // < 0: not given
    double      cfm;             // (m/s) / (N s); < 0: not given
} TactRunLcp;

/// In what a scene moves, and how.
typedef struct TactRunMotion {
    int    integrator;  // < 0: not given
    int    coordinates; // which of tact_run_coordinates
    double zeta;        // drift correction; < 0: not given
} TactRunMotion;

/// Certificates of steps.
typedef struct TactRunSteps {
    int    certify; // which of tact_run_certify_words
    double tol;     // relative; 0: the default
} TactRunSteps;

/// What a solve may cost.
typedef struct TactRunBudget {
    double max_work, max_time; // 0: not given
    int    max_contacts;       // in a step; 0: not given
    bool   stop_on_limit;      // the run ends where a budget ends a solve
} TactRunBudget;

typedef struct TactRunOptions {
    const char     *file;
    TactOptionTexts packages;
    bool            exact_meshes, xacro; // of a URDF
    const char     *srdf;                // the same; NULL: not given
    double          time;                // s
    double          dt;                  // s; 0: the model's
    const char     *method, *keyframe;   // NULL: not given
    int             cone;                // < 0: not given
    TactRunMotion   moves;               //
    TactRunLcp      lcp;                 //
    double          tol;                 // largest certified error; 0: the default
    TactRunBudget   budget;              //
    TactOptionTexts ctrl;                // NAME=VALUE
    TactRunTouch    touch;
    int             share;         // < 0: not given
    bool            range;         // of normal forces (tact contacts)
    int             threads;       // that solve islands; 0: not given
    const char     *motion;        // CSV file; NULL: not given
    int             interpolation; // of the motion; < 0: not given
    const char     *save_failures; // folder; NULL: not given
    TactRunSteps    steps;         // certificates of them
    TactRunOutput   output;
    double          sleep; // s of rest after which bodies sleep; 0: never
    bool            prove; // the contact problems of every step
    bool            strict, json, help;
} TactRunOptions;

/// A scene that is simulated as the options say.
typedef struct TactRun {
    const TactRunOptions *options;
    TactModel            *model;
    TactModelNotes       *notes;
    TactSim              *sim;
    TactSimCertifier     *certifier; // of steps; NULL: not asked for
    double                dt;        // s
    long                  steps;     // that the time takes
} TactRun;

typedef struct TactRunHash {
    long     step;
    uint64_t hash;
} TactRunHash;

enum { TACT_RUN_BINS = 2560 };

/// Certificates of steps.
typedef struct TactRunJudged {
    long   total, certified;
    long   failed[TACT_STEP_LAW_COUNT];     // steps in which a law does not hold
    long   not_judged[TACT_STEP_LAW_COUNT]; // steps in which it does not apply
    double correction_max;                  // m or rad
    long   first_step;                      // that is not certified; 0: none
    double first_time;                      // at which it began, s
    char   first[512];                      // which body, and by how much
    long   saved;                           // by --save-failures
} TactRunJudged;

/// Proofs of the contact problems of steps, as they ended.
typedef struct TactRunProved {
    long   total, proved, unique;
    double radius_max; // of those that are proved: N s, m/s, rad/s
    double time;       // of all, s
    long   first_step; // with one that is not proved; 0: none
    char   first[320]; // why
} TactRunProved;

/// Sums over the steps of a run. However many there are, it takes the same room.
/// When and where a motion left all sense: the first degree of freedom that is faster than
/// anything.
typedef struct TactRunApart {
    bool   is;
    double time;  // s, at the end of the step
    double speed; // m/s or rad/s; infinite if it is no number
    int    dof;
} TactRunApart;

/// Steps that are long for their motion.
typedef struct TactRunCoarse {
    long         divided;    // that were made in several parts
    long         unresolved; // with a part that should have been divided further
    TactRunApart apart;
} TactRunCoarse;

typedef struct TactRunResult {
    long          steps;    // made
    int           signal;   // that ended it before its time; 0: none
    bool          failed;   // a step was refused, or a file could not be written
    long          contacts; // of all steps
    int           contacts_max;
    long          solves, certified;
    long          saved; // problems written by --save-failures
    double        error_max, penetration_max, loop_error_max;
    int           implied_rows;               // of loops, left out because the others imply them
    double        implied_error_max;          // m or rad
    long          out_of_budget, out_of_time; // solves that --max-work or --max-time ended
    TactRunCoarse coarse;
    double        correction_max;
    double        damping;                  // of mechanisms that contacts knock, J
    double        solve_time, step_time;    // s
    double        solve_time_max;           // s
    long         solve_bins[TACT_RUN_BINS]; // steps by how long their solves took, in 1.1 % classes
    int          rung_count;
    TactSimRung  rungs[TACT_CONTACT_MAX_RUNGS];
    uint64_t     hash;
    int          hash_count;
    TactRunHash *hashes; //                                                        (hash_count)
    TactRunJudged steps_judged;
    TactRunProved proved;
} TactRunResult;

extern const char *const tact_run_cones[],
    *const tact_run_integrators[], *const tact_run_laws[], *const tact_run_interpolations[],
                                                               *const tact_run_certify_words[];
extern const char *const                                              tact_run_coordinates[];
extern const char *const tact_run_shares[], *const tact_run_starts[], *const tact_run_fallbacks[];

#define TACT_RUN_PLACE(field) offsetof(TactRunOptions, field)

// clang-format off
/// Options that say what is simulated: of all verbs that simulate.
#define TACT_RUN_SCENE_OPTIONS                                                                    \
    {"--dt", TACT_OPTION_POSITIVE, TACT_RUN_PLACE(dt), "S",                                       \
     "length of a step, s (the scene's)", NULL},                                                  \
    {"--method", TACT_OPTION_TEXT, TACT_RUN_PLACE(method), "NAME",                                \
     "how contact problems are solved: ladder (default), reduced,\nstructural, nsgs, ...", NULL}, \
    {"--cone", TACT_OPTION_WORD, TACT_RUN_PLACE(cone), "WORD",                                    \
     "circle (default) or pyramid", tact_run_cones},                                              \
    {"--lcp-method", TACT_OPTION_TEXT, TACT_RUN_PLACE(lcp.method), "NAME",                        \
     "what the method lcp uses inside: lemke-lex (default), lemke,\nsearch", NULL},               \
    {"--start", TACT_OPTION_WORD, TACT_RUN_PLACE(lcp.start), "WORD",                              \
     "where reduced, structural and lcp start: cold (default), or\n"                              \
     "frictionless, from the contacts active without friction", tact_run_starts},                 \
    {"--fallback", TACT_OPTION_WORD, TACT_RUN_PLACE(lcp.fallback), "WORD",                        \
     "what lcp answers where it finds no solution: none (default), or\n"                          \
     "frictionless, the answer without friction", tact_run_fallbacks},                            \
    {"--cfm", TACT_OPTION_REAL, TACT_RUN_PLACE(lcp.cfm), "X",                                     \
     "lcp, box: softness of contacts, (m/s) / (N s) (0)", NULL},                                  \
    {"--tol", TACT_OPTION_POSITIVE, TACT_RUN_PLACE(tol), "E",                                     \
     "largest certified error of a contact problem that counts as\nsolved (1e-8)", NULL},         \
    {"--max-work", TACT_OPTION_POSITIVE, TACT_RUN_PLACE(budget.max_work), "N",                           \
     "a solve ends with its best answer after about N operations\n(1e11)", NULL},                 \
    {"--max-time", TACT_OPTION_POSITIVE, TACT_RUN_PLACE(budget.max_time), "S",                           \
     "the same after S seconds (no limit); the run may then not be\nreproducible", NULL},         \
    {"--max-contacts", TACT_OPTION_COUNT, TACT_RUN_PLACE(budget.max_contacts), "N",                      \
     "in steps with more contacts solves are cut short (any number)", NULL},                      \
    {"--stop-on-limit", TACT_OPTION_FLAG, TACT_RUN_PLACE(budget.stop_on_limit), NULL,                     \
     "end the run where one of these budgets ends a solve", NULL},                                \
    {"--integrator", TACT_OPTION_WORD, TACT_RUN_PLACE(moves.integrator), "WORD",                  \
     "euler or rk4 (the scene's)", tact_run_integrators},                                         \
    {"--coordinates", TACT_OPTION_WORD, TACT_RUN_PLACE(moves.coordinates), "WORD",                \
     "reduced (default): those of the joints; maximal: six a body, with\n"                        \
     "joints as bilateral rows of the contact problem", tact_run_coordinates},                    \
    {"--zeta", TACT_OPTION_REAL, TACT_RUN_PLACE(moves.zeta), "Z",                                 \
     "loops, and joints of maximal coordinates, drift and lose the\n"                             \
     "share Z of their error in a step, 0 .. 1 (default: they close\nexactly)", NULL},            \
    {"--keyframe", TACT_OPTION_TEXT, TACT_RUN_PLACE(keyframe), "NAME",                            \
     "start from this keyframe, by name or number (default: the first\n"                            \
     "one, if any; 'none': the reference)", NULL},                                                \
    {"--ctrl", TACT_OPTION_TEXTS, TACT_RUN_PLACE(ctrl), "NAME=X",                                 \
     "set the control of an actuator (may be given again)", NULL},                                \
    {"--motion", TACT_OPTION_TEXT, TACT_RUN_PLACE(motion), "FILE",                                \
     "joints follow a CSV file exactly: time,JOINT,... (s, rad, m)", NULL},                       \
    {"--interpolation", TACT_OPTION_WORD, TACT_RUN_PLACE(interpolation), "WORD",                  \
     "how the motion is interpolated: cubic (default) or linear", tact_run_interpolations},       \
    {"--restitution", TACT_OPTION_REAL, TACT_RUN_PLACE(touch.restitution), "E",                         \
     "default restitution, for geoms without their own, 0 .. 1 (0)", NULL},                       \
    {"--restitution-law", TACT_OPTION_WORD, TACT_RUN_PLACE(touch.restitution_law), "WORD",              \
     "newton (default), poisson or sequential: touching bodies are hit\n"                         \
     "one pair after the other", tact_run_laws},                                                  \
    {"--stiffness", TACT_OPTION_REAL, TACT_RUN_PLACE(touch.stiffness), "K",                             \
     "stiffness of every contact point, N/m (0: rigid)", NULL},                                   \
    {"--damping", TACT_OPTION_REAL, TACT_RUN_PLACE(touch.damping), "C",                                 \
     "damping of contact points that have a stiffness, N s/m (0)", NULL},                         \
    {"--share", TACT_OPTION_WORD, TACT_RUN_PLACE(share), "WORD",                                  \
     "forces reported for redundant contacts: least norm (least,\n"                               \
     "default) or as the method finds them (vertex); same motion", tact_run_shares},              \
    {"--threads", TACT_OPTION_COUNT, TACT_RUN_PLACE(threads), "N",                                \
     "number of solver threads, 1 .. 64 (1); results are bitwise\nidentical", NULL},              \
    {"--strict", TACT_OPTION_FLAG, TACT_RUN_PLACE(strict), NULL,                                  \
     "physics that is approximated or ignored is an error", NULL},                                \
    {"--package-path", TACT_OPTION_TEXTS, TACT_RUN_PLACE(packages), "DIR",                        \
     "folder of the packages of package:// (may be given again)", NULL},                           \
    {"--srdf", TACT_OPTION_TEXT, TACT_RUN_PLACE(srdf), "FILE",                                     \
     "links of a URDF whose collisions this file disables do not touch", NULL},                    \
    {"--exact-meshes", TACT_OPTION_FLAG, TACT_RUN_PLACE(exact_meshes), NULL,                       \
     "collision meshes of a URDF are triangle meshes instead\n"                                    \
     "of their convex hulls",                                                                      \
     NULL},                                                                                        \
    {"--xacro", TACT_OPTION_FLAG, TACT_RUN_PLACE(xacro), NULL,                                     \
     "expand the file by the program xacro first", NULL}
// clang-format on

/// What stands where nothing is given.
TactRunOptions tact_run_options_default(void);

/// False if the words are wrong: said on standard error already.
bool tact_run_parse(int argc, char **argv, TactRunOptions *options);
void tact_run_help(void);

/// Loads the scene and sets its start; false: said on standard error. To be closed in any case.
bool tact_run_open(const TactRunOptions *options, TactRun *run);
void tact_run_close(TactRun *run);
/// One step; false, said on standard error, if it is refused.
bool tact_run_step(TactRun *run, TactSimReport *report);

/// All steps, or as many as there are until a signal ends them; words are those of the command
/// line.
void tact_run_simulate(TactRun *run, int argc, char **argv, TactRunResult *result);

/// --html: can this program write pages? Said on standard error if not.
bool tact_run_can_write_html(void);
/// Where a run is recorded that is only kept as a page; to be freed, NULL: no memory.
char *tact_run_html_recording(const char *html);
/// False: said on standard error.
bool tact_run_write_html(const char *recording, const char *html);

/// --prove: the problems of the last step. False if it cannot be done, said on standard error.
bool tact_run_prove_step(const TactRun *run, TactRunResult *result);
void tact_run_print_proved(const TactRun *run, const TactRunResult *result);
void tact_run_add_proved(const TactRun *run, const TactRunResult *result, json_t *object);

/// --certify steps: watches the simulation; judges the step just made, and saves its states if it
/// is not certified and --save-failures asks for it; tells. False: said on standard error.
bool tact_run_open_certifier(TactRun *run);
bool tact_run_certify_step(const TactRun *run, TactRunResult *result);
void tact_run_print_judged(const TactRun *run, const TactRunResult *result);
void tact_run_add_judged(const TactRun *run, const TactRunResult *result, json_t *object);

/// Makes the folder of --save-failures, if it is not there. False: said on standard error.
bool tact_run_make_folder(const char *folder);

/// The time that the solves of this share of the steps took at the most, s, to 1.1 %.
double tact_run_solve_time(const TactRunResult *result, double share);

/// From here on Ctrl-C does not end the program but is told, once; 0: none came.

/// A line on standard error, if that is a terminal: how far the run is.
void tact_run_progress(const TactRun *run, long step, const TactSimReport *report);

void tact_run_print(const TactRun *run, const TactRunResult *result);
int  tact_run_print_json(const TactRun *run, const TactRunResult *result);

#endif
