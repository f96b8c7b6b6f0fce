package facet.place;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How places are compared: scores and their weights, and what decides between equals. Read from a
 * text, a line each:
 *
 * <pre>
 * score NAME WEIGHT [points]  points: rounded as schedulers of Kubernetes do
 * nodes first|random          which of nodes with equal cost
 * devices first|tight|random  which of devices with equal cost
 * mix learned|given           from what arrives, or from what is known before
 * popularity PART             which part of all requests the mix has
 * demand EXPONENT             how much larger requests count more in the mix
 * </pre>
 *
 * @param scores none: all places are equal
 */
public record Policy(
        String name,
        List<Weighted> scores,
        Tie nodes,
        Tie devices,
        boolean learns,
        Mix.Terms terms) {
    /** Which of several equally good ones. */
    enum Tie {
        FIRST,
        /** The device with least free. */
        TIGHT,
        RANDOM
    }

    record Weighted(Scores score, double weight, boolean points) {}

    /** A text that is no policy; the message says where. */
    public static final class PolicyException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        PolicyException(String message) {
            super(message);
        }
    }

    public Policy {
        scores = List.copyOf(scores);
    }

    public static Policy parse(String name, String text) {
        List<Weighted> scores = new ArrayList<>();
        Tie nodes = Tie.FIRST;
        Tie devices = Tie.TIGHT;
        boolean learns = true;
        double popularity = 1;
        double demand = 0;
        int number = 0;
        for (String line : text.split("\n", -1)) {
            String where = "policy " + name + ", line " + ++number + ": ";
            String words = line.replaceFirst("#.*", "").strip();
            if (words.isEmpty()) {
                continue;
            }
            List<String> word = List.of(words.split("\\s+"));
            String value = word.size() > 1 ? word.get(1) : "";
            int most = word.getFirst().equals("score") ? 4 : 2;
            if (word.size() > most) {
                throw new PolicyException(where + "'" + word.get(most) + "' is one word too many");
            }
            switch (word.getFirst()) {
                case "score" -> scores.add(weighted(where, word));
                case "nodes" -> nodes = tie(where, value, Tie.FIRST, Tie.RANDOM);
                case "devices" -> devices = tie(where, value, Tie.values());
                case "mix" -> learns = learns(where, value);
                case "popularity" -> popularity = number(where, value);
                case "demand" -> demand = number(where, value);
                default ->
                        throw new PolicyException(
                                where
                                        + "'"
                                        + word.getFirst()
                                        + "' is none of score, nodes, devices, mix, popularity,"
                                        + " demand");
            }
        }
        try {
            Mix.Terms terms = new Mix.Terms(popularity, demand);
            return new Policy(name, scores, nodes, devices, learns, terms);
        } catch (IllegalArgumentException e) {
            throw new PolicyException("policy " + name + ": " + e.getMessage());
        }
    }

    private static Weighted weighted(String where, List<String> word) {
        if (word.size() < 3) {
            throw new PolicyException(where + "a score has a name and a weight");
        }
        if (word.size() == 4 && !word.get(3).equals("points")) {
            throw new PolicyException(where + "'" + word.get(3) + "' is not 'points'");
        }
        for (Scores each : Scores.values()) {
            if (each.word().equals(word.get(1))) {
                return new Weighted(each, number(where, word.get(2)), word.size() == 4);
            }
        }
        throw new PolicyException(
                where
                        + "there is no score '"
                        + word.get(1)
                        + "'; there are "
                        + String.join(
                                ", ", Arrays.stream(Scores.values()).map(Scores::word).toList()));
    }

    private static Tie tie(String where, String value, Tie... allowed) {
        List<String> names =
                Arrays.stream(allowed).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
        int found = names.indexOf(value);
        if (found < 0) {
            throw new PolicyException(
                    where + "'" + value + "' is none of " + String.join(", ", names));
        }
        return allowed[found];
    }

    private static boolean learns(String where, String value) {
        if (!value.equals("learned") && !value.equals("given")) {
            throw new PolicyException(where + "a mix is learned or given, not '" + value + "'");
        }
        return value.equals("learned");
    }

    private static double number(String where, String value) {
        if (!value.matches("-?[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            throw new PolicyException(where + "'" + value + "' is no number such as 0.25");
        }
        return Double.parseDouble(value);
    }
}
