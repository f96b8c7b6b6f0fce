package facet.testkit.filetest;

import facet.device.Launch.Dim;
import facet.device.TextureDescription;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
            @Nullable Dim cluster,
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

        /**
         * The handle of a texture or surface over memory that has been declared before.
         *
         * @param description with addresses from the start of that memory on
         */
        record Texture(String name, TextureDescription description) implements Argument {}
    }

    /**
     * A module variable that takes part under its own name; without values it keeps what it has.
     */
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
     * An error of a launch or of loading.
     *
     * @param code the CUresult; 0 stands for any
     * @param position {@code line:column}; empty stands for any
     * @param part what the message must contain
     */
    record ErrorExpectation(int line, int code, String position, String part) {}
}
