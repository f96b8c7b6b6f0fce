package facet.abi.generate;

import java.nio.file.Path;

/** Something that a person must change: a line of a table, mostly. */
final class TableError extends RuntimeException {
    private static final long serialVersionUID = 1;

    TableError(String problem) {
        super(problem);
    }

    TableError(Path file, int line, String problem) {
        super(file + ":" + line + ": " + problem);
    }
}
