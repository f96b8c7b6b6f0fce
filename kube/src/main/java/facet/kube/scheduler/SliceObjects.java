package facet.kube.scheduler;

import facet.kube.ledger.BookKeeper;
import facet.kube.ledger.Entry;
import facet.kube.ledger.Given;
import facet.kube.ledger.Placed;
import facet.kube.ledger.PodFacts;
import facet.kube.names.Names;
import facet.log.Log;
import facet.slices.Size;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * GpuSlices: what every container has, for {@code kubectl get gpuslices}. Their {@code spec} is a
 * wish: where it differs from what the container has, that is changed while it runs, in the book
 * and then on the pod, whose agent follows it; what shrinks in the other order, so that nobody gets
 * what is not free yet. The pod owns its slices: they go with it.
 */
public final class SliceObjects {
    public static final ResourceDefinitionContext CONTEXT =
            new ResourceDefinitionContext.Builder()
                    .withGroup("facet.dev")
                    .withVersion("v1")
                    .withKind("GpuSlice")
                    .withPlural("gpuslices")
                    .withNamespaced(true)
                    .build();

    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_NAME = 240;

    private final KubernetesClient client;
    private final SharedState state;
    private final BookKeeper keeper;
    private final Log log;

    SliceObjects(KubernetesClient client, SharedState state, BookKeeper keeper, Log log) {
        this.client = client;
        this.state = state;
        this.keeper = keeper;
        this.log = log;
    }

    /** Makes some that are missing, and follows those that were changed. */
    void run() {
        Map<String, GenericKubernetesResource> there = new HashMap<>();
        client.genericKubernetesResources(CONTEXT)
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(each ->
                        there.put(
                                each.getMetadata().getNamespace()
                                        + "/"
                                        + each.getMetadata().getName(),
                                each));
        int changed = 0;
        for (PodFacts pod : state.ask(each -> each.placedPods())) {
            Placed placed = pod.placed();
            if (placed == null) {
                continue;
            }
            for (Map.Entry<String, Given> each : placed.containers().entrySet()) {
                String name = name(pod.name(), each.getKey());
                GenericKubernetesResource known = there.remove(pod.namespace() + "/" + name);
                if (changed < MOST_AT_ONCE && show(pod, placed, each.getKey(), name, known)) {
                    changed++;
                }
            }
        }
        // Those of pods that are gone: a garbage collector does it too, where one runs.
        for (GenericKubernetesResource each : there.values()) {
            boolean gone =
                    each.getMetadata().getOwnerReferences().stream()
                            .allMatch(owner -> state.ask(to -> to.known(owner.getUid())).isEmpty());
            if (gone && !each.getMetadata().getOwnerReferences().isEmpty()) {
                client.resource(each).delete();
            }
        }
    }

    static String name(String pod, String container) {
        String whole = pod + "-" + container;
        return whole.length() <= MOST_NAME
                ? whole
                : whole.substring(0, MOST_NAME) + "-" + Integer.toHexString(whole.hashCode());
    }

    /** Whether something was written. */
    private boolean show(
            PodFacts pod,
            Placed placed,
            String container,
            String name,
            @Nullable GenericKubernetesResource known) {
        Given given = Objects.requireNonNull(placed.containers().get(container));
        try {
            GenericKubernetesResource slice = known == null ? make(pod, given, name) : known;
            String message = known == null ? "" : follow(pod, placed, container, known);
            Map<String, Object> status = status(pod, placed, container, message);
            if (status.equals(slice.getAdditionalProperties().get("status"))) {
                return false;
            }
            client.raw(
                    "/apis/facet.dev/v1/namespaces/%s/gpuslices/%s/status"
                            .formatted(pod.namespace(), name),
                    "PUT",
                    Serialization.asJson(
                            Map.of(
                                    "apiVersion",
                                    "facet.dev/v1",
                                    "kind",
                                    "GpuSlice",
                                    "metadata",
                                    slice.getMetadata(),
                                    "spec",
                                    slice.getAdditionalProperties().getOrDefault("spec", Map.of()),
                                    "status",
                                    status)));
            return true;
        } catch (KubernetesClientException e) {
            // The next time it is another one, or gone.
            log.debug("slices", pod.path() + ": " + e.getMessage());
            return true;
        }
    }

