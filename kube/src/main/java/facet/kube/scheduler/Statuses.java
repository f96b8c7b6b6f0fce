package facet.kube.scheduler;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;

/** Writes what objects of Facet say of themselves. */
final class Statuses {
    private Statuses() {}

    /** Unless it is there already; whether it was written. */
    static boolean write(
            KubernetesClient client, GenericKubernetesResource object, Map<String, Object> status) {
        if (status.equals(object.getAdditionalProperties().get("status"))) {
            return false;
        }
        String namespace = object.getMetadata().getNamespace();
        client.raw(
                "/apis/facet.dev/v1/%s%ss/%s/status"
                        .formatted(
                                namespace == null ? "" : "namespaces/" + namespace + "/",
                                object.getKind().toLowerCase(Locale.ROOT),
                                object.getMetadata().getName()),
                "PUT",
                Serialization.asJson(
                        Map.of(
                                "apiVersion",
                                object.getApiVersion(),
                                "kind",
                                object.getKind(),
                                "metadata",
                                object.getMetadata(),
                                "spec",
                                object.getAdditionalProperties().getOrDefault("spec", Map.of()),
                                "status",
                                status)));
        return true;
    }

    /** Devices, of thousandths. */
    static String devices(long thousandths) {
        return BigDecimal.valueOf(thousandths, 3).stripTrailingZeros().toPlainString();
    }
}
