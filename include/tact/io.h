// Problem files: reading and writing linear complementarity problems and contact problems.
//
//     TactLcpFile *file = NULL;
//     if (tact_lcp_read("problem.dat", &file) != TACT_OK) {
//         fprintf(stderr, "%s\n", tact_status_message());    // problem.dat:12: expected ...
//     }
//     ... file->problem ...
//     tact_lcp_file_destroy(file);
//
// LCPs: Siconos .dat of LCPs and of mixed LCPs (dense, sparse block and sparse matrices), and
// Matrix Market, one file an array. Contact problems: tact's own JSON (needs jansson), FCLIB (needs
// HDF5), and Siconos .dat of friction problems; what a build has is in tact_version(). Numbers are
// read and written with a decimal point whatever the locale says. A file has at most
// TACT_IO_MAX_BYTES; no array is allocated before the file has been found long enough to hold it.
// Doubtful content of a file is logged as a warning.
#ifndef TACT_IO_H
#define TACT_IO_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/contact.h>
#include <tact/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Largest file that is read, in bytes.
#define TACT_IO_MAX_BYTES ((size_t)1 << 30)

/// Largest problem whose matrix is made dense if the file has it sparse (2 GiB).
#define TACT_IO_MAX_DENSE 16384

// ---------------------------------------------------------------------------------------------
// Linear complementarity problems

typedef enum TactLcpKind {
    TACT_LCP_KIND_LCP,  // no free variables: a standard LCP, or one with bounds
    TACT_LCP_KIND_MLCP, // mixed: some variables are free, and their rows are equations
} TactLcpKind;

TACT_API const char               *tact_lcp_kind_name(TactLcpKind value);
TACT_API TACT_NODISCARD TactStatus tact_lcp_kind_find(const char *name, TactLcpKind *value);

/// A problem as stored in a file. In a mixed one the free variables (lo = -infinity, hi =
/// +infinity) come first, then the complementary ones (lo = 0), each in the order of the file; row
/// i belongs to variable i.
typedef struct TactLcpFile {
    const char    *name;    // its origin, for messages
    const char    *format;  // e.g. "Siconos, dense"
    TactLcpKind    kind;    //
    TactLcpProblem problem; // with M or M_csr, as the file stores it; its arrays belong to the file
    size_t         nonzeros; // entries of M that are not 0
    const int     *order;    // variable i is number order[i] of the file; NULL: number i  (n)
} TactLcpFile;

/// Reads a Siconos .dat file, LCP or MLCP, recognised by its first numbers.
/// TACT_IO_ERROR if it cannot be read, TACT_BAD_INPUT with file:line if it is malformed,
/// TACT_UNSUPPORTED if it is a valid file of another kind.
TACT_API TACT_NODISCARD TactStatus tact_lcp_read(const char *path, TactLcpFile **file);

/// The same from memory; name stands for the path in messages.
TACT_API TACT_NODISCARD TactStatus tact_lcp_read_memory(const char *name, const char *text,
                                                        size_t size, TactLcpFile **file);

/// Reads the arrays of a problem from Matrix Market files. lo and hi may be NULL: 0, +infinity.
/// Vectors are n x 1 or 1 x n; "inf" and "-inf" are read in lo and hi, which Matrix Market does not
/// define.
TACT_API TACT_NODISCARD TactStatus tact_lcp_read_mtx(const char *M, const char *q, const char *lo,
                                                     const char *hi, TactLcpFile **file);

TACT_API void tact_lcp_file_destroy(TactLcpFile *file);

/// Is sparse storage worthwhile: n >= 200 and less than 25 % of the entries not 0?
TACT_API bool tact_lcp_file_is_sparse(const TactLcpFile *file);

/// The problem with its matrix in the given storage, for methods that need it. A conversion is made
/// once and belongs to the file. TACT_UNSUPPORTED if n > TACT_IO_MAX_DENSE.
TACT_API TACT_NODISCARD TactStatus tact_lcp_file_get_problem(TactLcpFile    *file,
                                                             TactLcpStorage  storage,
                                                             TactLcpProblem *problem);

