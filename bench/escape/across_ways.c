/* Accesses that aim beyond the memory of their context, where other slices have theirs: at every distance that a mistake in an
 * address makes. Each must fault, or be refused when it is loaded.
 *
 *   take(0)   at what is far away; what is held is how many accesses went well
 *   take(1)   at memory of the same context, which they must reach: the same instructions are able to
 */
#include <inttypes.h>

#include "escape.h"

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

#define GIB (INT64_C(1) << 30)
#define FULL UINT64_C(0x5a5a5a5a5a5a5a5a)
enum { BYTES = 1 << 20, AIM = 4096, BEHIND = 65536, DISTANCES = 64, SHORT = 8 };

/* One access; @ is its address, or what is added to that of a variable. %rd2 is what it has seen. */
struct form {
    const char *body;
    bool own_space; /* the address is that of a variable in shared, local or constant memory */
    bool group;     /* with two others by the same register, whose offsets are as far apart as offsets can be */
};

struct distances {
    int64_t all[DISTANCES];
    int count;
};

static void add(struct distances *to, int64_t distance)
{
    to->all[to->count++] = distance;
    to->all[to->count++] = -distance;
}

/* How far the memories of two contexts lie apart, where they lie side by side: this one's, and guards of 32 GiB around it. */
static int64_t stride(CUdeviceptr inside)
{
    uint64_t start, end;
    int64_t found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (maps == NULL)
        must(-1, "no /proc/self/maps");
    for (char line[4096]; fgets(line, sizeof line, maps) != NULL;)
        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2 && start <= inside && inside < end)
            found = (int64_t)(end - start);
    fclose(maps);
    return found + 2 * 32 * GIB + 2 * (INT64_C(2) << 20);
}

static void find_distances(struct distances *to, CUdeviceptr inside)
{
    to->count = 0;
    for (int i = 1; i <= 3; i++)
        add(to, i * stride(inside));
    add(to, INT64_C(1) << 31); /* of 32-bit offsets, and numbers of elements of up to 16 bytes */
    add(to, INT64_C(1) << 32);
    add(to, 32 * GIB);
    add(to, 64 * GIB);
    add(to, INT64_C(1) << 47);
    add(to, INT64_C(1) << 62);
    add(to, INT64_MAX - 15);
    to->all[to->count++] = INT64_MIN;
}

static void write_body(FILE *file, const char *body, const char *address)
{
    for (; *body != 0; body++)
        if (*body == '@')
            fputs(address, file);
        else
            fputc(*body, file);
}

/* The others are in its own memory, just before and at where it aims from. */
static void write_group(FILE *file, const char *body, int64_t distance)
{
    char address[64];
    int64_t offset = (int64_t)((uint64_t)distance + (UINT64_C(1) << 63));
    fprintf(file,
            "add.u64 %%rd1, %%rd1, 0x8000000000000000;\n"
            "ld.global.u64 %%rd4, [%%rd1+%" PRId64 "]; ld.global.u64 %%rd5, [%%rd1+%" PRId64
            "];\n"
            "add.u64 %%rd4, %%rd4, %%rd5; st.global.u64 [%%rd9+16], %%rd4;\n",
            INT64_MIN, INT64_MAX - 7);
    snprintf(address, sizeof address, "%%rd1+%" PRId64, offset);
    write_body(file, body, address);
}

static char *text_of(const struct form *form, int64_t distance, bool immediate)
{
    char *text, address[64];
    FILE *file = begin_text(&text);
    fprintf(file,
            ".const .align 16 .b64 c[2] = {0x%" PRIx64 ", 0x%" PRIx64
            "};\n"
            ".visible .entry reach(.param .u64 from, .param .u64 out) {\n"
            ".shared .align 16 .b64 s[2]; .local .align 16 .b64 l[2]; .reg .b64 %%rd<12>; .reg .b32 %%r<4>;\n"
            "ld.param.u64 %%rd1, [from]; ld.param.u64 %%rd9, [out]; mov.u64 %%rd8, 0x%" PRIx64
            "; mov.u64 %%rd2, %%rd8;\n"
            "st.shared.u64 [s], %%rd8; st.shared.u64 [s+8], %%rd8; st.local.u64 [l], %%rd8; st.local.u64 [l+8], %%rd8;\n",
            FULL, FULL, FULL);
    if (form->group) {
        write_group(file, form->body, distance);
    } else if (form->own_space || immediate) {
        snprintf(address, sizeof address, "%s+%" PRId64, form->own_space ? "" : "%rd1", distance);
        write_body(file, form->body, address);
    } else {
        fprintf(file, "mov.s64 %%rd3, %" PRId64 "; add.s64 %%rd3, %%rd1, %%rd3;\n", distance);
        write_body(file, form->body, "%rd3");
    }
    fputs("st.global.u64 [%rd9], %rd2;\nret; }\n", file);
    fclose(file);
    return text;
}

