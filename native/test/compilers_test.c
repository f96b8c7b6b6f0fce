/* Compilers whose functions are replaced when they are loaded, in libraries that the test builds itself. Needs cc. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include "../libcuda/image.h"
#include "../preload/compilers/compilers.h"
#include "../preload/compilers/origin.h"
#include "../preload/compilers/rebind.h"
#include "check.h"
#include "cubin.h"

static char folder[] = "/tmp/facet-test-XXXXXX";

/* A cubin of no more than a header and one section. */
static const char common[] =
    "#include <elf.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "static struct { Elf64_Ehdr header; Elf64_Shdr section; } code = {.header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB},\n"
    "    .e_shoff = sizeof(Elf64_Ehdr), .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 1}};\n";
static const char nvrtc[] =
    "#include \"common.c\"\n"
    "int nvrtcGetPTXSize(void *p, size_t *n) { *n = p == NULL ? 0 : strlen(p) + 1; return 0; }\n"
    "int nvrtcGetPTX(void *p, char *to) { strcpy(to, p); return 0; }\n"
    "int nvrtcGetCUBINSize(void *p, size_t *n) { (void)p; *n = sizeof code; return 0; }\n"
    "int nvrtcGetCUBIN(void *p, char *to) { (void)p; memcpy(to, &code, sizeof code); return 0; }\n";
static const char jit_link[] =
    "#include \"common.c\"\n"
    "struct link { int ptx; char text[256]; };\n"
    "int nvJitLinkCreate(struct link **h, unsigned n, const char **o) { *h = calloc(1, sizeof **h); "
    "(*h)->ptx = n > 0 && strcmp(o[n - 1], \"-ptx\") == 0; return 0; }\n"
    "int nvJitLinkDestroy(struct link **h) { free(*h); *h = NULL; return 0; }\n"
    "int nvJitLinkAddData(struct link *h, int t, const void *d, size_t n, const char *m) { (void)m; "
    "if (t == 9) return 3; if (t == 3) strncat(h->text, d, n); return 0; }\n"
    "int nvJitLinkAddFile(struct link *h, int t, const char *f) { (void)h; (void)t; (void)f; return 0; }\n"
    "int nvJitLinkComplete(struct link *h) { (void)h; return 0; }\n"
    "int nvJitLinkGetLinkedCubinSize(struct link *h, size_t *n) { (void)h; *n = sizeof code; return 0; }\n"
    "int nvJitLinkGetLinkedCubin(struct link *h, void *to) { (void)h; memcpy(to, &code, sizeof code); return 0; }\n"
    "int nvJitLinkGetLinkedPtxSize(struct link *h, size_t *n) { *n = strlen(h->text); return h->ptx ? 0 : 1; }\n"
    "int nvJitLinkGetLinkedPtx(struct link *h, void *to) { memcpy(to, h->text, strlen(h->text)); return 0; }\n"
    "int __nvJitLinkCreate_13_0(struct link **h, unsigned n, const char **o) { return nvJitLinkCreate(h, n, o); }\n";

