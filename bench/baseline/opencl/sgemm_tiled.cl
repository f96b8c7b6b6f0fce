// C = A * B, square, row-major, n a multiple of 16; 16x16 tiles in local memory, two barriers per tile.
#define TILE 16

kernel void sgemm_tiled(int n, global const float *restrict a, global const float *restrict b,
                        global float *restrict c) {
    local float tileA[TILE][TILE];
    local float tileB[TILE][TILE];
    int x = get_local_id(0);
    int y = get_local_id(1);
    int column = get_group_id(0) * TILE + x;
    int row = get_group_id(1) * TILE + y;
    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tileA[y][x] = a[row * n + start + x];
        tileB[y][x] = b[(start + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) {
            sum = fma(tileA[y][k], tileB[k][x], sum);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
