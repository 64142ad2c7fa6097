// The verb `solve`: options, what was asked for each problem, and what came out.
#ifndef TACT_CLI_SOLVE_SOLVE_H
#define TACT_CLI_SOLVE_SOLVE_H

#include <stdbool.h>
#include <tact/contact.h>
#include <tact/io.h>
#include <tact/lcp.h>
#include <tact/prove.h>

typedef enum TactSolveStorage {
    TACT_SOLVE_AUTO, // sparse where the matrix is worth it and the method can
    TACT_SOLVE_DENSE,
    TACT_SOLVE_SPARSE,
} TactSolveStorage;

/// What the method lcp does besides, and box: cfm.
typedef struct TactSolveLcp {
    int    start;    // TactContactStart
    int    fallback; // TactContactFallback
    double cfm;      // (m/s) / (N s)
} TactSolveLcp;

typedef struct TactSolveOptions {
    char       **paths;                             // (path_count)
    int          path_count;                        //
    bool         wanted[TACT_LCP_METHOD_COUNT];     // methods named
    bool         wanted_contact[TACT_METHOD_COUNT]; //
    bool         all;                               // all methods of the problem's kind
    const char  *method;                            // as it was written; NULL: the program chooses
    const char  *inner;                             // the same of --lcp-method
    int          cone;                              // < 0: the pyramid, or what the method takes
    int          lcp_method; // of lcp and box; < 0: the default, here and below
    TactSolveLcp lcp;        //
    int          storage;    // TactSolveStorage
    double       tol;        //
    double       lex_tol;    //
    int          max_pivots;
    int          max_nodes;
    int          max_iterations;
    double       max_work;    // operations; 0: any
    double       max_time;    // s; 0: any
    int          repeat;      // solves timed; 0: as many as fit
    int          share;       // TactContactShare
    bool         range;       // of normal forces
    bool         json;        //
    bool         help;        //
    const char  *write_mtx;   // prefix; NULL: nothing is written
    const char  *output;      // file for z or forces; NULL: none
    const char  *save;        // file for the contact problem; NULL: none
    const char  *certify;     // file of an answer to be judged; NULL: methods are run
    bool         prove;       // what is solved
    double       prove_limit; // s, for one exact solve or search; 0: 60
} TactSolveOptions;

/// The answer to a contact problem.
typedef struct TactSolveContact {
    TactContactMethod     method;
    TactContactCone       cone;
    TactContactReport     report;
    TactContactAnswer     answer;    // one block, at answer.impulse
    TactContactDiagnosis *diagnosis; // NULL: there is none                            (contacts)
    TactContactSharing    sharing;   // if least norm was asked for, and the answer is proven
    TactContactRange     *range;     // NULL: not asked for                            (contacts)
    bool                  exact;     // ranges are those of a proof, in rationals
} TactSolveContact;

/// What one method made of one problem.
typedef struct TactSolveResult {
    const char      *name;          // of the method
    TactStatus       status;        // TACT_UNSUPPORTED: refused
    char             reason[256];   // if status is not TACT_OK
    bool             solved;        // and proven
    double           tol;           // relative tolerance of the certificate
    double           time;          // best of the repeated solves, in seconds
    int              solves;        // how many
    TactLcpMethod    method;        // from here on: of an LCP
    TactLcpStorage   storage;       //
    TactLcpReport    report;        //
    double          *z;             // (n); NULL unless status is TACT_OK
    int              blocks;        // LCPs that it fell apart into; 0: it was solved as one
    TactSolveContact contact;       // of a contact problem
    TactProof       *proof;         // NULL: none was asked for, or it could not be made:
    char             no_proof[256]; // why
    double           moved; // N s: how far the answer went to the exact solution; 0: it stayed
} TactSolveResult;

enum { TACT_SOLVE_MOST_RESULTS = TACT_LCP_METHOD_COUNT + TACT_METHOD_COUNT };

