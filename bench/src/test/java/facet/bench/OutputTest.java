package facet.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OutputTest {
    private static Table table() {
        Table table = new Table("kernels", "ms").column("kernel", "kernel").column("ms", "time");
        table.row().put("kernel", "saxpy");
        var row = table.row();
        row.put("kernel", "nbody \"fast\"");
        row.put("ms", 12.345);
        return table;
    }

    @Test
    void textLeavesWhatIsMissingEmpty() {
        assertEquals(
                """
                kernels: ms

                kernel        time
                saxpy
                nbody "fast"  12.3

                """,
                TextOutput.of(table()));
    }

    @Test
    void jsonHasOnlyWhatIsThere() {
        Table table = table();
        Figure.atMost(table, "copy", 0.5, 0.8, "");
        assertEquals(
                """
                [
                  {"measurement": "kernels",
                   "rows": [
                    {"kernel": "saxpy"},
                    {"kernel": "nbody \\"fast\\"", "ms": 12.3450}],
                   "summary": {},
                   "notes": [],
                   "promises": [{"promise": "copy: 0.500, promised is at most 0.800", "holds": true}],
                   "failures": []}
                ]\
                """,
                JsonOutput.of(List.of(table)));
    }

    @Test
    void statistics() {
        List<Double> values = List.of(5.0, 1.0, 4.0, 2.0, 3.0);
        assertEquals(3, Statistics.median(values));
        assertEquals(5, Statistics.quantile(values, 0.99));
        assertEquals(2, Statistics.geometricMean(List.of(1.0, 4.0)), 1e-12);
    }

    @Test
    void mistakesInArgumentsAreNamed() throws Exception {
        Set<String> known = Set.of("saxpy", "pause");
        String[] wanted = {"--only", "saxpy,pause", "--rounds", "2", "-o", "json"};
        Options options = Options.parse(wanted, known);
        assertEquals(
                new Options(
                        known, 2, 10, 10, 60, "", Path.of("../shared/data"), false, true, false),
                options);
        for (String wrong : List.of("--rounds 0", "--only other", "--only", "-o xml", "--fast")) {
            assertThrows(
                    Options.UsageException.class,
                    () -> Options.parse(wrong.split(" "), known),
                    wrong);
        }
    }
}
