/* A program of CUDA 12, as its nvcc would have made it: libcudart.so.12 and its layouts. No header of
 * CUDA is needed, and no nvcc: the fat binary is made here. */
/* libraries: libcudart.so.12 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dim3 {
    unsigned x, y, z;
};

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *stub, const char *name, int limit, void *, void *, void *, void *, int *);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t bytes, int constant, int global);
int cudaGetDeviceProperties_v2(void *properties, int device);
int cudaRuntimeGetVersion(int *version);
int cudaMalloc(void **pointer, size_t bytes);
int cudaFree(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind);
int cudaLaunchKernel(const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared, void *stream);
int cudaDeviceSynchronize(void);
const char *cudaGetErrorName(int error);

#define CHECK(call)                                                                           \
    do {                                                                                      \
        int checked_ = (call);                                                                \
        if (checked_ != 0) {                                                                  \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(checked_)); \
            exit(1);                                                                          \
        }                                                                                     \
    } while (0)

#define REQUIRE(condition, ...)                                            \
    do {                                                                   \
        if (!(condition)) {                                                \
            printf("%s:%d: not so: %s: ", __FILE__, __LINE__, #condition); \
            printf(__VA_ARGS__);                                           \
            printf("\n");                                                  \
            exit(1);                                                       \
        }                                                                  \
    } while (0)

__asm__(".section .rodata\n.global text\ntext:\n.incbin \"" PTX_DIRECTORY "/kernels.ptx\"\n.byte 0\n.previous\n");
extern const char text[];

/* A container with one entry: PTX, not compressed. */
static void *fat_binary(void)
{
    size_t length = strlen(text) + 1, padded = (length + 7) & ~(size_t)7;
    unsigned char *bytes = calloc(1, 16 + 80 + padded), *entry = bytes + 16;
    uint64_t size = 80 + padded, payload = padded, flags = 0x11;
    memcpy(bytes, "\x50\xed\x55\xba\x01\x00\x10\x00", 8);
    memcpy(bytes + 8, &size, 8);
    memcpy(entry, "\x01\x00\x01\x01\x50\x00\x00\x00", 8); /* kind 1, version, header of 80 bytes */
    memcpy(entry + 8, &payload, 8);
    memcpy(entry + 20, "\x40\x00\x00\x00", 4);
    memcpy(entry + 28, "\x4b\x00\x00\x00", 4); /* compute_75 */
    memcpy(entry + 40, &flags, 8);
    memcpy(entry + 80, text, length);
    return bytes;
}

static char scale_stub, factor_shadow[4];

static uint64_t at(const unsigned char *bytes, size_t offset, size_t count)
{
    uint64_t value = 0;
    memcpy(&value, bytes + offset, count);
    return value;
}

int main(void)
{
    static struct {
        int magic, version;
        const void *data;
        void *unused;
    } wrapper = {0x466243b1, 1, NULL, NULL};
    wrapper.data = fat_binary();
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &scale_stub, &scale_stub, "scale", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, factor_shadow, factor_shadow, "factor", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);

    int version = 0, ten = 10, count = 100, host[100];
    CHECK(cudaRuntimeGetVersion(&version));
    REQUIRE(version >= 12000 && version < 13000, "runtime %d", version);
    unsigned char properties[4096];
    memset(properties, 0xee, sizeof properties);
    CHECK(cudaGetDeviceProperties_v2(properties, 0));
    /* Offsets of CUDA 12's cudaDeviceProp; it has 1032 bytes. */
    REQUIRE(at(properties, 308, 4) == 32, "warp size %d", (int)at(properties, 308, 4));
    REQUIRE(at(properties, 320, 4) == 1024, "%d threads", (int)at(properties, 320, 4));
    REQUIRE(at(properties, 352, 8) == 65536, "%d bytes of constants", (int)at(properties, 352, 8));
    REQUIRE(at(properties, 360, 4) >= 7 && at(properties, 360, 4) < 20, "capability %d", (int)at(properties, 360, 4));
    REQUIRE(at(properties, 1032, 8) == 0xeeeeeeeeeeeeeeee, "written beyond the structure");

    int *data;
    for (int i = 0; i < count; i++)
        host[i] = i;
    CHECK(cudaMalloc((void **)&data, sizeof host));
    CHECK(cudaMemcpy(data, host, sizeof host, 1));
    CHECK(cudaMemcpyToSymbol(factor_shadow, &ten, sizeof ten, 0, 1));
    void *arguments[] = {&data, &count};
    CHECK(cudaLaunchKernel(&scale_stub, (struct dim3){2, 1, 1}, (struct dim3){64, 1, 1}, arguments, 0, NULL));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, data, sizeof host, 2));
    const int offsets[] = {1, 10, 100, 1000};
    for (int i = 0; i < count; i++)
        REQUIRE(host[i] == i * 10 + offsets[i % 4], "element %d is %d", i, host[i]);
    CHECK(cudaFree(data));
    __cudaUnregisterFatBinary(handle);
    printf("ok runtime %d\n", version);
    return 0;
}
