package facet.kube.cli;

import facet.kube.install.Installation;
import facet.kube.serve.Authority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "install",
        description = "Installs Facet in the cluster of KUBECONFIG, or prints what that takes.",
        mixinStandardHelpOptions = true)
final class InstallCommand implements Callable<Integer> {
    @Mixin private InstallOptions options = new InstallOptions();

    @Option(
            names = "--print",
            description = "print the manifests, with new secrets, and do nothing; needs no cluster")
    private boolean print;

    @Option(names = "--dry-run", description = "say what would be applied")
    private boolean dryRun;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Installation what = options.installation();
        if (print) {
            out.print(what.text(Authority.make(Instant.now()), Installation.newToken()));
            out.flush();
            return 0;
        }
        try (KubernetesClient client = options.cluster.client()) {
            for (HasMetadata each : what.apply(client, dryRun)) {
                out.println(
                        (dryRun ? "would apply " : "applied ")
                                + each.getKind()
                                + " "
                                + each.getMetadata().getName());
            }
        }
        return 0;
    }
}
