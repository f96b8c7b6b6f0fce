package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The lines of a table that say something: without comments and empty lines. */
record Table(Path file, List<Line> lines) {

    /**
     * @param indented whether it starts with a space: then it belongs to the line before
     * @param text without its comment
     * @param comment what follows the # of this line, or ""
     */
    record Line(
            Path file,
            int number,
            boolean indented,
            String text,
            List<String> words,
            String comment) {

        TableError error(String problem) {
            return new TableError(file, number, problem);
        }

        String word(int index, String what) {
            if (index >= words.size()) {
                throw error(what + " is missing");
            }
            return words.get(index);
        }

        List<String> wordsFrom(int index) {
            return words.subList(Math.min(index, words.size()), words.size());
        }

        /** What follows the first words. */
        String textAfter(int count) {
            String[] parts = text.split("\\s+", count + 1);
            return parts.length > count ? parts[count] : "";
        }

        int integer(int index, String what) {
            String word = word(index, what);
            try {
                return Integer.decode(word);
            } catch (NumberFormatException e) {
                throw error(what + " is not a number: " + word);
            }
        }
    }

    static Table read(Path file) throws IOException {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        for (String text : Files.readAllLines(file)) {
            number++;
            int hash = text.indexOf('#');
            String content = hash < 0 ? text : text.substring(0, hash);
            String comment = hash < 0 ? "" : text.substring(hash + 1).strip();
            if (!content.isBlank()) {
                String said = content.strip();
                List<String> words = List.of(said.split("\\s+"));
                lines.add(new Line(file, number, content.startsWith(" "), said, words, comment));
            }
        }
        return new Table(file, List.copyOf(lines));
    }
}
