/* Work for the compiler. Each text is another one, so that none is found ready. */
#include "attack.h"
#include <stdlib.h>

/* As a host does it: the code is made when a kernel is launched, so it is. */
static void load_and_launch(char *text)
{
    CUmodule module;
    CUfunction function;
    if (cuModuleLoadData(&module, text) == CUDA_SUCCESS) {
        if (cuModuleGetFunction(&function, module, "attack") == CUDA_SUCCESS) {
            launch(function, 1, 1, NULL, NULL);
            CHECK(cuCtxSynchronize());
        }
        CHECK(cuModuleUnload(module));
    }
    free(text);
}

void many_labels(void)
{
    enum { LABELS = 20000 };
    open_device();
    under_way();
    for (unsigned number = next_number();; number++) {
        char *text;
        FILE *file = begin_text(&text);
        fputs(".visible .entry attack() { .reg .b32 %r<4>; .reg .pred %p<2>; mov.u32 %r1, %clock;\n", file);
        for (int i = 0; i < LABELS; i++)
            fprintf(file, "L%d: add.u32 %%r1, %%r1, %u; setp.eq.u32 %%p1, %%r1, %d; @%%p1 bra L%d;\n", i, number, i, (int)((i * 7919u) % LABELS));
        fputs("ret; }\n", file);
        fclose(file);
        load_and_launch(text);
    }
}

void many_kernels(void)
{
    enum { KERNELS = 100000 };
    open_device();
    under_way();
    for (unsigned number = next_number();; number++) {
        char *text;
        FILE *file = begin_text(&text);
        for (int i = 0; i < KERNELS; i++)
            fprintf(file,
                    ".visible .entry k%d(.param .u64 p) { .reg .b32 %%r<2>; .reg .b64 %%rd<2>; ld.param.u64 %%rd1, [p]; "
                    "mov.u32 %%r1, %u; st.global.u32 [%%rd1], %%r1; ret; }\n",
                    i, number);
        fputs(".visible .entry attack() { ret; }\n", file);
        fclose(file);
        load_and_launch(text);
    }
}

void many_modules(void)
{
    open_device();
    under_way();
    for (unsigned number = next_number();; number++) {
        char *text;
        FILE *file = begin_text(&text);
        fprintf(file, ".visible .entry attack() { .reg .b32 %%r<20>; mov.u32 %%r1, %u;\n", number);
        for (int i = 0; i < 200; i++)
            fprintf(file, "mad.lo.u32 %%r%d, %%r%d, %d, %%r1;\n", 2 + i % 18, 1 + i % 18, i);
        fputs("ret; }\n", file);
        fclose(file);
        load_and_launch(text);
    }
}
