// Five points of a 2D grid; the border is not written.
kernel void stencil(int width, int height, float c0, float c1, global const float *restrict in,
                    global float *restrict out) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        int i = y * width + x;
        float neighbours = (in[i - width] + in[i + width]) + (in[i + 1] + in[i - 1]);
        out[i] = fma(c1, neighbours, c0 * in[i]);
    }
}
