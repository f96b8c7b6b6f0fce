package facet.kube.agent;

import facet.kube.node.PodProblems;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Events of pods that say why something is not as it should be; each is told once. */
final class PodEvents implements PodProblems {
    private static final int MOST_REMEMBERED = 1000;

    private final Log log;
    private final KubernetesClient client;
    private final String node;
    private final Map<String, String> told =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                    return size() > MOST_REMEMBERED;
                }
            };

    PodEvents(KubernetesClient client, String node, Log log) {
        this.log = log.limited();
        this.client = client;
        this.node = node;
    }

    @Override
    public void tell(Pod pod, String why) {
        String uid = pod.getMetadata().getUid();
        if (why.equals(told.put(uid, why))) {
            return;
        }
        log.warning("pods", pod.getMetadata().getName() + ": " + why);
        try {
            create(pod, why);
        } catch (KubernetesClientException e) {
            // It is told again with the next look.
            told.remove(uid);
            log.warning("pods", "the event cannot be written: " + e.getMessage());
        }
    }

    private void create(Pod pod, String why) {
        String now = Instant.now().toString();
        client.v1()
                .events()
                .inNamespace(pod.getMetadata().getNamespace())
                .resource(
                        new EventBuilder()
                                .withNewMetadata()
                                .withGenerateName(pod.getMetadata().getName() + ".")
                                .withNamespace(pod.getMetadata().getNamespace())
                                .endMetadata()
                                .withInvolvedObject(
                                        new ObjectReferenceBuilder()
                                                .withApiVersion("v1")
                                                .withKind("Pod")
                                                .withName(pod.getMetadata().getName())
                                                .withNamespace(pod.getMetadata().getNamespace())
                                                .withUid(pod.getMetadata().getUid())
                                                .build())
                                .withType("Warning")
                                .withReason("NoSlice")
                                .withMessage(why)
                                .withNewSource()
                                .withComponent("facet-agent")
                                .withHost(node)
                                .endSource()
                                .withFirstTimestamp(now)
                                .withLastTimestamp(now)
                                .withCount(1)
                                .build())
                .create();
    }
}
