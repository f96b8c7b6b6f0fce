package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The files by which container engines know our devices. */
@Command(
        name = "cdi",
        description = {
            "Prints a specification of the Container Device Interface, by which podman, containerd"
                    + " and Kubernetes give containers a slice.",
            "Devices: facet.dev/gpu=all, and each device of the daemon by its number and its UUID"
                    + " (facet.dev/gpu=1, facet.dev/gpu=GPU-…); a container with one or several of them has"
                    + " a slice of its own there. With --slices facet.dev/slice=NAME, kept slices that"
                    + " containers share. With --direct facet.dev/direct=N, the same devices with the"
                    + " vendor's device files, for the direct engine, where the daemon lets containers"
                    + " have it (--container-most engine=direct). See docs/containers.md."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:no daemon answers and --any-machine was not given, there is no such slice, or the file cannot be written",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet cdi --output /etc/cdi/facet.json",
            "  facet cdi --slices --output /etc/cdi/facet-slices.json",
            "  facet cdi --direct --output /etc/cdi/facet-direct.json",
            "  podman run --device facet.dev/gpu=all -e FACET_MEMORY=1GiB IMAGE ./train",
            "  podman run --device facet.dev/gpu=1 IMAGE ./train"
        })
final class Cdi implements Callable<Integer> {
    private static final Path USUAL_DIRECTORY = Path.of("/run/facet");

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Write it there, as a whole. Default: standard output.")
    private @Nullable Path file;

    @Option(names = "--slices", description = "The slices that are kept, instead of the devices.")
    private boolean slices;

    @Option(
            names = "--direct",
            description =
                    "The devices for containers with the direct engine: with the vendor's device"
                            + " files, and so without a boundary.")
    private boolean direct;

    @Option(
            names = "--any-machine",
            description =
                    "Only all and 0, which every machine has; asks no daemon. For files that are"
                            + " made elsewhere.")
    private boolean anyMachine;

    @Option(
            names = "--hook",
            paramLabel = "PATH",
            description = "Where facet-hook is. Default: beside this command.")
    private @Nullable Path hook;

    @Mixin private DaemonOption daemon = new DaemonOption();

    @Override
    public Integer call() {
        if ((slices || direct) && anyMachine) {
            throw new ParameterException(
                    spec.commandLine(),
                    (slices ? "--slices" : "--direct")
                            + " asks a daemon, and --any-machine does not");
        }
        if (slices && direct) {
            throw new ParameterException(
                    spec.commandLine(), "--slices and --direct are two files: write one at a time");
        }
        String text = Json.of(specification());
        Path target = file;
        if (target == null) {
            spec.commandLine().getOut().println(text);
            spec.commandLine().getOut().flush();
        } else {
            write(target.toAbsolutePath(), text + "\n");
        }
        return ExitCode.OK;
    }

    private CdiSpecification specification() {
        if (slices) {
            return ofSlices();
        }
        return direct
                ? CdiSpecification.direct(directFiles(), hook())
                : CdiSpecification.gpus(gpus(), hook());
    }

    /** The daemon says why not, where containers may not have them. */
    private Map<CdiSpecification.Gpu, Map<String, String>> directFiles() {
        Map<CdiSpecification.Gpu, Map<String, String>> all = new LinkedHashMap<>();
        List<CdiSpecification.Gpu> gpus = gpus();
        try (Control control = daemon.open()) {
            for (CdiSpecification.Gpu each : gpus) {
                Map<String, String> files = new LinkedHashMap<>();
                control.ask("container-files", Map.of("device", Integer.toString(each.number())))
                        .path("files")
                        .properties()
                        .forEach(file -> files.put(file.getKey(), file.getValue().asText()));
                all.put(each, files);
            }
        }
        return all;
    }

    private List<CdiSpecification.Gpu> gpus() {
        if (anyMachine) {
            return List.of(new CdiSpecification.Gpu(0, ""));
        }
        List<CdiSpecification.Gpu> gpus = new ArrayList<>();
        try (Control control = daemon.open()) {
            for (JsonNode each : control.ask("devices").path("devices")) {
                gpus.add(
                        new CdiSpecification.Gpu(
                                each.path("device").asInt(), each.path("uuid").asText()));
            }
        }
        return gpus;
    }

    private CdiSpecification ofSlices() {
        List<String> names = new ArrayList<>();
        try (Control control = daemon.open()) {
            for (JsonNode each : control.ask("slices").path("slices")) {
                String name = each.path("name").asText();
                if (!each.path("kept").asBoolean() || name.equals("default")) {
                    continue;
                }
                if (CdiSpecification.isName(name)) {
                    names.add(name);
                } else {
                    spec.commandLine()
                            .getErr()
                            .println(
                                    "facet: '"
                                            + name
                                            + "' is left out: names of CDI devices begin and end"
                                            + " with a letter or digit");
                }
            }
        }
        if (names.isEmpty()) {
            throw new CommandFailure(
                    "there is no kept slice, and a CDI file needs a device; 'facet slice create'"
                            + " makes one");
        }
        return CdiSpecification.slices(names, hook());
    }

    private CdiSpecification.HookCommand hook() {
        Path directory = daemon.directory().toAbsolutePath();
        List<String> more =
                directory.equals(USUAL_DIRECTORY)
                        ? List.of()
                        : List.of("--runtime-dir", directory.toString());
        return new CdiSpecification.HookCommand(hookPath().toString(), more);
    }

    private Path hookPath() {
        Path given = hook;
        String installed = System.getProperty("facet.native", "/usr/lib/facet");
        return given != null
                ? given.toAbsolutePath()
                : Path.of(installed, "bin", "facet-hook").toAbsolutePath();
    }

    /** Engines look at the folder whenever it changes: they must not see half a file. */
    private static void write(Path target, String text) {
        Path folder = target.getParent();
        try {
            if (folder != null) {
                Files.createDirectories(folder);
            }
            // Not named .json: engines read all that is.
            Path next = target.resolveSibling("." + target.getFileName() + ".new");
            Files.writeString(next, text);
            Files.move(
                    next,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CommandFailure(target + " cannot be written: " + e, e);
        }
    }
}
