package facet.testkit.filetest;

import facet.device.Launch.Dim;
import java.util.List;
import java.util.Optional;

/**
 * A parsed file.
 *
 * @param ptx the whole file: positions in messages are positions in the file
 * @param refused the error that loading must end with; empty when the file is run
 * @param fails why the file is known to fail
 */
record Filetest(
        String ptx, Optional<ErrorExpectation> refused, Optional<String> fails, List<Step> steps) {

    /** One launch with what is passed to it and what is true after it. */
    record Step(
            int line,
            String kernel,
            Dim grid,
            Dim block,
            int shared,
            boolean cooperative,
            List<Argument> arguments,
            List<Global> globals,
            List<Expectation> expectations,
            List<PrintExpectation> prints,
            Optional<ErrorExpectation> error) {}

    /** A parameter of a kernel, in the order of the lines. */
    sealed interface Argument {
        /** New memory with these contents; its address is passed. */
        record Buffer(String name, ElementType type, long[] values) implements Argument {}

        /** The address of memory that has been declared before. */
        record Use(String name, long offset) implements Argument {}

        record Scalar(byte[] bytes) implements Argument {}
    }

    /** A module variable that takes part under its own name; null values leave what it has. */
    record Global(String name, ElementType type, int count, Optional<long[]> values) {}

    /**
     * The contents of a buffer or module variable.
     *
     * @param line of the directive, from 1
     * @param lines that it and its continuation take
     */
    record Expectation(int line, int lines, String name, Tolerance tolerance, String values) {}

    record PrintExpectation(int line, String text) {}

    /**
     * @param text parts, in this order: code (or 0), line:column (or empty), piece of the message
     */
    record ErrorExpectation(int line, int code, String position, String part) {}
}
