// Atomics in every width, fences, ordered accesses.
#include <cuda/atomic>

__global__ void atomics(int *i, unsigned long long *l, float *f, double *d, short *s) {
    __shared__ int local;
    atomicAdd(i, 1);
    i[1] = atomicSub(i, 2);
    i[2] = atomicExch(i, 3);
    i[3] = atomicCAS(i, 4, 5);
    i[4] = atomicMin(i, 6) + atomicMax(i + 5, 7) + atomicAnd(i, 8) + atomicOr(i, 9);
    atomicInc((unsigned *)i, 10);
    atomicDec((unsigned *)i, 11);
    l[1] = atomicAdd(l, 12ULL) + atomicXor(l, 13ULL);
    f[1] = atomicAdd(f, 1.0f);
    d[1] = atomicAdd(d, 2.0);
    s[1] = atomicCAS((unsigned short *)s, (unsigned short)1, (unsigned short)2);
    atomicAdd(&local, 1);
    atomicAdd_block(i, 1);
    atomicAdd_system(i, 1);
    __threadfence_block();
    __threadfence_system();
    cuda::atomic_ref<int, cuda::thread_scope_device> ref(*i);
    ref.store(5, cuda::std::memory_order_release);
    i[6] = ref.load(cuda::std::memory_order_acquire) + ref.fetch_add(1);
    volatile int *v = i + 7;
    *v = *v + 1;
}
