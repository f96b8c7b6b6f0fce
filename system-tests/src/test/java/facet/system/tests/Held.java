package facet.system.tests;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What driver/hold_memory.c says about the memory that it asked for.
 *
 * @param result a CUresult
 * @param total bytes that it sees of its slice
 */
record Held(int result, long available, long total) {
    static Held of(Process process) throws IOException {
        return of(process.inputReader().readLine());
    }

    static Held of(@Nullable String line) {
        if (line == null || !line.matches("\\d+ \\d+ \\d+")) {
            return fail("it said '" + line + "'");
        }
        List<String> words = List.of(line.split(" ", -1));
        return new Held(
                Integer.parseInt(words.get(0)),
                Long.parseLong(words.get(1)),
                Long.parseLong(words.get(2)));
    }
}
