package facet.abi.generate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** docs/cuda-coverage.md: which calls are supported, for people. */
final class Coverage {
    private Coverage() {}

    /**
     * @param title with the library's name
     */
    record Chapter(String title, ApiTable table) {}

    private static final String START =
            """
            # Which calls are supported

            Generated from `abi/tables` and from what the sources of tests call; do not edit. A call that is not supported answers so
            (`CUDA_ERROR_NOT_SUPPORTED`, `cudaErrorNotSupported`, `NVML_ERROR_NOT_SUPPORTED`) and is counted.
            [add-a-cuda-call.md](add-a-cuda-call.md) says how to support another one.

            Behind each supported call stand tests that make it: programs of `system-tests`, tests of `native/test`, ways of
            [the escape matrix](escape-matrix.md) in `bench/escape`; two of them at most.

            Variants for a default stream per thread (`_ptsz`, `_ptds`) are there for every call that has one, and are not counted.
            """;

    /** How many tests of a call are listed. */
    private static final int MOST_LISTED = 2;

    static String text(List<Chapter> chapters, TestedCalls tests) {
        Text text = new Text();
        text.line(START);
        text.line("| library | supported | of these without a test | not supported |");
        text.line("|---|---|---|---|");
        for (Chapter chapter : chapters) {
            List<Call> calls = chapter.table().calls();
            text.line(
                    "| %s | %d | %d | %d |",
                    chapter.title(),
                    count(calls, Call::supported),
                    untested(chapter.table(), tests).size(),
                    count(calls, call -> !call.supported()));
        }
        for (Chapter chapter : chapters) {
            text.line().line("## %s", chapter.title());
            groups(chapter.table()).forEach((name, calls) -> group(text, name, calls, tests));
        }
        return text.toString();
    }

    private static long count(Collection<Call> calls, Predicate<Call> wanted) {
        return calls.stream().filter(wanted).count();
    }

    private static Map<String, List<Call>> groups(ApiTable table) {
        Map<String, List<Call>> groups = new LinkedHashMap<>();
        for (Call call : table.calls()) {
            groups.computeIfAbsent(call.group(), name -> new ArrayList<>()).add(call);
        }
        return groups;
    }

    /** Supported calls that no test makes. */
    static List<String> untested(ApiTable table, TestedCalls tests) {
        return table.calls().stream()
                .filter(call -> call.supported() && tests.of(call).isEmpty())
                .map(Call::symbol)
                .toList();
    }

    /** What the tables alone say: the page without its tests. */
    static String withoutTests(String page) {
        return page.replaceAll("(?m)^(\\| `[^|]*\\|)[^|]*\\|$", "$1")
                .replaceAll("(?m)^(\\| [^`|]*\\| \\d+ \\|) \\d+ (\\| \\d+ \\|)$", "$1 $2");
    }

    private static void group(Text text, String name, List<Call> calls, TestedCalls tests) {
        Set<String> supported =
                calls.stream()
                        .filter(Call::supported)
                        .map(Call::baseName)
                        .collect(Collectors.toSet());
        Predicate<Call> replaced = call -> supported.contains(call.baseName());
        text.line();
        text.line(
                "### %s (%d of %d)",
                name.isEmpty() ? "All" : name, count(calls, Call::supported), calls.size());
        table(text, calls, tests);
        list(text, "Answered with 'no permission'", calls, Call::denied);
        list(
                text,
                "Not supported",
                calls,
                call -> !call.supported() && !call.denied() && !replaced.test(call));
        list(
                text,
                "Not supported, since another version is",
                calls,
                call -> !call.supported() && !call.denied() && replaced.test(call));
    }

    private static void table(Text text, List<Call> calls, TestedCalls tests) {
        if (calls.stream().noneMatch(Call::supported)) {
            return;
        }
        text.line().line("| supported | tests |").line("|---|---|");
        for (Call call : calls) {
            if (call.supported()) {
                String files =
                        tests.of(call).stream()
                                .limit(MOST_LISTED)
                                .collect(Collectors.joining(", "));
                text.line("| %s | %s |", name(call), files.isEmpty() ? "no test" : files);
            }
        }
    }

    private static void list(Text text, String title, List<Call> calls, Predicate<Call> wanted) {
        String names =
                calls.stream().filter(wanted).map(Coverage::name).collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            text.line().line("%s: %s", title, names);
        }
    }

    /** With the version of the runtime when only one has it. */
    private static String name(Call call) {
        String version = call.versions().matches("12|13") ? " (" + call.versions() + ")" : "";
        return "`" + call.symbol() + "`" + version;
    }
}
