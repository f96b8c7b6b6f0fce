package facet.kube.plugin;

import facet.kube.node.NodeDevice;
import facet.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One plugin for each resource, all registered with the kubelet that runs now. */
public final class DevicePlugins implements AutoCloseable {
    private final List<DevicePlugin> plugins = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /**
     * @param folder where the kubelet has its socket
     */
    public DevicePlugins(Path folder, List<Resource> resources, Log log) {
        for (Resource each : resources) {
            plugins.add(new DevicePlugin(folder, each, log));
            names.add(each.name());
        }
    }

    public Set<String> names() {
        return names;
    }

    /** Tells the kubelet of the devices, and registers where one has forgotten us. */
    public void keep(List<NodeDevice> devices) throws IOException {
        for (DevicePlugin each : plugins) {
            each.keep(devices);
        }
    }

    @Override
    public void close() {
        plugins.forEach(DevicePlugin::close);
    }
}
