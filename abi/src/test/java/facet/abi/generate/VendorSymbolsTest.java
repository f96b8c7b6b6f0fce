package facet.abi.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Whatever a program looks up in NVIDIA's libraries, ours have too. */
final class VendorSymbolsTest {
    private static final Path TABLES = Path.of("tables");

    private static Map<String, Set<String>> vendor() throws IOException {
        Map<String, Set<String>> libraries = new HashMap<>();
        Set<String> current = new HashSet<>();
        for (Table.Line line : Table.read(TABLES.resolve("vendor.table")).lines()) {
            List<String> words = line.words();
            if (words.getFirst().equals("library")) {
                current = libraries.computeIfAbsent(words.get(1), name -> new HashSet<>());
            } else {
                assertTrue(current.add(words.getFirst()), () -> "two lines for " + words);
                assertTrue(List.of("535", "550").containsAll(words.subList(1, words.size())));
            }
        }
        return libraries;
    }

    private static Set<String> ours(String table, String result) throws IOException {
        ApiTable api = ApiTable.read(TABLES.resolve(table), result);
        Set<String> symbols = new HashSet<>(api.exports());
        api.calls().forEach(call -> symbols.addAll(call.symbols()));
        return symbols;
    }

    private static void check(String library, int least, Set<String> ours) throws IOException {
        Set<String> missing = new TreeSet<>(vendor().getOrDefault(library, Set.of()));
        assertTrue(missing.size() >= least, () -> library + " has " + missing.size());
        missing.removeAll(ours);
        assertEquals(Set.of(), missing, library + " of the vendor has more");
    }

    @Test
    void libcuda() throws IOException {
        check("libcuda", 656, ours("driver.table", "CUresult"));
    }

    @Test
    void management() throws IOException {
        check("libnvidia-ml", 350, ours("nvml.table", "nvmlReturn_t"));
    }
}
