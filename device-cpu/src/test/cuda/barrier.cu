// nvcc: -arch=sm_75 also=sm_100
// Barriers in awkward places: after early exits, in loops, with reductions, with names.

// Threads at or beyond n leave; the others meet at the barrier without them.
extern "C" __global__ void early_exit(const int* in, int* out, int n) {
    extern __shared__ int box[];
    int t = threadIdx.x;
    if (t >= n) {
        return;
    }
    box[t] = in[blockIdx.x * n + t];
    __syncthreads();
    out[blockIdx.x * n + t] = box[n - 1 - t];
}

// Each round some more threads leave: thread t takes part in rounds 0..t.
extern "C" __global__ void staircase(int* out) {
    __shared__ int sum[2];
    int t = threadIdx.x;
    if (t < 2) {
        sum[t] = 0;
    }
    __syncthreads();
    for (int round = 0; round <= t; round++) {
        atomicAdd(&sum[round & 1], 1);
        __syncthreads();
        if (t == blockDim.x - 1) {
            out[blockIdx.x * blockDim.x + round] = sum[round & 1];
            sum[round & 1] = 0;
        }
        __syncthreads();
    }
}

// The trip count is data, the same for all threads of a block.
extern "C" __global__ void uniform_trips(const int* trips, int* out) {
    extern __shared__ int ring[];
    int t = threadIdx.x;
    int n = blockDim.x;
    ring[t] = t;
    __syncthreads();
    int count = trips[blockIdx.x];
    for (int i = 0; i < count; i++) {
        int next = ring[(t + 1) % n];
        __syncthreads();
        ring[t] = next + (i & 1);
        __syncthreads();
    }
    out[blockIdx.x * n + t] = ring[t];
}

// The end of the loop is decided by thread 0 in shared memory.
extern "C" __global__ void shared_decision(int* data, int limit, int* rounds) {
    __shared__ int total;
    int t = threadIdx.x;
    int value = data[blockIdx.x * blockDim.x + t];
    int round = 0;
    while (true) {
        if (t == 0) {
            total = 0;
        }
        __syncthreads();
        atomicAdd(&total, value);
        __syncthreads();
        bool done = total >= limit;
        __syncthreads();
        if (done) {
            break;
        }
        value = value * 2 + (t & 1);
        round++;
    }
    data[blockIdx.x * blockDim.x + t] = value;
    if (t == 0) {
        rounds[blockIdx.x] = round;
    }
}

extern "C" __global__ void counting(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    int odd = __syncthreads_count(v & 1);
    int all = __syncthreads_and(v > 0);
    int any = __syncthreads_or(v > 90);
    out[i] = odd * 4 + (all != 0) * 2 + (any != 0);
}

// Two barriers in the arms of a branch that is uniform in the block.
extern "C" __global__ void in_branches(int* out) {
    __shared__ int cell[1024];
    int t = threadIdx.x;
    int n = blockDim.x;
    cell[t] = t * t;
    if (blockIdx.x & 1) {
        __syncthreads();
        out[blockIdx.x * n + t] = cell[n - 1 - t];
    } else {
        cell[t] += 1;
        __syncthreads();
        out[blockIdx.x * n + t] = -cell[(t + 1) % n];
    }
}

// Two groups of 64 threads each use their own barrier, a different number of times.
extern "C" __global__ void named(int* out) {
    __shared__ int box[128];
    int t = threadIdx.x;
    int group = t >> 6;
    int lane = t & 63;
    box[t] = t;
    int rounds = group == 0 ? 3 : 7;
    for (int i = 0; i < rounds; i++) {
        asm volatile("bar.sync %0, 64;" ::"r"(group + 1) : "memory");
        int next = box[group * 64 + ((lane + 1) & 63)];
        asm volatile("bar.sync %0, 64;" ::"r"(group + 1) : "memory");
        box[t] = next;
    }
    __syncthreads();
    out[blockIdx.x * 128 + t] = box[127 - t];
}

// Producers arrive without waiting; consumers sync.
extern "C" __global__ void arrive(int* out) {
    __shared__ int box[64];
    int t = threadIdx.x;
    if (t < 64) {
        box[t] = t * 3 + 1;
        __threadfence_block();
        asm volatile("bar.arrive 3, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 128;" ::: "memory");
        out[blockIdx.x * 64 + t - 64] = box[127 - t];
    }
}
