package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which tests call which functions, by what is written in their sources. A name in a string, as for
 * dlsym or in a table of the escape matrix, is that very symbol; a name in code is what CUDA's
 * header makes of it, mostly the newest version.
 */
final class TestedCalls {
    /** Where sources of tests are, those first that are about calls and nothing else. */
    private static final List<String> FOLDERS =
            List.of(
                    "system-tests/driver",
                    "system-tests/programs",
                    "system-tests/profile_9",
                    "native/test",
                    "bench/escape");

    /** Strings, characters and comments: whatever begins first is what it is. */
    private static final Pattern NO_CODE =
            Pattern.compile(
                    "\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)+'|/\\*.*?\\*/|//[^\\n]*",
                    Pattern.DOTALL);

    private static final Pattern NAME = Pattern.compile("\\b(?:cu|cuda|nvml)[A-Z]\\w*");

    /** Names that CUDA's header leaves alone although there is a newer version. */
    private static final Set<String> UNMAPPED =
            Set.of("cuCtxGetDevice", "cuCtxSynchronize", "cuStreamGetCtx", "cuGraphInstantiate");

    /** Calls that nobody writes: nvcc puts them into every program. */
    private static final Pattern BY_COMPILER = Pattern.compile("__cuda\\w+");

    private static final String EVERY_PROGRAM = "every program of nvcc";

    private final Map<String, List<String>> inCode = new HashMap<>();
    private final Map<String, List<String>> inStrings = new HashMap<>();
    private final Map<String, String> newest = new HashMap<>();

    private TestedCalls() {}

    /**
     * @param root of the sources
     * @param tables of all calls, which say what is the newest version of each
     */
    static TestedCalls read(Path root, Collection<ApiTable> tables) throws IOException {
        TestedCalls tested = new TestedCalls();
        tables.forEach(tested::noteVersions);
        for (String folder : FOLDERS) {
            tested.readFolder(root.resolve(folder));
        }
        return tested;
    }

    private void noteVersions(ApiTable table) {
        for (Call call : table.calls()) {
            newest.merge(
                    call.baseName(),
                    call.symbol(),
                    (one, other) -> version(one) >= version(other) ? one : other);
        }
    }

    private static int version(String symbol) {
        Matcher matcher = Pattern.compile("_v(\\d+)$").matcher(symbol);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 1;
    }

    private void readFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                // Calls through the direct engine are not calls of our driver.
                if (file.toString().matches(".*\\.(c|cu|h)")
                        && !file.toString().contains("/test/direct/")) {
                    note(file);
                }
            }
        }
    }

    private void note(Path file) throws IOException {
        String name = file.getFileName().toString();
        String text = Files.readString(file);
        NO_CODE.matcher(text)
                .results()
                .filter(each -> each.group().startsWith("\""))
                .forEach(string -> names(string.group(), inStrings, name));
        names(NO_CODE.matcher(text).replaceAll(" "), inCode, name);
    }

    private static void names(String text, Map<String, List<String>> found, String file) {
        NAME.matcher(text)
                .results()
                .forEach(each -> {
                    List<String> files =
                            found.computeIfAbsent(each.group(), name -> new ArrayList<>());
                    if (!files.contains(file)) {
                        files.add(file);
                    }
                });
    }

    /** Files whose code or tables name the call; empty when none does. */
    List<String> of(Call call) {
        if (BY_COMPILER.matcher(call.symbol()).matches()) {
            return List.of(EVERY_PROGRAM);
        }
        List<String> found = new ArrayList<>();
        boolean suffixed = !call.symbol().equals(call.baseName());
        boolean meant =
                UNMAPPED.contains(call.baseName())
                        ? !suffixed
                        : call.symbol().equals(newest.get(call.baseName()));
        if (meant) {
            found.addAll(inCode.getOrDefault(call.baseName(), List.of()));
        }
        if (suffixed) {
            found.addAll(inCode.getOrDefault(call.symbol(), List.of()));
        }
        found.addAll(inStrings.getOrDefault(call.symbol(), List.of()));
        return found.stream().distinct().toList();
    }
}
