package facet.kube.scheduler;

import facet.log.Log;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Of several schedulers of one name one decides. Two that both believe to lead, for a moment, do no
 * harm: books are written by one at a time. They only get in each other's way.
 */
public final class Leadership {
    private static final Duration LASTS = Duration.ofSeconds(15);
    private static final Duration RENEWED = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private Leadership() {}

    /** Stands for election for as long as the process runs: who lost it stands again. */
    public static void run(
            KubernetesClient client,
            String namespace,
            String name,
            Consumer<Boolean> leads,
            Log log) {
        String own = name + "-" + UUID.randomUUID();
        LeaderElectionConfig config =
                new LeaderElectionConfig(
                        new LeaseLock(namespace, name, own),
                        LASTS,
                        RENEWED,
                        AGAIN,
                        new LeaderCallbacks(
                                () -> {
                                    log.info("leader", own + " leads");
                                    leads.accept(true);
                                },
                                () -> {
                                    log.warning("leader", own + " leads no more");
                                    leads.accept(false);
                                },
                                other -> log.info("leader", other + " leads")),
                        true,
                        name);
        Thread.ofPlatform()
                .daemon()
                .name("election")
                .start(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        stand(client, config, leads, log);
                    }
                });
    }

    /** Returns when it leads no more. */
    private static void stand(
            KubernetesClient client,
            LeaderElectionConfig config,
            Consumer<Boolean> leads,
            Log log) {
        try {
            client.leaderElector().withConfig(config).build().run();
        } catch (RuntimeException e) {
            // The cluster does not answer: nobody leads who cannot say so.
            leads.accept(false);
            log.warning("leader", "the election is not reached: " + e.getMessage());
            try {
                Thread.sleep(AGAIN);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
