package facet.kube.agent;

import facet.kube.node.AgentOptions;
import facet.kube.plugin.Resource;
import facet.log.Log;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code facet kube agent}. */
@Command(
        name = "agent",
        description = {
            "Runs on each node: tells the cluster of the devices that the node's daemon has, and the"
                    + " daemon what the cluster has placed for containers of pods.",
            "Serves the kubelet as a device plugin and as a driver of dynamic resource allocation."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was stopped", "1:it cannot start", "2:wrong usage"})
public final class AgentCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            defaultValue = "${env:NODE_NAME}",
            description = "Name of this node in the cluster. Default: $$NODE_NAME.")
    private @Nullable String node;

    @Option(
            names = "--runtime-dir",
            paramLabel = "DIR",
            defaultValue = "/run/facet",
            description = "Where the daemon has its sockets (${DEFAULT-VALUE}).")
    private Path daemon = Path.of("/run/facet");

    @Option(
            names = "--kubelet-dir",
            paramLabel = "DIR",
            defaultValue = "/var/lib/kubelet",
            description = "The kubelet's directory (${DEFAULT-VALUE}).")
    private Path kubelet = Path.of("/var/lib/kubelet");

    @Option(
            names = "--cdi-dir",
            paramLabel = "DIR",
            defaultValue = "/var/run/cdi",
            description = "Where the container runtime reads CDI files (${DEFAULT-VALUE}).")
    private Path cdi = Path.of("/var/run/cdi");

    @Option(
            names = "--hook",
            paramLabel = "PATH",
            defaultValue = "/usr/lib/facet/bin/facet-hook",
            description = "facet-hook on the node (${DEFAULT-VALUE}).")
    private Path hook = Path.of("/usr/lib/facet/bin/facet-hook");

    @Option(
            names = "--container-runtime",
            paramLabel = "NAME",
            defaultValue = "containerd",
            description =
                    "Who creates the containers of pods, containerd or cri-o (${DEFAULT-VALUE}): by"
                            + " its annotations the daemon knows whose a container is.")
    private String runtime = "containerd";

    @Option(
            names = "--resource",
            paramLabel = "NAME=COUNT",
            defaultValue = "facet.dev/gpu=100",
            description = {
                "A resource that the node announces, and how many of it each device has"
                        + " (${DEFAULT-VALUE}); or NAME=memory:UNIT, as"
                        + " aliyun.com/gpu-mem=memory:1GiB. Can be given several times."
            })
    private List<String> resources = List.of();

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            defaultValue = "gpu.facet.dev",
            description = "Name of the driver for claims (${DEFAULT-VALUE}).")
    private String driver = "gpu.facet.dev";

    @Override
    public Integer call() throws IOException, InterruptedException {
        Log log = new Log(System.err, Log.Level.INFO);
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> {
                            stopped.countDown();
                            try {
                                closed.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        }));
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                Agent _ = Agent.start(options(), client, log)) {
            log.info("agent", "runs on node " + node);
            stopped.await();
        } finally {
            closed.countDown();
        }
        return ExitCode.OK;
    }

    private AgentOptions options() {
        String name = node;
        if (name == null || name.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "which node is this? Say --node, or set NODE_NAME");
        }
        try {
            resources.forEach(Resource::parse);
            return new AgentOptions(name, daemon, kubelet, cdi, hook, runtime, resources, driver);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
