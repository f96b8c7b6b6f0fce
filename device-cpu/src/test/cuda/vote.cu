// nvcc: -arch=sm_75 also=sm_100
// Votes inside divergent branches, with the active mask and with explicit masks.

extern "C" __global__ void votes(const int* in, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned* o = out + i * 4;
    int v = in[i];
    unsigned mask = __activemask();
    o[0] = __ballot_sync(mask, v > 50);
    o[1] = __any_sync(mask, v > 90);
    o[2] = __all_sync(mask, v > 5);
    o[3] = mask;
}

// Explicit masks in both arms, and in a nested branch.
extern "C" __global__ void divergent(const int* in, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int v = in[i];
    unsigned result;
    if (lane < 10) {
        result = __ballot_sync(0x3ffu, v & 1);
        if (lane < 4) {
            result |= __ballot_sync(0xfu, v & 2) << 16;
        }
    } else if (lane < 20) {
        result = __any_sync(0xffc00u, v > 95) ? 1 : 2;
    } else {
        result = __all_sync(0xfff00000u, v > 10) ? 3 : 4;
    }
    __syncwarp();
    out[i] = result ^ (__ballot_sync(0xffffffffu, result & 1) << 8);
}

// Lanes leave a loop one after another; each trip ballots among those known to remain.
extern "C" __global__ void shrinking(const int* trips, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = trips[i];
    unsigned remaining = __ballot_sync(0xffffffffu, mine > 0);
    unsigned hash = 0;
    for (int trip = 1; trip <= mine; trip++) {
        unsigned stay = __ballot_sync(remaining, trip < mine);
        hash = hash * 31 + stay;
        remaining = stay;
    }
    out[i] = hash;
}

// The active mask of a branch, by a lane that counts its peers. Every lane of a converged branch sees
// a mask that contains itself and only lanes that took the branch.
extern "C" __global__ void active(int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    unsigned expected = 0x11111111u << (lane & 3);
    unsigned mask = 0;
    switch (lane & 3) {
        case 0: mask = __activemask(); out[i] = 10; break;
        case 1: mask = __activemask(); out[i] = 20; break;
        case 2: mask = __activemask(); out[i] = 30; break;
        default: mask = __activemask(); out[i] = 40; break;
    }
    bool good = (mask & ~expected) == 0 && (mask >> lane & 1);
    out[i] += good;
}

// The leader of each group of equal values fetches a ticket for all of them.
extern "C" __global__ void leader_ticket(const int* in, int* counter, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        unsigned mask = __activemask();
        int lane = threadIdx.x & 31;
        int leader = __ffs(mask) - 1;
        int base = 0;
        if (lane == leader) {
            base = atomicAdd(counter, __popc(mask));
        }
        base = __shfl_sync(mask, base, leader);
        out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
    }
}
