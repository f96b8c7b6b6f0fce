package facet.device.nvidia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.FoundDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Libraries of a vendor that work, lack something, fail, hang and crash. */
@SuppressWarnings("NullAway.Init") // JUnit fills in the folder
final class DiscoveryTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir static Path folder;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        compile(folder.resolve("whole"));
        compile(folder.resolve("partly"), "-DWITHOUT_CUINIT");
    }

    private static void compile(Path into, String... flags)
            throws IOException, InterruptedException {
        Files.createDirectory(into);
        List<String> command = new java.util.ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-o", into.resolve("libcuda.so.1").toString()));
        command.add(Path.of("src/test/c/vendor.c").toAbsolutePath().toString());
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
        Files.copy(into.resolve("libcuda.so.1"), into.resolve("libnvidia-ml.so.1"));
    }

    private static Discovery of(String libraries, Map<String, String> environment) {
        return new Discovery(
                new VendorSettings(Optional.of(folder.resolve(libraries)), environment), PATIENCE);
    }

    @Test
    void devicesAreFoundWithTheirProfile() throws IOException {
        FoundDevice device = of("whole", Map.of()).find().getFirst();
        assertEquals("GPU-00010203-0405-0607-0809-0a0b0c0d0e0f", device.id());
        assertEquals("Broken", device.profile().name());
        assertEquals(1L << 30, device.profile().memory());
        assertEquals(Attribute.MULTIPROCESSORS.number(), device.profile().multiprocessors());
    }

    @Test
    void instancesOfADividedDeviceAreDevices() throws IOException {
        List<FoundDevice> found = of("whole", Map.of("DIVIDED", "yes")).find();
        assertEquals(
                List.of(
                        "MIG-a0000000-0000-0000-0000-000000000001",
                        "MIG-a0000000-0000-0000-0000-000000000003"),
                found.stream().map(FoundDevice::id).toList());
    }

    @Test
    void whatIsNotToBeSeenIsNotFound() throws IOException {
        String second = "MIG-a0000000-0000-0000-0000-000000000003";
        List<FoundDevice> found =
                of("whole", Map.of("DIVIDED", "yes", DiscoveryMain.VISIBLE, second)).find();
        assertEquals(List.of(second), found.stream().map(FoundDevice::id).toList());
        assertEquals(List.of(), of("whole", Map.of(DiscoveryMain.VISIBLE, "GPU-ffff")).find());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvmlInit_v2",
                "nvmlDeviceGetCount_v2",
                "nvmlDeviceGetHandleByIndex_v2",
                "nvmlDeviceGetUUID",
                "nvmlDeviceGetName",
                "nvmlDeviceGetMemoryInfo",
                "cuInit",
                "cuDeviceGetCount",
                "cuDeviceGet",
                "cuDeviceGetUuid_v2",
                "cuDeviceTotalMem_v2",
                "cuDeviceGetAttribute"
            })
    void anErrorOfEachCallIsToldByItsName(String call) {
        IOException told =
                assertThrows(
                        IOException.class,
                        of("whole", Map.of("FAULT_CALL", call, "FAULT_KIND", "error"))::find);
        assertTrue(String.valueOf(told.getMessage()).contains(call), told.getMessage());
    }

    @Test
    void aCrashIsTold() {
        IOException told =
                assertThrows(
                        IOException.class,
                        of("whole", Map.of("FAULT_CALL", "cuInit", "FAULT_KIND", "crash"))::find);
        assertTrue(
                String.valueOf(told.getMessage()).contains("ended the process that asked them"),
                told.getMessage());
    }

    /** However short the patience is: who hangs never answers. */
    @Test
    void aHangIsTold() {
        Discovery impatient =
                new Discovery(
                        new VendorSettings(
                                Optional.of(folder.resolve("whole")),
                                Map.of("FAULT_CALL", "nvmlInit_v2", "FAULT_KIND", "hang")),
                        Duration.ofSeconds(3));
        IOException told = assertThrows(IOException.class, impatient::find);
        assertTrue(String.valueOf(told.getMessage()).contains("did not answer"), told.getMessage());
    }

    @Test
    void aMissingSymbolIsToldByItsName() {
        IOException told = assertThrows(IOException.class, of("partly", Map.of())::find);
        assertTrue(String.valueOf(told.getMessage()).contains("has no cuInit"), told.getMessage());
    }

    @Test
    void missingLibrariesAreTold() {
        IOException told = assertThrows(IOException.class, of("none", Map.of())::find);
        assertTrue(
                String.valueOf(told.getMessage()).contains("--vendor-libraries"),
                told.getMessage());
    }
}
