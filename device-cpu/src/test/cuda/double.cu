// nvcc: -arch=sm_75 -fmad=false
// Double precision with a fixed order of operations.

extern "C" __global__ void nbody_step(
        const double* x, const double* y, const double* z, const double* mass,
        double* ax, double* ay, double* az, int n) {
    extern __shared__ double bodies[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double px = i < n ? x[i] : 0;
    double py = i < n ? y[i] : 0;
    double pz = i < n ? z[i] : 0;
    double fx = 0;
    double fy = 0;
    double fz = 0;
    for (int start = 0; start < n; start += blockDim.x) {
        int j = start + threadIdx.x;
        if (j < n) {
            bodies[4 * threadIdx.x] = x[j];
            bodies[4 * threadIdx.x + 1] = y[j];
            bodies[4 * threadIdx.x + 2] = z[j];
            bodies[4 * threadIdx.x + 3] = mass[j];
        }
        __syncthreads();
        int count = min((int) blockDim.x, n - start);
        for (int k = 0; k < count; k++) {
            double dx = bodies[4 * k] - px;
            double dy = bodies[4 * k + 1] - py;
            double dz = bodies[4 * k + 2] - pz;
            double r2 = dx * dx + dy * dy + dz * dz + 1e-3;
            double s = bodies[4 * k + 3] / (r2 * sqrt(r2));
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        __syncthreads();
    }
    if (i < n) {
        ax[i] = fx;
        ay[i] = fy;
        az[i] = fz;
    }
}

extern "C" __global__ void polynomial(const double* in, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double v = in[i];
        double sum = 0;
        for (int k = 12; k >= 0; k--) {
            sum = fma(sum, v, 1.0 / (k + 1));
        }
        out[i] = sum;
    }
}

extern "C" __global__ void rounding(const double* in, long long* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = in[i];
    long long* o = out + i * 10;
    o[0] = __double2ll_rn(v);
    o[1] = __double2ll_rz(v);
    o[2] = __double2ll_ru(v);
    o[3] = __double2ll_rd(v);
    o[4] = (int) v;
    o[5] = (long long) (unsigned) fabs(v);
    o[6] = __double_as_longlong(rint(v));
    o[7] = __double_as_longlong(floor(v));
    o[8] = __double_as_longlong(ceil(v));
    o[9] = __double_as_longlong((double) (float) v);
}

extern "C" __global__ void directed(const double* a, const double* b, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double* o = out + i * 4;
    o[0] = __dadd_ru(a[i], b[i]);
    o[1] = __dadd_rd(a[i], b[i]);
    o[2] = __dmul_ru(a[i], b[i]);
    o[3] = __dmul_rz(a[i], b[i]);
}
