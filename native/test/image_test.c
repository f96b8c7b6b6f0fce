#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../libcuda/image.h"
#include "check.h"
#include "client.h"
#include "cubin.h"

struct container {
    struct facet_container_header header;
    char data[48];
};

static struct container container_of(uint64_t bytes)
{
    return (struct container){.header = {.magic = 0xBA55ED50, .version = 1, .header_bytes = 16, .bytes = bytes}};
}

/* A text may end with its page: nothing behind it may be looked at. */
static void texts(void)
{
    long page = sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(pages + page, (size_t)page);
    const char *samples[] = {".", "//", ".version 8.0", "P", "\n\t.v"};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        size_t bytes = strlen(samples[i]) + 1;
        char *place = pages + page - bytes;
        memcpy(place, samples[i], bytes);
        CHECK_EQUAL(FACET_IMAGE_PTX, facet_image_kind(place));
        CHECK_EQUAL(bytes, facet_image_bytes(place));
        struct facet_image opened;
        CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(place, 0, &opened));
        CHECK_EQUAL(bytes, opened.bytes);
    }
    pages[page - 1] = '\0';
    CHECK_EQUAL(FACET_IMAGE_NONE, facet_image_kind(pages + page - 1));
    CHECK_EQUAL(0, facet_image_bytes(pages + page - 1));
    munmap(pages, (size_t)page);
}

static void containers(void)
{
    struct container container = container_of(48);
    struct facet_image opened;
    CHECK_EQUAL(64, facet_image_bytes(&container));
    CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(&container, 0, &opened));
    CHECK_EQUAL(64, opened.bytes);
    CHECK(opened.data == &container && opened.owned == NULL);
    CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(&container, 65, &opened));
    CHECK_EQUAL(64, opened.bytes);
    CHECK_EQUAL(FACET_IMAGE_UNKNOWN, facet_image_open(&container, 63, &opened));
    CHECK_EQUAL(FACET_IMAGE_UNKNOWN, facet_image_open(&container, 8, &opened));
    CHECK_EQUAL(FACET_IMAGE_UNKNOWN, facet_image_open(&container, 3, &opened));
    container.header.bytes = UINT64_MAX - 3;
    CHECK_EQUAL(FACET_IMAGE_UNKNOWN, facet_image_open(&container, 0, &opened));
    container.header.bytes = 48;
    container.header.header_bytes = 8;
    CHECK_EQUAL(FACET_IMAGE_UNKNOWN, facet_image_open(&container, 0, &opened));
}

static void wrappers(void)
{
    struct container container = container_of(48);
    struct facet_wrapper wrapper = {.magic = 0x466243B1, .version = 1, .container = &container};
    struct facet_image opened;
    CHECK_EQUAL(24, facet_image_bytes(&wrapper));
    CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(&wrapper, 0, &opened));
    CHECK(opened.data == &container);
    wrapper.container = NULL;
    CHECK_EQUAL(FACET_IMAGE_UNKNOWN, facet_image_open(&wrapper, 0, &opened));
    wrapper.container = "PTX is not a container";
    CHECK_EQUAL(FACET_IMAGE_UNKNOWN, facet_image_open(&wrapper, 0, &opened));

    /* as nvcc -rdc=true makes it: an empty container, and those that are to be linked */
    struct container empty = container_of(0);
    struct container other = container_of(40);
    const void *prelinked[] = {&container, &other, NULL};
    struct facet_wrapper linked = {.magic = 0x466243B1, .version = 2, .container = &empty, .prelinked = prelinked};
    CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(&linked, 0, &opened));
    CHECK(opened.owned != NULL);
    CHECK_EQUAL(16 + 64 + 64 + 64 + 56, opened.bytes);
    CHECK_EQUAL(opened.bytes, facet_image_bytes(opened.data));
    struct facet_container_header header;
    memcpy(&header, opened.data, sizeof header);
    CHECK_EQUAL(0x8001, header.version);
    free(opened.owned);
}

struct cubin {
    Elf64_Ehdr header;
    char code[40];
    Elf64_Shdr sections[3];
    Elf64_Phdr segments[2];
};

