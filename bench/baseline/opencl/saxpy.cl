// y = a * x + y, one work-item per element. fma is spelled out so that every implementation rounds alike.
kernel void saxpy(int n, float a, global const float *restrict x, global float *restrict y) {
    int i = get_global_id(0);
    if (i < n) {
        y[i] = fma(a, x[i], y[i]);
    }
}
