package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Stops the daemon. */
@Command(
        name = "down",
        description = "Stops the daemon. Programs that still use a device get an error.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the daemon is down",
            "1:no daemon answers, or programs still use a device",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  facet down", "  facet down --force"})
final class Down implements Callable<Integer> {
    private static final int PATIENCE_SECONDS = 10;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private DaemonOption daemon = new DaemonOption();

    @Option(
            names = {"-f", "--force"},
            description = "Stop it even if programs use a device, or part of it does not end.")
    private boolean force;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        long pid;
        try (Control control = daemon.open()) {
            JsonNode status = control.ask("status");
            int sessions = status.path("sessions").asInt();
            if (sessions > 0 && !force) {
                throw new CommandFailure(
                        sessions
                                + (sessions == 1 ? " program uses" : " programs use")
                                + " a device; 'facet ps' lists them. Use --force to stop it"
                                + " anyway");
            }
            pid = status.path("pid").asLong();
            control.ask("down");
        }
        if (awaitEnd(pid)) {
            out.println("the daemon is down");
        } else {
            out.println("the daemon is down; it did not end by itself and was killed");
        }
        out.flush();
        return ExitCode.OK;
    }

    /** Whether it ended by itself. */
    private boolean awaitEnd(long pid) throws InterruptedException {
        ProcessHandle process = ProcessHandle.of(pid).orElse(null);
        if (process == null || isOver(process)) {
            return true;
        }
        if (!force) {
            throw new CommandFailure(
                    "process "
                            + pid
                            + " has not ended in "
                            + PATIENCE_SECONDS
                            + " s; its log says why, 'kill -9 "
                            + pid
                            + "' ends it");
        }
        boolean _ = process.destroyForcibly();
        if (!isOver(process)) {
            throw new CommandFailure(
                    "process " + pid + " cannot be killed; 'ps " + pid + "' shows its state");
        }
        return false;
    }

    /** Now or soon. */
    private static boolean isOver(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new CommandFailure("process " + process.pid() + " cannot be waited for", e);
        }
    }
}
