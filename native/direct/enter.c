/* Where the entries of libfacet-unruled.so.1 go: r11 is the number of the call. Counts it and goes on to the vendor's function. Nothing
 * that a call may carry an argument in is touched: r10 and r11 are free for this by the ABI, and it is a jump, so the stack stays.
 * Before the constructors ran it answers CUDA_ERROR_NOT_INITIALIZED (3). */
#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl facet_unruled\n"
    ".type facet_unruled, @function\n"
    ".p2align 4\n"
    "facet_unruled:\n"
    "endbr64\n"
    "movq facet_unruled_counts(%rip), %r10\n"
    "testq %r10, %r10\n"
    "jz 1f\n"
    "lock incq (%r10, %r11, 8)\n"
    "movb $1, facet_unruled_called(%rip)\n"
    "movq facet_unruled_functions(%rip), %r10\n"
    "jmpq *(%r10, %r11, 8)\n"
    "1:\n"
    "movl $3, %eax\n"
    "ret\n"
    ".size facet_unruled, . - facet_unruled\n"
    ".globl facet_unruled_refused\n"
    ".hidden facet_unruled_refused\n"
    ".type facet_unruled_refused, @function\n"
    ".p2align 4\n"
    "facet_unruled_refused:\n"
    "endbr64\n"
    "movq %r11, %rdi\n"
    "jmp facet_unruled_answer\n"
    ".size facet_unruled_refused, . - facet_unruled_refused\n"
    ".hidden facet_unruled_counts\n"
    ".hidden facet_unruled_functions\n"
    ".hidden facet_unruled_called\n"
    ".hidden facet_unruled_answer\n");
#else
#include "facet_cuda.h"

/* The entries are written for x86-64 alone (stubs/write.c): nobody comes here. */
CUresult facet_unruled(void);
CUresult facet_unruled_refused(void);

__attribute__((visibility("default"))) CUresult facet_unruled(void)
{
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult facet_unruled_refused(void)
{
    return CUDA_ERROR_NOT_PERMITTED;
}
#endif
