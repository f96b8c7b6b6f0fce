package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import facet.bench.browser.Browser;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The dashboard in a real browser, of a real daemon with real programs. */
@Timeout(300)
class DashboardTest {
    private static final Path DEMO = Places.NATIVE.resolve("target/demo");
    private static final String PHONE_NAME = "a-name-that-is-as-long-as-a-name-of-a-slice-may-";

    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir private Path folder = Path.of("/nowhere");

    @BeforeEach
    void look() {
        assumeTrue(Browser.missing().isEmpty(), () -> Browser.missing().orElse(""));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    private static void make(Daemon daemon, String slice, String more) throws IOException {
        try (Control control = daemon.control()) {
            control.ask("slice-create name=" + slice + " memory=256M " + more);
        }
    }

    private static String url(Daemon daemon) throws IOException {
        try (Control control = daemon.control()) {
            return control.ask("status").path("http").asText() + "/";
        }
    }

    private Process run(Daemon daemon, String slice, String program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(DEMO.resolve(program).toString()));
        command.add(DEMO.resolve("kernels.ptx").toString());
        command.addAll(List.of(arguments));
        Path socket = daemon.directory().resolve("slices").resolve(slice).resolve("socket");
        Process process =
                Runner.start(command, folder, Slices.environment(socket.toString(), false));
        closing(process::destroyForcibly);
        return process;
    }

    private static String row(String slice, String part) {
        return "tr[data-slice=" + slice + "] " + part;
    }

    private static double got(Browser browser, String slice) {
        String text = browser.text(row(slice, ".share b")).replaceAll("[^0-9.]", "");
        return text.isEmpty() ? 0 : Double.parseDouble(text);
    }

    /** What the device's plot says of a slice, with the pointer at its right edge; 0: nothing. */
    private static double plotted(Browser browser, String slice) {
        String chart = "Chart.getChart(document.querySelector('#devices canvas'))";
        WebElement canvas = browser.driver().findElement(By.cssSelector("#devices canvas"));
        double right = ((Number) browser.value(chart + ".chartArea.right")).doubleValue();
        int edge = (int) right - canvas.getSize().getWidth() / 2;
        new Actions(browser.driver()).moveToElement(canvas, edge - 3, 0).perform();
        new Actions(browser.driver()).moveToElement(canvas, edge - 2, 0).perform();
        String lines =
                String.valueOf(
                        browser.value(chart + ".tooltip.body?.flatMap(each => each.lines).join()"));
        Matcher value = Pattern.compile(slice + ": ([0-9.]+)").matcher(lines);
        return value.find() ? Double.parseDouble(value.group(1)) : 0;
    }

    private static void assertQuiet(Browser browser) {
        assertEquals(List.of(), browser.complaints(), "the browser's console");
    }

    @Test
    void showsSlicesTheirSharesAndTheirFaults() throws Exception {
        Daemon daemon = closing(Daemon.start("1G", "--http", "127.0.0.1:0"));
        make(daemon, "large", "compute=60");
        make(daemon, "small", "compute=20");
        make(daemon, "wrong", "");
        run(daemon, "large", "nbody", "100");
        run(daemon, "small", "nbody", "100");
        Browser browser = closing(Browser.open());
        browser.visit(url(daemon));
        browser.await("both at work", () -> got(browser, "large") > 5 && got(browser, "small") > 2);
        assertEquals(
                4,
                ((Number) browser.value("document.querySelectorAll('#rows tr').length"))
                        .intValue());
        assertTrue(browser.text(row("large", ".share")).contains("of 60"));
        assertEquals("1", browser.text(row("small", "td[data-label=Programs]")));
        browser.await(
                "the device divided among them",
                () -> browser.shows(".gauge .part[data-slice=large]"));
        browser.await(
                "in the plot each one's own part",
                () -> {
                    double large = plotted(browser, "large");
                    double small = plotted(browser, "small");
                    return small > 2 && large > 1.5 * small && large + small < 105;
                });
        browser.click(row("small", ".name"));
        assertEquals("small", browser.text("#detail-name"));
        assertTrue(browser.driver().getCurrentUrl().endsWith("#small"));

        assertEquals(0, run(daemon, "wrong", "intruder").waitFor());
        browser.await("a fault", () -> browser.text(row("wrong", ".faults")).equals("1"));
        browser.click(row("wrong", ".name"));
        assertTrue(browser.text("#detail-fault").contains("ILLEGAL_ADDRESS"), browser.page());
        browser.await(
                "the fault among the events",
                () -> browser.text("#events li.bad").contains("wrong"));
        assertQuiet(browser);
    }

    private static String card(int device, String part) {
        return "#devices article:nth-child(" + (device + 1) + ") " + part;
    }

