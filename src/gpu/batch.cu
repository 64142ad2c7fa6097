// A batch of contact problems on a GPU: paths, certificate, other covering vectors for what is not
// certified. Lists are made and read on the device; the host waits once, at the end.
#define TACT_LANES_ONE
#include "gpu/body/body_certificate.h"
#include "gpu/body/body_directions.h"
#include "gpu/body/body_kernels.h"
#include "gpu/mechanism/mechanism_kernels.h"
#include "gpu/module.h"
#include "gpu/step/step_module.h"

#include <cstdio>
#include <cstring>

namespace {

enum { JUDGE_THREADS = 128, JUDGE_BLOCKS = 4 }; // blocks a multiprocessor

/// Counters of one try: problems taken, and how many were not certified. Try 0 is what there was
/// before the first: its places hold the number of all problems, and of the bases that were kept.
struct Try {
    int *counter, *count, *list, *kept;
};

Try try_of(const TactBodyBatch &batch, int attempt)
{
    int *place = batch.work + 2 * attempt;
    int *kept = batch.work + (attempt == 1 ? 1 : TACT_BODY_WORK - 1); // of later tries of no use
    return {place, place + 1, batch.work + TACT_BODY_WORK + (attempt % 2) * batch.problems.count,
            kept};
}

/// Certificate of the problems of a list, one a thread; those that fail are listed, and those that
/// hold without a pivot are counted.
__global__ void __launch_bounds__(JUDGE_THREADS, JUDGE_BLOCKS)
    certify(const __grid_constant__ TactBodyProblems problems,
            const __grid_constant__ TactBodyAnswers answers,
            const __grid_constant__ TactCertifyPyramid pyramid, int circle, double tol,
            const int *list, const int *list_count, int *left, int *left_count, int *kept)
{
    int count = *list_count, own = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
        int    i = list ? list[k] : k;
        double error = answers.pivots[i] < 0
                           ? INFINITY
                           : tact_body_certify(&problems, &answers, i,
                                               circle ? nullptr : &pyramid);
        answers.error[i] = error;
        if (!(error <= tol)) {
            left[atomicAdd(left_count, 1)] = i;
        } else {
            own += answers.pivots[i] == 0;
        }
    }
    own = __reduce_add_sync(0xffffffffu, own);
    if (own > 0 && threadIdx.x % TACT_WARP == 0) {
        atomicAdd(kept, own);
    }
}

int report(cudaError_t error, const char *doing, char *message)
{
    if (error != cudaSuccess) {
        std::snprintf(message, TACT_GPU_MESSAGE, "%s: %s", doing, cudaGetErrorString(error));
    }
    return error == cudaSuccess ? 0 : 1;
}

int count_devices(char *message)
{
    int count = 0;
    return report(cudaGetDeviceCount(&count), "looking for a GPU", message) ? -1 : count;
}

int take(size_t size, void **memory, char *message)
{
    cudaError_t error = cudaMalloc(memory, size);
    if (error != cudaSuccess) {
        std::snprintf(message, TACT_GPU_MESSAGE, "%zu bytes of the GPU's memory: %s", size,
                      cudaGetErrorString(error));
    }
    return error == cudaSuccess ? 0 : 1;
}

void give(void *memory)
{
    cudaFree(memory);
}

int to_device(TactGpuRows device, TactGpuRows host, size_t size, size_t rows, char *message)
{
    size_t least = size > 0 ? size : 1;
    return size == 0 ? 0
                     : report(cudaMemcpy2D(device.memory, rows > 1 ? device.stride : least,
                                           host.memory, rows > 1 ? host.stride : least, size, rows,
                                           cudaMemcpyHostToDevice),
                              "copying to the GPU", message);
}

int to_host(TactGpuRows host, TactGpuRows device, size_t size, size_t rows, char *message)
{
    size_t least = size > 0 ? size : 1;
    return size == 0 ? 0
                     : report(cudaMemcpy2D(host.memory, rows > 1 ? host.stride : least,
                                           device.memory, rows > 1 ? device.stride : least, size,
                                           rows, cudaMemcpyDeviceToHost),
                              "copying from the GPU", message);
}

/// Entries of the problems of a list, between arrays of a stride and one of a row an entry.
template <typename T, bool pack>
__global__ void move(T *device, T *packed, int entries, size_t stride, size_t step, const int *list,
                     int count)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < entries * count;
         k += gridDim.x * blockDim.x) {
        int entry = k / count, number = k % count;
        T  &there = device[(size_t)entry * stride + (size_t)list[number] * step];
        T  &here = packed[step == 1 ? k : number * entries + entry];
        if (pack) {
            here = there;
        } else {
            there = here;
        }
    }
}