static void write_source(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void build(const char *name, const char *options, const char *text)
{
    char command[2048];
    write_source(name, text);
    snprintf(command, sizeof command, "cd %s && cc -O1 -shared -fPIC %s.c %s -o %s.so", folder, name, options, name);
    CHECK_EQUAL(0, system(command));
}

static void *open_library(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(handle != NULL);
    return handle;
}

/* What the preload library does when it sees one. */
static void see(const char *name, void *handle)
{
    char path[512];
    struct link_map *map;
    struct facet_elf elf;
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    CHECK_EQUAL(0, dlinfo(handle, RTLD_DI_LINKMAP, &map));
    CHECK(facet_elf_open(path, &elf));
    CHECK(facet_compiler_is(&elf));
    facet_compiler_loaded(&elf, map->l_addr);
    facet_elf_close(&elf);
}

static void *load(const char *name, const char *options, const char *text)
{
    build(name, options, text);
    void *handle = open_library(name);
    see(name, handle);
    return handle;
}

/* The program's references were filled in before its compiler was seen. */
static void references_of_before(void)
{
    build("early", "-Wl,-soname,libnvrtc.so.13", nvrtc);
    build("user", "./early.so -Wl,-z,now -Wl,-z,relro -Wl,-rpath,'$ORIGIN'",
          "#include <stddef.h>\n"
          "int nvrtcGetCUBINSize(void *, size_t *);\n"
          "int ask(void *p, size_t *n) { return nvrtcGetCUBINSize(p, n); }\n");
    char command[512];
    snprintf(command, sizeof command, "cd %s && ln -s early.so libnvrtc.so.13", folder);
    CHECK_EQUAL(0, system(command));
    void *user = open_library("user");
    int (*ask)(void *, size_t *);
    *(void **)&ask = dlsym(user, "ask");
    char text[] = ".version 8.0";
    size_t bytes = 0;
    CHECK_EQUAL(0, ask(text, &bytes));
    CHECK_EQUAL(128, bytes);
    see("early", open_library("early"));
    facet_rebind_all();
    CHECK_EQUAL(0, ask(text, &bytes));
    CHECK(bytes > 128);
}

static void *origin_of(void *cubin, size_t bytes, size_t *origin_bytes)
{
    *origin_bytes = 0;
    return (void *)(uintptr_t)facet_cubin_origin(cubin, bytes, origin_bytes);
}

/* Several versions in one process: each calls its own library. */
static void by_nvrtc(void)
{
    enum { LEFT = FACET_COMPILER_VERSIONS - 1 };
    for (int version = 0; version < LEFT + 1; version++) {
        char name[32];
        snprintf(name, sizeof name, "nvrtc%d", version);
        void *handle = load(name, "-Wl,-soname,libnvrtc.so.13", nvrtc);
        int (*size)(void *, size_t *);
        int (*get)(void *, char *);
        *(void **)&size = dlsym(handle, "nvrtcGetCUBINSize");
        *(void **)&get = dlsym(handle, "nvrtcGetCUBIN");
        char text[] = ".version 8.0";
        size_t bytes = 0;
        size_t origin_bytes;
        CHECK_EQUAL(0, size(text, &bytes));
        char *cubin = malloc(bytes);
        CHECK_EQUAL(0, get(text, cubin));
        char *origin = origin_of(cubin, bytes, &origin_bytes);
        if (version < LEFT)
            CHECK_TEXT(text, origin);
        else
            CHECK(origin == NULL); /* one too many stays as it is */
        free(cubin);
        /* Where there is no PTX there is plain machine code. */
        CHECK_EQUAL(0, size(NULL, &bytes));
        CHECK_EQUAL(128, bytes);
    }
}

struct jit_link {
    int (*create)(void **, unsigned, const char **);
    int (*destroy)(void **);
    int (*add)(void *, int, const void *, size_t, const char *);
    int (*add_file)(void *, int, const char *);
    int (*size)(void *, size_t *);
    int (*get)(void *, void *);
};

static char *linked(const struct jit_link *calls, void *handle, size_t *bytes)
{
    CHECK_EQUAL(0, calls->size(handle, bytes));
    char *cubin = malloc(*bytes);
    CHECK_EQUAL(0, calls->get(handle, cubin));
    return cubin;
}

static uint16_t kind_at(const char *origin, size_t number)
{
    struct facet_entry_header entry;
    const char *place = origin + sizeof(struct facet_container_header);
    for (;; number--) {
        memcpy(&entry, place, sizeof entry);
        if (number == 0)
            return entry.kind;
        place += entry.header_bytes + entry.payload_bytes;
    }
}

static void by_jit_link(void)
{
    void *library = load("jitlink", "-Wl,-soname,libnvJitLink.so.13", jit_link);
    struct jit_link calls;
    *(void **)&calls.create = dlsym(library, "__nvJitLinkCreate_13_0");
    *(void **)&calls.destroy = dlsym(library, "nvJitLinkDestroy");
    *(void **)&calls.add = dlsym(library, "nvJitLinkAddData");
    *(void **)&calls.add_file = dlsym(library, "nvJitLinkAddFile");
    *(void **)&calls.size = dlsym(library, "nvJitLinkGetLinkedCubinSize");
    *(void **)&calls.get = dlsym(library, "nvJitLinkGetLinkedCubin");
    const char *options[] = {"-arch=sm_89", "-lto"};
    void *handle = NULL;
    size_t bytes;
    size_t origin_bytes;

    /* one input, without a 0 behind it */
    CHECK_EQUAL(0, calls.create(&handle, 2, options));
    CHECK_EQUAL(0, calls.add(handle, 2, ".version 8.0 and more", 12, "first"));
    CHECK_EQUAL(3, calls.add(handle, 9, "refused", 7, "no"));
    char *first = linked(&calls, handle, &bytes);
    CHECK_TEXT(".version 8.0", (char *)origin_of(first, bytes, &origin_bytes));
    size_t first_bytes = bytes;
    CHECK_EQUAL(0, calls.destroy(&handle));

    /* a result of before, PTX, a fat binary, and what the optimizer makes of its own */
    struct {
        struct facet_container_header header;
        char data[48];
    } container = {.header = {.magic = 0xBA55ED50, .version = 1, .header_bytes = 16, .bytes = 48}};
    CHECK_EQUAL(0, calls.create(&handle, 2, options));
    CHECK_EQUAL(0, calls.add(handle, 1, first, first_bytes, "before"));
    CHECK_EQUAL(0, calls.add(handle, 4, &container, sizeof container, "fat"));
    CHECK_EQUAL(0, calls.add(handle, 3, ".version 7.", 11, "intermediate"));
    CHECK_EQUAL(0, calls.add(handle, 3, "0", 1, "intermediate"));
    char *second = linked(&calls, handle, &bytes);
    char *origin = origin_of(second, bytes, &origin_bytes);
    CHECK(origin != NULL);
    CHECK_EQUAL(FACET_IMAGE_CONTAINER, facet_image_kind(origin));
    CHECK_EQUAL(FACET_ENTRY_PTX, kind_at(origin, 0));
    CHECK_TEXT(".version 8.0", origin + 80);
    CHECK_EQUAL(FACET_ENTRY_CONTAINER, kind_at(origin, 1));
    CHECK_EQUAL(FACET_ENTRY_PTX, kind_at(origin, 2));
    CHECK_TEXT(".version 7.0", origin + 80 + 16 + 64 + 64 + 64);
    size_t second_bytes = bytes;
    CHECK_EQUAL(0, calls.destroy(&handle));

    /* a set that was linked before is taken apart; what is in files; code without PTX has no origin */
    char path[512];
    snprintf(path, sizeof path, "%s/text.ptx", folder);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(".version 6.0", file) >= 0 && fclose(file) == 0);
    CHECK_EQUAL(0, calls.create(&handle, 1, options));
    CHECK_EQUAL(0, calls.add(handle, 1, second, second_bytes, "set"));
    CHECK_EQUAL(0, calls.add_file(handle, 2, path));
    char *third = linked(&calls, handle, &bytes);
    origin = origin_of(third, bytes, &origin_bytes);
    CHECK(origin != NULL);
    CHECK_EQUAL(FACET_ENTRY_CONTAINER, kind_at(origin, 1));
    CHECK_EQUAL(FACET_ENTRY_PTX, kind_at(origin, 3));
    CHECK_EQUAL(0, calls.add(handle, 1,
                             "\x7f"
                             "ELF with nothing that could be run here, but long enough for a header",
                             70, "plain"));
    free(third);
    third = linked(&calls, handle, &bytes);
    CHECK(origin_of(third, bytes, &origin_bytes) == NULL);
    CHECK_EQUAL(0, calls.destroy(&handle));
    /* a limit of registers goes with the code, and into what is linked from it */
    const char *limited[] = {"-arch=sm_89", "-maxrregcount=57"};
    CHECK_EQUAL(0, calls.create(&handle, 2, limited));
    CHECK_EQUAL(0, calls.add(handle, 2, ".version 8.0", 12, "first"));
    free(third);
    third = linked(&calls, handle, &bytes);
    size_t third_bytes = bytes;
    origin = origin_of(third, bytes, &origin_bytes);
    CHECK_EQUAL(57, facet_link_registers(&(struct facet_image){.data = origin, .bytes = origin_bytes}));
    CHECK_EQUAL(0, calls.destroy(&handle));
    CHECK_EQUAL(0, calls.create(&handle, 1, options));
    CHECK_EQUAL(0, calls.add(handle, 1, third, third_bytes, "limited"));
    free(second);
    second = linked(&calls, handle, &bytes);
    origin = origin_of(second, bytes, &origin_bytes);
    CHECK_EQUAL(57, facet_link_registers(&(struct facet_image){.data = origin, .bytes = origin_bytes}));
    CHECK_EQUAL(0, calls.destroy(&handle));
    free(first);
    free(second);
    free(third);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    write_source("common", common);
    references_of_before();
    by_nvrtc();
    by_jit_link();
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK_EQUAL(0, system(command));
    return CHECK_RESULT();
}
