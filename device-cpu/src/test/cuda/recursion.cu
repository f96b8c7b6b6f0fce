// nvcc: -arch=sm_75
// Real calls: recursion, mutual recursion, many parameters, a tree on pointers.

__device__ __noinline__ int fib(int n) {
    if (n < 2) {
        return n;
    }
    return fib(n - 1) + fib(n - 2);
}

__device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0) {
        return n + 1;
    }
    if (n == 0) {
        return ackermann(m - 1, 1);
    }
    return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ bool odd(unsigned n);

__device__ __noinline__ bool even(unsigned n) {
    return n == 0 ? true : odd(n - 1);
}

__device__ __noinline__ bool odd(unsigned n) {
    return n == 0 ? false : even(n - 1);
}

struct Node {
    int key;
    int left;
    int right;
};

__device__ __noinline__ long long depthSum(const Node* nodes, int at, int depth) {
    if (at < 0) {
        return 0;
    }
    Node node = nodes[at];
    return (long long) node.key * depth + depthSum(nodes, node.left, depth + 1)
            + depthSum(nodes, node.right, depth + 1);
}

struct Big {
    double a;
    int b[5];
    short c;
};

__device__ __noinline__ Big mix(Big x, float y, char z, long long w) {
    Big r;
    r.a = x.a * y + w;
    for (int i = 0; i < 5; i++) {
        r.b[i] = x.b[4 - i] + z;
    }
    r.c = (short) (x.c - z);
    return r;
}

extern "C" __global__ void fibonacci(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = fib(in[i]);
    }
}

extern "C" __global__ void ackermann_small(const int* m, const int* n, int* out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        out[i] = ackermann(m[i], n[i]);
    }
}

extern "C" __global__ void parity(const unsigned* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = even(in[i]) ? 1 : 2;
}

extern "C" __global__ void tree_walk(const Node* nodes, const int* roots, long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = depthSum(nodes, roots[i], 1);
    }
}

extern "C" __global__ void struct_call(const int* in, double* outA, int* outB) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Big x;
    x.a = in[i] * 0.5;
    for (int k = 0; k < 5; k++) {
        x.b[k] = in[i] + k * k;
    }
    x.c = (short) (in[i] * 3);
    Big r = mix(x, 4.0f, (char) (in[i] & 15), in[i] * 10000000000LL);
    outA[i] = r.a;
    for (int k = 0; k < 5; k++) {
        outB[i * 6 + k] = r.b[k];
    }
    outB[i * 6 + 5] = r.c;
}
