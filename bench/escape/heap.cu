// What takes of the kernels' heap, in a module of its own: where a driver is the device, a module with such a kernel has the heap charged
// whichever of its kernels runs. Compiled to heap.ptx by `compile`.
typedef unsigned long long word;

extern "C" {

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
}
