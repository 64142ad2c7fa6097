// The arrays of a batch in one block of memory: of one-body problems, or of mechanisms.
#ifndef TACT_GPU_BATCH_LAYOUT_H
#define TACT_GPU_BATCH_LAYOUT_H

#include "gpu/module.h"

/// What a batch consists of. dof 0: one-body problems.
typedef struct TactBatchShape {
    int dof, contacts;
} TactBatchShape;

/// Doubles of a problem, and of its answer.
size_t tact_batch_problem_numbers(TactBatchShape shape);
size_t tact_batch_answer_numbers(TactBatchShape shape);

/// Integers of an answer: pivots, and a basis.
size_t tact_batch_answer_integers(TactBatchShape shape);

/// Bytes of so many problems with their answers and lists.
size_t tact_batch_bytes(TactBatchShape shape, size_t count);

/// Optional arrays, also where problems do not have them.
typedef struct TactBatchOptional {
    double *bias;
    int    *active;
} TactBatchOptional;

/// Doubles of problems, of answers, integers of answers, contacts that are active, lists.
void tact_batch_place(TactBatchShape shape, size_t count, void *block, TactBodyBatch *batch,
                      TactBatchOptional *optional);

/// Arrays of a device and of the host beside each other.
typedef struct TactBatchArrays {
    const void *of[2]; // of the device; of the host
    size_t      rows;
    size_t      size; // of an entry
} TactBatchArrays;

enum { TACT_BATCH_MOST_ARRAYS = 9 };

/// How many there are; those that the host does not have are left out.
int tact_batch_list_bodies(const TactBodyProblems *device, const TactBodyProblems *host,
                           TactBatchArrays out[TACT_BATCH_MOST_ARRAYS]);
int tact_batch_list_mechanisms(const TactMechanismProblems *device,
                               const TactMechanismProblems *host,
                               TactBatchArrays              out[TACT_BATCH_MOST_ARRAYS]);
int tact_batch_list_answers(TactBatchShape shape, const TactBodyAnswers *device,
                            const TactBodyAnswers *host,
                            TactBatchArrays        out[TACT_BATCH_MOST_ARRAYS]);

#endif
