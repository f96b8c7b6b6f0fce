package facet.kube.cli;

import facet.kube.extender.Inspection;
import facet.kube.ledger.ClusterState;
import facet.kube.ledger.Device;
import facet.kube.ledger.Given;
import facet.kube.ledger.ScheduleSettings;
import facet.kube.scheduler.ClusterWatch;
import facet.kube.scheduler.SharedState;
import facet.slices.Size;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "top",
        description = "Devices of all nodes, what is promised of them, and to whom.",
        mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {
    private static final String LINE = "%-24s %6s  %-20s %10s %10s %5s  %s%n";

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        SharedState state = new SharedState(new ClusterState(ScheduleSettings.usual()));
        try (KubernetesClient client = cluster.client();
                ClusterWatch watch = new ClusterWatch(state, ClusterOptions.log())) {
            watch.open(client, new ClusterWatch.Listeners(_ -> {}, _ -> {}));
            Map<String, Map<Device, List<Inspection.Part>>> nodes = state.ask(Inspection::parts);
            out.printf(LINE, "NODE", "DEVICE", "MODEL", "MEMORY", "PROMISED", "TIME", "PODS");
            nodes.forEach((name, devices) ->
                    devices.forEach((device, parts) -> {
                        long memory = 0;
                        long thousandths = 0;
                        for (Inspection.Part each : parts) {
                            Given given = each.given();
                            memory += given.memory();
                            thousandths += given.thousandths();
                        }
                        out.printf(
                                LINE,
                                name,
                                device.index(),
                                device.model(),
                                Size.text(device.memory()),
                                Size.text(memory),
                                thousandths / 10 + " %",
                                String.join(
                                        ", ",
                                        parts.stream()
                                                .map(Inspection.Part::pod)
                                                .distinct()
                                                .toList()));
                    }));
            out.flush();
        }
        return 0;
    }
}
