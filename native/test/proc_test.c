/* cuGetProcAddress, and what the API answers before cuInit. No daemon is needed for either. */
#include "check.h"
#include "client.h"

enum { LEGACY = CU_GET_PROC_ADDRESS_LEGACY_STREAM, PER_THREAD = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM };

static const char *symbol(const char *name, int version, cuuint64_t flags)
{
    void *function = NULL;
    CUdriverProcAddressQueryResult status = -1;
    CUresult result = cuGetProcAddress_v2(name, &function, version, flags, &status);
    if (result != CUDA_SUCCESS)
        return status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND         ? "not found"
               : status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT ? "too old"
                                                                      : "wrong";
    void *old = NULL;
    CHECK_EQUAL(CUDA_SUCCESS, cuGetProcAddress(name, &old, version, flags));
    CHECK(old == function);
    for (size_t i = 0; i < facet_cuda_proc_count; i++)
        if (memcmp(&facet_cuda_procs[i].function, &function, sizeof function) == 0)
            return facet_cuda_procs[i].symbol;
    return "unknown";
}

static void versions(void)
{
    CHECK_TEXT("cuMemAlloc", symbol("cuMemAlloc", 2000, 0));
    CHECK_TEXT("cuMemAlloc", symbol("cuMemAlloc", 3010, 0));
    CHECK_TEXT("cuMemAlloc_v2", symbol("cuMemAlloc", 3020, 0));
    CHECK_TEXT("cuMemAlloc_v2", symbol("cuMemAlloc", 99990, 0));
    CHECK_TEXT("cuGetProcAddress", symbol("cuGetProcAddress", 11030, 0));
    CHECK_TEXT("cuGetProcAddress_v2", symbol("cuGetProcAddress", 12000, 0));
    CHECK_TEXT("cuMemAlloc_v2", symbol("cuMemAlloc_v2", 13000, 0));
    CHECK_TEXT("too old", symbol("cuLaunchKernel", 3020, 0));
    CHECK_TEXT("not found", symbol("cuLaunch Kernel", 13000, 0));
    CHECK_TEXT("not found", symbol("cu", 13000, 0));
    CHECK_TEXT("not found", symbol("zz", 13000, 0));
    CHECK_TEXT("wrong", symbol("", 13000, 0));
}

static void streams_of_threads(void)
{
    CHECK_TEXT("cuLaunchKernel", symbol("cuLaunchKernel", 13000, 0));
    CHECK_TEXT("cuLaunchKernel", symbol("cuLaunchKernel", 13000, LEGACY));
    CHECK_TEXT("cuLaunchKernel_ptsz", symbol("cuLaunchKernel", 13000, PER_THREAD));
    CHECK_TEXT("cuLaunchKernel", symbol("cuLaunchKernel", 6050, PER_THREAD));
    CHECK_TEXT("cuMemcpyHtoD_v2_ptds", symbol("cuMemcpyHtoD", 13000, PER_THREAD));
    CHECK_TEXT("cuStreamGetCaptureInfo_v3_ptsz", symbol("cuStreamGetCaptureInfo", 13000, PER_THREAD));
    CHECK_TEXT("cuInit", symbol("cuInit", 13000, PER_THREAD));
    CHECK_TEXT("wrong", symbol("cuInit", 13000, LEGACY | PER_THREAD));
    CHECK_TEXT("wrong", symbol("cuInit", 13000, 4));
}

static void errors(void)
{
    const char *text;
    CHECK_EQUAL(CUDA_SUCCESS, cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    CHECK_TEXT("CUDA_ERROR_ILLEGAL_ADDRESS", text);
    CHECK_EQUAL(CUDA_SUCCESS, cuGetErrorString(CUDA_SUCCESS, &text));
    CHECK_TEXT("no error", text);
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(12345, &text));
    CHECK(text == NULL);
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(0, NULL));
}

static void before_init(void)
{
    CUmodule module;
    CUstream stream;
    CUlibrary library;
    CUlinkState link;
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuModuleLoadData(&module, ".version 8.0"));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuModuleUnload(NULL));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuStreamCreate(&stream, 0));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuStreamSynchronize(NULL));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuStreamDestroy_v2((CUstream)&stream));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuEventQuery(NULL));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuLaunchKernel_ptsz(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuLibraryLoadData(&library, ".version 8.0", NULL, NULL, 0, NULL, NULL, 0));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, cuLinkCreate_v2(0, NULL, NULL, &link));
    const void *table;
    CHECK_EQUAL(CUDA_ERROR_NOT_FOUND, cuGetExportTable(&table, NULL));
}

int main(void)
{
    versions();
    streams_of_threads();
    errors();
    before_init();
    return CHECK_RESULT();
}
