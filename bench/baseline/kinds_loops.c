// The loops as a compiler likes them: in the order of memory, block by block where the kernel has barriers.
#include <math.h>
#include <string.h>

#include "kinds.h"

enum { THREADS = 256, KEYS = 512, LIMIT = 256, ROUNDS = 8, CHUNK = 64, STEPS = 16 };

static void copy_bytes(int n, const uint8_t *restrict in, uint8_t *restrict out)
{
    for (int i = 0; i < n; i++) {
        out[i] = in[i];
    }
}

void copy_u8(int n, const struct arrays *arrays)
{
    copy_bytes(n, arrays->input[0], arrays->output);
}

void copy_u16(int n, const struct arrays *arrays)
{
    const uint16_t *restrict in = arrays->input[0];
    uint16_t *restrict out = arrays->output;
    for (int i = 0; i < n; i++) {
        out[i] = in[i];
    }
}

struct four {
    uint32_t x, y, z, w;
};

void copy_v4(int n, const struct arrays *arrays)
{
    const struct four *restrict in = arrays->input[0];
    struct four *restrict out = arrays->output;
    for (int i = 0; i < n; i++) {
        out[i] = in[i];
    }
}

void scan(int n, const struct arrays *arrays)
{
    const uint32_t *restrict in = arrays->input[0];
    uint32_t *restrict out = arrays->output;
    for (int start = 0; start < n; start += THREADS) {
        uint32_t sums[THREADS];
        uint32_t next[THREADS];
        memcpy(sums, in + start, sizeof sums);
        for (int distance = 1; distance < THREADS; distance *= 2) {
            for (int thread = 0; thread < THREADS; thread++) {
                next[thread] = sums[thread] + (thread >= distance ? sums[thread - distance] : 0);
            }
            memcpy(sums, next, sizeof sums);
        }
        memcpy(out + start, sums, sizeof sums);
    }
}

void sort(int n, const struct arrays *arrays)
{
    const uint32_t *restrict in = arrays->input[0];
    uint32_t *restrict out = arrays->output;
    for (int start = 0; start < n; start += KEYS) {
        uint32_t keys[KEYS];
        memcpy(keys, in + start, sizeof keys);
        for (unsigned size = 2; size <= KEYS; size *= 2) {
            for (unsigned stride = size / 2; stride > 0; stride /= 2) {
                for (unsigned thread = 0; thread < THREADS; thread++) {
                    int descending = (thread & (size / 2)) != 0 && size < KEYS;
                    unsigned at = 2 * thread - (thread & (stride - 1));
                    uint32_t a = keys[at];
                    uint32_t b = keys[at + stride];
                    if ((a > b) != descending) {
                        keys[at] = b;
                        keys[at + stride] = a;
                    }
                }
            }
        }
        memcpy(out + start, keys, sizeof keys);
    }
}

void transpose(int n, const struct arrays *arrays)
{
    const uint32_t *restrict in = arrays->input[0];
    uint32_t *restrict out = arrays->output;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            out[x * n + y] = in[y * n + x];
        }
    }
}

void spmv(int n, const struct arrays *arrays)
{
    const int32_t *restrict starts = arrays->input[0];
    const int32_t *restrict columns = arrays->input[1];
    const float *restrict values = arrays->input[2];
    const float *restrict x = arrays->input[3];
    float *restrict y = arrays->output;
    for (int row = 0; row < n; row++) {
        float sum = 0.0f;
        for (int k = starts[row]; k < starts[row + 1]; k++) {
            sum = fmaf(values[k], x[columns[k]], sum);
        }
        y[row] = sum;
    }
}

void collatz(int n, const struct arrays *arrays)
{
    const uint32_t *restrict in = arrays->input[0];
    int32_t *restrict steps = arrays->output;
    for (int i = 0; i < n; i++) {
        uint32_t value = in[i] >> 8 | 1;
        int count = 0;
        while (value != 1 && count < LIMIT) {
            value = value & 1 ? 3 * value + 1 : value >> 1;
            count++;
        }
        steps[i] = count;
    }
}

void hash64(int n, const struct arrays *arrays)
{
    const uint64_t *restrict in = arrays->input[0];
    uint64_t *restrict out = arrays->output;
    for (int i = 0; i < n; i++) {
        uint64_t h = in[i];
        for (unsigned round = 0; round < ROUNDS; round++) {
            h ^= h >> 33;
            h *= 0xff51afd7ed558ccdu;
            h ^= h >> 33;
            h *= 0xc4ceb9fe1a85ec53u;
            h ^= h >> 33;
            h += round;
        }
        out[i] = h;
    }
}

void crc(int n, const struct arrays *arrays)
{
    const uint32_t *restrict table = arrays->input[0];
    const uint8_t *restrict in = arrays->input[1];
    uint32_t *restrict out = arrays->output;
    for (int i = 0; i < n; i++) {
        uint32_t sum = ~0u;
        for (int k = 0; k < CHUNK; k++) {
            sum = table[(sum ^ in[i * CHUNK + k]) & 255] ^ sum >> 8;
        }
        out[i] = ~sum;
    }
}

__extension__ typedef _Float16 half;

// Half precision in float, rounded after each operation: the same bits, since float has more than twice the digits.
void half_steps(int n, const struct arrays *arrays)
{
    const half *restrict in = arrays->input[0];
    half *restrict out = arrays->output;
    for (int i = 0; i < n; i++) {
        half h = in[i];
        for (int step = 0; step < STEPS; step++) {
            half product = (half)((float)h * 0.75f);
            h = (half)((float)product + 0.1875f);
        }
        out[i] = h;
    }
}

static float normal(float d)
{
    float k = 1.0f / fmaf(0.2316419f, fabsf(d), 1.0f);
    float polynomial = fmaf(k, fmaf(k, fmaf(k, fmaf(k, 1.330274429f, -1.821255978f), 1.781477937f), -0.356563782f), 0.319381530f);
    float tail = 0.39894228040f * expf(-0.5f * d * d) * (k * polynomial);
    return d > 0.0f ? 1.0f - tail : tail;
}

void black_scholes(int n, const struct arrays *arrays)
{
    const float rate = 0.02f;
    const float volatility = 0.3f;
    const float *restrict random = arrays->input[0];
    float *restrict prices = arrays->output;
    for (int i = 0; i < n; i++) {
        float price = fmaf(25.0f, random[i], 5.0f);
        float strike = fmaf(99.0f, random[n + i], 1.0f);
        float years = fmaf(9.75f, random[2 * n + i], 0.25f);
        float root = sqrtf(years);
        float d1 = (logf(price / strike) + fmaf(0.5f * volatility, volatility, rate) * years) / (volatility * root);
        float d2 = d1 - volatility * root;
        float n1 = normal(d1);
        float n2 = normal(d2);
        float discounted = strike * expf(-rate * years);
        prices[i] = price * n1 - discounted * n2;
        prices[n + i] = discounted * (1.0f - n2) - price * (1.0f - n1);
    }
}
