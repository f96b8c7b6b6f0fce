// 256 bins of bytes: local-memory atomics within a work-group, then global atomics. The bins start at zero.
#define BLOCK 256

kernel void histogram(int n, global const unsigned char *restrict data, global unsigned *bins) {
    local unsigned counts[BLOCK];
    int thread = get_local_id(0);
    counts[thread] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_group_id(0) * BLOCK + thread; i < n; i += get_num_groups(0) * BLOCK) {
        atomic_add(&counts[data[i]], 1u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[thread], counts[thread]);
}
