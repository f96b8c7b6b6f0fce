package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.Table.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs CUDA programs side by side and shows what each of them got. */
@Command(
        name = "demo",
        description = {
            "Runs four CUDA programs at the same time on one software GPU, each in a slice of its"
                    + " own. No GPU is needed.",
            "",
            "One draws a Mandelbrot set, one simulates bodies under gravity, one multiplies matrices and"
                    + " checks the products. The fourth takes more memory than it may have and"
                    + " then writes to an illegal address; the others do not notice.",
            ""
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything went as expected", "1:a program failed", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet demo                  picture and figures",
            "  facet demo --width 120      a wider picture",
            "  facet demo --seconds 10     let them run longer",
            "  facet demo -o json          the figures for a program"
        })
final class Demo implements Callable<Integer> {
    private static final int SMALLEST = 16;
    private static final int LARGEST = 400;

    /** Points across and down for each pixel: smooth edges, and work enough to measure. */
    private static final int SAMPLES = 8;

    private static final int ITERATIONS = 255;

    private static final Table TABLE =
            new Table(
                    Column.text("PROGRAM", "program"),
                    new Column("SLICE", true, row -> Units.bytes(row.path("memory").asLong())),
                    new Column("SEES", true, row -> Units.bytes(row.path("sees").asLong())),
                    Column.number("LAUNCHES", "launches"),
                    Column.nanos("DEVICE TIME", "deviceNanos"),
                    new Column(
                            "SHARE",
                            true,
                            row ->
                                    String.format(
                                            Locale.ROOT,
                                            "%.0f %%",
                                            100 * row.path("share").asDouble())),
                    Column.text("RESULT", "result"));

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
            names = "--seconds",
            paramLabel = "N",
            description = "How long the programs run, 1 to 600. Default: 3.")
    private int seconds = 3;

    @Mixin private DaemonOption daemon = new DaemonOption();

    /** What {@code -o json} prints, and the table shows. */
    record Row(
            String program,
            long memory,
            long sees,
            long launches,
            long deviceNanos,
            double share,
            String result,
            boolean ok) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Terminal terminal = Terminal.detect();
        Integer asked = width;
        int columns = asked != null ? asked : Math.clamp(terminal.columns(), SMALLEST, 160);
        if (columns < SMALLEST || columns > LARGEST) {
            throw new ParameterException(
                    spec.commandLine(), "--width must be from " + SMALLEST + " to " + LARGEST);
        }
        if (seconds < 1 || seconds > 600) {
            throw new ParameterException(spec.commandLine(), "--seconds must be from 1 to 600");
        }
        int rows = Math.max(2, columns * 11 / 16 / 2 * 2);
        Path counts = Files.createTempFile("facet-demo", ".counts");
        try {
            List<Row> results = run(counts, columns * SAMPLES, rows * SAMPLES);
            PrintWriter out = spec.commandLine().getOut();
            if (output == Output.JSON) {
                out.println(Json.of(results));
            } else {
                show(out, results, picture(counts, columns, rows), terminal);
            }
            out.flush();
            return results.stream().allMatch(Row::ok) ? ExitCode.OK : ExitCode.SOFTWARE;
        } finally {
            Files.deleteIfExists(counts);
        }
    }

    private List<Row> run(Path counts, int width, int height)
            throws IOException, InterruptedException {
        String time = Integer.toString(seconds);
        List<DemoProgram> programs = new ArrayList<>();
        try {
            programs.add(
                    DemoProgram.start(
                            daemon.open(),
                            "mandelbrot",
                            256L << 20,
                            time,
                            Integer.toString(width),
                            Integer.toString(height),
                            counts.toString()));
            programs.add(DemoProgram.start(daemon.open(), "nbody", 128L << 20, time));
            programs.add(DemoProgram.start(daemon.open(), "multiply", 512L << 20, time));
            programs.add(DemoProgram.start(daemon.open(), "intruder", 64L << 20));
            for (DemoProgram each : programs) {
                each.await();
            }
            long all = 0;
            for (DemoProgram each : programs) {
                all += each.usage().path("deviceNanos").asLong();
            }
            List<Row> results = new ArrayList<>();
            for (DemoProgram each : programs) {
                results.add(row(each, Math.max(all, 1)));
            }
            return results;
        } finally {
            programs.forEach(DemoProgram::close);
        }
    }

    private static Row row(DemoProgram program, long all) {
        JsonNode usage = program.usage();
        long nanos = usage.path("deviceNanos").asLong();
        return new Row(
                program.name(),
                usage.path("memory").asLong(),
                program.sees(),
                usage.path("launches").asLong(),
                nanos,
                (double) nanos / all,
                program.result(),
                program.ok());
    }

    private static void show(
            PrintWriter out, List<Row> results, @Nullable Picture picture, Terminal terminal) {
        if (picture != null) {
            out.print(picture.draw(terminal));
            out.println();
        }
        out.print(TABLE.of(Json.tree(results)));
    }

    /** What the first program drew; nothing when it failed before. */
    private static @Nullable Picture picture(Path counts, int columns, int rows)
            throws IOException {
        byte[] bytes = Files.readAllBytes(counts);
        int width = columns * SAMPLES;
        int height = rows * SAMPLES;
        if (bytes.length != 2 * width * height) {
            return null;
        }
        int[] points = new int[width * height];
        for (int i = 0; i < points.length; i++) {
            points[i] = (bytes[2 * i] & 0xff) | (bytes[2 * i + 1] & 0xff) << 8;
        }
        return new Picture(width, height, ITERATIONS, points).reduce(SAMPLES);
    }
}
