// Gravity among bodies, some steps: rsqrtf, tiles of float4 in dynamic shared memory.
#include "check.h"

#include <vector>

__global__ void step(const float4 *from, float4 *to, float3 *velocity, int count, float dt)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = from[i];
    float3 force = make_float3(0, 0, 0);
    for (int start = 0; start < count; start += blockDim.x) {
        tile[threadIdx.x] = from[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float4 other = tile[k];
            float x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
            float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
            float pull = other.w * inverse * inverse * inverse;
            force.x += pull * x;
            force.y += pull * y;
            force.z += pull * z;
        }
        __syncthreads();
    }
    float3 v = velocity[i];
    v.x += force.x * dt;
    v.y += force.y * dt;
    v.z += force.z * dt;
    velocity[i] = v;
    to[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}

int main()
{
    const int count = 512, steps = 4, block = 128;
    const float dt = 0.01f;
    std::vector<float4> bodies(count), result(count);
    uint32_t seed = 21;
    for (float4 &body : bodies) {
        body.x = next_float(seed);
        body.y = next_float(seed);
        body.z = next_float(seed);
        body.w = next_float(seed) / count;
    }
    float4 *now = device_copy(bodies.data(), count), *next = device_array<float4>(count);
    float3 *velocity = device_array<float3>(count);
    CHECK(cudaMemset(velocity, 0, count * sizeof(float3)));
    for (int i = 0; i < steps; i++) {
        step<<<count / block, block, block * sizeof(float4)>>>(now, next, velocity, count, dt);
        LAUNCHED();
        float4 *swap = now;
        now = next;
        next = swap;
    }
    host_copy(result.data(), now, count);

    std::vector<double> p(3 * count), v(3 * count), q(3 * count);
    for (int i = 0; i < count; i++) {
        p[3 * i] = bodies[i].x;
        p[3 * i + 1] = bodies[i].y;
        p[3 * i + 2] = bodies[i].z;
    }
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < count; i++) {
            double force[3] = {};
            for (int k = 0; k < count; k++) {
                double d[3], square = 0.01;
                for (int c = 0; c < 3; c++) {
                    d[c] = p[3 * k + c] - p[3 * i + c];
                    square += d[c] * d[c];
                }
                for (int c = 0; c < 3; c++) {
                    force[c] += bodies[k].w * d[c] / (square * sqrt(square));
                }
            }
            for (int c = 0; c < 3; c++) {
                v[3 * i + c] += force[c] * dt;
                q[3 * i + c] = p[3 * i + c] + v[3 * i + c] * dt;
            }
        }
        p.swap(q);
    }
    for (int i = 0; i < count; i++) {
        double x = result[i].x - p[3 * i], y = result[i].y - p[3 * i + 1], z = result[i].z - p[3 * i + 2];
        double off = sqrt(x * x + y * y + z * z);
        REQUIRE(off < 1e-5, "body %d is off by %g", i, off);
    }
    printf("ok %d bodies, %d steps\n", count, steps);
    return 0;
}
