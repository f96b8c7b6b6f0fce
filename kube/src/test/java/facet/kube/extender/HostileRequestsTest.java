package facet.kube.extender;

import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.kube.ledger.BookKeeper;
import facet.kube.ledger.ClusterBooks;
import facet.kube.ledger.ClusterState;
import facet.kube.ledger.Samples;
import facet.kube.ledger.ScheduleSettings;
import facet.kube.names.Family;
import facet.kube.names.Reader;
import facet.kube.scheduler.Binder;
import facet.kube.scheduler.SharedState;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What is no request of a scheduler gets an answer, and changes nothing. No cluster is there. */
final class HostileRequestsTest {
    @Test
    void everyBodyIsAnswered() {
        SharedState state = new SharedState(new ClusterState(ScheduleSettings.usual()));
        state.change(each -> each.node(Samples.facts("n", 1)));
        try (KubernetesClient client =
                        new KubernetesClientBuilder()
                                .withConfig(
                                        new ConfigBuilder()
                                                .withMasterUrl("http://127.0.0.1:1")
                                                .withRequestRetryBackoffLimit(0)
                                                .build())
                                .build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            BookKeeper keeper =
                    new BookKeeper(
                            new ClusterBooks(client), state::devices, (_, _) -> false, threads);
            Extender extender =
                    new Extender(
                            client,
                            state,
                            new Binder(client, keeper, threads, InstantSource.system()),
                            new Reader(Family.ALL));
            String greedy =
                    Serialization.asJson(Samples.pod("a", 1, 30)).replace("\"30\"", "\"-30\"");
            for (String body :
                    new String[] {
                        "",
                        "{",
                        "[]",
                        "null",
                        "{\"Pod\":7}",
                        "{\"Pod\":{\"spec\":{}}}",
                        "{\"Pod\":" + greedy + ",\"NodeNames\":[\"n\"]}",
                        "{\"PodName\":\"../../nodes/n\",\"Node\":\"n\"}"
                    }) {
                extender.places()
                        .forEach((path, answer) -> {
                            String text = answer.apply(body);
                            assertTrue(
                                    text.startsWith("{") || text.startsWith("["),
                                    path + ": " + text);
                        });
            }
            assertTrue(state.ask(each -> each.used()) == 0, "nothing was taken");
        }
    }
}
