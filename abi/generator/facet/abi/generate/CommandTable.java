package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** commands.table. */
record CommandTable(List<Command> commands) {

    static CommandTable read(Path file, RecordTable records) throws IOException {
        int words =
                records.struct("ReplySlot").fields().stream()
                        .filter(field -> field.name().equals("payload"))
                        .findFirst()
                        .orElseThrow()
                        .count();
        List<Command> commands = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int last = 0; // padding
        for (Table.Line line : Table.read(file).lines()) {
            Command command = command(line, records.struct("RecordHeader"));
            if (command.type() <= last || command.type() > 0xffff) {
                throw line.error("numbers go up, from 1 to 65535");
            }
            last = command.type();
            if (!names.add(command.name())) {
                throw line.error("there are two commands " + command.name());
            }
            if (command.answers().size() > words) {
                throw line.error("a reply has room for " + words + " answers");
            }
            if (!command.waits() && !command.answers().isEmpty()) {
                throw line.error("only a wait command has answers");
            }
            commands.add(command);
        }
        return new CommandTable(commands);
    }

    private static Command command(Table.Line line, Struct header) {
        int type = line.integer(0, "the number");
        String name = line.word(1, "a name");
        String kind = line.word(2, "post, async or wait");
        if (!List.of("post", "async", "wait").contains(kind)) {
            throw line.error("the third word is post, async or wait");
        }
        Struct.Builder struct = new Struct.Builder("Command" + name);
        struct.add("header", header, 0, "");
        List<Command.Value> values = new ArrayList<>();
        List<Command.Value> answers = new ArrayList<>();
        String data = "";
        boolean answering = false;
        for (String word : line.wordsFrom(3)) {
            if (word.equals("->")) {
                answering = true;
                continue;
            }
            String[] parts = word.split(":", -1);
            if (parts.length != 2) {
                throw line.error("a field is name:type, not " + word);
            }
            if (answering) {
                answers.add(new Command.Value(parts[0], WireType.of(line, parts[1])));
                continue;
            }
            if (!data.isEmpty()) {
                throw line.error("bytes can only be the last field");
            }
            if (parts[1].equals("bytes")) {
                data = parts[0];
                struct.add(Command.lengthOf(parts[0]), WireType.U32, 0, "of what follows");
                continue;
            }
            WireType wire = WireType.of(line, parts[1]);
            struct.add(parts[0], wire, 0, "");
            if (!parts[0].startsWith("unused")) {
                values.add(new Command.Value(parts[0], wire));
            }
        }
        boolean retires = kind.equals("async");
        if (retires && values.stream().noneMatch(CommandTable::isStream)) {
            throw line.error("an async command has a stream:u32");
        }
        return new Command(
                name,
                type,
                kind.equals("wait"),
                retires,
                values,
                data,
                answers,
                struct.build(),
                String.join(" ", line.words()));
    }

    private static boolean isStream(Command.Value value) {
        return value.name().equals(Command.STREAM) && value.type() == WireType.U32;
    }

    int last() {
        return commands.getLast().type();
    }
}
