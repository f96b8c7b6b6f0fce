// Free memory goes down by what is allocated and comes back.
#include "check.h"

int main()
{
    size_t before, total, during, after, again;
    CHECK(cudaFree(nullptr)); // makes the context
    CHECK(cudaMemGetInfo(&before, &total));
    REQUIRE(before <= total && total >= 64 << 20, "%zu of %zu", before, total);
    const size_t bytes = 8 << 20;
    char *block = device_array<char>(bytes);
    CHECK(cudaMemGetInfo(&during, &again));
    REQUIRE(again == total, "total %zu, then %zu", total, again);
    REQUIRE(before - during >= bytes && before - during < bytes + (4 << 20), "%zu less", before - during);
    char *parts[64];
    for (char *&part : parts) {
        part = device_array<char>(1000);
    }
    for (char *part : parts) {
        CHECK(cudaFree(part));
    }
    CHECK(cudaFree(block));
    CHECK(cudaMemGetInfo(&after, &total));
    REQUIRE(after == before, "%zu before, %zu after", before, after);
    // Allocations are aligned to 256 bytes and do not overlap.
    char *a = device_array<char>(1), *b = device_array<char>(1);
    REQUIRE(reinterpret_cast<uintptr_t>(a) % 256 == 0 && reinterpret_cast<uintptr_t>(b) % 256 == 0, "%p %p", a, b);
    REQUIRE(a != b, "the same address twice");
    void *none = &a;
    CHECK(cudaMalloc(&none, 0));
    REQUIRE(none == nullptr, "nothing is at %p", none);
    printf("ok free memory\n");
    return 0;
}
