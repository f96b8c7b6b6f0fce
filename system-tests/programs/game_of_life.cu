// Life on a torus: a glider comes back after 4 steps for each cell of the edge.
#include "check.h"

#include <vector>

__global__ void live(const unsigned char *from, unsigned char *to, int edge)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= edge || y >= edge) {
        return;
    }
    int neighbours = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx != 0 || dy != 0) {
                neighbours += from[(y + dy + edge) % edge * edge + (x + dx + edge) % edge];
            }
        }
    }
    to[y * edge + x] = neighbours == 3 || (neighbours == 2 && from[y * edge + x]);
}

int main()
{
    const int edge = 40;
    std::vector<unsigned char> field(edge * edge), result(edge * edge);
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (const int *cell : glider) {
        field[(cell[1] + 5) * edge + cell[0] + 5] = 1;
    }
    unsigned char *now = device_copy(field.data(), field.size()), *next = device_array<unsigned char>(field.size());
    for (int step = 0; step < 4 * edge; step++) {
        live<<<dim3(3, 5), dim3(16, 8)>>>(now, next, edge);
        LAUNCHED();
        unsigned char *swap = now;
        now = next;
        next = swap;
        if (step == 3) {
            host_copy(result.data(), now, result.size());
            for (int i = 0; i < edge * edge; i++) {
                int x = i % edge, y = i / edge;
                REQUIRE(result[(y + 1) % edge * edge + (x + 1) % edge] == field[i], "(%d, %d) after 4 steps", x, y);
            }
        }
    }
    host_copy(result.data(), now, result.size());
    REQUIRE(result == field, "the glider did not come back");
    printf("ok %d steps\n", 4 * edge);
    return 0;
}
