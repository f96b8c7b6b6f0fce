// nvcc: -arch=sm_80 -rdc=true
// Kernels that launch kernels, as CUDA 12 and 13 compile them.

extern "C" __global__ void number(int *out, int base)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[base + i] = base + i;
}

// Each thread launches two blocks of 32 threads.
extern "C" __global__ void fan(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        number<<<2, 32>>>(out, 64 * i);
}

// 2^(depth+1) - 1 launches of one thread.
extern "C" __global__ void tree(int *count, int depth)
{
    atomicAdd(count, 1);
    if (depth > 0) {
        tree<<<1, 1>>>(count, depth - 1);
        tree<<<1, 1>>>(count, depth - 1);
    }
}

// Goes down as long as that is allowed, and leaves the depth and the error.
extern "C" __global__ void down(int *result, int depth)
{
    result[0] = depth;
    down<<<1, 1>>>(result, depth + 1);
    int error = cudaGetLastError();
    if (error != 0)
        result[1] = error;
}

// Whether steps come one after the other shows in the result.
extern "C" __global__ void step(int *cell, int k)
{
    *cell = *cell * 3 + k;
}

extern "C" __global__ void in_order(int *cells, int steps)
{
    for (int k = 0; k < steps; k++)
        step<<<1, 1>>>(cells + blockIdx.x, k);
}

// What follows sees what all others have done.
extern "C" __global__ void sum(int *cells, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += cells[i];
    cells[n] = cells[n] * 2 + all;
}

extern "C" __global__ void tail(int *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        sum<<<1, 1, 0, cudaStreamTailLaunch>>>(cells, n);
        sum<<<1, 1, 0, cudaStreamTailLaunch>>>(cells, n);
    }
    if (i < n)
        step<<<1, 1, 0, cudaStreamFireAndForget>>>(cells + i, i);
}

// Follows itself, far more often than launches may be nested.
extern "C" __global__ void again(int *cell, int left)
{
    *cell += 1;
    if (left > 0)
        again<<<1, 1, 0, cudaStreamTailLaunch>>>(cell, left - 1);
}

extern "C" __global__ void streams(int *cells, int *errors)
{
    cudaStream_t one, other;
    cudaEvent_t event;
    errors[0] = cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    errors[1] = cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    errors[2] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    for (int k = 0; k < 8; k++) {
        step<<<1, 1, 0, k % 2 == 0 ? one : other>>>(cells, k);
        errors[3] |= cudaEventRecord(event, k % 2 == 0 ? one : other);
        errors[4] |= cudaStreamWaitEvent(k % 2 == 0 ? other : one, event, 0);
    }
    errors[5] = cudaMemcpyAsync(cells + 1, cells, sizeof(int), cudaMemcpyDeviceToDevice, one);
    errors[6] = cudaMemsetAsync(cells + 2, 0x11, sizeof(int), one);
    errors[7] = cudaMemcpy2DAsync(cells + 3, 4, cells + 1, 4, 4, 2, cudaMemcpyDeviceToDevice, one);
    errors[8] = cudaMemset2DAsync(cells + 5, 8, 0x22, 4, 2, one);
    errors[9] = cudaEventDestroy(event);
    errors[10] = cudaStreamDestroy(one);
    errors[11] = cudaStreamDestroy(other);
    errors[12] = cudaStreamDestroy(other);
}

__device__ void (*chosen)(int *, int) = step;

extern "C" __global__ void by_pointer(int *cell)
{
    chosen<<<1, 1>>>(cell, 7);
}

struct Large {
    int values[64];
};

__global__ void large(int *out, char c, Large of, double x)
{
    out[threadIdx.x] = of.values[threadIdx.x] + c + (int)x;
}

extern "C" __global__ void structures(int *out)
{
    Large of;
    for (int i = 0; i < 64; i++)
        of.values[i] = i * i;
    large<<<1, 64>>>(out, 5, of, 2.5);
}

extern __shared__ int dynamic[];

__global__ void shared(int *out, int n)
{
    dynamic[threadIdx.x] = n - threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[n - 1 - threadIdx.x];
}

extern "C" __global__ void with_shared(int *out, int n)
{
    shared<<<1, n, n * sizeof(int)>>>(out, n);
}

// What cannot be launched, and what the error says.
extern "C" __global__ void errors(int *out, int *unused)
{
    number<<<1, 2048>>>(unused, 0);
    out[0] = cudaPeekAtLastError();
    out[1] = cudaGetLastError();
    out[2] = cudaGetLastError();
    number<<<1, 32, 1 << 30>>>(unused, 0);
    out[3] = cudaGetLastError();
    number<<<dim3(1, 70000), 32>>>(unused, 0);
    out[4] = cudaGetLastError();
    number<<<0x80000000u, 32>>>(unused, 0);
    out[5] = cudaGetLastError();
    number<<<0xffffffffu, 1>>>(unused, 0);
    out[6] = cudaGetLastError();
    number<<<0, 32>>>(unused, 0);
    out[7] = cudaGetLastError();
    number<<<1, 32, 0, (cudaStream_t)0x1234>>>(unused, 0);
    out[8] = cudaGetLastError();
    number<<<1, 32, 0xffffffffu>>>(unused, 0);
    out[9] = cudaGetLastError();
    out[10] = cudaMemcpyAsync((void *)16, unused, 4, cudaMemcpyDeviceToDevice, 0);
    out[11] = cudaMemsetAsync(unused, 0, 1ull << 62, 0);
    out[12] = cudaMemset2DAsync(unused, 1ull << 62, 0, 4, 1ull << 62, 0);
    const char *name = cudaGetErrorName(cudaErrorInvalidConfiguration);
    for (int i = 0; i < 32 && name[i] != 0; i++)
        out[13 + i] = name[i];
}

extern "C" __global__ void queries(int *out)
{
    cudaFuncAttributes attributes;
    size_t limit;
    cudaGetDevice(out);
    cudaDeviceGetAttribute(out + 1, cudaDevAttrWarpSize, 0);
    cudaDeviceGetAttribute(out + 2, cudaDevAttrMultiProcessorCount, 0);
    out[3] = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
    out[4] = (int)limit;
    out[5] = cudaFuncGetAttributes(&attributes, shared);
    out[6] = attributes.maxThreadsPerBlock;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(out + 7, shared, 256, 0);
    shared<<<1, 1, 4>>>(out + 9, 1);
    out[8] = cudaDeviceGetAttribute(out + 1, cudaDevAttrWarpSize, 3);
}

// So many launches by one block, each after the other; counts those that were taken.
extern "C" __global__ void many(int *count, int *taken, int launches)
{
    for (int i = 0; i < launches; i++) {
        tree<<<1, 1>>>(count, 0);
        if (cudaGetLastError() == cudaSuccess)
            *taken += 1;
    }
}

// Twice as many at each level: what would never end.
extern "C" __global__ void bomb(int *begun)
{
    begun[0] = 1;
    bomb<<<1, 32>>>(begun);
    bomb<<<1, 32, 0, cudaStreamFireAndForget>>>(begun);
    bomb<<<1, 1, 0, cudaStreamTailLaunch>>>(begun);
}
