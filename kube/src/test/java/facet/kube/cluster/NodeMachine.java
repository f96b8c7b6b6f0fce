package facet.kube.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node with a real kubelet, containerd and runc. It needs root. Both have folders of their own
 * where they insist on places of the machine (/var/lib/kubelet, /run/containerd, /var/log): they
 * run among mounts of their own. There is no network for pods, so they must have that of the host;
 * and no registry, so images come from files.
 *
 * <p>It goes with its control plane.
 */
public final class NodeMachine {
    private static final String IMAGE = "facet.dev/test:1";

    private static final String MOUNTS =
            """
            set -e
            mount -t tmpfs tmpfs /var/lib
            mount -t tmpfs tmpfs /var/log
            mount -t tmpfs tmpfs /run
            mkdir /var/lib/kubelet
            mount --bind "$1/kubelet" /var/lib/kubelet
            touch "$1/mounted"
            exec sleep 1000000
            """;

    private final ControlPlane plane;
    private final String name;
    private final Path folder;
    private final Process mounts;
    private Process kubelet;

    private NodeMachine(
            ControlPlane plane, String name, Path folder, Process mounts, Process kubelet) {
        this.plane = plane;
        this.name = name;
        this.folder = folder;
        this.mounts = mounts;
        this.kubelet = kubelet;
    }

    /** Whether such a machine can be here at all. */
    public static boolean isPossible() {
        return "root".equals(System.getProperty("user.name"))
                && Stream.of("/usr/sbin/runc", "/usr/bin/runc", "/usr/local/sbin/runc")
                        .anyMatch(each -> Files.isExecutable(Path.of(each)));
    }

    /**
     * @param name its user must be one of the control plane's
     * @param image the one that containers have; {@link TestImage} makes it
     */
    public static NodeMachine start(ControlPlane plane, String name, Path image)
            throws IOException, InterruptedException {
        Path folder = plane.folder().resolve(name);
        for (String each : List.of("kubelet", "cdi", "logs", "plugins")) {
            Files.createDirectories(folder.resolve(each));
        }
        Process mounts =
                launch(
                        folder,
                        "mounts",
                        List.of("unshare", "--mount", "sh", "-c", MOUNTS, "sh", folder.toString()));
        Await.until("mounts of their own", () -> Files.exists(folder.resolve("mounted")));
        Files.writeString(folder.resolve("containerd.toml"), containerdConfig(folder));
        Files.writeString(folder.resolve("kubelet.yaml"), kubeletConfig(folder));
        launch(
                folder,
                "containerd",
                inside(
                        mounts,
                        folder,
                        Programs.of("containerd").toString(),
                        "--config=" + folder.resolve("containerd.toml")));
        Path socket = folder.resolve("containerd.sock");
        Await.until("containerd", () -> Files.exists(socket));
        List<String> load =
                inside(
                        mounts,
                        folder,
                        Programs.of("ctr").toString(),
                        "--address=" + socket,
                        "--namespace=k8s.io",
                        "images",
                        "import",
                        image.toString());
        Await.until(
                "the image",
                () -> launch(folder, "import", load).waitFor() == 0,
                () -> log(folder, "import"));
        NodeMachine node =
                new NodeMachine(
                        plane, name, folder, mounts, launchKubelet(plane, name, folder, mounts));
        node.awaitRegistered();
        return node;
    }

