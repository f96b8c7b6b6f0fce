package facet.kube.cli;

import facet.kube.install.Checks;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        description = "Looks at what Facet needs in the cluster, and says what to do.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (KubernetesClient client = cluster.client()) {
            List<Checks.Finding> findings = Checks.run(client, cluster.namespace);
            for (Checks.Finding each : findings) {
                out.println((each.well() ? "ok       " : "missing  ") + each.text());
            }
            out.flush();
            return findings.stream().allMatch(Checks.Finding::well) ? 0 : 1;
        }
    }
}