/// One problem: its files, what was read, and all results.
typedef struct TactSolveProblem {
    char            *paths[4]; // M q lo hi, or one file
    int              path_count;
    TactLcpFile     *file;       // an LCP, or
    TactContactFile *contact;    //   a contact problem, or both NULL: it could not be read
    TactStatus       status;     // of reading
    char             error[512]; // if it could not be read
    char           **warnings;   // (warning_count)
    int              warning_count;
    bool             warning_lost; // there was no memory to keep one
    bool             chosen;       // the method was chosen by the program
    TactSolveResult  results[TACT_SOLVE_MOST_RESULTS];
    int              result_count;
} TactSolveProblem;

/// Reads the command line; complains and returns false if it is wrong.
bool tact_solve_parse(int argc, char **argv, TactSolveOptions *options);
void tact_solve_help(void);
/// What `tact solve` says when it gets no file.
void tact_solve_introduce(void);

/// The line that shows how far it is (solve_progress.c): problem INDEX of COUNT; a method that now
/// works, whose result is the last one; a proof.
void tact_solve_progress_problem(int index, int count);
void tact_solve_progress(const TactSolveOptions *options, const TactSolveProblem *problem,
                         const char *method);
void tact_solve_progress_proof(const TactSolveProblem *problem, const TactSolveResult *result,
                               double limit);

/// From now on Ctrl-C ends the solve under way with the best answer it has; the signal that came,
/// 0: none; and a word on standard error about the problem at which it came.
void tact_solve_tell_signal(const TactSolveProblem *problem);

/// Reads a problem and runs what was asked for.
void tact_solve_run(const TactSolveOptions *options, TactSolveProblem *problem);
void tact_solve_problem_destroy(TactSolveProblem *problem);

/// Runs what was asked for on a contact problem that was read.
void tact_solve_run_contact(const TactSolveOptions *options, TactSolveProblem *problem);
/// A result without an answer: a method that is not for this kind of problem, or not now.
void tact_solve_refuse(TactSolveProblem *problem, const char *name, const char *reason);
/// A sparse LCP by a dense method, in blocks that no entry couples. false: it is one block, or too
/// large a one, or *status says what went wrong.
bool tact_solve_in_blocks(const TactLcpConfig *config, TactLcpFile *file, TactSolveResult *result,
                          TactStatus *status);
/// Another solve to be timed? --repeat of them, or at least 5 and 20 ms, but no longer than 2 s.
bool tact_solve_again(const TactSolveOptions *options, int solves, double total);

/// Instead of running methods: the answer in a file becomes the only result.
void tact_solve_certify(const TactSolveOptions *options, TactSolveProblem *problem);
/// Proves all results that are solved.
void tact_solve_prove(const TactSolveOptions *options, TactSolveProblem *problem);
/// Moves a contact answer to the exact solution that its proof has found further away, if that is
/// certified and can be proved.
TactStatus tact_solve_move(const TactProofConfig *config, TactSolveProblem *problem,
                           TactSolveResult *result);
/// "proved" where it is, otherwise the outcome as it was.
const char *tact_solve_outcome(const TactSolveResult *result, const char *outcome);
/// One line on the proof of a result; nothing if none was asked for.
void tact_solve_print_proof(const TactSolveProblem *problem, const TactSolveResult *result);

/// The first result that is solved and certified, or NULL.
const TactSolveResult *tact_solve_best(const TactSolveProblem *problem);

/// One problem as a table; and, after several, how many were solved.
void tact_solve_print(const TactSolveProblem *problem);
void tact_solve_print_sum(const TactSolveProblem *problems, int count);
/// false if there was no memory or the output could not be written.
int tact_solve_print_json(const TactSolveProblem *problems, int count);

/// Parts of the table.
void tact_solve_print_number(double x);
void tact_solve_print_time(double seconds);
void tact_solve_print_refusal(const TactSolveResult *result);
/// A contact problem as a table.
void tact_solve_print_contact(const TactSolveProblem *problem);
/// A force is an impulse divided by this: the step, or 1 on the level of accelerations.
double tact_solve_step(const TactSolveProblem *problem);

/// Does a contact resist spinning or rolling?
bool tact_solve_has_moments(const TactContactProblem *problem);

#endif
