package facet.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be said about a slice. The daemon checks the values: it knows its devices. */
final class SliceOptions {
    /** For completion. */
    static final class Policies extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Policies() {
            super(List.of("fixed", "burst", "priority", "time-slice", "tidal"));
        }
    }

    /** For completion. */
    static final class Isolations extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Isolations() {
            super(List.of("process", "shared"));
        }
    }

    /** For completion. */
    static final class Nodes extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Nodes() {
            super(List.of("any", "nearest"));
        }
    }

    /** For completion. */
    static final class Engines extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Engines() {
            super(List.of("auto", "direct", "forwarded"));
        }
    }

    @Option(
            names = {"-m", "--memory"},
            paramLabel = "SIZE",
            description = "Device memory: 512MiB, 4G. Default: all of a device.")
    private @Nullable String memory;

    @Option(
            names = {"-c", "--compute"},
            paramLabel = "PERCENT",
            description = "Percent of a device's time, 0 to 100. Default: 0, no promise.")
    private @Nullable String compute;

    @Option(
            names = {"-p", "--policy"},
            paramLabel = "POLICY",
            completionCandidates = Policies.class,
            description = {
                "How it shares time: ${COMPLETION-CANDIDATES}.",
                "Default: tidal with a calendar, time-slice with a turn, fixed with compute,"
                        + " priority with a priority, else burst."
            })
    private @Nullable String policy;

    @Option(
            names = "--priority",
            paramLabel = "NUMBER",
            description =
                    "0 to 100. With the policy priority the higher ones run first, 0 behind all"
                            + " others; memory of lower ones moves out first. Default: 0.")
    private @Nullable String priority;

    @Option(
            names = "--turn",
            paramLabel = "TIME",
            description = "Length of a turn (time-slice): 1ms to 10s. Default: 20ms.")
    private @Nullable String turn;

    @Option(
            names = "--calendar",
            paramLabel = "LINE",
            description =
                    "Compute by time (tidal): 'mon-fri 08:00-20:00 80'. Put semicolons"
                            + " between several, or repeat the option; the first that matches"
                            + " counts.")
    private @Nullable List<String> calendar;

    @Option(
            names = "--time-zone",
            paramLabel = "ZONE",
            description =
                    "Time zone of the calendar, such as Europe/Berlin. Default: the machine's.")
    private @Nullable String timeZone;

    @Option(
            names = "--multiprocessors",
            paramLabel = "NUMBER",
            description = "Most multiprocessors that its kernels use at once. Default: 0, all.")
    private @Nullable String multiprocessors;

    @Option(
            names = "--devices",
            paramLabel = "NUMBER",
            description = "How many devices it sees. Default: 1.")
    private @Nullable String devices;

    @Option(
            names = "--device",
            paramLabel = "NUMBERS",
            description =
                    "Which devices it sees: 1, or 0,2; 'facet devices' lists them. A slice that is"
                            + " there moves, while no program uses it. Default: those that have the"
                            + " least promised.")
    private @Nullable String device;

    @Option(
            names = "--node",
            paramLabel = "NODE",
            completionCandidates = Nodes.class,
            description = {
                "Which node of the pool its devices are on: a name, any or nearest; 'facet pool"
                        + " status' lists the nodes.",
                "Default: this one, or where it has no room the one with least promised."
            })
    private @Nullable String node;

    @Option(
            names = "--nearest",
            description = "Short for --node nearest: where the way is shortest.")
    private boolean nearest;

    @Option(
            names = "--isolation",
            paramLabel = "KIND",
            completionCandidates = Isolations.class,
            description = {
                "Where its kernels run: process, in a process of the slice's own; shared, in the"
                        + " daemon.",
                "Default: as 'facet up --isolation' says."
            })
    private @Nullable String isolation;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            completionCandidates = Engines.class,
            description = {
                "Where the work of its programs is done: ${COMPLETION-CANDIDATES}.",
                "direct: by the vendor's driver in the program; forwarded: by the daemon."
                        + " 'facet slice explain' tells what auto means. Default: auto."
            })
    private @Nullable String engine;

    @Option(
            names = "--strict",
            paramLabel = "YES|NO",
            description =
                    "Whether the direct engine refuses calls that it does not know. Default: no,"
                            + " they pass and 'facet ps --unruled' counts them.")
    private @Nullable String strict;

    /** Those that were given, by the daemon's keys. */
    Map<String, String> arguments() {
        Map<String, String> all = new LinkedHashMap<>();
        put(all, "memory", memory);
        put(all, "compute", compute);
        put(all, "policy", policy);
        put(all, "priority", priority);
        put(all, "turn", turn);
        put(all, "calendar", calendar == null ? null : String.join("; ", calendar));
        put(all, "timeZone", timeZone);
        put(all, "multiprocessors", multiprocessors);
        put(all, "devices", devices);
        put(all, "device", device);
        put(all, "node", node == null && nearest ? "nearest" : node);
        put(all, "isolation", isolation);
        put(all, "engine", engine);
        put(all, "strict", strict);
        return all;
    }

    private static void put(Map<String, String> all, String key, @Nullable String value) {
        if (value != null) {
            all.put(key, value);
        }
    }
}
