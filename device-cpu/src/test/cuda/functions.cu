// nvcc: -arch=sm_75
// Calls through pointers: a table of functions, a pointer kept in memory, virtual functions.

typedef int (*Operation)(int, int);

__device__ __noinline__ int add(int a, int b) {
    return a + b;
}

__device__ __noinline__ int subtract(int a, int b) {
    return a - b;
}

__device__ __noinline__ int multiply(int a, int b) {
    return a * b;
}

__device__ __noinline__ int steps(int a, int b) {
    int count = 0;
    while (b != 0) {
        int t = a % b;
        a = b;
        b = t;
        count++;
    }
    return count * 1000 + a;
}

__device__ Operation table[4] = {add, subtract, multiply, steps};

// All threads call the same entry.
extern "C" __global__ void by_index(int which, const int* a, const int* b, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[which](a[i], b[i]);
}

// Neighbouring threads call different functions.
extern "C" __global__ void by_thread(const int* which, const int* a, const int* b, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Operation operation = table[which[i] & 3];
    out[i] = operation(a[i], b[i]) + operation(b[i], 3);
}

// One kernel stores a function's address, another calls it.
extern "C" __global__ void store_pointer(Operation* slot, int which) {
    *slot = which == 0 ? add : multiply;
}

extern "C" __global__ void call_pointer(Operation* slot, const int* a, const int* b, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (*slot)(a[i], b[i]);
}

class Shape {
  public:
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
    __device__ virtual ~Shape() {}
};

class Square : public Shape {
  public:
    __device__ Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }

  private:
    float side;
};

class Rectangle : public Shape {
  public:
    __device__ Rectangle(float width, float height) : width(width), height(height) {}
    __device__ float area() const override { return width * height; }
    __device__ int corners() const override { return 4; }

  private:
    float width;
    float height;
};

class Circle : public Shape {
  public:
    __device__ Circle(float radius) : radius(radius) {}
    __device__ float area() const override { return 3.0f * radius * radius; }

  private:
    float radius;
};

extern "C" __global__ void virtual_make(Shape** shapes, const float* sizes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (i % 3) {
        case 0: shapes[i] = new Square(sizes[i]); break;
        case 1: shapes[i] = new Rectangle(sizes[i], 2.0f); break;
        default: shapes[i] = new Circle(sizes[i]); break;
    }
}

extern "C" __global__ void virtual_use(Shape** shapes, float* areas, int* corners) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    areas[i] = shapes[i]->area();
    corners[i] = shapes[i]->corners();
}

extern "C" __global__ void virtual_delete(Shape** shapes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    delete shapes[i];
    shapes[i] = nullptr;
}
