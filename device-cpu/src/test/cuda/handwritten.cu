// nvcc: -arch=sm_75
// What other compilers and hand-written PTX contain, but nvcc does not write.

// Reductions without a result, on global and shared memory.
extern "C" __global__ void reds(const int* in, int* cells, int n) {
    __shared__ unsigned sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned address = (unsigned) __cvta_generic_to_shared(&sum);
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    if (i < n) {
        int v = in[i];
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(v) : "memory");
        asm volatile("red.global.add.s32 [%0], %1;" ::"l"(cells), "r"(v) : "memory");
        asm volatile("red.global.max.s32 [%0], %1;" ::"l"(cells + 1), "r"(v) : "memory");
        asm volatile("red.relaxed.gpu.global.xor.b32 [%0], %1;" ::"l"(cells + 2), "r"(v) : "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("red.add.u32 [%0+12], %1;" ::"l"(cells), "r"(sum) : "memory");
    }
}

// The block that draws ticket 0 writes, the others wait for its flag.
extern "C" __global__ void release_acquire(int* ticket, int* flag, int* data, int* out) {
    if (threadIdx.x == 0) {
        int mine = atomicAdd(ticket, 1);
        if (mine == 0) {
            data[0] = 41;
            data[1] = 1;
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
        } else {
            int seen;
            do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
            } while (seen == 0);
        }
        int a;
        int b;
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(a) : "l"(data) : "memory");
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(b) : "l"(data + 1) : "memory");
        out[blockIdx.x] = a + b;
    }
}

// A jump table.
extern "C" __global__ void jump_table(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int result;
    asm volatile(
        "{\n\t"
        "targets: .branchtargets zero, one, two;\n\t"
        "brx.idx %1, targets;\n"
        "zero:\n\t"
        "mov.b32 %0, 100;\n\t"
        "bra.uni done;\n"
        "one:\n\t"
        "mov.b32 %0, 201;\n"
        "two:\n\t"
        "mov.b32 %0, 302;\n"
        "done:\n\t"
        "}"
        : "=r"(result)
        : "r"(in[i]));
    out[i] = result + i;
}

// Some threads end in the middle of the text, by a predicated exit; the others meet at a barrier.
extern "C" __global__ void predicated_exit(const int* in, int* out) {
    __shared__ int count;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    int v = in[i];
    asm volatile("{ .reg .pred negative; setp.lt.s32 negative, %0, 0; @negative exit; }" ::"r"(v));
    atomicAdd(&count, 1);
    __syncthreads();
    out[i] = count;
}
