package facet.sim;

import facet.place.Models;
import facet.place.Node;
import facet.place.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        List<Node> nodes = nodes(find(folder, NODES), models);
        Path file = tasks.getFileName();
        String name = file == null ? "" : file.toString();
        return new Trace(
                name.replaceFirst("\\.csv$", "").replaceFirst("^openb_pod_list_", ""),
                models,
                nodes,
                tasks(tasks, models));
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

    private static List<Node> nodes(Path file, Models models) throws TraceException {
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
                nodes.add(new Node(row.text(Column.NAME), model, devices, cpu, memory));
                models.number(model);
            } catch (IllegalArgumentException e) {
                throw row.wrong(String.valueOf(e.getMessage()));
            }
        }
        if (nodes.stream().allMatch(each -> each.devices() == 0)) {
            throw new TraceException(file + " has no node with a device");
        }
        return nodes;
    }

    private static List<Task> tasks(Path file, Models models) throws TraceException {
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
            String wanted = row.text(Column.MODEL);
            long set = wanted.isEmpty() ? Models.ANY : models.set(List.of(wanted.split("\\|")));
            int thousandths = devices == 0 ? 0 : row.number(Column.THOUSANDTHS);
            long arrives = time(row, Column.ARRIVES, 0);
            long leaves = time(row, Column.LEAVES, arrives);
            try {
                Request request = new Request(devices, thousandths, set, cpu, memory);
                tasks.add(new Task(row.text(Column.NAME), request, arrives, leaves));
            } catch (IllegalArgumentException e) {
                throw row.wrong(String.valueOf(e.getMessage()));
            }
        }
        if (tasks.isEmpty()) {
            throw new TraceException(file + " has no tasks");
        }
        return tasks;
    }

    /** Seconds; {@code missing} where the trace does not say. */
    private static long time(Csv.Row row, Column column, long missing) throws TraceException {
        return row.text(column).isEmpty() ? missing : row.number(column, Integer.MAX_VALUE);
    }
}
