package facet.abi.generate;

import java.util.Locale;

/** Lines of a generated file. */
final class Text {
    /** Where the hand-written Java of this module is. */
    static final String SHARED = "facet.abi";

    private final StringBuilder text = new StringBuilder();

    /** A file of C; the tables are named so that people know where to change it. */
    static Text c(String tables) {
        return new Text().line("/* Generated from %s. */", tables);
    }

    static Text java(String tables) {
        return java(tables, SHARED);
    }

    static Text java(CommandTable table) {
        return java(table.source(), table.vocabulary().javaPackage());
    }

    static Text java(String tables, String javaPackage) {
        return new Text()
                .line("// Generated from %s.", tables)
                .line("package %s;", javaPackage)
                .line();
    }

    /** Imports what all vocabularies use, unless they live beside it. */
    void importShared(CommandTable table, String... names) {
        if (!table.vocabulary().javaPackage().equals(SHARED)) {
            for (String name : names) {
                line("import %s.%s;", SHARED, name);
            }
            line();
        }
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
