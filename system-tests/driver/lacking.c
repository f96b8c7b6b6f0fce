// role: helper
/* Asks for what is not there, often, and looks at no error: its user is to hear of it once. With a number: for so many
 * different instructions. */
#include "check.h"

static const char head[] = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n";

static CUresult load(const char *instruction, char *log, size_t bytes)
{
    char text[512];
    CUmodule module;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)bytes};
    snprintf(text, sizeof text, "%s    %s\n    ret;\n}\n", head, instruction);
    return cuModuleLoadDataEx(&module, text, log == NULL ? 0 : 2, options, values);
}

int main(int count, char **arguments)
{
    int names = count > 1 ? atoi(arguments[1]) : 1;
    char log[1024] = "";
    CUgraphNode node;
    open_device();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < names; j++) {
            char instruction[64];
            snprintf(instruction, sizeof instruction, "add.no_such_%d.s32 %%r1, %%r1, %%r1;", j);
            EXPECT(load(instruction, log, sizeof log), CUDA_ERROR_INVALID_PTX);
            EXPECT(load(instruction, NULL, 0), CUDA_ERROR_INVALID_PTX);
        }
        EXPECT(cuGraphAddBatchMemOpNode(&node, NULL, NULL, 0, NULL), CUDA_ERROR_NOT_SUPPORTED);
    }
    REQUIRE(strstr(log, "line 6") != NULL && strstr(log, "add.no_such_") != NULL, "%s", log);
    /* What is wrong is the program's own affair, and is in the log that it asked for. */
    EXPECT(load("add.s32 %r1;", log, sizeof log), CUDA_ERROR_INVALID_PTX);
    CHECK(cuCtxSynchronize());
    printf("ok lacking\n");
    return 0;
}