/// Writes PREFIX_M.mtx, PREFIX_q.mtx and, if the problem has bounds, PREFIX_lo.mtx and
/// PREFIX_hi.mtx, which tact_lcp_read_mtx() reads back exactly. Files are written atomically, under
/// another name first. TACT_IO_ERROR with path and reason.
TACT_API TACT_NODISCARD TactStatus tact_lcp_write_mtx(const TactLcpProblem *problem,
                                                      const char           *prefix);

/// Writes a Siconos .dat file, which tact_lcp_read() reads back exactly: an LCP, or an MLCP if some
/// variables are free; M dense, or as triplets if it is given as M_csr. Written atomically.
/// TACT_UNSUPPORTED if a variable has other bounds than 0 and +infinity, or -infinity and
/// +infinity.
TACT_API TACT_NODISCARD TactStatus tact_lcp_write_dat(const TactLcpProblem *problem,
                                                      const char           *path);

/// Writes one dense array, row-major (rows x columns), as a Matrix Market file.
TACT_API TACT_NODISCARD TactStatus tact_mtx_write(const char *path, int rows, int columns,
                                                  const double *values);

// ---------------------------------------------------------------------------------------------
// Contact problems

/// A problem as stored in a file.
///
/// JSON: bodies, M or W. FCLIB and Siconos, local: W and u_free = q.
/// Global, M v = H r + f, u = H' v + w: M with a step of 1 s, v = 0 and tau = f, so that v+ is
/// their v; the parts of w are bias and surface of a contact, G' v + b = 0 are bilateral rows.
/// Forces are their r.
typedef struct TactContactFile {
    const char        *name;      // its origin, for messages
    const char        *format;    // e.g. "FCLIB, global"
    const char        *title;     // from the file; "": none
    int                dimension; // 3, or 2: then tangent 2 is zero and does nothing
    TactContactProblem problem;   // checked; its arrays belong to the file
} TactContactFile;

/// Reads a contact problem; the format is recognised by its first bytes. TACT_IO_ERROR if it
/// cannot be read, TACT_BAD_INPUT with the line, the JSON path (contacts[3].normal) or the dataset
/// if it is malformed, TACT_UNSUPPORTED if it is a valid file that this function or this build
/// cannot read. Unknown members of a JSON object are logged.
TACT_API TACT_NODISCARD TactStatus tact_contact_read(const char *path, TactContactFile **file);

/// The same from memory; name stands for the path in messages.
TACT_API TACT_NODISCARD TactStatus tact_contact_read_memory(const char *name, const char *bytes,
                                                            size_t size, TactContactFile **file);

TACT_API void tact_contact_file_destroy(TactContactFile *file);

/// Reads an LCP or a contact problem: sets *lcp or *contact, and the other one to NULL.
TACT_API TACT_NODISCARD TactStatus tact_problem_read(const char *path, TactLcpFile **lcp,
                                                     TactContactFile **contact);

/// Writes a problem as JSON, which is read back exactly. The file is written atomically.
TACT_API TACT_NODISCARD TactStatus tact_contact_write_json(const TactContactProblem *problem,
                                                           const char               *path);

/// Writes a problem as FCLIB: local if it is given by W, otherwise global. The unknowns r are the
/// impulses of the step. FCLIB cannot store the step, ids or pyramids, which are lost.
/// TACT_UNSUPPORTED if it cannot store something that the answer depends on: motors, joint limits,
/// accelerations, compliance unless given by W, spinning friction, two coefficients of sliding, an
/// ellipsoid, rolling friction if given by W.
TACT_API TACT_NODISCARD TactStatus tact_contact_write_fclib(const TactContactProblem *problem,
                                                            const char               *path);

/// Writes a Siconos .dat file: FrictionContact with sparse blocks if the problem is given by W,
/// otherwise GlobalFrictionContact with triplets; five components a contact if one resists rolling.
/// The unknowns r are the impulses of the step, and what is lost or refused is as with FCLIB, but
/// rolling friction given by W is written and bilateral rows are refused. Numbers have all digits.
TACT_API TACT_NODISCARD TactStatus tact_contact_write_dat(const TactContactProblem *problem,
                                                          const char               *path);

/// Chooses the format by the file name extension: .json, .hdf5 or .h5, .dat.
TACT_API TACT_NODISCARD TactStatus tact_contact_write(const TactContactProblem *problem,
                                                      const char               *path);

#ifdef __cplusplus
}
#endif
#endif
