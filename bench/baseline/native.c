// The kernels as plain C on one thread: a loop over all threads of the grid around the body of the kernel. Where the
// kernel has a barrier the loop runs block by block and is cut in two. Vectors are left to the compiler.
#include <math.h>
#include <string.h>

#include "harness.h"
#include "sizes.h"

static void saxpy(int blocks, int n, float a, const float *restrict x, float *restrict y)
{
    for (int block = 0; block < blocks; block++) {
        for (int thread = 0; thread < BLOCK; thread++) {
            int i = block * BLOCK + thread;
            if (i < n) {
                y[i] = fmaf(a, x[i], y[i]);
            }
        }
    }
}

static void sgemm_naive(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            float sum = 0.0f;
            for (int k = 0; k < n; k++) {
                sum = fmaf(a[row * n + k], b[k * n + column], sum);
            }
            c[row * n + column] = sum;
        }
    }
}

static void sgemm_tiled_block(int block_x, int block_y, int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    float tile_a[TILE][TILE];
    float tile_b[TILE][TILE];
    float sum[TILE][TILE] = {{0.0f}};
    int column = block_x * TILE;
    int row = block_y * TILE;
    for (int start = 0; start < n; start += TILE) {
        for (int y = 0; y < TILE; y++) {
            for (int x = 0; x < TILE; x++) {
                tile_a[y][x] = a[(row + y) * n + start + x];
                tile_b[y][x] = b[(start + y) * n + column + x];
            }
        }
        for (int y = 0; y < TILE; y++) {
            for (int x = 0; x < TILE; x++) {
                for (int k = 0; k < TILE; k++) {
                    sum[y][x] = fmaf(tile_a[y][k], tile_b[k][x], sum[y][x]);
                }
            }
        }
    }
    for (int y = 0; y < TILE; y++) {
        for (int x = 0; x < TILE; x++) {
            c[(row + y) * n + column + x] = sum[y][x];
        }
    }
}

static void sgemm_tiled(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
    for (int block_y = 0; block_y < n / TILE; block_y++) {
        for (int block_x = 0; block_x < n / TILE; block_x++) {
            sgemm_tiled_block(block_x, block_y, n, a, b, c);
        }
    }
}

static void reduction(int blocks, int n, const float *restrict values, float *restrict partials)
{
    for (int block = 0; block < blocks; block++) {
        float sums[BLOCK];
        for (int thread = 0; thread < BLOCK; thread++) {
            float sum = 0.0f;
            for (int i = block * BLOCK + thread; i < n; i += blocks * BLOCK) {
                sum += values[i];
            }
            sums[thread] = sum;
        }
        for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
            for (int thread = 0; thread < distance; thread++) {
                sums[thread] += sums[thread + distance];
            }
        }
        partials[block] = sums[0];
    }
}

static void histogram(int blocks, int n, const uint8_t *restrict data, uint32_t *restrict bins)
{
    for (int block = 0; block < blocks; block++) {
        uint32_t counts[HISTOGRAM_BINS] = {0};
        for (int thread = 0; thread < BLOCK; thread++) {
            for (int i = block * BLOCK + thread; i < n; i += blocks * BLOCK) {
                counts[data[i]]++;
            }
        }
        for (int thread = 0; thread < BLOCK; thread++) {
            bins[thread] += counts[thread];
        }
    }
}

static void mandelbrot(int width, int height, int limit, float left, float top, float dx, float dy, int32_t *restrict iterations)
{
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            float cx = fmaf((float)column, dx, left);
            float cy = fmaf((float)row, dy, top);
            float x = 0.0f;
            float y = 0.0f;
            int count = 0;
            while (count < limit && fmaf(x, x, y * y) <= 4.0f) {
                float next = fmaf(x, x, fmaf(-y, y, cx));
                y = fmaf(x + x, y, cy);
                x = next;
                count++;
            }
            iterations[row * width + column] = count;
        }
    }
}

