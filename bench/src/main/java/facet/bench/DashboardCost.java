package facet.bench;

import facet.bench.browser.Browser;
import facet.bench.browser.Scene;
import facet.bench.isolation.ProcessorTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * 64 slices at work, an hour of history, the page open in a real browser: what the daemon needs for
 * it, and whether the page grows.
 *
 * <p>The history is real: before the page is opened the programs run for so long, at little work.
 */
final class DashboardCost implements Measurement {
    private static final int SLICES = 64;
    private static final int MEBIBYTES = 8;

    /** Seconds between kernels while history is made: the machine may be of use to others. */
    private static final double REST = 5;

    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final Duration WITHOUT = Duration.ofSeconds(60);
    private static final Duration WARM = Duration.ofSeconds(40);
    private static final double MEBI = 1 << 20;

    private static final String HOUR = "#range-3600";
    private static final Duration SETTLE = Duration.ofSeconds(5);

    /**
     * Between the first looks and the last, in MiB; what a collection leaves is not always the
     * same.
     */
    private static final double GROWTH = 0.05;

    private static final double CODE_GROWTH = 1;

    @Override
    public String name() {
        return "page";
    }

    @Override
    public String about() {
        return "64 slices at work, the page open at an hour: the daemon's own processor time, the page's memory";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table =
                new Table(name(), about())
                        .column("what", "what")
                        .column("value", "value")
                        .column("unit", "unit")
                        .column("wanted", "wanted");
        if (Browser.missing().isPresent()) {
            table.fail(Browser.missing().get());
            return table;
        }
        Duration history = Duration.ofMinutes(options.quick() ? 1 : options.history());
        Duration open = Duration.ofMinutes(options.quick() ? 1 : options.minutes());
        try (Scene scene = new Scene("--http", "127.0.0.1:0", "--memory", "2G")) {
            scene.slices(slices());
            for (int i = 0; i < SLICES; i++) {
                scene.tide(slice(i), MEBIBYTES, 60, (double) i / SLICES, REST);
            }
            makeHistory(history);
            scene.leave();
            for (int i = 0; i < SLICES; i++) {
                scene.tide(slice(i), MEBIBYTES, 30 + i, (double) i / SLICES);
            }
            sleep(options.quick() ? WARM.dividedBy(4) : WARM);
            measure(table, scene, open, options.quick() ? WITHOUT.dividedBy(4) : WITHOUT);
        }
        table.note(history.toMinutes() + " minutes of history before the page was opened");
        return table;
    }

    private static void makeHistory(Duration time) throws InterruptedException {
        for (long left = time.toMinutes(); left > 0; left--) {
            if (left % 5 == 0) {
                System.err.println("page: history for " + left + " minutes more");
            }
            sleep(Duration.ofMinutes(1));
        }
    }

    private static String slice(int index) {
        return "slice-" + index;
    }

    private static String slices() {
        StringBuilder text = new StringBuilder("slices:\n");
        for (int i = 0; i < SLICES; i++) {
            text.append("  - {name: ")
                    .append(slice(i))
                    .append(", memory: 16MiB, compute: 1%, policy: burst}\n");
        }
        return text.toString();
    }

