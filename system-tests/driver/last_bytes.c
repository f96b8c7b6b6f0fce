/* Eight processes ask for the last bytes of their slice at the same time, again and again: one of them gets them. */
#include "check.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 8, ROUNDS = 150, BLOCK = 3 << 20 };

struct shared {
    _Atomic unsigned arrived, winners;
    _Atomic bool wrong;
};

/* Everybody waits for everybody. */
static void meet(struct shared *all, unsigned *step)
{
    unsigned due = ++*step * (PROCESSES + 1);
    all->arrived++;
    while (all->arrived < due && !all->wrong)
        sched_yield();
}

static void contend(struct shared *all)
{
    unsigned step = 0;
    open_device();
    for (int round = 0; round < ROUNDS && !all->wrong; round++) {
        CUdeviceptr pointer = 0;
        meet(all, &step);
        CUresult result = cuMemAlloc(&pointer, BLOCK);
        if (result == CUDA_SUCCESS)
            all->winners++;
        else if (result != CUDA_ERROR_OUT_OF_MEMORY)
            all->wrong = true;
        meet(all, &step);
        meet(all, &step); /* the parent has counted */
        if (pointer != 0)
            CHECK(cuMemFree(pointer));
    }
    _exit(all->wrong);
}

int main(void)
{
    struct shared *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0)
            contend(all);
    unsigned step = 0, most = 0, none = 0;
    size_t available, total;
    open_device();
    CHECK(cuMemGetInfo(&available, &total));
    allocate(available - BLOCK - 512); /* room for one, not for two */
    for (int round = 0; round < ROUNDS && !all->wrong; round++) {
        all->winners = 0;
        meet(all, &step);
        meet(all, &step);
        most = all->winners > most ? all->winners : most;
        none += all->winners == 0;
        CHECK(cuMemGetInfo(&available, &total));
        if (all->winners == 1 && available != 512)
            all->wrong = true;
        meet(all, &step);
        /* The winner frees before the next round: it arrives there afterwards. */
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        wait(&status);
        REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child ended with %x", status);
    }
    REQUIRE(!all->wrong, "%zu bytes left", available);
    REQUIRE(most == 1 && none == 0, "%u had it at once, and in %u rounds nobody", most, none);
    printf("ok %d rounds\n", ROUNDS);
    return 0;
}
