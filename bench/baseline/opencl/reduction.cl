// One partial sum per work-group: grid-stride sums, then a tree in local memory. The host adds the partials.
#define BLOCK 256

kernel void reduction(int n, global const float *restrict values, global float *restrict partials) {
    local float sums[BLOCK];
    int thread = get_local_id(0);
    float sum = 0.0f;
    for (int i = get_group_id(0) * BLOCK + thread; i < n; i += get_num_groups(0) * BLOCK) {
        sum += values[i];
    }
    sums[thread] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
        if (thread < distance) {
            sums[thread] += sums[thread + distance];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (thread == 0) {
        partials[get_group_id(0)] = sums[0];
    }
}
