/* Settings of texture references and what texture and surface objects are asked for: whatever was set is what is told. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "check.h"

#include <dlfcn.h>

/* cuda.h calls most of these deprecated. */
#define SYMBOL(name, ...) (((CUresult(*)())dlsym(RTLD_DEFAULT, name))(__VA_ARGS__))
#define WITH_FLOATS(name, types) ((CUresult(*) types)dlsym(RTLD_DEFAULT, name))

static void references(CUarray array, CUmipmappedArray levels)
{
    CUtexref reference;
    CHECK(SYMBOL("cuTexRefCreate", &reference));
    CHECK(SYMBOL("cuTexRefSetAddressMode", reference, 1, CU_TR_ADDRESS_MODE_MIRROR));
    CUaddress_mode address = CU_TR_ADDRESS_MODE_BORDER;
    CHECK(SYMBOL("cuTexRefGetAddressMode", &address, reference, 1));
    REQUIRE(address == CU_TR_ADDRESS_MODE_MIRROR, "mode %d", (int)address);
    CHECK(SYMBOL("cuTexRefGetAddressMode", &address, reference, 0));
    REQUIRE(address != CU_TR_ADDRESS_MODE_MIRROR, "mode %d", (int)address);
    CHECK(SYMBOL("cuTexRefSetFilterMode", reference, CU_TR_FILTER_MODE_LINEAR));
    CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
    CHECK(SYMBOL("cuTexRefGetFilterMode", &filter, reference));
    REQUIRE(filter == CU_TR_FILTER_MODE_LINEAR, "filter %d", (int)filter);
    CHECK(SYMBOL("cuTexRefSetFlags", reference, (unsigned)CU_TRSF_NORMALIZED_COORDINATES));
    unsigned flags = 0;
    CHECK(SYMBOL("cuTexRefGetFlags", &flags, reference));
    REQUIRE(flags == CU_TRSF_NORMALIZED_COORDINATES, "flags %u", flags);
    CHECK(SYMBOL("cuTexRefSetFormat", reference, CU_AD_FORMAT_UNSIGNED_INT8, 4));
    CUarray_format format = CU_AD_FORMAT_FLOAT;
    int channels = 0;
    CHECK(SYMBOL("cuTexRefGetFormat", &format, &channels, reference));
    REQUIRE(format == CU_AD_FORMAT_UNSIGNED_INT8 && channels == 4, "format %d of %d", (int)format, channels);
    float border[4] = {1, 2, 3, 4}, seen[4] = {0};
    CHECK(SYMBOL("cuTexRefSetBorderColor", reference, border));
    CHECK(SYMBOL("cuTexRefGetBorderColor", seen, reference));
    REQUIRE(memcmp(border, seen, sizeof border) == 0, "another color");
    CHECK(SYMBOL("cuTexRefSetMaxAnisotropy", reference, 8u));
    int anisotropy = 0;
    CHECK(SYMBOL("cuTexRefGetMaxAnisotropy", &anisotropy, reference));
    REQUIRE(anisotropy == 8, "%d", anisotropy);
    CHECK(SYMBOL("cuTexRefSetMipmapFilterMode", reference, CU_TR_FILTER_MODE_LINEAR));
    filter = CU_TR_FILTER_MODE_POINT;
    CHECK(SYMBOL("cuTexRefGetMipmapFilterMode", &filter, reference));
    REQUIRE(filter == CU_TR_FILTER_MODE_LINEAR, "filter %d", (int)filter);
    float bias = 0, low = 0, high = 0;
    CHECK(WITH_FLOATS("cuTexRefSetMipmapLevelBias", (CUtexref, float))(reference, 0.5f));
    CHECK(SYMBOL("cuTexRefGetMipmapLevelBias", &bias, reference));
    CHECK(WITH_FLOATS("cuTexRefSetMipmapLevelClamp", (CUtexref, float, float))(reference, 0.25f, 1.5f));
    CHECK(SYMBOL("cuTexRefGetMipmapLevelClamp", &low, &high, reference));
    REQUIRE(bias == 0.5f && low == 0.25f && high == 1.5f, "%g, %g to %g", (double)bias, (double)low, (double)high);

    CUdeviceptr memory = allocate(4096), where = 0;
    size_t offset = 1;
    CHECK(SYMBOL("cuTexRefSetAddress_v2", &offset, reference, memory, (size_t)4096));
    CHECK(SYMBOL("cuTexRefGetAddress_v2", &where, reference));
    REQUIRE(offset == 0 && where == memory, "another address");
    CUDA_ARRAY_DESCRIPTOR rows = {.Width = 16, .Height = 8, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CHECK(SYMBOL("cuTexRefSetAddress2D_v2", reference, &rows, memory, (size_t)512));
    CHECK(SYMBOL("cuTexRefSetAddress2D_v3", reference, &rows, memory, (size_t)512));
    CHECK(SYMBOL("cuTexRefGetAddress_v2", &where, reference));
    REQUIRE(where == memory, "another address");
    CUarray bound = NULL;
    REQUIRE(SYMBOL("cuTexRefGetArray", &bound, reference) != CUDA_SUCCESS || bound == NULL, "an array though none was bound");
    CHECK(SYMBOL("cuTexRefSetArray", reference, array, (unsigned)CU_TRSA_OVERRIDE_FORMAT));
    CHECK(SYMBOL("cuTexRefGetArray", &bound, reference));
    REQUIRE(bound == array, "another array");
    CUmipmappedArray several = NULL;
    CHECK(SYMBOL("cuTexRefSetMipmappedArray", reference, levels, (unsigned)CU_TRSA_OVERRIDE_FORMAT));
    CHECK(SYMBOL("cuTexRefGetMipmappedArray", &several, reference));
    REQUIRE(several == levels, "another array");
    CHECK(SYMBOL("cuTexRefDestroy", reference));
    REQUIRE(SYMBOL("cuTexRefGetFlags", &flags, reference) != CUDA_SUCCESS, "it was destroyed");
    CHECK(cuMemFree(memory));
}

static void objects(CUarray array)
{
    CUDA_RESOURCE_DESC resource, asked;
    CUDA_TEXTURE_DESC settings, settings_asked;
    CUDA_RESOURCE_VIEW_DESC view, view_asked;
    memset(&resource, 0, sizeof resource);
    memset(&settings, 0, sizeof settings);
    memset(&view, 0, sizeof view);
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    settings.addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP;
    settings.addressMode[1] = CU_TR_ADDRESS_MODE_BORDER;
    settings.filterMode = CU_TR_FILTER_MODE_LINEAR;
    settings.maxAnisotropy = 4;
    view.format = CU_RES_VIEW_FORMAT_FLOAT_4X32;
    view.width = 16;
    view.height = 8;
    CUtexObject texture = 0;
    CHECK(cuTexObjectCreate(&texture, &resource, &settings, &view));
    CHECK(cuTexObjectGetResourceDesc(&asked, texture));
    REQUIRE(asked.resType == CU_RESOURCE_TYPE_ARRAY && asked.res.array.hArray == array, "another resource");
    CHECK(cuTexObjectGetTextureDesc(&settings_asked, texture));
    REQUIRE(settings_asked.addressMode[1] == CU_TR_ADDRESS_MODE_BORDER && settings_asked.filterMode == CU_TR_FILTER_MODE_LINEAR &&
                settings_asked.maxAnisotropy == 4,
            "other settings");
    CHECK(cuTexObjectGetResourceViewDesc(&view_asked, texture));
    REQUIRE(view_asked.format == CU_RES_VIEW_FORMAT_FLOAT_4X32 && view_asked.width == 16 && view_asked.height == 8, "another view");
    CHECK(cuTexObjectDestroy(texture));
    REQUIRE(cuTexObjectGetTextureDesc(&settings_asked, texture) != CUDA_SUCCESS, "it was destroyed");

    CUsurfObject surface = 0;
    CHECK(cuSurfObjectCreate(&surface, &resource));
    memset(&asked, 0, sizeof asked);
    CHECK(cuSurfObjectGetResourceDesc(&asked, surface));
    REQUIRE(asked.res.array.hArray == array, "another resource");
    CHECK(cuSurfObjectDestroy(surface));
    REQUIRE(cuSurfObjectGetResourceDesc(&asked, surface) != CUDA_SUCCESS, "it was destroyed");
}

int main(void)
{
    open_device();
    CUarray array;
    CUmipmappedArray levels;
    CUDA_ARRAY3D_DESCRIPTOR wanted = {.Width = 16, .Height = 8, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4, .Flags = CUDA_ARRAY3D_SURFACE_LDST};
    CHECK(cuArray3DCreate_v2(&array, &wanted));
    CHECK(cuMipmappedArrayCreate(&levels, &wanted, 3));
    references(array, levels);
    objects(array);
    CHECK(cuMipmappedArrayDestroy(levels));
    CHECK(cuArrayDestroy(array));
    printf("ok texture settings\n");
    return 0;
}
