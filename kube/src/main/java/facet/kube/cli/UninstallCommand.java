package facet.kube.cli;

import facet.kube.install.Installation;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "uninstall",
        description = "Removes all of Facet from the cluster, its queues and books too.",
        mixinStandardHelpOptions = true)
final class UninstallCommand implements Callable<Integer> {
    @Mixin private InstallOptions options = new InstallOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (KubernetesClient client = options.cluster.client()) {
            Installation.remove(client, options.installation())
                    .forEach(each -> out.println("removed " + each));
        }
        return 0;
    }
}
