package facet.device.cpu;

/** Hears when work has left its seat in the middle, and when it goes on. */
interface Seated {
    /** Nobody counts it. */
    Seated UNCOUNTED =
            new Seated() {
                @Override
                public void suspended() {}

                @Override
                public void resumed() {}
            };

    void suspended();

    void resumed();
}
