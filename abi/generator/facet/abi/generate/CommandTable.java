package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A table of commands.
 *
 * @param name of the file
 * @param commands by their numbers
 */
record CommandTable(String name, Vocabulary vocabulary, List<Command> commands) {

    static CommandTable read(Path file, RecordTable records) throws IOException {
        List<Table.Line> lines = Table.read(file).lines();
        if (lines.isEmpty() || !lines.getFirst().words().getFirst().equals("vocabulary")) {
            throw new TableError(file, 1, "a table of commands starts with: vocabulary <Name>");
        }
        int end = 1;
        while (end < lines.size() && lines.get(end).indented()) {
            end++;
        }
        Vocabulary vocabulary = Vocabulary.read(lines.getFirst(), lines.subList(1, end));
        Reader reader = new Reader(vocabulary, records);
        lines.subList(end, lines.size()).forEach(reader::read);
        if (reader.commands.isEmpty()) {
            throw lines.getFirst().error("a vocabulary has a command");
        }
        return new CommandTable(
                String.valueOf(file.getFileName()),
                vocabulary,
                reader.commands.stream().sorted(Comparator.comparingInt(Command::type)).toList());
    }

    /** All vocabularies; no two have the same number, nor commands of the same name in C. */
    static List<CommandTable> readAll(List<Path> files, RecordTable records) throws IOException {
        List<CommandTable> tables = new ArrayList<>();
        Set<Integer> numbers = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (Path file : files) {
            CommandTable table = read(file, records);
            if (!numbers.add(table.vocabulary.number())) {
                throw new TableError(
                        file, 1, "another vocabulary has number " + table.vocabulary.number());
            }
            for (Command each : table.commands) {
                if (!names.add(each.name())) {
                    throw new TableError(
                            file, 1, "another vocabulary has a command " + each.name());
                }
            }
            tables.add(table);
        }
        return tables;
    }

    /** The lines below the head, one after the other. */
    private static final class Reader {
        private final Vocabulary vocabulary;
        private final Struct header;
        private final int answers;
        private final List<Command> commands = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private final Set<Integer> numbers = new HashSet<>();
        private String group = "";

        Reader(Vocabulary vocabulary, RecordTable records) {
            this.vocabulary = vocabulary;
            header = records.struct("RecordHeader");
            answers =
                    records.struct("ReplySlot").fields().stream()
                            .filter(field -> field.name().equals("payload"))
                            .findFirst()
                            .orElseThrow()
                            .count();
        }

        void read(Table.Line line) {
            if (line.words().getFirst().equals("group")) {
                group = line.word(1, "a name");
                return;
            }
            if (group.isEmpty()) {
                throw line.error("a command belongs to a group; start with: group <Name>");
            }
            Command command = command(line);
            if (!names.add(command.name())) {
                throw line.error("there are two commands " + command.name());
            }
            if (command.answers().size() > answers) {
                throw line.error("a reply has room for " + answers + " answers");
            }
            if (!command.waits() && !command.answers().isEmpty()) {
                throw line.error("only a wait command has answers");
            }
            commands.add(command);
        }

        private int number(Table.Line line) {
            int number = line.integer(0, "the number");
            if (number < 1 || number > Vocabulary.MOST_COMMANDS) { // a record of type 0 is padding
                throw line.error("numbers are from 1 to " + Vocabulary.MOST_COMMANDS);
            }
            if (!numbers.add(number)) {
                throw line.error("there are two commands with the number " + number);
            }
            return number;
        }

        private Command command(Table.Line line) {
            int type = vocabulary.type(number(line));
            String name = line.word(1, "a name");
            String kind = line.word(2, "post, async or wait");
            if (!List.of("post", "async", "wait").contains(kind)) {
                throw line.error("the third word is post, async or wait");
            }
            CommandFields fields = CommandFields.read(line, name, header);
            boolean retires = kind.equals("async");
            if (retires && fields.values().stream().noneMatch(CommandTable::isStream)) {
                throw line.error("an async command has a stream:u32");
            }
            return new Command(
                    name,
                    group,
                    type,
                    kind.equals("wait"),
                    retires,
                    fields.values(),
                    fields.data(),
                    fields.answers(),
                    fields.struct(),
                    type + " " + String.join(" ", line.wordsFrom(1)));
        }
    }

    private static boolean isStream(Command.Value value) {
        return value.name().equals(Command.STREAM) && value.type() == WireType.U32;
    }

    /** The commands of each group. */
    Map<String, List<Command>> groups() {
        Map<String, List<Command>> groups = new LinkedHashMap<>();
        for (Command each : commands) {
            groups.computeIfAbsent(each.group(), group -> new ArrayList<>()).add(each);
        }
        return groups;
    }

    /** The highest number. */
    int last() {
        return number(commands.getLast());
    }

    static int number(Command command) {
        return command.type() & Vocabulary.MOST_COMMANDS;
    }

    /** Of its commands in C. */
    String headerName() {
        return "facet_" + Names.snake(vocabulary.name()) + "_commands.h";
    }

    /** Of its digests in C. */
    String wireName() {
        return "facet_" + Names.snake(vocabulary.name()) + "_wire.h";
    }

    /** For the first line of what is generated from it. */
    String source() {
        return "abi/tables/" + name;
    }
}
