/* Arrays: memory without addresses. Marks go in and out as rows. */
#include <unistd.h>

#include "escape.h"
#include "types.h"

enum { WIDTH = 4096, HEIGHT = 1024, STRIDE = 256, MOST = 256 };
#define BYTES ((size_t)WIDTH * HEIGHT)
#define CALL(name, ...) (*(cudaError_t(*) __VA_ARGS__)(uintptr_t)runtime(#name))

static CUarray arrays[MOST];
static CUmipmappedArray wholes[MOST]; /* of an array that is the first level: what it is a level of */
static int count;
static unsigned char rows[HEIGHT][WIDTH];

static uint64_t mark(int array, size_t place)
{
    return ((uint64_t)getpid() << 32) + (uint64_t)array * (BYTES / STRIDE) + place + 1;
}

static void move(int array, bool out)
{
    CUDA_MEMCPY2D copy;
    memset(&copy, 0, sizeof copy);
    copy.WidthInBytes = WIDTH;
    copy.Height = HEIGHT;
    if (out) {
        copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.srcArray = arrays[array];
        copy.dstMemoryType = CU_MEMORYTYPE_HOST;
        copy.dstHost = rows;
        copy.dstPitch = WIDTH;
    } else {
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = rows;
        copy.srcPitch = WIDTH;
        copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.dstArray = arrays[array];
    }
    MUST(cuMemcpy2D(&copy));
}

static size_t kept(void)
{
    size_t good = 0;
    for (int i = 0; i < count; i++) {
        move(i, true);
        for (size_t k = 0; k < BYTES / STRIDE; k++) {
            uint64_t found;
            memcpy(&found, &rows[0][0] + k * STRIDE, sizeof found);
            good += found == mark(i, k) ? STRIDE : 0;
        }
    }
    return good;
}

/* Called once with nothing to give: arrays have no address that it could be given by. */
static void destroy_all(void)
{
    while (count > 0) {
        count--;
        if (wholes[count] != NULL)
            MUST(cuMipmappedArrayDestroy(wholes[count]));
        else
            MUST(cuArrayDestroy(arrays[count]));
        wholes[count] = NULL;
    }
    other_held = 0;
}

static int enter(int result, CUarray array)
{
    if (result != CUDA_SUCCESS)
        return result;
    if (count == MOST)
        must(-1, "too many arrays");
    arrays[count] = array;
    for (size_t k = 0; k < BYTES / STRIDE; k++) {
        uint64_t wanted = mark(count, k);
        memcpy(&rows[0][0] + k * STRIDE, &wanted, sizeof wanted);
    }
    move(count, false);
    count++;
    other_held += BYTES;
    other_kept = kept;
    other_give = destroy_all;
    return result;
}

static int take_2d(size_t bytes)
{
    CUarray array = NULL;
    CUDA_ARRAY_DESCRIPTOR wanted = {.Width = WIDTH, .Height = HEIGHT, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 1};
    (void)bytes;
    int result = cuArrayCreate_v2(&array, &wanted);
    return enter(result, array);
}

static int array_2d(size_t want)
{
    return take_pieces(want, BYTES, take_2d);
}

static int take_3d(size_t bytes)
{
    CUarray array = NULL;
    CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = WIDTH / 4, .Height = HEIGHT, .Depth = 0, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
    (void)bytes;
    int result = cuArray3DCreate_v2(&array, &wanted);
    return enter(result, array);
}

static int array_3d(size_t want)
{
    return take_pieces(want, BYTES, take_3d);
}

static int take_runtime(size_t bytes)
{
    CUarray array = NULL;
    struct cudaChannelFormatDesc format = {.x = 8, .f = 1}; /* unsigned */
    (void)bytes;
    int result =
        CALL(cudaMallocArray, (CUarray *, const struct cudaChannelFormatDesc *, size_t, size_t, unsigned))(&array, &format, WIDTH, HEIGHT, 0);
    return enter(result, array);
}

