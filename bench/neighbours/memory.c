/* Memory that comes and goes. */
#include "attack.h"
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void allocations(void)
{
    open_device();
    under_way();
    for (;;) {
        CUdeviceptr all[64];
        for (int i = 0; i < 64; i++) {
            CHECK(cuMemAlloc(&all[i], 64u << 10));
            CHECK(cuMemsetD8Async(all[i], 1, 64u << 10, NULL));
        }
        for (int i = 0; i < 64; i++)
            CHECK(cuMemFree(all[i]));
    }
}

/* Children that keep what the parent has, while the parent frees it and takes it again. */
void forks(void)
{
    enum { CHILDREN = 12 };
    const size_t bytes = 48u << 20;
    open_device();
    for (;;) {
        pid_t children[CHILDREN];
        for (int i = 0; i < CHILDREN; i++) {
            CUdeviceptr memory;
            CHECK(cuMemAlloc(&memory, bytes));
            CHECK(cuMemsetD8(memory, 1, bytes));
            children[i] = fork();
            if (children[i] == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
                for (;;)
                    pause();
            }
            CHECK(cuMemFree(memory));
            if (i == 0)
                under_way();
        }
        for (int i = 0; i < CHILDREN; i++) {
            kill(children[i], SIGKILL);
            waitpid(children[i], NULL, 0);
        }
    }
}
