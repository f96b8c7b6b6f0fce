package facet.node.confine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Control groups below the daemon's own, one for each worker: how much memory it has, and how many
 * threads. Both versions of them; where there is none, or it is not ours to change, there are no
 * such limits.
 *
 * @param parents folders of the daemon's own groups, one for each hierarchy that has a controller
 */
record ControlGroups(List<Parent> parents, List<String> missing) {
    private static final String PREFIX = "facet-worker-";

    /**
     * The daemon's own place, when its group is divided: version 2 has processes in leaves alone.
     */
    private static final String DAEMON = "facet-daemon";

    /** A file with a limit, in either version. */
    enum Limit {
        MEMORY("memory", "memory.limit_in_bytes", "memory.max"),
        PROCESSES("pids", "pids.max", "pids.max");

        private final String controller;
        private final String first;
        private final String second;

        Limit(String controller, String first, String second) {
            this.controller = controller;
            this.first = first;
            this.second = second;
        }
    }

    /** A hierarchy in which we may make groups. */
    record Parent(Path folder, Limit limit, boolean unified) {
        String file() {
            return unified ? limit.second : limit.first;
        }
    }

    /** Looks where this process is. */
    static ControlGroups find() {
        List<Parent> parents = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Limit each : Limit.values()) {
            try {
                parents.add(parent(each));
            } catch (IOException e) {
                missing.add("a limit of its " + each.controller + " (" + e.getMessage() + ")");
            }
        }
        ControlGroups found = new ControlGroups(List.copyOf(parents), List.copyOf(missing));
        found.removeLeftovers();
        return found;
    }

    private static Parent parent(Limit limit) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (List.of(parts[1].split(",", -1)).contains(limit.controller)) {
                Path folder = folder("cgroup", limit.controller, parts[2]);
                return new Parent(writable(folder), limit, false);
            }
        }
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            if (line.startsWith("0::")) {
                Path folder = writable(undivided(folder("cgroup2", "", line.substring(3))));
                divide(folder, limit.controller);
                return new Parent(folder, limit, true);
            }
        }
        throw new IOException("there are no control groups");
    }

    /** Where a hierarchy is mounted, and in it the group. */
    private static Path folder(String type, String controller, String group) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            String[] sides = line.split(" - ", 2);
            String[] mount = sides[0].split(" ", -1);
            String[] kind = sides[1].split(" ", -1);
            if (kind[0].equals(type)
                    && (controller.isEmpty()
                            || List.of(kind[2].split(",", -1)).contains(controller))) {
                String below = group.startsWith(mount[3]) ? group.substring(mount[3].length()) : "";
                return Path.of(mount[4], below);
            }
        }
        throw new IOException(type + " is not mounted");
    }

    /**
     * The daemon's group, also when the daemon has gone into a part of it, for one limit before.
     */
    static Path undivided(Path folder) {
        return folder.endsWith(DAEMON) ? folder.resolveSibling("") : folder;
    }

    private static Path writable(Path folder) throws IOException {
        if (!Files.isWritable(folder)) {
            throw new IOException(folder + " cannot be written; delegate it to the daemon");
        }
        return folder;
    }

    /** Only a group that has nobody but this process in it is ours to divide. */
    private static void divide(Path folder, String controller) throws IOException {
        Path control = folder.resolve("cgroup.subtree_control");
        if (words(folder.resolve("cgroup.subtree_control")).contains(controller)) {
            return;
        }
        if (!words(folder.resolve("cgroup.controllers")).contains(controller)) {
            throw new IOException(folder + " has no controller of it");
        }
        String self = Long.toString(ProcessHandle.current().pid());
        List<String> processes = words(folder.resolve("cgroup.procs"));
        if (processes.equals(List.of(self))) {
            Path own = Files.createDirectories(folder.resolve(DAEMON));
            Files.writeString(own.resolve("cgroup.procs"), self);
        } else if (!processes.isEmpty()) {
            throw new IOException(folder + " has other processes too; delegate one to the daemon");
        }
        Files.writeString(control, "+" + controller);
    }

    private static List<String> words(Path file) throws IOException {
        String text = Files.readString(file).strip();
        return text.isEmpty() ? List.of() : List.of(text.split("\\s+", -1));
    }

    /** Those of daemons that were killed. */
    private void removeLeftovers() {
        for (Parent each : parents) {
            try (Stream<Path> all = Files.list(each.folder)) {
                for (Path folder : all.toList()) {
                    String name = folder.getFileName().toString();
                    if (name.startsWith(PREFIX) && !lives(name.substring(PREFIX.length()))) {
                        Group.remove(folder);
                    }
                }
            } catch (IOException e) {
                // They cost nothing but a name each; making our own will tell what is wrong.
            }
        }
    }

    /**
     * @param name a daemon's number, and a worker's
     */
    private static boolean lives(String name) {
        String number = name.split("-", 2)[0];
        return number.matches("[0-9]{1,10}")
                && ProcessHandle.of(Long.parseLong(number)).isPresent();
    }

    /**
     * A group for one worker.
     *
     * @param number of the worker
     */
    Optional<Group> make(int number, long memory, int processes) throws IOException {
        if (parents.isEmpty()) {
            return Optional.empty();
        }
        String name = PREFIX + ProcessHandle.current().pid() + "-" + number;
        List<Path> folders = new ArrayList<>();
        Path memoryFile = null;
        for (Parent each : parents) {
            Path folder = Files.createDirectories(each.folder.resolve(name));
            if (!folders.contains(folder)) {
                folders.add(folder);
            }
            Path file = folder.resolve(each.file());
            boolean ofMemory = each.limit == Limit.MEMORY;
            Files.writeString(file, Long.toString(ofMemory ? memory : processes));
            memoryFile = ofMemory ? file : memoryFile;
        }
        return Optional.of(new Group(folders, Optional.ofNullable(memoryFile)));
    }

    /**
     * One worker's groups.
     *
     * @param folders one for each hierarchy
     * @param memory the file with the limit of memory
     */
    record Group(List<Path> folders, Optional<Path> memory) {
        private static final int TRIES = 200;
        private static final long PAUSE_MILLIS = 10;

        void limit(long bytes) throws IOException {
            if (memory.isPresent()) {
                Files.writeString(memory.get(), Long.toString(bytes));
            }
        }

        /** Waits a while for its processes, which have been ended. */
        void remove() {
            for (Path each : folders) {
                for (int i = 0; i < TRIES && !remove(each); i++) {
                    try {
                        Thread.sleep(PAUSE_MILLIS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                }
            }
        }

        /** False while somebody is in it. */
        private static boolean remove(Path folder) {
            try {
                Files.deleteIfExists(folder);
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }
}
