// flags: -rdc=true
// forms: shared static
// Kernels that launch kernels: sorting by parts, in order, behind each other, and as deep as it goes.
#include "check.h"

__global__ void insertion_sort(unsigned *data, int left, int right)
{
    for (int i = left + 1; i <= right; i++)
        for (int k = i; k > left && data[k - 1] > data[k]; k--) {
            unsigned kept = data[k];
            data[k] = data[k - 1];
            data[k - 1] = kept;
        }
}

__global__ void quick_sort(unsigned *data, int left, int right, int depth)
{
    if (right - left < 32 || depth >= 16) {
        insertion_sort<<<1, 1>>>(data, left, right);
        return;
    }
    unsigned pivot = data[(left + right) / 2];
    int low = left, high = right;
    while (low <= high) {
        while (data[low] < pivot)
            low++;
        while (data[high] > pivot)
            high--;
        if (low <= high) {
            unsigned kept = data[low];
            data[low++] = data[high];
            data[high--] = kept;
        }
    }
    cudaStream_t streams[2];
    cudaStreamCreateWithFlags(&streams[0], cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking);
    if (left < high)
        quick_sort<<<1, 1, 0, streams[0]>>>(data, left, high, depth + 1);
    if (low < right)
        quick_sort<<<1, 1, 0, streams[1]>>>(data, low, right, depth + 1);
    cudaStreamDestroy(streams[0]);
    cudaStreamDestroy(streams[1]);
}

__global__ void add(int *cell, int by)
{
    *cell = *cell * 2 + by;
}

__global__ void follow(int *cell)
{
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(cell, 1);
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(cell, 2);
    add<<<1, 1>>>(cell, 3);
    add<<<1, 1>>>(cell, 4);
}

__global__ void down(int *deepest, int *error, int depth)
{
    *deepest = depth;
    down<<<1, 1>>>(deepest, error, depth + 1);
    cudaError_t last = cudaGetLastError();
    if (last != cudaSuccess)
        *error = last;
}

__global__ void many(int *taken, int launches)
{
    for (int i = 0; i < launches; i++) {
        add<<<1, 1>>>(taken + 1, 0);
        if (cudaGetLastError() != cudaErrorLaunchPendingCountExceeded)
            *taken += 1;
    }
}

int main()
{
    const int count = 20000;
    unsigned *data;
    int *cells;
    CHECK(cudaMallocManaged(&data, count * sizeof *data));
    CHECK(cudaMallocManaged(&cells, 4 * sizeof *cells));
    unsigned seed = 1;
    for (int i = 0; i < count; i++)
        data[i] = seed = seed * 1664525u + 1013904223u;
    quick_sort<<<1, 1>>>(data, 0, count - 1, 0);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (int i = 1; i < count; i++)
        REQUIRE(data[i - 1] <= data[i], "element %d", i);

    cells[0] = 0;
    follow<<<1, 1>>>(cells);
    CHECK(cudaDeviceSynchronize());
    REQUIRE(cells[0] == (((3) * 2 + 4) * 2 + 1) * 2 + 2, "%d", cells[0]);

    cells[1] = 0;
    down<<<1, 1>>>(cells, cells + 1, 0);
    CHECK(cudaDeviceSynchronize());
    REQUIRE(cells[0] == 24 && cells[1] == cudaErrorLaunchMaxDepthExceeded, "depth %d, error %d", cells[0], cells[1]);

    // What is on the host's stream afterwards comes after all of it.
    cells[0] = 0;
    cells[1] = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 50));
    many<<<1, 1>>>(cells, 500);
    add<<<1, 1>>>(cells + 1, 1);
    CHECK(cudaDeviceSynchronize());
    REQUIRE(cells[0] >= 50 && cells[0] <= 500, "%d launches were taken", cells[0]);
    REQUIRE(cells[1] == 1, "%d", cells[1]);

    CHECK(cudaFree(data));
    CHECK(cudaFree(cells));
    printf("ok\n");
    return 0;
}
