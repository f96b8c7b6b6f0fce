// Processes of one slice that take memory at the same time never have more than its limit.
#include "check.h"

#include <atomic>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct shared {
    std::atomic<int> ready, held;
    std::atomic<size_t> taken, peak;
};

void take(shared *all, int processes)
{
    const size_t bytes = 8 << 20;
    std::vector<void *> blocks;
    CHECK(cudaFree(nullptr));
    all->ready++;
    while (all->ready < processes) {
        usleep(100);
    }
    void *block;
    while (cudaMalloc(&block, bytes) == cudaSuccess) {
        blocks.push_back(block);
        all->taken += bytes;
    }
    // Everybody holds what it has, then gives it back.
    all->held++;
    while (all->held < processes) {
        usleep(1000);
    }
    size_t now = all->taken;
    all->peak = now;
    for (void *each : blocks) {
        CHECK(cudaFree(each));
    }
}

int main()
{
    const int processes = 4;
    shared *all = static_cast<shared *>(mmap(nullptr, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::vector<pid_t> children;
    for (int i = 0; i < processes; i++) {
        pid_t child = fork();
        if (child == 0) {
            take(all, processes);
            _exit(0);
        }
        children.push_back(child);
    }
    for (pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child ended with %x", status);
    }
    size_t available, total;
    CHECK(cudaMemGetInfo(&available, &total));
    size_t peak = all->peak;
    REQUIRE(peak <= total, "%zu bytes of %zu", peak, total);
    REQUIRE(peak >= total / 2, "only %zu bytes of %zu", peak, total);
    printf("ok %d processes\n", processes);
    return 0;
}
