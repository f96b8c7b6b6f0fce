package facet.system.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A source and what its first comment lines say: {@code // forms: shared static}, {@code // flags:
 * …} for the compiler, {@code // stderr: …} that must be part of what it prints there, {@code
 * libraries: …} for what a C program is linked with, {@code role: helper} for one that is no test
 * by itself.
 */
record Program(Path source, List<String> header) {
    private static final int HEADER_LINES = 6;

    static List<Program> all(Path directory, String suffix) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Program> programs = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(suffix) && !file.endsWith("thin_runtime.c")) {
                    programs.add(of(file));
                }
            }
            return programs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Program of(Path source) {
        try (Stream<String> lines = Files.lines(source)) {
            return new Program(source, lines.limit(HEADER_LINES).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        String file = source.getFileName().toString();
        return file.substring(0, file.lastIndexOf('.'));
    }

    boolean helper() {
        return value("role").filter("helper"::equals).isPresent();
    }

    List<Form> forms() {
        return value("forms")
                .map(text -> words(text).stream().map(Form::named).toList())
                .orElse(List.of(Form.values()));
    }

    List<String> flags() {
        return value("flags").map(Program::words).orElse(List.of());
    }

    /** The library of ours that a C program is linked with, unless it finds it while it runs. */
    Optional<String> library() {
        return Optional.of(value("libraries").orElse("libcuda.so.1"))
                .filter(name -> !name.equals("none"));
    }

    List<String> errorOutput() {
        return values("stderr");
    }

    /** The whole of its output, when it is known. */
    Optional<String> expectedOutput() {
        Path file = source.resolveSibling(name() + ".expected");
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<String> value(String key) {
        return values(key).stream().findFirst();
    }

    private List<String> values(String key) {
        return header.stream()
                .map(line -> line.replaceFirst("^(//|/\\*) ", "").replaceFirst(" \\*/$", ""))
                .filter(text -> text.startsWith(key + ": "))
                .map(text -> text.substring(key.length() + 2))
                .toList();
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.split(" "));
    }
}
