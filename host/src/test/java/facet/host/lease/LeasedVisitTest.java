package facet.host.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.SubmittingThread;
import facet.device.cpu.CpuDevice;
import facet.os.Bell;
import facet.os.Bells;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that do what they bring, on a seat that is lent. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LeasedVisitTest {
    private static final long TEN_SECONDS = 10_000_000_000L;

    private static final String NOTHING =
            """
            .version 8.0
            .target sm_75
            .address_size 64
            .visible .entry nothing()
            {
                ret;
            }
            """;

    private final Bells bells = Bells.open();
    private final Bell bell = bells.add();
    private final SeatPage page = SeatPage.of(Arena.ofAuto().allocate(SeatPage.bytes(1), 64), 0, 1);
    private final Device device;

    LeasedVisitTest() throws IOException {
        page.format();
        page.lend(0);
        device =
                CpuDevice.create(
                        CpuDevice.profile("test", 1L << 30, 1), 1, new LeasedSeats(page, bell));
    }

    @AfterEach
    void close() {
        device.close();
        bells.close();
    }

    @Test
    void whoeverComesMeanwhileHasTheSeatAfterAMoment() throws InterruptedException {
        Context context = device.createContext(ContextOptions.of("test", 16 << 20));
        Kernel kernel = context.load(NOTHING).kernel("nothing");
        Stream stream = context.createStream();
        try (SubmittingThread own = SubmittingThread.enter()) {
            while (true) {
                while (!visits(own, stream, kernel, () -> {})) {
                    Thread.onSpinWait();
                }
                Thread.sleep(20); // the seat's own thread is to sleep deeply by now
                if (visits(own, stream, kernel, () -> page.contend(true))) {
                    break;
                }
                // The seat's own thread did it, and gives the seat back: once more.
                while (page.state(0) != SeatPage.AWAY) {
                    Thread.onSpinWait();
                }
                page.contend(false);
                page.lend(0);
            }
        }
        while (page.state(0) != SeatPage.AWAY) {
            assertTrue(bells.await(TEN_SECONDS).isPresent(), "the seat is kept for nothing");
        }
        assertEquals(SeatPage.AWAY, page.state(0));
    }

    /** Whether this thread could do it. */
    private static boolean visits(
            SubmittingThread own, Stream stream, Kernel kernel, Runnable meanwhile) {
        AtomicReference<Thread> did = new AtomicReference<>();
        stream.launch(Launch.of(kernel, Dim.of(1), Dim.of(1)));
        stream.whenEnded(() -> {
            did.set(Thread.currentThread());
            meanwhile.run();
        });
        own.doHere(() -> {});
        stream.synchronize();
        return Thread.currentThread().equals(did.get());
    }
}