static int rt_array(size_t want)
{
    return take_pieces(want, BYTES, take_runtime);
}

static int take_runtime_3d(size_t bytes)
{
    CUarray array = NULL;
    struct cudaChannelFormatDesc format = {.x = 8, .f = 1};
    struct cudaExtent extent = {.width = WIDTH, .height = HEIGHT};
    (void)bytes;
    int result = CALL(cudaMalloc3DArray, (CUarray *, const struct cudaChannelFormatDesc *, struct cudaExtent, unsigned))(&array, &format, extent, 0);
    return enter(result, array);
}

static int rt_array_3d(size_t want)
{
    return take_pieces(want, BYTES, take_runtime_3d);
}

static int enter_levels(int result, CUmipmappedArray whole)
{
    CUarray first;
    if (result != CUDA_SUCCESS)
        return result;
    MUST(cuMipmappedArrayGetLevel(&first, whole, 0));
    if (count < MOST)
        wholes[count] = whole;
    return enter(result, first);
}

static int take_levels(size_t bytes)
{
    CUmipmappedArray whole = NULL;
    CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = WIDTH, .Height = HEIGHT, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 1};
    (void)bytes;
    int result = cuMipmappedArrayCreate(&whole, &wanted, 4);
    return enter_levels(result, whole);
}

static int mipmapped(size_t want)
{
    return take_pieces(want, BYTES, take_levels);
}

static int take_runtime_levels(size_t bytes)
{
    CUmipmappedArray whole = NULL;
    struct cudaChannelFormatDesc format = {.x = 8, .f = 1};
    struct cudaExtent extent = {.width = WIDTH, .height = HEIGHT};
    (void)bytes;
    int result = CALL(cudaMallocMipmappedArray, (CUmipmappedArray *, const struct cudaChannelFormatDesc *, struct cudaExtent, unsigned, unsigned))(
        &whole, &format, extent, 4, 0);
    return enter_levels(result, whole);
}

static int rt_mipmapped(size_t want)
{
    return take_pieces(want, BYTES, take_runtime_levels);
}

/* Products that pass the end of a number. */
static int array_huge(size_t want)
{
    const size_t sides[][3] = {
        {SIZE_MAX, 1, 1}, {(size_t)1 << 33, (size_t)1 << 33, 1}, {(size_t)1 << 22, (size_t)1 << 21, (size_t)1 << 21}, {(size_t)1 << 60, 16, 16}};
    (void)want;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        CUarray array;
        CUDA_ARRAY3D_DESCRIPTOR wanted = {
            .Width = sides[i][0], .Height = sides[i][1], .Depth = sides[i][2], .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4};
        CUresult result = cuArray3DCreate_v2(&array, &wanted);
        if (result == CUDA_SUCCESS)
            return -1;
        if (result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_OUT_OF_MEMORY)
            return result;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

const struct way array_ways[] = {
    {.name = "array", .kind = MEMORY, .take = array_2d, .calls = "cuArrayCreate_v2"},
    {.name = "array-3d", .kind = MEMORY, .take = array_3d, .calls = "cuArray3DCreate_v2"},
    {.name = "array-huge", .kind = REFUSED, .take = array_huge, .calls = "cuArray3DCreate_v2"},
    {.name = "array-mipmapped", .kind = MEMORY, .take = mipmapped, .calls = "cuMipmappedArrayCreate"},
    {.name = "cudaMallocMipmappedArray", .kind = MEMORY, .take = rt_mipmapped, .calls = "cudaMallocMipmappedArray"},
    {.name = "cudaMallocArray", .kind = MEMORY, .take = rt_array, .calls = "cudaMallocArray"},
    {.name = "cudaMalloc3DArray", .kind = MEMORY, .take = rt_array_3d, .calls = "cudaMalloc3DArray"},
    {.name = NULL},
};
