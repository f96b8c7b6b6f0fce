// A kernel whose function comes from another text: parts.cu.
extern "C" __device__ int twice(int value);
extern "C" __device__ int shared_number;

extern "C" __global__ void apply(int *data) { data[threadIdx.x] = twice(data[threadIdx.x]) + shared_number; }
