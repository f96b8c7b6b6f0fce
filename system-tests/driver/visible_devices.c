/* Which devices it sees, by their UUIDs. */
#include "check.h"

int main(void)
{
    CUresult result = cuInit(0);
    if (result == CUDA_ERROR_NO_DEVICE) {
        printf("ok none\n");
        return 0;
    }
    CHECK(result);
    int count;
    CHECK(cuDeviceGetCount(&count));
    printf("ok");
    for (int i = 0; i < count; i++) {
        CUuuid uuid;
        CUcontext context;
        size_t bytes, available, total;
        CHECK(cuDeviceGetUuid(&uuid, i));
        CHECK(cuDeviceTotalMem(&bytes, i));
        CHECK(cuDevicePrimaryCtxRetain(&context, i));
        CHECK(cuCtxSetCurrent(context));
        CHECK(cuMemGetInfo(&available, &total));
        REQUIRE(total == bytes, "%zu and %zu", total, bytes);
        printf(" GPU-");
        for (int k = 0; k < 16; k++)
            printf("%s%02x", k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "", (unsigned char)uuid.bytes[k]);
        printf("=%zu", bytes >> 20);
    }
    printf("\n");
    return 0;
}