static struct cubin cubin_of(void)
{
    struct cubin cubin = {.header = {.e_shoff = offsetof(struct cubin, sections),
                                     .e_shentsize = sizeof(Elf64_Shdr),
                                     .e_shnum = 3,
                                     .e_phoff = offsetof(struct cubin, segments),
                                     .e_phentsize = sizeof(Elf64_Phdr),
                                     .e_phnum = 2},
                          .code = "code",
                          .sections = {{.sh_type = SHT_NULL}, {.sh_type = SHT_PROGBITS, .sh_offset = 64, .sh_size = 5}, {.sh_type = SHT_STRTAB}}};
    memcpy(cubin.header.e_ident, ELFMAG, SELFMAG);
    cubin.header.e_ident[EI_CLASS] = ELFCLASS64;
    cubin.header.e_ident[EI_DATA] = ELFDATA2LSB;
    return cubin;
}

static void cubins(void)
{
    struct cubin cubin = cubin_of();
    struct facet_image opened;
    CHECK_EQUAL(sizeof cubin, facet_image_bytes(&cubin));
    CHECK_EQUAL(FACET_IMAGE_IS_CUBIN, facet_image_open(&cubin, 0, &opened));
    CHECK_EQUAL(FACET_IMAGE_IS_CUBIN, facet_image_open(&cubin, sizeof cubin, &opened));
    CHECK_EQUAL(FACET_IMAGE_IS_CUBIN, facet_image_open(&cubin, 4, &opened));
    cubin.header.e_shoff = UINT64_MAX - 64;
    CHECK_EQUAL(0, facet_image_bytes(&cubin));
    CHECK_EQUAL(FACET_IMAGE_IS_CUBIN, facet_image_open(&cubin, sizeof cubin, &opened));
}

static void kernels_of_cubins(void)
{
    struct {
        Elf64_Ehdr header;
        char names[32];
        Elf64_Shdr sections[3];
    } cubin = {.header = cubin_of().header, .names = "\0.shstrtab\0.text.twice"};
    char name[16];
    cubin.header.e_shoff = offsetof(__typeof__(cubin), sections);
    cubin.header.e_shnum = 3;
    cubin.header.e_shstrndx = 1;
    cubin.header.e_phoff = cubin.header.e_phnum = 0;
    cubin.sections[1] = (Elf64_Shdr){.sh_name = 1, .sh_offset = offsetof(__typeof__(cubin), names), .sh_size = sizeof cubin.names};
    cubin.sections[2].sh_name = 11;
    facet_cubin_kernel(&cubin, 0, name, sizeof name);
    CHECK_TEXT("twice", name);
    facet_cubin_kernel(&cubin, sizeof cubin, name, 5);
    CHECK_TEXT("", name); /* no room */
    facet_cubin_kernel(&cubin, 4, name, sizeof name);
    CHECK_TEXT("", name); /* cut off */
    cubin.sections[2].sh_name = UINT32_MAX;
    facet_cubin_kernel(&cubin, sizeof cubin, name, sizeof name);
    CHECK_TEXT("", name);
    cubin.sections[1].sh_offset = UINT64_MAX;
    facet_cubin_kernel(&cubin, sizeof cubin, name, sizeof name);
    CHECK_TEXT("", name);
    cubin.header.e_shstrndx = 3;
    facet_cubin_kernel(&cubin, sizeof cubin, name, sizeof name);
    CHECK_TEXT("", name);
}

/* A cubin and its origin, in memory of exactly their size. */
static unsigned char *carried(const struct cubin *cubin, const void *origin, size_t origin_bytes, size_t *bytes)
{
    *bytes = facet_cubin_with_bytes(cubin, sizeof *cubin, origin_bytes);
    unsigned char *image = malloc(*bytes);
    facet_cubin_with(image, cubin, sizeof *cubin, origin, origin_bytes);
    return image;
}

