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
}
