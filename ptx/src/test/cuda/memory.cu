// Every state space, initialised globals that point at each other.
struct Node {
    int value;
    const Node *next;
    const char *name;
};

__device__ int counter;
__device__ int table[4][3] = {{1, 2, 3}, {4, 5, 6}, {-7, 8, 9}};
__device__ double precise[2] = {3.141592653589793, -1e-300};
__device__ float single = 1.5f;
__device__ unsigned char octets[5] = {1, 2, 255, 4};
__device__ const char *const message = "a text";
__device__ Node second = {2, nullptr, "second"};
__device__ Node first = {1, &second, "first"};
__device__ int *inside = &table[1][2];
__managed__ int shared_with_host = 42;
__constant__ float filter[16] = {0.5f, 0.25f};
__constant__ long long wide = -1LL << 60;
static __device__ short hidden[3];
__device__ __align__(16) float4 quad = {1, 2, 3, 4};

extern __shared__ __align__(16) char dynamic[];

__global__ void __launch_bounds__(256, 2) memory(int *out, const int *__restrict__ in) {
    __shared__ int tile[32][33];
    __shared__ float4 vectors[8];
    int *scratch = (int *)dynamic;
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 32 + x];
    scratch[x] = tile[x][y];
    vectors[x & 7] = quad;
    __syncthreads();
    int local[40];
    for (int i = 0; i < 40; i++) {
        local[i] = tile[i & 31][x] + scratch[i];
    }
    int sum = 0;
    for (int i = 0; i < 40; i++) {
        sum += local[(i * x) % 40];
    }
    const Node *node = &first;
    for (int i = 0; i < x; i++) {
        node = node->next;
    }
    sum += node->value + node->name[0] + message[x] + table[x & 3][1] + *inside + octets[x & 3];
    sum += (int)(filter[x & 15] * single + precise[x & 1]) + (int)wide + hidden[x % 3];
    sum += (int)vectors[3].w + shared_with_host;
    hidden[x % 3] = (short)sum;
    out[x] = sum;
    atomicAdd(&counter, 1);
    __threadfence();
}
