package facet.cli;

import facet.device.Device;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows what the software GPU does. */
@Command(
        name = "demo",
        description = {
            "Runs CUDA kernels on the software GPU. No GPU is needed.",
            "",
            "First a Mandelbrot set, drawn in the terminal, with the times of its launches. Then two"
                    + " contexts side by side: a kernel of one writes to an illegal address, the other"
                    + " goes on.",
            ""
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all went as it should", "1:a result was wrong", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet demo                  picture and figures",
            "  facet demo --width 120      a wider picture",
            "  facet demo --workers 1      on one core",
            "  facet demo -o json          the figures for a program"
        })
final class Demo implements Callable<Integer> {
    private static final int SMALLEST = 16;
    private static final int LARGEST = 400;

    /** Points across and down for each pixel: smooth edges, and work enough to measure. */
    private static final int SAMPLES = 8;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private Output output = Output.TEXT;

    @Option(
            names = {"-w", "--width"},
            paramLabel = "COLUMNS",
            description = "Width of the picture, 16 to 400. Default: the terminal's, or 80.")
    private @Nullable Integer width;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Threads that run kernels. Default: one per core.")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        Terminal terminal = Terminal.detect();
        Integer asked = width;
        int columns = asked != null ? asked : Math.clamp(terminal.columns(), SMALLEST, 160);
        if (columns < SMALLEST || columns > LARGEST) {
            throw new ParameterException(
                    spec.commandLine(), "--width must be from " + SMALLEST + " to " + LARGEST);
        }
        if (workers < 1 || workers > 1024) {
            throw new ParameterException(spec.commandLine(), "--workers must be from 1 to 1024");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (Device device = Gpu.open(workers)) {
            int rows = Math.max(2, columns * 11 / 16 / 2 * 2);
            Rendering.Result rendering =
                    Rendering.run(device, workers, columns * SAMPLES, rows * SAMPLES);
            if (output == Output.TEXT) {
                out.print(rendering.picture().reduce(SAMPLES).draw(terminal));
                out.printf("%n%s%n", device.profile().name());
                out.print(rendering.figures().table());
                out.printf("%nTwo contexts, one device%n");
                out.flush();
            }
            Isolation isolation = Isolation.run(device);
            if (output == Output.TEXT) {
                out.print(isolation.text());
            } else {
                out.println(Json.of(new Report(rendering.figures(), isolation)));
            }
            out.flush();
            return isolation.holds() ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    /** What {@code -o json} prints. */
    record Report(Rendering rendering, Isolation isolation) {}
}
