package facet.kube.cli;

import facet.kube.install.Installation;
import facet.kube.names.Names;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is installed. */
final class InstallOptions {
    @Mixin ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--image",
            defaultValue = "facet:latest",
            description = "the image with all parts (${DEFAULT-VALUE})")
    private String image = "facet:latest";

    @Option(
            names = "--scheduler",
            defaultValue = Names.SCHEDULER,
            description =
                    "who schedules pods that name nobody; '': the stock scheduler, with the extender"
                            + " (${DEFAULT-VALUE})")
    private String scheduler = Names.SCHEDULER;

    @Option(
            names = "--runtime-class",
            defaultValue = "facet",
            description = "of pods that name none; '': none (${DEFAULT-VALUE})")
    private String runtimeClass = "facet";

    @Option(
            names = "--monitoring",
            description = "also a ServiceMonitor and a board, for Prometheus' operator and Grafana")
    private boolean monitored;

    Installation installation() {
        return new Installation(
                cluster.namespace, image, cluster.families(), scheduler, runtimeClass, monitored);
    }
}
