// Prints the memory of its device, and the errors of an allocation that is a mebibyte too large and of one of half.
// role: helper
// forms: static
#include <cstdio>

int main()
{
    size_t available = 0, total = 0;
    int code = cudaMemGetInfo(&available, &total);
    void *memory = nullptr;
    int beyond = cudaMalloc(&memory, total + (1 << 20));
    printf("%zu %d %d %d\n", total, code, beyond, cudaMalloc(&memory, total / 2));
    return 0;
}
