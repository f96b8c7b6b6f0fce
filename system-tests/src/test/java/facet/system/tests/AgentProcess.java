package facet.system.tests;

import facet.kube.agent.AgentCommand;
import facet.kube.cluster.ControlPlane;
import facet.kube.cluster.NodeMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The agent of a node in a process of its own, so that it can be killed. */
final class AgentProcess implements AutoCloseable {
    private final List<String> command;
    private final Path kubeconfig;
    private final Path log;
    private Process process;

    private AgentProcess(List<String> command, Path kubeconfig, Path log) throws IOException {
        this.command = command;
        this.kubeconfig = kubeconfig;
        this.log = log;
        process = launch();
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new AgentCommand()).execute(arguments));
    }

    static AgentProcess start(ControlPlane plane, Daemon daemon, NodeMachine node)
            throws IOException {
        Files.createDirectories(Places.MODULE.resolve("target"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(AgentProcess.class.getName(), "--node", node.name()));
        command.addAll(List.of("--runtime-dir", daemon.directory().toString()));
        command.addAll(List.of("--kubelet-dir", node.kubeletFolder().toString()));
        command.addAll(List.of("--cdi-dir", node.cdiFolder().toString()));
        command.addAll(
                List.of("--hook", Places.NATIVE.resolve("target/bin/facet-hook").toString()));
        return new AgentProcess(
                command,
                plane.kubeconfig(),
                Files.createTempFile(Places.MODULE.resolve("target"), "agent-", ".log"));
    }

    private Process launch() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        // With all that lives there it goes when this JVM is killed.
                        .directory(kubeconfig.resolveSibling(".").normalize().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        Process started = builder.start();
        started.getOutputStream().close();
        return started;
    }

    /** Without a chance to say goodbye; then another one. */
    void killAndStart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = launch();
    }

    String lastOfLog() {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - 4000));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
