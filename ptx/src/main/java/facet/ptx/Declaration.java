package facet.ptx;

import java.util.List;

/** What may stand at the top level of a module, in the order of the text. */
public sealed interface Declaration
        permits Function,
                Declaration.Global,
                Declaration.File,
                Declaration.Section,
                Declaration.Alias,
                Declaration.Pragma {

    /** A variable outside functions. */
    record Global(Variable variable) implements Declaration {}

    /** {@code .file 1 "a.cu"}, optionally with timestamp and size (kept as text). */
    record File(int index, String name, List<Long> stamps) implements Declaration {}

    /** {@code .section .debug_info { … }}: DWARF, kept as text and not interpreted. */
    record Section(String name, String content) implements Declaration {}

    record Alias(Position position, String name, String target) implements Declaration {}

    record Pragma(List<String> texts) implements Declaration {}
}
