// What every program checks with. A program prints one line that starts with "ok" and returns 0, or
// says what differed and returns 1.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                                            \
    do {                                                                                                                       \
        cudaError_t checked_ = (call);                                                                                         \
        if (checked_ != cudaSuccess) {                                                                                         \
            printf("%s:%d: %s: %s (%d)\n", __FILE__, __LINE__, #call, cudaGetErrorName(checked_), static_cast<int>(checked_)); \
            exit(1);                                                                                                           \
        }                                                                                                                      \
    } while (0)

// The call must give exactly this error.
#define EXPECT(call, error)                                                                                                                         \
    do {                                                                                                                                            \
        cudaError_t checked_ = (call);                                                                                                              \
        if (checked_ != (error)) {                                                                                                                  \
            printf("%s:%d: %s: %s (%d), expected %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(checked_), static_cast<int>(checked_), #error); \
            exit(1);                                                                                                                                \
        }                                                                                                                                           \
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

#define LAUNCHED() CHECK(cudaGetLastError())

// xorshift: the same numbers on every machine.
inline uint32_t next_random(uint32_t &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

inline float next_float(uint32_t &state)
{
    return (next_random(state) >> 8) * (1.0f / (1 << 24));
}

template <class T> T *device_array(size_t count)
{
    T *pointer = nullptr;
    CHECK(cudaMalloc(&pointer, count * sizeof(T)));
    return pointer;
}

template <class T> T *device_copy(const T *host, size_t count)
{
    T *pointer = device_array<T>(count);
    CHECK(cudaMemcpy(pointer, host, count * sizeof(T), cudaMemcpyHostToDevice));
    return pointer;
}

template <class T> void host_copy(T *host, const T *device, size_t count)
{
    CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}
