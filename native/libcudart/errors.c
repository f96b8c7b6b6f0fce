/* Errors of the runtime, and the last one of each thread.
 *
 * An error that ended a context stays: every later call answers with it, and cudaGetLastError does not
 * clear it. It ends with cudaDeviceReset. */
#include "runtime.h"

static _Atomic unsigned resets;

static _Thread_local struct {
    cudaError_t error;
    unsigned resets; /* when it happened */
} last __attribute__((tls_model("initial-exec")));

/* Most numbers are the same in both APIs. */
cudaError_t facet_error(CUresult result)
{
    return (cudaError_t)result;
}

static bool stays(cudaError_t error)
{
    switch (error) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
        return true;
    default:
        return false;
    }
}

static void forget_if_reset(void)
{
    if (last.error != cudaSuccess && stays(last.error) && last.resets != atomic_load_explicit(&resets, memory_order_relaxed))
        last.error = cudaSuccess;
}

/* Every copy of the vendor's runtime in a program remembers an error of its own; ours stands for all of them. So what is an answer and
 * no failure is not remembered: a library that looks for errors of its own would take it for one of those. */
cudaError_t facet_latch(cudaError_t error)
{
    if (__builtin_expect(error != cudaSuccess && error != cudaErrorNotReady, 0)) {
        forget_if_reset();
        if (!stays(last.error)) {
            last.error = error;
            last.resets = atomic_load_explicit(&resets, memory_order_relaxed);
        }
    }
    return error;
}

cudaError_t facet_finish(CUresult result)
{
    return facet_latch(facet_error(result));
}

void facet_errors_forgive(void)
{
    atomic_fetch_add(&resets, 1);
}

cudaError_t facet_cudaPeekAtLastError(void)
{
    forget_if_reset();
    return last.error;
}

cudaError_t facet_cudaGetLastError(void)
{
    forget_if_reset();
    cudaError_t error = last.error;
    if (!stays(error))
        last.error = cudaSuccess;
    return error;
}
