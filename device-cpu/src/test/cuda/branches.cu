// nvcc: -arch=sm_75 also=sm_100
// Switches, nested loops with break and continue, short circuits.

extern "C" __global__ void dense_switch(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    int v = in[i];
    int r = 1;
    switch (v) {
        case 0: r = v + 11; break;
        case 1: r = v * 13; break;
        case 2: r = out[i] + 1; break;
        case 3: r = i * 3; // falls through
        case 4: r += 1000; break;
        case 5: r = i % 7; break;
        case 6: r = i / 7; break;
        case 7: r = ~i; break;
        case 8: r = i << 4; break;
        case 9: r = i ^ 0x55; break;
        case 10: return;
        default: r = -v; break;
    }
    out[i] = r;
}

extern "C" __global__ void sparse_switch(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (in[i]) {
        case -1000000: out[i] = 1; break;
        case -5: out[i] = 2; break;
        case 77: out[i] = 3; break;
        case 78: out[i] = 4; break;
        case 123456: out[i] = 5; break;
        case 2147483647: out[i] = 6; break;
        default: out[i] = 0; break;
    }
}

// How many primes below the limit; break, continue and a nested loop.
extern "C" __global__ void primes(const int* limits, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int count = 0;
    for (int p = 2; p < limits[i]; p++) {
        if (p > 2 && (p & 1) == 0) {
            continue;
        }
        bool prime = true;
        for (int d = 3; d * d <= p; d += 2) {
            if (p % d == 0) {
                prime = false;
                break;
            }
        }
        if (prime) {
            count++;
        }
    }
    out[i] = count;
}

// Binary search, and a right side that must not be evaluated.
extern "C" __global__ void lower_bound(const int* sorted, int n, const int* wanted, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int low = 0;
    int high = n;
    while (low < high) {
        int middle = (low + high) >> 1;
        if (sorted[middle] < wanted[i]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < n && sorted[low] == wanted[i];
    out[i] = found ? low : ~low;
}

// Leaves two loops with goto; the state machine has a loop with two entries in the source.
extern "C" __global__ void state_machine(const unsigned char* text, int length, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned char* mine = text + i * length;
    int at = 0;
    int words = 0;
    int digits = 0;
space:
    if (at == length) {
        goto end;
    }
    if (mine[at] == ' ') {
        at++;
        goto space;
    }
    words++;
word:
    if (at == length) {
        goto end;
    }
    if (mine[at] == ' ') {
        goto space;
    }
    if (mine[at] >= '0' && mine[at] <= '9') {
        digits++;
    }
    at++;
    goto word;
end:
    out[i] = words * 1000 + digits;
}
