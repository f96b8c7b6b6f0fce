package facet.abi.generate;

import java.util.ArrayList;
import java.util.List;

/** What a line of a table of commands says behind the kind; see {@link Command}. */
record CommandFields(
        List<Command.Value> values, String data, List<Command.Value> answers, Struct struct) {

    static CommandFields read(Table.Line line, String name, Struct header) {
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
        return new CommandFields(values, data, answers, struct.build());
    }
}
