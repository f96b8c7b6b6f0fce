/* Textures and surfaces that lie beyond the memory of their context: descriptions are the program's word, so what they say must not
 * matter. Each access must fault, or the description be refused.
 *
 *   take(0)   at what is far away; what is held is how many fetches went well
 *   take(1)   at memory of the same context, which they must reach
 */
#include "escape.h"

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

#define GIB (INT64_C(1) << 30)
enum { BYTES = 1 << 20, MARK = 0x5a };

static const int64_t distances[] = {BYTES + (INT64_C(2) << 20), INT64_C(1) << 31, INT64_C(1) << 32, 32 * GIB, 64 * GIB, 96 * GIB,
                                    INT64_C(1) << 47,           INT64_C(1) << 62, INT64_MAX - 511};

static const char text[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry fetch(.param .u64 texture, .param .u32 row, .param .u64 out) {\n"
    ".reg .b64 %rd<4>; .reg .b32 %r<8>;\n"
    "ld.param.u64 %rd1, [texture]; ld.param.u32 %r1, [row]; ld.param.u64 %rd2, [out]; mov.u32 %r2, 0;\n"
    "tex.2d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [%rd1, {%r2, %r1}];\n"
    "st.global.u32 [%rd2], %r3;\nret; }\n";

/* CUDA_SUCCESS when the fetch went well; then `seen` is what it has read. */
static int fetch(CUdeviceptr memory, const CUDA_RESOURCE_DESC *resource, uint32_t row, uint32_t *seen)
{
    CUmodule module;
    CUfunction function;
    CUtexObject texture;
    CUDA_TEXTURE_DESC reading = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}, .flags = CU_TRSF_READ_AS_INTEGER};
    int result = cuTexObjectCreate(&texture, resource, &reading, NULL);
    if (result != CUDA_SUCCESS)
        return result;
    MUST(cuModuleLoadData(&module, text));
    MUST(cuModuleGetFunction(&function, module, "fetch"));
    result = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&texture, &row, &memory}, NULL);
    if (result == CUDA_SUCCESS)
        result = cuCtxSynchronize();
    return result == CUDA_SUCCESS ? (int)cuMemcpyDtoH(seen, memory, sizeof *seen) : result;
}

/* A texture at a distance from the memory, or with a pitch that leads there. */
static int try_one(int64_t distance, bool by_pitch, uint32_t *seen)
{
    CUcontext context;
    CUdeviceptr memory;
    MUST(cuCtxCreate_v2(&context, 0, 0));
    MUST(cuMemAlloc(&memory, BYTES));
    MUST(cuMemsetD8(memory, MARK, BYTES));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    resource.res.pitch2D.devPtr = by_pitch ? memory : memory + (uint64_t)distance;
    resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT32;
    resource.res.pitch2D.numChannels = 1;
    resource.res.pitch2D.width = 64;
    resource.res.pitch2D.height = 65536;
    resource.res.pitch2D.pitchInBytes = by_pitch ? (size_t)distance : 256;
    int result = fetch(memory, &resource, by_pitch ? 1 : 0, seen);
    MUST(cuCtxDestroy(context));
    return result;
}

static int textures(size_t want)
{
    uint32_t seen = 0;
    MUST(cuInit(0));
    if (want > 0) {
        int result = try_one(65536, false, &seen);
        if (result == CUDA_SUCCESS && seen == 0x5a5a5a5a)
            result = try_one(65536, true, &seen);
        other_held = seen == 0x5a5a5a5a;
        return result == CUDA_SUCCESS && other_held == 0 ? CUDA_ERROR_UNKNOWN : result;
    }
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        for (int way = 0; way < 3; way++) {
            int result = try_one(way == 1 ? -distances[i] : distances[i], way == 2, &seen);
            if (result == CUDA_SUCCESS)
                other_held++;
            else if (result != CUDA_ERROR_ILLEGAL_ADDRESS && result != CUDA_ERROR_MISALIGNED_ADDRESS && result != CUDA_ERROR_INVALID_VALUE)
                return result;
        }
    return CUDA_SUCCESS;
}

const struct way texture_ways[] = {
    {.name = "across-textures", .kind = ACROSS, .take = textures, .late = true, .calls = "cuTexObjectCreate"},
    {.name = NULL},
};
