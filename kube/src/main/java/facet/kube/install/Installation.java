package facet.kube.install;

import facet.kube.names.Family;
import facet.kube.names.Names;
import facet.kube.serve.Authority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is installed.
 *
 * @param names families that the cluster accepts
 * @param scheduler that pods get which name none; empty: the stock one, with the extender
 * @param runtimeClass that pods get which name none; empty: none
 * @param monitored with what the Prometheus operator and Grafana look for
 */
public record Installation(
        String namespace,
        String image,
        Set<Family> names,
        String scheduler,
        String runtimeClass,
        boolean monitored) {
    private static final String MANAGER = "facet";
    private static final int TOKEN_BYTES = 32;

    /** Whether a pod asks, as the apiserver finds out: pods that do not never meet the webhook. */
    String asks() {
        String resources =
                Names.resources(names).stream()
                        .map(each -> "'" + each + "'")
                        .collect(Collectors.joining(","));
        String wishes =
                Names.wishesOfPods(names).stream()
                        .map(each -> "'" + each + "'")
                        .collect(Collectors.joining(","));
        String container =
                "has(c.resources) && (has(c.resources.limits) && c.resources.limits.exists(k, k in ["
                        + resources
                        + "]) || has(c.resources.requests) && c.resources.requests.exists(k, k in ["
                        + resources
                        + "]))";
        return "object.spec.containers.exists(c, %1$s) || has(object.spec.initContainers) && object.spec.initContainers.exists(c, %1$s) || has(object.metadata.annotations) && object.metadata.annotations.exists(k, k in [%2$s]) || has(object.metadata.labels) && object.metadata.labels.exists(k, k in [%2$s])"
                .formatted(container, wishes);
    }

    private Map<String, String> values(Authority authority, String token)
            throws GeneralSecurityException {
        Map<String, String> values = new HashMap<>();
        values.put("namespace", namespace);
        values.put("image", image);
        values.put(
                "names",
                names.stream().sorted().map(Family::text).collect(Collectors.joining(",")));
        values.put("scheduler", scheduler);
        values.put("runtime-class", runtimeClass);
        values.put("asks", asks());
        values.put("token", token);
        values.put("token-base64", base64(token));
        values.put("authority-certificate", base64(authority.certificateText()));
        values.put("authority-key", base64(authority.keyText()));
        return values;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String newToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** All manifests; what is secret is made by whoever calls. */
    public String text(Authority authority, String token) throws GeneralSecurityException {
        String all =
                Manifests.text("install.yaml")
                        + (monitored ? "---\n" + Manifests.text("monitoring.yaml") : "");
        return Manifests.text("crds.yaml")
                + "---\n"
                + Manifests.filled(all, values(authority, token));
    }

    public List<HasMetadata> objects(Authority authority, String token)
            throws GeneralSecurityException {
        return Manifests.parse(text(authority, token));
    }

    /** Makes the cluster so; what is there already stays as far as it is the same. */
    public List<HasMetadata> apply(KubernetesClient client, boolean dryRun)
            throws GeneralSecurityException {
        Kept kept = Kept.of(client, namespace);
        List<HasMetadata> objects = objects(kept.authority(), kept.token());
        if (!dryRun) {
            for (HasMetadata each : objects) {
                client.resource(each).fieldManager(MANAGER).forceConflicts().serverSideApply();
            }
        }
        return objects;
    }

    /** Removes all of it, also books, queues and slices; the namespace last. */
    public static List<String> remove(KubernetesClient client, Installation what)
            throws GeneralSecurityException {
        List<HasMetadata> objects =
                new ArrayList<>(what.objects(Authority.make(Instant.now()), newToken()));
        List<String> removed = new ArrayList<>();
        for (HasMetadata each : objects.reversed()) {
            if (!client.resource(each).delete().isEmpty()) {
                removed.add(each.getKind() + " " + each.getMetadata().getName());
            }
        }
        return removed;
    }
}
