// Matrix times vector: a warp a row, __ldg, butterfly shuffles, doubles.
#include "check.h"

#include <vector>

__global__ void multiply(const double *matrix, const double *vector, double *result, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    double sum = 0;
    for (int column = lane; column < columns; column += 32) {
        sum += __ldg(&matrix[row * columns + column]) * __ldg(&vector[column]);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, mask);
    }
    if (lane == 0) {
        result[row] = sum;
    }
}

int main()
{
    const int rows = 301, columns = 257;
    std::vector<double> matrix(rows * columns), vector(columns), result(rows);
    uint32_t seed = 17;
    // Small integers: sums are exact in any order.
    for (double &element : matrix) {
        element = static_cast<int>(next_random(seed) % 201) - 100;
    }
    for (double &element : vector) {
        element = static_cast<int>(next_random(seed) % 201) - 100;
    }
    double *m = device_copy(matrix.data(), matrix.size()), *v = device_copy(vector.data(), columns);
    double *r = device_array<double>(rows);
    multiply<<<(rows + 3) / 4, 128>>>(m, v, r, rows, columns);
    LAUNCHED();
    host_copy(result.data(), r, rows);
    for (int row = 0; row < rows; row++) {
        double sum = 0;
        for (int column = 0; column < columns; column++) {
            sum += matrix[row * columns + column] * vector[column];
        }
        REQUIRE(result[row] == sum, "row %d is %g, expected %g", row, result[row], sum);
    }
    printf("ok %d rows\n", rows);
    return 0;
}
