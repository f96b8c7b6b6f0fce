package facet.cli;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Launch.Dim;
import java.util.Arrays;
import java.util.Locale;

/**
 * First part of the demo: one picture, rendered several times.
 *
 * @param loadMilliseconds parsing and verifying the PTX
 * @param compileMilliseconds from IR to JVM classes
 * @param firstMilliseconds the first launch; the JVM still interprets at its start
 * @param laterMilliseconds median of the launches after it
 * @param bestMilliseconds the shortest of them
 */
record Rendering(
        String kernel,
        String grid,
        String block,
        long blocks,
        long threads,
        int launches,
        double loadMilliseconds,
        double compileMilliseconds,
        double firstMilliseconds,
        double laterMilliseconds,
        double bestMilliseconds,
        int workers,
        long checksum) {

    private static final int LATER = 20;

    /** The figures and the picture. */
    record Result(Rendering figures, Picture picture) {}

    static Result run(Device device, int workers, int width, int height) {
        try (Context context = device.createContext(ContextOptions.of("picture", 64L << 20));
                Mandelbrot mandelbrot = new Mandelbrot(context, width, height)) {
            Mandelbrot.Frame first = mandelbrot.render();
            double[] later = new double[LATER];
            for (int i = 0; i < LATER; i++) {
                later[i] = mandelbrot.render().milliseconds();
            }
            Arrays.sort(later);
            Dim grid = mandelbrot.grid();
            return new Result(
                    new Rendering(
                            "mandelbrot",
                            text(grid),
                            text(Mandelbrot.BLOCK),
                            grid.count(),
                            grid.count() * Mandelbrot.BLOCK.count(),
                            1 + LATER,
                            round(mandelbrot.loadMilliseconds()),
                            round(mandelbrot.compileMilliseconds()),
                            round(first.milliseconds()),
                            round(later[LATER / 2]),
                            round(later[0]),
                            workers,
                            first.picture().checksum()),
                    first.picture());
        }
    }

    private static String text(Dim dim) {
        return dim.x() + "x" + dim.y();
    }

    private static double round(double milliseconds) {
        return Math.round(milliseconds * 1000) / 1000.0;
    }

    String table() {
        StringBuilder text = new StringBuilder();
        row(text, "kernel", kernel);
        row(text, "grid of blocks", grid + " of " + block + " threads");
        row(text, "blocks, threads", String.format(Locale.ROOT, "%,d, %,d", blocks, threads));
        row(text, "workers", String.valueOf(workers));
        row(text, "load PTX", milliseconds(loadMilliseconds));
        row(text, "compile", milliseconds(compileMilliseconds));
        row(text, "first launch", milliseconds(firstMilliseconds));
        row(
                text,
                "later launches",
                milliseconds(laterMilliseconds)
                        + " median, "
                        + milliseconds(bestMilliseconds)
                        + " best of "
                        + (launches - 1));
        return text.toString();
    }

    private static void row(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "  %-16s  %s%n", name, value));
    }

    private static String milliseconds(double value) {
        return String.format(Locale.ROOT, "%.2f ms", value);
    }
}
