// `tact check`: what a model file asks for, and what becomes of it.
#ifndef TACT_CLI_CHECK_CHECK_H
#define TACT_CLI_CHECK_CHECK_H

#include <stdbool.h>
#include <tact/load.h>

/// Notes on one attribute (or element) with one verdict and one text, all over the files.
typedef struct TactCheckGroup {
    const TactModelNote *first;
    int                  count;
} TactCheckGroup;

typedef struct TactCheckResult {
    const char           *file;
    const TactModelNotes *notes;
    TactStatus            status;
    char                  message[512]; // what is wrong, if status is not TACT_OK
    int                   group_count;
    TactCheckGroup       *groups; // in the order of their first places                (group_count)
} TactCheckResult;

/// Places of physics that is approximated or ignored.
int tact_check_unfaithful(const TactCheckResult *result);

void tact_check_print(const TactCheckResult *result, bool all);
/// false: no memory
int tact_check_print_json(const TactCheckResult *result, bool all);

#endif
