package facet.device.nvidia;

import java.util.function.BooleanSupplier;

/** Whether work of a context may begin, and how much of it is under way. Any thread. */
final class Gate {
    private static final long LOOK_MILLIS = 50;

    private boolean closed;
    private int underWay;

    /**
     * Waits while it is closed.
     *
     * @return false when nobody wants to any more
     */
    synchronized boolean enter(BooleanSupplier unwanted) {
        while (closed && !unwanted.getAsBoolean()) {
            await();
        }
        if (unwanted.getAsBoolean()) {
            return false;
        }
        underWay++;
        return true;
    }

    synchronized void leave() {
        underWay--;
        notifyAll();
    }

    /** Lets nothing begin from now on, and waits until all has ended that had begun. */
    synchronized void close() {
        closed = true;
        while (underWay > 0 && closed) {
            await();
        }
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized void open() {
        closed = false;
        notifyAll();
    }

    @SuppressWarnings("WaitNotInLoop") // who calls it looks again
    private void await() {
        boolean interrupted = false;
        try {
            wait(LOOK_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
