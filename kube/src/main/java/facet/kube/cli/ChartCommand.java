package facet.kube.cli;

import facet.kube.install.Chart;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "chart",
        description = "Writes a Helm chart from the same manifests as install.",
        mixinStandardHelpOptions = true)
final class ChartCommand implements Callable<Integer> {
    @Mixin private InstallOptions options = new InstallOptions();

    @Option(names = "--output", required = true, paramLabel = "DIR", description = "a new folder")
    private Path output = Path.of(".");

    @Override
    public Integer call() throws Exception {
        Chart.write(options.installation(), output);
        return 0;
    }
}
