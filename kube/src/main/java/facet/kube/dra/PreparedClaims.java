package facet.kube.dra;

import com.fasterxml.jackson.databind.JsonNode;
import facet.kube.node.AgentOptions;
import facet.kube.node.DaemonLink;
import facet.kube.plugin.PodCdi;
import facet.kubelet.dra.Claim;
import facet.kubelet.dra.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Claims that have a slice and a file; both outlive the agent and the daemon. */
final class PreparedClaims {
    private static final String KIND = "facet.dev/claim";
    private static final Pattern UID = Pattern.compile("[0-9a-f-]{36}");

    private final AgentOptions options;
    private final KubernetesClient client;

    PreparedClaims(AgentOptions options, KubernetesClient client) {
        this.options = options;
        this.client = client;
    }

    /** Not longer than the names of slices may be. */
    private static String sliceName(String uid) {
        return "claim-" + uid.replace("-", "");
    }

    private Path file(String uid) throws IOException {
        if (!UID.matcher(uid).matches()) {
            throw new IOException("'" + uid + "' is no uid of a claim");
        }
        return options.cdiFolder().resolve("facet-claim-" + uid + ".json");
    }

    List<Device> prepare(Claim claim) throws IOException {
        String uid = claim.getUid();
        Path file = file(uid);
        List<DeviceRequestAllocationResult> results = results(claim);
        Map<String, Integer> numbers;
        try (DaemonLink daemon = DaemonLink.open(options.daemon())) {
            JsonNode devices = daemon.ask("devices").path("devices");
            numbers = PublishedDevices.numbers(devices);
            ConsumedPart part = ConsumedPart.of(results, devices, numbers);
            Map<String, String> settings = part.settings(sliceName(uid), numbers.size());
            daemon.ask(isThere(daemon, sliceName(uid)) ? "slice-set" : "slice-create", settings);
        }
        PodCdi.save(
                file,
                KIND,
                uid,
                List.of(),
                PodCdi.hooks(options.hook(), options.daemon(), "--slice=" + sliceName(uid)));
        return results.stream().map(each -> device(each, uid)).toList();
    }

    /** Those of our driver. */
    private List<DeviceRequestAllocationResult> results(Claim claim) throws IOException {
        ResourceClaim there =
                client.resources(ResourceClaim.class)
                        .inNamespace(claim.getNamespace())
                        .withName(claim.getName())
                        .get();
        if (there == null || !claim.getUid().equals(there.getMetadata().getUid())) {
            throw new IOException("there is no such claim any more");
        }
        if (there.getStatus() == null || there.getStatus().getAllocation() == null) {
            throw new IOException("the claim is not allocated");
        }
        return there.getStatus().getAllocation().getDevices().getResults().stream()
                .filter(each -> options.driver().equals(each.getDriver()))
                .filter(each -> options.node().equals(each.getPool()))
                .toList();
    }

    private static boolean isThere(DaemonLink daemon, String name) throws IOException {
        for (JsonNode each : daemon.ask("slices").path("slices")) {
            if (each.path("name").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static Device device(DeviceRequestAllocationResult result, String uid) {
        Device.Builder device =
                Device.newBuilder()
                        .addRequestNames(result.getRequest())
                        .setPoolName(result.getPool())
                        .setDeviceName(result.getDevice())
                        .addCdiDeviceIds(KIND + "=" + uid);
        if (result.getShareID() != null) {
            device.setShareId(result.getShareID());
        }
        return device.build();
    }

    /** Also of one that was never prepared, or whose slice somebody has deleted. */
    void unprepare(String uid) throws IOException {
        Files.deleteIfExists(file(uid));
        try (DaemonLink daemon = DaemonLink.open(options.daemon())) {
            if (isThere(daemon, sliceName(uid))) {
                daemon.ask("slice-delete", Map.of("name", sliceName(uid), "force", "true"));
            }
        }
    }
}
