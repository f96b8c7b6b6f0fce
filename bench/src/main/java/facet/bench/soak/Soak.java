package facet.bench.soak;

import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Places;
import facet.bench.PrivateDaemon;
import facet.bench.Table;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Whether a daemon takes no more of the machine after thousands of programs than after some. */
public final class Soak implements Measurement {
    private static final long SEED = 12;

    /** Where {@code ./facet up} puts them. */
    static final Path LOGS = Places.inRepository("target/facet");

    /** Of the time, until all is made that is made once. */
    private static final int FIRST_PART = 6;

    /** What grows by less than this, in all the time that follows, is level. */
    private static final double GROWTH = 1.10;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public String about() {
        return "a daemon while short programs come and go and one in four is killed; memory in MiB";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Table table = table(name(), about());
        int seconds = options.quick() ? 60 : options.minutes() * 60;
        int interval = seconds < 240 ? 10 : 60;
        List<Sample> samples = new ArrayList<>();
        try (PrivateDaemon daemon = new PrivateDaemon();
                HttpClient client = HttpClient.newHttpClient()) {
            daemon.up("--http", "127.0.0.1:0");
            for (String each : Crowd.WALLED) {
                daemon.run(
                        PrivateDaemon.FACET.toString(),
                        "slice",
                        "create",
                        each,
                        "--memory",
                        "256MiB",
                        "--isolation",
                        "process");
            }
            long pid = daemon.pid();
            String url = url(daemon);
            long start = System.nanoTime();
            try (Crowd crowd = new Crowd(daemon.directory(), SEED)) {
                for (int at = 0; at <= seconds; at += interval) {
                    long left = start + at * 1_000_000_000L - System.nanoTime();
                    Thread.sleep(Math.max(0, left / 1_000_000));
                    Sample sample = Sample.of(pid, LOGS, Metrics.ask(client, url));
                    samples.add(sample);
                    row(table, at, crowd, sample);
                    System.err.println("  " + at + " s: " + sample);
                }
                summarize(table, crowd);
            }
        }
        judge(table, samples, "");
        return table;
    }

    static void summarize(Table table, Crowd crowd) {
        table.summarize("failed", crowd.failed());
        table.summarize("without memory beside one that took it", crowd.crowdedOut());
        if (crowd.failed() > 0) {
            table.fail(crowd.failed() + " programs failed that nobody killed: " + crowd.reasons());
        }
    }

    static String url(PrivateDaemon daemon) throws IOException, InterruptedException {
        for (String line : daemon.run(PrivateDaemon.FACET.toString(), "status", "-o", "json")) {
            if (line.contains("\"http\"")) {
                return line.replaceAll(".*\"(http://[^\"]*)\".*", "$1");
            }
        }
        throw new IOException("the daemon does not tell where it listens");
    }

    static Table table(String name, String about) {
        return new Table(name, about)
                .column("seconds", "seconds")
                .column("programs", "programs")
                .column("killed", "killed")
                .column("resident_mib", "resident")
                .column("workers_mib", "workers")
                .column("heap_mib", "heap")
                .column("code_mib", "code")
                .column("threads", "threads")
                .column("descriptors", "descriptors")
                .column("mappings", "mappings")
                .column("log_kib", "log KiB")
                .column("collections", "collections")
                .column("collection_ms", "their ms");
    }

    static Map<String, Object> row(Table table, int at, Crowd crowd, Sample sample) {
        Map<String, Object> row = table.row();
        row.put("seconds", at);
        row.put("programs", crowd.ended());
        row.put("killed", crowd.killed());
        row.put("resident_mib", sample.residentKib() >> 10);
        row.put("workers_mib", sample.workersKib() >> 10);
        row.put("heap_mib", sample.heapKib() >> 10);
        row.put("code_mib", sample.codeKib() >> 10);
        row.put("threads", sample.threads());
        row.put("descriptors", sample.descriptors());
        row.put("mappings", sample.mappings());
        row.put("log_kib", sample.logBytes() >> 10);
        row.put("collections", sample.collections());
        row.put("collection_ms", Math.round(1000 * sample.collectionSeconds()));
        return row;
    }

    /**
     * @param whose before each figure's name
     */
    static void judge(Table table, List<Sample> samples, String whose) {
        judge(table, samples, whose + "resident memory", 16 << 10, Sample::residentKib);
        judge(table, samples, whose + "workers' memory", 16 << 10, Sample::workersKib);
        judge(table, samples, whose + "classes and code", 4 << 10, Sample::codeKib);
        judge(table, samples, whose + "threads", 8, Sample::threads);
        judge(table, samples, whose + "descriptors", 16, Sample::descriptors);
        judge(table, samples, whose + "mappings", 64, Sample::mappings);
    }

    /** Compares the two halves of what follows the first part. */
    private static void judge(
            Table table,
            List<Sample> samples,
            String what,
            long margin,
            ToLongFunction<Sample> figure) {
        List<Sample> rest = samples.subList(samples.size() / FIRST_PART, samples.size());
        double early = mean(rest.subList(0, rest.size() / 2), figure);
        double late = mean(rest.subList(rest.size() / 2, rest.size()), figure);
        boolean level = late <= early * GROWTH + margin;
        table.summarize(what, level ? "level" : "grows");
        if (!level) {
            table.fail("%s grows: %.0f, then %.0f".formatted(what, early, late));
        }
    }

    private static double mean(List<Sample> samples, ToLongFunction<Sample> figure) {
        return samples.stream().mapToLong(figure).average().orElse(0);
    }
}
