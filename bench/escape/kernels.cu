// What the ways of escaping run. Compiled to kernels.ptx by `compile`.
typedef unsigned long long word;

// A mark is a word at every 256 bytes: no two allocations share so little.
enum { STRIDE = 32 };

extern "C" {

__global__ void mark(word *base, word count, word first)
{
    word i = blockIdx.x * (word)blockDim.x + threadIdx.x;
    if (i < count) {
        base[i * STRIDE] = first + i;
    }
}

__global__ void check(const word *base, word count, word first, unsigned *good)
{
    word i = blockIdx.x * (word)blockDim.x + threadIdx.x;
    if (i < count && base[i * STRIDE] == first + i) {
        atomicAdd(good, 1u);
    }
}

// Takes blocks of the kernels' heap until there is no more, and says where they are.
__global__ void take(word bytes, word most, word *blocks)
{
    word count = 0;
    while (count < most) {
        void *block = malloc(bytes);
        if (block == nullptr) {
            break;
        }
        blocks[1 + count++] = (word)block;
    }
    blocks[0] = count;
}

__global__ void give(word *blocks)
{
    for (word i = 0; i < blocks[0]; i++) {
        free((void *)blocks[1 + i]);
    }
    blocks[0] = 0;
}

__global__ void work(word rounds, word *out)
{
    word value = threadIdx.x + 1;
    for (word i = 0; i < rounds; i++) {
        value = value * 6364136223846793005ull + 1442695040888963407ull;
    }
    if (value == 0) {
        *out = value;
    }
}

__global__ void until(volatile int *stop)
{
    while (*stop == 0) {
    }
}

// Marks its local memory and says so; when it is told to look counts the marks, and keeps them until it is to end.
enum { LOCAL_WORDS = 1 << 16, HOLD = 0, LOOK = 1 };
__global__ void hold_local(volatile int *state, unsigned *begun, unsigned *good, word first)
{
    volatile word own[LOCAL_WORDS];
    for (int i = 0; i < LOCAL_WORDS; i += STRIDE) {
        own[i] = first + i;
    }
    __threadfence();
    atomicAdd(begun, 1u);
    while (*state == HOLD) {
    }
    unsigned found = 0;
    for (int i = 0; i < LOCAL_WORDS; i += STRIDE) {
        found += own[i] == first + i;
    }
    atomicAdd(good, found);
    while (*state == LOOK) {
    }
}

__global__ void nothing() {}
}
