package facet.abi.generate;

import java.nio.charset.StandardCharsets;

/**
 * What two builds compare to learn whether they mean the same by their commands. One that has new
 * commands besides agrees with an older one on all that the older one knows.
 */
final class Digests {
    static final long START = 0xcbf29ce484222325L;
    private static final long FACTOR = 0x100000001b3L;

    private Digests() {}

    /** FNV-1a: it is to tell mistakes, not attacks. */
    static long add(long digest, String line) {
        long sum = digest;
        for (byte each : (line + "\n").getBytes(StandardCharsets.UTF_8)) {
            sum = (sum ^ (each & 0xff)) * FACTOR;
        }
        return sum;
    }

    /** Of the commands up to each number; a number without a command has that of the one before. */
    static long[] of(CommandTable table) {
        long[] digests = new long[table.last() + 1];
        digests[0] = START;
        int number = 0;
        for (Command each : table.commands()) {
            while (++number < CommandTable.number(each)) {
                digests[number] = digests[number - 1];
            }
            digests[number] = add(digests[number - 1], each.signature());
        }
        return digests;
    }

    /** Of all layouts and constants. */
    static long of(RecordTable table) {
        long digest = START;
        for (RecordTable.Constant each : table.constants()) {
            digest = add(digest, each.name() + " " + each.value());
        }
        for (Struct each : table.structs().values()) {
            digest = add(digest, each.name() + " " + each.bytes());
            for (Field field : each.fields()) {
                digest = add(digest, field.pinned() + " " + field.offset());
            }
        }
        return digest;
    }

    static String c(CommandTable table) {
        String name = Names.upper(table.vocabulary().name());
        Text text = Text.c(table.source());
        text.line("#ifndef FACET_%s_WIRE_H", name).line("#define FACET_%s_WIRE_H", name).line();
        text.line("#include <stdint.h>").line();
        text.line(
                "/* The highest number of a command, and the digest of the commands up to each. */");
        text.line("#define FACET_%s_COMMANDS %d", name, table.last());
        text.line(
                "static const uint64_t facet_%s_digests[FACET_%s_COMMANDS + 1] = {",
                Names.snake(table.vocabulary().name()), name);
        for (long each : of(table)) {
            text.line("    UINT64_C(0x%016x),", each);
        }
        return text.line("};").line().line("#endif").toString();
    }

    static String java(CommandTable table) {
        String name = table.vocabulary().name() + "Wire";
        Text text = Text.java(table);
        text.line("/** The commands of this build, as others are told of them. */");
        text.line("public final class %s {", name);
        text.line("    /** The highest number of one. */");
        text.line("    public static final int COMMANDS = %d;", table.last()).line();
        text.line("    private static final long[] DIGESTS = {");
        for (long each : of(table)) {
            text.line("        0x%016xL,", each);
        }
        text.line("    };").line();
        text.line("    private %s() {}", name).line();
        text.line("    /** Of the commands up to a number. */");
        text.line("    public static long digest(int last) {");
        text.line("        return DIGESTS[last];");
        return text.line("    }").line("}").toString();
    }
}
