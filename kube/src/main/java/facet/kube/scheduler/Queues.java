package facet.kube.scheduler;

import facet.kube.ledger.QueueFacts;
import facet.place.queue.Queue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** GpuQueues, as people write them: quota and limit are devices, such as 4 or 2.5. */
public final class Queues {
    public static final ResourceDefinitionContext CONTEXT =
            new ResourceDefinitionContext.Builder()
                    .withGroup("facet.dev")
                    .withVersion("v1")
                    .withKind("GpuQueue")
                    .withPlural("gpuqueues")
                    .withNamespaced(false)
                    .build();

    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000L);

    private Queues() {}

    /**
     * @throws IllegalArgumentException when it makes no sense, in words
     */
    public static QueueFacts read(GenericKubernetesResource object) {
        String name = object.getMetadata().getName();
        Object spec = object.getAdditionalProperties().get("spec");
        Map<?, ?> said = spec instanceof Map<?, ?> map ? map : Map.of();
        long quota = thousandths(name, "quota", said.get("quota"), Queue.UNLIMITED);
        long limit = thousandths(name, "limit", said.get("limit"), Queue.UNLIMITED);
        Set<String> namespaces =
                said.get("namespaces") instanceof List<?> list
                        ? list.stream().map(String::valueOf).collect(Collectors.toSet())
                        : Set.of();
        return new QueueFacts(new Queue(name, quota, limit), namespaces);
    }

    private static long thousandths(
            String queue, String what, @Nullable Object said, long otherwise) {
        if (said == null) {
            return otherwise;
        }
        try {
            BigDecimal devices = new BigDecimal(said.toString().strip());
            if (devices.signum() >= 0 && devices.compareTo(MOST) <= 0) {
                return devices.movePointRight(3).longValue();
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "queue '%s': %s is a number of devices, such as 4 or 2.5, not '%s'"
                            .formatted(queue, what, said),
                    e);
        }
        throw new IllegalArgumentException(
                "queue '%s': %s is 0 to a billion devices, not %s".formatted(queue, what, said));
    }
}