static void stencil(int width, int height, float c0, float c1, const float *restrict in, float *restrict out)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
                int i = y * width + x;
                float neighbours = (in[i - width] + in[i + width]) + (in[i + 1] + in[i - 1]);
                out[i] = fmaf(c1, neighbours, c0 * in[i]);
            }
        }
    }
}

struct body {
    float x, y, z, w;
};

static void nbody_block(int block, int n, float softening, const struct body *restrict bodies, struct body *restrict accelerations)
{
    float ax[BLOCK] = {0.0f};
    float ay[BLOCK] = {0.0f};
    float az[BLOCK] = {0.0f};
    for (int start = 0; start < n; start += BLOCK) {
        struct body tile[BLOCK];
        memcpy(tile, bodies + start, sizeof tile);
        for (int thread = 0; thread < BLOCK; thread++) {
            struct body self = bodies[block * BLOCK + thread];
            float x = ax[thread];
            float y = ay[thread];
            float z = az[thread];
            for (int j = 0; j < BLOCK; j++) {
                float dx = tile[j].x - self.x;
                float dy = tile[j].y - self.y;
                float dz = tile[j].z - self.z;
                float inverse = 1.0f / sqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening))));
                float pull = tile[j].w * inverse * inverse * inverse;
                x = fmaf(pull, dx, x);
                y = fmaf(pull, dy, y);
                z = fmaf(pull, dz, z);
            }
            ax[thread] = x;
            ay[thread] = y;
            az[thread] = z;
        }
    }
    for (int thread = 0; thread < BLOCK; thread++) {
        accelerations[block * BLOCK + thread] = (struct body){ax[thread], ay[thread], az[thread], 0.0f};
    }
}

static void nbody(int blocks, int n, float softening, const struct body *restrict bodies, struct body *restrict accelerations)
{
    for (int block = 0; block < blocks; block++) {
        nbody_block(block, n, softening, bodies, accelerations);
    }
}

struct context {
    const struct workload *workload;
    const struct buffers *buffers;
};

static void prepare(void *context, const struct workload *workload, const struct buffers *buffers)
{
    *(struct context *)context = (struct context){workload, buffers};
}

static void run(void *context)
{
    const struct workload *workload = ((struct context *)context)->workload;
    const struct buffers *buffers = ((struct context *)context)->buffers;
    const union scalar *s = workload->scalars;
    const void *in = buffers->input[0];
    void *out = buffers->output;
    int blocks = (int)workload->grid[0];
    if (strcmp(workload->name, "saxpy") == 0) {
        saxpy(blocks, s[0].i, s[1].f, in, out);
    } else if (strcmp(workload->name, "sgemm_naive") == 0) {
        sgemm_naive(s[0].i, in, buffers->input[1], out);
    } else if (strcmp(workload->name, "sgemm_tiled") == 0) {
        sgemm_tiled(s[0].i, in, buffers->input[1], out);
    } else if (strcmp(workload->name, "reduction") == 0) {
        reduction(blocks, s[0].i, in, out);
    } else if (strcmp(workload->name, "histogram") == 0) {
        histogram(blocks, s[0].i, in, out);
    } else if (strcmp(workload->name, "mandelbrot") == 0) {
        mandelbrot(s[0].i, s[1].i, s[2].i, s[3].f, s[4].f, s[5].f, s[6].f, out);
    } else if (strcmp(workload->name, "stencil") == 0) {
        stencil(s[0].i, s[1].i, s[2].f, s[3].f, in, out);
    } else if (strcmp(workload->name, "nbody") == 0) {
        nbody(blocks, s[0].i, s[1].f, in, out);
    }
}

static void nothing(void *context)
{
    (void)context;
}

int main(int argc, char **argv)
{
    struct options options = {.warmup = 10, .runs = 20, .threads = 1};
    parse_options(argc, argv, "Times the benchmark kernels written as plain C loops, on one thread.", &options);
    struct context context;
    const struct implementation implementation = {"gcc", prepare, run, nothing, nothing};
    return run_workloads(&implementation, &context, &options);
}
