package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * worker.table.
 *
 * @param parts by name
 * @param digest of all of it
 */
record MessageTable(Map<String, List<MessageField>> parts, List<Message> messages, long digest) {

    /** Who hears a message. */
    enum Hearer {
        DAEMON,
        WORKER
    }

    /**
     * @param descriptors how many may come with it
     */
    record Message(
            int number,
            String name,
            Hearer hearer,
            List<MessageField> fields,
            List<Integer> descriptors) {}

    static MessageTable read(Path file) throws IOException {
        Map<String, List<MessageField>> parts = new LinkedHashMap<>();
        List<Message> messages = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<Integer> numbers = new HashSet<>();
        long digest = Digests.START;
        for (Table.Line line : Table.read(file).lines()) {
            digest = Digests.add(digest, String.join(" ", line.words()));
            String name = line.word(1, "a name");
            if (!names.add(name)) {
                throw line.error("there are two of " + name);
            }
            if (line.words().getFirst().equals("part")) {
                parts.put(name, fields(line, line.wordsFrom(2), parts.keySet()));
                continue;
            }
            Message message = message(line, name, parts.keySet());
            if (message.number < 1 || message.number > 0xffff || !numbers.add(message.number)) {
                throw line.error("messages have numbers from 1 to 65535, and no two the same");
            }
            messages.add(message);
        }
        return new MessageTable(parts, messages, digest);
    }

    private static Message message(Table.Line line, String name, Set<String> parts) {
        Hearer hearer =
                switch (line.word(2, "daemon or worker")) {
                    case "daemon" -> Hearer.DAEMON;
                    case "worker" -> Hearer.WORKER;
                    default -> throw line.error("the third word is daemon or worker");
                };
        int plus = line.words().indexOf("+");
        int end = plus < 0 ? line.words().size() : plus;
        List<Integer> descriptors = new ArrayList<>();
        for (int i = plus + 1; plus >= 0 && i < line.words().size(); i++) {
            descriptors.add(line.integer(i, "a number of descriptors"));
        }
        if (plus >= 0 && descriptors.isEmpty()) {
            throw line.error("+ is followed by how many descriptors there are");
        }
        return new Message(
                line.integer(0, "the number"),
                name,
                hearer,
                fields(line, line.words().subList(3, end), parts),
                descriptors.isEmpty() ? List.of(0) : descriptors);
    }

    private static List<MessageField> fields(
            Table.Line line, List<String> words, Set<String> parts) {
        List<MessageField> fields = new ArrayList<>();
        for (String word : words) {
            MessageField field = MessageField.read(line, word, parts);
            if (fields.stream().anyMatch(each -> each.name().equals(field.name()))) {
                throw line.error("there are two fields " + field.name());
            }
            fields.add(field);
        }
        return fields;
    }

    List<Message> heardBy(Hearer hearer) {
        return messages.stream().filter(each -> each.hearer == hearer).toList();
    }
}
