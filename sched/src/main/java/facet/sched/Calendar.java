package facet.sched;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shares by weekday and time of day, in a time zone. Written as {@code mon-fri 08:00-20:00 80;
 * sat,sun 10:00-16:00 50; daily 02:00-04:00 10}: the first entry that fits holds. An entry whose
 * end is not after its start lasts into the next day.
 */
public record Calendar(ZoneId zone, List<Entry> entries) {
    public static final Calendar EMPTY = new Calendar(ZoneId.of("UTC"), List.of());

    private static final Pattern FORM =
            Pattern.compile(
                    "([a-z,-]+)\\s+(\\d{1,2}:\\d{2})\\s*-\\s*(\\d{1,2}:\\d{2})\\s*[=\\s]\\s*(\\d{1,3})%?");

    /**
     * @param days on which it starts
     * @param to exclusive; midnight is the end of the day
     */
    public record Entry(Set<DayOfWeek> days, LocalTime from, LocalTime to, int compute) {
        public Entry {
            days = Set.copyOf(days);
            if (compute < 0 || compute > 100) {
                throw new IllegalArgumentException(
                        "compute is 0 to 100 percent of a device, not " + compute);
            }
        }

        private boolean covers(ZonedDateTime moment) {
            LocalTime time = moment.toLocalTime();
            if (from.isBefore(to)) {
                return days.contains(moment.getDayOfWeek())
                        && !time.isBefore(from)
                        && time.isBefore(to);
            }
            return days.contains(moment.getDayOfWeek()) && !time.isBefore(from)
                    || days.contains(moment.getDayOfWeek().minus(1)) && time.isBefore(to);
        }

        private String text() {
            String end = to.equals(LocalTime.MIDNIGHT) ? "24:00" : to.toString();
            return (days.size() == 7 ? "daily" : dayText())
                    + " "
                    + from
                    + "-"
                    + end
                    + " "
                    + compute;
        }

        /** Three days and more that follow each other as a range. */
        private String dayText() {
            List<DayOfWeek> all = List.copyOf(EnumSet.copyOf(days));
            StringBuilder text = new StringBuilder();
            for (int first = 0, last; first < all.size(); first = last + 1) {
                last = first;
                while (last + 1 < all.size() && all.get(last + 1) == all.get(last).plus(1)) {
                    last++;
                }
                text.append(text.isEmpty() ? "" : ",").append(shortName(all.get(first)));
                if (last == first + 1) {
                    text.append(',').append(shortName(all.get(last)));
                } else if (last > first) {
                    text.append('-').append(shortName(all.get(last)));
                }
            }
            return text.toString();
        }
    }

    public Calendar {
        entries = List.copyOf(entries);
    }

    public static Calendar parse(String text, ZoneId zone) {
        List<Entry> entries = new ArrayList<>();
        for (String each : text.split("[;\n]", -1)) {
            if (!each.isBlank()) {
                entries.add(entry(each.strip().toLowerCase(Locale.ROOT)));
            }
        }
        return new Calendar(zone, entries);
    }

    private static Entry entry(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is no line of a calendar; write it as 'mon-fri 08:00-20:00 80'");
        }
        return new Entry(
                days(matcher.group(1)),
                time(matcher.group(2)),
                time(matcher.group(3)),
                Integer.parseInt(matcher.group(4)));
    }

    private static Set<DayOfWeek> days(String text) {
        if (text.equals("daily")) {
            return EnumSet.allOf(DayOfWeek.class);
        }
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (String part : text.split(",", -1)) {
            String[] ends = part.split("-", -1);
            DayOfWeek day = day(ends[0]);
            DayOfWeek last = ends.length == 2 ? day(ends[1]) : day;
            if (ends.length > 2) {
                throw new IllegalArgumentException("'" + part + "' is no range of days");
            }
            for (days.add(day); day != last; days.add(day)) {
                day = day.plus(1);
            }
        }
        return days;
    }

    private static DayOfWeek day(String text) {
        for (DayOfWeek each : DayOfWeek.values()) {
            String name = each.name().toLowerCase(Locale.ROOT);
            if (text.length() >= 2 && name.startsWith(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no day; write mon, tue, wed, thu, fri, sat, sun or daily");
    }

    private static String shortName(DayOfWeek day) {
        return day.name().substring(0, 3).toLowerCase(Locale.ROOT);
    }

    private static LocalTime time(String text) {
        String[] parts = text.split(":", -1);
        int hour = Integer.parseInt(parts[0]);
        int minute = Integer.parseInt(parts[1]);
        if (hour == 24 && minute == 0) {
            return LocalTime.MIDNIGHT;
        }
        if (hour > 23 || minute > 59) {
            throw new IllegalArgumentException("'" + text + "' is no time of day");
        }
        return LocalTime.of(hour, minute);
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return String.join("; ", entries.stream().map(Entry::text).toList());
    }

    /** Percent at a moment; empty when no entry covers it. */
    public OptionalInt at(Instant now) {
        ZonedDateTime local = now.atZone(zone);
        for (Entry each : entries) {
            if (each.covers(local)) {
                return OptionalInt.of(each.compute());
            }
        }
        return OptionalInt.empty();
    }

    /** When to look again: the first moment after {@code now} at which an entry begins or ends. */
    public Instant nextChange(Instant now) {
        Instant next = now.plus(Duration.ofDays(8));
        ZonedDateTime midnight = now.atZone(zone).truncatedTo(ChronoUnit.DAYS);
        for (int day = 0; day <= 8; day++) {
            for (Entry each : entries) {
                for (LocalTime time : List.of(each.from(), each.to())) {
                    Instant change = midnight.plusDays(day).with(time).toInstant();
                    if (change.isAfter(now) && change.isBefore(next)) {
                        next = change;
                    }
                }
            }
        }
        return next;
    }
}
