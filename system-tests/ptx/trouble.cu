// Kernels of the neighbour, which must not notice anything, and of those beside it. Compiled to
// trouble.ptx by `compile`.
#include <cassert>
#include <cstdio>

extern "C" {

__device__ unsigned marks[1024];

// One round of the neighbour: integers, floats, local and shared memory, a barrier, atomics. What comes
// out depends on every bit of what was there before.
__global__ void mix(unsigned *state, float *numbers, unsigned *sum, int steps) {
    __shared__ unsigned row[256];
    unsigned kept[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = state[i];
    float number = numbers[i];
    for (int k = 0; k < 8; k++) {
        kept[k] = value + k;
    }
    for (int k = 0; k < steps; k++) {
        value ^= value << 13;
        value ^= value >> 17;
        value ^= value << 5;
        kept[value & 7] += value;
        number = number * 0.9990234375f + (float)(value >> 20) * 0.25f;
    }
    for (int k = 0; k < 8; k++) {
        value = value * 31 + kept[k];
    }
    row[threadIdx.x] = value;
    __syncthreads();
    value += row[(threadIdx.x + 77) % blockDim.x];
    state[i] = value;
    numbers[i] = number;
    atomicAdd(sum, value);
    atomicAdd(&marks[i % 1024], value);
}

__global__ void empty() {}

__global__ void store_at(unsigned *to, unsigned value) { *to = value; }

__global__ void store_misaligned(char *to) { *(volatile unsigned *)(to + 1) = 7; }

__global__ void fail_assert(int value) { assert(value == 0); }

__global__ void trap_now() { __trap(); }

__device__ __noinline__ unsigned sink(unsigned depth, unsigned *to) {
    volatile unsigned frame[64];
    frame[depth % 64] = depth;
    if (depth == 0xffffffffu) {
        return *to;
    }
    return sink(depth + 1, to) + frame[depth % 64];
}

__global__ void recurse(unsigned *to) { *to = sink(0, to); }

__global__ void endless(volatile unsigned *to) {
    unsigned value = 1;
    while (value != 0) {
        value = value * 5 + 1 | 1;
    }
    *to = value;
}

// Half of the threads wait where the others never come.
__global__ void deadlock() {
    if (threadIdx.x < 16) {
        asm volatile("barrier.sync 1, 64;");
    } else {
        asm volatile("barrier.sync 2, 64;");
    }
}

__global__ void chatter(int lines) {
    for (int i = 0; i < lines; i++) {
        printf("block %d thread %d line %d of much that nobody wants to read\n", blockIdx.x, threadIdx.x, i);
    }
}

// ---- what memory shows that nobody has written

__global__ void write_pattern(unsigned *to, long count, unsigned pattern) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < count; i += (long)gridDim.x * blockDim.x) {
        to[i] = pattern;
    }
}

// Counts words that have the pattern in [1], words that are not 0 in [0].
__device__ void look(unsigned word, unsigned pattern, unsigned *found) {
    if (word != 0) {
        atomicAdd(&found[0], 1);
    }
    if (word == pattern) {
        atomicAdd(&found[1], 1);
    }
}

__global__ void find_pattern(const unsigned *in, long count, unsigned pattern, unsigned *found) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < count; i += (long)gridDim.x * blockDim.x) {
        look(in[i], pattern, found);
    }
}

extern __shared__ unsigned dynamic[];

__global__ void write_shared(int words, unsigned pattern) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        ((volatile unsigned *)dynamic)[i] = pattern;
    }
}

__global__ void find_shared(int words, unsigned pattern, unsigned *found) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        look(((volatile unsigned *)dynamic)[i], pattern, found);
    }
}

__global__ void write_local(unsigned pattern) {
    volatile unsigned frame[512];
    for (int i = 0; i < 512; i++) {
        frame[i] = pattern;
    }
}

__global__ void find_local(unsigned pattern, unsigned *found) {
    volatile unsigned frame[512];
    for (int i = 0; i < 512; i++) {
        look(frame[i], pattern, found);
    }
}

__global__ void write_heap(int words, unsigned pattern, int keep) {
    unsigned *memory = (unsigned *)malloc(words * 4);
    if (memory != nullptr) {
        for (int i = 0; i < words; i++) {
            ((volatile unsigned *)memory)[i] = pattern;
        }
        if (!keep) {
            free(memory);
        }
    }
}

__global__ void find_heap(int words, unsigned pattern, unsigned *found) {
    volatile unsigned *memory = (unsigned *)malloc(words * 4);
    if (memory != nullptr) {
        for (int i = 0; i < words; i++) {
            look(memory[i], pattern, found);
        }
        free((void *)memory);
    }
}

__global__ void write_marks(unsigned pattern) { marks[threadIdx.x] = pattern; }

__global__ void find_marks(unsigned pattern, unsigned *found) { look(marks[threadIdx.x], pattern, found); }

// Arguments that fill their place, and a look at what is behind short ones.
struct Large {
    unsigned words[1000];
};

__global__ void take_large(Large large, unsigned *found) {
    found[2] = large.words[threadIdx.x];
}

}
