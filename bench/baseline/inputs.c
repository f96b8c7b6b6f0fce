// Deterministic inputs; bench/README.md states the same formulas for the other implementations.
#include "inputs.h"

#include "sizes.h"

// The 32-bit finaliser of MurmurHash3.
static uint32_t hash(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

static float value(uint32_t stream, uint32_t i)
{
    return (float)(hash(stream << 24 | i) >> 8) / 16777216.0f;
}

static void fill(void *target, uint32_t stream, uint32_t count)
{
    float *values = target;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = value(stream, i);
    }
}

void fill_nothing(const struct buffers *buffers)
{
    (void)buffers;
}

void fill_saxpy(const struct buffers *buffers)
{
    fill(buffers->input[0], 0, SAXPY_N);
    fill(buffers->output, 1, SAXPY_N);
}

void fill_sgemm(const struct buffers *buffers)
{
    fill(buffers->input[0], 0, SGEMM_N * SGEMM_N);
    fill(buffers->input[1], 1, SGEMM_N * SGEMM_N);
}

void fill_reduction(const struct buffers *buffers)
{
    fill(buffers->input[0], 0, REDUCTION_N);
}

// Squaring favours low bytes, so that a permutation of bins does not go unseen.
void fill_histogram(const struct buffers *buffers)
{
    uint8_t *bytes = buffers->input[0];
    for (uint32_t i = 0; i < HISTOGRAM_N; i++) {
        uint32_t v = hash(i) >> 16;
        bytes[i] = (uint8_t)(v * v >> 24);
    }
}

void fill_stencil(const struct buffers *buffers)
{
    fill(buffers->input[0], 0, STENCIL_N * STENCIL_N);
}

void fill_nbody(const struct buffers *buffers)
{
    fill(buffers->input[0], 0, 4 * NBODY_N);
}
