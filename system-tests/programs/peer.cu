// Questions about other devices, and copies that name their devices.
// forms: shared static
#include "check.h"

int main()
{
    int count = 0, can = 9;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
    REQUIRE(can == 0, "a device is not its own peer");
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, count), cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(count, 0), cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
    cudaGetLastError();
    int values[4] = {1, 2, 3, 4}, back[4] = {};
    int *a = device_copy(values, 4), *b = device_array<int>(4);
    CHECK(cudaMemcpyPeer(b, 0, a, 0, sizeof values));
    host_copy(back, b, 4);
    REQUIRE(back[3] == 4, "copied %d", back[3]);
    CHECK(cudaMemset(b, 0, sizeof values));
    CHECK(cudaMemcpyPeerAsync(b, 0, a, 0, sizeof values, 0));
    host_copy(back, b, 4);
    REQUIRE(back[0] == 1, "copied %d", back[0]);
    printf("ok %d device%s\n", count, count == 1 ? "" : "s");
    return 0;
}
