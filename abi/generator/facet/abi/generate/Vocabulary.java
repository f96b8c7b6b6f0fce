package facet.abi.generate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The head of a table of commands: an API that programs speak in a session.
 *
 * @param number what the types of its records start with
 * @param javaPackage of what is generated
 * @param errors what its commands end with, in C
 * @param header where C finds that
 * @param gone the error when there is no session any more
 * @param invalid the error when there is too much data
 */
record Vocabulary(
        String name,
        int number,
        String javaPackage,
        String errors,
        String header,
        String gone,
        String invalid) {

    /** Bits of a record's type that number the command; the others number the vocabulary. */
    static final int COMMAND_BITS = 12;

    static final int MOST_COMMANDS = (1 << COMMAND_BITS) - 1;
    private static final int MOST = (1 << 16 - COMMAND_BITS) - 1;
    private static final List<String> WORDS =
            List.of("number", "package", "errors", "gone", "invalid");

    /**
     * @param first the line that begins it
     * @param more those that are indented behind it
     */
    static Vocabulary read(Table.Line first, List<Table.Line> more) {
        Map<String, Table.Line> lines = new HashMap<>();
        for (Table.Line line : more) {
            String word = line.word(0, "a word");
            if (!WORDS.contains(word) || lines.put(word, line) != null) {
                throw line.error("a vocabulary has one each of " + String.join(", ", WORDS));
            }
        }
        Table.Line number = line("number", first, lines);
        Table.Line errors = line("errors", first, lines);
        Vocabulary vocabulary =
                new Vocabulary(
                        first.word(1, "a name"),
                        number.integer(1, "the number"),
                        line("package", first, lines).word(1, "a package"),
                        errors.word(1, "a type"),
                        errors.word(2, "a header"),
                        line("gone", first, lines).word(1, "an error"),
                        line("invalid", first, lines).word(1, "an error"));
        if (vocabulary.number < 0 || vocabulary.number > MOST) {
            throw number.error("vocabularies have numbers from 0 to " + MOST);
        }
        return vocabulary;
    }

    private static Table.Line line(String word, Table.Line first, Map<String, Table.Line> lines) {
        Table.Line line = lines.get(word);
        if (line == null) {
            throw first.error("the vocabulary does not say its " + word);
        }
        return line;
    }

    /** Of the records of a command. */
    int type(int command) {
        return number << COMMAND_BITS | command;
    }
}
