// nvcc: -arch=sm_75 also=sm_100
// Code that relies on the lanes of a warp keeping step: volatile shared memory and no __syncwarp.

template <typename T>
__device__ void block_sum(const T* in, T* out) {
    __shared__ T box[1024];
    int t = threadIdx.x;
    box[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 32; half >>= 1) {
        if (t < half) {
            box[t] += box[t + half];
        }
        __syncthreads();
    }
    if (t < 32) {
        volatile T* s = box;
        if (blockDim.x >= 64) {
            s[t] += s[t + 32];
        }
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
    if (t == 0) {
        out[blockIdx.x] = box[0];
    }
}

extern "C" __global__ void sum_int(const int* in, int* out) {
    block_sum(in, out);
}

extern "C" __global__ void sum_float(const float* in, float* out) {
    block_sum(in, out);
}

extern "C" __global__ void sum_double(const double* in, double* out) {
    block_sum(in, out);
}

// The running sum is in a register too, and each step has two statements.
extern "C" __global__ void sum_in_two_lines(const int* in, int* out) {
    __shared__ volatile int s[1024 + 16];
    int t = threadIdx.x;
    int sum = in[blockIdx.x * blockDim.x + t];
    s[t] = sum;
    for (int half = 16; half > 0; half >>= 1) {
        int other = s[t + half];
        s[t] = sum = sum + other;
    }
    if ((t & 31) == 0) {
        out[(blockIdx.x * blockDim.x + t) / 32] = sum;
    }
}

// Each step has fewer lanes than the one before.
extern "C" __global__ void sum_of_fewer_lanes(const int* in, int* out) {
    __shared__ volatile int s[1024];
    int t = threadIdx.x;
    int lane = t & 31;
    s[t] = in[blockIdx.x * blockDim.x + t];
    if (lane < 16) {
        s[t] = s[t] + s[t + 16];
    }
    if (lane < 8) {
        s[t] = s[t] + s[t + 8];
    }
    if (lane < 4) {
        s[t] = s[t] + s[t + 4];
    }
    if (lane < 2) {
        s[t] = s[t] + s[t + 2];
    }
    if (lane < 1) {
        s[t] = s[t] + s[t + 1];
    }
    if (lane == 0) {
        out[(blockIdx.x * blockDim.x + t) / 32] = s[t];
    }
}

// The function knows a pointer, but not into which memory it points.
template <typename T>
__device__ __noinline__ void fold(volatile T* s, int t) {
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

extern "C" __global__ void sum_by_pointer(
        const long long* in, long long* out, long long* elsewhere) {
    __shared__ long long box[1024 + 16];
    int t = threadIdx.x;
    long long* at = elsewhere != nullptr ? elsewhere : box;
    at[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    fold<long long>(at, t);
    if ((t & 31) == 0) {
        out[(blockIdx.x * blockDim.x + t) / 32] = at[t];
    }
}

// Lanes do the loop over their row as often as it is long, and wait there for the longest.
extern "C" __global__ void sum_of_ragged_rows(
        const int* lengths, const int* in, int* out, int width) {
    __shared__ volatile int s[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int lane = t & 31;
    s[t] = 0;
    for (int k = 0; k < lengths[i]; k++) {
        s[t] += in[(i * 7 + k) % width];
    }
    int half = 16;
    while (half > 0) {
        if (lane < half) {
            s[t] += s[t + half];
        }
        half /= 2;
    }
    if (lane == 0) {
        out[i / 32] = s[t];
    }
}

// Hillis and Steele, in place: every lane reads what the one before it is about to change.
extern "C" __global__ void scan_guarded(const int* in, int* out) {
    __shared__ volatile int s[1024];
    int t = threadIdx.x;
    int lane = t & 31;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    if (lane >= 1) s[t] += s[t - 1];
    if (lane >= 2) s[t] += s[t - 2];
    if (lane >= 4) s[t] += s[t - 4];
    if (lane >= 8) s[t] += s[t - 8];
    if (lane >= 16) s[t] += s[t - 16];
    out[i] = s[t];
}

extern "C" __global__ void scan_padded(const float* in, float* out) {
    __shared__ volatile float s[32 * 48];
    int t = threadIdx.x;
    int at = (t >> 5) * 48 + 16 + (t & 31);
    int i = blockIdx.x * blockDim.x + t;
    s[at - 16] = 0;
    s[at] = in[i];
    for (int d = 1; d < 32; d *= 2) {
        s[at] += s[at - d];
    }
    out[i] = s[at];
}

// A counter that several lanes want goes to the one whose tag is found in it.
extern "C" __global__ void tagged_histogram(const int* in, int* out) {
    __shared__ volatile unsigned bins[32 * 16];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    unsigned tag = (unsigned) t << 27;
    volatile unsigned* mine = bins + (t >> 5) * 16;
    if ((t & 31) < 16) {
        mine[t & 31] = 0;
    }
    unsigned count;
    do {
        count = tag | ((mine[in[i] & 15] & 0x07ffffffu) + 1);
        mine[in[i] & 15] = count;
    } while (mine[in[i] & 15] != count);
    if ((t & 31) < 16) {
        out[i / 32 * 16 + (t & 31)] = mine[t & 31] & 0x07ffffffu;
    }
}

// The first thread of each warp waits for what the last warp's last thread does after a while.
extern "C" __global__ void wait_for_flag(int* out, int rounds) {
    __shared__ volatile int flag;
    __shared__ volatile int s[1024];
    int t = threadIdx.x;
    flag = 0;
    s[t] = t;
    __syncthreads();
    if ((t & 31) == 0) {
        while (flag == 0) {
        }
        s[t] = flag;
    } else if (t == blockDim.x - 1) {
        for (int k = 0; k < rounds; k++) {
            s[t] = s[t] * 3 + s[t - 1];
        }
        flag = 7;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[t & ~31];
}

// A lane asks again and again until another one, which went on, answers.
extern "C" __global__ void ask_and_answer(int* out) {
    __shared__ volatile int asked[32];
    __shared__ volatile int answered[32];
    int t = threadIdx.x;
    int warp = t >> 5;
    asked[warp] = 0;
    answered[warp] = 0;
    if ((t & 31) == 5) {
        do {
            asked[warp] = 1;
        } while (answered[warp] == 0);
        out[blockIdx.x * (blockDim.x / 32) + warp] = answered[warp];
    }
    if ((t & 31) == 6) {
        while (asked[warp] == 0) {
        }
        answered[warp] = 9;
    }
}

// Not volatile, but the compiler cannot know that no two lanes mean the same place: it keeps every step.
extern "C" __global__ void butterfly(const float* in, float* out) {
    __shared__ float s[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    s[t] += s[t ^ 16];
    s[t] += s[t ^ 8];
    s[t] += s[t ^ 4];
    s[t] += s[t ^ 2];
    s[t] += s[t ^ 1];
    out[i] = s[t];
}

struct Triple {
    int x, y, z;
};

// In place: all lanes of a warp have read before one writes.
extern "C" __global__ void permute(const int* to, int* out) {
    __shared__ Triple s[1024];
    __shared__ int places[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    places[t] = (t & ~31) + to[i];
    s[t].x = i;
    s[t].y = 2 * i;
    s[t].z = 3 * i;
    __syncthreads();
    s[places[t]] = s[t];
    __syncthreads();
    out[i] = s[t].x + s[t].y + s[t].z;
}

// Numbers that move from thread to thread: each reads what the one before it has, and writes its own with no barrier in
// between. The last of a block writes what it gets to out.
extern "C" __global__ void pipeline(int rounds, const int* in, int* out) {
    extern __shared__ int held[];
    int t = threadIdx.x;
    int last = blockDim.x - 1;
    held[t] = 0;
    __syncthreads();
    for (int n = 0; n < rounds; n++) {
        int got = t == 0 ? in[blockIdx.x * rounds + n] : held[t - 1];
        if (t < last) {
            held[t] = got + 1;
        } else {
            out[blockIdx.x * rounds + n] = got;
        }
        __syncthreads();
    }
}

// A line of lanes: each takes what its neighbour had before, and nothing comes between reading and writing.
extern "C" __global__ void delay_line(const int* in, int* out, int rounds) {
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    for (int n = 0; n < rounds; n++) {
        int x = (t & 31) == 0 ? in[n] : s[t - 1];
        s[t] = x + 1;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = s[t];
}

// Some lanes write, and the first one reads what they wrote.
extern "C" __global__ void collect(const int* in, int* out) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    if (t < 17) {
        int sum = 0;
        for (int i = t; i < 64; i += 17) {
            sum += in[blockIdx.x * 64 + i];
        }
        s[t] = sum;
    }
    if (t == 0) {
        int all = 0;
#pragma unroll
        for (int k = 0; k < 17; k++) {
            all = 3 * all + s[k];
        }
        out[blockIdx.x] = all;
    }
}
