package facet.bench.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A browser of its own, without a window, with a profile that is thrown away. */
public final class Browser implements AutoCloseable {
    private static final List<Path> PROGRAMS =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 50;

    /** Says each time that it does not know this version's extras; none of them is used. */
    private static final Logger TALKATIVE =
            Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder");

    private final ChromeDriver driver;
    private final Path profile;

    private Browser(ChromeDriver driver, Path profile) {
        this.driver = driver;
        this.profile = profile;
    }

    /** What is missing on this machine, and how to get it; empty when all is there. */
    public static Optional<String> missing() {
        if (PROGRAMS.stream().noneMatch(Files::isExecutable)) {
            return Optional.of("chromium is missing (Debian: chromium)");
        }
        return Files.isExecutable(DRIVER)
                ? Optional.empty()
                : Optional.of("chromedriver is missing (Debian: chromium-driver)");
    }

    public static Browser open() throws IOException {
        return open("");
    }

    /**
     * One that does not compile scripts: its heap holds their objects, and no code that comes with
     * time.
     */
    public static Browser interpreting() throws IOException {
        return open("--no-sparkplug --no-maglev --no-turbofan");
    }

    private static Browser open(String scripts) throws IOException {
        if (missing().isPresent()) {
            throw new IOException(missing().get());
        }
        TALKATIVE.setLevel(Level.SEVERE);
        Path profile = Files.createTempDirectory("facet-browser-");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(PROGRAMS.stream().filter(Files::isExecutable).findFirst().get().toFile());
        options.setAcceptInsecureCerts(true);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--js-flags=" + scripts,
                "--user-data-dir=" + profile);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service =
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .usingAnyFreePort()
                        .withLogFile(new File("/dev/null"))
                        .build();
        return new Browser(new ChromeDriver(service, options), profile);
    }

    public ChromeDriver driver() {
        return driver;
    }

    public void visit(String url) {
        driver.get(url);
    }

    /** The visible part of the page, in CSS pixels, as on a screen with so many pixels for each. */
    public void size(int width, int height, double scale, boolean phone) {
        Map<String, Object> metrics = new HashMap<>();
        metrics.put("width", width);
        metrics.put("height", height);
        metrics.put("deviceScaleFactor", scale);
        metrics.put("mobile", phone);
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", metrics);
    }

    /** What the system is taken to prefer. */
    public void prefer(boolean dark) {
        Map<String, Object> feature =
                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
    }

    /** The value of an expression in the page. */
    public Object value(String expression) {
        Object value = driver.executeScript("return " + expression);
        return value == null ? "" : value;
    }

    public String text(String selector) {
        return String.valueOf(
                value("document.querySelector('" + selector + "')?.textContent ?? ''"));
    }

    public boolean shows(String selector) {
        return Boolean.TRUE.equals(
                value("document.querySelector('" + selector + "')?.checkVisibility() ?? false"));
    }

    public void click(String selector) {
        driver.executeScript("document.querySelector('" + selector + "').click()");
    }

    /** Waits until it is so, for a minute at most. */
    public void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the page does not show " + what + ": " + page());
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    /** All of its text, for those who look for a mistake. */
    public String page() {
        return String.valueOf(value("document.body.innerText")) + "\n" + complaints();
    }

    /** What the browser had to say since it was last asked: errors of scripts, refused requests. */
    public List<String> complaints() {
        List<String> lines = new ArrayList<>();
        for (LogEntry each : driver.manage().logs().get(LogType.BROWSER)) {
            lines.add(each.getLevel() + " " + each.getMessage());
        }
        return lines;
    }

    /** Bytes of the scripts' objects and number of nodes, after what nobody needs was let go. */
    public Footprint footprint() {
        // Twice: what is found to be free the first time may hold more.
        driver.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
        driver.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
        driver.executeCdpCommand("Performance.enable", Map.of());
        Map<String, Object> answer = driver.executeCdpCommand("Performance.getMetrics", Map.of());
        double heap = 0;
        double nodes = 0;
        for (Object each : (List<?>) answer.getOrDefault("metrics", List.of())) {
            Map<?, ?> metric = (Map<?, ?>) each;
            double value = metric.get("value") instanceof Number number ? number.doubleValue() : 0;
            if ("JSHeapUsedSize".equals(metric.get("name"))) {
                heap = value;
            } else if ("Nodes".equals(metric.get("name"))) {
                nodes = value;
            }
        }
        return new Footprint(heap, (int) nodes);
    }

    /**
     * @param heap in bytes
     */
    public record Footprint(double heap, int nodes) {}

    public byte[] picture() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    @Override
    public void close() throws IOException {
        driver.quit();
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
