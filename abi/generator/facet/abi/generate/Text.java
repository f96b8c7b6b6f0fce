package facet.abi.generate;

import java.util.Locale;

/** Lines of a generated file. */
final class Text {
    private final StringBuilder text = new StringBuilder();

    /** A file of C; the tables are named so that people know where to change it. */
    static Text c(String tables) {
        return new Text().line("/* Generated from %s. */", tables);
    }

    static Text java(String tables) {
        return new Text().line("// Generated from %s.", tables).line("package facet.abi;").line();
    }

    Text line() {
        text.append('\n');
        return this;
    }

    // The annotation is not there when the program is started from its sources.
    @SuppressWarnings("AnnotateFormatMethod")
    Text line(String format, Object... values) {
        text.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
        text.append('\n');
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
