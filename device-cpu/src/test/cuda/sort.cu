// nvcc: -arch=sm_75
// Sorting networks in shared memory and the passes of a radix sort.

// n = blockDim.x, a power of two.
extern "C" __global__ void bitonic(int* data) {
    extern __shared__ int keys[];
    int t = threadIdx.x;
    int n = blockDim.x;
    keys[t] = data[blockIdx.x * n + t];
    __syncthreads();
    for (int size = 2; size <= n; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            int partner = t ^ stride;
            if (partner > t) {
                bool ascending = (t & size) == 0;
                int a = keys[t];
                int b = keys[partner];
                if ((a > b) == ascending) {
                    keys[t] = b;
                    keys[partner] = a;
                }
            }
            __syncthreads();
        }
    }
    data[blockIdx.x * n + t] = keys[t];
}

// Ends when a whole double round exchanged nothing: the trip count depends on the data.
extern "C" __global__ void odd_even(float* data, int* rounds) {
    extern __shared__ float values[];
    int t = threadIdx.x;
    int n = blockDim.x;
    float* mine = data + blockIdx.x * n;
    values[t] = mine[t];
    __syncthreads();
    int count = 0;
    int changed;
    do {
        changed = 0;
        for (int phase = 0; phase < 2; phase++) {
            if ((t & 1) == phase && t + 1 < n && values[t] > values[t + 1]) {
                float low = values[t + 1];
                values[t + 1] = values[t];
                values[t] = low;
                changed = 1;
            }
            __syncthreads();
        }
        count++;
    } while (__syncthreads_or(changed));
    mine[t] = values[t];
    if (t == 0) {
        rounds[blockIdx.x] = count;
    }
}

// One stable pass over 4 bits inside a block of 256: ballots give the rank within the warp.
extern "C" __global__ void radix_pass(const unsigned* in, unsigned* out, int shift) {
    __shared__ unsigned counts[16][8];
    int t = threadIdx.x;
    int lane = t & 31;
    int warp = t >> 5;
    unsigned key = in[blockIdx.x * 256 + t];
    unsigned digit = key >> shift & 15;
    unsigned same = 0xffffffffu;
    for (int bit = 0; bit < 4; bit++) {
        unsigned votes = __ballot_sync(0xffffffffu, digit >> bit & 1);
        same &= digit >> bit & 1 ? votes : ~votes;
    }
    unsigned rank = __popc(same & ((1u << lane) - 1));
    if (t < 128) {
        counts[t >> 3][t & 7] = 0;
    }
    __syncthreads();
    if (rank == 0) {
        counts[digit][warp] = __popc(same);
    }
    __syncthreads();
    if (t == 0) {
        unsigned sum = 0;
        for (int d = 0; d < 16; d++) {
            for (int w = 0; w < 8; w++) {
                unsigned count = counts[d][w];
                counts[d][w] = sum;
                sum += count;
            }
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + counts[digit][warp] + rank] = key;
}
