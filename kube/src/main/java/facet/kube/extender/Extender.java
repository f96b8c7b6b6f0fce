package facet.kube.extender;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import facet.kube.ledger.Assignment;
import facet.kube.ledger.NodeChoice;
import facet.kube.ledger.NodeQuestions;
import facet.kube.ledger.PodFacts;
import facet.kube.names.NamesException;
import facet.kube.names.PodWish;
import facet.kube.names.Reader;
import facet.kube.scheduler.Binder;
import facet.kube.scheduler.SharedState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Answers kube-scheduler, in the JSON of its extenders (k8s.io/kube-scheduler/extender/v1). */
public final class Extender {
    /** So many nodes are named where more fit: the stock scheduler has less to compare then. */
    private static final int MOST_NODES = 8;

    private static final int MOST_SCORE = 10;
    private static final int PODS_KEPT = 4096;

    private final KubernetesClient client;
    private final SharedState state;
    private final Binder binder;
    private final Reader reader;
    private final JsonMapper json = JsonMapper.builder().build();
    private final KubernetesSerialization serialization = new KubernetesSerialization();

    /** Those that were asked about last: to bind one names it alone. */
    private final Map<String, Pod> asked =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Pod> eldest) {
                    return size() > PODS_KEPT;
                }
            };

    public Extender(KubernetesClient client, SharedState state, Binder binder, Reader reader) {
        this.client = client;
        this.state = state;
        this.binder = binder;
        this.reader = reader;
    }

    /** What is answered where. */
    public Map<String, Function<String, String>> places() {
        return Map.of(
                "/filter", this::filter,
                "/prioritize", this::prioritize,
                "/bind", this::bind,
                "/preempt", this::preempt,
                "/gpushare-scheduler/filter", this::filter,
                "/gpushare-scheduler/bind", this::bind,
                "/gpushare-scheduler/inspect", _ -> inspect());
    }

    private record Asked(Pod pod, PodFacts facts, PodWish wish, NodeChoice choice) {}

    private Asked asked(JsonNode written) throws NamesException, JsonProcessingException {
        try {
            Pod pod = serialization.unmarshal(json.writeValueAsString(written), Pod.class);
            if (pod != null && pod.getMetadata() != null && pod.getSpec() != null) {
                return asked(pod);
            }
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException("the pod cannot be read: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("there is no pod in the request");
    }

    private Asked asked(Pod pod) throws NamesException {
        return new Asked(pod, PodFacts.of(pod), reader.read(pod), NodeChoice.of(pod.getSpec()));
    }

    private static List<String> names(JsonNode arguments) {
        List<String> names = new ArrayList<>();
        arguments.path("NodeNames").forEach(each -> names.add(each.asText()));
        if (names.isEmpty()) {
            arguments
                    .path("Nodes")
                    .path("items")
                    .forEach(each -> names.add(each.path("metadata").path("name").asText()));
        }
        return names;
    }

    private String filter(String body) {
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            JsonNode arguments = json.readTree(body);
            List<String> names = names(arguments);
            Asked asked = asked(arguments.path("Pod"));
            synchronized (this.asked) {
                this.asked.put(asked.facts().uid(), asked.pod());
            }
            Map<String, String> failed = new LinkedHashMap<>();
            answer.put("NodeNames", asked.wish().isEmpty() ? names : fitting(asked, names, failed));
            answer.put("FailedNodes", failed);
            answer.put("Error", "");
        } catch (NamesException | JsonProcessingException | IllegalArgumentException e) {
            answer.put("Error", String.valueOf(e.getMessage()));
        }
        return text(answer);
    }

    private List<String> fitting(Asked asked, List<String> names, Map<String, String> failed) {
        Set<String> there = new HashSet<>(names);
        List<String> best =
                state.ask(each ->
                        new NodeQuestions(each)
                                .best(asked.facts(), asked.wish(), asked.choice(), MOST_NODES));
        List<String> fitting = best.stream().filter(there::contains).toList();
        if (!fitting.isEmpty()) {
            return fitting;
        }
        Map<String, String> lacks =
                state.ask(each ->
                        new NodeQuestions(each)
                                .lacks(asked.facts(), asked.wish(), asked.choice(), names));
        lacks.forEach((node, why) -> {
            if (!why.isEmpty()) {
                failed.put(node, why);
            }
        });
        return names.stream().filter(each -> !failed.containsKey(each)).limit(MOST_NODES).toList();
    }

    private String prioritize(String body) {
        List<Map<String, Object>> answer = new ArrayList<>();
        try {
            JsonNode arguments = json.readTree(body);
            List<String> names = names(arguments);
            Asked asked = asked(arguments.path("Pod"));
            List<String> best =
                    asked.wish().isEmpty()
                            ? List.of()
                            : state.ask(each ->
                                    new NodeQuestions(each)
                                            .best(
                                                    asked.facts(),
                                                    asked.wish(),
                                                    asked.choice(),
                                                    MOST_SCORE));
            for (String each : names) {
                int place = best.indexOf(each);
                answer.add(Map.of("Host", each, "Score", place < 0 ? 0 : MOST_SCORE - place));
            }
        } catch (NamesException | JsonProcessingException | IllegalArgumentException e) {
            // All nodes are alike then; to filter has said what is wrong.
            answer.clear();
        }
        return text(answer);
    }

    private String bind(String body) {
        try {
            JsonNode arguments = json.readTree(body);
            return text(
                    Map.of(
                            "Error",
                            bind(
                                    arguments.path("PodNamespace").asText(),
                                    arguments.path("PodName").asText(),
                                    arguments.path("PodUID").asText(),
                                    arguments.path("Node").asText())));
        } catch (NamesException
                | JsonProcessingException
                | IllegalArgumentException
                | KubernetesClientException e) {
            return text(Map.of("Error", String.valueOf(e.getMessage())));
        }
    }

    /** Why it is not bound; empty: it is. */
    private String bind(String namespace, String name, String uid, String node)
            throws NamesException {
        Pod pod;
        synchronized (asked) {
            pod = asked.remove(uid);
        }
        if (pod == null) {
            pod = client.pods().inNamespace(namespace).withName(name).get();
        }
        if (pod == null || !pod.getMetadata().getUid().equals(uid)) {
            return "there is no pod " + namespace + "/" + name + " with uid " + uid;
        }
        Asked one = asked(pod);
        if (one.wish().isEmpty()) {
            return namespace + "/" + name + " asks for no part of a GPU; it is not Facet's to bind";
        }
        Optional<Assignment> place =
                state.ask(each -> each.assign(one.facts(), one.wish(), one.choice(), node));
        if (place.isEmpty()) {
            return "node " + node + " has no room for it any more";
        }
        Binder.Result result = binder.begin(List.of(place.get())).join().getFirst();
        if (result != Binder.Result.BOUND) {
            state.change(each -> each.lost(uid, node));
            return result == Binder.Result.GONE
                    ? "the pod is elsewhere or is no more"
                    : "somebody else got the room on node " + node;
        }
        return "";
    }

    /** Of the nodes on which others would be ended those where that makes room. */
    private String preempt(String body) {
        Map<String, Object> nodes = new LinkedHashMap<>();
        try {
            JsonNode arguments = json.readTree(body);
            Asked asked = asked(arguments.path("Pod"));
            boolean meta = arguments.path("NodeNameToMetaVictims").isObject();
            JsonNode given = arguments.path(meta ? "NodeNameToMetaVictims" : "NodeNameToVictims");
            given.properties()
                    .forEach(each -> {
                        List<String> uids = new ArrayList<>();
                        each.getValue()
                                .path("Pods")
                                .forEach(pod ->
                                        uids.add(
                                                meta
                                                        ? pod.path("UID").asText()
                                                        : pod.path("metadata")
                                                                .path("uid")
                                                                .asText()));
                        boolean fits =
                                asked.wish().isEmpty()
                                        || state.ask(to ->
                                                new NodeQuestions(to)
                                                        .fitsWithout(
                                                                asked.facts(),
                                                                asked.wish(),
                                                                asked.choice(),
                                                                each.getKey(),
                                                                uids));
                        if (fits) {
                            nodes.put(
                                    each.getKey(),
                                    Map.of(
                                            "Pods",
                                                    uids.stream()
                                                            .map(uid -> Map.of("UID", uid))
                                                            .toList(),
                                            "NumPDBViolations",
                                                    each.getValue()
                                                            .path("NumPDBViolations")
                                                            .asLong()));
                        }
                    });
        } catch (NamesException | JsonProcessingException | IllegalArgumentException e) {
            // Nobody is ended for a pod that cannot be.
            nodes.clear();
        }
        return text(Map.of("NodeNameToMetaVictims", nodes));
    }

    /** As gpushare's inspect: nodes with GiB of their devices, and what is used of them. */
    private String inspect() {
        return text(Map.of("nodes", state.ask(Inspection::nodes)));
    }

    private String text(Object answer) {
        try {
            return json.writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