/* CUDA_SUCCESS when it went well; then `seen` and `left` are what it has read, and what is where its own memory ends. */
static int run(const char *text, CUdeviceptr memory, uint64_t *seen, uint64_t *left)
{
    CUmodule module;
    CUfunction function;
    CUdeviceptr from = memory + AIM;
    int result = cuModuleLoadData(&module, text);
    if (result != CUDA_SUCCESS)
        return result;
    MUST(cuModuleGetFunction(&function, module, "reach"));
    result = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&from, &memory}, NULL);
    if (result == CUDA_SUCCESS)
        result = cuCtxSynchronize();
    if (result == CUDA_SUCCESS)
        result = cuMemcpyDtoH(seen, memory, sizeof *seen);
    return result == CUDA_SUCCESS ? (int)cuMemcpyDtoH(left, from + BEHIND, sizeof *left) : result;
}

/* After a fault a context is of no use, so each try has its own. */
static CUdeviceptr begin(CUcontext *context)
{
    CUdeviceptr memory;
    MUST(cuCtxCreate_v2(context, 0, 0));
    MUST(cuMemAlloc(&memory, BYTES));
    MUST(cuMemsetD8(memory, 0, AIM));
    MUST(cuMemsetD8(memory + AIM, (unsigned char)FULL, BYTES - AIM));
    return memory;
}