    @Test
    void showsOnWhichDevicesSlicesAre() throws Exception {
        Daemon daemon = closing(Daemon.start("1G,512M", "--http", "127.0.0.1:0"));
        make(daemon, "first", "device=0 compute=30");
        make(daemon, "second", "device=1 compute=40");
        make(daemon, "both", "devices=2");
        run(daemon, "second", "nbody", "100");
        Browser browser = closing(Browser.open());
        browser.visit(url(daemon));
        browser.await("one at work", () -> got(browser, "second") > 5);
        assertEquals("fixed · device 0", browser.text(row("first", ".meta")));
        assertEquals("fixed · device 1", browser.text(row("second", ".meta")));
        assertEquals("burst · devices 0, 1", browser.text(row("both", ".meta")));
        assertTrue(browser.text(row("both", ".room")).contains("512"), "256 MiB of each");
        browser.await(
                "its part of the second device",
                () -> browser.shows(card(1, ".gauge .part[data-slice=second]")));
        String working = ".gauge:first-of-type .part[data-slice=second]";
        assertFalse(browser.shows(card(0, working)), "it is not on the first one");
        assertTrue(browser.shows(card(0, ".thin .part[data-slice=first]")));
        assertFalse(browser.shows(card(1, ".thin .part[data-slice=first]")));
        browser.click(row("both", ".name"));
        assertTrue(browser.text("#facts").contains("devices 0, 1; device 0:"), browser.page());
        browser.driver().findElement(By.id("filter")).sendKeys("device 1");
        browser.await("the filtered slices", () -> browser.text("#slices-count").equals("1 of 4"));
        browser.driver().findElement(By.id("filter")).clear();
        browser.driver().findElement(By.id("filter")).sendKeys("f", Keys.BACK_SPACE);
        try (Control control = daemon.control()) {
            control.ask("slice-set name=first device=1");
        }
        browser.await(
                "that it has moved",
                () ->
                        browser.text(row("first", ".meta")).equals("fixed · device 1")
                                && browser.shows(card(1, ".thin .part[data-slice=first]"))
                                && !browser.shows(card(0, ".thin .part[data-slice=first]")));
        browser.await(
                "the move among the events",
                () -> browser.text("#events").contains("device 0 -> 1"));
        assertQuiet(browser);
    }

    @Test
    void followsSlicesThatComeAndGo() throws Exception {
        Daemon daemon = closing(Daemon.start("1G", "--http", "127.0.0.1:0"));
        Browser browser = closing(Browser.open());
        browser.visit(url(daemon));
        browser.await("what to do without slices", () -> browser.shows("#no-slices"));
        assertTrue(browser.text("#no-slices").contains("facet slice create"));
        browser.driver().executeScript("window.sameDocument = true");

        make(daemon, "guest", "compute=10");
        browser.await("the new slice", () -> browser.shows("tr[data-slice=guest]"));
        assertFalse(browser.shows("#no-slices"));
        browser.click(row("guest", ".name"));
        try (Control control = daemon.control()) {
            control.ask("slice-set name=guest compute=35");
            browser.await(
                    "its new share", () -> browser.text(row("guest", ".share")).contains("of 35"));
            control.ask("slice-delete name=guest");
        }
        browser.await("that it is gone", () -> !browser.shows("tr[data-slice=guest]"));
        assertEquals("default", browser.text("#detail-name"), "another one is chosen");
        assertEquals(true, browser.value("window.sameDocument === true"), "it was loaded anew");
        assertQuiet(browser);
    }

    @Test
    void isLightOrDark() throws Exception {
        Daemon daemon = closing(Daemon.start("1G", "--http", "127.0.0.1:0"));
        Browser browser = closing(Browser.open());
        String ground = "getComputedStyle(document.body).backgroundColor";
        browser.prefer(true);
        browser.visit(url(daemon));
        browser.await("the page", () -> browser.shows("#page"));
        Object dark = browser.value(ground);
        browser.prefer(false);
        Object light = browser.value(ground);
        assertNotEquals(dark, light);
        // As the system has it, then light, then dark; the choice is kept.
        browser.click("#theme");
        browser.click("#theme");
        assertEquals(dark, browser.value(ground));
        browser.visit(url(daemon));
        browser.await("the page", () -> browser.shows("#page"));
        assertEquals(dark, browser.value(ground));
        assertQuiet(browser);
    }

