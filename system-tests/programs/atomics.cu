// Atomics of all kinds from many blocks, a lock among threads of different blocks.
#include "check.h"

struct results {
    int sum, least, most;
    unsigned and_, or_, xor_, wrapped, exchanged;
    unsigned long long wide, lock_count;
    float real;
    double twice;
    unsigned lock;
};

__global__ void operate(results *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&r->sum, i);
    atomicSub(&r->sum, 1);
    atomicMin(&r->least, 1000 - i);
    atomicMax(&r->most, i * 3);
    atomicAnd(&r->and_, ~(1u << i % 20));
    atomicOr(&r->or_, 1u << i % 24);
    atomicXor(&r->xor_, i);
    atomicInc(&r->wrapped, 99);
    if (atomicExch(&r->exchanged, 1u) == 0) {
        atomicAdd(&r->wide, 1000000000000ull);
    }
    atomicAdd(&r->wide, 1ull);
    atomicAdd(&r->real, 0.5f);
    atomicAdd(&r->twice, 0.25);
    if (threadIdx.x == 0) {
        while (atomicCAS(&r->lock, 0u, 1u) != 0) {
        }
        __threadfence();
        unsigned long long seen = *static_cast<volatile unsigned long long *>(&r->lock_count);
        *static_cast<volatile unsigned long long *>(&r->lock_count) = seen + 1; // not atomic, but locked
        __threadfence();
        atomicExch(&r->lock, 0u);
    }
}

int main()
{
    const int blocks = 40, threads = 128, count = blocks * threads;
    results r = {};
    r.and_ = ~0u;
    results *device = device_copy(&r, 1);
    operate<<<blocks, threads>>>(device);
    LAUNCHED();
    host_copy(&r, device, 1);
    unsigned xored = 0;
    for (int i = 0; i < count; i++) {
        xored ^= i;
    }
    REQUIRE(r.sum == count * (count - 1) / 2 - count, "add, sub: %d", r.sum);
    REQUIRE(r.least == 1000 - (count - 1) && r.most == 3 * (count - 1), "min, max: %d %d", r.least, r.most);
    REQUIRE(r.and_ == 0xfff00000u && r.or_ == 0xffffffu && r.xor_ == xored, "and, or, xor: %x %x %x", r.and_, r.or_, r.xor_);
    REQUIRE(r.wrapped == count % 100, "inc: %u", r.wrapped);
    REQUIRE(r.wide == 1000000000000ull + count, "exch, 64 bits: %llu", r.wide);
    REQUIRE(r.real == count * 0.5f && r.twice == count * 0.25, "float, double: %g %g", r.real, r.twice);
    REQUIRE(r.lock_count == blocks && r.lock == 0, "lock: %llu", r.lock_count);
    printf("ok %d threads\n", count);
    return 0;
}
