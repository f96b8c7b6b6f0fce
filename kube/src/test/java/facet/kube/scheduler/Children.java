package facet.kube.scheduler;

import facet.kube.cluster.Await;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.Ports;
import facet.kube.extender.SchedulerPolicy;
import facet.kube.names.Family;
import facet.kube.serve.Authority;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Parts of Facet, each in a process of its own that can be killed and comes again. */
final class Children implements AutoCloseable {
    private static final String TOKEN = "fedcba9876543210fedcba9876543210fedcba9876543210";

    private final ControlPlane plane;
    private final Path folder;
    private final Map<String, List<String>> commands = new HashMap<>();
    private final Map<String, Process> processes = new HashMap<>();

    /**
     * @param folder for their logs and secrets
     */
    Children(ControlPlane plane, Path folder) {
        this.plane = plane;
        this.folder = folder;
    }

    void scheduler(String name) throws IOException {
        start(name, "scheduler", "--name", name, "--metrics", "0");
    }

    /** The extender, and the stock scheduler that asks it. */
    void extender() throws Exception {
        int port = door("extender");
        Path file = folder.resolve("scheduler.yaml");
        Files.writeString(
                file,
                SchedulerPolicy.text(
                        plane.kubeconfig().toString(),
                        "https://localhost:" + port,
                        folder.toString(),
                        Family.ALL));
        plane.startScheduler("--config=" + file);
    }

    /** The webhook, without which no pod that asks for a part of a GPU is created. */
    void webhook() throws Exception {
        int port = door("webhook");
        String authority = Files.readString(folder.resolve("authority.crt"));
        plane.client()
                .resource(
                        new MutatingWebhookConfigurationBuilder()
                                .withNewMetadata()
                                .withName("pods.facet.dev")
                                .endMetadata()
                                .addNewWebhook()
                                .withName("mutate.pods.facet.dev")
                                .withAdmissionReviewVersions("v1")
                                .withSideEffects("None")
                                .withFailurePolicy("Fail")
                                .withTimeoutSeconds(5)
                                .withNewClientConfig()
                                .withCaBundle(
                                        Base64.getEncoder()
                                                .encodeToString(
                                                        authority.getBytes(
                                                                StandardCharsets.US_ASCII)))
                                .withUrl("https://localhost:%d/%s/mutate".formatted(port, TOKEN))
                                .endClientConfig()
                                .addNewRule()
                                .withApiGroups("")
                                .withApiVersions("v1")
                                .withResources("pods")
                                .withOperations("CREATE")
                                .endRule()
                                .endWebhook()
                                .build())
                .create();
    }

    /** Starts one that answers, and waits until it does; its port. */
    private int door(String part) throws Exception {
        secrets();
        int port = Ports.free();
        start(
                part,
                part,
                "--authority",
                folder.toString(),
                "--address",
                "127.0.0.1",
                "--port",
                Integer.toString(port));
        Await.until(
                part + " answers",
                () -> {
                    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                        return true;
                    }
                },
                () -> log(part));
        return port;
    }

    private void secrets() throws IOException, GeneralSecurityException {
        if (Files.exists(folder.resolve("token"))) {
            return;
        }
        Authority authority = Authority.make(Instant.now());
        Authority.Identity client =
                authority.identity("client", List.of(), Instant.now(), Duration.ofDays(1));
        Files.writeString(folder.resolve("client.crt"), client.certificateText());
        Files.writeString(folder.resolve("client.key"), client.keyText());
        Files.writeString(folder.resolve("authority.crt"), authority.certificateText());
        Files.writeString(folder.resolve("authority.key"), authority.keyText());
        Files.writeString(folder.resolve("token"), TOKEN);
    }

    private void start(String name, String... words) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "facet.kube.cli.FacetKube"));
        command.addAll(Arrays.asList(words));
        commands.put(name, command);
        start(name);
    }

    private void start(String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Objects.requireNonNull(commands.get(name)));
        builder.environment().put("KUBECONFIG", plane.kubeconfig().toString());
        // Who lives in the control plane's folder goes with it, also when the test is killed.
        builder.directory(plane.folder().toFile());
        builder.redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()));
        processes.put(name, builder.start());
    }

    void killAndStart(String name) throws IOException, InterruptedException {
        Objects.requireNonNull(processes.get(name)).destroyForcibly().waitFor();
        start(name);
    }

    private String log(String name) {
        try {
            return Files.readString(folder.resolve(name + ".log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        processes.values().forEach(Process::destroyForcibly);
    }
}
