package facet.bench.browser;

import facet.bench.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code ./facet screenshots}: the pictures in docs/screenshots, of a real daemon at work. */
public final class Screenshots {
    private static final int LARGEST = 300 << 10;
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 1000;
    private static final int PHONE_WIDTH = 390;
    private static final int PHONE_HEIGHT = 1100;
    private static final int USUAL_SECONDS = 310;

    private static final String SLICES =
            """
            slices:
              - {name: training, memory: 3GiB, compute: 40%, policy: fixed}
              - {name: inference, memory: 1GiB, compute: 25%, policy: burst}
              - {name: experiments, memory: 256MiB, policy: burst}
              - {name: notebooks, memory: 512MiB, policy: burst}
              - {name: night-shift, memory: 1GiB, policy: tidal, compute: 5%, calendar: ["daily 22:00-06:00 10"], timeZone: UTC}
            """;

    private Screenshots() {}

    public static void main(String[] arguments) throws Exception {
        if (Browser.missing().isPresent()) {
            System.err.println("facet screenshots: " + Browser.missing().get());
            System.exit(1);
        }
        if (arguments.length > 1 || arguments.length == 1 && !arguments[0].matches("[0-9]{1,4}")) {
            System.err.println(
                    "usage: facet screenshots [SECONDS]: so much history, 310 if not said");
            System.exit(2);
        }
        int seconds = arguments.length == 1 ? Integer.parseInt(arguments[0]) : USUAL_SECONDS;
        try (Scene scene = new Scene("--http", "127.0.0.1:0", "--memory", "4G")) {
            scene.slices(SLICES);
            scene.tide("training", 2600, 190, 0.5);
            scene.tide("inference", 700, 70, 0.1);
            String tests =
                    scene.container(
                            "9f2c41d07be3a8856f10d4c2b7e9a3516c8d20f4e7b1a9358d6c04f2e1b7a953",
                            "FACET_MEMORY=512MiB",
                            "FACET_POLICY=burst",
                            "FACET_COMPUTE=10");
            String render = scene.container("web-render", "FACET_MEMORY=1GiB", "FACET_COMPUTE=15");
            scene.tide(render, 800, 120, 0.7);
            Thread.sleep(seconds * 1000L / 4);
            scene.tide("night-shift", 400, 90, 0.3);
            Thread.sleep(seconds * 1000L / 4);
            scene.tide(tests, 200, 45, 0.2);
            scene.intruder("experiments");
            scene.tide("notebooks", 300, 60, 0.4);
            Thread.sleep(seconds * 1000L / 2);
            take(scene.url());
        }
    }

    private static void take(String url) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Places.inRepository("docs/screenshots"));
        try (Browser browser = Browser.open()) {
            for (boolean dark : new boolean[] {false, true}) {
                browser.prefer(dark);
                browser.size(WIDTH, HEIGHT, 1, false);
                show(browser, url + "#training");
                save(browser, folder.resolve(dark ? "dashboard-dark.png" : "dashboard-light.png"));
            }
            browser.prefer(false);
            browser.size(PHONE_WIDTH, PHONE_HEIGHT, 1.5, true);
            show(browser, url + "#inference");
            save(browser, folder.resolve("dashboard-phone.png"));
        }
    }

    private static void show(Browser browser, String url) throws InterruptedException {
        browser.visit("about:blank");
        browser.visit(url);
        browser.await("the slice training", () -> browser.shows("tr[data-slice=training]"));
        // A second look, so that bars have found their width.
        Thread.sleep(2500);
    }

    private static void save(Browser browser, Path file) throws IOException {
        byte[] picture = browser.picture();
        if (picture.length > LARGEST) {
            throw new IOException(file + " would have " + picture.length + " bytes");
        }
        Files.write(file, picture);
        System.out.println(file + " " + picture.length + " bytes");
    }
}
