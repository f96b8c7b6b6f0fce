// nvcc: -arch=sm_75
// Local arrays with an index known only at run time.

extern "C" __global__ void local_histogram(const int* in, int* out, int count) {
    int bins[16];
    for (int b = 0; b < 16; b++) {
        bins[b] = 0;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < count; k++) {
        bins[in[i * count + k] & 15]++;
    }
    int best = 0;
    for (int b = 1; b < 16; b++) {
        if (bins[b] > bins[best]) {
            best = b;
        }
    }
    out[i] = best * 1000 + bins[best];
}

// A stack machine: push, add, multiply, swap.
extern "C" __global__ void stack_machine(const int* program, int length, const int* in, int* out) {
    int stack[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int top = 0;
    for (int pc = 0; pc < length; pc++) {
        int word = program[pc];
        switch (word) {
            case -1: {
                stack[top - 2] += stack[top - 1];
                top--;
                break;
            }
            case -2: {
                stack[top - 2] *= stack[top - 1];
                top--;
                break;
            }
            case -3: {
                int swap = stack[top - 1];
                stack[top - 1] = stack[top - 2];
                stack[top - 2] = swap;
                break;
            }
            case -4: stack[top++] = in[i]; break;
            default: stack[top++] = word; break;
        }
    }
    out[i] = stack[0];
}

// Local memory must survive barriers, and belong to one thread.
extern "C" __global__ void local_barrier(const int* in, double* out) {
    double mine[8];
    __shared__ int turn[64];
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) {
        mine[in[(t + k) & 63] & 7] = t + k * 0.5;
        mine[k] = k + t;
    }
    turn[t] = in[t] & 7;
    for (int round = 0; round < 4; round++) {
        __syncthreads();
        int index = turn[(t + round) & 63];
        __syncthreads();
        mine[index] += round + 1;
        turn[t] = (index + t) & 7;
    }
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        sum = sum * 2 + mine[k];
    }
    out[blockIdx.x * 64 + t] = sum;
}
