package facet.node.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.slices.Setting;
import facet.slices.Settings;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which containers get the vendor's device files, and which of them. */
class DirectContainersTest {
    private static final String ONE = "GPU-00000000-0000-0000-0000-000000000001";
    private static final String TWO = "GPU-00000000-0000-0000-0000-000000000002";
    private static final Bounds TRUSTED = Bounds.parse("engine=direct");

    @TempDir private Path root = Path.of("/nowhere");

    /** A machine with these devices; their numbers are not those of their files. */
    private VendorPlaces machine(String... uuids) throws IOException {
        Files.createDirectories(root.resolve("dev"));
        device("nvidiactl", "/dev/null");
        device("nvidia-uvm", "/dev/zero");
        device("nvidia0", "/dev/full");
        device("nvidia7", "/dev/random");
        gpu("0000:01:00.0", ONE, "7");
        gpu("0000:02:00.0", TWO, "0");
        return new VendorPlaces(root, Optional.empty(), List.of(uuids));
    }

    private void device(String name, String target) throws IOException {
        Files.createSymbolicLink(root.resolve("dev").resolve(name), Path.of(target));
    }

    private void gpu(String bus, String uuid, String minor) throws IOException {
        Path folder = Files.createDirectories(root.resolve("proc/driver/nvidia/gpus/" + bus));
        Files.writeString(
                folder.resolve("information"),
                "Model: \t\t Some GPU\nGPU UUID: \t "
                        + uuid
                        + "\nBus Location: \t "
                        + bus
                        + "\nDevice Minor: \t "
                        + minor
                        + "\n");
    }

    private record Node(int devices, Optional<VendorPlaces> vendor) implements ContainerSlices {
        @Override
        public Settings.Whole wholeOfContainer() {
            return new Settings.Whole(1L << 30, devices);
        }

        @Override
        public Operations.Made openMounted(Slice wanted) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Operations.Made reopen(Slice slice) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Operations.Made> mount(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void unmount(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Slice changeMounted(Slice wanted) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(String name) {
            throw new UnsupportedOperationException();
        }
    }

    private static Settings direct(Map<Setting, String> more) {
        Map<Setting, String> all = new java.util.EnumMap<>(Setting.class);
        all.put(Setting.ENGINE, "direct");
        all.putAll(more);
        return new Settings(all);
    }

    private static List<String> paths(List<DeviceFile> files) {
        return files.stream().map(DeviceFile::path).toList();
    }

    private static String refused(Node node, Bounds bounds, Settings wish) {
        return String.valueOf(
                assertThrows(
                                ControlException.class,
                                () -> new DirectContainers(node, bounds).files(wish))
                        .getMessage());
    }

    @Test
    void aContainerGetsTheFilesOfItsDevicesAlone() throws Exception {
        Node node = new Node(2, Optional.of(machine(ONE, TWO)));
        DirectContainers containers = new DirectContainers(node, TRUSTED);
        assertEquals(
                List.of("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia7"),
                paths(containers.files(direct(Map.of(Setting.DEVICE, "0"))).orElseThrow()));
        assertEquals(
                List.of("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"),
                paths(containers.files(direct(Map.of(Setting.DEVICE, "1"))).orElseThrow()));
        assertEquals(
                List.of("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia7", "/dev/nvidia0"),
                paths(containers.files(direct(Map.of(Setting.DEVICES, "2"))).orElseThrow()));
        assertEquals(Optional.empty(), containers.files(Settings.NONE));
        DeviceFile null0 = containers.files(direct(Map.of(Setting.DEVICE, "0"))).get().getFirst();
        assertEquals("1:3", null0.major() + ":" + null0.minor());
        assertTrue(
                refused(node, TRUSTED, direct(Map.of(Setting.DEVICES, "1")))
                        .contains("says which devices it wants"));
        assertTrue(
                refused(node, TRUSTED, direct(Map.of(Setting.DEVICE, "5")))
                        .contains("this node has 2"));
    }

    @Test
    void whoMayNotIsToldWhatToDo() throws Exception {
        Node node = new Node(1, Optional.of(machine(ONE)));
        assertTrue(
                refused(node, Bounds.NONE, direct(Map.of()))
                        .contains("start facetd with --container-most engine=direct"));
        assertTrue(
                refused(node, Bounds.parse("engine=forwarded"), direct(Map.of()))
                        .contains("start facetd with --container-most engine=direct"));
        assertTrue(
                refused(new Node(1, Optional.empty()), TRUSTED, direct(Map.of()))
                        .contains("the software GPU"));
    }

    @Test
    void aDeviceWithoutAFileIsNamed() throws Exception {
        Node other = new Node(1, Optional.of(machine("MIG-of-somebody")));
        assertTrue(refused(other, TRUSTED, direct(Map.of())).contains("(MIG-of-somebody)"));
        Files.delete(root.resolve("dev/nvidia7"));
        Files.writeString(root.resolve("dev/nvidia7"), "");
        Node odd = new Node(1, Optional.of(new VendorPlaces(root, Optional.empty(), List.of(ONE))));
        assertTrue(refused(odd, TRUSTED, direct(Map.of())).contains("it is no character device"));
        Files.delete(root.resolve("dev/nvidiactl"));
        assertTrue(refused(odd, TRUSTED, direct(Map.of())).contains("'nvidia-smi'"));
        Node none =
                new Node(
                        1,
                        Optional.of(
                                new VendorPlaces(
                                        root.resolve("no"), Optional.empty(), List.of(ONE))));
        assertTrue(refused(none, TRUSTED, direct(Map.of())).contains("is it loaded?"));
    }

    @Test
    void theyAreInTheConfigurationOnceWithTheirRules() throws Exception {
        VendorPlaces places = machine(ONE);
        ContainerConfig config =
                ContainerConfig.parse(
                        "{\"linux\":{\"devices\":[{\"path\":\"/dev/nvidia7\",\"type\":\"c\"}],"
                                + "\"resources\":{\"devices\":[{\"allow\":false}]}}}");
        config.addDevices(places.files(List.of(0)));
        config.addDevices(places.files(List.of(0)));
        assertEquals(
                "{\"linux\":{\"devices\":[{\"path\":\"/dev/nvidia7\",\"type\":\"c\"},"
                        + "{\"path\":\"/dev/nvidiactl\",\"type\":\"c\",\"major\":1,\"minor\":3,\"fileMode\":438},"
                        + "{\"path\":\"/dev/nvidia-uvm\",\"type\":\"c\",\"major\":1,\"minor\":5,\"fileMode\":438}],"
                        + "\"resources\":{\"devices\":[{\"allow\":false},"
                        + "{\"allow\":true,\"type\":\"c\",\"major\":1,\"minor\":3,\"access\":\"rw\"},"
                        + "{\"allow\":true,\"type\":\"c\",\"major\":1,\"minor\":5,\"access\":\"rw\"}]}}}",
                config.text());
        assertThrows(
                ControlException.class,
                () ->
                        ContainerConfig.parse("{\"linux\":{\"devices\":7}}")
                                .addDevices(places.files(List.of(0))));
    }
}
