package facet.kube.scheduler;

import facet.kube.ledger.Usage;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.Map;

/** Says on GpuQueues what they have, and how many pods wait in them. */
final class QueueObjects {
    private final KubernetesClient client;
    private final SharedState state;
    private final Log log;

    QueueObjects(KubernetesClient client, SharedState state, Log log) {
        this.client = client;
        this.state = state;
        this.log = log;
    }

    void run() {
        Map<String, Usage.OfQueue> usage = state.ask(each -> new Usage(each).queues());
        for (GenericKubernetesResource each :
                client.genericKubernetesResources(Queues.CONTEXT).list().getItems()) {
            Usage.OfQueue own = usage.get(each.getMetadata().getName());
            if (own == null) {
                continue;
            }
            Map<String, Object> status = new HashMap<>();
            status.put("used", Statuses.devices(own.used()));
            status.put("waiting", own.waiting());
            try {
                Statuses.write(client, each, status);
            } catch (KubernetesClientException e) {
                log.debug("queues", each.getMetadata().getName() + ": " + e.getMessage());
            }
        }
    }
}
