// nvcc: -arch=sm_75
// Structures by value with pointers inside, and structures behind pointers.

struct View {
    const int* data;
    int count;
    short scale;
    char shift;
    double weight;
    int* result;
};

extern "C" __global__ void by_value(View view, int extra) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < view.count) {
        view.result[i] = (int) (view.data[i] * view.scale * view.weight) + view.shift + extra;
    }
}

struct Inner {
    float* values;
    long long length;
};

struct Outer {
    int rows;
    Inner* inner;
    Outer* next;
};

extern "C" __global__ void nested(const Outer* outer, float* sums) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int at = 0;
    for (const Outer* o = outer; o != nullptr; o = o->next) {
        if (row < o->rows) {
            float sum = 0;
            for (long long k = 0; k < o->inner[row].length; k++) {
                sum += o->inner[row].values[k];
            }
            sums[at + row] = sum;
        }
        at += o->rows;
    }
}

// A large structure indexed dynamically in parameter space.
struct Table {
    int entries[64];
};

extern "C" __global__ void table_lookup(Table table, const int* index, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table.entries[index[i] & 63];
}

struct alignas(16) Packed {
    char a;
    short b;
    int c;
    long long d;
    unsigned char e[3];
};

extern "C" __global__ void small_arguments(
        char c, short s, Packed p, unsigned char u, float f, double d, bool flag, long long* out) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        out[0] = c;
        out[1] = s;
        out[2] = p.a;
        out[3] = p.b;
        out[4] = p.c;
        out[5] = p.d;
        out[6] = p.e[0] + p.e[1] * 256 + p.e[2] * 65536;
        out[7] = u;
        out[8] = (long long) (f * 8.0f);
        out[9] = (long long) (d * 16.0);
        out[10] = flag;
    }
}
