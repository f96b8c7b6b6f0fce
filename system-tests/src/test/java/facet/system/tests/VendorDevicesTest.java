package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs over two devices of a vendor's driver, which is Facet's own on a second daemon. */
@SuppressWarnings("NullAway.Init") // JUnit begins before all tests
class VendorDevicesTest {
    private static Daemon lower;
    private static Daemon upper;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        lower = Daemon.start("512M,512M", "--http", "off");
        upper = Daemon.startOnVendor(lower.socket().toRealPath(), "--http", "off");
    }

    @AfterAll
    static void stop() throws IOException {
        upper.close();
        lower.close();
    }

    @Test
    void devicesReachEachOther() throws IOException {
        long mark = upper.mark();
        Program program = Program.of(Places.DRIVER.resolve("two_devices.c"));
        Outcome outcome =
                Runner.run(
                        List.of(new Builder().driver(program).toString()),
                        Places.BUILT,
                        Slices.environment(upper.socket().toString(), false));
        assertEquals("ok two devices\n", outcome.output(), () -> outcome.report() + logSince(mark));
    }

    private static String logSince(long mark) {
        try {
            return upper.logSince(mark);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