/// Memory for a copy, in the order of a stream: taking and giving it waits for nothing else.
cudaError_t take_packed(size_t size, cudaStream_t stream, void **packed)
{
    return cudaMallocAsync(packed, size, stream);
}

template <typename T> int pick(const TactGpuPicked &picked, void *host, char *message)
{
    size_t       size = (size_t)picked.entries * (size_t)picked.count * sizeof(T);
    cudaStream_t stream = (cudaStream_t)tact_step_queue_stream(picked.queue);
    void        *packed = nullptr;
    if (report(take_packed(size, stream, &packed), "taking memory of the GPU", message)) {
        return 1;
    }
    move<T, true><<<256, 128, 0, stream>>>((T *)picked.device, (T *)packed, picked.entries,
                                           picked.stride, picked.step, picked.list, picked.count);
    int failed =
        report(cudaGetLastError(), "starting a kernel", message) ||
        report(cudaMemcpyAsync(host, packed, size, cudaMemcpyDeviceToHost, stream),
               "copying from the GPU", message) ||
        report(cudaStreamSynchronize(stream), "copying from the GPU", message);
    cudaFreeAsync(packed, stream);
    return failed;
}

template <typename T> int put(const TactGpuPicked &picked, const void *host, char *message)
{
    size_t       size = (size_t)picked.entries * (size_t)picked.count * sizeof(T);
    cudaStream_t stream = (cudaStream_t)tact_step_queue_stream(picked.queue);
    void        *packed = nullptr;
    if (report(take_packed(size, stream, &packed), "taking memory of the GPU", message)) {
        return 1;
    }
    int failed = report(cudaMemcpyAsync(packed, host, size, cudaMemcpyHostToDevice, stream),
                        "copying to the GPU", message);
    if (!failed) {
        move<T, false><<<256, 128, 0, stream>>>((T *)picked.device, (T *)packed, picked.entries,
                                                picked.stride, picked.step, picked.list,
                                                picked.count);
        failed = report(cudaStreamSynchronize(stream), "writing to the GPU", message);
    }
    cudaFreeAsync(packed, stream);
    return failed;
}

int pick_doubles(const TactGpuPicked *picked, void *host, char *message)
{
    return pick<double>(*picked, host, message);
}

int pick_integers(const TactGpuPicked *picked, void *host, char *message)
{
    return pick<int>(*picked, host, message);
}

int put_doubles(const TactGpuPicked *picked, const void *host, char *message)
{
    return put<double>(*picked, host, message);
}

int put_integers(const TactGpuPicked *picked, const void *host, char *message)
{
    return put<int>(*picked, host, message);
}

/// What the try before has left; try 0 is what there was before the first: all problems.
template <typename Task>
void fill(const TactBodyBatch &batch, int number, int attempt, Task *task)
{
    Try before = try_of(batch, number);
    task->answers = batch.answers;
    tact_body_put_directions(batch.directions, &task->directions);
    task->list = number == 0 ? nullptr : before.list;
    task->list_count = number == 0 ? batch.work : before.count;
    task->warm = attempt < 0 ? TACT_WARM_GIVEN : 0;
}

/// One try of what the try before has left, and its certificate. attempt < 0: the given bases.
cudaError_t attempt_bodies(const TactBodyBatch &batch, int number, int attempt, int processors)
{
    TactBodyTask task;
    Try          own = try_of(batch, number + 1);
    fill(batch, number, attempt, &task);
    // After the bases of the last step: from those that did not hold, or were refused.
    task.warm = batch.warm && number == 1 ? TACT_WARM_RESUME : task.warm;
    task.problems = batch.problems;
    tact_body_set_rules(&task, attempt < 0 ? 0 : attempt, batch.circle);
    int             contacts = batch.problems.contacts;
    TactBodyLaunch *const launches[2][3] = {
        {tact_body_launch_8, tact_body_launch_16, tact_body_launch_32},
        {tact_body_launch_8_circle, tact_body_launch_16_circle, tact_body_launch_32_circle},
    };
    TactBodyLaunch *launch =
        launches[batch.circle ? 1 : 0][contacts <= 8 ? 0 : contacts <= 16 ? 1 : 2];
    cudaError_t     error = launch(&task, own.counter, processors, 0);
    if (error != cudaSuccess) {
        return error;
    }
    certify<<<processors * JUDGE_BLOCKS, JUDGE_THREADS>>>(
        batch.problems, batch.answers, tact_body_pyramid(batch.directions), batch.circle, batch.tol,
        task.list, task.list_count, own.list, own.count, own.kept);
    return cudaGetLastError();
}

