package facet.kube.cli;

import facet.kube.agent.AgentCommand;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code facet kube}. */
@Command(
        name = "facet kube",
        description = "Slices for pods: install it in a cluster, run its parts, look at it.",
        mixinStandardHelpOptions = true,
        subcommands = {
            AgentCommand.class,
            SchedulerCommand.class,
            ExtenderCommand.class,
            WebhookCommand.class,
            InstallCommand.class,
            UninstallCommand.class,
            ChartCommand.class,
            TopCommand.class,
            DoctorCommand.class
        })
public final class FacetKube {
    private FacetKube() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new FacetKube());
        line.setExecutionExceptionHandler((failure, command, _) -> {
            PrintWriter err = command.getErr();
            err.println("facet: " + words(failure));
            return 1;
        });
        return line;
    }

    private static String words(Exception failure) {
        return switch (failure) {
            case KubernetesClientException e when e.getStatus() == null ->
                    "no cluster answers at "
                            + Config.autoConfigure(null).getMasterUrl()
                            + " ("
                            + lowest(e)
                            + "); KUBECONFIG names the file that says where yours is";
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
    }

    /** What went wrong first; what is above it says in which call. */
    private static String lowest(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
