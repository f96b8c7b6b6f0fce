package facet.host.session;

import facet.device.DeviceError;
import facet.device.DeviceException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Where somebody is held until a test opens it. */
final class Gate {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private volatile @Nullable DeviceException refusal;

    /** Comes to the gate; a compile ends when its context is stopped. */
    void pass(BooleanSupplier stopped) {
        arrived.countDown();
        try {
            while (!opened.await(1, TimeUnit.MILLISECONDS)) {
                if (stopped.getAsBoolean()) {
                    throw new DeviceException(DeviceError.LAUNCH_TIMEOUT, "it was stopped");
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        DeviceException why = refusal;
        if (why != null) {
            throw why;
        }
    }

    /** Waits until somebody is there. */
    void awaitArrival() throws InterruptedException {
        arrived.await();
    }

    void open() {
        opened.countDown();
    }

    /** Opens it; who comes is refused. */
    void refuse(DeviceError error, String message) {
        refusal = new DeviceException(error, message);
        open();
    }
}
