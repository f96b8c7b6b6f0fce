#include "first_call.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "say.h"

/* Of the library that has our runtime: the function for a name, or the one that refuses. */
typedef void (*(*lookup)(const char *name, int version))(void);

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static lookup function_of;

/* When there is no runtime to go to. cudaErrorInsufficientDriver, whatever the function is. */
static int refuse(void)
{
    return 35;
}

/* Beside this library. */
static void *open_runtime(void)
{
    static const char name[] = "libfacet-cudart.so";
    Dl_info self;
    char path[4096];
    if (dladdr((void *)(uintptr_t)open_runtime, &self) != 0 && self.dli_fname != NULL) {
        const char *slash = strrchr(self.dli_fname, '/');
        size_t directory = slash == NULL ? 0 : (size_t)(slash - self.dli_fname) + 1;
        if (directory + sizeof name <= sizeof path) {
            memcpy(path, self.dli_fname, directory);
            memcpy(path + directory, name, sizeof name);
            return dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    }
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void open_once(void)
{
    void *library = open_runtime();
    if (library != NULL)
        *(void **)&function_of = dlsym(library, "facet_cudart_function");
    if (function_of == NULL) {
        const char *reason = dlerror();
        facet_preload_say("the CUDA runtime cannot be loaded: %s", reason == NULL ? "no reason was given" : reason);
    }
}

__attribute__((used)) void (*facet_first_call_target(struct facet_entry *entry))(void)
{
    pthread_once(&opened, open_once);
    void (*target)(void) = (void (*)(void))refuse;
    if (function_of != NULL)
        target = function_of(entry->name, entry->version == FACET_RUNTIME_12 ? 12 : 13);
    __atomic_store_n(&entry->target, target, __ATOMIC_RELEASE);
    return target;
}

#if defined(__x86_64__)
/* On entry r11 holds the entry and the stack is as the caller of the function left it. */
__asm__(
    ".text\n"
    ".globl facet_first_call\n"
    ".hidden facet_first_call\n"
    ".type facet_first_call, @function\n"
    "facet_first_call:\n"
    "    pushq %rbp\n"
    "    movq %rsp, %rbp\n"
    "    pushq %rdi\n"
    "    pushq %rsi\n"
    "    pushq %rdx\n"
    "    pushq %rcx\n"
    "    pushq %r8\n"
    "    pushq %r9\n"
    "    pushq %rax\n"
    "    pushq %r10\n"
    "    subq $128, %rsp\n"
    "    movups %xmm0, 0(%rsp)\n"
    "    movups %xmm1, 16(%rsp)\n"
    "    movups %xmm2, 32(%rsp)\n"
    "    movups %xmm3, 48(%rsp)\n"
    "    movups %xmm4, 64(%rsp)\n"
    "    movups %xmm5, 80(%rsp)\n"
    "    movups %xmm6, 96(%rsp)\n"
    "    movups %xmm7, 112(%rsp)\n"
    "    movq %r11, %rdi\n"
    "    call facet_first_call_target\n"
    "    movq %rax, %r11\n"
    "    movups 0(%rsp), %xmm0\n"
    "    movups 16(%rsp), %xmm1\n"
    "    movups 32(%rsp), %xmm2\n"
    "    movups 48(%rsp), %xmm3\n"
    "    movups 64(%rsp), %xmm4\n"
    "    movups 80(%rsp), %xmm5\n"
    "    movups 96(%rsp), %xmm6\n"
    "    movups 112(%rsp), %xmm7\n"
    "    addq $128, %rsp\n"
    "    popq %r10\n"
    "    popq %rax\n"
    "    popq %r9\n"
    "    popq %r8\n"
    "    popq %rcx\n"
    "    popq %rdx\n"
    "    popq %rsi\n"
    "    popq %rdi\n"
    "    popq %rbp\n"
    "    jmp *%r11\n"
    ".size facet_first_call, . - facet_first_call\n");
#endif
