package facet.abi.generate;

import java.util.List;

/**
 * A line of a table of commands.
 *
 * @param group of commands that have one handler
 * @param type of its records: the number of the vocabulary, and its own
 * @param retires whether both sides count it: the client when it is sent, the host when it has
 *     ended
 * @param values the fields without the data and without unused ones
 * @param data name of the bytes that follow the fixed part, "" when none do
 * @param struct the fixed part
 * @param signature its type and the rest of the line, without what has no meaning
 */
record Command(
        String name,
        String group,
        int type,
        boolean waits,
        boolean retires,
        List<Value> values,
        String data,
        List<Value> answers,
        Struct struct,
        String signature) {

    /** Of the field that every command has that retires. */
    static final String STREAM = "stream";

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
