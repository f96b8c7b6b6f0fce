/* Work for the compiler, text after text. Each is another one, so that none is found ready. */
#include <unistd.h>

#include "escape.h"

enum { LABELS = 20000, KERNELS = 20000, INSTRUCTIONS = 200 };

/* As a program does it: the code of a kernel is made when it is launched. */
static void load_and_launch(char *text)
{
    CUmodule module;
    CUfunction function;
    if (cuModuleLoadData(&module, text) == CUDA_SUCCESS) {
        if (cuModuleGetFunction(&function, module, "last") == CUDA_SUCCESS) {
            cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
            cuCtxSynchronize();
        }
        cuModuleUnload(module);
    }
    free(text);
}

/* Branches everywhere. */
static void labels(FILE *file, unsigned number)
{
    fputs(".visible .entry last() { .reg .b32 %r<4>; .reg .pred %p<2>; mov.u32 %r1, %clock;\n", file);
    for (unsigned i = 0; i < LABELS; i++)
        fprintf(file, "L%u: add.u32 %%r1, %%r1, %u; setp.eq.u32 %%p1, %%r1, %u; @%%p1 bra L%u;\n", i, number, i, i * 7919u % LABELS);
    fputs("ret; }\n", file);
}

static void many_kernels(FILE *file, unsigned number)
{
    for (unsigned i = 0; i < KERNELS; i++)
        fprintf(file,
                ".visible .entry k%u(.param .u64 p) { .reg .b32 %%r<2>; .reg .b64 %%rd<2>; ld.param.u64 %%rd1, [p]; "
                "mov.u32 %%r1, %u; st.global.u32 [%%rd1], %%r1; ret; }\n",
                i, number);
    fputs(".visible .entry last() { ret; }\n", file);
}

static void small(FILE *file, unsigned number)
{
    fprintf(file, ".visible .entry last() { .reg .b32 %%r<20>; mov.u32 %%r1, %u;\n", number);
    for (int i = 0; i < INSTRUCTIONS; i++)
        fprintf(file, "mad.lo.u32 %%r%d, %%r%d, %d, %%r1;\n", 2 + i % 18, 1 + i % 18, i);
    fputs("ret; }\n", file);
}

static void one_after_another(void (*write)(FILE *, unsigned))
{
    for (unsigned number = (unsigned)getpid() << 12; !stopped(); number++) {
        char *text;
        FILE *file = begin_text(&text);
        write(file, number);
        fclose(file);
        load_and_launch(text);
    }
    _exit(0);
}

static void compile_labels(void)
{
    one_after_another(labels);
}

static void compile_kernels(void)
{
    one_after_another(many_kernels);
}

static void compile_modules(void)
{
    one_after_another(small);
}

const struct way compile_ways[] = {
    {.name = "compile-labels", .kind = COMPILE, .work = compile_labels, .calls = "cuModuleLoadData"},
    {.name = "compile-kernels", .kind = COMPILE, .work = compile_kernels, .calls = "cuModuleLoadData"},
    {.name = "compile-modules", .kind = COMPILE, .work = compile_modules, .calls = "cuModuleLoadData"},
    {.name = NULL},
};
