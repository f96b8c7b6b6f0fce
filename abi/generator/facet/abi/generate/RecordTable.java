package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** records.table: constants, and the records in their order. */
record RecordTable(List<Constant> constants, Map<String, Struct> structs) {

    /**
     * @param value as it is written in the table
     */
    record Constant(String name, String value, String comment) {}

    private static final Pattern FIELD = Pattern.compile("(\\w+):(\\w+)(?:\\[(\\d+)])?");

    private static final Pattern WAS = Pattern.compile("was:(\\w+)");

    static RecordTable read(Path file) throws IOException {
        List<Constant> constants = new ArrayList<>();
        Map<String, Struct> structs = new LinkedHashMap<>();
        Struct.Builder builder = null;
        String name = "";
        for (Table.Line line : Table.read(file).lines()) {
            if (line.indented()) {
                if (builder == null) {
                    throw line.error("a field belongs to a record; start with: record <Name>");
                }
                addField(line, builder, structs);
                continue;
            }
            if (builder != null) {
                structs.put(name, builder.build());
                builder = null;
            }
            name = line.word(1, "a name");
            switch (line.word(0, "what it is")) {
                case "constant" -> {
                    line.integer(2, "the value");
                    constants.add(new Constant(name, line.word(2, "the value"), line.comment()));
                }
                case "record" -> builder = new Struct.Builder(name);
                default ->
                        throw line.error("a line starts with constant or record, or is indented");
            }
        }
        if (builder != null) {
            structs.put(name, builder.build());
        }
        return new RecordTable(constants, structs);
    }

    private static void addField(
            Table.Line line, Struct.Builder builder, Map<String, Struct> structs) {
        Matcher field = FIELD.matcher(line.word(0, "a field"));
        Matcher was = WAS.matcher(line.words().size() == 2 ? line.words().get(1) : "");
        if (!field.matches() || line.words().size() != 1 && !was.matches()) {
            throw line.error("a field is name:type or name:type[count], and then was:name");
        }
        String before = line.words().size() == 1 ? field.group(1) : was.group(1);
        int count = field.group(3) == null ? 0 : Integer.parseInt(field.group(3));
        Struct struct = structs.get(field.group(2));
        if (struct != null) {
            builder.add(field.group(1), struct, count, before, line.comment());
        } else {
            WireType type = WireType.of(line, field.group(2));
            builder.add(field.group(1), type, count, before, line.comment());
        }
    }

    Struct struct(String name) {
        Struct struct = structs.get(name);
        if (struct == null) {
            throw new IllegalStateException("records.table has no record " + name);
        }
        return struct;
    }
}
