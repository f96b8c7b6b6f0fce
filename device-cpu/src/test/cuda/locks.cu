// nvcc: -arch=sm_75
// Blocks that wait for each other: locks, look-back, the last block.

// One thread of each block takes the lock; the counters behind it are not atomic.
extern "C" __global__ void spin_lock(int* lock, volatile long long* guarded, int rounds) {
    if (threadIdx.x == 0) {
        for (int r = 0; r < rounds; r++) {
            while (atomicCAS(lock, 0, 1) != 0) {
            }
            __threadfence();
            guarded[0] = guarded[0] + 1;
            guarded[1] = guarded[1] * 3 % 1000003;
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}

// Every lane takes the lock: needs the lanes of a warp to make progress apart from each other.
extern "C" __global__ void lane_lock(int* lock, volatile int* guarded) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *guarded = *guarded + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// The order of the blocks is drawn from a counter, then block k waits for block k - 1.
extern "C" __global__ void chained_blocks(int* ticket, volatile int* flag, int* order, int* out) {
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = atomicAdd(ticket, 1);
        while (*flag != mine) {
        }
        __threadfence();
        order[mine] = blockIdx.x;
        out[mine] = mine == 0 ? 1 : out[mine - 1] * 5 + mine;
        __threadfence();
        *flag = mine + 1;
    }
}

// Scan with decoupled look-back. State of a tile: 0 none, 1 aggregate, 2 prefix, in the high half.
extern "C" __global__ void lookback_scan(
        const int* in, int* out, unsigned long long* states, int* ticket, int n) {
    extern __shared__ int box[];
    __shared__ int tile;
    __shared__ int prefix;
    int t = threadIdx.x;
    if (t == 0) {
        tile = atomicAdd(ticket, 1);
    }
    __syncthreads();
    int i = tile * blockDim.x + t;
    box[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset <<= 1) {
        int add = t >= offset ? box[t - offset] : 0;
        __syncthreads();
        box[t] += add;
        __syncthreads();
    }
    if (t == 0) {
        unsigned total = (unsigned) box[blockDim.x - 1];
        volatile unsigned long long* watched = states;
        unsigned sum = 0;
        if (tile > 0) {
            __threadfence();
            atomicExch(&states[tile], 1ULL << 32 | total);
            int before = tile - 1;
            while (true) {
                unsigned long long state = watched[before];
                unsigned kind = (unsigned) (state >> 32);
                if (kind == 0) {
                    continue;
                }
                sum += (unsigned) state;
                if (kind == 2) {
                    break;
                }
                before--;
            }
        }
        __threadfence();
        atomicExch(&states[tile], 2ULL << 32 | (unsigned) (sum + total));
        prefix = (int) sum;
    }
    __syncthreads();
    if (i < n) {
        out[i] = box[t] + prefix;
    }
}

__device__ unsigned arrived = 0;

// The block that arrives last adds the sums of all.
extern "C" __global__ void last_block(const int* in, int n, volatile int* partial, int* out) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    int value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        value += in[i];
    }
    atomicAdd(&sum, value);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) {
            total += partial[b];
        }
        *out = total;
    }
}
