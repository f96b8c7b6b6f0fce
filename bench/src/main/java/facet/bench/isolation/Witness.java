package facet.bench.isolation;

import facet.bench.Places;
import facet.bench.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches the machine while something is measured: {@code bench/machine/witness.c}. Needs the right
 * to run before ordinary programs; without it everything counts.
 */
final class Witness implements AutoCloseable {
    private static final Path PROGRAM = Places.inRepository("native/target/bench/witness");
    private static final String WATCHING = "watching";

    private final Process process;
    private final BufferedReader lines;
    private final @Nullable String problem;

    Witness() throws IOException {
        if (!Files.isExecutable(PROGRAM)) {
            throw new IOException(
                    PROGRAM + " is missing. A C compiler builds it (Debian: gcc, libc6-dev)");
        }
        process =
                new ProcessBuilder(PROGRAM.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        lines = process.inputReader(StandardCharsets.UTF_8);
        String first = lines.readLine();
        problem = WATCHING.equals(first) ? null : String.valueOf(first);
    }

    /** Ends the watch. */
    Gaps gaps(Table table) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        List<long[]> all = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split(" ", -1);
            all.add(new long[] {Long.parseLong(fields[1]), Long.parseLong(fields[2])});
        }
        if (problem != null) {
            table.note("nobody watched the machine: " + problem + "; everything counts");
        }
        Gaps gaps = new Gaps(all);
        gaps.tell(table);
        return gaps;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
