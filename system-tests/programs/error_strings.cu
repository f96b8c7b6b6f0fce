// Names and texts of errors, as programs print and compare them.
// forms: shared static
#include "check.h"

#include <cstring>

void same(cudaError_t error, const char *name, const char *text)
{
    REQUIRE(strcmp(cudaGetErrorName(error), name) == 0, "%d is called %s, expected %s", error, cudaGetErrorName(error), name);
    REQUIRE(strcmp(cudaGetErrorString(error), text) == 0, "%d says '%s', expected '%s'", error, cudaGetErrorString(error), text);
}

int main()
{
    same(cudaSuccess, "cudaSuccess", "no error");
    same(cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument");
    same(cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory");
    same(cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error");
    same(cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument");
    same(cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function");
    same(cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected");
    same(cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal");
    same(cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle");
    same(cudaErrorNotReady, "cudaErrorNotReady", "device not ready");
    same(cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered");
    same(cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch");
    same(cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered");
    same(cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address");
    same(cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure");
    same(cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch");
    same(cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported");
    same(cudaErrorUnknown, "cudaErrorUnknown", "unknown error");
    same(static_cast<cudaError_t>(12345), "unrecognized error code", "unrecognized error code");
    printf("ok texts\n");
    return 0;
}
