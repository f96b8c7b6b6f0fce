// nvcc: -arch=sm_75
// Constant memory and device globals, with initialisers that hold addresses.

extern "C" {
__constant__ int coefficients[8] = {1, -2, 3, -4, 5, -6, 7, -8};
__constant__ double scale = 0.25;
__constant__ int uploaded[64];

__device__ int counters[4] = {10, 20, 30, 40};
__device__ int* counterPointer = &counters[2];
__device__ float grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
__device__ const char* const words[3] = {"zero", "one", "three!"};
__device__ long long untouched;
__device__ unsigned char bytes[5] = {1, 2, 250, 4, 5};
__device__ short halves[3] = {-1, 300, -300};
}

struct Entry {
    int id;
    const int* values;
    const Entry* next;
    double weight;
};

extern "C" {
__device__ int first[3] = {1, 2, 3};
__device__ int second[2] = {10, 20};
__device__ Entry tail = {2, second, nullptr, 0.5};
__device__ Entry head = {1, first + 1, &tail, 1.5};
__constant__ int* const constantPointers[2] = {&counters[1], second};
}

extern "C" __global__ void constants(const int* in, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < 8; k++) {
            sum += coefficients[(i + k) & 7] * in[i] * (k + 1);
        }
        out[i] = sum * scale + uploaded[in[i] & 63];
    }
}

extern "C" __global__ void pointers(long long* out) {
    out[0] = *counterPointer;
    out[1] = counterPointer[1];
    out[2] = *constantPointers[0];
    out[3] = constantPointers[1][1];
    out[4] = head.values[1];
    out[5] = head.next->values[0];
    out[6] = head.next->next == nullptr;
    out[7] = (long long) (head.weight * 4 + head.next->weight * 100);
    out[8] = words[2][5];
    out[9] = words[blockIdx.x + 1][0];
    out[10] = bytes[2] + bytes[4];
    out[11] = halves[1] + halves[2] * 2 + halves[0];
    out[12] = (long long) grid[2][blockDim.x & 3];
    out[13] = untouched;
}

extern "C" __global__ void bump(int by) {
    atomicAdd(&counters[threadIdx.x & 3], by);
    if (threadIdx.x == 0) {
        untouched += by;
        counterPointer = &counters[0];
    }
}
