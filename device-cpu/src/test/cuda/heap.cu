// nvcc: -arch=sm_75
// malloc and free on the device.

extern "C" __global__ void list_sum(const int* lengths, long long* out) {
    struct Node {
        int value;
        Node* next;
    };
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node* head = nullptr;
    for (int k = 0; k < lengths[i]; k++) {
        Node* node = (Node*) malloc(sizeof(Node));
        node->value = i + k;
        node->next = head;
        head = node;
    }
    long long sum = 0;
    while (head != nullptr) {
        sum = sum * 3 + head->value;
        Node* next = head->next;
        free(head);
        head = next;
    }
    out[i] = sum;
}

// Blocks that outlive the kernel: one launch allocates, the next reads and frees.
extern "C" __global__ void heap_fill(int** slots, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int* memory = (int*) malloc(count * sizeof(int));
    for (int k = 0; k < count; k++) {
        memory[k] = i * count + k;
    }
    slots[i] = memory;
}

extern "C" __global__ void heap_read(int** slots, int count, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < count; k++) {
        sum += slots[i][k];
    }
    out[i] = sum;
    free(slots[i]);
}

// A block too large for the heap gives null.
extern "C" __global__ void heap_full(unsigned long long bytes, int* out) {
    void* memory = malloc(bytes);
    out[0] = memory == nullptr ? 1 : 2;
    free(memory);
    free(nullptr);
    void* small = malloc(16);
    out[1] = small != nullptr && ((unsigned long long) small & 15) == 0 ? 1 : 2;
    free(small);
}
