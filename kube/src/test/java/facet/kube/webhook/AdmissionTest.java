package facet.kube.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import facet.kube.ledger.ClusterState;
import facet.kube.ledger.QueueFacts;
import facet.kube.ledger.Samples;
import facet.kube.ledger.ScheduleSettings;
import facet.kube.names.Family;
import facet.kube.names.Reader;
import facet.kube.scheduler.SharedState;
import facet.kube.serve.Strangers;
import facet.kube.serve.TestDoor;
import facet.place.queue.Queue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AdmissionTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final SharedState state = new SharedState(new ClusterState(ScheduleSettings.usual()));
    private final Admission admission =
            new Admission(
                    state,
                    new Reader(Family.ALL),
                    new Admission.Filling("facet-scheduler", "facet", "facet.dev/gpu=all"));

    private JsonNode ask(String path, Pod pod) throws Exception {
        String review =
                "{\"request\":{\"uid\":\"7\",\"namespace\":\"default\",\"object\":"
                        + Serialization.asJson(pod)
                        + "}}";
        JsonNode answer =
                JSON.readTree(Objects.requireNonNull(admission.places().get(path)).apply(review))
                        .path("response");
        assertEquals("7", answer.path("uid").asText());
        return answer;
    }

    private String refused(Pod pod) throws Exception {
        JsonNode answer = ask("/validate", pod);
        assertFalse(answer.path("allowed").asBoolean());
        return answer.path("status").path("message").asText();
    }

    @Test
    void whatTheNamesImplyIsFilledIn() throws Exception {
        Pod pod = Samples.pod("a", 1, 30);
        pod.getSpec().setSchedulerName("default-scheduler");
        JsonNode answer = ask("/mutate", pod);
        assertTrue(answer.path("allowed").asBoolean());
        String patch =
                new String(
                        Base64.getDecoder().decode(answer.path("patch").asText()),
                        StandardCharsets.UTF_8);
        assertTrue(patch.contains("\"facet-scheduler\""), patch);
        assertTrue(patch.contains("/spec/runtimeClassName"), patch);
        assertTrue(patch.contains("/metadata/annotations/cdi.k8s.io~1facet"), patch);
    }

    @Test
    void whatSomebodySaidStays() throws Exception {
        Pod pod = Samples.pod("a", 1, 30);
        pod.getSpec().setSchedulerName("another");
        pod.getSpec().setRuntimeClassName("kata");
        String patch =
                new String(
                        Base64.getDecoder().decode(ask("/mutate", pod).path("patch").asText()),
                        StandardCharsets.UTF_8);
        assertFalse(patch.contains("schedulerName"), patch);
        assertFalse(patch.contains("runtimeClassName"), patch);
    }

    @Test
    void whatCanNeverRunIsRefusedInASentence() throws Exception {
        state.change(each -> each.node(Samples.facts("n", 1)));
        assertTrue(ask("/validate", Samples.pod("a", 16, 100)).path("allowed").asBoolean());
        String message = refused(Samples.pod("b", 17, 30));
        assertEquals(
                "it could run nowhere, even if nothing else did: container 'main' asks for 17 GiB and"
                        + " 30 % of the time, and the largest node that it accepts has 1 devices with"
                        + " 16 GiB each, 32.0 processors and 256 GiB of memory",
                message);
        Pod wrong = Samples.pod("c", 1, 30);
        wrong.getMetadata().setAnnotations(java.util.Map.of("facet.dev/memory", "2GiB"));
        assertTrue(refused(wrong).contains("differ"), refused(wrong));
    }

    @Test
    void theQuotaOfANamespaceHolds() throws Exception {
        state.change(each ->
                each.queue(new QueueFacts(new Queue("small", 200, 250), Set.of("default"))));
        assertTrue(
                refused(Samples.pod("a", 1, 30))
                        .contains("queue 'small' of its namespace has at most 0.25"),
                refused(Samples.pod("a", 1, 30)));
        assertTrue(ask("/validate", Samples.pod("b", 1, 20)).path("allowed").asBoolean());
    }

    @Test
    void nobodyNamesTheNodeItself() throws Exception {
        Pod pod = Samples.pod("a", 1, 30);
        pod.getMetadata().setUid(null);
        pod.getSpec().setNodeName("n");
        assertTrue(refused(pod).contains("leave out nodeName"), refused(pod));
    }

    @Test
    void strangersAreRefusedAndHostileBodiesAnswered() throws Exception {
        try (TestDoor door = TestDoor.open(admission.places())) {
            assertEquals(403, Strangers.statusWithoutCertificate(door, "/mutate"));
            assertEquals(
                    403,
                    Strangers.statusWithoutCertificate(door, "/" + "0".repeat(48) + "/mutate"));
            for (String body :
                    new String[] {"", "{", "[]", "{\"request\":{\"object\":7}}", "null"}) {
                String answer = Strangers.post(door, "/validate", body);
                assertTrue(answer.contains("\"allowed\":false"), body + ": " + answer);
            }
        }
    }
}
