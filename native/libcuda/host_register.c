/* Registering memory of the program. Its pages are replaced by pages of the context's memory: the
 * program keeps its address, the device has another one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"
#include "memory.h"
#include "registered.h"

static uint64_t page_size(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Whether all pages are private anonymous ones that can be written: nothing is lost when they are
 * copied. The stack that this call runs on is not: it changes while it is copied. */
static bool replaceable(uint64_t start, uint64_t end)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL)
        return false;
    char *line = NULL;
    size_t capacity = 0;
    while (start < end && getline(&line, &capacity, maps) > 0) {
        unsigned long long from, to, inode;
        char access[5], name[8] = "";
        if (sscanf(line, "%llx-%llx %4s %*x %*s %llu %7s", &from, &to, access, &inode, name) < 4 || to <= start)
            continue;
        bool stack = strncmp(name, "[stack", 6) == 0 || ((uintptr_t)&start >= from && (uintptr_t)&start < to);
        if (from > start || strcmp(access, "rw-p") != 0 || inode != 0 || stack)
            break;
        start = to;
    }
    free(line);
    fclose(maps);
    return start >= end;
}

/* Through the kernel: it answers when a page is gone, and no tool that watches this process takes the
 * program's other data on these pages for ours. */
static bool move_pages(long call, const struct facet_registered *registered, void *pages)
{
    uint64_t offset = registered->address - registered->context->base;
    for (uint64_t done = 0; done < registered->page_bytes;) {
        long moved = syscall(call, registered->context->memory, (char *)pages + done, registered->page_bytes - done, offset + done);
        if (moved <= 0)
            return false;
        done += (uint64_t)moved;
    }
    return true;
}

/* Copies the pages into an allocation and shows that in their place. */
static bool replace(struct facet_registered *registered)
{
    struct facet_context *context = registered->context;
    struct facet_wanted wanted = {.bytes = registered->page_bytes, .alignment = page_size(), .kind = FACET_MEMORY_PINNED};
    if (!replaceable(registered->page, registered->page + registered->page_bytes) ||
        facet_memory_allocate(context, &wanted, &registered->address) != CUDA_SUCCESS) {
        registered->address = 0;
        return false;
    }
    void *pages = (void *)(uintptr_t)registered->page;
    off_t offset = (off_t)(registered->address - context->base);
    if (!move_pages(SYS_pwrite64, registered, pages) ||
        mmap(pages, registered->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, context->memory, offset) == MAP_FAILED) {
        facet_memory_give(context, registered->address);
        registered->address = 0;
        return false;
    }
    return true;
}

/* The pages become the program's own again, with what is in them now. */
static void restore(const struct facet_registered *registered)
{
    if (registered->address == 0)
        return;
    void *pages = (void *)(uintptr_t)registered->page;
    void *fresh = mmap(NULL, registered->page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED || !move_pages(SYS_pread64, registered, fresh)) {
        facet_say("no memory to give back %llu KiB that were registered; they stay in the device's",
                  (unsigned long long)(registered->page_bytes >> 10));
        if (fresh != MAP_FAILED)
            munmap(fresh, registered->page_bytes);
        return; /* and so does the allocation: the program still uses it */
    }
    mremap(fresh, registered->page_bytes, registered->page_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages);
    facet_memory_give(registered->context, registered->address);
}

CUresult facet_cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned int flags)
{
    struct facet_context *context;
    CUresult result = facet_context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    unsigned known = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_READ_ONLY;
    if ((flags & CU_MEMHOSTREGISTER_IOMEMORY) != 0)
        return facet_unsupported("cuMemHostRegister of device registers");
    uint64_t host = (uint64_t)(uintptr_t)pointer, end;
    if (pointer == NULL || bytes == 0 || (flags & ~known) != 0 || __builtin_add_overflow(host, bytes, &end))
        return CUDA_ERROR_INVALID_VALUE;
    struct facet_allocation present;
    if (facet_memory_find(host, &present))
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    uint64_t page = page_size();
    struct facet_registered registered = {.host = host, .bytes = bytes, .flags = flags, .context = context};
    registered.page = host & ~(page - 1);
    registered.page_bytes = ((end + page - 1) & ~(page - 1)) - registered.page;
    replace(&registered);
    result = facet_registered_add(&registered);
    if (result != CUDA_SUCCESS)
        restore(&registered);
    return result;
}

CUresult facet_cuMemHostUnregister(void *pointer)
{
    CUresult result = facet_session_check();
    if (result != CUDA_SUCCESS)
        return result;
    struct facet_registered registered;
    if (!facet_registered_find((uint64_t)(uintptr_t)pointer, &registered) || registered.host != (uint64_t)(uintptr_t)pointer)
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    result = facet_context_settle(registered.context);
    if (result == CUDA_SUCCESS && facet_registered_remove(registered.host, &registered))
        restore(&registered);
    return result;
}

void facet_host_forget(struct facet_context *context)
{
    struct facet_registered registered;
    while (facet_registered_remove_of(context, &registered))
        restore(&registered);
}
