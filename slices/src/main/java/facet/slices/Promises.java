package facet.slices;

import facet.sched.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** Whether what was promised of a device's time can be kept, at every moment of the week. */
public final class Promises {
    private static final int ALL = 100;
    private static final Duration WEEK = Duration.ofDays(8);
    private static final int MOST_NAMED = 8;
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("EEE HH:mm VV", Locale.ROOT);

    private Promises() {}

    /**
     * What is wrong with them and what to do, or empty.
     *
     * @param slices all that have a part of the device
     * @param device in words
     */
    public static Optional<String> broken(Collection<Slice> slices, Instant now, String device) {
        for (Instant moment : moments(slices, now)) {
            int sum = slices.stream().mapToInt(each -> each.terms().promised(moment)).sum();
            if (sum > ALL) {
                return Optional.of(message(slices, moment, sum, moment.equals(now), device));
            }
        }
        return Optional.empty();
    }

    /**
     * Percent that the others leave for a slice, so that it can be compared with its {@link #most}:
     * what stays when it has come, in the tightest moment of the week, and its most. Less than
     * nothing where more is promised already than there is.
     */
    public static int rest(Collection<Slice> others, Slice wanted, Instant now) {
        List<Slice> all = new ArrayList<>(others);
        all.add(wanted);
        int stays = ALL;
        for (Instant moment : moments(all, now)) {
            int sum = all.stream().mapToInt(each -> each.terms().promised(moment)).sum();
            stays = Math.min(stays, ALL - sum);
        }
        return stays + most(wanted, now);
    }

    /** The most percent that a slice is promised at any moment of the week. */
    public static int most(Slice slice, Instant now) {
        return moments(List.of(slice), now).stream()
                .mapToInt(each -> slice.terms().promised(each))
                .max()
                .orElse(0);
    }

    private static Collection<Instant> moments(Collection<Slice> slices, Instant now) {
        TreeSet<Instant> moments = new TreeSet<>();
        moments.add(now);
        Instant end = now.plus(WEEK);
        for (Slice each : slices) {
            if (each.terms().policy() == Policy.TIDAL) {
                Instant next = each.terms().calendar().nextChange(now);
                while (next.isBefore(end)) {
                    moments.add(next);
                    next = each.terms().calendar().nextChange(next);
                }
            }
        }
        return moments;
    }

    private static String message(
            Collection<Slice> slices, Instant moment, int sum, boolean isNow, String device) {
        List<Slice> promised = new ArrayList<>();
        ZoneId zone = ZoneId.systemDefault();
        for (Slice each : slices) {
            if (each.terms().promised(moment) > 0) {
                promised.add(each);
                if (each.terms().policy() == Policy.TIDAL) {
                    zone = each.terms().calendar().zone();
                }
            }
        }
        promised.sort(
                Comparator.comparingInt((Slice each) -> -each.terms().promised(moment))
                        .thenComparing(Slice::name));
        List<String> words = new ArrayList<>();
        for (Slice each : promised.subList(0, Math.min(MOST_NAMED, promised.size()))) {
            words.add(each.name() + " " + each.terms().promised(moment) + "%");
        }
        if (promised.size() > MOST_NAMED) {
            words.add((promised.size() - MOST_NAMED) + " more");
        }
        return sum
                + "% of "
                + device
                + " would be promised"
                + (isNow ? "" : " on " + MOMENT.format(moment.atZone(zone)))
                + ": "
                + String.join(", ", words)
                + "; lower one of them, or ask without a promise: policy priority, or burst with"
                + " compute 0";
    }
}
