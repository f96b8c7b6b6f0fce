package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.DeviceProfile;
import org.junit.jupiter.api.Test;

class CapabilityTest {
    private static final int L2_CACHE_SIZE = 38;
    private static final int MAX_PERSISTING_L2 = 108;
    private static final int MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;

    private final CpuDevices devices = new CpuDevices();

    @Test
    void everyOneHasLimitsThatFitTogether() {
        for (String each : devices.capabilities()) {
            DeviceProfile profile = devices.profile(each, "test", 1 << 30, 4);
            assertEquals(each, profile.capability());
            assertEquals(4, profile.multiprocessors());
            assertTrue(profile.sharedPerBlock() <= profile.sharedPerBlockOptin(), each);
            assertTrue(profile.sharedPerBlockOptin() <= profile.sharedPerMultiprocessor(), each);
            assertEquals(0, profile.maxThreadsPerMultiprocessor() % DeviceProfile.WARP);
            int[] attributes = devices.attributes(profile, 0, 256);
            assertEquals(profile.l2(), attributes[L2_CACHE_SIZE]);
            assertEquals(profile.computeMajor() >= 8, attributes[MAX_PERSISTING_L2] > 0, each);
            assertTrue(attributes[MAX_PERSISTING_L2] <= profile.l2(), each);
            assertEquals(
                    profile.sharedPerBlockOptin(), attributes[MAX_SHARED_MEMORY_PER_BLOCK_OPTIN]);
        }
    }

    @Test
    void theUsualOneIsWhatNobodyChose() {
        assertEquals("8.9", devices.profile("test", 1 << 30, 4).capability());
        assertEquals(
                devices.profile("8.9", "test", 1 << 30, 4), devices.profile("test", 1 << 30, 4));
    }

    @Test
    void whoAsksForAnotherIsToldWhichThereAre() {
        IllegalArgumentException refusal =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> devices.profile("6.1", "test", 1 << 30, 4));
        assertEquals(
                "there is no profile '6.1'; there are 7.5, 8.0, 8.9, 9.0, 12.0",
                refusal.getMessage());
    }
}
