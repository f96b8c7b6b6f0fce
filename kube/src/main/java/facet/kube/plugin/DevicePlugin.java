package facet.kube.plugin;

import facet.kube.kubelet.KubeletSocket;
import facet.kube.kubelet.PluginSocket;
import facet.kube.node.NodeDevice;
import facet.kubelet.deviceplugin.RegisterRequest;
import facet.kubelet.deviceplugin.RegistrationGrpc;
import facet.log.Log;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A resource, on a socket beside the kubelet's. A kubelet that starts removes all sockets but its
 * own, and knows nobody: then it is all done again.
 */
final class DevicePlugin implements AutoCloseable {
    private static final String VERSION = "v1beta1";
    private static final long PATIENCE_SECONDS = 5;

    private final Path folder;
    private final Resource resource;
    private final Log log;
    private final DeviceService service;
    private @Nullable PluginSocket socket;
    private Optional<Object> registeredWith = Optional.empty();

    DevicePlugin(Path folder, Resource resource, Log log) {
        this.folder = folder;
        this.resource = resource;
        this.log = log;
        service = new DeviceService(resource);
    }

    private String socketName() {
        return "facet-" + resource.name().replace('/', '_') + ".sock";
    }

    void keep(List<NodeDevice> devices) throws IOException {
        service.tell(devices);
        Path kubelet = folder.resolve("kubelet.sock");
        if (devices.isEmpty() || !Files.exists(kubelet)) {
            return;
        }
        Optional<Object> now = PluginSocket.identity(kubelet);
        if (socket != null && socket.isInPlace() && now.equals(registeredWith)) {
            return;
        }
        if (socket != null) {
            socket.close();
        }
        socket = PluginSocket.serve(folder.resolve(socketName()), service);
        register(kubelet);
        registeredWith = now;
        log.info("plugins", "registered " + resource.name() + " with the kubelet");
    }

    private void register(Path kubelet) throws IOException {
        try (KubeletSocket connection = KubeletSocket.to(kubelet)) {
            RegistrationGrpc.newBlockingStub(connection.channel())
                    .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .register(
                            RegisterRequest.newBuilder()
                                    .setVersion(VERSION)
                                    .setEndpoint(socketName())
                                    .setResourceName(resource.name())
                                    .build());
        } catch (StatusRuntimeException e) {
            throw new IOException(
                    resource.name() + " cannot be registered with the kubelet: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
    }
}
