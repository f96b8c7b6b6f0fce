package facet.host.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the programs of a slice asked for and did not get, and how often. Names come from strangers:
 * they are cleaned, cut, and so many are told apart; the others are counted together. Any thread.
 */
public final class UnsupportedCounts {
    /** So many names are told apart. */
    public static final int MOST_NAMES = 256;

    /** Characters of a name. */
    public static final int LONGEST_NAME = 100;

    /** Stands for all names beyond those. */
    public static final String OTHERS = "(others)";

    /** What was asked for. */
    public enum Kind {
        CALL,
        INSTRUCTION,
        /** A call that passed, of which nobody knows what it does: the direct engine's. */
        UNRULED,
        /** Code whose launches run whole, with the reason: the direct engine's. */
        WHOLE;

        /** As people and programs read it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Name(Kind kind, String text) {}

    /** How often one was asked for. */
    public record Entry(Kind kind, String name, long count) {}

    private final Map<Name, Long> counts = new HashMap<>();

    /** What somebody else has not been told yet. */
    private final Map<Name, Long> untold = new HashMap<>();

    /** Whether it is asked for the first time, under a name of its own. */
    public boolean add(Kind kind, String name) {
        return add(kind, name, 1);
    }

    /**
     * @param count below 1 is nothing: a stranger may have said it
     */
    public synchronized boolean add(Kind kind, String name, long count) {
        if (count < 1) {
            return false;
        }
        Name key = new Name(kind, clean(name));
        boolean first = !counts.containsKey(key);
        if (first && counts.size() >= MOST_NAMES) {
            key = new Name(kind, OTHERS);
            first = false;
        }
        counts.merge(key, count, UnsupportedCounts::sum);
        untold.merge(key, count, UnsupportedCounts::sum);
        return first;
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /**
     * Names of calls and instructions are made of these; nothing of it means anything elsewhere.
     */
    private static String clean(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints()
                .limit(LONGEST_NAME)
                .forEach(each -> text.append(isPlain(each) ? (char) each : '?'));
        return text.isEmpty() ? "?" : text.toString();
    }

    private static boolean isPlain(int character) {
        return character >= 'a' && character <= 'z'
                || character >= 'A' && character <= 'Z'
                || character >= '0' && character <= '9'
                || "_.:$%(), -".indexOf(character) >= 0;
    }

    /** Those asked for most come first. */
    public synchronized List<Entry> all() {
        return entries(counts);
    }

    /** What was added since somebody asked this. */
    public synchronized List<Entry> takeUntold() {
        List<Entry> news = entries(untold);
        untold.clear();
        return news;
    }

    private static List<Entry> entries(Map<Name, Long> of) {
        List<Entry> all = new ArrayList<>();
        of.forEach((name, count) -> all.add(new Entry(name.kind(), name.text(), count)));
        all.sort(
                Comparator.comparingLong(Entry::count)
                        .reversed()
                        .thenComparing(Entry::kind)
                        .thenComparing(Entry::name));
        return all;
    }

    /** All of another one's, beside its own. */
    public void addAll(UnsupportedCounts other) {
        other.all().forEach(each -> add(each.kind(), each.name(), each.count()));
    }
}
