// Arguments by value: structures, odd alignments, many of them, four kilobytes of them, all that CUDA allows.
#include "check.h"

struct mixed {
    char c;
    double d;
    short s;
    float3 f;
    bool b;
};

struct large {
    int values[1000];
};

struct largest { // 32,764 bytes are the limit of all arguments together
    int values[8188];
};

struct __align__(16) wide {
    float4 v;
    char tail;
};

__global__ void odd(char a, mixed m, short b, wide w, bool c, long long d, double *out)
{
    out[0] = a;
    out[1] = m.c + m.d + m.s + m.f.x + m.f.y * 10 + m.f.z * 100 + (m.b ? 1000 : 0);
    out[2] = b;
    out[3] = w.v.x + w.v.w + w.tail;
    out[4] = c;
    out[5] = static_cast<double>(d);
}

__global__ void much(large l, int *out)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum += l.values[i];
    }
    out[threadIdx.x] = sum + l.values[threadIdx.x];
}

__global__ void most(const __grid_constant__ largest l, int *out)
{
    int sum = 0;
    for (int i = 0; i < 8188; i++) {
        sum += l.values[i];
    }
    out[threadIdx.x] = sum + l.values[8187 - threadIdx.x];
}

__global__ void many(int a, long b, float c, double d, char e, short f, unsigned g, int *h, int i, long j, float k, double l, char m, short n,
                     unsigned o, int p, long q, float r, double s, double *out)
{
    *out = a + b + c + d + e + f + g + *h + i + j + k + l + m + n + o + p + q + r + s;
}

__global__ void none() {}

int main()
{
    double *out = device_array<double>(6), got[6];
    odd<<<1, 1>>>(-3, mixed{5, 0.5, -7, make_float3(1, 2, 3), true}, 1234, wide{make_float4(1, 0, 0, 4), 9}, true, -(1ll << 40), out);
    LAUNCHED();
    host_copy(got, out, 6);
    const double expected[6] = {-3, 5 + 0.5 - 7 + 1 + 20 + 300 + 1000, 1234, 14, 1, -1099511627776.0};
    for (int i = 0; i < 6; i++) {
        REQUIRE(got[i] == expected[i], "argument %d: %g, expected %g", i, got[i], expected[i]);
    }

    large l;
    for (int i = 0; i < 1000; i++) {
        l.values[i] = i * i;
    }
    int *sums = device_array<int>(32), host[32];
    much<<<1, 32>>>(l, sums);
    LAUNCHED();
    l.values[0] = 12345; // the launch has its own copy
    host_copy(host, sums, 32);
    for (int i = 0; i < 32; i++) {
        REQUIRE(host[i] == 332833500 + i * i, "thread %d: %d", i, host[i]);
    }

    static largest whole;
    for (int i = 0; i < 8188; i++) {
        whole.values[i] = i;
    }
    most<<<1, 32>>>(whole, sums);
    LAUNCHED();
    host_copy(host, sums, 32);
    for (int i = 0; i < 32; i++) {
        REQUIRE(host[i] == 8188 * 8187 / 2 + 8187 - i, "most, thread %d: %d", i, host[i]);
    }

    int eight = 8, *h = device_copy(&eight, 1);
    many<<<1, 1>>>(1, 2, 3, 4, 5, 6, 7, h, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, out);
    none<<<100, 100>>>();
    LAUNCHED();
    host_copy(got, out, 1);
    REQUIRE(got[0] == 190, "many: %g", got[0]);
    printf("ok arguments\n");
    return 0;
}
