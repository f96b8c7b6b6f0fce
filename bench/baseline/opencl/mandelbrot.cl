// Iterations until |z| > 2, at most `limit`; (left, top) is pixel (0, 0), `dx` and `dy` the size of a pixel.
kernel void mandelbrot(int width, int height, int limit, float left, float top, float dx,
                       float dy, global int *restrict iterations) {
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (column < width && row < height) {
        float cx = fma((float)column, dx, left);
        float cy = fma((float)row, dy, top);
        float x = 0.0f;
        float y = 0.0f;
        int count = 0;
        while (count < limit && fma(x, x, y * y) <= 4.0f) {
            float next = fma(x, x, fma(-y, y, cx));
            y = fma(x + x, y, cy);
            x = next;
            count++;
        }
        iterations[row * width + column] = count;
    }
}