    private GenericKubernetesResource make(PodFacts pod, Given given, String name) {
        GenericKubernetesResource slice = new GenericKubernetesResource();
        slice.setApiVersion("facet.dev/v1");
        slice.setKind("GpuSlice");
        slice.setMetadata(
                new ObjectMetaBuilder()
                        .withName(name)
                        .withNamespace(pod.namespace())
                        .withOwnerReferences(
                                new OwnerReferenceBuilder()
                                        .withApiVersion("v1")
                                        .withKind("Pod")
                                        .withName(pod.name())
                                        .withUid(pod.uid())
                                        .build())
                        .build());
        slice.setAdditionalProperty(
                "spec",
                Map.of("memory", Size.exact(given.memory()), "compute", given.thousandths() / 10));
        return client.genericKubernetesResources(CONTEXT)
                .inNamespace(pod.namespace())
                .resource(slice)
                .create();
    }

    private static Map<String, Object> status(
            PodFacts pod, Placed placed, String container, String message) {
        Given given = Objects.requireNonNull(placed.containers().get(container));
        Map<String, Object> status = new HashMap<>();
        status.put("pod", pod.name());
        status.put("container", container);
        status.put("node", pod.node());
        status.put("devices", new ArrayList<>(given.devices()));
        status.put("memory", Size.text(given.memory()));
        status.put("compute", given.thousandths() / 10);
        status.put("policy", given.policy() == null ? "" : given.policy());
        status.put("by", placed.by() == null ? "" : placed.by());
        status.put("phase", pod.leaving() ? "Leaving" : message.isEmpty() ? "Bound" : "Refused");
        status.put("message", message);
        return status;
    }

    /** Does what its spec says; why not, in words, or nothing. */
    private String follow(
            PodFacts pod, Placed placed, String container, GenericKubernetesResource slice) {
        Given given = Objects.requireNonNull(placed.containers().get(container));
        Given wanted;
        try {
            wanted = wanted(given, slice.getAdditionalProperties().get("spec"));
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        if (wanted.equals(given)) {
            return "";
        }
        long more = (long) (wanted.thousandths() - given.thousandths()) * given.devices().size();
        if (more > 0 && !state.ask(each -> each.mayGrow(pod, more))) {
            return "its queue has all that it may have";
        }
        Map<String, Given> containers = new HashMap<>(placed.containers());
        containers.put(container, wanted);
        Placed next = new Placed(placed.by(), containers);
        Entry entry =
                new Entry(
                        pod.uid(),
                        pod.namespace(),
                        pod.name(),
                        pod.version(),
                        System.currentTimeMillis() / 1000,
                        next);
        boolean shrinks =
                wanted.memory() <= given.memory() && wanted.thousandths() <= given.thousandths();
        if (shrinks) {
            write(pod, next);
        }
        boolean entered = keeper.change(pod.node(), entry, placed).join();
        if (!entered) {
            return "its devices have no room for %s and %d %% of the time"
                    .formatted(Size.text(wanted.memory()), wanted.thousandths() / 10);
        }
        if (!shrinks) {
            write(pod, next);
        }
        log.info("slices", pod.path() + " has " + Size.text(wanted.memory()) + " now");
        return "";
    }

    private static Given wanted(Given given, @Nullable Object spec) {
        Map<?, ?> said = spec instanceof Map<?, ?> map ? map : Map.of();
        Object memory = said.get("memory");
        Object compute = said.get("compute");
        long bytes = memory == null ? given.memory() : Size.parse(memory.toString());
        int percent =
                compute instanceof Number number
                        ? Math.clamp(number.longValue(), 0, 100)
                        : given.thousandths() / 10;
        // What is no whole percent stays as it is unless somebody asks for another number.
        int thousandths = percent == given.thousandths() / 10 ? given.thousandths() : percent * 10;
        return given.with(bytes, thousandths);
    }

    private void write(PodFacts pod, Placed placed) {
        client.pods()
                .inNamespace(pod.namespace())
                .withName(pod.name())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(
                                Map.of(
                                        "metadata",
                                        Map.of(
                                                "uid",
                                                pod.uid(),
                                                "annotations",
                                                Map.of(Names.PLACEMENT, placed.json())))));
    }
}
