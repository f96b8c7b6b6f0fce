package facet.sim;

import facet.place.Job;
import facet.place.Models;
import facet.place.Names;
import facet.place.Node;
import facet.place.Request;
import facet.place.queue.Queue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads traces. A folder has the nodes in {@code nodes.csv} and the tasks in {@code tasks.csv}, or
 * both under the names of the openb traces. A file has the tasks, and the nodes are beside it.
 */
public final class TraceFiles {
    private static final List<String> NODES = List.of("nodes.csv", "openb_node_list_gpu_node.csv");
    private static final List<String> TASKS = List.of("tasks.csv", "openb_pod_list_default.csv");

    private TraceFiles() {}

    public static Trace read(Path place) throws TraceException {
        boolean isFolder = Files.isDirectory(place);
        Path folder = isFolder ? place : place.toAbsolutePath().normalize().getParent();
        if (folder == null) {
            throw new TraceException(place + " is no trace");
        }
        Path tasks = isFolder ? find(folder, TASKS) : place;
        Models models = new Models();
        Wishes wishes = new Wishes(models, new Names("pools"), new Names("labels"));
        List<Node> nodes = nodes(find(folder, NODES), wishes);
        Path file = tasks.getFileName();
        String name = file == null ? "" : file.toString();
        List<Task> all = tasks(tasks, wishes);
        Trace trace =
                new Trace(
                        name.replaceFirst("\\.csv$", "").replaceFirst("^openb_pod_list_", ""),
                        models,
                        wishes.pools(),
                        wishes.labels(),
                        nodes,
                        all,
                        queues(folder.resolve("queues.csv"), all),
                        null);
        return trace.with(CalendarFile.read(folder.resolve("tides.csv"), trace));
    }

    private static Path find(Path folder, List<String> names) throws TraceException {
        for (String each : names) {
            if (Files.isRegularFile(folder.resolve(each))) {
                return folder.resolve(each);
            }
        }
        throw new TraceException(
                folder
                        + " has no "
                        + String.join(" and no ", names)
                        + "; --help says what it needs");
    }

    private static List<Node> nodes(Path file, Wishes wishes) throws TraceException {
        Csv csv =
                Csv.read(
                        file,
                        List.of(
                                Column.NAME,
                                Column.MODEL,
                                Column.DEVICES,
                                Column.CPU,
                                Column.MEMORY));
        List<Node> nodes = new ArrayList<>();
        for (Csv.Row row : csv.rows()) {
            int devices = row.number(Column.DEVICES);
            int cpu = row.number(Column.CPU);
            int memory = row.number(Column.MEMORY);
            try {
                String model = row.text(Column.MODEL);
                nodes.add(
                        new Node(
                                row.text(Column.NAME),
                                model,
                                devices,
                                cpu,
                                memory,
                                wishes.traits(row)));
                wishes.models().number(model);
            } catch (IllegalArgumentException e) {
                throw row.wrong(String.valueOf(e.getMessage()));
            }
        }
        if (nodes.stream().allMatch(each -> each.devices() == 0)) {
            throw new TraceException(file + " has no node with a device");
        }
        return nodes;
    }

    private static List<Task> tasks(Path file, Wishes wishes) throws TraceException {
        Csv csv =
                Csv.read(
                        file,
                        List.of(
                                Column.NAME,
                                Column.DEVICES,
                                Column.THOUSANDTHS,
                                Column.CPU,
                                Column.MEMORY));
        List<Task> tasks = new ArrayList<>();
        for (Csv.Row row : csv.rows()) {
            int devices = row.number(Column.DEVICES);
            int cpu = row.number(Column.CPU);
            int memory = row.number(Column.MEMORY);
            long arrives = time(row, Column.ARRIVES, 0);
            long leaves = time(row, Column.LEAVES, arrives);
            try {
                Request request =
                        new Request(
                                devices,
                                wishes.share(row, devices),
                                wishes.where(row),
                                cpu,
                                memory);
                tasks.add(new Task(row.text(Column.NAME), request, arrives, leaves, standing(row)));
            } catch (IllegalArgumentException e) {
                throw row.wrong(String.valueOf(e.getMessage()));
            }
        }
        if (tasks.isEmpty()) {
            throw new TraceException(file + " has no tasks");
        }
        return tasks;
    }

    private static Standing standing(Csv.Row row) throws TraceException {
        Standing usual = Standing.of(row.text(Column.QUALITY));
        String leaving = row.text(Column.LEAVING);
        return new Standing(
                row.text(Column.QUEUE),
                row.text(Column.PRIORITY).isEmpty()
                        ? usual.priority()
                        : row.number(Column.PRIORITY),
                row.text(Column.GANG),
                leaving.isEmpty() ? usual.leaving() : leaving(row, leaving),
                time(row, Column.GRACE, usual.grace()));
    }

    private static Job.Leaving leaving(Csv.Row row, String word) throws TraceException {
        for (Job.Leaving each : Job.Leaving.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
                return each;
            }
        }
        throw row.wrong("leaving is '" + word + "', and should be never, restarts or moves");
    }

    /** What queues may have, where a file beside the tasks says it. */
    private static List<Queue> queues(Path file, List<Task> tasks) throws TraceException {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        Csv csv = Csv.read(file, List.of(Column.NAME, Column.QUOTA, Column.LIMIT));
        List<Queue> queues = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Csv.Row row : csv.rows()) {
            try {
                String name = row.text(Column.NAME);
                queues.add(
                        new Queue(
                                name,
                                row.number(Column.QUOTA, Long.MAX_VALUE),
                                row.number(Column.LIMIT, Long.MAX_VALUE)));
                if (!names.add(name)) {
                    throw row.wrong("queue '" + name + "' is there twice");
                }
            } catch (IllegalArgumentException e) {
                throw row.wrong(String.valueOf(e.getMessage()));
            }
        }
        for (Task each : tasks) {
            if (!names.contains(each.standing().queue())) {
                throw new TraceException(
                        file
                                + " has no queue '"
                                + each.standing().queue()
                                + "', in which task '"
                                + each.name()
                                + "' waits");
            }
        }
        return queues;
    }

    /** Seconds; {@code missing} where the trace does not say. */
    private static long time(Csv.Row row, Column column, long missing) throws TraceException {
        return row.text(column).isEmpty() ? missing : row.number(column, Integer.MAX_VALUE);
    }
}
