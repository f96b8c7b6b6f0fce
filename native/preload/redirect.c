/* A function of the linked-in runtime is overwritten with
 *
 *     movabs $entry, %r11        49 bb ........
 *     jmp    *(%r11)             41 ff 23
 *
 * where entry begins with the address to go to: at first, of code that finds our function by its name and writes
 * its address there. So our runtime is loaded with the first call that the program makes.
 * r11 is free at the start of a function. */
#include "redirect.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "first_call.h"
#include "replaced.h"

#if defined(__x86_64__)

static void write_jump(unsigned char *place, const struct facet_entry *entry)
{
    unsigned char jump[FACET_JUMP_BYTES] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0x23};
    memcpy(jump + 2, &entry, sizeof entry);
    memcpy(place, jump, sizeof jump);
}

static bool protect(uintptr_t from, uintptr_t to, int protection)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    from &= ~(page - 1);
    to = (to + page - 1) & ~(page - 1);
    return mprotect((void *)from, to - from, protection) == 0;
}

/* Entries are never freed: code points to them. Comes before malloc may be used. */
static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

struct span {
    uintptr_t difference;
    uintptr_t from; /* in memory */
    uintptr_t to;
    size_t count;
    size_t name_bytes;
};

static void measure(const char *name, uint64_t address, const unsigned char *code, void *data)
{
    struct span *span = data;
    uintptr_t place = span->difference + address;
    (void)code;
    if (place < span->from)
        span->from = place;
    if (place + FACET_JUMP_BYTES > span->to)
        span->to = place + FACET_JUMP_BYTES;
    span->count++;
    span->name_bytes += strlen(name) + 1;
}

struct writer {
    uintptr_t difference;
    enum facet_static_runtime version;
    struct facet_entry *entries;
    char *names;
    int written;
    int left;
};

static void redirect(const char *name, uint64_t address, const unsigned char *code, void *data)
{
    struct writer *writer = data;
    unsigned char *place = (unsigned char *)(writer->difference + address);
    /* Another file lies at the path by now, or somebody else was here: hands off. */
    if (memcmp(place, code, FACET_JUMP_BYTES) != 0) {
        writer->left++;
        return;
    }
    size_t bytes = strlen(name) + 1;
    struct facet_entry *entry = writer->entries++;
    memcpy(writer->names, name, bytes);
    *entry = (struct facet_entry){facet_first_call, writer->names, writer->version};
    writer->names += bytes;
    writer->written++;
    write_jump(place, entry);
}

/* Its own functions lie around those of the API, for the most part in front of them. */
static int told_version(const struct facet_elf *elf, uint64_t from, uint64_t to)
{
    enum { IN_FRONT = 128 << 10 };
    const ElfW(Shdr) *text = facet_elf_section(elf, ".text");
    if (text == NULL || text->sh_type == SHT_NOBITS || text->sh_offset > elf->size || text->sh_size > elf->size - text->sh_offset ||
        from < text->sh_addr || to < from || to - text->sh_addr > text->sh_size)
        return 0;
    uint64_t start = from - text->sh_addr, end = to - text->sh_addr;
    start = start < IN_FRONT ? 0 : start - IN_FRONT;
    return facet_replaced_version(elf->bytes + text->sh_offset + start, end - start);
}

int facet_redirect(const struct facet_elf *elf, uintptr_t difference, enum facet_static_runtime version, int *left)
{
    struct span span = {.difference = difference, .from = UINTPTR_MAX};
    *left = facet_static_runtime_each(elf, FACET_JUMP_BYTES, measure, &span);
    if (span.count == 0)
        return 0;
    size_t entry_bytes = span.count * sizeof(struct facet_entry);
    char *memory = reserve(entry_bytes + span.name_bytes);
    /* Nobody runs this code yet, and other threads never will at this moment. */
    if (memory == NULL || !protect(span.from, span.to, PROT_READ | PROT_WRITE))
        return -1;
    struct writer writer = {difference, version, (struct facet_entry *)(void *)memory, memory + entry_bytes, 0, *left};
    facet_static_runtime_each(elf, FACET_JUMP_BYTES, redirect, &writer);
    *left = writer.left;
    if (writer.written > 0)
        facet_replaced_note(difference, told_version(elf, span.from - difference, span.to - difference));
    return protect(span.from, span.to, PROT_READ | PROT_EXEC) ? writer.written : -1;
}

bool facet_redirect_one(void *place, void (*target)(void))
{
    struct facet_entry *entry = reserve(sizeof *entry);
    uintptr_t from = (uintptr_t)place;
    /* Others may run code of the same page. */
    if (entry == NULL || !protect(from, from + FACET_JUMP_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC))
        return false;
    *entry = (struct facet_entry){target, "", FACET_NO_RUNTIME};
    write_jump(place, entry);
    return protect(from, from + FACET_JUMP_BYTES, PROT_READ | PROT_EXEC);
}

#else

int facet_redirect(const struct facet_elf *elf, uintptr_t difference, enum facet_static_runtime version, int *left)
{
    (void)elf;
    (void)difference;
    (void)version;
    *left = 0;
    return -1;
}

bool facet_redirect_one(void *place, void (*target)(void))
{
    (void)place;
    (void)target;
    return false;
}

#endif
