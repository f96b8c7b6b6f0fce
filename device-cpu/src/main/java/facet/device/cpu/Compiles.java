package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.jit.runtime.KernelFault;
import facet.os.ProcessorTimeUnsafe;
import facet.os.Uninterrupted;
import facet.ptx.Work;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes code for a context, as work of its share: on a seat, which it leaves to others when it is
 * their turn, and no longer than the context is wanted. It touches no memory of the context, so it
 * goes on while that is paused, and nobody waits for its end.
 */
final class Compiles {
    /** How often somebody who waits looks whether what it waits for still makes sense. */
    private static final long LOOK_MILLIS = 50;

    private final Seats seats;
    private final Semaphore room;
    private final Control control;

    /** Nobody shares the device: there is nobody to make room for, and nothing to be charged. */
    private final boolean alone;

    /**
     * @param room to be held while something is made
     */
    Compiles(Seats seats, Semaphore room, Control control, boolean alone) {
        this.seats = seats;
        this.room = room;
        this.control = control;
        this.alone = alone;
    }

    /** What the action makes; the caller waits. Throws what the action throws. */
    <T> T await(Supplier<T> action) {
        if (alone) {
            return bounded(action);
        }
        enter();
        try {
            Task<T> task = new Task<>(action);
            seats.submit(control, task);
            return task.await();
        } finally {
            room.release();
        }
    }

    /** The action is done some time, and given up when the context is stopped. */
    void later(String what, Runnable action) {
        Supplier<Boolean> whole =
                () -> {
                    action.run();
                    return true;
                };
        if (alone) {
            Thread.ofPlatform().daemon().name(what).start(() -> bounded(whole));
        } else {
            seats.submit(control, new Task<>(whole));
        }
    }

    private <T> T bounded(Supplier<T> action) {
        try {
            return Work.of(this::goesOn).within(action);
        } catch (KernelFault stopped) {
            throw new DeviceException(
                    DeviceError.LAUNCH_TIMEOUT, "the context was stopped", stopped);
        }
    }

    private void goesOn() {
        control.throwIfStopped();
        seats.giveWay(control, Seated.UNCOUNTED);
    }

    /** Few at a time: what is half made takes memory. */
    private void enter() {
        Uninterrupted.until(() -> {
            if (room.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
            if (isOver()) {
                throw over();
            }
            return false;
        });
    }

    private boolean isOver() {
        return seats.isClosed() || control.isStopped();
    }

    private static DeviceException over() {
        return new DeviceException(DeviceError.LAUNCH_TIMEOUT, "the context was stopped");
    }

    /** Something that is made on a seat while another thread waits for it. */
    private final class Task<T> implements Runnable {
        private final Supplier<T> action;
        private boolean begun;
        private boolean ended;
        private @Nullable T made;
        private @Nullable Throwable failure;

        Task(Supplier<T> action) {
            this.action = action;
        }

        @Override
        public void run() {
            T result = null;
            Throwable thrown = null;
            synchronized (this) {
                begun = true;
            }
            try {
                control.throwIfStopped();
                long before = ProcessorTimeUnsafe.ofThisThread();
                result = bounded(action);
                seats.codeMade(control, ProcessorTimeUnsafe.ofThisThread() - before);
            } catch (KernelFault stopped) {
                thrown = over();
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
            synchronized (this) {
                made = result;
                failure = thrown;
                ended = true;
                notifyAll();
            }
        }

        private synchronized boolean ends() throws InterruptedException {
            while (!ended) {
                // One that waits for a seat is not waited for: a small share may be far behind.
                if (!begun && isOver()) {
                    failure = over();
                    break;
                }
                wait(LOOK_MILLIS);
            }
            return true;
        }

        T await() {
            Uninterrupted.until(this::ends);
            switch (failure) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
            return java.util.Objects.requireNonNull(made);
        }
    }
}