static void cubins_with_their_origin(void)
{
    struct cubin cubin = cubin_of();
    struct container container = container_of(48);
    struct facet_image opened;
    size_t bytes;
    unsigned char *image = carried(&cubin, ".version 8.0", 13, &bytes);
    CHECK_EQUAL(bytes, facet_image_bytes(image));
    CHECK_EQUAL(FACET_IMAGE_CUBIN, facet_image_kind(image));
    CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(image, 0, &opened));
    CHECK_TEXT(".version 8.0", opened.data);
    CHECK_EQUAL(13, opened.bytes);
    CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(image, bytes, &opened));
    /* as it was for everybody else */
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    CHECK_EQUAL(4, header.e_shnum);
    CHECK(memcmp(image + sizeof header, (char *)&cubin + sizeof header, sizeof cubin - sizeof header) == 0);
    CHECK(memcmp(image + header.e_shoff, cubin.sections, sizeof cubin.sections) == 0);
    /* cut off, or not true */
    CHECK_EQUAL(FACET_IMAGE_IS_CUBIN, facet_image_open(image, bytes - 1, &opened));
    Elf64_Shdr *last = (Elf64_Shdr *)(void *)(image + header.e_shoff) + 3;
    Elf64_Shdr wrong[] = {*last, *last, *last, *last};
    wrong[0].sh_offset = bytes;
    wrong[1].sh_size = UINT64_MAX;
    wrong[2].sh_size = 0;
    wrong[3].sh_type = SHT_PROGBITS;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        *last = wrong[i];
        CHECK_EQUAL(FACET_IMAGE_IS_CUBIN, facet_image_open(image, bytes, &opened));
    }
    free(image);

    image = carried(&cubin, &container, 64, &bytes);
    CHECK_EQUAL(FACET_IMAGE_FINE, facet_image_open(image, bytes, &opened));
    CHECK_EQUAL(64, opened.bytes);
    CHECK_EQUAL(FACET_IMAGE_CONTAINER, facet_image_kind(opened.data));
    free(image);

    CHECK_EQUAL(0, facet_cubin_with_bytes(&cubin, sizeof cubin - 1, 10));
    CHECK_EQUAL(0, facet_cubin_with_bytes("no cubin, but text that is long enough to be looked at, is it not?", 64, 10));
    cubin.header.e_ident[EI_CLASS] = ELFCLASS32;
    CHECK_EQUAL(0, facet_cubin_with_bytes(&cubin, sizeof cubin, 10));
}

static void inside_other_data(void)
{
    struct container first = container_of(48);
    struct container cut = container_of(1000);
    unsigned char data[256] = {0};
    memcpy(data + 6, &first, 64);
    memcpy(data + 70, &first, 64);
    memcpy(data + 140, &cut, 64);
    size_t from = 0;
    struct facet_image found;
    CHECK(facet_image_next(data, sizeof data, &from, &found));
    CHECK(found.data == data + 6);
    CHECK(facet_image_next(data, sizeof data, &from, &found));
    CHECK(found.data == data + 70);
    CHECK_EQUAL(134, from);
    CHECK(!facet_image_next(data, sizeof data, &from, &found));
    CHECK(!facet_image_next(data, 3, &(size_t){0}, &found));
}

static void link_sets(void)
{
    struct container container = container_of(48);
    struct facet_link_part parts[] = {{".version 8.0\n", 14, false}, {&container, 64, true}};
    size_t bytes = 0;
    unsigned char *image = facet_link_set(parts, 2, 40, &bytes);
    CHECK_EQUAL(16 + 64 + 16 + 64 + 64, bytes);
    CHECK_EQUAL(bytes, facet_image_bytes(image));
    CHECK_EQUAL(40, facet_link_registers(&(struct facet_image){.data = image, .bytes = bytes}));
    CHECK_EQUAL(0, facet_link_registers(&(struct facet_image){.data = image, .bytes = 16}));
    CHECK_EQUAL(0, facet_link_registers(&(struct facet_image){.data = &container, .bytes = 64}));
    struct facet_entry_header entry;
    memcpy(&entry, image + 16, sizeof entry);
    CHECK_EQUAL(FACET_ENTRY_PTX, entry.kind);
    CHECK_EQUAL(64, entry.header_bytes);
    CHECK_EQUAL(16, entry.payload_bytes);
    CHECK_TEXT(".version 8.0\n", (char *)image + 80);
    memcpy(&entry, image + 96, sizeof entry);
    CHECK_EQUAL(FACET_ENTRY_CONTAINER, entry.kind);
    CHECK(memcmp(image + 160, &container, 64) == 0);
    free(image);
}

int main(void)
{
    texts();
    containers();
    wrappers();
    cubins();
    kernels_of_cubins();
    cubins_with_their_origin();
    inside_other_data();
    link_sets();
    return CHECK_RESULT();
}