    @Test
    void fitsAPhoneAndAKeyboard() throws Exception {
        Daemon daemon = closing(Daemon.start("1G", "--http", "127.0.0.1:0"));
        make(daemon, PHONE_NAME, "compute=10");
        for (int i = 0; i < 20; i++) {
            make(daemon, "many-" + i, "compute=1");
        }
        Browser browser = closing(Browser.open());
        browser.size(360, 740, 2, true);
        browser.visit(url(daemon));
        browser.await("all slices", () -> browser.shows("tr[data-slice=many-19]"));
        Object wide = browser.value("document.documentElement.scrollWidth");
        assertEquals(360, ((Number) wide).intValue(), "it scrolls sideways");
        assertEquals(
                true,
                browser.value(
                        "[...document.querySelectorAll('canvas, table, .card')].every("
                                + "each => each.getBoundingClientRect().right <= 360)"),
                "something is cut off");

        browser.driver().findElement(By.tagName("body")).sendKeys("/");
        assertEquals("filter", browser.value("document.activeElement.id"));
        browser.driver().switchTo().activeElement().sendKeys("many-1");
        browser.await(
                "the filtered slices", () -> browser.text("#slices-count").equals("11 of 22"));
        assertFalse(browser.shows("tr[data-slice=" + PHONE_NAME + "]"));
        browser.driver().executeScript("document.querySelector('#rows .name').focus()");
        browser.driver().switchTo().activeElement().sendKeys(Keys.ARROW_DOWN);
        browser.driver().switchTo().activeElement().sendKeys(Keys.ENTER);
        browser.await("the second slice", () -> browser.text("#detail-name").equals("many-10"));
        assertQuiet(browser);
    }

    @Test
    void goesOnWhenTheDaemonIsBack() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Daemon daemon = closing(Daemon.start("1G", "--http", "127.0.0.1:" + port));
        make(daemon, "kept", "compute=10");
        Browser browser = closing(Browser.open());
        browser.visit(url(daemon));
        browser.await("its slice", () -> browser.shows("tr[data-slice=kept]"));
        assertQuiet(browser);

        daemon.kill();
        browser.await("that nobody answers", () -> browser.shows("#gone"));
        assertTrue(browser.text("#gone").contains("does not answer"), browser.page());
        assertTrue(browser.shows("tr[data-slice=kept]"), "what was there is still shown");
        daemon.restart();
        make(daemon, "after", "compute=10");
        browser.await(
                "what came after",
                () -> !browser.shows("#gone") && browser.shows("tr[data-slice=after]"));
        for (String each : browser.complaints()) {
            assertTrue(each.contains("net::ERR_"), () -> "not about the network: " + each);
        }
    }

    @Test
    void asksForTheTokenWhereOthersCanReachIt() throws Exception {
        String secret = "0123456789abcdef0123456789abcdef";
        Path token = Files.writeString(folder.resolve("token"), secret + "\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Certificate certificate = Certificate.make(folder);
        Daemon daemon =
                closing(
                        Daemon.start(
                                "1G",
                                "--http",
                                "0.0.0.0:0",
                                "--token-file",
                                token.toString(),
                                "--tls-certificate",
                                certificate.certificate().toString(),
                                "--tls-key",
                                certificate.key().toString()));
        Browser browser = closing(Browser.open());
        browser.visit(url(daemon).replace("0.0.0.0", "127.0.0.1"));
        browser.await("the question", () -> browser.shows("#token-dialog"));
        assertFalse(browser.shows("#page"));
        browser.driver().findElement(By.id("token")).sendKeys("wrong", Keys.ENTER);
        browser.await("that it is wrong", () -> browser.shows("#token-wrong"));
        browser.driver().findElement(By.id("token")).sendKeys(secret, Keys.ENTER);
        browser.await("the slices", () -> browser.shows("tr[data-slice=default]"));
        assertFalse(browser.driver().getCurrentUrl().contains(secret));
        assertEquals("", browser.value("document.cookie"));
        assertEquals(
                false, browser.value("JSON.stringify(localStorage).includes('" + secret + "')"));
        // Kept for this tab.
        browser.driver().navigate().refresh();
        browser.await("the slices again", () -> browser.shows("tr[data-slice=default]"));
        for (String each : browser.complaints()) {
            assertTrue(each.contains("401"), () -> "not about the token: " + each);
        }
    }

    @Test
    void showsThePoolAndWhatIsElsewhere() throws Exception {
        TestPool pool = closing(TestPool.start(0));
        make(pool.near(), "train", "compute=30");
        Browser browser = closing(Browser.open());
        browser.visit(url(pool.near()));
        String far = "#pool-nodes tr[data-node=far] ";
        browser.await("the other node", () -> browser.shows(far));
        assertTrue(browser.text("#pool-own").contains("node near"), browser.text("#pool-own"));
        assertEquals("1", browser.text(far + "td:nth-child(2)"));
        browser.await(
                "what is promised there",
                () -> browser.text(far + "td:nth-child(4)").contains("70"));
        browser.await(
                "the slice is on that node", () -> browser.text("#rows").contains("node far"));
        run(pool.near(), "train", "nbody", "100");
        browser.await("a program there", () -> browser.text(far + "td:nth-child(6)").equals("1"));
        browser.await("it gets something", () -> got(browser, "train") > 1);
        pool.far().kill();
        browser.await("it is lost", () -> browser.text(far + "td:nth-child(11)").contains("lost"));
        assertQuiet(browser);
    }
}
