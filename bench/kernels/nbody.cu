// Acceleration of every body by every body (x, y, z, mass), G = 1; n a multiple of 256.
#define BLOCK 256

extern "C" __global__ void nbody(int n, float softening, const float4 *__restrict__ bodies, float4 *__restrict__ accelerations)
{
    __shared__ float4 tile[BLOCK];
    int thread = threadIdx.x;
    int i = blockIdx.x * BLOCK + thread;
    float4 self = bodies[i];
    float ax = 0.0f;
    float ay = 0.0f;
    float az = 0.0f;
    for (int start = 0; start < n; start += BLOCK) {
        tile[thread] = bodies[start + thread];
        __syncthreads();
        for (int j = 0; j < BLOCK; j++) {
            float4 other = tile[j];
            float dx = other.x - self.x;
            float dy = other.y - self.y;
            float dz = other.z - self.z;
            float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening))));
            float pull = other.w * inverse * inverse * inverse;
            ax = fmaf(pull, dx, ax);
            ay = fmaf(pull, dy, ay);
            az = fmaf(pull, dz, az);
        }
        __syncthreads();
    }
    accelerations[i] = make_float4(ax, ay, az, 0.0f);
}
