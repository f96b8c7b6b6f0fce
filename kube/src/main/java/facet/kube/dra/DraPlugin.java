package facet.kube.dra;

import facet.kube.kubelet.PluginSocket;
import facet.kube.node.AgentOptions;
import facet.kube.node.NodeDevice;
import facet.log.Log;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sockets of the driver: one in the kubelet's registry, by which it is found, and one that is
 * asked. A kubelet that starts looks at all sockets in its registry, so they need only be there.
 */
public final class DraPlugin implements AutoCloseable {
    private final Path registry;
    private final Path endpoint;
    private final RegistrationService registration;
    private final ClaimService claims;
    private final PublishedDevices published;
    private final Log log;
    private @Nullable PluginSocket asked;
    private @Nullable PluginSocket found;

    public DraPlugin(AgentOptions options, KubernetesClient client, Log log) {
        String driver = options.driver();
        registry = options.kubelet().resolve("plugins_registry").resolve(driver + "-reg.sock");
        endpoint = options.kubelet().resolve("plugins").resolve(driver).resolve("dra.sock");
        registration = new RegistrationService(driver, endpoint, log);
        claims = new ClaimService(new PreparedClaims(options, client), log);
        published = new PublishedDevices(client, options.node(), driver);
        this.log = log;
    }

    /** Serves, and publishes what there is. */
    public void keep(List<NodeDevice> devices) throws IOException {
        if (devices.isEmpty()) {
            return;
        }
        if (asked == null || !asked.isInPlace()) {
            close(asked);
            asked = PluginSocket.serve(endpoint, claims);
        }
        if (found == null || !found.isInPlace()) {
            close(found);
            found = PluginSocket.serve(registry, registration);
            log.info("dra", "serves in " + registry);
        }
        published.keep(devices);
    }

    private static void close(@Nullable PluginSocket socket) {
        if (socket != null) {
            socket.close();
        }
    }

    @Override
    public void close() {
        close(found);
        close(asked);
    }
}
