package facet.bench;

import facet.bench.escape.Cell;
import facet.bench.escape.EscapeMatrix;
import facet.bench.escape.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The escape matrix: every way past the limits of a slice, from one process and from eight. */
final class Escapes implements Measurement {
    private static final int MANY = 8;
    private static final Duration WINDOW = Duration.ofSeconds(3);

    /** The first compute capability that has all that a way may use. */
    private static final String CLUSTERS = "9.0";

    @Override
    public String name() {
        return "escapes";
    }

    @Override
    public String about() {
        return "ways past a limit of 64 MiB, or a hard share of 20 %: what came of them";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("way", "way")
                        .column("kind", "after")
                        .column("one", "1 process")
                        .column("many", MANY + " processes")
                        .column("free", "without limits");
        int held = 0;
        int tried = 0;
        try (PrivateDaemon daemon = new PrivateDaemon()) {
            List<String> up = new ArrayList<>(List.of(options.daemon()));
            up.addAll(List.of("--profile", CLUSTERS));
            daemon.up(up.toArray(String[]::new));
            EscapeMatrix matrix =
                    new EscapeMatrix(Places.inRepository(""), daemon.directory(), WINDOW);
            for (Way way : matrix.ways()) {
                System.err.println(name() + ": " + way.name());
                Map<String, Object> row = table.row();
                row.put("way", way.name());
                row.put("kind", what(way));
                tried++;
                held += isHeld(table, matrix, way, row) ? 1 : 0;
            }
        }
        table.summarize("ways", tried);
        table.summarize("waysThatHeld", held);
        return table;
    }

    private static boolean isHeld(
            Table table, EscapeMatrix matrix, Way way, Map<String, Object> row)
            throws IOException, InterruptedException {
        Cell one = matrix.limited(way, 1);
        Cell many = matrix.limited(way, MANY);
        Cell free = matrix.free(way);
        row.put("one", text(way, one));
        row.put("many", text(way, many));
        row.put("free", text(way, free));
        if (!one.isGood()) {
            table.fail(way + ", 1 process: " + one + ", " + one.detail());
        }
        if (!many.isGood()) {
            table.fail(way + ", " + MANY + " processes: " + many + ", " + many.detail());
        }
        boolean shown =
                !EscapeMatrix.mustPassFree(way)
                        || free.verdict() == Cell.Verdict.PASSED
                        || free.verdict() == Cell.Verdict.SKIPPED;
        if (!shown) {
            table.fail(way + " shows nothing, since without limits: " + free.detail());
        }
        return one.isGood() && many.isGood() && shown;
    }

    private static String what(Way way) {
        return switch (way.kind()) {
            case MEMORY, REFUSED, UNSUPPORTED -> "memory";
            case HOSTILE, TRESPASS -> "memory, against the protocol";
            case HOST -> "host memory";
            case DAEMON -> "memory of the daemon";
            case INHERITED -> "memory after fork";
            case COMPUTE -> "compute";
            case ENDLESS -> "work without end";
            case COMPILE -> "compiling";
            case ACROSS -> "memory of others";
        };
    }

    /** Without limits a way that gets past them has done well: small letters. */
    private static String text(Way way, Cell cell) {
        boolean measured = way.kind() == Way.Kind.COMPUTE && cell.verdict() != Cell.Verdict.BROKEN;
        return measured ? cell + " (%.0f %%)".formatted(100 * cell.figure()) : cell.toString();
    }
}
