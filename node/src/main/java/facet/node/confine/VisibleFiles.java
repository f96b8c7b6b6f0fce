package facet.node.confine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * What a worker's JVM reads, and so all that a worker sees of the machine's files.
 *
 * @param java the JVM with its options; its class path has jars alone, which can be opened before
 *     nothing can be opened any more
 */
record VisibleFiles(List<String> java, Set<Path> paths) {
    private static final String ARCHIVE = "-XX:SharedArchiveFile=";

    /**
     * @param java the same JVM as this one, with options and class path
     * @param folder for jars of class folders
     */
    static VisibleFiles of(List<String> java, Path folder) throws IOException {
        Set<Path> paths = new LinkedHashSet<>();
        List<String> words = new ArrayList<>();
        Path program = Path.of(java.getFirst()).toRealPath();
        words.add(program.toString());
        addRuntime(paths);
        paths.add(ElfInterpreter.of(program));
        addLibraries(paths);
        for (int i = 1; i < java.size(); i++) {
            String word = java.get(i);
            if (word.equals("-cp") || word.equals("-classpath") || word.equals("--class-path")) {
                words.add(word);
                word = jars(java.get(++i), folder, paths);
            } else if (word.startsWith("@")) {
                Path options = Path.of(word.substring(1)).toRealPath();
                paths.add(options);
                word = "@" + options;
            } else if (word.startsWith(ARCHIVE)) {
                Path archive = Path.of(word.substring(ARCHIVE.length()));
                if (Files.exists(archive)) {
                    paths.add(archive);
                }
            }
            words.add(word);
        }
        // There is no file that tells it.
        words.add("-Duser.timezone=" + ZoneId.systemDefault().getId());
        return new VisibleFiles(List.copyOf(words), paths);
    }

    /** Distributions keep parts of it elsewhere, and link to them. */
    private static void addRuntime(Set<Path> paths) throws IOException {
        Path home = Path.of(System.getProperty("java.home")).toRealPath();
        paths.add(home);
        try (Stream<Path> all = Files.walk(home)) {
            for (Path each : all.filter(Files::isSymbolicLink).toList()) {
                if (Files.exists(each) && !each.toRealPath().startsWith(home)) {
                    paths.add(each.resolveSibling(Files.readSymbolicLink(each)).normalize());
                }
            }
        }
    }

    /** The system's libraries that this JVM has mapped: the same one needs the same ones. */
    private static void addLibraries(Set<Path> paths) throws IOException {
        Path home = Path.of(System.getProperty("java.home")).toRealPath();
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            int start = line.indexOf('/');
            String name = start < 0 ? "" : line.substring(start);
            boolean isCode = start > 0 && line.split(" ", 3)[1].startsWith("r-x");
            if (isCode && !Path.of(name).startsWith(home) && Files.exists(Path.of(name))) {
                paths.add(Path.of(name));
            }
        }
    }

    /** A class path of jars; folders are packed. */
    private static String jars(String classPath, Path folder, Set<Path> paths) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String each : classPath.split(":", -1)) {
            Path entry = Path.of(each).toAbsolutePath();
            if (Files.isDirectory(entry)) {
                entry = PackedClasses.of(entry, folder.resolve("classes-" + jars.size() + ".jar"));
            } else if (!Files.exists(entry)) {
                continue;
            }
            jars.add(entry.toString());
            paths.add(entry);
            addNamed(entry, paths);
        }
        return String.join(":", jars);
    }

    /** Those that a jar's manifest names belong to the class path too. */
    private static void addNamed(Path jar, Set<Path> paths) throws IOException {
        String names = null;
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            if (manifest != null) {
                names = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            }
        }
        if (names == null) {
            return;
        }
        for (String each : names.strip().split(" +", -1)) {
            Path named = jar.resolveSibling(each).normalize();
            if (!each.isEmpty() && Files.exists(named) && paths.add(named)) {
                addNamed(named, paths);
            }
        }
    }
}
