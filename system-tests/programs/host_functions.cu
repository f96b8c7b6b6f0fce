// The program's own functions in stream order: between kernels, once each, in this process.
#include "check.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void twice(int *value)
{
    *value *= 2;
}

struct step {
    int *value;
    int seen;
    pid_t process;
};

void CUDART_CB add_one(void *data)
{
    step *s = static_cast<step *>(data);
    std::this_thread::sleep_for(std::chrono::milliseconds(2)); // the kernel behind must wait
    s->seen = *s->value;
    s->process = getpid();
    *s->value += 1;
}

std::atomic<int> called{0};
cudaError_t status = cudaErrorUnknown;
cudaStream_t told;

void CUDART_CB callback(cudaStream_t stream, cudaError_t error, void *data)
{
    told = stream;
    status = error;
    called += *static_cast<int *>(data);
}

int main()
{
    const int rounds = 15;
    int *value, expected = 3, amount = 5;
    CHECK(cudaHostAlloc(reinterpret_cast<void **>(&value), sizeof *value, cudaHostAllocMapped));
    *value = expected;
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::vector<step> steps(rounds, step{value, 0, 0});
    for (int i = 0; i < rounds; i++) {
        twice<<<1, 1, 0, stream>>>(value);
        CHECK(cudaLaunchHostFunc(stream, add_one, &steps[i]));
    }
    LAUNCHED();
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < rounds; i++) {
        expected *= 2;
        REQUIRE(steps[i].seen == expected, "step %d saw %d, expected %d", i, steps[i].seen, expected);
        REQUIRE(steps[i].process == getpid(), "step %d ran in process %d", i, steps[i].process);
        expected += 1;
    }
    REQUIRE(*value == expected, "value %d, expected %d", *value, expected);
    CHECK(cudaStreamAddCallback(stream, callback, &amount, 0));
    CHECK(cudaStreamAddCallback(stream, callback, &amount, 0));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(called == 10, "called %d", called.load());
    REQUIRE(status == cudaSuccess && told == stream, "status %d", status);
    // A thread of this process can be waited for by the device: the flag is set by a host function
    // in another stream.
    cudaStream_t other;
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    CHECK(cudaLaunchHostFunc(other, add_one, &steps[0]));
    CHECK(cudaEventRecord(event, other));
    CHECK(cudaStreamWaitEvent(stream, event, 0));
    twice<<<1, 1, 0, stream>>>(value);
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(*value == (expected + 1) * 2, "value %d", *value);
    printf("ok %d functions\n", rounds);
    return 0;
}
