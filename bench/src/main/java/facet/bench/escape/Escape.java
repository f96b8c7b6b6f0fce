package facet.bench.escape;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The program that tries the ways; bench/escape has its sources, native builds it.
 *
 * @param root of the repository
 */
record Escape(Path root) {
    private Path program() {
        Path program = root.resolve("native/target/bench/escape");
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(
                    program + " is missing: the module native builds it (mvn -pl native compile)");
        }
        return program;
    }

    List<Way> ways() throws IOException {
        Process process = start(Map.of(), "list");
        List<Way> ways = new ArrayList<>();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        for (String line : text.lines().toList()) {
            String[] fields = line.split("\t", -1);
            List<String> calls = fields[2].isEmpty() ? List.of() : List.of(fields[2].split(" "));
            Way.Kind kind = Way.Kind.valueOf(fields[1].toUpperCase(Locale.ROOT));
            ways.add(new Way(fields[0], kind, calls));
        }
        return ways;
    }

    /** Of this process's environment nothing gets through that is about Facet or the loader. */
    Process start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("LD_") || name.startsWith("FACET_"));
        builder.environment().put("LD_LIBRARY_PATH", root.resolve("native/target/lib").toString());
        builder.environment().putAll(environment);
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
}