    private static void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }

    /**
     * Without the page, with it, without it again: what else the daemon does may change. Then in a
     * browser that compiles nothing: compiled code comes for many minutes and hides what else
     * grows.
     */
    private static void measure(Table table, Scene scene, Duration open, Duration without)
            throws IOException, InterruptedException {
        long pid = scene.daemon().pid();
        double before = own(pid, without);
        double with;
        List<Browser.Footprint> compiled;
        try (Browser browser = Browser.open()) {
            visit(browser, scene.url());
            ProcessorTime start = ProcessorTime.of(pid);
            browser.click(HOUR);
            sleep(SETTLE);
            double first = own(start, ProcessorTime.of(pid)) / 1e6;
            row(
                    table,
                    "the first time that an hour is asked for, with 5 s of updates",
                    first,
                    "ms",
                    "");
            sleep(without.dividedBy(2));
            ProcessorTime opened = ProcessorTime.of(pid);
            long begun = System.nanoTime();
            compiled = watch(table, browser, open);
            with = share(opened, ProcessorTime.of(pid), System.nanoTime() - begun);
        }
        double after = own(pid, without);
        double difference = with - (before + after) / 2;
        row(table, "daemon without the page, before", before, "% of a core", "");
        row(table, "daemon with the page", with, "% of a core", "");
        row(table, "daemon without the page, after", after, "% of a core", "");
        row(table, "what the page costs the daemon", difference, "% of a core", "5");
        Figure.atMost(table, "what the page costs the daemon", difference, 5, " % of a core");
        report(table, "heap with compiled code", compiled, CODE_GROWTH);
        try (Browser browser = Browser.interpreting()) {
            visit(browser, scene.url());
            browser.click(HOUR);
            sleep(SETTLE.plus(without.dividedBy(2)));
            report(table, "heap", watch(table, browser, open), GROWTH);
        }
    }

    private static void visit(Browser browser, String url) throws InterruptedException {
        browser.size(1440, 1000, 1, false);
        browser.visit(url);
        browser.await("all slices", () -> browser.text("#slices-count").startsWith("65"));
    }

    private static List<Browser.Footprint> watch(Table table, Browser browser, Duration open)
            throws InterruptedException {
        System.err.println("page: open for " + open.toMinutes() + " minutes");
        long end = System.nanoTime() + open.toNanos();
        List<Browser.Footprint> looks = new ArrayList<>(List.of(browser.footprint()));
        while (System.nanoTime() < end) {
            sleep(LOOK.compareTo(open) < 0 ? LOOK : open.dividedBy(4));
            looks.add(browser.footprint());
        }
        List<String> complaints = browser.complaints();
        if (!complaints.isEmpty()) {
            table.fail("the browser's console: " + complaints);
        }
        return looks;
    }

    private static void report(
            Table table, String what, List<Browser.Footprint> looks, double limit) {
        int part = Math.max(1, looks.size() / 4);
        double early = heap(looks.subList(0, part));
        double late = heap(looks.subList(looks.size() - part, looks.size()));
        row(table, what + ", first quarter", early, "MiB", "");
        row(table, what + ", last quarter", late, "MiB", "");
        row(table, what + ", growth", late - early, "MiB", Double.toString(limit));
        row(table, "nodes, first", looks.getFirst().nodes(), "", "");
        row(table, "nodes, last", looks.getLast().nodes(), "", "as at first");
        Figure.atMost(table, what + ", growth", late - early, limit, " MiB");
        Figure.atMost(table, "nodes", looks.getLast().nodes(), looks.getFirst().nodes() * 1.05, "");
        StringBuilder note = new StringBuilder(what).append(" in MiB, every 30 s:");
        looks.forEach(each -> note.append(String.format(Locale.ROOT, " %.2f", each.heap() / MEBI)));
        table.note(note.toString());
    }

    /** The least: a collection that is under way leaves more. */
    private static double heap(List<Browser.Footprint> looks) {
        return looks.stream().mapToDouble(Browser.Footprint::heap).min().orElseThrow() / MEBI;
    }

    /** Percent of a core over some time, without the threads that run kernels. */
    private static double own(long pid, Duration time) throws IOException, InterruptedException {
        ProcessorTime start = ProcessorTime.of(pid);
        long begun = System.nanoTime();
        sleep(time);
        return share(start, ProcessorTime.of(pid), System.nanoTime() - begun);
    }

    private static double share(ProcessorTime start, ProcessorTime end, long nanos) {
        return 100.0 * own(start, end) / nanos;
    }

    /** In nanoseconds. */
    private static double own(ProcessorTime start, ProcessorTime end) {
        double nanos = 0;
        for (Map.Entry<String, Long> each : end.since(start).entrySet()) {
            nanos += ProcessorTime.isWorker(each.getKey()) ? 0 : each.getValue();
        }
        return nanos;
    }

    private static void row(Table table, String what, double value, String unit, String wanted) {
        Map<String, Object> row = table.row();
        row.put("what", what);
        row.put("value", value);
        row.put("unit", unit);
        row.put("wanted", wanted);
    }
}
