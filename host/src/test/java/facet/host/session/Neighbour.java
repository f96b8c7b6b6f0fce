package facet.host.session;

import facet.device.Device;
import facet.device.Memory;
import facet.host.residency.ContextHolding;
import facet.host.residency.Occupant;
import facet.host.residency.Residency;
import java.util.concurrent.CompletableFuture;

/** Somebody else who has memory on a device, and does not let go of it. */
final class Neighbour implements Occupant, AutoCloseable {
    private final Memory memory;
    private final ContextHolding holding;

    Neighbour(Device device, Residency residency, long bytes) {
        memory = device.createMemory("neighbour", bytes);
        holding = residency.admit(this, memory);
    }

    /** Takes memory that stays on the device once it is there. */
    void take(long bytes) {
        holding.take(0, bytes, false);
    }

    /** Done when all that it has taken is there. */
    CompletableFuture<Boolean> arrives() {
        CompletableFuture<Boolean> there = new CompletableFuture<>();
        holding.whenThere(there::complete);
        return there;
    }

    void give() {
        holding.give(0);
    }

    @Override
    public void close() {
        holding.end();
        memory.close();
    }

    @Override
    public String slice() {
        return "neighbour";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public boolean isWorking() {
        return true;
    }

    @Override
    public boolean hasWork() {
        return true;
    }

    @Override
    public void hold(boolean wanted) {
        // It has no kernels.
    }

    @Override
    public boolean isEnding() {
        return false;
    }

    @Override
    public void moved(boolean moved) {
        // It has no client.
    }

    @Override
    public boolean isTouched() {
        return false;
    }

    @Override
    public long published() {
        return 0;
    }

    @Override
    public long read() {
        return 1;
    }

    @Override
    public void log(String text) {
        throw new AssertionError(text);
    }
}
