#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../libcuda/image.h"
#include "check.h"
#include "client.h"

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

static void cubins(void)
{
    Elf64_Ehdr cubin = {.e_shoff = 1000, .e_shentsize = 64, .e_shnum = 10, .e_phoff = 1640, .e_phentsize = 56, .e_phnum = 2};
    memcpy(cubin.e_ident, ELFMAG, 4);
    struct facet_image opened;
    CHECK_EQUAL(1752, facet_image_bytes(&cubin));
    CHECK_EQUAL(FACET_IMAGE_IS_CUBIN, facet_image_open(&cubin, 0, &opened));
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
    unsigned char *image = facet_link_set(parts, 2, &bytes);
    CHECK_EQUAL(16 + 64 + 16 + 64 + 64, bytes);
    CHECK_EQUAL(bytes, facet_image_bytes(image));
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
    inside_other_data();
    link_sets();
    return CHECK_RESULT();
}
