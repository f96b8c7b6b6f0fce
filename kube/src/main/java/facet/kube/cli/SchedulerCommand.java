package facet.kube.cli;

import facet.kube.ledger.ScheduleSettings;
import facet.kube.names.Names;
import facet.kube.scheduler.Leadership;
import facet.kube.scheduler.MetricsDoor;
import facet.kube.scheduler.SchedulerProcess;
import facet.log.Log;
import facet.place.Cluster;
import facet.place.Policies;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "scheduler",
        description = "Schedules pods that name it, by queues, gangs, priorities and devices.",
        mixinStandardHelpOptions = true)
final class SchedulerCommand implements Callable<Integer> {
    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--name",
            defaultValue = Names.SCHEDULER,
            description = "the schedulerName of its pods (${DEFAULT-VALUE})")
    private String name = Names.SCHEDULER;

    @Option(
            names = "--pools",
            split = ",",
            description = "nodes of these pools alone, by their label facet.dev/pool")
    private Set<String> pools = Set.of();

    @Option(
            names = "--policy",
            defaultValue = Policies.OURS,
            description = "how places are compared: see facet sim (${DEFAULT-VALUE})")
    private String policy = Policies.OURS;

    @Option(
            names = "--promised",
            defaultValue = "100",
            description = "percent of a device that may be promised with bursts (${DEFAULT-VALUE})")
    private int promised = 100;

    @Option(names = "--no-preemption", description = "nobody is ended for others")
    private boolean noPreemption;

    @Option(
            names = "--metrics",
            defaultValue = "9411",
            description = "port of /metrics and /healthz; 0: any (${DEFAULT-VALUE})")
    private int metrics = 9411;

    @Override
    public Integer call() throws Exception {
        Log log = ClusterOptions.log();
        ScheduleSettings settings =
                new ScheduleSettings(
                        name,
                        pools,
                        policy,
                        !noPreemption,
                        Math.multiplyExact(promised, Cluster.WHOLE / 100));
        try (KubernetesClient client = cluster.client();
                SchedulerProcess process =
                        new SchedulerProcess(client, settings, cluster.reader(), log);
                MetricsDoor _ = MetricsDoor.open(metrics, process)) {
            process.start();
            Leadership.run(client, cluster.namespace, name, process::leads, log);
            new CountDownLatch(1).await();
        }
        return 0;
    }
}