/// Have the first paths a kernel of their own? That of mechanisms with more than 8 contacts has room
/// for a smaller basis, enough for 97 of 100 robots with four legs; more of it fit on a
/// multiprocessor. What does not fit takes the same path once more.
bool begins_small(const TactBodyBatch &batch)
{
    return batch.dof > 0 && batch.dof <= 32 && batch.problems.contacts > 8 && !batch.circle;
}

/// small: the first paths of begins_small().
cudaError_t attempt_mechanisms(const TactBodyBatch &batch, int number, int attempt, bool small,
                               int processors)
{
    TactMechanismTask task;
    Try               own = try_of(batch, number + 1);
    fill(batch, number, attempt, &task);
    task.problems = batch.mechanisms;
    task.more = {};
    task.more.circle = batch.circle;
    tact_mechanism_set_rules(&task, attempt < 0 ? 0 : attempt);
    bool resumes = batch.warm && number == 1 && !batch.circle;
    task.warm = resumes ? TACT_WARM_RESUME : task.warm;
    TactMechanismLaunch *circle = batch.dof > 32                 ? tact_mechanism_launch_more_64
                                  : batch.problems.contacts <= 8 ? tact_mechanism_launch_circle_8
                                                                 : tact_mechanism_launch_circle_48;
    TactMechanismLaunch *launch = batch.circle                   ? circle
                                  : batch.dof > 32               ? tact_mechanism_launch_64
                                  : batch.problems.contacts <= 8 ? tact_mechanism_launch_8
                                  : small                        ? tact_mechanism_launch_16_small
                                                                 : tact_mechanism_launch_16;
    TactMechanismLists lists = {own.counter, own.list, own.count};
    return launch(&task, batch.tol, &lists, processors, 0);
}

int solve(const TactBodyBatch *batch, TactBodyCounts *counts, char *message)
{
    int         device = 0, processors = 0, work[TACT_BODY_WORK];
    float       time = 0;
    cudaEvent_t begin, end;
    std::memset(work, 0, sizeof work);
    work[0] = batch->problems.count;
    if (report(cudaGetDevice(&device), "asking for the GPU", message) ||
        report(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
               "asking for its processors", message) ||
        to_device({batch->work, 0}, {work, 0}, sizeof work, 1, message)) {
        return 1;
    }
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    cudaError_t error = cudaSuccess;
    int warm = batch->warm ? 1 : 0, paths = begins_small(*batch) ? 2 : 1; // tries of these
    int tries = warm + paths + batch->retries;
    for (int k = 0; k < tries && error == cudaSuccess; k++) {
        int attempt = k < warm ? -1 : k < warm + paths ? 0 : k - warm - paths + 1;
        error = batch->dof > 0 ? attempt_mechanisms(*batch, k, attempt, paths == 2 && k == warm,
                                                    processors)
                               : attempt_bodies(*batch, k, attempt, processors);
    }
    cudaEventRecord(end);
    int failed = report(error, "starting a kernel", message) ||
                 report(cudaEventSynchronize(end), "solving on the GPU", message) ||
                 to_host({work, 0}, {batch->work, 0}, sizeof work, 1, message);
    cudaEventElapsedTime(&time, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    if (failed) {
        return 1;
    }
    // What each try has left
    int first = work[2 * (warm + paths) + 1], last = work[2 * tries + 1];
    counts->kept = !warm ? 0 : batch->dof > 0 ? batch->problems.count - work[3] : work[1];
    counts->first = batch->problems.count - first;
    counts->retried = first - last;
    counts->left = last;
    counts->list = (int)(try_of(*batch, tries).list - batch->work);
    counts->seconds = 1e-3 * time;
    return 0;
}

int clear(void *memory, size_t size, char *message)
{
    return report(cudaMemset(memory, 0, size), "clearing memory of the GPU", message);
}

const TactGpuModule module = {
    TACT_GPU_MODULE_VERSION,
    count_devices,
    take,
    give,
    to_device,
    to_host,
    solve,
    pick_doubles,
    pick_integers,
    put_doubles,
    put_integers,
    tact_step_batch_run,
    tact_step_queue_open,
    tact_step_queue_close,
    clear,
    tact_step_batch_sense,
};

} // namespace

extern "C" const TactGpuModule *tact_gpu_module(void)
{
    return &module;
}
