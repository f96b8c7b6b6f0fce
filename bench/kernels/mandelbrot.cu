// Iterations until |z| > 2, at most `limit`; (left, top) is pixel (0, 0), `dx` and `dy` the size of a pixel.
extern "C" __global__ void mandelbrot(int width, int height, int limit, float left, float top, float dx, float dy, int *__restrict__ iterations)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {
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
