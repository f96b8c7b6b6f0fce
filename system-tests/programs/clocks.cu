// Clocks run forward, threads can sleep, special registers tell where a thread is.
#include "check.h"

__device__ unsigned read_special(int which)
{
    unsigned value = 0;
    switch (which) {
    case 0:
        asm volatile("mov.u32 %0, %%laneid;" : "=r"(value));
        break;
    case 1:
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(value));
        break;
    case 2:
        asm volatile("mov.u32 %0, %%nsmid;" : "=r"(value));
        break;
    case 3:
        asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
        break;
    case 4:
        asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(value));
        break;
    }
    return value;
}

__global__ void look(long long *times, unsigned *places)
{
    int i = threadIdx.x;
    unsigned long long started, ended;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(started));
    long long from = clock64();
    __nanosleep(100000);
    long long to = clock64();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ended));
    times[2 * i] = to - from;
    times[2 * i + 1] = ended - started;
    for (int k = 0; k < 5; k++) {
        places[5 * i + k] = read_special(k);
    }
}

int main()
{
    const int threads = 64;
    long long *times = device_array<long long>(2 * threads), t[2 * threads];
    unsigned *places = device_array<unsigned>(5 * threads), p[5 * threads];
    look<<<1, threads>>>(times, places);
    LAUNCHED();
    host_copy(t, times, 2 * threads);
    host_copy(p, places, 5 * threads);
    for (unsigned i = 0; i < threads; i++) {
        REQUIRE(t[2 * i] >= 0 && t[2 * i + 1] >= 0, "thread %u: %lld cycles, %lld ns", i, t[2 * i], t[2 * i + 1]);
        REQUIRE(p[5 * i] == i % 32 && p[5 * i + 1] == i / 32, "thread %u is lane %u of warp %u", i, p[5 * i], p[5 * i + 1]);
        REQUIRE(p[5 * i + 3] < p[5 * i + 2], "thread %u is on multiprocessor %u of %u", i, p[5 * i + 3], p[5 * i + 2]);
        REQUIRE(p[5 * i + 4] == (1u << i % 32) - 1, "thread %u has mask %x", i, p[5 * i + 4]);
    }
    printf("ok %d threads\n", threads);
    return 0;
}
