package facet.kube.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import facet.kube.ledger.NodeChoice;
import facet.kube.ledger.NodeQuestions;
import facet.kube.ledger.PodFacts;
import facet.kube.names.NamesException;
import facet.kube.names.PodWish;
import facet.kube.names.Reader;
import facet.kube.scheduler.SharedState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Answers AdmissionReviews (admission.k8s.io/v1) about pods. */
public final class Admission {
    private static final String STOCK = "default-scheduler";

    /**
     * What is filled in.
     *
     * @param scheduler of pods that name none; empty: they keep the stock one
     * @param runtimeClass of pods that have none; empty: none
     * @param cdi the CDI device that the runtime adds, by an annotation; empty: none
     */
    public record Filling(String scheduler, String runtimeClass, String cdi) {}

    private final SharedState state;
    private final Reader reader;
    private final Filling filling;
    private final JsonMapper json = JsonMapper.builder().build();
    private final KubernetesSerialization serialization = new KubernetesSerialization();

    public Admission(SharedState state, Reader reader, Filling filling) {
        this.state = state;
        this.reader = reader;
        this.filling = filling;
    }

    public Map<String, Function<String, String>> places() {
        return Map.of(
                "/mutate", body -> answer(body, true), "/validate", body -> answer(body, false));
    }

    private String answer(String body, boolean mutates) {
        String uid = "";
        try {
            JsonNode request = json.readTree(body).path("request");
            uid = request.path("uid").asText();
            Pod pod =
                    serialization.unmarshal(
                            json.writeValueAsString(request.path("object")), Pod.class);
            if (pod == null || pod.getMetadata() == null || pod.getSpec() == null) {
                return review(uid, "there is no pod in the request", List.of());
            }
            if (pod.getMetadata().getNamespace() == null) {
                pod.getMetadata().setNamespace(request.path("namespace").asText());
            }
            PodWish wish = reader.read(pod);
            if (wish.isEmpty()) {
                return review(uid, "", List.of());
            }
            return mutates
                    ? review(uid, "", changes(pod))
                    : review(uid, refused(pod, wish), List.of());
        } catch (NamesException e) {
            return review(uid, String.valueOf(e.getMessage()), List.of());
        } catch (JsonProcessingException | IllegalArgumentException | KubernetesClientException e) {
            return review(uid, "the pod cannot be read: " + e.getMessage(), List.of());
        }
    }

    /** Why it can never run as the cluster is; empty: it may. */
    private String refused(Pod pod, PodWish wish) {
        if (pod.getSpec().getNodeName() != null && pod.getMetadata().getUid() == null) {
            return "a pod with a part of a GPU is placed by a scheduler that knows the devices; leave"
                    + " out nodeName, and choose nodes by nodeSelector or affinity";
        }
        PodFacts facts = PodFacts.of(pod);
        return state.ask(
                each -> new NodeQuestions(each).never(facts, wish, NodeChoice.of(pod.getSpec())));
    }

    private List<Map<String, Object>> changes(Pod pod) {
        List<Map<String, Object>> changes = new ArrayList<>();
        String scheduler = pod.getSpec().getSchedulerName();
        boolean stock = scheduler == null || scheduler.isEmpty() || scheduler.equals(STOCK);
        if (stock && !filling.scheduler().isEmpty()) {
            changes.add(add("/spec/schedulerName", filling.scheduler()));
        }
        if (pod.getSpec().getRuntimeClassName() == null && !filling.runtimeClass().isEmpty()) {
            changes.add(add("/spec/runtimeClassName", filling.runtimeClass()));
        }
        if (!filling.cdi().isEmpty()) {
            Map<String, String> annotations = pod.getMetadata().getAnnotations();
            if (annotations == null || annotations.isEmpty()) {
                changes.add(add("/metadata/annotations", Map.of()));
            }
            changes.add(add("/metadata/annotations/cdi.k8s.io~1facet", filling.cdi()));
        }
        return changes;
    }

    private static Map<String, Object> add(String path, Object value) {
        return Map.of("op", "add", "path", path, "value", value);
    }

    private String review(String uid, String refused, List<Map<String, Object>> changes) {
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("uid", uid);
        response.put("allowed", refused.isEmpty());
        if (!refused.isEmpty()) {
            response.put("status", Map.of("message", refused, "code", 422, "reason", "Invalid"));
        }
        try {
            if (!changes.isEmpty()) {
                response.put("patchType", "JSONPatch");
                response.put(
                        "patch",
                        Base64.getEncoder()
                                .encodeToString(
                                        json.writeValueAsString(changes)
                                                .getBytes(StandardCharsets.UTF_8)));
            }
            return json.writeValueAsString(
                    Map.of(
                            "apiVersion", "admission.k8s.io/v1",
                            "kind", "AdmissionReview",
                            "response", response));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
