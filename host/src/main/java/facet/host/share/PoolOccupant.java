package facet.host.share;

import facet.host.residency.Occupant;

/** A slice's segments as residency sees them: nothing of them ever moves. */
record PoolOccupant(String slice) implements Occupant {
    @Override
    public int priority() {
        return 0;
    }

    @Override
    public boolean isWorking() {
        return false;
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public void hold(boolean wanted) {}

    @Override
    public boolean isEnding() {
        return false;
    }

    @Override
    public void moved(boolean moved) {}

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
        return 0;
    }

    @Override
    public void log(String text) {}
}
