// What the parts of `tact info` share.
#ifndef TACT_CLI_INFO_INFO_H
#define TACT_CLI_INFO_INFO_H

#include <stdbool.h>
#include <tact/dynamics.h>
#include <tact/load.h>
#include <tact/model.h>

/// The model at one state.
typedef struct TactInfo {
    const char           *path;
    const TactModel      *model;
    const TactModelNotes *notes;
    char                  state[128]; // "reference", "keyframe 'home'" or "--qpos"
    bool                  asked;      // for a state other than the reference
    double               *q;          //                                             (nq)
    double               *v;          //                                             (nv)
    double               *M;          // with --qpos or --qvel; else NULL             (nv x nv)
    double               *bias;       // Coriolis, centrifugal and gravity forces     (nv)
    double               *qacc;       // acceleration by these alone                  (nv)
    TactTransform        *poses;      // of bodies in the world                      (body_count)
} TactInfo;

/// How many notes say that physics is approximated, or ignored.
int tact_info_count_notes(const TactModelNotes *notes, TactVerdict verdict);

/// M, bias and qacc of the state; false: said why on standard error.
bool tact_info_find_dynamics(TactInfo *info);
void tact_info_free_dynamics(TactInfo *info);

void tact_info_print(const TactInfo *info);
int  tact_info_print_json(const TactInfo *info);

// ---------------------------------------------------------------------------------------------
// Tables: cells are added row by row; columns are as wide as they need to be.

enum { TACT_INFO_MAX_COLUMNS = 12 };

typedef struct TactInfoColumn {
    const char *head;
    bool        right;    // its cells stand at the right
    bool        optional; // left out if all its cells are "" or "0"
} TactInfoColumn;

typedef struct TactInfoTable {
    const TactInfoColumn *columns;
    int                   column_count;
    int                   cell_count;
    int                   capacity;
    char                **cells; // row by row                                  (cell_count)
} TactInfoTable;

TactInfoTable tact_info_table(const TactInfoColumn *columns, int column_count);
__attribute__((format(printf, 2, 3))) void tact_info_cell(TactInfoTable *table, const char *format,
                                                          ...);
/// Prints the table after an empty line, unless it has no rows, and frees it.
void tact_info_table_print(TactInfoTable *table);

#endif
