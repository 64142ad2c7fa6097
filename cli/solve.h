// The verb `solve`: options, what was asked for each problem, and what came out.
#ifndef TACT_CLI_SOLVE_H
#define TACT_CLI_SOLVE_H

#include <stdbool.h>
#include <tact/io.h>
#include <tact/lcp.h>

typedef enum TactSolveStorage {
    TACT_SOLVE_AUTO, // sparse where the matrix is worth it and the method can
    TACT_SOLVE_DENSE,
    TACT_SOLVE_SPARSE,
} TactSolveStorage;

typedef struct TactSolveOptions {
    char           **paths;                         // (path_count)
    int              path_count;                    //
    bool             wanted[TACT_LCP_METHOD_COUNT]; // methods named, or all of them
    bool             chosen;                        // none was named: the program chooses
    TactSolveStorage storage;                       //
    double           tol;                           // < 0: the default, here and below
    double           lex_tol;                       //
    int              max_pivots;                    //
    int              max_nodes;                     //
    int              max_iterations;                //
    int              repeat;                        // solves timed; 0: as many as fit
    bool             json;                          //
    bool             help;                          //
    const char      *write_mtx;                     // prefix; NULL: nothing is written
    const char      *output;                        // file for z; NULL: none
} TactSolveOptions;

/// What one method made of one problem.
typedef struct TactSolveResult {
    TactLcpMethod  method;
    TactStatus     status;      // TACT_UNSUPPORTED: refused
    char           reason[256]; // if status is not TACT_OK
    TactLcpStorage storage;
    TactLcpReport  report;
    double         tol;    // relative tolerance of the certificate
    double         time;   // best of the repeated solves, in seconds
    int            solves; // how many
    double        *z;      // (n); NULL unless status is TACT_OK
} TactSolveResult;

/// One problem: its files, what was read, and all results.
typedef struct TactSolveProblem {
    char           *paths[4]; // M q lo hi, or one file
    int             path_count;
    TactLcpFile    *file;       // NULL: it could not be read
    TactStatus      status;     // of reading
    char            error[512]; // if it could not be read
    char          **warnings;   // (warning_count)
    int             warning_count;
    bool            chosen; // the method was chosen by the program
    TactSolveResult results[TACT_LCP_METHOD_COUNT];
    int             result_count;
} TactSolveProblem;

/// Reads the command line; complains and returns false if it is wrong.
bool tact_solve_parse(int argc, char **argv, TactSolveOptions *options);
void tact_solve_help(void);
/// What `tact solve` says when it gets no file.
void tact_solve_introduce(void);

/// Reads a problem and runs what was asked for.
void tact_solve_run(const TactSolveOptions *options, TactSolveProblem *problem);
void tact_solve_problem_destroy(TactSolveProblem *problem);

/// The first result that is solved and certified, or NULL.
const TactSolveResult *tact_solve_best(const TactSolveProblem *problem);

/// One problem as a table; and, after several, how many were solved.
void tact_solve_print(const TactSolveProblem *problem);
void tact_solve_print_sum(const TactSolveProblem *problems, int count);
/// false if there was no memory or the output could not be written.
bool tact_solve_print_json(const TactSolveProblem *problems, int count);

#endif
