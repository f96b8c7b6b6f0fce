package facet.cli;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Second part of the demo: two contexts on one device; one writes where it may not.
 *
 * @param framesBefore frames that the neighbour had rendered when the fault came
 * @param framesAfter frames that it rendered after it
 * @param wrongFrames frames that differ from the first
 * @param faultLine the line that the device reported
 * @param errorCode what CUDA programs see, or 0 when there was no fault
 */
record Isolation(
        int framesBefore, int framesAfter, int wrongFrames, String faultLine, int errorCode) {

    private static final int FRAMES_AFTER = 12;
    private static final int SIDE = 256;

    boolean holds() {
        return errorCode == 700 && wrongFrames == 0 && framesAfter == FRAMES_AFTER;
    }

    static Isolation run(Device device) {
        try (Context context = device.createContext(ContextOptions.of("neighbour", 64L << 20));
                Mandelbrot neighbour = new Mandelbrot(context, SIDE, SIDE)) {
            long expected = neighbour.render().picture().checksum();
            CountDownLatch started = new CountDownLatch(1);
            Careless careless = new Careless(device, started);
            Thread thread = Thread.ofPlatform().name("careless").start(careless);
            int before = 0;
            int after = 0;
            int wrong = 0;
            while (after < FRAMES_AFTER) {
                boolean faulted = !thread.isAlive();
                wrong += neighbour.render().picture().checksum() == expected ? 0 : 1;
                if (faulted) {
                    after++;
                } else {
                    before++;
                }
                started.countDown();
            }
            return new Isolation(before, after, wrong, careless.line(), careless.code());
        }
    }

    String text() {
        return """
          careless    ends with CUDA error %d. The device says:
                      %s
          neighbour   rendered %d frames meanwhile and %d after the fault; %s
        """
                .formatted(
                        errorCode,
                        faultLine.isEmpty() ? "no fault was reported" : faultLine,
                        framesBefore,
                        framesAfter,
                        wrongFrames == 0 ? "all are right" : wrongFrames + " are wrong");
    }

    /** Launches the kernel that writes too far, once the neighbour is at work. */
    private static final class Careless implements Runnable {
        private static final long FAR = 1L << 34;

        private final Device device;
        private final CountDownLatch started;
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private volatile int code;

        Careless(Device device, CountDownLatch started) {
            this.device = device;
            this.started = started;
        }

        @Override
        public void run() {
            ContextOptions options =
                    ContextOptions.of("careless", 16L << 20).withFaults(lines::add);
            try (Context context = device.createContext(options);
                    LoadedModule module = context.load(Gpu.ptx());
                    Stream stream = context.createStream()) {
                long out = context.allocate(4 * 4 * 64);
                started.await();
                stream.launch(
                        Launch.of(module.kernel("careless"), Dim.of(4), Dim.of(64), out, 100, FAR));
                stream.synchronize();
            } catch (DeviceException e) {
                code = e.error().code();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        String line() {
            return String.join(" | ", lines);
        }

        int code() {
            return code;
        }
    }
}
