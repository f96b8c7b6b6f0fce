package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import facet.bench.browser.Browser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report of facet sim in a real browser. */
@Timeout(300)
class SimReportTest {
    private static final List<String> PLOTS =
            List.of("allocation", "fragmentation", "waiting", "utilisation");

    @TempDir private Path folder = Path.of("/nowhere");

    private void trace() throws Exception {
        StringBuilder nodes = new StringBuilder("name,model,devices,cpu_milli,memory_mib\n");
        StringBuilder tasks =
                new StringBuilder(
                        "name,devices,thousandths,model,cpu_milli,memory_mib,arrives,leaves\n");
        for (int i = 0; i < 6; i++) {
            nodes.append("n" + i + ",T4,2,64000,65536\n");
        }
        for (int i = 0; i < 60; i++) {
            tasks.append("t%d,1,%d,,1000,1024,%d,%d%n".formatted(i, 300 + i * 5, i, i + 500));
        }
        Files.writeString(folder.resolve("nodes.csv"), nodes);
        // Whoever made the trace chose its name.
        Files.writeString(folder.resolve("<img src=x onerror=alert(1)>.csv"), tasks);
    }

    @Test
    void drawsALineForEachPolicyInEachPlot() throws Exception {
        assumeTrue(Browser.missing().isEmpty(), () -> Browser.missing().orElse(""));
        trace();
        Path report = folder.resolve("report.html");
        Process sim =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "facet.cli.Main",
                                "sim",
                                "--trace",
                                folder.resolve("<img src=x onerror=alert(1)>.csv").toString(),
                                "--compare",
                                "fgd,random",
                                "--seeds",
                                "1-2",
                                "--report",
                                report.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(sim.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, sim.waitFor(), said);
        try (Browser browser = Browser.open()) {
            browser.size(1200, 900, 1, false);
            browser.visit(report.toUri().toString());
            assertEquals("Placing on <img src=x onerror=alert(1)>", browser.text("h1"), "as it is");
            assertEquals(0L, browser.value("document.images.length"));
            for (String each : PLOTS) {
                String chart = "Chart.getChart(document.getElementById('" + each + "'))";
                assertEquals(
                        "facet,fgd,random",
                        browser.value(chart + ".data.datasets.map(each => each.label).join()"));
                assertTrue(
                        (Boolean)
                                browser.value(
                                        chart
                                                + ".data.datasets.every(set => set.data.length > 99"
                                                + " && set.data.every(each =>"
                                                + " Number.isFinite(each.y)))"),
                        each);
                // Something was painted: a line is no shade of grey.
                assertTrue(
                        (Boolean)
                                browser.value(
                                        "(canvas => canvas.getContext('2d').getImageData(0, 0,"
                                                + " canvas.width, canvas.height).data.some((value, i,"
                                                + " all) => i % 4 === 0 && all[i + 2] - value > 100))"
                                                + "(document.getElementById('"
                                                + each
                                                + "'))"),
                        each);
            }
            assertEquals(2L, browser.value("document.querySelectorAll('table').length"));
            browser.size(380, 800, 2, true);
            browser.await(
                    "no sideways scrolling on a phone",
                    () ->
                            (Boolean)
                                    browser.value(
                                            "document.documentElement.scrollWidth <="
                                                    + " innerWidth"));
            assertEquals(List.of(), browser.complaints(), "the browser's console");
        }
    }
}
