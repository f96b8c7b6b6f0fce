package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** commands.table. Types are numbered from 1 in the order of the lines; 0 is padding. */
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
        for (Table.Line line : Table.read(file).lines()) {
            Command command = command(line, commands.size() + 1, records.struct("RecordHeader"));
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

    private static Command command(Table.Line line, int type, Struct header) {
        String name = line.word(0, "a name");
        boolean waits =
                switch (line.word(1, "post or wait")) {
                    case "post" -> false;
                    case "wait" -> true;
                    default -> throw line.error("the second word is post or wait");
                };
        Struct.Builder struct = new Struct.Builder("Command" + name);
        struct.add("header", header, 0, "");
        List<Command.Value> values = new ArrayList<>();
        List<Command.Value> answers = new ArrayList<>();
        String data = "";
        boolean answering = false;
        for (String word : line.wordsFrom(2)) {
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
        return new Command(name, type, waits, values, data, answers, struct.build());
    }
}
