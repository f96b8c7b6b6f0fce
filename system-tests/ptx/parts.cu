// What linked.cu needs.
extern "C" __device__ int shared_number = 5;

extern "C" __device__ int twice(int value) { return 2 * value; }