    /** A command among the node's mounts, in its folder. */
    private static List<String> inside(Process mounts, Path folder, String... words) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("nsenter", "--mount", "--target", Long.toString(mounts.pid())));
        command.addAll(List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", folder.toString()));
        command.addAll(List.of(words));
        return command;
    }

    private static Process launch(Path folder, String log, List<String> command)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(
                                        folder.resolve(log + ".log").toFile()));
        // containerd looks for its shim there, and the shim for runc.
        builder.environment()
                .merge(
                        "PATH",
                        Programs.of("containerd").getParent() + ":/usr/sbin:/usr/local/sbin",
                        (all, more) -> more + ":" + all);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private static String containerdConfig(Path folder) {
        return """
        version = 3
        root = "%1$s/root"
        state = "%1$s/state"
        disabled_plugins = ["io.containerd.nri.v1.nri"]
        [grpc]
          address = "%1$s/containerd.sock"
        [ttrpc]
          address = "%1$s/containerd.sock.ttrpc"
        [plugins."io.containerd.cri.v1.images".pinned_images]
          sandbox = "%2$s"
        [plugins."io.containerd.cri.v1.runtime"]
          enable_cdi = true
          cdi_spec_dirs = ["%1$s/cdi"]
          # Machines of tests may lack CAP_SYS_RESOURCE.
          restrict_oom_score_adj = true
        [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
          runtime_type = "io.containerd.runc.v2"
        [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
          SystemdCgroup = false
        """
                .formatted(folder, IMAGE);
    }

    private static String kubeletConfig(Path folder) throws IOException {
        return """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        failSwapOn: false
        failCgroupV1: false
        cgroupDriver: cgroupfs
        cgroupsPerQOS: false
        enforceNodeAllocatable: []
        localStorageCapacityIsolation: false
        evictionHard: {imagefs.available: 0%%, nodefs.available: 0%%, memory.available: 0%%}
        imageGCHighThresholdPercent: 100
        imageGCLowThresholdPercent: 99
        containerRuntimeEndpoint: unix://%1$s/containerd.sock
        imageServiceEndpoint: unix://%1$s/containerd.sock
        authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
        authorization: {mode: AlwaysAllow}
        address: 127.0.0.1
        port: %2$d
        healthzPort: 0
        resolvConf: ""
        podLogsDir: %1$s/logs
        volumePluginDir: %1$s/plugins
        maxPods: 400
        podPidsLimit: -1
        registryPullQPS: 0
        eventRecordQPS: 0
        kubeAPIQPS: 200
        kubeAPIBurst: 400
        syncFrequency: 10s
        """
                .formatted(folder, Ports.free());
    }

    private static Process launchKubelet(
            ControlPlane plane, String name, Path folder, Process mounts) throws IOException {
        return launch(
                folder,
                "kubelet",
                inside(
                        mounts,
                        folder,
                        Programs.of("kubelet").toString(),
                        "--config=" + folder.resolve("kubelet.yaml"),
                        "--root-dir=/var/lib/kubelet",
                        "--cert-dir=" + folder.resolve("pki"),
                        "--kubeconfig=" + plane.kubeconfigOfNode(name),
                        "--hostname-override=" + name,
                        "--v=1"));
    }

    private void awaitRegistered() throws InterruptedException {
        Await.until(
                "node " + name,
                () -> plane.client().nodes().withName(name).get() != null,
                this::log);
    }

    // ---- where things are

    /** As its image is called. */
    public static String image() {
        return IMAGE;
    }

    public String name() {
        return name;
    }

    /** What the kubelet has at /var/lib/kubelet. */
    public Path kubeletFolder() {
        return folder.resolve("kubelet");
    }

    /** Where containerd reads files of the Container Device Interface. */
    public Path cdiFolder() {
        return folder.resolve("cdi");
    }

    /** The last lines of the kubelet's log, for messages of tests. */
    public String log() {
        return log(folder, "kubelet");
    }

    private static String log(Path folder, String which) {
        try {
            String text = Files.readString(folder.resolve(which + ".log"));
            return text.substring(Math.max(0, text.length() - 6000));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** What a container of a pod has written, in all its lives. */
    public String output(Pod pod, String container) throws IOException {
        Path logs =
                folder.resolve("logs")
                        .resolve(
                                "%s_%s_%s"
                                        .formatted(
                                                pod.getMetadata().getNamespace(),
                                                pod.getMetadata().getName(),
                                                pod.getMetadata().getUid()))
                        .resolve(container);
        if (!Files.exists(logs)) {
            return "";
        }
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path each : files.sorted().toList()) {
                // Time, stream and whether the line is whole come first.
                all.append(
                        Files.readAllLines(each).stream()
                                .map(line -> line.split(" ", 4))
                                .filter(words -> words.length == 4)
                                .map(words -> words[3] + "\n")
                                .collect(Collectors.joining()));
            }
        }
        return all.toString();
    }

    // ---- chaos

    /** Pods live on. */
    public void killKubelet() throws InterruptedException {
        kubelet.destroyForcibly().waitFor();
    }

    public void startKubelet() throws IOException {
        kubelet = launchKubelet(plane, name, folder, mounts);
    }
}
