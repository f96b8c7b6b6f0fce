/* Recognising a linked-in CUDA runtime, in programs that the test builds itself. Needs cc and strip. */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "../preload/redirect.h"
#include "../preload/replaced.h"
#include "check.h"

static char folder[] = "/tmp/facet-test-XXXXXX";

static void path_of(char *path, const char *name)
{
    snprintf(path, 512, "%s/%s", folder, name);
}

static void run(const char *format, ...)
{
    char command[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0) {
        fprintf(stderr, "did not work: %s\n", command);
        exit(2);
    }
}

static void write_file(const char *name, const char *text)
{
    char path[512];
    path_of(path, name);
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static int kind_of(const char *name)
{
    char path[512];
    struct facet_elf elf;
    path_of(path, name);
    if (!facet_elf_open(path, &elf))
        return -1;
    int kind = (int)facet_static_runtime(&elf);
    facet_elf_close(&elf);
    return kind;
}

/* The runtime's functions are hidden, as in the static library; each long enough for a jump. */
static const char runtime_12[] =
    "#define HIDDEN __attribute__((visibility(\"hidden\"), noinline))\n"
    "#define FUNCTION(name) HIDDEN int name(volatile int *x) { *x += 1; *x *= 3; *x += 5; return *x; }\n"
    "FUNCTION(__cudaRegisterFatBinary) FUNCTION(__cudaRegisterFunction) FUNCTION(cudaLaunchKernel)\n"
    "FUNCTION(cudaMalloc) FUNCTION(cudaNewInSomeVersion) FUNCTION(cudaGetLastError)\n"
    "FUNCTION(libcudart_static_0123) FUNCTION(cudaGetDeviceProperties_v2) FUNCTION(libcudart_static_4567)\n"
    "__attribute__((section(\".text.unlikely\"))) FUNCTION(libcudart_static_89ab)\n"; /* in front of the program's functions */
static const char runtime_13[] =
    "#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties\n"
    "#include \"runtime_12.c\"\n";
static const char program[] =
    "extern int cudaMalloc(volatile int *), __cudaRegisterFatBinary(volatile int *);\n"
    "int cudaOfTheProgram(volatile int *x) { *x += 100; *x *= 7; return *x + 1; }\n"
    "int __cudaRegisterLinkedBinary_42(volatile int *x) { return __cudaRegisterFatBinary(x); }\n"
    "__attribute__((noinline)) static int __cudaUnregisterBinaryUtil(volatile int *x) { return __cudaRegisterFatBinary(x) + 1; }\n"
    "__attribute__((section(\".nvFatBinSegment\"))) int segment = 1;\n"
    "int use(void) { volatile int x = 1; return cudaMalloc(&x) + __cudaRegisterLinkedBinary_42(&x) + __cudaUnregisterBinaryUtil(&x); }\n"
    "#ifndef LIBRARY\n"
    "int main(void) { return use() == 0; }\n"
    "#endif\n";

/* What a real runtime has that is known without names: each function takes the address of its own; some lie around one that
 * does, in their order; and the first of those is called with a fat binary. */
enum { NAMED = 250, UNNAMED = 14 };

static void write_nameless(void)
{
    static const char *const around[UNNAMED] = {"RegisterFatBinary",     "RegisterFatBinaryEnd", "UnregisterFatBinary", "RegisterVar",
                                                "RegisterManagedVar",    "RegisterHostVar",      "RegisterFunction",    "InitModule",
                                                "PushCallConfiguration", "PopCallConfiguration", "GetKernel",           "LaunchKernel",
                                                "LaunchKernel_ptsz",     "RegisterUnifiedTable"};
    char path[512];
    path_of(path, "nameless.c");
    FILE *file = fopen(path, "w");
    fprintf(file,
            "const char *volatile told; volatile int x;\n"
            "#define PLAIN(name) __attribute__((visibility(\"hidden\"), noinline)) int name(void *y) { x += 1; x *= 3; told = y; return x; }\n"
            "#define TELLS(name) static const char name##_text[] = #name;\\\n"
            "    __attribute__((visibility(\"hidden\"), noinline)) int name(void *y) { told = name##_text; x += 5; told = y; return x; }\n");
    for (int i = 0; i < UNNAMED; i++)
        fprintf(file, "%s(__cuda%s)\n", strcmp(around[i], "InitModule") == 0 ? "TELLS" : "PLAIN", around[i]);
    for (int i = 0; i < NAMED - 1; i++)
        fprintf(file, "TELLS(cudaCall%d)\n", i);
    fprintf(file,
            "__attribute__((section(\".nvFatBinSegment\"))) int segment = 1;\n"
            "int main(void) { return __cudaRegisterFatBinary(&segment) == 0; }\n");
    fclose(file);
}

static void build(void)
{
    write_nameless();
    run("cd %s && cc -O1 -fPIC -fno-toplevel-reorder -falign-functions=16 nameless.c -o nameless && cp nameless nameless_stripped", folder);
    run("cd %s && strip nameless_stripped && cp nameless_stripped nameless_hidden", folder);
    run("cd %s && cc -O1 -shared -fPIC -fno-toplevel-reorder -falign-functions=16 -Wl,-soname,libcublas.so.13 nameless.c -o tables.so && strip tables.so",
        folder);
    run("cd %s && objcopy --rename-section .nvFatBinSegment=.elsewhere --set-section-flags .nv_fatbin=alloc nameless_hidden", folder);
    write_file("runtime_12.c", runtime_12);
    write_file("runtime_13.c", runtime_13);
    write_file("program.c", program);
    run("cd %s && cc -O1 -fPIC -ffunction-sections -c runtime_12.c runtime_13.c", folder);
    run("cd %s && cc -O1 program.c runtime_12.o -o static_12", folder);
    run("cd %s && cc -O1 program.c runtime_13.o -o static_13", folder);
    run("cd %s && cc -O1 -no-pie program.c runtime_13.o -o static_13_fixed", folder);
    run("cd %s && cp static_13 stripped && strip stripped", folder);
    run("cd %s && cc -O1 -shared -fPIC -DLIBRARY program.c runtime_13.o -o library.so", folder);
    run("cd %s && sed s/hidden/default/ runtime_12.c > runtime_shared.c && cc -O1 -shared -fPIC runtime_shared.c -o libcudart_shared.so", folder);
    run("cd %s && cc -O1 -shared -fPIC -Wl,-soname,libcudart.so.12 runtime_shared.c -o vendor.so && strip vendor.so", folder);
    run("cd %s && echo '__attribute__((section(\".facet\"), used)) static const char mark[] = \"Facet\";' > mark.c", folder);
    run("cd %s && cc -O1 -shared -fPIC -Wl,-soname,libcudart.so.12 runtime_shared.c mark.c -o ours.so && strip ours.so", folder);
    run("cd %s && cc -O1 program.c ./libcudart_shared.so -o shared", folder);
    run("cd %s && cp shared shared_stripped && strip shared_stripped", folder);
    run("cd %s && echo 'int main(void) { return 0; }' > plain.c && cc plain.c -o plain && cp plain plain_stripped && strip plain_stripped", folder);
}

static void kinds(void)
{
    CHECK_EQUAL(FACET_RUNTIME_12, kind_of("static_12"));
    CHECK_EQUAL(FACET_RUNTIME_13, kind_of("static_13"));
    CHECK_EQUAL(FACET_RUNTIME_13, kind_of("static_13_fixed"));
    CHECK_EQUAL(FACET_RUNTIME_13, kind_of("library.so"));
    CHECK_EQUAL(FACET_RUNTIME_STRIPPED, kind_of("stripped"));
    CHECK_EQUAL(FACET_RUNTIME_13, kind_of("nameless_stripped"));
    CHECK_EQUAL(FACET_NO_RUNTIME, kind_of("nameless_hidden"));
    CHECK_EQUAL(FACET_RUNTIME_STRIPPED, kind_of("tables.so"));
    CHECK_EQUAL(FACET_NO_RUNTIME, kind_of("shared"));
    CHECK_EQUAL(FACET_NO_RUNTIME, kind_of("shared_stripped"));
    CHECK_EQUAL(FACET_NO_RUNTIME, kind_of("libcudart_shared.so"));
    CHECK_EQUAL(FACET_RUNTIME_12, kind_of("vendor.so"));
    CHECK_EQUAL(FACET_NO_RUNTIME, kind_of("ours.so"));
    CHECK_EQUAL(FACET_NO_RUNTIME, kind_of("plain"));
    CHECK_EQUAL(FACET_NO_RUNTIME, kind_of("plain_stripped"));
    CHECK_EQUAL(-1, kind_of("program.c"));
    CHECK_EQUAL(-1, kind_of("not there"));
}

struct names {
    int count;
    bool unknown;
    bool wrong;
};

static void note(const char *name, uint64_t address, const unsigned char *code, void *data)
{
    struct names *names = data;
    (void)address;
    (void)code;
    names->count++;
    names->unknown |= strcmp(name, "cudaNewInSomeVersion") == 0;
    names->wrong |= strcmp(name, "cudaOfTheProgram") == 0 || strstr(name, "LinkedBinary") != NULL || strncmp(name, "libcudart", 9) == 0;
}

static void functions(const char *name)
{
    char path[512];
    struct facet_elf elf;
    struct names names = {0};
    path_of(path, name);
    CHECK(facet_elf_open(path, &elf));
    CHECK_EQUAL(0, facet_static_runtime_each(&elf, FACET_JUMP_BYTES, note, &names));
    CHECK_EQUAL(7, names.count);
    CHECK(names.unknown);
    CHECK(!names.wrong);
    facet_elf_close(&elf);
}

/* What was found without names, held against the names of the same program before it was stripped. */
struct comparison {
    struct facet_elf_symbols truth;
    int right, wrong;
};

static void compare(const char *name, uint64_t address, const unsigned char *code, void *data)
{
    struct comparison *comparison = data;
    bool same = false;
    (void)code;
    for (size_t i = 0; i < comparison->truth.count; i++) {
        const ElfW(Sym) *symbol = &comparison->truth.symbols[i];
        same |= symbol->st_value == address && strcmp(facet_elf_name(&comparison->truth, symbol), name) == 0;
    }
    comparison->right += same;
    comparison->wrong += !same;
}

static void without_names(void)
{
    char path[512];
    struct facet_elf before, after;
    struct comparison comparison = {.right = 0};
    path_of(path, "nameless");
    CHECK(facet_elf_open(path, &before));
    CHECK(facet_elf_symbols(&before, SHT_SYMTAB, &comparison.truth));
    path_of(path, "nameless_stripped");
    CHECK(facet_elf_open(path, &after));
    CHECK_EQUAL(FACET_RUNTIME_13, facet_static_runtime(&after));
    CHECK_EQUAL(0, facet_static_runtime_each(&after, FACET_JUMP_BYTES, compare, &comparison));
    CHECK_EQUAL(NAMED + UNNAMED - 1, comparison.right);
    CHECK_EQUAL(0, comparison.wrong);
    facet_elf_close(&after);
    facet_elf_close(&before);
}

static void versions(void)
{
    static const unsigned char code[] = {0xc7, 0x07, 5, 0, 0, 0, 0x90, 0xc7, 0x07, 0xf0, 0x32, 0, 0, 0xc3};
    CHECK_EQUAL(13040, facet_replaced_version(code, sizeof code));
    CHECK_EQUAL(0, facet_replaced_version(code, sizeof code - 3));
    CHECK_EQUAL(0, facet_replaced_version(code, 1));
    CHECK_EQUAL(0, facet_preload_newest_runtime());
    facet_replaced_note(0x1000, 13040);
    facet_replaced_note(0x2000, 0);
    CHECK_EQUAL(13040, facet_preload_newest_runtime());
    CHECK(facet_preload_has_replaced(0x1000) && facet_preload_has_replaced(0x2000) && !facet_preload_has_replaced(0x3000));
}

/* Every file that begins like a program, cut off or with one byte changed, is read without harm. */
static void broken_files(const char *name)
{
    char path[512];
    path_of(path, name);
    FILE *file = fopen(path, "rb");
    static unsigned char bytes[1 << 18];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    unsigned seed = 1234567;
    printf("seed %u\n", seed);
    path_of(path, "broken");
    for (int i = 0; i < 2000; i++) {
        size_t cut = size;
        static unsigned char copy[sizeof bytes];
        memcpy(copy, bytes, size);
        if (i % 4 == 0)
            cut = (size_t)rand_r(&seed) % size;
        const ElfW(Ehdr) *header = (const void *)bytes;
        size_t from = i % 2 == 0 ? 0 : header->e_shoff;
        for (int k = 0; k < 3; k++)
            copy[from + (size_t)rand_r(&seed) % (i % 2 == 0 ? 64 : size - from)] = (unsigned char)rand_r(&seed);
        file = fopen(path, "wb");
        fwrite(copy, 1, cut, file);
        fclose(file);
        struct facet_elf elf;
        struct names names = {0};
        if (!facet_elf_open(path, &elf))
            continue;
        enum facet_static_runtime kind = facet_static_runtime(&elf);
        if (kind != FACET_NO_RUNTIME && kind != FACET_RUNTIME_STRIPPED)
            facet_static_runtime_each(&elf, FACET_JUMP_BYTES, note, &names);
        facet_elf_close(&elf);
    }
}

/* A library of this process: its functions go elsewhere, those of the program do not. */
static void redirecting(void)
{
    char path[512];
    struct facet_elf elf;
    int left = 0;
    path_of(path, "library.so");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    if (library == NULL)
        return;
    struct link_map *map = library;
    int (*own)(volatile int *);
    *(void **)&own = dlsym(library, "cudaOfTheProgram");
    int before = own(&(int){1});
    CHECK(facet_elf_open(path, &elf));
    CHECK_EQUAL(7, facet_redirect(&elf, map->l_addr, FACET_RUNTIME_13, &left));
    CHECK_EQUAL(0, left);
    /* Without a runtime beside this test they refuse, and say so once. */
    int (*use)(void);
    *(void **)&use = dlsym(library, "use");
    CHECK_EQUAL(35 + 35 + 36, use()); /* the last one is of the program, and adds 1 */
    CHECK_EQUAL(before, own(&(int){1}));
    /* What has been changed is not touched again. */
    CHECK_EQUAL(0, facet_redirect(&elf, map->l_addr, FACET_RUNTIME_13, &left));
    CHECK_EQUAL(7, left);
    facet_elf_close(&elf);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 2;
    }
    build();
    kinds();
    functions("static_12");
    functions("vendor.so");
    without_names();
    broken_files("static_12");
    broken_files("nameless_stripped");
    versions();
    redirecting();
    run("rm -rf %s", folder);
    return CHECK_RESULT();
}
