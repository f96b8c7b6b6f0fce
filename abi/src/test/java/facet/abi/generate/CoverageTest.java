package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Supported calls have tests, and docs/cuda-coverage.md says which. */
final class CoverageTest {
    private static final Path TABLES = Path.of("tables");

    @TempDir private Path folder = Path.of("");

    private static ApiTable table(String file, String result) throws IOException {
        return ApiTable.read(TABLES.resolve(file), result);
    }

    private static List<ApiTable> tables() throws IOException {
        return List.of(
                table("driver.table", "CUresult"),
                table("runtime.table", "cudaError_t"),
                table("nvml.table", "nvmlReturn_t"));
    }

    /** A call that becomes supported comes with a test; the list of others only gets shorter. */
    @Test
    void supportedCallsHaveTests() throws IOException {
        TestedCalls tests = TestedCalls.read(Path.of(".."), tables());
        Set<String> untested = new TreeSet<>();
        for (ApiTable each : tables()) {
            untested.addAll(Coverage.untested(each, tests));
        }
        List<String> known = Untested.read(TABLES.resolve("untested.table"));
        untested.removeAll(known);
        assertEquals(
                Set.of(),
                untested,
                "a call that becomes supported gets a test in system-tests, or in native/test");
    }

    @Test
    void thePageIsTrue() throws IOException {
        String page = Files.readString(Path.of("../docs/cuda-coverage.md"));
        TestedCalls tests = TestedCalls.read(Path.of(".."), tables());
        assertEquals(
                Generate.coverage(tables(), tests),
                page,
                "write it anew: java abi/generator/facet/abi/generate/Generate.java --write-docs");
    }

    @Test
    void namesMeanWhatTheHeaderMakesOfThem() throws IOException {
        Path table =
                Files.writeString(
                        folder.resolve("calls.table"),
                        """
                        local  3020  -  CUresult cuOne(void)
                        local  4000  -  CUresult cuOne_v2(void)
                        local  4000  -  CUresult cuTwo(void)
                        local  4000  -  CUresult cuThree(void)
                        local  4000  -  CUresult cuFour(void)
                        """);
        Path sources = Files.createDirectories(folder.resolve("system-tests/driver"));
        Files.writeString(
                sources.resolve("a.c"),
                "/* cuThree() */ // cuFour()\nint x = cuOne(); char *y = \"cuTwo // no comment\";");
        Files.writeString(sources.resolve("b.c"), "void *z = dlsym(w, \"cuOne\"); cuFour();");
        ApiTable calls = ApiTable.read(table, "CUresult");
        TestedCalls tests = TestedCalls.read(folder, List.of(calls));
        List<List<String>> found = calls.calls().stream().map(tests::of).toList();
        assertEquals(List.of("b.c"), found.get(0), "the old one, by its symbol");
        assertEquals(List.of("a.c"), found.get(1));
        assertTrue(found.get(3).isEmpty(), "in a comment");
        assertEquals(List.of("b.c"), found.get(4));
    }

    @Test
    void theBuildLooksAtTheTablesAlone() {
        String one = "| `cuInit` | a.c, b.c |\n| Driver | 3 | 1 | 4 |\n";
        String other = "| `cuInit` | no test |\n| Driver | 3 | 2 | 4 |\n";
        assertEquals(Coverage.withoutTests(one), Coverage.withoutTests(other));
        assertTrue(
                !Coverage.withoutTests(one)
                        .equals(Coverage.withoutTests(other.replace("cuInit", "cuExit"))));
    }
}
