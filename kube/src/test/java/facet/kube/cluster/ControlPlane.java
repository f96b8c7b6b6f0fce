package facet.kube.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A control plane on the loopback address: etcd and the API server from the start, the others when
 * they are asked for. It has one administrator, and the users that {@link #start(Map, String...)}
 * names.
 *
 * <pre>{@code
 * Programs.assume();
 * try (ControlPlane plane = ControlPlane.start()) {
 *     plane.startControllerManager();
 *     plane.client().pods()...
 *     plane.restart(Member.API_SERVER);
 * }
 * }</pre>
 */
public final class ControlPlane implements AutoCloseable {
    /** The group of kubelets. */
    public static final String NODES = "system:nodes";

    private static final String LOOPBACK = "127.0.0.1";

    private final Reaper reaper;
    private final Credentials credentials;
    private final Probe probe;
    private final int port;
    private final Map<Member, MemberProcess> members = new EnumMap<>(Member.class);
    private @Nullable KubernetesClient client;

    private ControlPlane(Reaper reaper, Credentials credentials, int port) {
        this.reaper = reaper;
        this.credentials = credentials;
        this.port = port;
        probe = new Probe(credentials);
    }

    public static ControlPlane start() throws IOException, InterruptedException {
        return start(Map.of());
    }

    /**
     * @param users more than the administrator: names, and groups with commas between them
     * @param options more of the API server
     */
    public static ControlPlane start(Map<String, String> users, String... options)
            throws IOException, InterruptedException {
        Reaper reaper = Reaper.create();
        ControlPlane plane =
                new ControlPlane(reaper, Credentials.make(reaper.folder(), users), Ports.free());
        boolean started = false;
        try {
            String store = plane.startStore();
            plane.startServer(store, List.of(options));
            started = true;
            return plane;
        } finally {
            if (!started) {
                plane.close();
            }
        }
    }

    // ---- who is in it

    /** For files of a test; it goes with the control plane, and so do processes that live there. */
    public Path folder() {
        return reaper.folder();
    }

    public String address() {
        return "https://" + LOOPBACK + ":" + port;
    }

    /** PEM, of those who sign what the API server shows. */
    public Path certificate() {
        return credentials.certificate();
    }

    public String token(String user) {
        return credentials.token(user);
    }

    /** A file by which a user comes in. */
    public Path kubeconfig(String user) throws IOException {
        return credentials.kubeconfig(user, address());
    }

    /**
     * A file by which a node's kubelet comes in; it must have been named when the control plane was
     * started, as {@link #nodeUser}.
     */
    Path kubeconfigOfNode(String node) throws IOException {
        return kubeconfig(nodeUser(node));
    }

    /** The user of a node's kubelet; its group is {@link #NODES}. */
    public static String nodeUser(String node) {
        return "system:node:" + node;
    }

    public Path kubeconfig() throws IOException {
        return kubeconfig(Credentials.ADMIN);
    }

    /** The administrator's; closed with the control plane. */
    public synchronized KubernetesClient client() {
        if (client == null) {
            client = newClient(token(Credentials.ADMIN));
        }
        return client;
    }

    /** Whoever asks for one closes it. */
    public KubernetesClient newClient(String token) {
        return new KubernetesClientBuilder().withConfig(config(token)).build();
    }

    /** Without what this machine's user has in files and variables. */
    public Config config(String token) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(address())
                .withCaCertFile(certificate().toString())
                .withOauthToken(token)
                .withNamespace("default")
                .build();
    }

    // ---- members

    /** Its address. */
    private String startStore() throws IOException, InterruptedException {
        String clients = "http://" + LOOPBACK + ":" + Ports.free();
        String peers = "http://" + LOOPBACK + ":" + Ports.free();
        begin(
                Member.ETCD,
                () -> probe.isReady(clients + "/readyz"),
                "--data-dir=" + folder().resolve("etcd"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=default=" + peers,
                "--log-level=warn",
                // A test's data need not outlive the machine.
                "--unsafe-no-fsync");
        return clients;
    }

    private void startServer(String store, List<String> more)
            throws IOException, InterruptedException {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--etcd-servers=" + store,
                                "--bind-address=" + LOOPBACK,
                                "--advertise-address=" + LOOPBACK,
                                "--secure-port=" + port,
                                "--cert-dir=" + folder().resolve("certificates"),
                                "--token-auth-file=" + credentials.tokenFile(),
                                "--authorization-mode=Node,RBAC",
                                "--allow-privileged=true",
                                "--service-cluster-ip-range=10.96.0.0/16",
                                "--service-account-issuer=https://kubernetes.default.svc",
                                "--service-account-key-file=" + credentials.serviceAccountKey(),
                                "--service-account-signing-key-file="
                                        + credentials.serviceAccountKey()));
        options.addAll(more);
        begin(
                Member.API_SERVER,
                () -> probe.isReady(address() + "/readyz"),
                options.toArray(String[]::new));
    }

    /**
     * @param more options, such as {@code --config=FILE} with extenders
     */
    public void startScheduler(String... more) throws IOException, InterruptedException {
        startServing(Member.SCHEDULER, List.of(more));
    }

    /** Service accounts, the garbage collector, Deployments and Jobs. */
    public void startControllerManager(String... more) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of(more));
        options.add("--service-account-private-key-file=" + credentials.serviceAccountKey());
        options.add("--root-ca-file=" + credentials.certificate());
        startServing(Member.CONTROLLER_MANAGER, options);
    }

    private void startServing(Member member, List<String> more)
            throws IOException, InterruptedException {
        int itsPort = Ports.free();
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--kubeconfig=" + kubeconfig(),
                                "--authentication-kubeconfig=" + kubeconfig(),
                                "--authorization-kubeconfig=" + kubeconfig(),
                                "--bind-address=" + LOOPBACK,
                                "--secure-port=" + itsPort,
                                "--tls-cert-file=" + credentials.certificate(),
                                "--tls-private-key-file=" + credentials.certificateKey(),
                                "--leader-elect=false"));
        options.addAll(more);
        begin(
                member,
                () -> probe.isReady("https://" + LOOPBACK + ":" + itsPort + "/healthz"),
                options.toArray(String[]::new));
    }

    /** Plays the kubelet of all nodes that have the annotation of {@link KwokNodes}. */
    public void startKwok(String... more) throws IOException, InterruptedException {
        int itsPort = Ports.free();
        Path stages = folder().resolve("kwok.yaml");
        try (InputStream file = ControlPlane.class.getResourceAsStream("kwok.yaml")) {
            Files.copy(Objects.requireNonNull(file), stages);
        }
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "--kubeconfig=" + kubeconfig(),
                                "--config=" + stages,
                                "--manage-all-nodes=false",
                                "--manage-nodes-with-annotation-selector=" + KwokNodes.SELECTOR,
                                "--server-address=" + LOOPBACK + ":" + itsPort));
        options.addAll(List.of(more));
        begin(
                Member.KWOK,
                () -> probe.isReady("http://" + LOOPBACK + ":" + itsPort + "/healthz"),
                options.toArray(String[]::new));
    }

    private void begin(Member member, Await.Condition ready, String... options)
            throws IOException, InterruptedException {
        if (members.containsKey(member)) {
            throw new IllegalStateException(member.program() + " was started already");
        }
        members.put(member, MemberProcess.start(folder(), member, List.of(options), ready));
    }

    // ---- chaos

    private MemberProcess process(Member member) {
        MemberProcess process = members.get(member);
        if (process == null) {
            throw new IllegalStateException(member.program() + " was not started");
        }
        return process;
    }

    public void kill(Member member) throws InterruptedException {
        process(member).kill();
    }

    /** Kills it where it lives, starts it again as it was, and waits until it is ready. */
    public void restart(Member member) throws IOException, InterruptedException {
        process(member).restart();
    }

    public long pid(Member member) {
        return process(member).pid();
    }

    /** The last lines of a member's log, for messages of tests. */
    public String log(Member member) {
        return process(member).lastOfLog();
    }

    // ---- as people use it

    /** As the administrator; fails with what it says. */
    public String kubectl(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Programs.of("kubectl").toString());
        command.add("--kubeconfig=" + kubeconfig());
        command.addAll(List.of(words));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder().toFile())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ":\n" + output);
        }
        return output;
    }

    @Override
    public synchronized void close() throws IOException {
        if (client != null) {
            client.close();
        }
        reaper.close();
    }
}
