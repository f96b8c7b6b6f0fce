package facet.host.session;

import facet.device.Context;

/** Holds back the work of a context as long as anybody has a reason to. Any thread. */
final class Pause {
    private final Context device;
    private boolean share;
    private boolean memory;

    Pause(Context device) {
        this.device = device;
    }

    /** Its slice has had its share of the device's time. */
    synchronized void forShare(boolean wanted) {
        boolean before = share || memory;
        share = wanted;
        change(before);
    }

    /** Its memory is not on the device. */
    synchronized void forMemory(boolean wanted) {
        boolean before = share || memory;
        memory = wanted;
        change(before);
    }

    private void change(boolean before) {
        boolean now = share || memory;
        if (now && !before) {
            device.pause();
        } else if (!now && before) {
            device.resume();
        }
    }
}
