// Acceleration of every body by every body (x, y, z, mass), G = 1; n a multiple of 256.
#define BLOCK 256

kernel void nbody(int n, float softening, global const float4 *restrict bodies,
                  global float4 *restrict accelerations) {
    local float4 tile[BLOCK];
    int thread = get_local_id(0);
    int i = get_group_id(0) * BLOCK + thread;
    float4 self = bodies[i];
    float ax = 0.0f;
    float ay = 0.0f;
    float az = 0.0f;
    for (int start = 0; start < n; start += BLOCK) {
        tile[thread] = bodies[start + thread];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < BLOCK; j++) {
            float4 other = tile[j];
            float dx = other.x - self.x;
            float dy = other.y - self.y;
            float dz = other.z - self.z;
            float inverse = rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
            float pull = other.w * inverse * inverse * inverse;
            ax = fma(pull, dx, ax);
            ay = fma(pull, dy, ay);
            az = fma(pull, dz, az);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accelerations[i] = (float4)(ax, ay, az, 0.0f);
}
