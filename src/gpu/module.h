// What a batch asks of its device: plain C functions in a table. One is the processor's
// (host_module.c); the one of CUDA is in a module of its own, which is loaded when it is wanted, so
// that the library knows no CUDA.
#ifndef TACT_GPU_MODULE_H
#define TACT_GPU_MODULE_H

#include <stddef.h>
#include <tact/contact_batch.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACT_GPU_MODULE_VERSION = 6, TACT_GPU_MESSAGE = 256, TACT_BODY_WORK = 20 };

/// A batch of one-body problems, or of mechanisms; all arrays are the device's.
typedef struct TactBodyBatch {
    TactBodyProblems      problems;   // of mechanisms count, stride, contacts and step only
    TactMechanismProblems mechanisms; // where dof > 0
    TactBodyAnswers       answers;
    int                   dof;        // 0: one-body problems
    int                   directions; // of the pyramid
    int                   circle;     // 1: the circular cone
    int                   warm;       // start from answers.basis
    int                   retries;    // with other covering vectors
    double                tol;        // of the certificate
    int                   threads;    // of a processor
    int                  *work;       // lists                            (TACT_BODY_WORK + 2 count)
} TactBodyBatch;

/// How its problems ended. The numbers of those that are left are at work + list.
typedef struct TactBodyCounts {
    int    kept, first, retried, left;
    int    list;
    double seconds;
} TactBodyCounts;

/// Rows of an array: of each so many bytes, every stride bytes.
typedef struct TactGpuRows {
    void  *memory;
    size_t stride;
} TactGpuRows;

/// Entries of the problems of a list: entry k of problem i is number [k * stride + i * step].
typedef struct TactGpuPicked {
    void      *device;
    int        entries;
    size_t     stride, step;
    const int *list; // of the device
    int        count;
    void      *queue; // that the copy waits for; NULL: all that was asked for before
} TactGpuPicked;

/// Whole steps: gpu/step/step_batch.h.
typedef struct TactStepBatch  TactStepBatch;
typedef struct TactStepCounts TactStepCounts;

/// Functions return 0, or 1 with a message.
typedef struct TactGpuModule {
    int version;
    int (*count_devices)(char message[TACT_GPU_MESSAGE]);
    int (*take)(size_t size, void **memory, char message[TACT_GPU_MESSAGE]);
    void (*give)(void *memory);
    int (*to_device)(TactGpuRows device, TactGpuRows host, size_t size, size_t rows,
                     char message[TACT_GPU_MESSAGE]);
    int (*to_host)(TactGpuRows host, TactGpuRows device, size_t size, size_t rows,
                   char message[TACT_GPU_MESSAGE]);
    int (*solve)(const TactBodyBatch *batch, TactBodyCounts *counts,
                 char message[TACT_GPU_MESSAGE]);
    /// Copies the entries of picked problems; on the host [k * count + i] if step is 1, else
    /// [i * entries + k]. NULL of a processor.
    int (*pick_doubles)(const TactGpuPicked *picked, void *host, char message[TACT_GPU_MESSAGE]);
    int (*pick_integers)(const TactGpuPicked *picked, void *host, char message[TACT_GPU_MESSAGE]);
    int (*put_doubles)(const TactGpuPicked *picked, const void *host,
                       char message[TACT_GPU_MESSAGE]);
    int (*put_integers)(const TactGpuPicked *picked, const void *host,
                        char message[TACT_GPU_MESSAGE]);
    /// One step of all worlds. NULL of a processor.
    int (*step)(const TactStepBatch *batch, TactStepCounts *counts, char message[TACT_GPU_MESSAGE]);
    /// A queue of work that runs beside others; steps of one batch are of one queue. NULL of a
    /// processor.
    int (*open_queue)(void **queue, char message[TACT_GPU_MESSAGE]);
    void (*close_queue)(void *queue);
    /// Zeros. NULL of a processor, whose memory is cleared when it is taken.
    int (*clear)(void *memory, size_t size, char message[TACT_GPU_MESSAGE]);
    /// Sensors of all worlds but those that the last step has left, after it; or (after 0) of the
    /// states as they are. NULL of a processor.
    int (*sense)(const TactStepBatch *batch, int after, char message[TACT_GPU_MESSAGE]);
} TactGpuModule;

/// What the module of CUDA exports.
__attribute__((visibility("default"))) const TactGpuModule *tact_gpu_module(void);

#ifndef __CUDACC__
#include "base/status.h"

extern const TactGpuModule tact_gpu_host_module;

/// Takes another module for that of CUDA: tests run kernels on a processor by it.
void tact_gpu_use_module(const TactGpuModule *module);

/// The module of a device. TACT_UNSUPPORTED, with the reason, where there is none.
TactStatus tact_gpu_find_module(TactDevice device, const TactGpuModule **module);
#endif

#ifdef __cplusplus
}
#endif
#endif
