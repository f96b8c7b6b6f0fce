package facet.node.confine;

import facet.os.SharedMemoryUnsafe;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a sealed worker must still be able to do. Each says what it came to. */
@SuppressWarnings({"ImmutableEnumChecker", "InfiniteRecursion", "ModifiedButNotUsed"}) // on purpose
enum Honest {
    THREADS("50", () -> count(Thread.ofPlatform())),
    VIRTUAL_THREADS("50", () -> count(Thread.ofVirtual())),
    COLLECTIONS("collected", Honest::collect),
    A_FULL_HEAP("survived", Honest::fillHeap),
    COMPILATION("2013872129", () -> Integer.toString(loop(400_000_000, x -> x * 31 + 7))),
    STACK_TRACES("facet.node.confine.Honest.fail", Honest::trace),
    TOO_DEEP("survived", Honest::tooDeep),
    NOBODY_THERE("survived", Honest::nobodyThere),
    NUMBERS_AND_TIMES("1.234,50 am Montag, 16. November 2026", Honest::write),
    TIME_OF_THE_LOG(
            "true",
            () -> Boolean.toString(ZonedDateTime.now(ZoneId.systemDefault()).getYear() >= 2026)),
    CLASSES_OF_THE_JDK("1", () -> Integer.toString(new Phaser(1).getUnarrivedParties())),
    CLASSES_OF_A_JAR("facet.doors.history.History", Honest::load),
    NAMES_OF_COUNTRIES("Frankreich", () -> Locale.FRANCE.getDisplayCountry(Locale.GERMAN)),
    MEMORY_FILES("65536", Honest::memoryFile);

    final String expected;
    private final Callable<String> action;

    Honest(String expected, Callable<String> action) {
        this.expected = expected;
        this.action = action;
    }

    String run() throws Exception {
        return action.call();
    }

    private static String count(Thread.Builder builder) throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(builder.start(done::incrementAndGet));
        }
        for (Thread each : all) {
            each.join();
        }
        return Integer.toString(done.get());
    }

    private static String collect() {
        List<byte[]> some = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            some.add(new byte[1 << 20]);
            if (some.size() > 50) {
                some.clear();
            }
        }
        System.gc();
        return "collected";
    }

    private static String fillHeap() {
        List<long[]> all = new ArrayList<>();
        try {
            while (true) {
                all.add(new long[4 << 20]);
            }
        } catch (OutOfMemoryError e) {
            all.clear();
            return "survived";
        }
    }

    private static int loop(int rounds, IntUnaryOperator step) {
        int value = 1;
        for (int i = 0; i < rounds; i++) {
            value = step.applyAsInt(value);
        }
        return value;
    }

    private static String trace() {
        StringWriter text = new StringWriter();
        try {
            fail();
        } catch (IllegalStateException e) {
            e.printStackTrace(new PrintWriter(text));
        }
        return text.toString()
                .lines()
                .skip(1)
                .findFirst()
                .orElse("")
                .replaceAll(".*at (?:app//)?([\\w.]+)\\(.*", "$1")
                .strip();
    }

    private static void fail() {
        throw new IllegalStateException("as wanted");
    }

    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    private static String tooDeep() {
        try {
            return Integer.toString(deeper(0));
        } catch (StackOverflowError e) {
            return "survived";
        }
    }

    /** Compiled code finds out by a fault. */
    private static String nobodyThere() {
        int seen = 0;
        for (int i = 0; i < 200_000; i++) {
            try {
                seen += length(i % 1000 == 999 ? null : "text");
            } catch (NullPointerException e) {
                seen++;
            }
        }
        return seen == 199_800 * 4 + 200 ? "survived" : "saw " + seen;
    }

    @SuppressWarnings("NullAway")
    private static int length(@Nullable String text) {
        return text.length();
    }

    private static String write() {
        return String.format(Locale.GERMANY, "%,.2f", 1234.5)
                + " am "
                + LocalDate.of(2026, 11, 16)
                        .format(
                                DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL)
                                        .withLocale(Locale.GERMANY));
    }

    private static String load() throws ClassNotFoundException {
        return Class.forName("facet.doors.history.History").getName();
    }

    private static String memoryFile() throws Exception {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("honest", 65536)) {
            return Long.toString(memory.segment().byteSize());
        }
    }
}
