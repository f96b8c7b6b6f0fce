package facet.kube.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.kube.kubelet.KubeletSocket;
import facet.kube.kubelet.PluginSocket;
import facet.kube.node.NodeDevice;
import facet.kubelet.deviceplugin.AllocateRequest;
import facet.kubelet.deviceplugin.AllocateResponse;
import facet.kubelet.deviceplugin.ContainerAllocateRequest;
import facet.kubelet.deviceplugin.DevicePluginGrpc;
import facet.kubelet.deviceplugin.Empty;
import facet.kubelet.deviceplugin.ListAndWatchResponse;
import facet.kubelet.deviceplugin.RegisterRequest;
import facet.kubelet.deviceplugin.RegistrationGrpc;
import facet.log.Log;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The plugin, with a kubelet of which only the socket for registrations is there. */
@Timeout(120)
class DevicePluginTest {
    private static final NodeDevice DEVICE =
            new NodeDevice("GPU-a", 0, "m", 3L << 30, 1000, "software", false, false, true);

    private final BlockingQueue<RegisterRequest> registered = new LinkedBlockingQueue<>();
    private final Log log = new Log(System.out, Log.Level.INFO);
    private Path folder = Path.of("/nowhere");

    /** JUnit's folders have names that are too long for sockets. */
    @BeforeEach
    void begin() throws IOException {
        folder = Files.createTempDirectory("facet-p-");
    }

    @AfterEach
    void end() throws IOException {
        try (var all = Files.list(folder)) {
            for (Path each : all.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }

    private PluginSocket kubelet() throws IOException {
        return PluginSocket.serve(
                folder.resolve("kubelet.sock"),
                new RegistrationGrpc.RegistrationImplBase() {
                    @Override
                    public void register(RegisterRequest request, StreamObserver<Empty> observer) {
                        registered.add(request);
                        observer.onNext(Empty.getDefaultInstance());
                        observer.onCompleted();
                    }
                });
    }

    @Test
    void registersWithEachKubeletAndSaysNothingAboutWhoGetsWhat() throws Exception {
        List<Resource> resources =
                List.of(
                        Resource.parse("facet.dev/gpu=2"),
                        Resource.parse("aliyun.com/gpu-mem=memory:1GiB"));
        try (DevicePlugins plugins = new DevicePlugins(folder, resources, log)) {
            plugins.keep(List.of(DEVICE));
            assertTrue(registered.isEmpty(), "there is no kubelet yet");
            try (PluginSocket first = kubelet()) {
                plugins.keep(List.of(DEVICE));
                assertEquals("facet.dev/gpu", registered.take().getResourceName());
                RegisterRequest memory = registered.take();
                assertEquals("v1beta1", memory.getVersion());
                plugins.keep(List.of(DEVICE));
                assertTrue(registered.isEmpty(), "once is enough");
                assertTrue(first.isInPlace());
                ask(plugins, folder.resolve(memory.getEndpoint()));
                Files.delete(folder.resolve(memory.getEndpoint()));
                plugins.keep(List.of(DEVICE));
                assertEquals(memory, registered.take(), "its socket was removed");
            }
            try (PluginSocket second = kubelet()) {
                plugins.keep(List.of(DEVICE));
                registered.take();
                registered.take();
                assertTrue(second.isInPlace());
            }
        }
    }

    private static void ask(DevicePlugins plugins, Path socket) throws IOException {
        try (KubeletSocket connection = KubeletSocket.to(socket)) {
            var plugin = DevicePluginGrpc.newBlockingStub(connection.channel());
            Iterator<ListAndWatchResponse> devices =
                    plugin.listAndWatch(Empty.getDefaultInstance());
            assertEquals(3, devices.next().getDevicesCount(), "one for each GiB");
            plugins.keep(List.of(DEVICE.withHealth(false)));
            assertEquals("Unhealthy", devices.next().getDevices(0).getHealth());
            AllocateResponse answer =
                    plugin.allocate(
                            AllocateRequest.newBuilder()
                                    .addContainerRequests(
                                            ContainerAllocateRequest.newBuilder()
                                                    .addDevicesIds("0-0"))
                                    .addContainerRequests(
                                            ContainerAllocateRequest.newBuilder()
                                                    .addDevicesIds("0-1"))
                                    .build());
            assertEquals(
                    answer.getContainerResponses(0),
                    answer.getContainerResponses(1),
                    "whichever device it is");
            assertEquals(
                    "facet.dev/pod=placed",
                    answer.getContainerResponses(0).getCdiDevices(0).getName());
        }
    }

    @Test
    void resourcesAreReadOrRefused() {
        assertEquals(new Resource("a.b/c", 7, 0), Resource.parse("a.b/c=7"));
        for (String each :
                List.of("c=7", "a.b/c", "a.b/c=0", "a.b/c=5000", "a.b/c=memory:", "a.b/c=-1")) {
            assertThrows(IllegalArgumentException.class, () -> Resource.parse(each), each);
        }
    }
}
