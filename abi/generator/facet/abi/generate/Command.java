package facet.abi.generate;

import java.util.List;
import java.util.Optional;

/**
 * A line of commands.table.
 *
 * @param values the fields without the data and without unused ones
 * @param data name of the bytes that follow the fixed part
 * @param struct the fixed part
 */
record Command(
        String name,
        int type,
        boolean waits,
        List<Value> values,
        Optional<String> data,
        List<Value> answers,
        Struct struct) {

    record Value(String name, WireType type) {
        String snake() {
            return Names.snake(name);
        }
    }

    /** Of the field that holds the length of the data. */
    static String lengthOf(String data) {
        return data + "Bytes";
    }

    int offset(String field) {
        return struct.fields().stream()
                .filter(each -> each.name().equals(field))
                .findFirst()
                .orElseThrow()
                .offset();
    }
}