static bool is_refusal(int result)
{
    return result == CUDA_ERROR_ILLEGAL_ADDRESS || result == CUDA_ERROR_MISALIGNED_ADDRESS || result == CUDA_ERROR_INVALID_PTX ||
           result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

static int far(const struct form *form, const struct distances *distances, bool immediate)
{
    for (int i = 0; i < distances->count; i++) {
        CUcontext context;
        uint64_t seen = 0, left = 0;
        char *text = text_of(form, distances->all[i], immediate);
        int result = run(text, begin(&context), &seen, &left);
        /* Addresses of 32 bits may come round to the variable itself: then it has seen that. */
        if (result == CUDA_SUCCESS && !(form->own_space && seen == FULL))
            other_held++;
        if (result != CUDA_SUCCESS && !is_refusal(result))
            return result;
        MUST(cuCtxDestroy(context));
        free(text);
    }
    return CUDA_SUCCESS;
}

/* Loads see what is there; stores leave something else. */
static int near(const struct form *form, bool immediate)
{
    CUcontext context;
    uint64_t seen = 0, left = FULL;
    char *text = text_of(form, form->own_space ? SHORT : BEHIND, immediate);
    int result = run(text, begin(&context), &seen, &left);
    if (result == CUDA_SUCCESS && (form->own_space ? seen == FULL : seen == FULL || left != FULL))
        other_held++;
    else if (result == CUDA_SUCCESS)
        result = CUDA_ERROR_UNKNOWN;
    MUST(cuCtxDestroy(context));
    free(text);
    return result;
}

static int each_of(const struct form *forms, size_t want)
{
    struct distances distances;
    CUcontext context;
    CUdevice device;
    int result = CUDA_SUCCESS;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    find_distances(&distances, begin(&context));
    MUST(cuCtxDestroy(context));
    for (const struct form *form = forms; form->body != NULL && result == CUDA_SUCCESS; form++) {
        /* A group and a variable have offsets in their instructions alone. */
        bool both = !form->group && !form->own_space;
        result = want > 0 ? near(form, true) : far(form, &distances, true);
        if (both && result == CUDA_SUCCESS)
            result = want > 0 ? near(form, false) : far(form, &distances, false);
    }
    return result;
}

static int loads(size_t want)
{
    static const struct form forms[] = {
        {.body = "ld.global.u64 %rd2, [@];"},
        {.body = "ld.u64 %rd2, [@];"},
        {.body = "ld.global.nc.v2.u64 {%rd2, %rd4}, [@];"},
        {.body = NULL},
    };
    return each_of(forms, want);
}

static int stores(size_t want)
{
    static const struct form forms[] = {
        {.body = "mov.u64 %rd2, 0; st.global.u64 [@], %rd2;"},
        {.body = "mov.u64 %rd2, 0; st.u64 [@], %rd2;"},
        {.body = "mov.u64 %rd2, 0; st.global.v2.u64 [@], {%rd2, %rd2};"},
        {.body = NULL},
    };
    return each_of(forms, want);
}

static int atomics(size_t want)
{
    static const struct form forms[] = {
        {.body = "atom.global.add.u64 %rd2, [@], 1;"},
        {.body = "atom.cas.b64 %rd2, [@], %rd8, 0;"},
        {.body = "mov.u64 %rd2, 0; red.global.add.u64 [@], 1;"},
        {.body = NULL},
    };
    return each_of(forms, want);
}

/* Copied in the background, to shared memory. */
static int asynchronous(size_t want)
{
    static const struct form forms[] = {
        {.body = "mov.u64 %rd2, 0; st.shared.u64 [s], %rd2; cp.async.ca.shared.global [s], [@], 16; cp.async.wait_all;\n"
                 "ld.shared.u64 %rd2, [s];"},
        {.body = NULL},
    };
    return each_of(forms, want);
}

/* What is checked once for several accesses. */
static int groups(size_t want)
{
    static const struct form forms[] = {
        {.body = "ld.global.u64 %rd2, [@];", .group = true},
        {.body = "mov.u64 %rd2, 0; st.global.u64 [@], %rd2;", .group = true},
        {.body = NULL},
    };
    return each_of(forms, want);
}

/* Variables of kernels lie in the host's memory. A store is seen as one of their two cells that differs from the other. */
static int variables(size_t want)
{
    static const struct form forms[] = {
        {.body = "ld.shared.u64 %rd2, [s@];", .own_space = true},
        {.body = "ld.local.u64 %rd2, [l@];", .own_space = true},
        {.body = "ld.const.u64 %rd2, [c@];", .own_space = true},
        {.body = "mov.u64 %rd4, 0; st.shared.u64 [s@], %rd4; ld.shared.u64 %rd2, [s]; ld.shared.u64 %rd4, [s+8]; xor.b64 %rd2, %rd2, %rd4;",
         .own_space = true},
        {.body = "mov.u64 %rd4, 0; st.local.u64 [l@], %rd4; ld.local.u64 %rd2, [l]; ld.local.u64 %rd4, [l+8]; xor.b64 %rd2, %rd2, %rd4;",
         .own_space = true},
        {.body = "atom.shared.exch.b64 %rd2, [s@], %rd8;", .own_space = true},
        {.body = NULL},
    };
    return each_of(forms, want);
}

/* Of the cluster that a block alone is: addresses name a block, and a byte of it. */
static int clusters(size_t want)
{
    static const struct form forms[] = {
        {.body = "ld.shared::cluster.u64 %rd2, [s@];", .own_space = true},
        {.body = "mov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4; mapa.u64 %rd5, %rd4, 0; ld.u64 %rd2, [%rd5@];", .own_space = true},
        {.body = "mov.u64 %rd4, 0; st.shared::cluster.u64 [s@], %rd4; ld.shared.u64 %rd2, [s]; ld.shared.u64 %rd4, [s+8]; xor.b64 %rd2, %rd2, %rd4;",
         .own_space = true},
        {.body = "atom.shared::cluster.exch.b64 %rd2, [s@], %rd8;", .own_space = true},
        {.body = NULL},
    };
    return each_of(forms, want);
}

const struct way across_ways[] = {
    {.name = "across-loads", .kind = ACROSS, .take = loads, .late = true, .calls = "cuLaunchKernel"},
    {.name = "across-stores", .kind = ACROSS, .take = stores, .late = true, .calls = "cuLaunchKernel"},
    {.name = "across-atomics", .kind = ACROSS, .take = atomics, .late = true, .calls = "cuLaunchKernel"},
    {.name = "across-asynchronous", .kind = ACROSS, .take = asynchronous, .late = true, .calls = "cuLaunchKernel"},
    {.name = "across-groups", .kind = ACROSS, .take = groups, .late = true, .calls = "cuLaunchKernel"},
    {.name = "across-clusters", .kind = ACROSS, .take = clusters, .late = true, .calls = "cuLaunchKernel"},
    {.name = "across-variables", .kind = ACROSS, .take = variables, .late = true, .calls = "cuLaunchKernel"},
    {.name = NULL},
};
