package facet.ptx;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The forms of {@code instructions.table} and of the tables beside it, read once. */
public final class InstructionTable {
    /** Sets of the first are known in the others. */
    private static final List<String> TABLES =
            List.of("instructions.table", "matrix.table", "narrow.table", "async.table");

    private static final List<Form> FORMS = read();
    private static final Map<Opcode, List<Form>> BY_OPCODE = byOpcode();

    private InstructionTable() {}

    /** All forms in the order of the manual. */
    public static List<Form> forms() {
        return FORMS;
    }

    /** The forms of an opcode; empty for one that Facet does not run. */
    public static List<Form> forms(Opcode opcode) {
        return BY_OPCODE.getOrDefault(opcode, List.of());
    }

    /** The form whose suffixes and number of operands fit; null when the table has none. */
    public static @Nullable Form find(Instruction instruction) {
        for (Form form : forms(instruction.opcode())) {
            if (form.accepts(instruction.suffixes()) && form.patterns(instruction) != null) {
                return form;
            }
        }
        return null;
    }

    private static Map<Opcode, List<Form>> byOpcode() {
        Map<Opcode, List<Form>> map = new EnumMap<>(Opcode.class);
        for (Form form : FORMS) {
            map.computeIfAbsent(form.opcode(), k -> new ArrayList<>()).add(form);
        }
        map.replaceAll((opcode, forms) -> List.copyOf(forms));
        return map;
    }

    private static List<Form> read() {
        TableReader reader = new TableReader();
        TABLES.forEach(table -> read(table, reader));
        return reader.forms();
    }

    private static void read(String table, TableReader reader) {
        try (InputStream stream = InstructionTable.class.getResourceAsStream(table)) {
            if (stream == null) {
                throw new IllegalStateException(table + " is not on the class path");
            }
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reader.line(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
