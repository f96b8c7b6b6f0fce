package facet.kube.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of the control plane that runs, or was killed and can be started again. */
final class MemberProcess {
    private static final int TOLD_CHARACTERS = 4000;

    private final Path folder;
    private final Path log;
    private final List<String> command;
    private final Await.Condition ready;
    private Process process;

    private MemberProcess(
            Path folder, Path log, List<String> command, Await.Condition ready, Process process) {
        this.folder = folder;
        this.log = log;
        this.command = command;
        this.ready = ready;
        this.process = process;
    }

    static MemberProcess start(
            Path folder, Member member, List<String> options, Await.Condition ready)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Programs.of(member.program()).toString());
        command.addAll(options);
        Path log = folder.resolve(member.program() + ".log");
        MemberProcess one =
                new MemberProcess(folder, log, command, ready, launch(folder, log, command));
        one.awaitReady();
        return one;
    }

    private static Process launch(Path folder, Path log, List<String> command) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        process.getOutputStream().close();
        return process;
    }

    private void awaitReady() throws InterruptedException {
        Await.until(
                command.getFirst() + " is ready",
                () -> !process.isAlive() || ready.holds(),
                this::lastOfLog);
        if (!process.isAlive()) {
            throw new IllegalStateException(command.getFirst() + " has ended:\n" + lastOfLog());
        }
    }

    String lastOfLog() {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - TOLD_CHARACTERS));
        } catch (IOException e) {
            return e.toString();
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Without a chance to say goodbye. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void restart() throws IOException, InterruptedException {
        kill();
        process = launch(folder, log, command);
        awaitReady();
    }
}
