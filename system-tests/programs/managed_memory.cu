// One pointer for both sides: a list that host and device build together, managed variables.
#include "check.h"

struct node {
    int value;
    node *next;
};

__managed__ int counter = 40;
__managed__ float table[4] = {1, 2, 3, 4};

__global__ void sum_list(const node *list, int *sum)
{
    int total = 0;
    for (; list != nullptr; list = list->next) {
        total += list->value;
    }
    *sum = total;
    counter += 2;
    table[3] += table[1];
}

__global__ void prepend(node **list, node *fresh, int value)
{
    fresh->value = value;
    fresh->next = *list;
    *list = fresh;
}

template <class T> T *managed(size_t count)
{
    T *pointer;
    CHECK(cudaMallocManaged(reinterpret_cast<void **>(&pointer), count * sizeof(T), cudaMemAttachGlobal));
    return pointer;
}

int main()
{
    REQUIRE(counter == 40 && table[2] == 3, "before the first launch: %d, %g", counter, table[2]);
    counter++;
    node *nodes = managed<node>(100), **list = managed<node *>(1);
    int *sum = managed<int>(1);
    *list = nullptr;
    int expected = 0;
    for (int i = 0; i < 99; i++) {
        nodes[i] = node{i * i, *list};
        *list = &nodes[i];
        expected += i * i;
    }
    prepend<<<1, 1>>>(list, &nodes[99], 1000);
    sum_list<<<1, 1>>>(&nodes[98], sum);
    LAUNCHED();
    CHECK(cudaDeviceSynchronize());
    REQUIRE(*sum == expected, "sum %d, expected %d", *sum, expected);
    REQUIRE(*list == &nodes[99] && (*list)->value == 1000 && (*list)->next == &nodes[98], "the device's node");
    REQUIRE(counter == 43, "counter %d", counter);
    REQUIRE(table[3] == 6, "table %g", table[3]);
    node copy;
    CHECK(cudaMemcpy(&copy, *list, sizeof copy, cudaMemcpyDefault));
    REQUIRE(copy.value == 1000, "copied %d", copy.value);
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    CHECK(cudaDeviceSynchronize());
    REQUIRE(*sum == 0, "after the fill: %d", *sum);
    CHECK(cudaFree(nodes));
    CHECK(cudaFree(list));
    CHECK(cudaFree(sum));
    printf("ok %d\n", expected);
    return 0;
}
