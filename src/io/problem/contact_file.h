// The parts of a contact problem as a reader finds them, and the file they become.
#ifndef TACT_IO_PROBLEM_CONTACT_FILE_H
#define TACT_IO_PROBLEM_CONTACT_FILE_H

#include <tact/io.h>

/// What a reader has found; zeroed at first. Arrays are from tact_allocate(); NULL: none.
typedef struct TactContactParts {
    const char      *format;
    char            *title;     // NULL: none
    int              dimension; // 2 or 3
    double           step;
    TactContactLevel level;
    int              body_count;
    TactContactBody *bodies; // (body_count)
    int              nv;
    double          *M;            // (nv x nv)
    int             *parent;       // (nv)
    double          *v;            // (nv)
    double          *tau;          // (nv)
    double          *W;            // (3 contact_count x 3 contact_count)
    double          *u_free;       // (3 contact_count)
    size_t          *block_start;  // W by its blocks                      (contact_count + 1)
    int             *block_column; //
    double          *block_value;  //
    int              contact_count;
    TactContact     *contacts; // their J point into J                     (contact_count)
    double          *J;        // (contact_count x 3 x nv)
    int              row_count;
    TactContactRow  *rows;  // their J point into row_J                    (row_count)
    double          *row_J; // (row_count x nv)
} TactContactParts;

void tact_contact_parts_destroy(TactContactParts *parts);

/// Makes a checked problem of the parts, which are taken over or destroyed, whatever is returned.
TactStatus tact_contact_file_create(const char *name, TactContactParts *parts,
                                    TactContactFile **file);

#endif
