// Distances in a graph, level by level: a frontier grown by atomics, the host reads its size.
#include "check.h"

#include <vector>

__global__ void expand(const int *first, const int *edges, int *distance, const int *frontier, int size, int *next, int *nextSize, int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) {
        return;
    }
    int node = frontier[i];
    for (int e = first[node]; e < first[node + 1]; e++) {
        if (atomicCAS(&distance[edges[e]], -1, level) == -1) {
            next[atomicAdd(nextSize, 1)] = edges[e];
        }
    }
}

int main()
{
    const int nodes = 20000, degree = 3;
    std::vector<int> first(nodes + 1), edges(nodes * degree), expected(nodes, -1), distance(nodes);
    uint32_t seed = 31;
    for (int i = 0; i <= nodes; i++) {
        first[i] = i * degree;
    }
    for (int i = 0; i < nodes * degree; i++) {
        int near = i / degree + static_cast<int>(next_random(seed) % 400) - 200;
        edges[i] = (near + nodes) % nodes;
    }
    std::vector<int> queue{0};
    expected[0] = 0;
    for (size_t at = 0; at < queue.size(); at++) {
        for (int e = first[queue[at]]; e < first[queue[at] + 1]; e++) {
            if (expected[edges[e]] == -1) {
                expected[edges[e]] = expected[queue[at]] + 1;
                queue.push_back(edges[e]);
            }
        }
    }

    int *f = device_copy(first.data(), first.size()), *e = device_copy(edges.data(), edges.size());
    int *d = device_array<int>(nodes), *now = device_array<int>(nodes), *next = device_array<int>(nodes);
    int *nextSize = device_array<int>(1), size = 1, levels = 0;
    CHECK(cudaMemset(d, 0xff, nodes * sizeof(int)));
    CHECK(cudaMemset(d, 0, sizeof(int)));
    CHECK(cudaMemset(now, 0, sizeof(int)));
    while (size > 0) {
        CHECK(cudaMemset(nextSize, 0, sizeof(int)));
        expand<<<(size + 127) / 128, 128>>>(f, e, d, now, size, next, nextSize, ++levels);
        LAUNCHED();
        host_copy(&size, nextSize, 1);
        int *swap = now;
        now = next;
        next = swap;
    }
    host_copy(distance.data(), d, nodes);
    for (int i = 0; i < nodes; i++) {
        REQUIRE(distance[i] == expected[i], "node %d at %d, expected %d", i, distance[i], expected[i]);
    }
    printf("ok %d levels\n", levels);
    return 0;
}
