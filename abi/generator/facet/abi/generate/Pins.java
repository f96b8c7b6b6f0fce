package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * pinned.table: what was ever sent. Within a protocol no layout changes and no command, and no
 * number is ever used for a second one.
 */
final class Pins {
    private static final String START =
            """
            # What was ever sent. Written by the generator, which never changes or removes a line of the present protocol.
            #
            #   protocol  number  digest of records.table
            #   command   the protocol in which it was last seen, and its line of commands.table
            """;

    /**
     * @param line where it stands
     */
    private record Pin(Table.Line line, int protocol, int number, String name, String signature) {
        String text() {
            return "command " + protocol + "  " + signature;
        }
    }

    private final Path file;
    private final Map<Integer, Pin> commands = new TreeMap<>();
    private int protocol;
    private String digest = "";

    private Pins(Path file) {
        this.file = file;
    }

    static Pins read(Path file) throws IOException {
        Pins pins = new Pins(file);
        if (!Files.exists(file)) {
            return pins;
        }
        for (Table.Line line : Table.read(file).lines()) {
            switch (line.word(0, "what it is")) {
                case "protocol" -> {
                    pins.protocol = line.integer(1, "the protocol");
                    pins.digest = line.word(2, "a digest");
                }
                case "command" -> {
                    Pin pin =
                            new Pin(
                                    line,
                                    line.integer(1, "the protocol"),
                                    line.integer(2, "a number"),
                                    line.word(3, "a name"),
                                    String.join(" ", line.wordsFrom(2)));
                    pins.commands.put(pin.number, pin);
                }
                default -> throw line.error("a line starts with protocol or command");
            }
        }
        return pins;
    }

    /** Finds what may not be so. */
    void check(RecordTable records, List<CommandTable> vocabularies) {
        int now = protocolOf(records);
        if (now < protocol) {
            throw new TableError(file, 1, "protocol " + now + " is older than " + protocol);
        }
        if (now == protocol && !digest.equals(digestOf(records))) {
            throw new TableError(
                    file,
                    1,
                    "records.table is not what protocol "
                            + now
                            + " is: a new layout needs a new PROTOCOL");
        }
        Map<Integer, Command> present = new TreeMap<>();
        vocabularies.forEach(
                table -> table.commands().forEach(each -> present.put(each.type(), each)));
        for (Pin pin : commands.values()) {
            Command command = present.get(pin.number);
            if (command == null ? pin.protocol == now : !command.name().equals(pin.name)) {
                throw pin.line.error(
                        "the number "
                                + pin.number
                                + " is "
                                + pin.name
                                + "'s for ever; another command gets another one");
            }
            if (command != null
                    && pin.protocol == now
                    && !command.signature().equals(pin.signature)) {
                throw pin.line.error(
                        pin.name
                                + " has changed: older libraries send it as it was. Add another"
                                + " command, with a number of its own");
            }
        }
    }

    /** As it should be now; what is not there any more keeps its numbers. */
    String text(RecordTable records, List<CommandTable> vocabularies) {
        int now = protocolOf(records);
        Map<Integer, String> lines = new TreeMap<>();
        commands.values().forEach(each -> lines.put(each.number, each.text()));
        for (CommandTable table : vocabularies) {
            table.commands()
                    .forEach(each ->
                            lines.put(each.type(), "command " + now + "  " + each.signature()));
        }
        List<String> all = new ArrayList<>();
        all.add(START + "protocol " + now + "  " + digestOf(records));
        all.addAll(lines.values());
        return String.join("\n", all) + "\n";
    }

    private static int protocolOf(RecordTable records) {
        return records.constants().stream()
                .filter(each -> each.name().equals("PROTOCOL"))
                .mapToInt(each -> Integer.decode(each.value()))
                .findFirst()
                .orElseThrow();
    }

    private static String digestOf(RecordTable records) {
        return "0x%016x".formatted(Digests.of(records));
    }
}
