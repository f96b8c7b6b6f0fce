package facet.device.nvidia;

import facet.device.Launch;
import java.util.function.Consumer;

/** What stands in the queue of a stream. */
sealed interface Step {
    /** For the driver. */
    interface Give {
        void to(long stream, Batch batch);
    }

    /**
     * A copy or a fill.
     *
     * @param address what it writes on the device
     * @param bytes how much of that; 0: it writes somewhere else
     */
    record Device(Give work, long address, long bytes) implements Step {}

    record Launching(Launch launch, NvidiaKernel kernel) implements Step {}

    record Recording(NvidiaEvent.Recorded record) implements Step {}

    record Awaiting(NvidiaEvent.Recorded record) implements Step {}

    record Mark(Runnable action) implements Step {}

    /**
     * @param always also after a fault
     */
    record Between(Runnable action, boolean always) implements Step {}

    record Suspend(Consumer<Runnable> action) implements Step {}

    /** It will not be done; who waits for it is told. */
    default void abandon() {
        switch (this) {
            case Recording recording ->
                    recording
                            .record
                            .given()
                            .completeExceptionally(new IllegalStateException("it was refused"));
            case Mark mark -> mark.action.run();
            case Device _, Launching _, Awaiting _, Between _, Suspend _ -> {}
        }
    }
}
