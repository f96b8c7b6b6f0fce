// nvcc: -arch=sm_75
// Atomics of every kind and type, on global and shared memory, with and without a use of the result.

extern "C" __global__ void atomic_int(const int* in, int* cells, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        atomicAdd(&cells[0], v);
        atomicSub(&cells[1], v);
        atomicMin(&cells[2], v);
        atomicMax(&cells[3], v);
        atomicAnd(&cells[4], v | 0xff);
        atomicOr(&cells[5], v & 0xf0f0);
        atomicXor(&cells[6], v);
        atomicMin((unsigned*) &cells[7], (unsigned) v);
        atomicMax((unsigned*) &cells[8], (unsigned) v);
        atomicInc((unsigned*) &cells[9], 9);
        atomicDec((unsigned*) &cells[10], 12);
    }
}

extern "C" __global__ void atomic_long(const long long* in, unsigned long long* cells, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        long long v = in[i];
        unsigned long long u = (unsigned long long) v;
        atomicAdd(&cells[0], u);
        atomicMin((long long*) &cells[1], v);
        atomicMax((long long*) &cells[2], v);
        atomicMin(&cells[3], u);
        atomicMax(&cells[4], u);
        atomicAnd(&cells[5], u | 0xffULL);
        atomicOr(&cells[6], u & 0xf0f0f0f0f0ULL);
        atomicXor(&cells[7], u);
    }
}

// Sums of small integers: exact in any order.
extern "C" __global__ void atomic_float(const int* in, float* single, double* twice, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&single[i & 3], (float) in[i]);
        atomicAdd(&twice[i & 3], in[i] * 0.5);
    }
}

// The old values: each number below the count once.
extern "C" __global__ void tickets(int* counter, int* owner) {
    int ticket = atomicAdd(counter, 1);
    owner[ticket] = blockIdx.x * blockDim.x + threadIdx.x + 1;
}

extern "C" __global__ void wrapping_tickets(unsigned* counter, unsigned* hits, unsigned limit) {
    unsigned old = atomicInc(counter, limit);
    atomicAdd(&hits[old], 1u);
    old = atomicDec(counter + 1, limit);
    atomicAdd(&hits[limit + 1 + old], 1u);
}

// Threads pass their number through one cell; nothing is lost.
extern "C" __global__ void exchange(
        int* cell, float* single, unsigned long long* wide, int* seen, int n) {
    int me = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int old = atomicExch(cell, me);
    atomicAdd(&seen[old], 1);
    float oldSingle = atomicExch(single, (float) me);
    atomicAdd(&seen[n + (int) oldSingle], 1);
    unsigned long long oldWide = atomicExch(wide, (unsigned long long) me << 40);
    atomicAdd(&seen[2 * n + (int) (oldWide >> 40)], 1);
}

// Multiplication by a loop of compare-and-swap, 32 and 64 bits.
extern "C" __global__ void cas_loop(unsigned* cell, unsigned long long* wide) {
    unsigned factor = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
    unsigned old = *(volatile unsigned*) cell;
    unsigned assumed;
    do {
        assumed = old;
        old = atomicCAS(cell, assumed, assumed * factor);
    } while (old != assumed);
    unsigned long long oldWide = *(volatile unsigned long long*) wide;
    unsigned long long assumedWide;
    do {
        assumedWide = oldWide;
        oldWide = atomicCAS(wide, assumedWide, assumedWide * factor);
    } while (oldWide != assumedWide);
}

extern "C" __global__ void shared_atomics(const int* in, long long* out) {
    __shared__ int ints[5];
    __shared__ unsigned long long sum;
    __shared__ float floats;
    __shared__ double doubles;
    int t = threadIdx.x;
    if (t == 0) {
        ints[0] = 0;
        ints[1] = 2147483647;
        ints[2] = -2147483647 - 1;
        ints[3] = 0;
        ints[4] = 5;
        sum = 0;
        floats = 0;
        doubles = 0;
    }
    __syncthreads();
    int v = in[blockIdx.x * blockDim.x + t];
    atomicAdd(&ints[0], v);
    atomicMin(&ints[1], v);
    atomicMax(&ints[2], v);
    atomicXor(&ints[3], v);
    atomicCAS(&ints[4], 5, 6);
    atomicAdd(&sum, (unsigned long long) v);
    atomicAdd(&floats, (float) (v & 15));
    atomicAdd(&doubles, (double) (v & 255));
    __syncthreads();
    if (t == 0) {
        long long* o = out + blockIdx.x * 8;
        for (int k = 0; k < 5; k++) {
            o[k] = ints[k];
        }
        o[5] = (long long) sum;
        o[6] = (long long) floats;
        o[7] = (long long) doubles;
    }
}

// Scopes: block and system.
extern "C" __global__ void scoped(int* cells) {
    atomicAdd_block(&cells[blockIdx.x], 1);
    atomicAdd_system(&cells[gridDim.x], 1);
    atomicMax_system(&cells[gridDim.x + 1], (int) threadIdx.x);
}
