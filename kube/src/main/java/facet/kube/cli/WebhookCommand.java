package facet.kube.cli;

import facet.kube.ledger.ClusterState;
import facet.kube.ledger.ScheduleSettings;
import facet.kube.scheduler.ClusterWatch;
import facet.kube.scheduler.SharedState;
import facet.kube.serve.HttpsDoor;
import facet.kube.serve.ServerKeys;
import facet.kube.webhook.Admission;
import facet.log.Log;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "webhook",
        description = "Fills in what the names of pods imply, and refuses what can never run.",
        mixinStandardHelpOptions = true)
final class WebhookCommand implements Callable<Integer> {
    @Mixin private ClusterOptions cluster = new ClusterOptions();
    @Mixin private DoorOptions door = new DoorOptions();

    @Option(names = "--scheduler", defaultValue = "", description = "of pods that name none")
    private String scheduler = "";

    @Option(names = "--runtime-class", defaultValue = "", description = "of pods that name none")
    private String runtimeClass = "";

    @Option(
            names = "--cdi",
            defaultValue = "",
            paramLabel = "DEVICE",
            description = "instead: the CDI device that pods get, such as facet.dev/gpu=all")
    private String cdi = "";

    @Override
    public Integer call() throws Exception {
        Log log = ClusterOptions.log();
        ClusterOptions.Secrets secrets = ClusterOptions.Secrets.read(Path.of(door.authority));
        ServerKeys keys = secrets.keys("facet-webhook", cluster.namespace);
        SharedState state =
                new SharedState(new ClusterState(ScheduleSettings.usual().named("facet-webhook")));
        try (KubernetesClient client = cluster.client();
                ClusterWatch watch = new ClusterWatch(state, log)) {
            watch.open(client, new ClusterWatch.Listeners(_ -> {}, _ -> {}));
            Admission admission =
                    new Admission(
                            state,
                            cluster.reader(),
                            new Admission.Filling(scheduler, runtimeClass, cdi));
            try (HttpsDoor open =
                    HttpsDoor.open(
                            door.address,
                            door.port,
                            keys,
                            secrets.token(),
                            Map.of("/healthz", _ -> "ok"),
                            admission.places())) {
                log.info("webhook", "answers at port " + open.port());
                door.keepRenewing(keys, log);
            }
        }
        return 0;
    }
}
