package facet.host.session;

import facet.device.Context;
import facet.device.Stream;

/** Something to be given to the device. */
interface Work {
    /** Gives it to a stream, behind what that has to do. */
    void on(Stream device);

    /** The same when it is given to the device later: what it may access is what it is now. */
    default Work settled(Context context) {
        return this;
    }

    /** Whether it may be given once more when the device had no room for it: nothing was begun. */
    default boolean isWhole() {
        return true;
    }

    /** After {@link #settled}: it was given to the device, or will not be. Once, on any thread. */
    default void over() {}
}
