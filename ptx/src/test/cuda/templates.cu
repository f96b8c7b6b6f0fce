// Templates and lambdas: long mangled names, device functions kept out of line.
template <typename T, int N>
struct Polynomial {
    T coefficients[N];

    __device__ __noinline__ T at(T x) const {
        T sum = 0;
        for (int i = N - 1; i >= 0; i--) {
            sum = sum * x + coefficients[i];
        }
        return sum;
    }
};

template <typename T, int N>
__global__ void evaluate(Polynomial<T, N> polynomial, const T *in, T *out, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        out[i] = polynomial.at(in[i]);
    }
}

template <typename Function>
__global__ void apply(float *data, int count, Function function) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i] = function(data[i], i);
    }
}

template __global__ void evaluate<float, 4>(Polynomial<float, 4>, const float *, float *, int);
template __global__ void evaluate<double, 7>(Polynomial<double, 7>, const double *, double *, int);
template __global__ void evaluate<long long, 3>(
        Polynomial<long long, 3>, const long long *, long long *, int);

struct Scale {
    float factor;
    __device__ float operator()(float x, int i) const { return factor * x + i; }
};
template __global__ void apply<Scale>(float *, int, Scale);

__global__ void lambdas(float *data, int count) {
    auto wave = [=](int i) { return __sinf(data[i]) + cosf(data[i]) + exp2f(data[i]); };
    int i = threadIdx.x;
    if (i < count) {
        data[i] = wave(i) + wave(count - 1 - i);
    }
}
