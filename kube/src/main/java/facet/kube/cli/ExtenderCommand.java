package facet.kube.cli;

import facet.kube.extender.Extender;
import facet.kube.ledger.ScheduleSettings;
import facet.kube.scheduler.SchedulerProcess;
import facet.kube.serve.HttpsDoor;
import facet.kube.serve.ServerKeys;
import facet.log.Log;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "extender",
        description = "Answers the stock kube-scheduler: which nodes have the part, and the bind.",
        mixinStandardHelpOptions = true)
final class ExtenderCommand implements Callable<Integer> {
    @Mixin private ClusterOptions cluster = new ClusterOptions();
    @Mixin private DoorOptions door = new DoorOptions();

    @Override
    public Integer call() throws Exception {
        Log log = ClusterOptions.log();
        ClusterOptions.Secrets secrets = ClusterOptions.Secrets.read(Path.of(door.authority));
        ServerKeys keys = secrets.keys("facet-extender", cluster.namespace);
        ScheduleSettings settings = ScheduleSettings.usual().named("facet-extender");
        try (KubernetesClient client = cluster.client();
                SchedulerProcess process =
                        new SchedulerProcess(client, settings, cluster.reader(), log)) {
            process.start();
            Extender extender =
                    new Extender(client, process.state(), process.binder(), cluster.reader());
            try (HttpsDoor open =
                    HttpsDoor.open(
                            door.address,
                            door.port,
                            keys,
                            secrets.token(),
                            Map.of("/healthz", _ -> "ok"),
                            extender.places())) {
                log.info("extender", "answers at port " + open.port());
                door.keepRenewing(keys, log);
            }
        }
        return 0;
    }
}
