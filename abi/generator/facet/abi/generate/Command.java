package facet.abi.generate;

import java.util.List;

/**
 * A line of commands.table.
 *
 * @param values the fields without the data and without unused ones
 * @param data name of the bytes that follow the fixed part, "" when none do
 * @param struct the fixed part
 */
record Command(
        String name,
        int type,
        boolean waits,
        List<Value> values,
        String data,
        List<Value> answers,
        Struct struct) {

    record Value(String name, WireType type) {
        String snake() {
            return Names.snake(name);
        }
    }

    boolean hasData() {
        return !data.isEmpty();
    }

    /** Of the field that holds the length of the data. */
    static String lengthOf(String data) {
        return data + "Bytes";
    }
}
