package facet.abi.generate;

import java.nio.file.Path;

/** A line of a table that cannot be understood. */
final class TableError extends RuntimeException {
    private static final long serialVersionUID = 1;

    TableError(Path file, int line, String problem) {
        super(file + ":" + line + ": " + problem);
    }
}
