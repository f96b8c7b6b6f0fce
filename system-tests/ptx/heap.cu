// A kernel that takes memory of the heap. Compiled to heap.ptx by `compile`.
extern "C" __global__ void take_from_heap(void **out, unsigned long long bytes) {
    char *memory = static_cast<char *>(malloc(bytes));
    if (memory != nullptr) {
        memory[0] = 1;
        memory[bytes - 1] = 2;
    }
    *out = memory;
}
