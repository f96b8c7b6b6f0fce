package facet.abi.generate;

import java.nio.charset.StandardCharsets;

/**
 * What two builds compare to learn whether they mean the same by their commands. One that has new
 * commands besides agrees with an older one on all that the older one knows.
 */
final class Digests {
    private static final long START = 0xcbf29ce484222325L;
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
            while (++number < each.type()) {
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
                digest = add(digest, field.declaration() + " " + field.offset());
            }
        }
        return digest;
    }

    static String c(CommandTable table) {
        Text text = Text.c("abi/tables/commands.table");
        text.line("#ifndef FACET_WIRE_H").line("#define FACET_WIRE_H").line();
        text.line("#include <stdint.h>").line();
        text.line(
                "/* The highest number of a command, and the digest of the commands up to each. */");
        text.line("#define FACET_COMMANDS %d", table.last());
        text.line("static const uint64_t facet_command_digests[FACET_COMMANDS + 1] = {");
        for (long each : of(table)) {
            text.line("    UINT64_C(0x%016x),", each);
        }
        return text.line("};").line().line("#endif").toString();
    }

    static String java(CommandTable table) {
        Text text = Text.java("abi/tables/commands.table");
        text.line("/** The commands of this build, as others are told of them. */");
        text.line("public final class Wire {");
        text.line("    /** The highest number of one. */");
        text.line("    public static final int COMMANDS = %d;", table.last()).line();
        text.line("    private static final long[] DIGESTS = {");
        for (long each : of(table)) {
            text.line("        0x%016xL,", each);
        }
        text.line("    };").line();
        text.line("    private Wire() {}").line();
        text.line("    /** Of the commands up to a number. */");
        text.line("    public static long digest(int last) {");
        text.line("        return DIGESTS[last];");
        return text.line("    }").line("}").toString();
    }
}
